// T004 of the task list of the session persistence: the ring of output, as a client sees it through
// `since`.

#include <thread>

#include "end_to_end/seeds_fixture.h"

namespace e2e {
namespace {

class RingTest : public SeedsTest, public testing::WithParamInterface<int> {
 protected:
  void serve_ring() {
    if (GetParam() == 262144)
      serve();
    else
      serve({}, {"PTY_OUTPUT_BUFFER_SIZE=" + std::to_string(GetParam())});
  }
};
INSTANTIATE_TEST_SUITE_P(T004, RingTest, testing::Values(16384, 262144));

TEST_P(RingTest, T004_WriteUnderCapacityIsAllThere) {
  serve_ring();
  const auto client = compatible();
  create(*client, "a1");
  const std::string text = type(*client, "a1", lines(1, 500), mark(1));
  const auto replay = reattached(*client, reattach("a1", 0));
  EXPECT_TRUE(replay.at("data").as_object().contains("resumed"));
  EXPECT_TRUE(text_of(replay).starts_with(text)) << "from the first byte on, in order";
}

TEST_P(RingTest, T004_WriteAtCapacityKeepsAsMuchAsWasPromised) {
  serve_ring();
  const auto client = compatible();
  create(*client, "a1");
  type(*client, "a1", "PS1=; " + lines(1, 1), mark(1));
  // The newest PTY_OUTPUT_BUFFER_SIZE bytes can be had, however much came before.
  const int count = 3 * GetParam() / 16;
  type(*client, "a1", lines(100, count), mark(100));
  const std::uint64_t end = data_number(reattached(*client, reattach("a1")), "offset");
  const auto replay = reattached(*client, reattach("a1", end - GetParam()));
  ASSERT_TRUE(replay.at("data").as_object().contains("resumed"));
  EXPECT_EQ(text_of(replay).size(), static_cast<std::size_t>(GetParam()));
  EXPECT_TRUE(text_of(replay).ends_with(line(100 + count - 1) + mark(100)));
}

TEST_P(RingTest, T004_WrapAroundKeepsTheNewestInOrder) {
  serve_ring();
  const auto client = compatible();
  create(*client, "a1");
  const int count = 2'000'000 / 16;  // Many times around, with all that is in flight.
  type(*client, "a1", "PS1=; " + lines(1, count), mark(1));
  const std::uint64_t end = data_number(reattached(*client, reattach("a1")), "offset");
  const std::string text = text_of(reattached(*client, reattach("a1", end - GetParam())));
  int number = std::stoi(text.substr(text.find('\n') + 1, 14));
  std::size_t at = text.find('\n') + 1;
  for (; number <= count; ++number, at += 16)
    ASSERT_EQ(text.substr(at, 16), line(number)) << "the order of lines is the order of writes";
  EXPECT_EQ(text.substr(at), mark(1));
  const auto too_old = reattached(*client, reattach("a1", 0));
  EXPECT_FALSE(too_old.at("data").as_object().contains("resumed"));
  EXPECT_NE(text_of(too_old).find(line(count).substr(0, 14)), std::string::npos)
      << "what was overwritten is answered with a snapshot";
}

TEST_P(RingTest, T004_ConcurrentWriteAndReadLosesNothing) {
  serve_ring();
  const auto writer = compatible();
  create(*writer, "a1");
  writer->send(input("a1", "PS1=; " + lines(1, 3000) + "\r"));
  // Reads what is new while it is being written.
  const auto reader = compatible();
  std::string text;
  std::uint64_t offset = 0;
  while (text.find(mark(1)) == std::string::npos) {
    const auto more = reattached(*reader, reattach("a1", offset));
    if (GetParam() != 262144 && !more.at("data").as_object().contains("resumed"))
      text.clear();  // The small ring may have been overtaken; the rest still holds.
    text += text_of(more);
    offset = data_number(more, "offset");
  }
  const std::string words = plain(text);
  std::size_t at = words.rfind(mark(1)) - 16;
  for (int number = 3000; number > 2500; --number, at -= 16)
    ASSERT_EQ(words.substr(at, 16), line(number));
}

TEST_P(RingTest, T004_ZeroLengthWriteChangesNothing) {
  serve_ring();
  const auto client = compatible();
  create(*client, "a1");
  type(*client, "a1", "stty -echo; PS1=; printf ''; echo ma''rk", "mark\r\n");
  client->send(input("a1", ""));
  std::uint64_t offset = data_number(reattached(*client, reattach("a1")), "offset");
  client->send(input("a1", "printf ''\r"));
  client->send(input("a1", "echo en''d\r"));
  (void)output_until(*client, "end\r\n");
  const auto replay = reattached(*client, reattach("a1", offset));
  EXPECT_EQ(text_of(replay), "end\r\n");
  EXPECT_EQ(data_number(replay, "offset"), static_cast<std::int64_t>(offset + 5));
}

TEST_P(RingTest, T004_ResetStartsAnewWithANewTerminal) {
  serve_ring();
  const auto client = compatible();
  create(*client, "a1");
  type(*client, "a1", lines(1, 1000), mark(1));
  client->send(message("close_session", {{"sessionId", "a1"}}));
  client->expect("session_closed");
  create(*client, "a1");
  type(*client, "a1", "echo $((6*7))", "42");
  const auto replay = reattached(*client, reattach("a1", 0));
  EXPECT_LT(data_number(replay, "offset"), 1000);
  EXPECT_EQ(text_of(replay).find(line(1)), std::string::npos);
}

}  // namespace
}  // namespace e2e
