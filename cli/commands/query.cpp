// bloomery query: which groups may hold these keys?
//
// Keys stand on the command line, come one a line, or are a column of records. The exit status
// follows grep: 0 if any key may be there, 1 if none is, 2 on error.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "cli/bank_file.h"
#include "cli/commands/commands.h"
#include "cli/commands/query_answers.h"
#include "cli/hadoop_flags.h"
#include "cli/input_flags.h"
#include "cli/output/bank_table.h"
#include "cli/output/console.h"
#include "cli/secret_file.h"
#include "cli/values.h"
#include "engines/job_clock.h"
#include "group/read_input.h"
#include "query/cost.h"

namespace bloomery::cli {
namespace {

struct QueryOptions {
  std::string classpath;
  std::string bank;
  std::vector<std::string> keys;
  std::vector<std::string> only;
  InputOptions input;
  TaskOptions tasks;
  AnswerOptions answers;
  std::string key_file;
};

// What --key-type says, or the recipe of the bank.
Result<KeyType> key_type_of(const QueryOptions& options, const Bank& bank) {
  RecipeText text;
  const RecipeText& source =
      options.input.recipe.contains("key-type") ? options.input.recipe : bank.recipe();
  if (const auto found = source.find("key-type"); found != source.end()) text.insert(*found);
  const auto recipe = parse_recipe(text);
  if (!recipe) return recipe.error();
  return recipe->key_type;
}

Result<void> ask_word(const std::string& word, KeyType type, Asker& asker) {
  std::string key = word;
  if (type != KeyType::kText && !make_number_key(type, key)) {
    return make_error(ErrorCode::kInvalidArgument,
                      "key \"{}\": keys of this bank are numbers of 64 bits; --key-type text asks "
                      "for the text",
                      escaped(word));
  }
  return asker.take(key, word);
}

// Reads the inputs one after the other, and looks at what does not fit together.
class InputAsker {
 public:
  // Everything must outlive it.
  InputAsker(const Bank& bank, const QueryOptions& options, const JobInput& job, Asker& asker,
             const Console& console)
      : bank_(&bank), options_(&options), job_(&job), asker_(&asker), console_(&console) {}

  Result<void> ask(const std::string& path);

 private:
  void note_a_table(const std::string& sample, const std::string& name);
  Result<void> check_one_table(const FileShape& shape, const std::string& name);

  const Bank* bank_;
  const QueryOptions* options_;
  const JobInput* job_;
  Asker* asker_;
  const Console* console_;
  bool has_noted_ = false;
  std::string first_name_;
  std::optional<FileShape> first_;
};

Result<void> InputAsker::ask(const std::string& path) {
  auto input = Input::open(path);
  if (!input) return input.error();
  const auto sample =
      read_sample(job_->max_line, [&](std::size_t bytes) { return input->sample(bytes); });
  if (!sample) return sample.error();
  const auto shape = shape_for(job_->recipe, *sample, job_->layout, input->name());
  if (!shape) return shape.error();
  note_a_table(*sample, input->name());
  if (asker_->keeps_records() && !sample->empty()) {
    if (auto same = check_one_table(*shape, input->name()); !same) return same;
  }
  if (shape->layout.has_header) asker_->take_header(shape->header);
  ReadOptions options;
  options.max_line = job_->max_line;
  options.is_strict = job_->rejects.is_strict;
  options.keeps_records = asker_->keeps_records();
  KeyReader reader(job_->recipe, std::move(options), [this](const KeyBatch& batch) -> Result<void> {
    for (std::size_t i = 0; i < batch.keys.size(); ++i) {
      const auto record = batch.records.empty() ? std::string_view() : batch.records[i];
      if (auto asked = asker_->take(batch.keys[i], record); !asked) return asked;
    }
    return {};
  });
  reader.start_file(0, input->name(), *shape);
  if (auto read = read_all(*input, *shape, job_->max_line, reader); !read) return read;
  asker_->add_tally(reader.tally().total());
  return {};
}

// Whole lines of a table such as the bank was built from are hardly what was meant.
void InputAsker::note_a_table(const std::string& sample, const std::string& name) {
  const auto key = bank_->recipe().find("key");
  if (has_noted_ || options_->input.recipe.contains("key") || key == bank_->recipe().end()) return;
  const auto recipe = parse_recipe({*key});
  if (!recipe) return;
  const auto table = shape_for(*recipe, sample, job_->layout, name);
  const bool has_columns =
      table && (table->layout.format == TextFormat::kJson || table->fields > 1);
  if (!has_columns) return;
  has_noted_ = true;
  console_->note(fmt::format(
      "{}: whole lines are asked; the bank was built with --key {}: add it if this is such a table",
      printable_path(name), escaped(key->second)));
}

// Records that are kept come out below one header.
Result<void> InputAsker::check_one_table(const FileShape& shape, const std::string& name) {
  if (!first_) {
    first_ = shape;
    first_name_ = name;
    return {};
  }
  const std::string is = describe(*first_);
  const std::string other = describe(shape);
  if (is == other && first_->columns == shape.columns) return {};
  return make_error(
      ErrorCode::kMismatch,
      "{} and {}: --keep-records makes one table of them, but {}; query one at a time",
      printable_path(first_name_), printable_path(name),
      is == other ? "their headers differ" : fmt::format("one is {} and one {}", is, other));
}

// What is to be read: the files, or standard input where - or nothing says what to ask.
Result<JobInput> input_of(const QueryOptions& options, const Console& console) {
  InputOptions input = options.input;
  const auto dashes = std::ranges::count(options.keys, "-");
  const bool has_words = options.keys.size() > static_cast<std::size_t>(dashes);
  if (!options.keys.empty() && !input.files.empty()) {
    return make_error(ErrorCode::kInvalidArgument,
                      "--input: keys stand on the command line, too; leave one of them out");
  }
  if (dashes > 1) {
    return make_error(ErrorCode::kInvalidArgument,
                      "-: standard input can be read only once; leave the other - out");
  }
  if (input.recipe.contains("key") && has_words) {
    return make_error(ErrorCode::kInvalidArgument,
                      "--key: is for records, and keys stand on the command line; leave it out, or "
                      "name files with --input");
  }
  if (options.answers.keeps_records && console.format() != Format::kTable) {
    return make_error(ErrorCode::kInvalidArgument,
                      "--keep-records: records pass as they are; leave --json and --format out");
  }
  if (dashes > 0) input.files = {"-"};
  return has_words && dashes == 0 ? JobInput() : job_input(input);
}

Result<void> ask_all(const QueryOptions& options, const JobInput& job, const Bank& bank,
                     Asker& asker, const Console& console) {
  InputAsker inputs(bank, options, job, asker, console);
  for (const std::string& word : options.keys) {
    auto asked = word == "-" ? inputs.ask(word) : ask_word(word, options.answers.key_type, asker);
    if (!asked) return asked;
  }
  if (!options.keys.empty()) return {};
  for (const std::string& path : job.paths) {
    if (auto asked = inputs.ask(path); !asked) return asked;
  }
  return {};
}

Result<ExitCode> run_query(QueryOptions options, Console& console) {
  const auto secret = optional_secret(options.key_file);
  if (!secret) return secret.error();
  auto job = input_of(options, console);
  if (!job) return job.error();
  OpenOptions open_options;
  open_options.secret = *secret;
  open_options.threads = options.tasks.threads;
  open_options.max_bytes = options.tasks.memory > 0 ? options.tasks.memory : default_memory();
  const auto expected = expected_keys(job->paths, options.keys.size());
  const auto file = BankFile::fetch(options.bank, options.classpath, options.tasks.tmp);
  if (!file) return file.error();
  const auto bank = open_for_keys(file->path(), expected, open_options);
  if (!bank) return file->named(bank.error());
  const auto only = groups_named(*bank, options.bank, options.only);
  if (!only) return only.error();
  const auto query = BankQuery::create(*bank, *only, options.tasks.threads);
  if (!query) return query.error();
  const auto key_type = key_type_of(options, *bank);
  if (!key_type) return key_type.error();
  job->recipe.key_type = *key_type;
  options.answers.key_type = *key_type;
  Asker asker(*bank, *query, options.answers, console);
  if (const auto asked = ask_all(options, *job, *bank, asker, console); !asked) {
    return asked.error();
  }
  return asker.finish();
}

std::vector<Flag> own_flags(QueryOptions& options) {
  constexpr const char* kSection = "Answers";
  return {
      {.names = "-i,--input",
       .value = "FILE",
       .help = "keys or records from this file",
       .section = kSection,
       .take = into(options.input.files),
       .complete = Complete::kFile,
       .is_basic = true,
       .is_repeatable = true},
      {.names = "--keep-records",
       .help = "print the records whose keys may be there, whole",
       .section = kSection,
       .take = into(options.answers.keeps_records),
       .is_basic = true},
      {.names = "--invert",
       .help = "print what is surely in no group, instead",
       .section = kSection,
       .take = into(options.answers.is_inverted),
       .is_basic = true},
      {.names = "-c,--count",
       .help = "print only how many keys are admitted and rejected",
       .section = kSection,
       .take = into(options.answers.only_counts),
       .is_basic = true,
       .excludes = {"--invert", "--keep-records"}},
      {.names = "--only",
       .value = "GROUP",
       .help = "ask only this group",
       .section = kSection,
       .take = into(options.only),
       .complete = Complete::kGroup,
       .is_basic = true,
       .is_repeatable = true},
      {.names = "--key-file",
       .value = "FILE",
       .help = "secret key of a bank built with --hash sip",
       .section = kSection,
       .take = into(options.key_file),
       .complete = Complete::kFile},
      classpath_flag(options.classpath),
  };
}

}  // namespace

Command query_command() {
  const auto options = std::make_shared<QueryOptions>();
  Command command{
      .name = "query",
      .summary = "Ask a bank which groups may hold keys; filter records by it",
      .description =
          {"Prints KEY<TAB>GROUPS for every key that a group may hold, with commas between groups. "
           "A key that is not printed is surely in no group. --json prints a line for every key, "
           "the other forms of --format have a heading.",
           "Tabs and line ends inside a key come as \\xHH, and a backslash that would be read as "
           "such an escape as \\x5c; on a terminal so does whatever it would obey.",
           "With --keep-records it is a filter for tables: records whose --key column may be in "
           "the bank pass as they are, header first; --invert lets those pass that are surely in "
           "no group. Records without a key do not pass."},
      .arguments = {{.name = "BANK", .help = "bank to ask", .take = into(options->bank)},
                    {.name = "KEY",
                     .help = "keys; without them, or for -, keys from standard input",
                     .min = 0,
                     .max = SIZE_MAX,
                     .take = into(options->keys),
                     .may_be_empty = true}},
      .examples = {{"One key", "bloomery query ratings.bank tt0000001"},
                   {"In a script", "bloomery query ratings.bank tt9999999 -q || echo absent"},
                   {"How many of these words are known?",
                    "bloomery generate words --seed 2 | bloomery query words.bank --count"},
                   {"The records that may be nines",
                    "bloomery query ratings.bank -i ratings.tsv --key tconst --only 9 "
                    "--keep-records > nines.tsv"},
                   {"Answers for a program",
                    "printf 'tt0000001\\ntt9999999\\n' | bloomery query ratings.bank --json"}},
      .statuses = {"a group may hold one of the keys", "no group holds any of them", "error"},
      .run = [options](Console& console) { return run_query(*options, console); },
  };
  for (auto list :
       {own_flags(*options), layout_flags(options->input), task_flags(options->tasks, false)}) {
    for (Flag& flag : list) command.flags.push_back(std::move(flag));
  }
  return command;
}

}  // namespace bloomery::cli
