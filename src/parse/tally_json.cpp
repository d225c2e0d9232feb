#include "parse/tally_json.h"

#include <nlohmann/json.hpp>

#include "base/error.h"

namespace bloomery {
namespace {

using nlohmann::json;

constexpr std::size_t kCounts = 5;  // before those of the rejects

json to_json(const FileTally& file) {
  json counts = json::array({file.read, file.used, file.missing, file.blank, file.header});
  for (const std::uint64_t rejected : file.rejected) counts.push_back(rejected);
  return counts;
}

FileTally file_from(const json& counts) {
  FileTally file;
  file.read = counts.at(0);
  file.used = counts.at(1);
  file.missing = counts.at(2);
  file.blank = counts.at(3);
  file.header = counts.at(4);
  for (std::size_t i = 0; i < kRejectKinds; ++i) file.rejected[i] = counts.at(kCounts + i);
  return file;
}

}  // namespace

std::string tally_to_json(const Tally& tally) {
  json files = json::array();
  for (const FileTally& file : tally.files()) files.push_back(to_json(file));
  json samples = json::array();
  for (std::size_t i = 0; i < kRejectKinds; ++i) {
    for (const RejectedRecord& record : tally.samples(static_cast<Reject>(i))) {
      samples.push_back({record.file, record.offset, i, record.text, record.reason});
    }
  }
  const json object{{"files", std::move(files)}, {"samples", std::move(samples)}};
  return object.dump(-1, ' ', false, json::error_handler_t::replace);
}

Result<Tally> tally_from_json(std::string_view text) {
  try {
    const json object = json::parse(text);
    Tally tally;
    std::uint32_t number = 0;
    for (const json& file : object.at("files")) tally.file(number++) = file_from(file);
    for (const json& sample : object.at("samples")) {
      const auto category = sample.at(2).get<std::size_t>();
      if (category >= kRejectKinds) throw std::runtime_error("no such category");
      tally.add_sample(
          {sample.at(0), sample.at(1), static_cast<Reject>(category), sample.at(3), sample.at(4)});
    }
    if (const auto adds_up = tally.check(); !adds_up) return adds_up.error();
    return tally;
  } catch (const std::exception& error) {
    return make_error(ErrorCode::kDamaged, "the tally of a task: {}", error.what());
  }
}

}  // namespace bloomery
