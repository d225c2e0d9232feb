#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/base64.h"
#include "base/error.h"
#include "group/group_table.h"
#include "parse/json_bytes.h"
#include "plan/plan.h"

namespace bloomery {
namespace {

using nlohmann::json;

constexpr int kPlanVersion = 1;

std::string get_bytes(const json& object, const std::string& name) {
  if (object.contains(name)) return object.at(name).get<std::string>();
  auto bytes = from_base64(object.at(name + "_b64").get<std::string>());
  if (!bytes) throw std::runtime_error(name + "_b64 is not Base64");
  return *std::move(bytes);
}

// A whole number that is there as one, and at most `most`.
std::uint64_t get_number(const json& object, const std::string& name,
                         std::uint64_t most = UINT64_MAX) {
  const json& value = object.at(name);
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > most) {
    throw std::runtime_error(fmt::format("{} must be a whole number up to {}", name, most));
  }
  return value.get<std::uint64_t>();
}

json to_json(const GroupPlan& plan) {
  const FilterSpec& spec = plan.spec;
  json object{{"records", plan.records},
              {"kind", to_string(spec.kind)},
              {"dialect", to_string(spec.dialect)},
              {"hash", to_string(spec.hasher.id())},
              {"hash_seed", spec.hasher.seed()},
              {"hash_self_check", fmt::format("{:016x}", spec.hasher.self_check())},
              {"fpr", spec.fpr},
              {"planned_keys", spec.planned_keys},
              {"bits", spec.bits},
              {"hashes", spec.hashes}};
  if (!spec.seeds.empty()) object["seeds"] = spec.seeds;
  put_bytes(object, "group", plan.group);
  return object;
}

Result<Hasher> hasher_of(const json& object, const std::optional<SecretKey>& secret) {
  const auto name = object.at("hash").get<std::string>();
  const auto id = hash_from_string(name);
  if (!id) return make_error(ErrorCode::kUnsupported, "hash \"{}\" is not known", escaped(name));
  if (*id == HashId::kSip) {
    if (!secret) {
      return make_error(ErrorCode::kInvalidArgument,
                        "made with a secret key; give the same --key-file");
    }
    return Hasher::with_secret(*secret);
  }
  return Hasher::create(*id, get_number(object, "hash_seed"));
}

Result<GroupPlan> group_of(const json& object, const std::optional<SecretKey>& secret) {
  GroupPlan plan;
  plan.group = get_bytes(object, "group");
  plan.records = get_number(object, "records");
  auto hasher = hasher_of(object, secret);
  if (!hasher) return hasher.error();
  if (fmt::format("{:016x}", hasher->self_check()) !=
      object.at("hash_self_check").get<std::string>()) {
    return make_error(ErrorCode::kMismatch, "its hash is not ours: another secret key, or damage");
  }
  const auto kind = kind_from_string(object.at("kind").get<std::string>());
  const auto dialect = dialect_from_string(object.at("dialect").get<std::string>());
  if (!kind || !dialect) {
    return make_error(ErrorCode::kUnsupported, "kind or dialect is not known to this version");
  }
  FilterSpec& spec = plan.spec;
  spec.dialect = *dialect;
  spec.kind = *kind;
  spec.hasher = *hasher;
  spec.fpr = object.at("fpr").get<double>();
  spec.planned_keys = get_number(object, "planned_keys");
  spec.bits = get_number(object, "bits", kMaxBits);
  spec.hashes = static_cast<std::uint32_t>(get_number(object, "hashes", kMaxHashes));
  if (object.contains("seeds")) spec.seeds = object["seeds"].get<std::vector<std::uint64_t>>();
  if (const auto valid = validate(spec); !valid) return valid.error();
  return plan;
}

// May throw whatever the JSON library throws.
Result<SavedPlan> read_plan(const json& document, const std::optional<SecretKey>& secret) {
  if (!document.is_object() || document.value("bloomery_plan", 0) != kPlanVersion) {
    return make_error(ErrorCode::kUnsupported, "not a plan of version {}; make one with plan -o",
                      kPlanVersion);
  }
  SavedPlan plan;
  for (const json& pair : document.at("recipe")) {
    plan.recipe[get_bytes(pair, "name")] = get_bytes(pair, "text");
  }
  for (const json& object : document.at("groups")) {
    auto group = group_of(object, secret);
    if (!group) return group.error();
    const bool is_sorted = plan.groups.empty() || plan.groups.back().group < group->group;
    if (!is_sorted || group->group.empty() || group->group.size() > kMaxGroupNameBytes) {
      return make_error(ErrorCode::kDamaged,
                        "groups must be sorted, different, and of 1 to {} bytes",
                        kMaxGroupNameBytes);
    }
    plan.groups.push_back(*std::move(group));
  }
  return plan;
}

}  // namespace

std::string plan_to_json(const SavedPlan& plan) {
  json document{{"bloomery_plan", kPlanVersion}, {"recipe", json::array()}};
  for (const auto& [name, text] : plan.recipe) {
    json pair;
    put_bytes(pair, "name", name);
    put_bytes(pair, "text", text);
    document["recipe"].push_back(std::move(pair));
  }
  document["groups"] = json::array();
  for (const GroupPlan& group : plan.groups) document["groups"].push_back(to_json(group));
  return document.dump(1) + "\n";
}

Result<SavedPlan> plan_from_json(std::string_view json_text, std::string_view name,
                                 const std::optional<SecretKey>& secret) {
  const auto place = [&](std::string_view what) {
    return make_error(ErrorCode::kDamaged, "{}: {}", escaped(name), what);
  };
  try {
    auto plan = read_plan(json::parse(json_text), secret);
    if (!plan) {
      return make_error(plan.error().code, "{}: {}", escaped(name), plan.error().message);
    }
    return plan;
  } catch (const json::parse_error& error) {
    return place(
        fmt::format("not a plan: no JSON at byte {}; plan -o makes one, and a bank is one, "
                    "too",
                    error.byte));
  } catch (const json::exception&) {
    return place("not a plan: a field is missing or is not what it should be; plan -o makes one");
  } catch (const std::runtime_error& error) {
    return place(error.what());
  }
}

}  // namespace bloomery
