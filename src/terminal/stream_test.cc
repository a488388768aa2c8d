// The output as viewers read it.

#include "terminal/stream.h"

#include <thread>

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

// The keeper may write while a viewer reads. What a viewer is sent was there.
TEST(StreamTest, WhatIsOverwrittenWhileItIsReadIsNotSent) {
  journal::TestJournal journal(kTestShape);
  boost::asio::io_context io;
  base::TaskScope tasks(io.get_executor());
  const Stream stream(io.get_executor(), tasks, journal.consumer);
  // Each byte tells its offset, and the ring's length is no multiple of the period.
  constexpr std::size_t kPeriod = 23;
  std::string text(kTestShape.replay + kPeriod, '\0');
  for (std::size_t i = 0; i < text.size(); ++i) text[i] = static_cast<char>('a' + i % kPeriod);
  std::jthread keeper([&](const std::stop_token& stop) {
    while (!stop.stop_requested())
      journal.write(std::string_view(text).substr(journal.producer.produced() % kPeriod, 1024),
                    journal::Limit::free);
  });
  constexpr int kWanted = 3;
  int read = 0;
  int overtaken = 0;
  std::string out;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  for (int turn = 0; read < kWanted || overtaken < kWanted; ++turn) {
    ASSERT_LT(std::chrono::steady_clock::now(), deadline) << read << " read, " << overtaken;
    // The oldest bytes are the next to be overwritten.
    const journal::Offset from = stream.begin() + static_cast<journal::Offset>(turn % 4) * 16384;
    const journal::Offset to = std::max(from, journal.consumer.produced());
    out.clear();
    const auto [reached, is_intact] = stream.read(out, from, to, kTestShape.replay);
    ASSERT_EQ(out.size(), reached - from);
    ASSERT_TRUE(out == std::string_view(text).substr(from % kPeriod, out.size()));
    ASSERT_TRUE(is_intact || out.empty());
    read += out.empty() ? 0 : 1;
    overtaken += is_intact ? 0 : 1;
  }
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
