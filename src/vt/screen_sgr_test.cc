#include <gtest/gtest.h>

#include "vt/test_difference.h"
#include "vt/test_screen.h"
#include "vt/test_streams.h"

namespace vt {
namespace {

struct Sgr {
  const char* params;
  const char* pen;
};

TEST(SgrTest, SetsThePen) {
  constexpr Sgr kCases[] = {
      {"1", "bold"},
      {"2", "dim"},
      {"3", "italic"},
      {"4", "underline=single"},
      {"5", "blink"},
      {"7", "inverse"},
      {"8", "invisible"},
      {"9", "strikethrough"},
      {"21", "underline=double"},
      {"53", "overline"},
      {"4:0", ""},
      {"4:1", "underline=single"},
      {"4:2", "underline=double"},
      {"4:3", "underline=curly"},
      {"4:4", "underline=dotted"},
      {"4:5", "underline=dashed"},
      {"4:9", "underline=single"},
      {"4:", "underline=single"},
      {"31", "fg=1"},
      {"97", "fg=15"},
      {"42", "bg=2"},
      {"100", "bg=8"},
      {"38;5;200", "fg=i200"},
      {"48;5;7", "bg=i7"},
      {"58;5;9", "ulcolor=i9"},
      {"38;2;1;2;3", "fg=#010203"},
      {"48;2;255;0;128", "bg=#ff0080"},
      {"58;2;9;8;7", "ulcolor=#090807"},
      {"38:5:200", "fg=i200"},
      {"38:2::1:2:3", "fg=#010203"},
      {"38:2:0:1:2:3", "fg=#010203"},
      {"58:2::1:2:3", "ulcolor=#010203"},
      {"38;2;1;2", "fg=#010200"},
      {"38;5", "fg=i0"},
      {"38", ""},
      {"38;9;1", ""},
      {"1;31;44;4", "fg=1 bg=4 bold underline=single"},
      {"38;5;3;1", "fg=i3 bold"},
      {"38;2;1;2;3;7", "fg=#010203 inverse"},
      {"999", ""},
  };
  for (const Sgr& sgr : kCases) {
    TestScreen t;
    t.feed("\x1b[" + std::string(sgr.params) + "m");
    EXPECT_EQ(t.pen(), sgr.pen) << sgr.params;
  }
}

TEST(SgrTest, ResetsWhatItNames) {
  constexpr Sgr kCases[] = {
      {"22",
       "fg=1 bg=2 italic underline=single ulcolor=i3 blink inverse invisible strikethrough "
       "overline"},
      {"23",
       "fg=1 bg=2 bold dim underline=single ulcolor=i3 blink inverse invisible strikethrough "
       "overline"},
      {"24", "fg=1 bg=2 bold dim italic ulcolor=i3 blink inverse invisible strikethrough overline"},
      {"25",
       "fg=1 bg=2 bold dim italic underline=single ulcolor=i3 inverse invisible strikethrough "
       "overline"},
      {"27",
       "fg=1 bg=2 bold dim italic underline=single ulcolor=i3 blink invisible strikethrough "
       "overline"},
      {"28",
       "fg=1 bg=2 bold dim italic underline=single ulcolor=i3 blink inverse strikethrough "
       "overline"},
      {"29",
       "fg=1 bg=2 bold dim italic underline=single ulcolor=i3 blink inverse invisible overline"},
      {"39",
       "bg=2 bold dim italic underline=single ulcolor=i3 blink inverse invisible strikethrough "
       "overline"},
      {"49",
       "fg=1 bold dim italic underline=single ulcolor=i3 blink inverse invisible strikethrough "
       "overline"},
      {"55",
       "fg=1 bg=2 bold dim italic underline=single ulcolor=i3 blink inverse invisible "
       "strikethrough"},
      {"59",
       "fg=1 bg=2 bold dim italic underline=single blink inverse invisible strikethrough overline"},
      {"0", ""},
      {"", ""},
  };
  for (const Sgr& sgr : kCases) {
    TestScreen t;
    t.feed("\x1b[1;2;3;4;5;7;8;9;53;31;42;58;5;3m\x1b[" + std::string(sgr.params) + "m");
    EXPECT_EQ(t.pen(), sgr.pen) << sgr.params;
  }
}

TEST(SgrTest, ResettingLeavesTheLinkAlone) {
  TestScreen t;
  t.feed("\x1b]8;;http://a/\x07\x1b[1m\x1b[mx");
  EXPECT_EQ(t.style(0, 0), "link=;http://a/");
}

TEST(SgrTest, AnUnderlineColourShowsOnlyWhereThereIsAnUnderline) {
  TestScreen t;
  t.feed("\x1b[58;5;3ma\x1b[4mb");
  EXPECT_EQ(t.style(0, 0), "");
  EXPECT_EQ(t.style(1, 0), "underline=single ulcolor=i3");
}

TEST(SgrTest, ParametersBeyondTheBoundAreIgnored) {
  TestScreen t;
  std::string many;
  for (int i = 0; i < 31; ++i) many += "0;";
  t.feed("\x1b[" + many + "1;3;4m");
  EXPECT_EQ(t.pen(), "bold");
}

TEST(SgrTest, ManyStylesDoNotGrowTheTables) {
  TestScreen t(80, 24);
  for (int i = 0; i < 200'000; ++i)
    t.feed("\x1b[38;2;" + std::to_string(i % 256) + ";" + std::to_string(i / 256 % 256) + ";" +
           std::to_string(i / 65536) + "mx\r");
  EXPECT_LT(t.screen().memory(), 128U * 1024);
}

// A whole sequence in one feed is applied from the cache; one that comes byte by byte is not.
TEST(SgrTest, WhatIsRememberedOfASequenceIsWhatItDoes) {
  Random random(1);
  constexpr int kNumbers[] = {0,  1,  2,  3,  4,  5,  7,  9,  21, 22, 24, 27,
                              29, 31, 38, 39, 44, 48, 53, 58, 59, 97, 105};
  constexpr const char* kMore[] = {"",     "",      "",         "5",  "2",  ":3",
                                   ":5:7", ";5;20", ";2;1;2;3", ";;", "300"};
  TestScreen whole(80, 2);
  TestScreen bytes(80, 2);
  for (int i = 0; i < 50'000; ++i) {
    std::string sequence = "\x1b[";
    for (int n = random.below(4); n > 0; --n)
      sequence += std::to_string(random.pick(kNumbers)) + random.pick(kMore) + (n > 1 ? ";" : "");
    sequence += "m";
    whole.feed(sequence + "x\r                   \r");
    for (const char c : sequence) bytes.feed({&c, 1});
    ASSERT_EQ(whole.pen(), bytes.pen()) << printable(sequence);
    bytes.feed("x\r                   \r");
  }
  EXPECT_EQ(describe_difference(whole.state(), bytes.state()), "");
}

}  // namespace
}  // namespace vt
