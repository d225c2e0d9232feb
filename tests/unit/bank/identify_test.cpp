// Files that are not banks are named as what they are.
#include "bank/identify.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <string>

#include "bloomery/bank.h"
#include "support/contains.h"
#include "support/temporary_folder.h"

namespace bloomery {
namespace {

using test::TemporaryFolder;
using namespace std::string_literals;

std::string from_hex(std::string_view hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes.push_back(static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16)));
  }
  return bytes;
}

Identity identify_text(const std::string& content) {
  return identify(std::as_bytes(std::span(content)), content.size());
}

struct Case {
  std::string content;
  std::string what;
};

class IdentifyFile : public testing::TestWithParam<Case> {};

TEST_P(IdentifyFile, NamesIt) {
  EXPECT_EQ(identify_text(GetParam().content).what, GetParam().what);
}

INSTANTIATE_TEST_SUITE_P(
    Files, IdentifyFile,
    testing::Values(
        Case{"", "an empty file"},
        Case{"\x89"
             "BLM",
             "the first bytes of a bank"},
        Case{"\x1f\x8b\x08\0\0"s, "gzip data"}, Case{"\x28\xb5\x2f\xfd\x04", "zstd data"},
        Case{"PK\x03\x04\x14", "a zip or jar archive"}, Case{"BZh91AY&SY", "bzip2 data"},
        Case{"\xfd"
             "7zXZ\0\0\4"s,
             "xz data"},
        Case{"\x04\x22\x4d\x18\x60", "lz4 data"}, Case{"7z\xbc\xaf\x27\x1c\0\4"s, "a 7z archive"},
        Case{"\xff\x06\0\0sNaPpY"s, "snappy data"},
        Case{"\n <!DOCTYPE HTML><title>404</title>", "a web page"},
        Case{"<html lang=en>", "a web page"}, Case{"<?xml version='1.0'?>", "an XML file"},
        Case{"{\"rating\": 1}\n", "a JSON file"}, Case{"  [1, 2]", "a JSON file"},
        Case{"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 3\n",
             "a Git LFS pointer, which stands for the file"},
        Case{"PAR1\x15\x04", "a Parquet file"}, Case{"ORC\x08\x03", "an ORC file"},
        Case{"Obj\x01\x04", "an Avro file"}, Case{"ARROW1\0\0"s, "an Arrow file"},
        Case{"SEQ\x06\x19org", "a Hadoop sequence file"},
        Case{"\x7f"
             "ELF\x02",
             "an executable program"},
        Case{"%PDF-1.7", "a PDF document"}, Case{"SQLite format 3\0\x10"s, "an SQLite database"},
        Case{"REDIS0011\xfa\x09redis-ver\x05", "a Redis snapshot (RDB)"},
        Case{"tconst\taverageRating\ntt1\t5.7\n", "tab-separated text"},
        Case{"tt0000001\ntt0000002\n", "plain text"}, Case{"\xef\xbb\xbf<html>", "a web page"},
        Case{std::string(300, '\0'), "a file of zeros"},
        Case{"\x01\x02\x03\xff", "something unknown"}));

// The samples of docs in the systems' own words: see shared vectors of their formats.
INSTANTIATE_TEST_SUITE_P(
    ForeignFilters, IdentifyFile,
    testing::Values(
        Case{from_hex("ffffffff00000004010000006500500008188800400101000400"),
             "a Hadoop BloomFilter"},
        Case{from_hex("ffffffff000000030000000025000200020000102000000000011000200000000000010000"),
             "a Hadoop BloomFilter"},
        Case{from_hex("000000010000000500000003042600004928a212a2015808080c04800804090400100002"),
             "a Spark BloomFilter"},
        Case{from_hex("0000000200000005000000070000000300c051000000009241290001046148224008004140"
                      "141a08"),
             "a Spark BloomFilter"},
        Case{from_hex("0105000000022040040000002000000100002068a122"), "a Guava BloomFilter"},
        Case{from_hex("000000050000000236280e80e028e284002a82c84ad222eb"), "a Cassandra Filter.db"},
        Case{from_hex("03011504030000007b000000000000000300000000000000"),
             "a DataSketches Bloom filter"},
        Case{from_hex("04011500030000007b0000000000000003000000000000000f00000000000000000200000004"
                      "001044001080000814000000100000002520"),
             "a DataSketches Bloom filter"},
        Case{from_hex("15401c1c00001c1c00001c1c000000") + std::string(32, '\0'),
             "a Parquet Bloom filter"},
        Case{from_hex("15808080011c1c00001c1c00001c1c000000") + std::string(99, '\1'),
             "a Parquet Bloom filter"},
        Case{from_hex("0a00000000000000010000000d00000002000000100000000000000080000000000000000a00"
                      "0000000000007b14ae47e17a843f88168ac58c2b2340070000000a0000000000000000"),
             "a RedisBloom dump"},
        // Version 1, n = 10, p = 0.01, k = 7, m = 96, N = 1, two words, and data after them.
        Case{from_hex("01000000000000000a000000000000007b14ae47e17a843f0700000000000000"
                      "600000000000000001000000000000000102030405060708090a0b0c0d0e0f10") +
                 "note",
             "a filter of the DCSO bloom tool"}));

// What text transfers do to the magic 89 42 4C 4D 0D 0A 1A 0A.
INSTANTIATE_TEST_SUITE_P(SpoiltBanks, IdentifyFile,
                         testing::Values(Case{"\x89"
                                              "BLM\n\x1a\n\x01\0\0"s,
                                              "a bank whose line ends a text transfer has changed"},
                                         Case{"\x89"
                                              "BLM\r\r\n\x1a\r\n\x01\0"s,
                                              "a bank whose line ends a text transfer has changed"},
                                         Case{"\x09"
                                              "BLM\r\n\x1a\n\x01\0"s,
                                              "a bank that has lost its eighth bits in a transfer"},
                                         Case{"\xef\xbf\xbd"
                                              "BLM\r\n\x1a\n"s,
                                              "a bank that was read as text and written again"},
                                         Case{"\xc2\x89"
                                              "BLM\r\n\x1a\n"s,
                                              "a bank that was read as text and written again"}));

TEST(Identify, LooksAtNothingBeyondWhatItIsGiven) {
  const std::string gzip = "\x1f\x8b";
  for (std::size_t size = 0; size <= gzip.size(); ++size) {
    EXPECT_FALSE(identify(std::as_bytes(std::span(gzip)).first(size), size).what.empty());
  }
}

TEST(Identify, MessageHasFileNameWhatItIsAndTheNextStep) {
  const TemporaryFolder folder;
  const std::string path = folder.path("films.bank");
  test::write_file(path, "\x1f\x8b\x08"s);
  for (const auto open : {&Bank::open, &Bank::load}) {
    const auto bank = open(path, {});
    ASSERT_FALSE(bank);
    EXPECT_EQ(bank.error().code, ErrorCode::kUnsupported);
    EXPECT_EQ(bank.error().message, path + ": not a bank but gzip data; decompress it first");
  }
}

TEST(Identify, CallsSpoiltBanksDamaged) {
  const std::string spoilt =
      "\x89"
      "BLM\n\x1a\n";
  EXPECT_EQ(not_a_bank("x", std::as_bytes(std::span(spoilt)), spoilt.size()).code,
            ErrorCode::kDamaged);
  EXPECT_EQ(not_a_bank("x", {}, 0).code, ErrorCode::kDamaged);
}

TEST(Identify, FoldersAndPipesAreNotRead) {
  const TemporaryFolder folder;
  for (const auto open : {&Bank::open, &Bank::load}) {
    EXPECT_PRED2(test::contains, open(folder.path(), {}).error().message, "is a folder");
    EXPECT_PRED2(test::contains, open("/dev/null", {}).error().message, "not a regular file");
    const std::string pipe = folder.path("pipe");
    static_cast<void>(::mkfifo(pipe.c_str(), 0600));
    EXPECT_PRED2(test::contains, open(pipe, {}).error().message, "not a regular file");
  }
}

}  // namespace
}  // namespace bloomery
