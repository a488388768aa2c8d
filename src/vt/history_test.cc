#include "vt/history.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "vt/test_screen.h"
#include "vt/test_streams.h"

namespace vt {
namespace {

std::string text_of(const Row& row, const Tables& tables, int cols) {
  std::string out = row.wrapped ? "+" : "";
  for (int x = 0; x < row.content_length(cols); ++x) tables.append_text(out, row.at(x));
  return out;
}

class HistoryTest : public testing::Test {
 protected:
  static constexpr int kCols = 20;

  Row make(std::string_view text) {
    Row row;
    for (int x = 0; x < static_cast<int>(text.size()); ++x)
      row.set(x,
              Cell::character(static_cast<unsigned char>(text[static_cast<std::size_t>(x)]),
                              Width::one, 0),
              kCols);
    return row;
  }
  std::string rows(const History& history) {
    std::string out;
    Row row;
    History::Reader reader(history, kAllHistory);
    while (reader.next(kCols, tables_, row)) out += text_of(row, tables_, kCols) + "|";
    return out;
  }

  Tables tables_;
  std::vector<std::byte> ring_ = std::vector<std::byte>(64);
};

TEST_F(HistoryTest, KeepsWhatFitsAndDropsTheOldest) {
  History history(ring_);
  for (const char* text : {"one", "two", "three", "four", "five", "six"})
    history.push(make(text), kCols, tables_);
  EXPECT_EQ(rows(history), "two|three|four|five|six|");
  EXPECT_EQ(history.rows(), 5);
  EXPECT_LE(history.position().end - history.position().begin, ring_.size());
}

TEST_F(HistoryTest, ARecoverableOneKeepsHalfAndOpensAtAnOlderEnd) {
  ring_.resize(128);
  History history = History::recoverable(ring_, 0);
  for (const char* text : {"one", "two", "three", "four", "five", "six"})
    history.push(make(text), kCols, tables_);
  EXPECT_EQ(rows(history), "three|four|five|six|");
  const std::uint64_t end = history.position().end;
  Row row;
  while (history.rows() > 0) history.pop(kCols, tables_, row);
  history.move_past(end);
  for (const char* text : {"seven", "eight", "nine", "ten"})
    history.push(make(text), kCols, tables_);
  EXPECT_EQ(rows(history), "seven|eight|nine|ten|");
  EXPECT_EQ(rows(History::recoverable(ring_, history.position().end)), "seven|eight|nine|ten|");
  EXPECT_EQ(rows(History::recoverable(ring_, end)), "three|four|five|six|");
}

TEST_F(HistoryTest, WhatWasClearedDoesNotComeBackWhenARecoverableOneIsOpened) {
  ring_.resize(256);
  History history = History::recoverable(ring_, 0);
  history.push(make("secret"), kCols, tables_);
  history.clear();
  EXPECT_EQ(rows(History::recoverable(ring_, history.position().end)), "");
  history.push(make("public"), kCols, tables_);
  EXPECT_EQ(rows(History::recoverable(ring_, history.position().end)), "public|");
}

TEST_F(HistoryTest, OpensAgainWithItsPositions) {
  History history(ring_);
  for (int i = 0; i < 100; ++i) history.push(make("row " + std::to_string(i)), kCols, tables_);
  const History again(ring_, history.position());
  EXPECT_EQ(rows(again), rows(history));
  EXPECT_EQ(again.rows(), history.rows());
}

TEST_F(HistoryTest, PopsTheNewest) {
  History history(ring_);
  history.push(make("a"), kCols, tables_);
  history.push(make("b"), kCols, tables_);
  Row row;
  history.pop(kCols, tables_, row);
  EXPECT_EQ(text_of(row, tables_, kCols), "b");
  EXPECT_EQ(rows(history), "a|");
}

TEST_F(HistoryTest, ARowThatDoesNotFitTakesEverythingAlong) {
  History history(ring_);
  history.push(make("a"), kCols, tables_);
  Row huge;
  for (int x = 0; x < kCols; ++x) huge.set(x, Cell::character(U'日', Width::zero, 0), kCols);
  history.push(huge, kCols, tables_);
  EXPECT_EQ(history.rows(), 0);
}

TEST_F(HistoryTest, TheNumberOfRowsCanBeBounded) {
  History history(ring_, {}, 2);
  for (const char* text : {"a", "b", "c"}) history.push(make(text), kCols, tables_);
  EXPECT_EQ(rows(history), "b|c|");
  EXPECT_TRUE(history.is_full());
  History none;
  none.push(make("a"), kCols, tables_);
  EXPECT_EQ(none.rows(), 0);
}

// The worked example of docs/vt.md.
TEST_F(HistoryTest, TheBytesAreThoseOfTheSpecification) {
  TestScreen t(10, 1);
  t.feed("a\x1b[1;31mb\x1b[m  \x1b[44m\x1b[X\x1b[m\r\n");
  std::vector<std::byte> ring(64);
  History history(ring);
  Tables tables;
  Row row;
  History::Reader reader(t.state().history, 1);
  ASSERT_TRUE(reader.next(10, tables, row));
  history.push(row, 10, tables);
  const unsigned char expected[] = {
      0x17, 0,   0,   0,    0x00, 'a',  0x02, 0x09, 0x01, 0,    0,    0x01, 0x01, 0x00, 0x00, 'b',
      0x03, ' ', ' ', 0x02, 0x02, 0x04, 0,    0,    0x01, 0x01, 0x01, 0x17, 0,    0,    0};
  ASSERT_EQ(history.position().end, sizeof(expected));
  EXPECT_EQ(std::memcmp(ring.data(), expected, sizeof(expected)), 0);
}

TEST_F(HistoryTest, PositionsThatMakeNoSenseGiveAnEmptyHistory) {
  EXPECT_EQ(History(ring_, {.begin = 5, .end = 3}).rows(), 0);
  EXPECT_EQ(History(ring_, {.begin = 0, .end = 1000}).rows(), 0);
  EXPECT_EQ(History(ring_, {.begin = 0, .end = 3}).rows(), 0);
  EXPECT_EQ(History({}, {.begin = 7, .end = 9}).rows(), 0);
}

TEST_F(HistoryTest, OfDamagedContentTheSoundEndIsKept) {
  History history(ring_);
  for (const char* text : {"one", "two", "three"}) history.push(make(text), kCols, tables_);
  // Into the length of the first row.
  ring_[0] = std::byte{0xff};
  const History damaged(ring_, history.position());
  EXPECT_EQ(rows(damaged), "two|three|");
  EXPECT_EQ(damaged.position().end, history.position().end);
}

TEST_F(HistoryTest, NoBytesInTheRingDoHarm) {
  Random random(1);
  for (int round = 0; round < 20'000; ++round) {
    std::vector<std::byte> ring(static_cast<std::size_t>(random.between(0, 100)));
    History history(ring);
    if (random.one_in(2) && !ring.empty())
      for (int i = 0; i < 10; ++i) history.push(make("some text"), kCols, tables_);
    for (int i = random.below(20); i > 0 && !ring.empty(); --i)
      ring[static_cast<std::size_t>(random.below(static_cast<int>(ring.size())))] =
          static_cast<std::byte>(random.next());
    const std::uint64_t begin = random.next() % 200;
    History opened(ring, random.one_in(2) ? history.position()
                                          : HistoryPosition{begin, begin + random.next() % 120});
    rows(opened);
    Row row;
    while (opened.rows() > 0 && random.below(4) != 0) opened.pop(kCols, tables_, row);
    opened.push(make("x"), kCols, tables_);
    EXPECT_LE(opened.position().end - opened.position().begin, ring.size());
  }
}

// Styles, wide and joined characters, links, marks: all of a row comes back.
TEST_F(HistoryTest, EveryRowMakesTheRoundTrip) {
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    Random random(seed);
    const Size size{.cols = random.between(1, 30), .rows = 1};
    TestScreen t(size.cols, size.rows);
    for (int i = 0; i < 20; ++i) t.feed(random_piece(random, size));
    if (t.state().alternate_active) t.feed("\x1b[?47l");
    std::vector<std::byte> ring(1 << 14);
    History history(ring);
    const Row& row = t.state().primary.grid.row(0);
    history.push(row, size.cols, t.state().tables);
    Tables tables;
    Row back;
    history.pop(size.cols, tables, back);
    EXPECT_EQ(back.wrapped, row.wrapped);
    EXPECT_EQ(back.marks, row.marks);
    std::string before;
    std::string after;
    append_json_row(before, row, size.cols, t.state().tables);
    append_json_row(after, back, size.cols, tables);
    ASSERT_EQ(after, before) << "seed " << seed;
  }
}

}  // namespace
}  // namespace vt
