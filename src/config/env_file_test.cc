#include "config/env_file.h"

#include <gtest/gtest.h>

#include <random>

namespace config {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

Pairs parse(std::string_view text) {
  Pairs pairs;
  const auto assignments = parse_env_file(text, "agent.env");
  if (!assignments) return {{"error", assignments.error().message()}};
  for (const auto& [name, value, line] : *assignments) pairs.emplace_back(name, value);
  return pairs;
}

std::string value_of(std::string_view written) {
  const auto pairs = parse("A=" + std::string(written) + "\nB=next");
  if (pairs.size() != 2 || pairs[1] != std::pair<std::string, std::string>("B", "next"))
    return "the next line was swallowed";
  return pairs[0].second;
}

TEST(EnvFileTest, LinesOfNamesAndValues) {
  EXPECT_EQ(parse("A=1\nB=two words\n\n  C = 3  \nD=\nE=last"),
            (Pairs{{"A", "1"}, {"B", "two words"}, {"C", "3"}, {"D", ""}, {"E", "last"}}));
}

TEST(EnvFileTest, CommentsAndBlankLinesAreNothing) {
  EXPECT_EQ(parse("# A=1\n; B=2\n   # C=3\n\n\t\nD=4 # not a comment"),
            (Pairs{{"D", "4 # not a comment"}}));
}

TEST(EnvFileTest, ExportIsAllowed) {
  EXPECT_EQ(parse("export A=1\n\texport\t B=2\nexported=3\nexport=4"),
            (Pairs{{"A", "1"}, {"B", "2"}, {"exported", "3"}, {"export", "4"}}));
}

TEST(EnvFileTest, QuotesAsInSystemd) {
  EXPECT_EQ(value_of(R"('one  two')"), "one  two");
  EXPECT_EQ(value_of(R"("one  two"  )"), "one  two");
  EXPECT_EQ(value_of(R"('a\b"c')"), R"(a\b"c)");
  EXPECT_EQ(value_of(R"("a\"b\\c\$d\`e\n")"), R"(a"b\c$d`e\n)");
  EXPECT_EQ(value_of(R"('a' "b"c)"), "abc");
  EXPECT_EQ(value_of(R"(it's)"), "it's");
  EXPECT_EQ(value_of(R"("")"), "");
}

TEST(EnvFileTest, ABackslashKeepsACharacterOrJoinsLines) {
  EXPECT_EQ(value_of(R"(a\b\ )"), "ab ");
  EXPECT_EQ(value_of("one \\\ntwo"), "one two");
  EXPECT_EQ(value_of("\"one \\\ntwo\""), "one two");
}

TEST(EnvFileTest, AQuotedValueMayHaveSeveralLinesAndLinesAreCounted) {
  const auto found = parse_env_file("KEY='-----BEGIN\n=x\n-----END'\n\nAFTER=1", "f");
  ASSERT_TRUE(found);
  ASSERT_EQ(found->size(), 2U);
  EXPECT_EQ(found->at(0).value, "-----BEGIN\n=x\n-----END");
  EXPECT_EQ(found->at(0).line, 1);
  EXPECT_EQ(found->at(1).line, 5);
}

TEST(EnvFileTest, WindowsLineEnds) {
  EXPECT_EQ(parse("A=1\r\nB=\"2\"\r\n\r\nC=3\r\n"), (Pairs{{"A", "1"}, {"B", "2"}, {"C", "3"}}));
}

TEST(EnvFileTest, WhatIsNoAssignmentIsPassedOver) {
  EXPECT_EQ(parse("garbage\nA 1\n=1\n1A=1\nA-B=1\nA B=1\nGOOD=1\n"), (Pairs{{"GOOD", "1"}}));
  EXPECT_EQ(parse(std::string_view("\0\xff\x01=2\nGOOD=1", 12)), (Pairs{{"GOOD", "1"}}));
  EXPECT_EQ(parse(""), Pairs{});
}

TEST(EnvFileTest, AQuoteThatIsNotClosedIsAnErrorWithTheLineWhereItOpens) {
  EXPECT_EQ(parse("A=1\nB=\"two\nC=3\n"), (Pairs{{"error", "agent.env:2: unclosed quote"}}));
  EXPECT_EQ(parse("A='\\'b'"), (Pairs{{"A", "\\b'"}})) << "no escapes in single quotes";
}

TEST(EnvFileTest, ANameMayComeTwice) {
  EXPECT_EQ(parse("A=1\nA=2"), (Pairs{{"A", "1"}, {"A", "2"}}));
}

TEST(EnvFileTest, AnyBytesAreReadToTheirEnd) {
  std::mt19937 random(1);
  constexpr std::string_view kBytes = "A=\"'\\\n\r #;x\t\xff";
  for (int round = 0; round < 20'000; ++round) {
    std::string text;
    for (auto size = random() % 24; size > 0; --size) text += kBytes[random() % kBytes.size()];
    const auto found = parse_env_file(text, "f");
    EXPECT_TRUE(found || text.find_first_of("'\"") != std::string::npos) << text;
  }
}

}  // namespace
}  // namespace config
