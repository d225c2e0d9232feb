#include "cli/study/plan.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "base/error.h"
#include "base/file.h"
#include "cli/frame/parse.h"
#include "cli/hadoop_flags.h"
#include "cli/values.h"

namespace bloomery::cli {
namespace {

using Names = std::vector<std::string>;

// As the flag takes them, so that a new engine is known here at once.
Names choices_of(const std::vector<Flag>& flags, std::string_view name) {
  for (const Flag& flag : flags) {
    if (long_name(flag) == name) return flag.choices;
  }
  return {};
}

Names engine_names() {
  EngineOptions options;
  return choices_of(engine_flags(options), "--engine");
}

// A file and the place in it.
class Place {
 public:
  explicit Place(std::string name) : name_(std::move(name)) {}

  [[nodiscard]] std::string line(const toml::source_region& source) const {
    return fmt::format("{}: line {}", printable_path(name_), source.begin.line);
  }

  template <typename... Args>
  [[nodiscard]] Error wrong(const toml::source_region& source, fmt::format_string<Args...> format,
                            Args&&... args) const {
    return make_error(ErrorCode::kInvalidArgument, "{}: {}", line(source),
                      fmt::format(format, std::forward<Args>(args)...));
  }

 private:
  std::string name_;
};

std::string text_of(const toml::node& node) {
  std::string text;
  node.visit([&text](const auto& value) {
    if constexpr (toml::is_string<decltype(value)>) {
      text = fmt::format("\"{}\"", escaped(value.get()));
    } else if constexpr (toml::is_integer<decltype(value)> ||
                         toml::is_floating_point<decltype(value)> ||
                         toml::is_boolean<decltype(value)>) {
      text = fmt::format("{}", value.get());
    } else {
      text = toml::is_table<decltype(value)> ? "a table" : "a list or a date";
    }
  });
  return text;
}

// What a key stands for: stores the value, or says what it must be.
struct Key {
  std::string name;
  std::function<Result<void>(const toml::node&)> take;
};

bool is_axis(std::string_view name);

// Every key of the table is one of `keys`.
Result<void> take_table(const Place& place, const toml::table& table,
                        const std::vector<Key>& keys) {
  for (const auto& [key, node] : table) {
    const auto known = std::ranges::find(keys, key.str(), &Key::name);
    if (known == keys.end()) {
      Names names;
      for (const Key& each : keys) names.push_back(each.name);
      if (is_axis(key.str())) {
        return place.wrong(key.source(),
                           "{}: no such key here; an axis goes under [base] with one value, or "
                           "under [sweep.vary] or [sweep.cross] with a list of them",
                           key.str());
      }
      return place.wrong(
          key.source(), "{}: no such key here{}", escaped(key.str()),
          suggestion(key.str(), names, fmt::format("; there are {}", one_of(names))));
    }
    if (const auto taken = known->take(node); !taken) {
      // Of a list the message names the value that is wrong.
      const std::string value = node.is_array() ? "" : fmt::format(" = {}", text_of(node));
      return place.wrong(key.source(), "{}{}: {}", escaped(key.str()), value,
                         taken.error().message);
    }
  }
  return {};
}

Error must_be(std::string_view what) {
  return make_error(ErrorCode::kInvalidArgument, "must be {}", what);
}

auto into_text(std::string& to) {
  return [&to](const toml::node& node) -> Result<void> {
    const auto text = node.value_exact<std::string>();
    if (!text || text->empty()) return must_be("a text in quotes");
    to = *text;
    return {};
  };
}

auto into_texts(Names& to) {
  return [&to](const toml::node& node) -> Result<void> {
    std::string one;
    if (node.is_string()) {
      if (auto taken = into_text(one)(node); !taken) return taken;
      to = {one};
      return {};
    }
    const toml::array* list = node.as_array();
    if (list == nullptr || list->empty()) return must_be("a text or a list of texts");
    for (const toml::node& each : *list) {
      if (const auto taken = into_text(one)(each); !taken) return must_be("a list of texts");
      to.push_back(one);
    }
    return {};
  };
}

constexpr std::int64_t kMostRepetitions = 100'000;  // a slip, beyond it
constexpr double kMostRuns = 1e6;                   // of a sweep; the same

auto into_number(std::uint64_t& to, std::int64_t least, std::int64_t most = INT64_MAX) {
  return [&to, least, most](const toml::node& node) -> Result<void> {
    const auto number = node.value_exact<std::int64_t>();
    if (!number || *number < least) return must_be(fmt::format("a whole number from {}", least));
    if (*number > most) return must_be(fmt::format("a whole number up to {}", most));
    to = static_cast<std::uint64_t>(*number);
    return {};
  };
}

auto into_switch(bool& to) {
  return [&to](const toml::node& node) -> Result<void> {
    const auto value = node.value_exact<bool>();
    if (!value) return must_be("true or false");
    to = *value;
    return {};
  };
}

// --- axes: each takes one value into settings
// --------------------------------------------------------

using TakeAxis = std::function<Result<void>(const toml::node&, RunSettings&)>;

struct Axis {
  std::string name;
  TakeAxis take;
};

Result<void> take_rate(const toml::node& node, RunSettings& settings) {
  const auto text = node.value_exact<std::string>();
  const auto number = node.value<double>();
  if (!text && (!number || node.is_boolean())) return must_be("a rate, as 0.01 or \"1%\"");
  auto rate = parse_rate(text ? *text : fmt::format("{}", *number));
  if (!rate) return rate.error();
  settings.fpr = *rate;
  return {};
}

TakeAxis take_count(std::optional<std::uint64_t> RunSettings::*to, std::string absent) {
  return [to, absent = std::move(absent)](const toml::node& node,
                                          RunSettings& settings) -> Result<void> {
    settings.*to = std::nullopt;
    if (node.value_exact<std::string>() == absent) return {};
    std::uint64_t number = 0;
    if (!into_number(number, 1)(node)) {
      return must_be(fmt::format("a whole number from 1, or \"{}\"", absent));
    }
    settings.*to = number;
    return {};
  };
}

TakeAxis take_choice(std::string RunSettings::*to, Names choices) {
  return [to, choices = std::move(choices)](const toml::node& node,
                                            RunSettings& settings) -> Result<void> {
    const auto text = node.value_exact<std::string>();
    if (text && std::ranges::find(choices, *text) != choices.end()) {
      settings.*to = *text;
      return {};
    }
    return must_be(one_of(choices) + (text ? suggestion(*text, choices, "") : ""));
  };
}

const std::vector<Axis>& axes() {
  static const std::vector<Axis> all{
      {"fpr", take_rate},
      {"hashes", take_count(&RunSettings::hashes, "optimal")},
      {"kind", take_choice(&RunSettings::kind, {"blocked", "classic", "counting"})},
      {"engine", take_choice(&RunSettings::engine, engine_names())},
      {"strategy", take_choice(&RunSettings::strategy, {"indexes", "filters", "auto", "none"})},
      {"tasks", take_count(&RunSettings::tasks, "any")},
      {"threads", take_count(&RunSettings::threads, "all")}};
  return all;
}

bool is_axis(std::string_view name) {
  return std::ranges::find(axes(), name, &Axis::name) != axes().end();
}

std::vector<Key> setting_keys(RunSettings& settings) {
  std::vector<Key> keys;
  for (const Axis& axis : axes()) {
    keys.push_back({axis.name, [&](const toml::node& node) { return axis.take(node, settings); }});
  }
  return keys;
}

// An axis with the values to try. The nodes live as long as the parsed file.
struct Values {
  const Axis* axis = nullptr;
  std::vector<const toml::node*> nodes;
};

std::vector<Key> list_keys(std::vector<Values>& lists) {
  std::vector<Key> keys;
  for (const Axis& axis : axes()) {
    keys.push_back({axis.name, [&](const toml::node& node) -> Result<void> {
                      Values values{&axis, {}};
                      const toml::array* list = node.as_array();
                      if (list == nullptr || list->empty()) return must_be("a list of values");
                      for (const toml::node& each : *list) {
                        RunSettings ignored;
                        if (const auto taken = axis.take(each, ignored); !taken) {
                          return make_error(ErrorCode::kInvalidArgument, "{}: {}", text_of(each),
                                            taken.error().message);
                        }
                        values.nodes.push_back(&each);
                      }
                      lists.push_back(std::move(values));
                      return {};
                    }});
  }
  return keys;
}

// --- sweeps
// ------------------------------------------------------------------------------------------

struct Sweep {
  RunSettings base;
  std::vector<Values> vary;   // one at a time
  std::vector<Values> cross;  // all with all
  std::uint64_t repetitions = 1;
};

class PlanReader {
 public:
  explicit PlanReader(const std::string& name) : place_(name) {}

  Result<StudyPlan> read(const toml::table& root) {
    const toml::node* base = nullptr;
    const toml::node* sweeps = nullptr;
    const toml::node* engine_flags = nullptr;
    const auto keep = [](const toml::node*& to) {
      return [&to](const toml::node& node) -> Result<void> {
        to = &node;
        return {};
      };
    };
    const auto taken = take_table(place_, root,
                                  {{"title", into_text(plan_.title)},
                                   {"input", into_texts(plan_.inputs)},
                                   {"key", into_text(plan_.key)},
                                   {"group", into_text(plan_.group)},
                                   {"flags", into_texts(plan_.flags)},
                                   {"engine_flags", keep(engine_flags)},
                                   {"seed", into_number(plan_.seed, 0)},
                                   {"warmup", into_number(plan_.warmup, 0, kMostRepetitions)},
                                   {"verify", into_switch(plan_.verify)},
                                   {"base", keep(base)},
                                   {"sweep", keep(sweeps)}});
    if (!taken) return taken.error();
    const auto line_of = [&](const char* key) {
      const toml::node* node = root.get(key);
      return node == nullptr ? std::string() : place_.line(node->source());
    };
    plan_.input_where = line_of("input");
    plan_.flags_where = line_of("flags");
    if (plan_.inputs.empty()) {
      return place_.wrong(root.source(), "input: missing; write input = \"FILE\"");
    }
    if (engine_flags != nullptr) {
      if (const auto read = take_engine_flags(*engine_flags); !read) return read.error();
    }
    if (base != nullptr) {
      if (base->as_table() == nullptr) return place_.wrong(base->source(), "base: must be a table");
      const auto read = take_table(place_, *base->as_table(), setting_keys(base_));
      if (!read) return read.error();
      note_engines(*base->as_table());
    }
    if (sweeps == nullptr) {
      return place_.wrong(root.source(), "sweep: missing; write [[sweep]] and what to try in it");
    }
    const toml::array* list = sweeps->as_array();
    if (list == nullptr) {
      return place_.wrong(sweeps->source(), "sweep: must be written [[sweep]]");
    }
    for (const toml::node& each : *list) {
      if (const auto read = read_sweep(each); !read) return read.error();
    }
    return std::move(plan_);
  }

 private:
  Result<void> take_engine_flags(const toml::node& node) {
    const toml::table* table = node.as_table();
    if (table == nullptr) {
      return place_.wrong(node.source(),
                          "engine_flags: must be a table, as engine_flags.spark = [...]");
    }
    std::vector<Key> keys;
    for (const std::string& engine : engine_names()) {
      keys.push_back({engine, into_texts(plan_.engine_flags[engine])});
    }
    return take_table(place_, *table, keys);
  }

  Result<void> read_sweep(const toml::node& node) {
    const toml::table* table = node.as_table();
    if (table == nullptr) return place_.wrong(node.source(), "sweep: must be written [[sweep]]");
    Sweep sweep;
    sweep.base = base_;
    // The keys of the inner tables name their own lines.
    const std::array<std::pair<const char*, std::vector<Key>>, 3> inner{
        {{"base", setting_keys(sweep.base)},
         {"vary", list_keys(sweep.vary)},
         {"cross", list_keys(sweep.cross)}}};
    for (const auto& [name, keys] : inner) {
      const toml::node* below = table->get(name);
      if (below == nullptr) continue;
      if (below->as_table() == nullptr) {
        return place_.wrong(below->source(), "{}: must be a table", name);
      }
      if (auto read = take_table(place_, *below->as_table(), keys); !read) return read;
      note_engines(*below->as_table());
    }
    const auto pass = [](const toml::node&) -> Result<void> { return {}; };
    auto taken = take_table(place_, *table,
                            {{"repetitions", into_number(sweep.repetitions, 1, kMostRepetitions)},
                             {"base", pass},
                             {"vary", pass},
                             {"cross", pass}});
    if (!taken) return taken;
    if (const double runs = runs_of(sweep); runs > kMostRuns) {
      return place_.wrong(node.source(),
                          "sweep: {:.3g} runs are more than {:.0f}; try fewer values", runs,
                          kMostRuns);
    }
    expand(sweep, place_.line(node.source()));
    return {};
  }

  // Where each engine is named first.
  void note_engines(const toml::table& table) {
    const auto note = [&](const toml::node& node) {
      if (const auto name = node.value_exact<std::string>()) {
        plan_.engine_where.try_emplace(*name, place_.line(node.source()));
      }
    };
    const toml::node* named = table.get("engine");
    if (named == nullptr) return;
    note(*named);
    if (const toml::array* list = named->as_array()) {
      for (const toml::node& each : *list) note(each);
    }
  }

  static double runs_of(const Sweep& sweep) {
    double varied = sweep.vary.empty() ? 1 : 0;
    for (const Values& values : sweep.vary) varied += static_cast<double>(values.nodes.size());
    double runs = varied * static_cast<double>(sweep.repetitions);
    for (const Values& values : sweep.cross) runs *= static_cast<double>(values.nodes.size());
    return runs;
  }

  void expand(const Sweep& sweep, const std::string& where) {
    if (sweep.vary.empty()) return cross(sweep, 0, sweep.base, where);
    for (const Values& values : sweep.vary) {
      for (const toml::node* node : values.nodes) {
        RunSettings settings = sweep.base;
        static_cast<void>(values.axis->take(*node, settings));  // it was tried before
        cross(sweep, 0, settings, where);
      }
    }
  }

  void cross(const Sweep& sweep, std::size_t depth, const RunSettings& settings,
             const std::string& where) {
    if (depth == sweep.cross.size()) {
      const auto [known, is_new] = places_.try_emplace(settings, plan_.runs.size());
      if (is_new) {
        plan_.runs.push_back({settings, sweep.repetitions, where});
      } else {
        std::uint64_t& repetitions = plan_.runs[known->second].repetitions;
        repetitions = std::max(repetitions, sweep.repetitions);
      }
      return;
    }
    const Values& values = sweep.cross[depth];
    for (const toml::node* node : values.nodes) {
      RunSettings next = settings;
      static_cast<void>(values.axis->take(*node, next));
      cross(sweep, depth + 1, next, where);
    }
  }

  Place place_;
  StudyPlan plan_;
  std::map<RunSettings, std::size_t> places_;  // in plan_.runs
  RunSettings base_;
};

}  // namespace

Result<StudyPlan> plan_from_toml(std::string_view text, const std::string& name) {
  const toml::parse_result parsed = toml::parse(text, name);
  if (!parsed) {
    return make_error(ErrorCode::kInvalidArgument, "{}: line {}: {}", printable_path(name),
                      parsed.error().source().begin.line,
                      escaped(parsed.error().description(), 1000));
  }
  return PlanReader(name).read(parsed.table());
}

}  // namespace bloomery::cli
