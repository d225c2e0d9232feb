// Hashes, positions and bytes that Hadoop's own classes gave.
#include "dialect/hadoop.h"

#include <gtest/gtest.h>

#include "unit/dialect/vectors.h"

namespace bloomery {
namespace {

using test::Positions;
using test::positions_of;
using test::unhex;

TEST(HadoopHashes, AreThoseOfHadoop) {
  struct Row {
    std::string_view key;
    std::uint32_t murmur;
    std::uint32_t jenkins;
  };
  for (const Row& row :
       {Row{"61", 0x92685f5e, 0x58d68708}, Row{"6162", 0x5aee6595, 0xfbb3a8df},
        Row{"616263", 0x69d3cf87, 0x0e397631}, Row{"61626364", 0x26873021, 0xb5f4889c},
        Row{"68656c6c6f", 0xe56129cb, 0x34cbbc6e}, Row{"e282ac", 0xa76cfb53, 0x8950ead8},
        Row{"ff", 0x992c0759, 0x2c43362b}, Row{"80ff7f", 0xbe10d0d3, 0xc05ac822},
        Row{"30313233343536373839616263646566e9", 0x06bcbed4, 0x0c97e9c6}}) {
    EXPECT_EQ(hadoop_murmur(unhex(row.key), 0), row.murmur) << row.key;
    EXPECT_EQ(hadoop_jenkins(unhex(row.key), 0), row.jenkins) << row.key;
  }
  EXPECT_EQ(hadoop_murmur("abc", 1), 0x802e7273U);
  EXPECT_EQ(hadoop_murmur("abc", UINT32_MAX), 0xa8a4d9d3U);
  EXPECT_EQ(hadoop_jenkins("abc", 1), 0xf9f08e9eU);
  EXPECT_EQ(hadoop_jenkins("", 0), 0xdeadbeefU);
  EXPECT_EQ(hadoop_jenkins("Four score and seven years ago", 0), 0x17770551U);
  EXPECT_EQ(hadoop_jenkins("Four score and seven years ago", 1), 0xcd628161U);
}

TEST(HadoopPositions, ChainTheWholeHash) {
  const auto murmur = [](std::string_view key) {
    return positions_of(kHadoopRules, ForeignHash::kHadoopMurmur, unhex(key), 101, 4);
  };
  EXPECT_EQ(murmur("616c696365"), (Positions{14, 43, 36, 27}));
  EXPECT_EQ(murmur("626f62"), (Positions{72, 35, 47, 90}));
  EXPECT_EQ(murmur("6361726fe9"), (Positions{64, 12, 62, 27}));
  const auto jenkins = [](std::string_view key) {
    return positions_of(kHadoopRules, ForeignHash::kHadoopJenkins, unhex(key), 101, 4);
  };
  EXPECT_EQ(jenkins("616c696365"), (Positions{63, 100, 40, 64}));
  EXPECT_EQ(jenkins("6361726fe9"), (Positions{70, 94, 58, 97}));
}

// Hadoop's own test: evens added, odds asked, and the reverse.
TEST(HadoopFilter, HasTheFalsePositivesOfHadoopsOwnTest) {
  for (const auto& [hash, expected] :
       {std::pair(HashId::kHadoopJenkins, std::vector{99, 963}),
        std::pair(HashId::kHadoopMurmur, std::vector{769, 772, 810, 874})}) {
    std::vector<int> found;
    for (const int start : {0, 1}) {
      Filter filter = test::empty_filter(Dialect::kHadoop, hash, 7298, 5);
      for (int i = start; i < 1000; i += 2) filter.insert(std::to_string(i));
      for (int i = 1 - start; i < 1000; i += 2) {
        if (filter.may_contain(std::to_string(i))) found.push_back(i);
      }
    }
    std::sort(found.begin(), found.end());
    EXPECT_EQ(found, expected);
  }
}

}  // namespace
}  // namespace bloomery
