#include "engines/hadoop/worker_job.h"

#include <nlohmann/json.hpp>

#include "base/base64.h"
#include "base/error.h"

namespace bloomery::hadoop {
namespace {

using nlohmann::json;
using Texts = std::map<std::string, std::string, std::less<>>;

// Names and headers are bytes of any value.
json packed(const Texts& texts) {
  json object = json::object();
  for (const auto& [name, text] : texts) object[name] = to_base64(text);
  return object;
}

std::string unpacked(const json& text) {
  return from_base64(text.get<std::string>()).value();
}

Texts unpacked_all(const json& object) {
  Texts texts;
  for (const auto& [name, text] : object.items()) texts[name] = unpacked(text);
  return texts;
}

json files_json(const std::vector<WorkerFile>& files) {
  json list = json::array();
  for (const WorkerFile& file : files) {
    list.push_back({{"name", to_base64(file.name)},
                    {"address", to_base64(file.address)},
                    {"first", file.first},
                    {"shape", packed(to_text(file.shape))}});
  }
  return list;
}

Result<std::vector<WorkerFile>> files_from(const json& list) {
  std::vector<WorkerFile> files;
  for (const json& object : list) {
    auto shape = shape_from_text(unpacked_all(object.at("shape")));
    if (!shape) return shape.error();
    files.push_back({unpacked(object.at("name")), unpacked(object.at("address")), *std::move(shape),
                     object.at("first").get<std::uint64_t>()});
  }
  return files;
}

// May throw whatever the JSON library throws.
Result<WorkerJob> read_job(const json& document, const std::optional<SecretKey>& secret) {
  WorkerJob job;
  job.kind = static_cast<JobKind>(document.at("kind").get<unsigned>());
  job.id = document.at("id");
  job.version = document.at("version");
  auto recipe = parse_recipe(unpacked_all(document.at("recipe")));
  if (!recipe) return recipe.error();
  job.recipe = *std::move(recipe);
  job.max_line = document.at("max_line");
  job.max_groups = document.at("max_groups");
  job.memory = document.at("memory");
  job.wants_rejects = document.at("wants_rejects");
  job.has_offsets = document.at("has_offsets");
  job.has_secret = document.at("has_secret");
  auto files = files_from(document.at("files"));
  if (!files) return files.error();
  job.files = *std::move(files);
  job.distinct = document.at("distinct");
  job.hash = static_cast<HashId>(document.at("hash").get<unsigned>());
  job.seed = document.at("seed");
  auto plan = plan_from_json(document.at("plan").get<std::string>(), "the plan of the job", secret);
  if (!plan) return plan.error();
  job.plan = std::move(plan->groups);
  job.strategy = static_cast<Strategy>(document.at("strategy").get<unsigned>());
  job.sample_last = document.at("sample_last");
  job.evidence = static_cast<Evidence>(document.at("evidence").get<unsigned>());
  return job;
}

}  // namespace

std::string to_json(const WorkerJob& job) {
  const json document{{"kind", static_cast<unsigned>(job.kind)},
                      {"id", job.id},
                      {"version", job.version},
                      {"recipe", packed(to_text(job.recipe))},
                      {"max_line", job.max_line},
                      {"max_groups", job.max_groups},
                      {"memory", job.memory},
                      {"wants_rejects", job.wants_rejects},
                      {"has_offsets", job.has_offsets},
                      {"has_secret", job.has_secret},
                      {"files", files_json(job.files)},
                      {"distinct", job.distinct},
                      {"hash", static_cast<unsigned>(job.hash)},
                      {"seed", job.seed},
                      {"plan", plan_to_json({job.plan, {}})},
                      {"strategy", static_cast<unsigned>(job.strategy)},
                      {"sample_last", job.sample_last},
                      {"evidence", static_cast<unsigned>(job.evidence)}};
  return document.dump();
}

Result<WorkerJob> job_from_json(std::string_view text, const std::optional<SecretKey>& secret) {
  try {
    return read_job(json::parse(text), secret);
  } catch (const std::exception& error) {
    return make_error(ErrorCode::kDamaged, "{}: {}", kJobFile, escaped(error.what()));
  }
}

namespace {

std::string_view path_of(std::string_view address) {
  const std::size_t scheme = address.find("://");
  if (scheme == std::string_view::npos) {
    // "file:/a": no host.
    return address.starts_with("file:/") ? address.substr(5) : address;
  }
  const std::size_t path = address.find('/', scheme + 3);
  return path == std::string_view::npos ? std::string_view("/") : address.substr(path);
}

}  // namespace

std::size_t address_likeness(std::string_view wanted, std::string_view given) {
  if (wanted == given) return SIZE_MAX;
  const std::string_view end = path_of(wanted);
  const std::string_view path = path_of(given);
  if (end == path) return SIZE_MAX - 1;
  // A path below the user's folder, which only the cluster knows.
  const bool is_end = !end.starts_with('/') && path.ends_with(end) &&
                      path.substr(0, path.size() - end.size()).ends_with('/');
  return is_end ? end.size() : 0;
}

}  // namespace bloomery::hadoop
