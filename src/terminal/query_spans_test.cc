#include "terminal/query_spans.h"

#include <gtest/gtest.h>

namespace terminal {
namespace {

std::string without(const QuerySpans& spans, journal::Offset from, std::string_view text) {
  std::string out;
  spans.append_without(out, from, std::as_bytes(std::span(text)));
  return out;
}

TEST(QuerySpansTest, WithoutQueriesNothingIsLeftOut) {
  EXPECT_EQ(without({}, 100, "hello"), "hello");
  EXPECT_EQ(without({}, 100, ""), "");
}

TEST(QuerySpansTest, QueriesAreLeftOutWhereverTheyStandInTheSlice) {
  QuerySpans spans;
  spans.add({.begin = 10, .end = 13});
  spans.add({.begin = 15, .end = 16});
  const std::string_view text = "0123456789";  // Offsets 8 to 17.
  EXPECT_EQ(without(spans, 8, text), "015689");
  EXPECT_EQ(without(spans, 8, text.substr(0, 2)), "01");
  EXPECT_EQ(without(spans, 10, text.substr(2, 3)), "");
  EXPECT_EQ(without(spans, 16, text.substr(8)), "89");
}

TEST(QuerySpansTest, ASliceMayCutAQuery) {
  QuerySpans spans;
  spans.add({.begin = 10, .end = 20});
  EXPECT_EQ(without(spans, 5, "aaaaabbb"), "aaaaa");
  EXPECT_EQ(without(spans, 13, "bbbbbbbccc"), "ccc");
  EXPECT_EQ(without(spans, 12, "bbb"), "");
}

// A program that asks the same thing a million times must not cost a million entries.
TEST(QuerySpansTest, QueriesInARowAreOne) {
  QuerySpans spans;
  for (journal::Offset at = 0; at < 3000; at += 3) spans.add({.begin = at, .end = at + 3});
  EXPECT_EQ(spans.size(), 1U);
  EXPECT_EQ(without(spans, 2998, "xxyy"), "yy");
}

TEST(QuerySpansTest, WhatTheJournalNoLongerHoldsIsForgotten) {
  QuerySpans spans;
  for (journal::Offset at = 0; at < 100; at += 10) spans.add({.begin = at, .end = at + 3});
  spans.forget_below(43);
  EXPECT_EQ(spans.size(), 5U);
  EXPECT_EQ(without(spans, 49, "abcde"), "ae");
}

TEST(QuerySpansTest, OlderOnesGoBeforeThoseThatAreHeld) {
  QuerySpans older;
  older.add({.begin = 1, .end = 2});
  QuerySpans spans;
  spans.add({.begin = 4, .end = 5});
  spans.add_older(older);
  EXPECT_EQ(without(spans, 0, "012345"), "0235");
}

}  // namespace
}  // namespace terminal
