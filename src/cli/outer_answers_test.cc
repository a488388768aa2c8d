#include "cli/outer_answers.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

namespace cli {
namespace {

const std::string kAnswers =
    "\x1b]10;rgb:e5e5/e5e5/e5e5\x1b\\\x1b]11;rgb:10/20/30\a\x1b]12;rgba:f/8/0/f\x1b\\\x1b[?65;1c";
const std::string kTheme = R"({"foreground":"#e5e5e5","background":"#102030","cursor":"#ff8800"})";

TEST(OuterAnswersTest, AnswersAreTakenOutOfWhatIsTyped) {
  OuterAnswers colours;
  EXPECT_EQ(colours.take("l" + kAnswers + "s\x1b[A"), "ls\x1b[A");
  EXPECT_EQ(boost::json::serialize(colours.theme()), kTheme);
  EXPECT_TRUE(colours.is_answered());
}

TEST(OuterAnswersTest, WhereverTheyAreSplit) {
  for (std::size_t at = 0; at <= kAnswers.size(); ++at) {
    OuterAnswers colours;
    EXPECT_EQ(colours.take(kAnswers.substr(0, at)), "") << at;
    EXPECT_EQ(colours.take(kAnswers.substr(at)), "") << at;
    EXPECT_EQ(boost::json::serialize(colours.theme()), kTheme) << at;
  }
  OuterAnswers colours;
  for (const char byte : kAnswers) EXPECT_EQ(colours.take({&byte, 1}), "");
  EXPECT_EQ(boost::json::serialize(colours.theme()), kTheme);
}

// The rest of an answer may come after its first byte was taken for the Escape key.
TEST(OuterAnswersTest, AnEscapeIsTypedSoonAndWhatFollowsOfAnAnswerIsNot) {
  OuterAnswers colours;
  EXPECT_EQ(colours.take("\x1b"), "");
  EXPECT_TRUE(colours.is_waiting());
  EXPECT_EQ(colours.give_up(), "\x1b");
  EXPECT_FALSE(colours.is_waiting());
  EXPECT_EQ(colours.take("]11;rgb:10/20/30\x1b\\x"), "x");
  EXPECT_EQ(boost::json::serialize(colours.theme()), R"({"background":"#102030"})");
  EXPECT_EQ(colours.take("\x1b"), "");
  EXPECT_EQ(colours.give_up(), "\x1b");
  EXPECT_EQ(colours.take("[A\x1b\x1b[B"), "[A\x1b\x1b[B");
}

TEST(OuterAnswersTest, OnceAllHaveComeNothingIsHeldBackButLateAnswers) {
  OuterAnswers colours;
  EXPECT_EQ(colours.take("\x1b[?6c"), "");
  EXPECT_EQ(colours.take("\x1b"), "\x1b");
  EXPECT_EQ(colours.take("[A"), "[A");
  EXPECT_EQ(colours.take("\x1b]"), "\x1b]");
  EXPECT_EQ(colours.take("x\x1b]11;rgb:1/2/3\ay"), "xy");
  EXPECT_EQ(colours.take("\x1b]1x\x1b]10\r"), "\x1b]1x\x1b]10\r");
}

// Programs' output may ask the outer terminal what the daemon does not know of.
TEST(OuterAnswersTest, OtherAnswersAreNotTypedEither) {
  for (const std::string answer :
       {"\x1bP1$r0m\x1b\\", "\x1bP0+r544e\x1b\\", "\x1bP>|kitty(0.30)\x1b\\",
        "\x1bP!|00000000\x1b\\", "\x1b_Gi=1;OK\x1b\\", "\x1b]52;c;b3duZWQ=\a",
        "\x1b]4;1;rgb:1/2/3\x1b\\", "\x1b[>0;276;0c", "\x1b[?0u", "\x1b[?2026;2$y", "\x1b[4;1$y",
        "\x1b[0n", "\x1b[3;0;0t", "\x1b[2;1;1;128;128;1;0x", "\x1b[?1;0;256S"}) {
    OuterAnswers answers;
    EXPECT_EQ(answers.take("\x1b[?6ca" + answer + "b"), "ab") << answer.substr(1);
    OuterAnswers split;
    std::string typed;
    for (const char byte : "a" + answer + "b") typed += split.take({&byte, 1});
    EXPECT_EQ(typed, "ab") << answer.substr(1);
  }
}

TEST(OuterAnswersTest, KeysAndReportsOfModesAreTyped) {
  for (const std::string bytes :
       {"\x1b[A", "\x1bOP", "\x1b[1;2R", "\x1b[c", "\x1b[3$", "\x1b[92;5u", "\x1b[<0;1;1M",
        "\x1b[200~text\x1b[201~", "\x1b[I", "\x1b[48;24;80;0;0t", "\x1b[?997;1n", "\x1bP",
        "\x1bPls\r", "\x1b]10 text\r", "\x1b_Go", "\x1b\x1b[A", "\x1b[[A"}) {
    OuterAnswers answers;
    std::string typed = answers.take("\x1b[?6c");
    for (const char byte : bytes + "x") typed += answers.take({&byte, 1});
    EXPECT_EQ(typed + answers.give_up(), bytes + "x") << bytes.substr(1);
    OuterAnswers early;
    typed = early.take(bytes + "x");
    EXPECT_EQ(typed + early.give_up(), bytes + "x") << bytes.substr(1);
  }
}

TEST(OuterAnswersTest, ColoursThatCannotBeReadAreDropped) {
  OuterAnswers colours;
  EXPECT_EQ(colours.take("\x1b]10;rgb:zz/00/00\a\x1b]11;rgb:1/2\a\x1b]12;rgb:00000/0/0\a"), "");
  EXPECT_TRUE(colours.theme().empty());
}

}  // namespace
}  // namespace cli
