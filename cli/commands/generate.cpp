// bloomery generate: data of a known shape, the same on every machine.
//
// Goes to standard output, or with -o to a file that appears when it is whole.
#include <fmt/format.h>

#include <memory>
#include <string>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/file.h"
#include "cli/commands/commands.h"
#include "cli/generate/ratings.h"
#include "cli/generate/sink.h"
#include "cli/generate/words.h"
#include "cli/output/console.h"
#include "cli/output/numbers.h"
#include "cli/secret_file.h"
#include "cli/values.h"

namespace bloomery::cli {
namespace {

struct GenerateOptions {
  std::string output = "-";
  bool force = false;
  std::uint64_t seed = 1;
  std::string factor = "1";
  std::uint64_t count = 10'000;
  std::uint64_t length = 30;
};

Error with_flag(std::string_view flag, std::string_view value, const Error& error) {
  return make_error(error.code, "{} {}: {}", flag, escaped(value), error.message);
}

Result<ExitCode> run_ratings(const GenerateOptions& options, Console& console) {
  const auto ratings = Ratings::create(options.factor, options.seed);
  if (!ratings) return with_flag("--factor", options.factor, ratings.error());
  const Format format = console.format();
  return generate(options.output, options.force, console, [&](DataSink& sink) {
    sink.put(Ratings::header(format));
    for (std::uint64_t i = 0; i < ratings->records() && sink.wants_more(); ++i) {
      char* to = sink.room(Ratings::kMaxRecordBytes);
      sink.advance(ratings->write(i, format, to));
    }
    return ratings->records();
  });
}

Result<ExitCode> run_words(const GenerateOptions& options, Console& console) {
  const auto words = Words::create(options.count, options.length, options.seed);
  if (!words) return with_flag("--count", fmt::format("{}", options.count), words.error());
  const bool is_json = console.is_json();
  return generate(options.output, options.force, console, [&](DataSink& sink) {
    for (std::uint64_t i = 0; i < options.count && sink.wants_more(); ++i) {
      if (is_json) sink.put(R"({"word":")");
      char* end = words->write(i, sink.room(options.length + 1));
      sink.advance(is_json ? end - 1 : end);
      if (is_json) sink.put("\"}\n");
    }
    return options.count;
  });
}

Result<ExitCode> run_key(const GenerateOptions& options, Console& console) {
  const auto made = create_secret(options.output);
  if (!made) return made.error();
  Report report;
  put_bytes(report.document, "output", options.output);
  report.head = {{"wrote", fmt::format("{}   a secret key for --hash sip --key-file; keep it, no "
                                       "bank holds it",
                                       printable_path(options.output))}};
  console.print(report);
  return ExitCode::kOk;
}

std::vector<Flag> data_flags(GenerateOptions& options) {
  constexpr const char* kSection = "Data";
  return {{.names = "--seed",
           .value = "N",
           .help = "other data of the same shape",
           .fallback = "1",
           .section = kSection,
           .take = into_count(options.seed),
           .is_basic = true},
          {.names = "-o,--output",
           .value = "FILE",
           .help = "file to write, - for standard output",
           .fallback = "-",
           .section = kSection,
           .take = into(options.output),
           .complete = Complete::kFile,
           .is_basic = true},
          {.names = "-f,--force",
           .help = "replace the output if it exists",
           .section = kSection,
           .take = into(options.force),
           .is_basic = true}};
}

}  // namespace

Command generate_ratings_command() {
  const auto options = std::make_shared<GenerateOptions>();
  Command command{
      .name = "generate ratings",
      .summary = "Write a table like IMDb's ratings, with known groups",
      .description =
          {"Writes tconst, averageRating and numVotes, 1,254,184 records. The ratings, rounded "
           "half up, fall into ten groups of exactly 2,546, 6,623, 17,937, 43,912, 103,292, "
           "220,871, 373,321, 355,416, 113,980 and 16,286 records, in mixed order. Ids are unique.",
           "--format csv writes commas, --format json or --json one JSON object a line."},
      .flags = {{.names = "--factor",
                 .value = "X",
                 .help = "scale every group: 0.01, 800",
                 .fallback = "1",
                 .section = "Data",
                 .take = into(options->factor),
                 .is_basic = true}},
      .examples = {{"A small table", "bloomery generate ratings --factor 0.001 | head -n 3"},
                   {"The whole one", "bloomery generate ratings -o all.tsv"},
                   {"As JSON lines, other data",
                    "bloomery generate ratings --factor 0.01 --seed 2 --json -o ratings.jsonl"}},
      .writes = true,
      .run = [options](Console& console) { return run_ratings(*options, console); },
  };
  for (Flag& flag : data_flags(*options)) command.flags.push_back(std::move(flag));
  return command;
}

Command generate_words_command() {
  const auto options = std::make_shared<GenerateOptions>();
  Command command{
      .name = "generate words",
      .summary = "Write different words that can be pronounced, one a line",
      .description = {"Consonants and vowels in turn. No word comes twice."},
      .flags = {{.names = "-n,--count",
                 .value = "N",
                 .help = "how many words",
                 .fallback = "10000",
                 .section = "Data",
                 .take = into_count(options->count, 1, std::uint64_t{1} << 40U),
                 .is_basic = true},
                {.names = "--length",
                 .value = "L",
                 .help = "letters a word",
                 .fallback = "30",
                 .section = "Data",
                 .take = into_count(options->length, 1, Words::kMaxLength),
                 .is_basic = true}},
      .examples = {{"Three words of eight letters", "bloomery generate words -n 3 --length 8"},
                   {"A set to build from", "bloomery generate words --count 10K -o set.txt"},
                   {"Others to ask for",
                    "bloomery generate words --count 10K --seed 2 -o stream.txt"}},
      .writes = true,
      .run = [options](Console& console) { return run_words(*options, console); },
  };
  for (Flag& flag : data_flags(*options)) command.flags.push_back(std::move(flag));
  return command;
}

Command generate_key_command() {
  const auto options = std::make_shared<GenerateOptions>();
  return {
      .name = "generate key",
      .summary = "Make a secret key for --hash sip",
      .description = {"16 random bytes as 32 hexadecimal digits, mode 0600. An existing file is "
                      "never replaced, so there is no -f: banks made with its key would be lost."},
      .flags = {{.names = "-o,--output",
                 .value = "FILE",
                 .help = "file to write",
                 .section = "Result",
                 .take = into(options->output),
                 .complete = Complete::kFile,
                 .is_required = true}},
      .examples = {{"A key", "bloomery generate key -o secret.key"},
                   {"Quietly, in a script", "bloomery generate key -q -o other.key"},
                   {"A bank that needs it",
                    "bloomery build all.tsv --key tconst --hash sip --key-file secret.key -o "
                    "sip.bank"}},
      .writes = true,
      .run = [options](Console& console) { return run_key(*options, console); },
  };
}

}  // namespace bloomery::cli
