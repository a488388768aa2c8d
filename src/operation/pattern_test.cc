#include "operation/pattern.h"

#include <gtest/gtest.h>

namespace operation {
namespace {

bool finds(const std::string& pattern, std::string_view line, const PatternOptions& options = {}) {
  const auto compiled = compile(pattern, options);
  EXPECT_TRUE(compiled) << pattern;
  return compiled && is_in(**compiled, line);
}

TEST(PatternTest, IsARegularExpressionUnlessItIsLiteral) {
  EXPECT_TRUE(finds("a.c", "abc"));
  EXPECT_FALSE(finds("a.c", "abc", {.literal = true}));
  EXPECT_TRUE(finds("a.c(", "xa.c(x", {.literal = true}));
}

TEST(PatternTest, ChecksTheCaseUnlessItIsIgnored) {
  EXPECT_FALSE(finds("ERROR", "an error"));
  EXPECT_TRUE(finds("ERROR", "an error", {.ignore_case = true}));
  EXPECT_TRUE(finds("ÄRGER", "ärger", {.ignore_case = true, .literal = true}));
}

TEST(PatternTest, AWordStandsAlone) {
  const PatternOptions word{.word = true, .literal = true};
  EXPECT_TRUE(finds("fail", "fail", word));
  EXPECT_TRUE(finds("fail", "to fail, again", word));
  EXPECT_FALSE(finds("fail", "failed", word));
  EXPECT_FALSE(finds("fail", "über_fail", word));
  EXPECT_FALSE(finds("rger", "Ärger", word));
  EXPECT_FALSE(finds("Arg", "Argä", word));
  EXPECT_TRUE(finds("-x", "ls -x", word));
  EXPECT_TRUE(finds("a|b", "x b", {.word = true}));
  EXPECT_FALSE(finds("a|b", "xb", {.word = true}));
}

TEST(PatternTest, ABadOneIsNamedAsItWasWritten) {
  const auto bad = compile("(", {.word = true});
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().what, "cannot use the pattern: missing ): (");
  EXPECT_FALSE(compile(std::string(1001, 'a')));
}

}  // namespace
}  // namespace operation
