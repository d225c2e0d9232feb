#include "input/input.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <string>
#include <thread>

#include "text_files.h"

namespace bloomery {
namespace {

using namespace std::string_literals;

Result<std::string> whole_text(Input& input) {
  if (input.is_mapped()) return std::string(input.bytes());
  auto source = input.stream();
  if (!source) return source.error();
  return drain(**source);
}

TEST(Content, IsToldFromTheFirstBytes) {
  EXPECT_EQ(recognise("tconst\tave"), Content::kText);
  EXPECT_EQ(recognise(""), Content::kText);
  EXPECT_EQ(recognise(gzipped("x")), Content::kGzip);
  EXPECT_EQ(recognise(zstd_compressed("x")), Content::kZstd);
  EXPECT_EQ(recognise("\x50\x2a\x4d\x18\x01"), Content::kZstd);
  EXPECT_EQ(recognise("PAR1\x15\x04"), Content::kParquet);
  EXPECT_EQ(recognise("ORC\x0a"s),
            Content::kText);  // three letters and a line end: a list of words
  EXPECT_EQ(recognise("ORC\x01\x02"s), Content::kOrc);
  EXPECT_EQ(recognise("Obj\x01\x04"s), Content::kAvro);
  EXPECT_EQ(recognise("PK\x03\x04"), Content::kZip);
  EXPECT_EQ(recognise("BZh91AY&SY"), Content::kBzip2);
  EXPECT_EQ(recognise("BZh9 is a word"), Content::kText);
  EXPECT_EQ(recognise("\xfd"s + "7zXZ\0"s), Content::kXz);
  EXPECT_EQ(recognise("\x89"s + "BLM\r\n\x1a\n"), Content::kBank);
  EXPECT_EQ(recognise("\xff\xfe"
                      "a\0"s),
            Content::kUtf16);
  EXPECT_EQ(recognise("\xfe\xff\0a"s), Content::kUtf16);
  EXPECT_EQ(recognise("\x89PNG\r\n"), Content::kPng);
  EXPECT_EQ(recognise("REDIS0011\xfa\x09redis-ver\x05"), Content::kRedis);
}

TEST(Content, WordsThatFilesBeginWithAreWords) {
  for (const auto* words :
       {"PAR1\nPAR2\n", "PARENT\tCHILD\n", "ARROW1\r\n", "FEA1", "REDIS0,1\n"}) {
    EXPECT_EQ(recognise(words), Content::kText) << words;
  }
}

TEST(Content, WhatOthersReadIsRefusedWithTheirName) {
  const auto parquet = check_readable(Content::kParquet, "a.parquet");
  ASSERT_FALSE(parquet);
  EXPECT_EQ(parquet.error().code, ErrorCode::kUnsupported);
  EXPECT_NE(parquet.error().message.find("Python package"), std::string::npos);
  const auto bzip2 = check_readable(Content::kBzip2, "a");
  ASSERT_FALSE(bzip2);
  EXPECT_NE(bzip2.error().message.find("bzip2 -dc"), std::string::npos);
  EXPECT_TRUE(check_readable(Content::kGzip, "a"));
}

TEST(Input, APlainFileIsMappedAndAnEmptyOneToo) {
  const TempFolder folder;
  for (const std::string& text : {"a\nb\n"s, ""s}) {
    auto input = Input::open(folder.write("plain", text));
    ASSERT_TRUE(input) << input.error().message;
    EXPECT_TRUE(input->is_mapped());
    EXPECT_EQ(input->bytes(), text);
    EXPECT_EQ(input->size(), text.size());
    EXPECT_EQ(*input->sample(2), text.substr(0, 2));
  }
}

TEST(Input, CompressionIsSeenWhateverTheNameAndReadAsOftenAsWanted) {
  const TempFolder folder;
  const std::string text = "one\ntwo\nthree\n";
  for (const std::string& bytes : {gzipped(text), zstd_compressed(text)}) {
    auto input = Input::open(folder.write("name.txt", bytes));
    ASSERT_TRUE(input);
    EXPECT_FALSE(input->is_mapped());
    EXPECT_EQ(*input->sample(5), text.substr(0, 5));
    EXPECT_EQ(*whole_text(*input), text);
    EXPECT_EQ(*whole_text(*input), text);
    EXPECT_EQ(input->bytes_read(), bytes.size());
  }
}

TEST(Input, APipeIsReadOnceAndItsSampleIsNotLost) {
  const TempFolder folder;
  const std::string text = "one\ntwo\nthree\n";
  for (const std::string& bytes : {text, gzipped(text), zstd_compressed(text), ""s}) {
    const std::string path = folder.path("pipe");
    ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
    std::thread writer([&] { std::ofstream(path, std::ios::binary) << bytes; });
    auto input = Input::open(path);
    ASSERT_TRUE(input) << input.error().message;
    EXPECT_FALSE(input->is_mapped());
    EXPECT_FALSE(input->size().has_value());
    const std::string expected = bytes.empty() ? "" : text;
    EXPECT_EQ(*input->sample(5), expected.substr(0, 5));
    EXPECT_EQ(*whole_text(*input), expected);
    const auto again = input->stream();
    ASSERT_FALSE(again);
    EXPECT_NE(again.error().message.find("only once"), std::string::npos);
    writer.join();
    std::filesystem::remove(path);
  }
}

TEST(Input, WhatCannotBeReadIsNamed) {
  const TempFolder folder;
  const auto missing = Input::open(folder.path("missing"));
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
  const auto directory = Input::open(folder.path("."));
  ASSERT_FALSE(directory);
  EXPECT_NE(directory.error().message.find("folder"), std::string::npos);
  const auto parquet = Input::open(folder.write("p", "PAR1\x15\x04 and more"));
  ASSERT_FALSE(parquet);
  EXPECT_EQ(parquet.error().code, ErrorCode::kUnsupported);
}

TEST(Paths, PatternsGiveSortedFilesAndDoublesAreRefused) {
  const TempFolder folder;
  const std::string b = folder.write("b.tsv", "");
  const std::string a = folder.write("a.tsv", "");
  const std::string odd = folder.write("odd[1].tsv", "");
  EXPECT_EQ(*expand_paths({folder.path("?.tsv")}), (std::vector{a, b}));
  EXPECT_EQ(*expand_paths({b, a, "-"}), (std::vector<std::string>{b, a, "-"}));
  EXPECT_EQ(*expand_paths({odd}), std::vector{odd});
  EXPECT_FALSE(expand_paths({folder.path("*.csv")}));
  const auto twice = expand_paths({a, folder.path("*.tsv")});
  ASSERT_FALSE(twice);
  EXPECT_NE(twice.error().message.find("twice"), std::string::npos);
}

}  // namespace
}  // namespace bloomery
