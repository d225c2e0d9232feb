// bloomery query: which groups may hold these keys?
//
// Keys stand on the command line, come one a line, or are a column of records. The exit status
// follows grep: 0 if any key may be there, 1 if none is, 2 on error.
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "cli/bank_file.h"
#include "cli/commands/commands.h"
#include "cli/commands/query_answers.h"
#include "cli/hadoop_flags.h"
#include "cli/input_flags.h"
#include "cli/output/bank_table.h"
#include "cli/output/console.h"
#include "cli/secret_file.h"
#include "cli/values.h"
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

Result<void> ask_words(const QueryOptions& options, KeyType type, Asker& asker) {
  for (const std::string& word : options.keys) {
    std::string key = word;
    if (type != KeyType::kText && !make_number_key(type, key)) {
      return make_error(
          ErrorCode::kInvalidArgument,
          "key \"{}\": keys of this bank are numbers of 64 bits; --key-type text asks "
          "for the text",
          escaped(word));
    }
    if (const auto asked = asker.take(key, word); !asked) return asked;
  }
  return {};
}

Result<void> ask_input(const std::string& path, const JobInput& job, Asker& asker) {
  auto input = Input::open(path);
  if (!input) return input.error();
  const auto sample =
      read_sample(job.max_line, [&](std::size_t bytes) { return input->sample(bytes); });
  if (!sample) return sample.error();
  const auto shape = shape_for(job.recipe, *sample, job.layout, input->name());
  if (!shape) return shape.error();
  if (shape->layout.has_header) asker.take_header(shape->header);
  ReadOptions options;
  options.max_line = job.max_line;
  options.is_strict = job.rejects.is_strict;
  options.keeps_records = asker.keeps_records();
  KeyReader reader(job.recipe, std::move(options), [&asker](const KeyBatch& batch) -> Result<void> {
    for (std::size_t i = 0; i < batch.keys.size(); ++i) {
      const auto record = batch.records.empty() ? std::string_view() : batch.records[i];
      if (auto asked = asker.take(batch.keys[i], record); !asked) return asked;
    }
    return {};
  });
  reader.start_file(0, input->name(), *shape);
  if (const auto read = read_all(*input, *shape, job.max_line, reader); !read) return read;
  asker.add_tally(reader.tally().total());
  return {};
}

// Keys are plain unless --key says which column they are; then the bank's recipe says what else.
Result<JobInput> input_of(const QueryOptions& options) {
  if (options.input.recipe.contains("key") && !options.keys.empty()) {
    return make_error(ErrorCode::kInvalidArgument,
                      "--key: is for records, and keys stand on the command line; leave it out, or "
                      "name files with --input");
  }
  return job_input(options.input);
}

Result<ExitCode> run_query(QueryOptions options, Console& console) {
  const auto secret = optional_secret(options.key_file);
  if (!secret) return secret.error();
  if (options.keys.size() == 1 && options.keys.front() == "-") options.keys.clear();
  const bool has_words = !options.keys.empty() && options.input.files.empty();
  if (!options.keys.empty() && !has_words) {
    return make_error(ErrorCode::kInvalidArgument,
                      "--input: keys stand on the command line, too; leave one of them out");
  }
  JobInput job;
  if (!has_words) {
    auto input = input_of(options);
    if (!input) return input.error();
    job = std::move(*input);
  }
  OpenOptions open_options;
  open_options.secret = *secret;
  open_options.threads = options.tasks.threads;
  if (options.tasks.memory > 0) open_options.max_bytes = options.tasks.memory;
  const auto expected = expected_keys(job.paths, options.keys.size());
  const auto file = BankFile::fetch(options.bank, options.classpath, options.tasks.tmp);
  if (!file) return file.error();
  const auto bank = open_for_keys(file->path(), expected, open_options);
  if (!bank) return file->named(bank.error());
  if (const auto known = check_groups(*bank, options.bank, options.only); !known) {
    return known.error();
  }
  const auto query = BankQuery::create(*bank, options.only, options.tasks.threads);
  if (!query) return query.error();
  const auto key_type = key_type_of(options, *bank);
  if (!key_type) return key_type.error();
  job.recipe.key_type = *key_type;
  options.answers.key_type = *key_type;
  Asker asker(*bank, *query, options.answers, console);
  if (has_words) {
    if (const auto asked = ask_words(options, *key_type, asker); !asked) return asked.error();
  }
  for (const std::string& path : job.paths) {
    if (const auto asked = ask_input(path, job, asker); !asked) return asked.error();
  }
  return asker.finish();
}

std::vector<Flag> own_flags(QueryOptions& options) {
  constexpr const char* kSection = "Answers";
  return {
      {.names = "-i,--input",
       .value = "FILE",
       .help = "keys or records from this file; may be given again",
       .section = kSection,
       .take = into(options.input.files),
       .complete = Complete::kFile,
       .is_basic = true},
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
       .is_basic = true},
      {.names = "--only",
       .value = "GROUP",
       .help = "ask only this group; may be given again",
       .section = kSection,
       .take = into(options.only),
       .complete = Complete::kGroup,
       .is_basic = true},
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
          {"Prints KEY<TAB>GROUPS for every key that a group may hold; bytes that a terminal or "
           "this form cannot hold as \\xHH. A key that is not printed is surely in no group. "
           "--json "
           "prints a line for every key.",
           "With --keep-records it is a filter for tables: records whose --key column may be in "
           "the bank pass as they are, header first; --invert lets those pass that are surely in "
           "no group. Records without a key do not pass."},
      .arguments = {{.name = "BANK", .help = "bank to ask", .take = into(options->bank)},
                    {.name = "KEY",
                     .help = "keys; without them, or for -, keys from standard input",
                     .min = 0,
                     .max = SIZE_MAX,
                     .take = into(options->keys)}},
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
