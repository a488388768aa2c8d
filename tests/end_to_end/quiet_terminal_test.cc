// A terminal that has printed much and is quiet keeps what PTY_OUTPUT_BUFFER_SIZE promises, and
// gives the rest of its journal's memory back.

#include "end_to_end/seeds_fixture.h"

namespace e2e {
namespace {

constexpr std::uint64_t kReplay = 262144;

class QuietTerminalTest : public SeedsTest {
 protected:
  // The journals' pages, as the keeper has them.
  [[nodiscard]] int journal_kib() const {
    const std::string status = proc_file(keeper_pid(), "status");
    return std::stoi(status.substr(status.find("RssShmem:") + 9));
  }
  // Prints so many lines and waits until memory was given back. Returns where the output ends.
  std::uint64_t print_and_rest(WebSocketClient& client, int from, int count) {
    type(client, "a1", "PS1=; " + lines(from, count), mark(from));
    EXPECT_GT(journal_kib(), 500);
    EXPECT_TRUE(eventually([&] { return journal_kib() <= 300; })) << journal_kib() << " KiB";
    return data_number(reattached(client, reattach("a1")), "offset");
  }
  void expect_replay(WebSocketClient& client, std::uint64_t end, int last, int from) {
    const auto replay = reattached(client, reattach("a1", end - kReplay));
    ASSERT_TRUE(replay.at("data").as_object().contains("resumed"));
    std::string text = text_of(replay);
    EXPECT_EQ(text.size(), kReplay);
    ASSERT_TRUE(text.ends_with(mark(from)));
    text.resize(text.size() - mark(from).size());
    for (int number = last; text.size() >= 16; --number, text.resize(text.size() - 16))
      ASSERT_TRUE(text.ends_with(line(number))) << "at line " << number;
  }
};

TEST_F(QuietTerminalTest, KeepsItsReplayAndGivesTheRestBack) {
  serve();
  const auto client = compatible();
  create(*client, "a1");
  const std::uint64_t end = print_and_rest(*client, 1, 60'000);
  expect_replay(*client, end, 60'000, 1);
  const auto older = reattached(*client, reattach("a1", end - kReplay - 16 * 1024));
  EXPECT_FALSE(older.at("data").as_object().contains("resumed"));
  EXPECT_EQ(text_of(older).find('\0'), std::string::npos) << "what is gone is not shown as zeroes";

  // What comes afterwards is whole, and so is what a later daemon finds.
  const std::uint64_t next = print_and_rest(*client, 100'001, 60'000);
  expect_replay(*client, next, 160'000, 100'001);
  kill_daemon();
  start();
  const auto successor = compatible();
  expect_replay(*successor, next, 160'000, 100'001);
}

}  // namespace
}  // namespace e2e
