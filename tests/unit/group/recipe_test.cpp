#include "group/recipe.h"

#include <gtest/gtest.h>

#include <string>

namespace bloomery {
namespace {

std::string message(const RecipeText& text) {
  const auto recipe = parse_recipe(text);
  return recipe ? "no error" : recipe.error().message;
}

TEST(Recipe, ReadsBackWhatItWrites) {
  for (const RecipeText& text :
       {RecipeText{}, RecipeText{{"key", "tconst"}},
        RecipeText{{"key", "a,2,\"3\""}, {"group", "g"}},
        RecipeText{{"key", "1"}, {"group", "round(averageRating)"}, {"group-range", "1..10"}},
        RecipeText{{"key", "k"}, {"group", "prefix(country,2)"}},
        RecipeText{{"key", "k"}, {"group", "\"none\""}},
        RecipeText{{"key", "k"}, {"group", "floor(\"a(b),c\")"}, {"group-range", "-1.5..2"}},
        RecipeText{{"group", "prefix(1,3)"}}, RecipeText{{"key", "id"}, {"key-type", "u64"}}}) {
    const auto recipe = parse_recipe(text);
    ASSERT_TRUE(recipe) << message(text);
    EXPECT_EQ(to_text(*recipe), text);
  }
}

TEST(Recipe, EqualMeaningGivesEqualText) {
  EXPECT_EQ(to_text(*parse_recipe({{"key", "k"}, {"group", " round( x ) "}, {"key-type", "text"}})),
            (RecipeText{{"key", "k"}, {"group", "round(x)"}}));
  EXPECT_EQ(to_text(*parse_recipe({{"group", "none"}})), RecipeText{});
}

TEST(Recipe, WhatMakesNoSenseIsRefusedByName) {
  EXPECT_NE(message({{"key", "k"}, {"group", "median(x)"}}).find("no such function"),
            std::string::npos);
  EXPECT_NE(message({{"key", "k"}, {"group", "round(x"}}).find("does not close"),
            std::string::npos);
  EXPECT_NE(message({{"key", "k"}, {"group", "round(a,b)"}}).find("one column"), std::string::npos);
  EXPECT_NE(message({{"key", "k"}, {"group", "prefix(x)"}}).find("number of bytes"),
            std::string::npos);
  EXPECT_NE(message({{"key", "k"}, {"group", "prefix(x,0)"}}).find("1 to 65535"),
            std::string::npos);
  EXPECT_NE(message({{"key", "k"}, {"group", "round()"}}).find("name or a number"),
            std::string::npos);
  EXPECT_NE(message({{"group", "round(x)"}}).find("name the key column"), std::string::npos);
  for (const char* range : {"1", "1..", "..2", "10..1", "a..b", "1...2", "1-2"}) {
    EXPECT_NE(message({{"key", "k"}, {"group", "g"}, {"group-range", range}}).find("group range"),
              std::string::npos)
        << range;
  }
  EXPECT_NE(message({{"key", "k"}, {"group-range", "1..2"}}).find("gives none"), std::string::npos);
  EXPECT_NE(message({{"key", "k"}, {"key-type", "i32"}}).find("text, u64 or i64"),
            std::string::npos);
  EXPECT_NE(message({{"key", "a,b"}, {"key-type", "u64"}}).find("one column"), std::string::npos);
  EXPECT_NE(message({{"salt", "x"}}).find("newer"), std::string::npos);
}

}  // namespace
}  // namespace bloomery
