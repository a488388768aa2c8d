// The compatible protocol: reattaching, several viewers, slow clients (docs/protocol.md).

#include "end_to_end/protocol_fixture.h"

namespace e2e {
namespace {

class CompatibleReattachTest : public ProtocolTest {};

// --- reattach_session

constexpr const char* kCount =
    "stty -echo; i=0; while [ $i -lt 20000 ]; do i=$((i+1)); echo \"<$i>\"; done; echo e''nd";

// The same, but half of it waits for a key: it has not ended when somebody comes late.
constexpr const char* kCountInHalves =
    "stty -echo; i=0; while [ $i -lt 20000 ]; do i=$((i+1)); echo \"<$i>\"; "
    "[ $i != 10000 ] || read key; done; echo e''nd";

TEST_F(CompatibleReattachTest, ExactlyOneScrollbackFollowsAndNothingFallsBetweenItAndTheOutput) {
  serve();
  const auto first = compatible();
  create(*first, "a1");
  std::string whole = type(*first, "a1", kCountInHalves, "<100>");
  const auto client = compatible();
  client->send(reattach("a1"));
  EXPECT_EQ(string_at(client->receive()->object(), "type"), "session_reattached");
  const auto scrollback = client->receive()->object();
  EXPECT_EQ(string_at(scrollback, "type"), "scrollback") << "no output comes between";
  EXPECT_EQ(string_at(scrollback, "sessionId"), "a1");
  EXPECT_TRUE(text_of(scrollback).starts_with(kReset));
  EXPECT_FALSE(scrollback.at("data").as_object().contains("resumed"));
  const std::uint64_t offset = data_number(scrollback, "offset");
  client->send(input("a1", "\r"));
  std::string after;
  std::uint64_t reached = offset;
  while (after.find("end\r\n") == std::string::npos) {
    const auto output = client->receive()->object();
    ASSERT_EQ(string_at(output, "type"), "output") << "one scrollback";
    after += text_of(output);
    reached += text_of(output).size();
    EXPECT_EQ(data_number(output, "offset"), static_cast<std::int64_t>(reached));
  }
  whole += output_until(*first, "end\r\n");
  const std::size_t end = whole.find("end\r\n");
  EXPECT_TRUE(whole.substr(offset, end - offset) == after.substr(0, after.find("end\r\n")))
      << "a gap or a repeat";
  // The last line may be half there.
  const auto numbers = numbers_in(plain(text_of(scrollback)));
  ASSERT_GE(numbers.size(), 100U);
  for (std::size_t i = 0; i + 1 < numbers.size(); ++i)
    ASSERT_EQ(numbers[i], static_cast<int>(i) + 1) << "the whole history, in order";
}

// What a client gets in pieces, with a break of the connection after each, is what one that stays
// gets.
TEST_F(CompatibleReattachTest, SinceGivesJustTheMissingBytes) {
  serve();
  const auto staying = compatible();
  create(*staying, "a1");
  staying->send(input("a1", std::string(kCount) + "\r"));
  auto client = compatible();
  auto first = reattached(*client, reattach("a1", 0));
  std::string pieces = text_of(first);
  EXPECT_TRUE(first.at("data").at("resumed").as_bool());
  std::uint64_t offset = data_number(first, "offset");
  for (int broken = 0; pieces.find("end\r\n") == std::string::npos; ++broken) {
    if (broken < 20) {
      client->drop();
      client = compatible();
      const auto more = reattached(*client, reattach("a1", offset));
      ASSERT_TRUE(more.at("data").as_object().contains("resumed"));
      pieces += text_of(more);
      offset = data_number(more, "offset");
    }
    if (pieces.find("end\r\n") != std::string::npos) break;
    const auto output = client->expect("output");
    pieces += text_of(output);
    offset = data_number(output, "offset");
  }
  const std::string whole = output_until(*staying, "end\r\n");
  const std::size_t both = std::min(whole.size(), pieces.size());
  EXPECT_TRUE(whole.substr(0, both) == pieces.substr(0, both));
}

// A flood overwrites what is to be replayed between the attach and the first slice. `resumed` was
// said of the snapshot that was sent instead, and a client that trusted it missed megabytes.
TEST_F(CompatibleReattachTest, ResumedIsSaidOfJustTheMissingBytesAlone) {
  serve();
  const auto flood = compatible();
  create(*flood, "a1");
  flood->send(input("a1", "yes\r"));
  std::uint64_t offset = data_number(flood->expect("output"), "offset");
  for (int round = 0; round < 30; ++round) {
    const auto client = compatible();
    client->send(reattach("a1", offset));
    const auto scrollback = client->expect("scrollback");
    const bool resumed = scrollback.at("data").as_object().contains("resumed");
    const std::uint64_t reached = data_number(scrollback, "offset");
    EXPECT_EQ(text_of(scrollback).starts_with(kReset), !resumed);
    EXPECT_TRUE(!resumed || text_of(scrollback).size() == reached - offset);
    // Some of it has to be there still, and some not.
    if (round % 2 == 0) offset = reached;
  }
}

TEST_F(CompatibleReattachTest, SinceTheEndGivesAnEmptyScrollback) {
  serve();
  const auto client = compatible();
  create(*client, "a1");
  type(*client, "a1", "stty -echo; PS1=; echo $((6*7))", "42");
  // Until everything has been said.
  std::uint64_t offset = 0;
  ASSERT_TRUE(eventually([&] {
    const auto more = reattached(*client, reattach("a1", offset));
    const bool same = offset == static_cast<std::uint64_t>(data_number(more, "offset"));
    offset = data_number(more, "offset");
    return same && text_of(more).empty() && more.at("data").at("resumed").as_bool();
  }));
  const auto as_text = reattached(
      *client,
      message(
          "reattach_session",
          {{"sessionId", "a1"}, {"since", std::to_string(offset)}, {"rows", 24}, {"cols", 80}}));
  EXPECT_TRUE(as_text.at("data").as_object().contains("resumed")) << "a decimal string will do";
}

TEST_F(CompatibleReattachTest, SinceBeyondTheEndGivesASnapshot) {
  serve();
  const auto client = compatible();
  create(*client, "a1");
  type(*client, "a1", "echo $((6*7))", "42");
  for (const std::uint64_t beyond : {std::uint64_t{1000000}, std::uint64_t{1} << 53}) {
    const auto got = reattached(*client, reattach("a1", beyond));
    EXPECT_FALSE(got.at("data").as_object().contains("resumed"));
    EXPECT_TRUE(text_of(got).starts_with(kReset));
    EXPECT_NE(text_of(got).find("42"), std::string::npos);
  }
}

TEST_F(CompatibleReattachTest, SinceBeforeWhatIsKeptGivesASnapshot) {
  serve();
  const auto client = compatible();
  create(*client, "a1");
  type(*client, "a1", "head -c 2000000 /dev/zero | tr '\\0' x; echo; echo en''d", "end\r\n");
  const auto got = reattached(*client, reattach("a1", 10));
  EXPECT_FALSE(got.at("data").as_object().contains("resumed"));
  EXPECT_TRUE(text_of(got).starts_with(kReset));
  EXPECT_NE(text_of(got).find("end"), std::string::npos);
}

TEST_F(CompatibleReattachTest, SinceBeforeAResizeGivesASnapshot) {
  serve();
  const auto client = compatible();
  create(*client, "a1");
  type(*client, "a1", "echo $((6*7))", "42");
  const std::uint64_t offset = data_number(reattached(*client, reattach("a1")), "offset");
  const auto got = reattached(*client, reattach("a1", offset, 30, 100));
  EXPECT_FALSE(got.at("data").as_object().contains("resumed"));
  EXPECT_TRUE(text_of(got).starts_with(kReset));
}

TEST_F(CompatibleReattachTest, ReattachingTwiceOnOneConnectionShowsNothingTwice) {
  serve();
  const auto client = compatible();
  create(*client, "a1");
  reattached(*client, reattach("a1"));
  reattached(*client, reattach("a1"));
  client->send(input("a1", "echo \"<\"$((6*7))\">\"\r"));
  std::string text = output_until(*client, "<42>");
  for (const auto& each : until_pong(*client))
    if (string_at(each, "type") == "output") text += text_of(each);
  EXPECT_EQ(numbers_in(plain(text)).size(), 1U);
}

// --- several viewers

TEST_F(CompatibleReattachTest, AllViewersSeeEverything) {
  serve();
  const auto first = compatible();
  create(*first, "a1");
  const auto second = compatible();
  reattached(*second, reattach("a1"));
  first->send(input("a1", "echo from-fi''rst\r"));
  (void)output_until(*second, "from-first");
  (void)output_until(*first, "from-first");
  second->send(input("a1", "echo from-se''cond\r"));
  (void)output_until(*first, "from-second");
  (void)output_until(*second, "from-second");
  second->drop();
  type(*first, "a1", "echo $((6*7))", "42");
}

TEST_F(CompatibleReattachTest, ATakeoverDetachesTheOthers) {
  serve();
  const auto first = compatible();
  create(*first, "a1");
  create(*first, "a2");
  const auto second = compatible();
  second->send(message("reattach_session", {{"sessionId", "a1"}, {"takeover", true}}));
  second->expect("scrollback");
  const auto detached = first->expect("session_detached");
  EXPECT_EQ(string_at(detached, "sessionId"), "a1");
  EXPECT_EQ(data_text(detached, "sessionId"), "a1");
  EXPECT_EQ(data_text(detached, "reason"), "takeover");
  type(*second, "a1", "echo $((6*7))", "42");
  for (const auto& each : until_pong(*first))
    EXPECT_NE(string_at(each, "sessionId"), "a1") << json::serialize(each);
  first->send(message("input", {{"data", "echo $((6*7))\r"}}));
  (void)output_until(*first, "42");  // a2 is the only one attached now.
  second->send(message("close_session", {{"sessionId", "a1"}}));
  second->expect("session_closed");
  EXPECT_TRUE(types_of(until_pong(*first)).empty());
}

// The terminal has the size of who did something last, and takes the other's when that one leaves.
TEST_F(CompatibleReattachTest, TheSizeIsThatOfWhoActedLast) {
  serve();
  const auto small = compatible();
  small->send(create_session("a1", 20, 60));
  small->expect("session_created");
  const auto large = compatible();
  reattached(*large, reattach("a1", {}, 50, 150));
  type(*large, "a1", "stty size", "50 150");
  type(*small, "a1", "stty size", "20 60");
  type(*large, "a1", "stty size", "50 150");
  large->drop();
  ASSERT_TRUE(eventually([&] { return health().at("viewers").as_int64() == 1; }));
  type(*small, "a1", "stty size", "20 60");
}

// Of what a page does to a terminal in its background the daemon knows nothing, so it draws it anew
// when it is in front again, and not before.
TEST_F(CompatibleReattachTest, ATabInTheBackgroundIsDrawnAnewWhenItComesToTheFront) {
  serve();
  const auto client = compatible();
  const auto typist = compatible();
  create(*client, "a1");
  const auto resize = [&](int rows, int cols) {
    client->send(message("resize", {{"sessionId", "a1"}, {"rows", rows}, {"cols", cols}}));
  };
  const auto resets = [&] {
    std::size_t count = 0;
    for (const json::object& told : until_pong(*client))
      if (string_at(told, "type") == "output" && text_of(told).starts_with(kReset)) ++count;
    return count;
  };
  (void)resets();
  for (int i = 0; i < 5; ++i) {
    resize(5, 10);
    EXPECT_EQ(resets(), 0U);
    typist->send(input("a1", "echo to the tab behind\r"));
    const std::string behind = output_until(*client, "behind\r\n");
    EXPECT_EQ(behind.find(kReset), std::string::npos);
    EXPECT_EQ(resets(), 0U);
    resize(24, 80);
    EXPECT_EQ(resets(), 1U);
  }
}

// --- slow clients

TEST_F(CompatibleReattachTest, AClientThatDoesNotReadHoldsNobodyUpAndIsCaughtUpByASnapshot) {
  serve();
  const auto slow = compatible();
  create(*slow, "a1");
  const auto quick = compatible();
  reattached(*quick, reattach("a1"));
  quick->send(input("a1", "head -c 30000000 /dev/zero | tr '\\0' x; echo; echo en''d\r"));
  (void)output_until(*quick, "end\r\n", seconds(60));
  bool snapshot = false;
  std::string last;
  while (last.find("end\r\n") == std::string::npos &&
         plain(last).find("end") == std::string::npos) {
    last = text_of(slow->expect("output"));
    snapshot = snapshot || last.starts_with(kReset);
  }
  EXPECT_TRUE(snapshot);
  type(*slow, "a1", "echo $((6*7))", "42");
}

}  // namespace
}  // namespace e2e
