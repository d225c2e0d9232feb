// bloomery_bench: how near bloomery comes to what the machine can do, and how it stands to its
// peers.
//
// Prints each result as it comes and one table of targets at the end. It exits with 1 when an
// answer was wrong and with 2 on bad usage; a missed target is no error, because a noisy host can
// miss any.
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstdio>
#include <exception>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench.h"
#include "bloomery/kernel.h"
#include "machine.h"

namespace bloomery::bench {
namespace {

struct Question {
  std::string_view name;
  std::string_view says;
  void (*ask)(Bench&);
};

constexpr std::array kQuestions{
    Question{"limits", "the machine: random lines and hashes", ask_limits},
    Question{"lookup-1m", "blocked lookups, filter in cache", ask_lookup_1m},
    Question{"lookup-100m", "blocked lookups, filter out of cache", ask_lookup_100m},
    Question{"lookup-strings", "blocked lookups, 10 million short strings", ask_lookup_strings},
    Question{"bulk", "100 million keys in one call", ask_bulk},
    Question{"large", "800 million keys, batched and in one call", ask_large},
    Question{"classic", "classic kind, per line touched", ask_classic},
    Question{"space", "bits a key and measured rates", ask_space},
    Question{"sets", "against exact hash sets, time and memory", ask_sets},
    Question{"sip", "SipHash against XXH3", ask_sip},
    Question{"bank", "opening a bank of 1 GB", ask_bank},
};

constexpr std::string_view kUsage =
    R"(Usage: bloomery_bench [OPTION]... [QUESTION]...

Measures the questions named, or all of them.

  --list           print the questions
  --json FILE      write all results as JSON
  --quick          tiny sizes: checks the answers and measures nothing
  --rounds N       rounds in which contestants take turns; the best one counts (5)
  --kernel NAME    scalar, avx2 or avx512 instead of the best this machine can run
  --cpu-time       processor time instead of wall time: for a machine busy with other things
  --folder FOLDER  where the bank file of 1 GB is written (.)
)";

struct Arguments {
  Options options;
  std::string json;
  bool cpu_time = false;
  bool list = false;
  bool help = false;
  std::vector<const Question*> questions;
};

bool use_kernel(std::string_view name) {
  for (const Kernel kernel : available_kernels()) {
    if (to_string(kernel) == name) return force_kernel(kernel).has_value();
  }
  return false;
}

const Question* find_question(std::string_view name) {
  for (const Question& question : kQuestions) {
    if (question.name == name) return &question;
  }
  return nullptr;
}

bool parse_number(std::string_view text, int* number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *number);
  return error == std::errc() && end == text.data() + text.size() && *number > 0;
}

// Takes one argument, or two where the first needs a value. False: it makes no sense.
bool take(std::string_view argument, std::optional<std::string_view> value, Arguments* out,
          bool* took_value) {
  *took_value = true;
  if (value && argument == "--json") return !(out->json = *value).empty();
  if (value && argument == "--folder") return !(out->options.folder = *value).empty();
  if (value && argument == "--rounds") return parse_number(*value, &out->options.rounds);
  if (value && argument == "--kernel") return use_kernel(*value);
  *took_value = false;
  if (argument == "--list") return out->list = true;
  if (argument == "--quick") return out->options.quick = true;
  if (argument == "--cpu-time") return out->cpu_time = true;
  if (argument == "--help") return out->help = true;
  out->questions.push_back(find_question(argument));
  return out->questions.back() != nullptr;
}

void print_list(std::FILE* to) {
  for (const Question& question : kQuestions) {
    fmt::print(to, "{:<16} {}\n", question.name, question.says);
  }
}

std::optional<Arguments> parse(const std::vector<std::string_view>& words) {
  Arguments arguments;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto value = i + 1 < words.size() ? std::optional(words[i + 1]) : std::nullopt;
    bool took_value = false;
    if (!take(words[i], value, &arguments, &took_value)) {
      fmt::print(stderr, "bloomery_bench: {}: not an option or a question, or a bad value\n{}\n",
                 words[i], kUsage);
      print_list(stderr);
      return std::nullopt;
    }
    if (took_value) ++i;
  }
  if (arguments.questions.empty()) {
    for (const Question& question : kQuestions) arguments.questions.push_back(&question);
  }
  return arguments;
}

void run(const Arguments& arguments) {
  if (arguments.cpu_time) use_processor_time();
  auto facts = machine_facts();
  facts.push_back({"clock", arguments.cpu_time ? "processor time" : "wall time"});
  Bench bench(arguments.options, Report(std::move(facts)));
  for (const Question* question : arguments.questions) question->ask(bench);
  if (arguments.options.quick) {
    fmt::print("\nQuick run: the answers are right, the times mean nothing.\n");
  } else {
    bench.report().print_targets();
  }
  if (arguments.json.empty()) return;
  std::ofstream file(arguments.json);
  file << bench.report().json();
  if (!file.flush()) throw std::runtime_error(arguments.json + ": cannot be written");
}

}  // namespace
}  // namespace bloomery::bench

int main(int argc, char** argv) {
  using namespace bloomery::bench;  // NOLINT(google-build-using-namespace)
  const auto arguments = parse({argv + 1, argv + argc});
  if (!arguments) return 2;
  if (arguments->help) fmt::print("{}", kUsage);
  if (arguments->list) print_list(stdout);
  if (arguments->help || arguments->list) return 0;
  try {
    run(*arguments);
  } catch (const std::exception& error) {
    fmt::print(stderr, "bloomery_bench: {}\n", error.what());
    return 1;
  }
  return 0;
}
