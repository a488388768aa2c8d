#include "terminal/edits.h"

#include <gtest/gtest.h>

namespace terminal {
namespace {

std::string edited(const Edits& edits, journal::Offset from, std::string_view text) {
  std::string out;
  (void)edits.append_edited(out, from, std::as_bytes(std::span(text)));
  return out;
}

TEST(EditsTest, WithoutEditsTheOutputIsSentAsItIs) {
  EXPECT_EQ(edited({}, 100, "hello"), "hello");
  EXPECT_EQ(edited({}, 100, ""), "");
}

TEST(EditsTest, QueriesAreLeftOutWhereverTheyStandInTheSlice) {
  Edits edits;
  edits.add({.span = {10, 13}, .text = ""});
  edits.add({.span = {15, 16}, .text = ""});
  const std::string_view text = "0123456789";  // Offsets 8 to 17.
  EXPECT_EQ(edited(edits, 8, text), "015689");
  EXPECT_EQ(edited(edits, 8, text.substr(0, 2)), "01");
  EXPECT_EQ(edited(edits, 10, text.substr(2, 3)), "");
  EXPECT_EQ(edited(edits, 16, text.substr(8)), "89");
}

TEST(EditsTest, ASliceMayCutAQuery) {
  Edits edits;
  edits.add({.span = {10, 20}, .text = ""});
  EXPECT_EQ(edited(edits, 5, "aaaaabbb"), "aaaaa");
  EXPECT_EQ(edited(edits, 13, "bbbbbbbccc"), "ccc");
  EXPECT_EQ(edited(edits, 12, "bbb"), "");
}

// A program that asks the same thing a million times must not cost a million entries.
TEST(EditsTest, QueriesInARowAreOne) {
  Edits edits;
  for (journal::Offset at = 0; at < 3000; at += 3) edits.add({.span = {at, at + 3}, .text = ""});
  EXPECT_EQ(edits.size(), 1U);
  EXPECT_EQ(edited(edits, 2998, "xxyy"), "yy");
}

TEST(EditsTest, WhatTheJournalNoLongerHoldsIsForgotten) {
  Edits edits;
  for (journal::Offset at = 0; at < 100; at += 10) edits.add({.span = {at, at + 3}, .text = ""});
  edits.forget_below(43);
  EXPECT_EQ(edits.size(), 5U);
  EXPECT_EQ(edited(edits, 49, "abcde"), "ae");
}

TEST(EditsTest, OlderOnesGoBeforeThoseThatAreHeld) {
  Edits older;
  older.add({.span = {1, 2}, .text = ""});
  Edits edits;
  edits.add({.span = {4, 5}, .text = ""});
  edits.add_older(older);
  EXPECT_EQ(edited(edits, 0, "012345"), "0235");
}

TEST(EditsTest, TextTakesThePlaceOfWhatIsLeftOut) {
  Edits edits;
  edits.add({.span = {2, 4}, .text = "<>"});
  edits.add({.span = {4, 5}, .text = "!"});
  edits.add({.span = {7, 8}, .text = ""});
  edits.add({.span = {8, 9}, .text = "?"});
  EXPECT_EQ(edited(edits, 0, "0123456789"), "01<>!56?9");
  EXPECT_EQ(edits.size(), 3U);
}

// A slice that ends inside an edit continues to its end, so that no viewer's offset is ever inside.
TEST(EditsTest, SlicesOfAnySizeSayEveryTextOnce) {
  const std::string_view text = "0123456789";
  Edits edits;
  edits.add({.span = {1, 4}, .text = "<>"});
  edits.add({.span = {4, 5}, .text = "!"});
  edits.add({.span = {6, 8}, .text = "?"});
  for (std::size_t most = 1; most <= text.size(); ++most) {
    std::string out;
    journal::Offset at = 0;
    while (at < text.size())
      at = edits.append_edited(out, at, std::as_bytes(std::span(text.substr(at, most))));
    EXPECT_EQ(out, "0<>!5?89") << most;
    EXPECT_EQ(at, text.size());
  }
}

// A viewer that was sent the first edit's text gets only the second's.
TEST(EditsTest, AnEditThatTouchesOneWithTextStaysApart) {
  Edits edits;
  edits.add({.span = {0, 2}, .text = "a"});
  EXPECT_EQ(edited(edits, 0, "01"), "a");
  edits.add({.span = {2, 4}, .text = "b"});
  EXPECT_EQ(edited(edits, 2, "23"), "b");
}

TEST(EditsTest, TextsAreForgottenAndComeBeforeOthersLikeTheirEdits) {
  Edits edits;
  for (journal::Offset at = 100; at < 200; at += 10)
    edits.add({.span = {at, at + 2}, .text = std::to_string(at)});
  edits.forget_below(150);
  EXPECT_EQ(edited(edits, 148, "ab01cd"), "ab150cd");
  Edits older;
  older.add({.span = {0, 1}, .text = "gone"});
  older.add({.span = {10, 12}, .text = "older"});
  older.forget_below(5);
  edits.add_older(older);
  EXPECT_EQ(edited(edits, 9, "a01b"), "aolderb");
  EXPECT_EQ(edited(edits, 148, "ab01cd"), "ab150cd");
  EXPECT_EQ(edited(edits, 189, "a01b"), "a190b");
  edits.add({.span = {200, 201}, .text = "new"});
  edits.forget_below(12);
  EXPECT_EQ(edited(edits, 189, "a01bcdefghi0j"), "a190bcdefghinewj");
}

}  // namespace
}  // namespace terminal
