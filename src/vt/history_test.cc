#include "vt/history.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <vector>

#include "vt/row_codec.h"
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
  std::vector<std::byte> ring_ = std::vector<std::byte>(128);
};

TEST_F(HistoryTest, KeepsWhatFitsTheRingAndDropsTheOldest) {
  History history(ring_);
  // Twelve or thirteen bytes each.
  for (int i = 10; i < 30; ++i) history.push(make("r" + std::to_string(i)), kCols, tables_);
  EXPECT_EQ(rows(history), "r20|r21|r22|r23|r24|r25|r26|r27|r28|r29|");
  EXPECT_EQ(history.rows(), 10);
  EXPECT_LE(history.position().end - history.position().begin, ring_.size());
}

TEST_F(HistoryTest, OpensAgainWithItsPositions) {
  History history(ring_);
  for (int i = 0; i < 100; ++i) history.push(make("row " + std::to_string(i)), kCols, tables_);
  const History again(ring_, history.position());
  EXPECT_EQ(rows(again), rows(history));
  EXPECT_EQ(again.rows(), history.rows());
}

// The place before the newest `count` rows.
History::Place place_before(const History& history, int count, Tables& tables) {
  History::Tail tail(history, history.boundary(20), 0, 20);
  History::Place place = history.boundary(20);
  for (; count > 0; --count) {
    const std::vector<Piece> line = tail.older_line(tables);
    place = {.at = line.front().start, .cols = line.front().cols, .cut = 0};
  }
  return place;
}

TEST_F(HistoryTest, RowsThatAreTakenBackStayInTheRingButDoNotCount) {
  std::vector<std::byte> ring(400);
  History history(ring);
  for (const char* text : {"a", "b", "c", "d"}) history.push(make(text), kCols, tables_);
  const HistoryPosition before = history.position();
  history.end_at(place_before(history, 2, tables_), kCols);
  EXPECT_EQ(rows(history), "a|b|");
  history.push(make("e"), kCols, tables_);
  EXPECT_EQ(rows(history), "a|b|e|");
  EXPECT_EQ(rows(History(ring, history.position())), "a|b|e|");
  history.end_at(place_before(history, 2, tables_), kCols);
  history.push(make("f"), kCols, tables_);
  EXPECT_EQ(rows(history), "a|f|");
  EXPECT_EQ(rows(History(ring, history.position())), "a|f|");
  EXPECT_EQ(rows(History(ring, before)), "a|b|c|d|");
}

TEST_F(HistoryTest, WhatIsClearedStaysInTheRingButDoesNotCount) {
  std::vector<std::byte> ring(200);
  History history(ring);
  history.push(make("a"), kCols, tables_);
  const HistoryPosition before = history.position();
  history.clear();
  EXPECT_EQ(rows(History(ring, history.position())), "");
  history.push(make("b"), kCols, tables_);
  EXPECT_EQ(rows(History(ring, history.position())), "b|");
  EXPECT_EQ(rows(History(ring, before)), "a|");
}

TEST_F(HistoryTest, ThePublishedPositionsFollow) {
  std::atomic<std::uint64_t> begin = 7;
  std::atomic<std::uint64_t> end = 7;
  History history(ring_);
  history.publish(begin, end);
  EXPECT_EQ(end, 0U);
  for (int i = 0; i < 100; ++i) {
    history.push(make("row " + std::to_string(i)), kCols, tables_);
    ASSERT_EQ((HistoryPosition{begin, end}), history.position());
    ASSERT_LE(end - begin, ring_.size());
  }
}

TEST_F(HistoryTest, ARowThatDoesNotFitTakesEverythingAlong) {
  History history(ring_);
  history.push(make("a"), kCols, tables_);
  Row huge;
  const std::string_view text = "many bytes for one column";
  for (int x = 0; x < kCols; ++x)
    huge.set(x, Cell::grapheme(tables_.graphemes.intern(std::string(text)), Width::one, 0), kCols);
  history.push(huge, kCols, tables_);
  EXPECT_EQ(history.rows(), 0);
}

TEST_F(HistoryTest, NoRingKeepsNothing) {
  History none;
  none.push(make("a"), kCols, tables_);
  none.clear();
  EXPECT_EQ(none.rows(), 0);
  std::vector<std::byte> little(127);
  History small(little);
  small.push(make("a"), kCols, tables_);
  EXPECT_EQ(small.position(), HistoryPosition());
}

// The worked example of docs/vt.md.
TEST_F(HistoryTest, TheBytesAreThoseOfTheSpecification) {
  TestScreen t(10, 1);
  t.feed("a\x1b[1;31mb\x1b[m  \x1b[44m\x1b[X\x1b[m\r\n");
  std::vector<std::byte> ring(128);
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
    std::vector<std::byte> ring(static_cast<std::size_t>(random.between(0, 300)));
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
    if (random.one_in(2)) opened.end_at(place_before(opened, opened.rows() / 2, tables_), kCols);
    opened.push(make("x"), kCols, tables_);
    EXPECT_LE(opened.position().end - opened.position().begin, ring.size());
  }
}

// Styles, wide and joined characters, links, marks: everything in a row comes back.
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
    ASSERT_TRUE(History::Reader(history, 1).next(size.cols, tables, back));
    EXPECT_EQ(back.wrapped, row.wrapped);
    EXPECT_EQ(back.marks, row.marks);
    std::string before;
    std::string after;
    append_json_row(before, row, size.cols, t.state().tables);
    append_json_row(after, back, size.cols, tables);
    ASSERT_EQ(after, before) << "seed " << seed;
  }
}

// The encoding that a row carries while it is printed must be byte for byte the encoding of its
// cells: the same output has to go to the same positions, however a screen got its rows.
TEST_F(HistoryTest, TheEncodingThatARowCarriesIsThatOfItsCells) {
  int carried = 0;
  for (std::uint64_t seed = 0; seed < 20'000; ++seed) {
    Random random(seed);
    const Size size{.cols = random.between(1, 40), .rows = random.between(1, 4)};
    TestScreen t(size.cols, size.rows);
    for (int i = random.between(1, 30); i > 0; --i) {
      t.feed(random_piece(random, size));
      if (random.one_in(3))
        t.feed("text, \u65e5\u672c e\u0301\x1b[3" + std::to_string(i % 10) + "m");
      if (random.one_in(20)) t.resize(size.cols, size.rows + random.below(3));
    }
    const State& state = t.state();
    for (int y = 0; y < state.primary.grid.rows(); ++y) {
      const Row& row = state.primary.grid.row(y);
      carried += row.is_encoded_to(static_cast<int>(row.written().size())) ? 1 : 0;
      Row plain;
      plain.reset(row.fill());
      plain.wrapped = row.wrapped;
      plain.marks = row.marks;
      std::ranges::copy(row.written(), plain.write(0, static_cast<int>(row.written().size()), 40));
      plain.drop_encoding();
      ByteBuffer expected;
      ByteBuffer actual;
      encode_row(plain, state.size.cols, state.tables, expected);
      encode_row(row, state.size.cols, state.tables, actual);
      ASSERT_EQ(actual.view(), expected.view()) << "seed " << seed;
    }
  }
  EXPECT_GT(carried, 10'000);
}

}  // namespace
}  // namespace vt
