#include "plan/plan.h"

#include <gtest/gtest.h>

#include "base/base64.h"

namespace bloomery {
namespace {

TEST(Plan, SizesTheReportsTable) {
  SizingRequest request;
  request.kind = Kind::kClassic;
  const auto plan = plan_groups({{"1", 2'546, 2'546}, {"10", 16'286, 16'286}}, request);
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ((*plan)[0].spec.bits, 24'404U);
  EXPECT_EQ((*plan)[1].spec.bits, 156'103U);
  EXPECT_EQ((*plan)[0].spec.hashes, 7U);
  request.hashes = 7;
  EXPECT_EQ(plan_groups({{"1", 2'546, 2'546}}, request)->front().spec.bits, 24'424U);
}

TEST(Plan, NamesTheGroupThatCannotBeSized) {
  SizingRequest request;
  request.fpr = 1.5;
  const auto plan = plan_groups({{"a\n", 1, 1}}, request);
  ASSERT_FALSE(plan);
  EXPECT_NE(plan.error().message.find("group \"a\\x0a\""), std::string::npos)
      << plan.error().message;
}

TEST(Plan, ABudgetOfBytesFixesTheSize) {
  SizingRequest request;
  request.bits = 8000;
  const auto plan = plan_groups({{"a", 500, 500}}, request);
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(plan->front().spec.bits, 960U * 8);
}

TEST(Plan, SurvivesItsFileWithAnyGroupName) {
  SizingRequest request;
  request.kind = Kind::kClassic;
  request.seeds = {0, UINT64_MAX, 3};
  SavedPlan plan;
  plan.groups = *plan_groups({{std::string("\xFF\x00z", 3), 10, 9}, {"\"é", 3, 3}}, request);
  plan.recipe = {{"key", "a,b"}, {"group", "\x80"}};
  const auto back = plan_from_json(plan_to_json(plan), "p", std::nullopt);
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(*back, plan);
}

TEST(Plan, ASecretIsNeededToReadAPlanAndMustBeTheSame) {
  SecretKey secret{};
  SizingRequest request;
  request.hasher = Hasher::with_secret(secret);
  SavedPlan plan;
  plan.groups = *plan_groups({{"a", 10, 10}}, request);
  const std::string json = plan_to_json(plan);
  EXPECT_FALSE(plan_from_json(json, "p", std::nullopt));
  EXPECT_TRUE(plan_from_json(json, "p", secret));
  secret[3] = std::byte{1};
  EXPECT_FALSE(plan_from_json(json, "p", secret));
}

TEST(Plan, RefusesWhatIsNotAPlan) {
  for (const char* text : {"", "{", "[]", "{}", "{\"bloomery_plan\":2}", "{\"bloomery_plan\":1}",
                           "{\"bloomery_plan\":1,\"recipe\":[],\"groups\":[{}]}",
                           "{\"bloomery_plan\":1,\"recipe\":[{}],\"groups\":[]}"}) {
    const auto plan = plan_from_json(text, "some.plan", std::nullopt);
    ASSERT_FALSE(plan) << text;
    EXPECT_EQ(plan.error().message.find("some.plan: "), 0U) << plan.error().message;
  }
}

TEST(Base64, GivesTheStandardsVectorsBothWays) {
  const std::pair<const char*, const char*> vectors[] = {{"", ""},
                                                         {"f", "Zg=="},
                                                         {"fo", "Zm8="},
                                                         {"foo", "Zm9v"},
                                                         {"foob", "Zm9vYg=="},
                                                         {"fooba", "Zm9vYmE="},
                                                         {"foobar", "Zm9vYmFy"},
                                                         {"\xFF\xFE", "//4="}};
  for (const auto& [bytes, text] : vectors) {
    EXPECT_EQ(to_base64(bytes), text);
    EXPECT_EQ(from_base64(text), bytes);
  }
  for (const char* text : {"Z", "Zg", "Zg=", "Zh==", "Zg==Zg==", "Z!==", "===="}) {
    EXPECT_EQ(from_base64(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace bloomery
