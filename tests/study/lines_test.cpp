// What a study does where no command of it can be made to go wrong.
#include <gtest/gtest.h>

#include <cerrno>

#include "cli/study/run_file.h"
#include "cli/study/run_line.h"
#include "hostile/failing_calls.h"
#include "support/temporary_folder.h"

namespace bloomery::cli {
namespace {

Json groups(const char* rows) {
  return {{"groups", Json::parse(rows)}};
}

TEST(GroupsJson, JoinsRowsOfTheSameGroups) {
  const auto joined =
      groups_json(groups(R"([{"group":"a","keys":1},{"group_b64":"/w==","keys":2}])"),
                  groups(R"([{"group":"a","negatives":3},{"group_b64":"/w==","negatives":4}])"));
  ASSERT_TRUE(joined.has_value());
  EXPECT_EQ(Json::parse(R"([{"group":"a","keys":1,"negatives":3},
                            {"group_b64":"/w==","keys":2,"negatives":4}])"),
            *joined);
}

TEST(GroupsJson, RefusesRowsOfOtherGroups) {
  const Json built = groups(R"([{"group":"a","keys":1},{"group":"b","keys":2}])");
  for (const char* verified : {R"([{"group":"b"},{"group":"a"}])", R"([{"group":"a"}])",
                               R"([{"group":"a"},{"group_b64":"b"}])"}) {
    const auto joined = groups_json(built, groups(verified));
    ASSERT_FALSE(joined.has_value()) << verified;
    EXPECT_EQ("verify counted other groups than build made", joined.error().message);
  }
}

TEST(RunFile, FlushesTheFolderOfAFileThatItMade) {
  const test::TemporaryFolder folder;
  const std::string path = folder.path("runs.jsonl");
  test::plan_fault({});
  ASSERT_TRUE(RunFile::open(path).has_value());
  EXPECT_EQ(1, test::calls_of("fsync"));
  test::plan_fault({.at_call = 1, .error_number = EIO, .only = "fsync"});
  const auto opened = RunFile::open(path);
  EXPECT_EQ("fsync", test::call_that_failed());
  EXPECT_FALSE(opened.has_value());
}

}  // namespace
}  // namespace bloomery::cli
