// The native protocol: a terminal that a client does not show is not streamed (docs/protocol.md,
// "Hidden").

#include <chrono>
#include <fstream>
#include <optional>

#include "end_to_end/native_fixture.h"

namespace e2e {
namespace {

class NativeHiddenTest : public NativeTest {
 protected:
  // A terminal that prints each line it is sent, attached by a viewer that is then hidden.
  void SetUp() override {
    NativeTest::SetUp();
    serve();
    peer_.emplace(native_peer());
    peer_->ask("create",
               script("t1", "stty -echo; echo ready; while read x; do printf \"$x\"; done"));
    channel_ = peer_->attach("t1", {{"rows", 24}, {"cols", 80}, {"window", 65536}});
    (void)peer_->output_until(channel_, "ready\r\n");
  }
  void say(const std::string& text) { peer_->type(channel_, text + "\r"); }
  void hide() { peer_->tell("hide", {{"channel", channel_}}); }
  void show() { peer_->tell("show", {{"channel", channel_}}); }
  // The next `activity`.
  json::object activity() { return peer_->event("activity").at("data").as_object(); }

  std::optional<NativePeer> peer_;
  std::uint32_t channel_ = 0;
};

bool has_flag(const json::object& data, const char* name) {
  const json::value* const value = data.if_contains(name);
  return value != nullptr && value->as_bool();
}

TEST_F(NativeHiddenTest, ItIsToldOfOutputAndGetsItWhenItIsShown) {
  hide();
  say("one");
  const auto first = activity();
  EXPECT_EQ(first.at("channel").as_int64(), channel_);
  EXPECT_GT(first.at("offset").as_int64(), 0);
  EXPECT_FALSE(has_flag(first, "bell"));
  say("two");
  EXPECT_GT(activity().at("offset").as_int64(), first.at("offset").as_int64());
  peer_->ask("ping");
  EXPECT_FALSE(peer_->next(channel_, milliseconds(0))) << "no frame came";
  show();
  const auto piece = peer_->next(channel_);
  ASSERT_TRUE(piece);
  EXPECT_EQ(piece->kind, 1) << "it continues where it was";
  EXPECT_EQ(piece->bytes, "onetwo");
  say("three");
  (void)peer_->output_until(channel_, "three");
}

TEST_F(NativeHiddenTest, ItIsToldOfTheBellTheTitleAndTheExit) {
  hide();
  say("\\\\033]2;make\\\\007");
  EXPECT_EQ(std::string(activity().at("title").as_string()), "make");
  say("x");
  const auto second = activity();
  EXPECT_FALSE(has_flag(second, "bell"));
  EXPECT_FALSE(second.contains("title"));
  say("\\\\007\\\\007");
  EXPECT_TRUE(has_flag(activity(), "bell"));
  peer_->type(channel_, "\x04");
  EXPECT_EQ(data_text(peer_->event("exited"), "terminalId"), "t1");
}

TEST_F(NativeHiddenTest, AFloodCostsOneMessageASecondAndEndsInASnapshot) {
  peer_->ask("create", terminal("flood", {"/usr/bin/yes"}));
  const auto begun = std::chrono::steady_clock::now();
  const auto flood = peer_->attach("flood", {{"window", 65536}, {"hidden", true}});
  EXPECT_TRUE(has_flag(peer_->attached().at("data").as_object(), "hidden"));
  const auto first = activity();
  std::int64_t last = 0;
  for (int i = 0; i < 2; ++i) last = activity().at("offset").as_int64();
  EXPECT_GE(std::chrono::steady_clock::now() - begun, seconds(2));
  EXPECT_GT(last - first.at("offset").as_int64(), 1'000'000) << "it was a flood";
  peer_->ask("ping");
  EXPECT_FALSE(peer_->next(flood, milliseconds(0))) << "no frame came";
  peer_->tell("show", {{"channel", flood}});
  const auto piece = peer_->next(flood);
  ASSERT_TRUE(piece);
  EXPECT_EQ(piece->kind, 2);
  EXPECT_GE(piece->offset, static_cast<std::uint64_t>(last));
}

TEST_F(NativeHiddenTest, ItsSizeDoesNotCount) {
  NativePeer other = native_peer();
  const auto small = other.attach("t1", {{"rows", 10}, {"cols", 40}});
  peer_->tell("focus", {{"channel", channel_}});
  hide();
  peer_->ask("ping");
  const auto size = [&](NativePeer& peer) {
    const auto listed = peer.ask("list");
    return listed.at("data").at("terminals").as_array().front().at("rows").as_int64();
  };
  EXPECT_EQ(size(other), 10) << "the one that shows it decides";
  peer_->tell("resize", {{"channel", channel_}, {"rows", 50}, {"cols", 100}});
  peer_->tell("focus", {{"channel", channel_}});
  peer_->ask("ping");
  EXPECT_EQ(size(other), 10);
  show();
  peer_->ask("ping");
  EXPECT_EQ(size(other), 50);
  other.tell("detach", {{"channel", small}});
}

TEST_F(NativeHiddenTest, ItCountsAsAViewerAndCanBeTakenOver) {
  hide();
  NativePeer other = native_peer();
  const auto listed = other.ask("list");
  EXPECT_EQ(listed.at("data").at("terminals").as_array().front().at("viewers").as_int64(), 1);
  other.attach("t1", {{"takeover", true}, {"hidden", true}});
  EXPECT_EQ(data_text(peer_->event("detached"), "reason"), "takeover");
  EXPECT_EQ(peer_->refused("show", {{"channel", channel_}}), "not_found");
}

TEST_F(NativeHiddenTest, ALosslessViewerCannotBeHidden) {
  EXPECT_EQ(peer_->refused("attach", {{"terminalId", "t1"}, {"lossless", true}, {"hidden", true}}),
            "invalid_argument");
  const auto lossless = peer_->attach("t1", {{"lossless", true}});
  EXPECT_EQ(peer_->refused("hide", {{"channel", lossless}}), "invalid_argument");
}

TEST_F(NativeHiddenTest, AfterTheDaemonWasKilledItIsToldWhatItMissed) {
  peer_->ask("create",
             script("late", "echo first; read x; while ! [ -e " + (dir() / "go").string() +
                                " ]; do sleep 0.01; done; echo second; read x; cat"));
  const auto channel = peer_->attach("late", {});
  (void)peer_->output_until(channel, "first\r\n");
  peer_->tell("hide", {{"channel", channel}});
  peer_->type(channel, "\r");
  const auto told = activity();  // The echo of Enter.
  kill_daemon();
  std::ofstream(dir() / "go").close();
  serve();
  peer_.emplace(native_peer());
  const auto again =
      peer_->attach("late", {{"since", told.at("offset").as_int64()}, {"hidden", true}});
  (void)activity();
  peer_->tell("show", {{"channel", again}});
  EXPECT_NE(peer_->output_until(again, "second").find("second"), std::string::npos);
}

}  // namespace
}  // namespace e2e
