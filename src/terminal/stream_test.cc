// The output as viewers read it.

#include "terminal/stream.h"

#include "terminal/test_viewer.h"

namespace terminal {
namespace {

TEST(StreamTest, ReadsWhatIsThereInWholeCharacters) {
  TestTerminal terminal;
  terminal.print("a€b");
  const Stream& stream = terminal->stream();
  std::string out;
  EXPECT_EQ(stream.read(out, 0, stream.end(), 3).reached, 1U);
  EXPECT_EQ(out, "a");
  EXPECT_EQ(stream.read(out, 1, stream.end(), 2).reached, 1U) << "not even one character";
  EXPECT_EQ(stream.read(out, 1, stream.end(), 100).reached, 5U);
  EXPECT_EQ(out, "a€b");
  EXPECT_EQ(stream.read(out, 5, stream.end(), 100).reached, 5U) << "there is no more";
}

TEST(StreamTest, WhatTheJournalHasOverwrittenCannotBeRead) {
  TestTerminal terminal;
  for (int i = 0; i < 5000; ++i) terminal.print("a line that is overwritten\r\n");
  const Stream& stream = terminal->stream();
  EXPECT_GT(stream.begin(), 0U);
  std::string out;
  EXPECT_EQ(stream.read(out, 0, stream.end(), 100).reached, 0U);
  EXPECT_EQ(out, "");
}

TEST(StreamTest, ResizesAreKnownByTheirNumberUntilTheyAreForgotten) {
  TestTerminal terminal;
  Stream& stream = terminal->stream();
  EXPECT_EQ(stream.resize(0), nullptr);
  constexpr int kMore = 3;
  const int count = static_cast<int>(Stream::kKnownResizes) + kMore;
  for (int i = 0; i < count; ++i) {
    terminal->resize({.cols = 20 + i, .rows = 4});
    terminal.run();
  }
  EXPECT_EQ(stream.resizes(), static_cast<std::uint64_t>(count));
  EXPECT_EQ(stream.forgotten_resizes(), static_cast<std::uint64_t>(kMore));
  EXPECT_EQ(stream.resize(kMore)->size.cols, 20 + kMore);
  EXPECT_EQ(stream.resize(0), nullptr);
  EXPECT_EQ(stream.resize(static_cast<std::uint64_t>(count)), nullptr);
}

// A daemon that came later has yet to look for the queries in what the journal still holds.
TEST(StreamTest, ASuccessorLearnsTheOlderEdits) {
  TestTerminal terminal;
  terminal.print("a\x1b[5nb\x1b[99999999Sc");
  terminal.stop();
  terminal.start();
  TestViewer viewer(terminal, {.since = 0});
  ASSERT_TRUE(viewer->resumed());
  viewer.pull();
  EXPECT_EQ(viewer.output, "ab\x1b[4Sc");
}

}  // namespace
}  // namespace terminal
