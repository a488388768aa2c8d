#include "vt/lines.h"

#include <gtest/gtest.h>

#include "vt/capture.h"
#include "vt/snapshot.h"

namespace vt {
namespace {

class LinesTest : public testing::Test {
 protected:
  Screen& screen(Size size) {
    screen_.emplace(size);
    screen_->attach_history(History(ring_));
    return *screen_;
  }
  std::vector<std::string> lines() {
    std::vector<std::string> all;
    Lines reader(*screen_);
    for (std::string line; reader.next(line);) all.push_back(line);
    return all;
  }

 private:
  std::vector<std::byte> ring_ = std::vector<std::byte>(1 << 16);
  std::optional<Screen> screen_;
};

TEST_F(LinesTest, OfHistoryAndScreenFromOldToNew) {
  screen({.cols = 10, .rows = 2}).feed("one\r\ntwo\r\n\r\nfour\r\nfive");
  EXPECT_EQ(lines(), (std::vector<std::string>{"one", "two", "", "four", "five"}));
}

TEST_F(LinesTest, WhatWrapsIsOneLineWithTheBlanksBetween) {
  screen({.cols = 5, .rows = 2}).feed("a b c d e f g\r\nnext\r\n");
  EXPECT_EQ(lines(), (std::vector<std::string>{"a b c d e f g", "next", ""}));
}

TEST_F(LinesTest, WideAndCombinedCharacters) {
  screen({.cols = 4, .rows = 2}).feed("日本語e\u0301x\r\n");
  EXPECT_EQ(lines(), (std::vector<std::string>{"日本語e\u0301x", ""}));
}

TEST_F(LinesTest, AVeryLongLineComesInPieces) {
  screen({.cols = 100, .rows = 3}).feed(std::string(40'000, 'x'));
  const auto all = lines();
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].size() + all[1].size() + all[2].size(), 40'000U);
  EXPECT_LT(all[0].size(), Lines::kLongest + 100);
}

// The same text as a capture of everything.
TEST_F(LinesTest, AgreesWithACapture) {
  Screen& shown = screen({.cols = 20, .rows = 5});
  for (int i = 0; i < 200; ++i)
    shown.feed("\x1b[3" + std::to_string(i % 8) + "mline " +
               std::string(static_cast<std::size_t>(i % 50), 'y') + "\r\n");
  std::string joined;
  for (const std::string& line : lines()) joined += line + "\n";
  while (joined.ends_with("\n\n")) joined.pop_back();
  EXPECT_EQ(joined, text(shown, {.history_rows = kAllHistory}));
}

}  // namespace
}  // namespace vt
