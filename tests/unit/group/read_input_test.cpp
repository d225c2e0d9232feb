#include "group/read_input.h"

#include <gtest/gtest.h>

#include <sys/stat.h>

#include <string>
#include <thread>

#include "reading.h"
#include "text_files.h"

namespace bloomery {
namespace {

const RecipeText kRecipe{{"key", "id"}, {"group", "floor(score)"}};

std::string some_table(int records) {
  std::string text = "id\tscore\n";
  for (int i = 0; i < records; ++i) {
    text += "key" + std::to_string(i) + '\t' + std::to_string(i % 30) + ".5\n";
    if (i % 100 == 7) text += "broken\n";
    if (i % 1000 == 9) text += std::string(2000, 'l') + "\t1\n";
  }
  return text + "last\t3";
}

ReadOptions short_lines() {
  ReadOptions options;
  options.max_line = 1000;
  return options;
}

struct Outcome {
  Keys keys;
  Tally tally;
  std::string error;
};

Outcome read_path(const std::string& path) {
  Outcome outcome;
  auto input = Input::open(path);
  if (!input) return {{}, {}, input.error().message};
  const auto recipe = parse_recipe(kRecipe);
  const auto sample = input->sample(kSampleBytes);
  if (!sample) return {{}, {}, sample.error().message};
  const auto shape = shape_for(*recipe, *sample, {}, path);
  if (!shape) return {{}, {}, shape.error().message};
  const KeyReader* self = nullptr;
  KeyReader reader(*recipe, short_lines(), [&](const KeyBatch& batch) -> Result<void> {
    for (std::size_t i = 0; i < batch.keys.size(); ++i) {
      outcome.keys.emplace_back(batch.keys[i], self->groups().name(batch.groups[i]));
    }
    return {};
  });
  self = &reader;
  reader.start_file(0, path, *shape);
  const auto read = read_all(*input, *shape, short_lines().max_line, reader);
  if (!read) outcome.error = read.error().message;
  outcome.tally = reader.tally();
  return outcome;
}

TEST(ReadInput, FileGzipZstdAndPipeGiveTheSame) {
  const TempFolder folder;
  const std::string text = some_table(60'000);
  const Outcome plain = read_path(folder.write("plain", text));
  EXPECT_EQ(plain.error, "");
  EXPECT_EQ(plain.keys.size(), 60'001U);
  EXPECT_EQ(plain.tally.total().rejected_total(), 660U);
  EXPECT_TRUE(plain.tally.check());
  const std::size_t half = text.size() / 2;
  for (const std::string& bytes :
       {gzipped(text), gzipped(text.substr(0, half)) + gzipped(text.substr(half)),
        zstd_compressed(text),
        zstd_compressed(text.substr(0, half)) + zstd_compressed(text.substr(half))}) {
    const Outcome outcome = read_path(folder.write("compressed", bytes));
    EXPECT_EQ(outcome.error, "");
    EXPECT_EQ(outcome.keys, plain.keys);
    EXPECT_EQ(outcome.tally, plain.tally);
  }
  const std::string pipe = folder.path("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(pipe, std::ios::binary) << text; });
  const Outcome outcome = read_path(pipe);
  writer.join();
  EXPECT_EQ(outcome.keys, plain.keys);
  EXPECT_EQ(outcome.tally, plain.tally);
}

TEST(ReadInput, AnyNumberOfTasksGivesTheSame) {
  const std::string text = some_table(5000);
  const Reading whole = read_text(text, kRecipe, short_lines());
  for (const std::uint64_t tasks : {2U, 7U, 64U}) {
    const Reading cut = read_text(text, kRecipe, cut_evenly(text.size(), tasks), short_lines());
    EXPECT_EQ(cut.keys, whole.keys);
    EXPECT_EQ(cut.tally, whole.tally);
  }
  const Reading lines = read_text(text, kRecipe, cut_lines(text, 777), short_lines());
  EXPECT_EQ(lines.keys, whole.keys);
}

TEST(ReadInput, DamagedCompressionIsAnErrorAndNotAnEnd) {
  const TempFolder folder;
  const std::string text = some_table(60'000);
  for (std::string bytes : {gzipped(text), zstd_compressed(text)}) {
    const Outcome cut = read_path(folder.write("cut", bytes.substr(0, bytes.size() - 5)));
    EXPECT_NE(cut.error.find("damaged"), std::string::npos) << cut.error;
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 0x55);
    const Outcome flipped = read_path(folder.write("flipped", bytes));
    EXPECT_NE(flipped.error.find("damaged"), std::string::npos) << flipped.error;
  }
}

TEST(ReadInput, EmptyFilesHaveNoRecords) {
  const TempFolder folder;
  for (const std::string& bytes : {std::string(), gzipped(""), zstd_compressed("")}) {
    const Outcome outcome = read_path(folder.write("empty", bytes));
    EXPECT_EQ(outcome.error, "");
    EXPECT_EQ(outcome.tally.total(), FileTally{});
  }
}

}  // namespace
}  // namespace bloomery
