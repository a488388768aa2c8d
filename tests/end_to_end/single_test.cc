// The single protocol: one terminal per connection, gone with it (docs/protocol.md).

#include "end_to_end/protocol_fixture.h"

namespace e2e {
namespace {

class SingleTest : public ProtocolTest {
 protected:
  static json::value typed(std::string_view text) {
    return message("input", {{"data", json::string_view(text.data(), text.size())}});
  }
  bool nothing_runs() {
    return eventually([&] { return children_of(keeper_pid()).empty(); });
  }
};

TEST_F(SingleTest, TheIdComesFirstThenOutputWithoutIdsOrOffsets) {
  serve();
  const auto client = single();
  const auto first = client->receive()->object();
  EXPECT_EQ(string_at(first, "type"), "session");
  EXPECT_NE(data_text(first, "sessionId"), "");
  EXPECT_EQ(string_at(first, "sessionId"), data_text(first, "sessionId"));
  client->send(typed("echo $((6*7))\r"));
  const auto output = client->expect("output");
  EXPECT_FALSE(output.contains("sessionId"));
  EXPECT_FALSE(output.at("data").as_object().contains("offset"));
  if (text_of(output).find("42") == std::string::npos) (void)output_until(*client, "42");
}

TEST_F(SingleTest, SizesComeFromTheAddressAndFallBack) {
  serve();
  const std::vector<std::pair<std::string, std::string>> cases{
      {"?rows=30&cols=100", "30 100"}, {"", "24 80"},
      {"?rows=0&cols=501", "24 80"},   {"?rows=x&cols=90", "24 90"},
      {"?cols=500&rows=1", "1 500"},   {"?rows=-3&cols=8.5", "24 80"}};
  for (const auto& [query, size] : cases) {
    const auto client = single(query);
    client->send(typed("stty size\r"));
    (void)output_until(*client, size);
  }
}

TEST_F(SingleTest, ResizeAndPingHaveNoIds) {
  serve();
  const auto client = single();
  client->send(message("resize", {{"rows", 33}, {"cols", 111}}, "an id is ignored"));
  client->send(typed("stty size\r"));
  (void)output_until(*client, "33 111");
  client->send(message("resize", {{"rows", 3000}, {"cols", 112}}));
  client->send(typed("stty size\r"));
  (void)output_until(*client, "24 112");
  client->send_text(R"({"type":"ping","sessionId":"x"})");
  EXPECT_FALSE(client->expect("pong").contains("sessionId"));
}

TEST_F(SingleTest, MistakesAreAnsweredAndTheConnectionGoesOn) {
  serve();
  const auto client = single();
  EXPECT_EQ(refused_text(*client, "{").error, "malformed JSON");
  EXPECT_EQ(refused_text(*client, "[]").error, "invalid message");
  EXPECT_EQ(refused_text(*client, R"({"type":"input"})").error, "invalid message");
  EXPECT_EQ(refused_text(*client, R"({"type":"list_sessions"})").error, "unknown message type");
  client->send_binary("x");
  client->expect("error");
  client->send(typed("echo $((6*7))\r"));
  (void)output_until(*client, "42");
}

TEST_F(SingleTest, TheExitIsToldThenTheConnectionCloses) {
  serve();
  const auto client = single();
  client->send(typed("echo la''st; exit 5\r"));
  (void)output_until(*client, "last");
  const auto closed = client->expect("session_closed");
  EXPECT_EQ(data_text(closed, "reason"), "process_exit");
  EXPECT_EQ(data_number(closed, "exitCode"), 5);
  EXPECT_EQ(client->close_code(), 1000);
  EXPECT_TRUE(nothing_runs());
  EXPECT_TRUE(eventually([&] { return health().at("terminals").at("exited").as_int64() == 0; }))
      << "nobody can look at it any more";
}

TEST_F(SingleTest, TheTerminalEndsWithItsConnection) {
  serve();
  auto client = single();
  client->send(typed("echo $((6*7))\r"));
  (void)output_until(*client, "42");
  client->close();
  EXPECT_TRUE(nothing_runs());
  client = single();
  client->send(typed("sleep 1000 & echo $((6*7))\r"));
  (void)output_until(*client, "42");
  client->drop();
  EXPECT_TRUE(nothing_runs());
}

TEST_F(SingleTest, ItEndsAlsoWhenTheDaemonWasKilledMeanwhile) {
  serve();
  const auto client = single();
  client->send(typed("echo $((6*7))\r"));
  (void)output_until(*client, "42");
  const auto kept = compatible();
  create(*kept, "kept");
  ASSERT_EQ(children_of(keeper_pid()).size(), 2U);
  kill_daemon();
  ASSERT_EQ(children_of(keeper_pid()).size(), 2U) << "the keeper knows nothing of connections";
  serve();
  EXPECT_TRUE(eventually([&] { return children_of(keeper_pid()).size() == 1; }));
  const auto again = compatible();
  EXPECT_EQ(session_ids(*again), std::vector<std::string>{"kept"});
}

TEST_F(SingleTest, NobodySeesItInAList) {
  serve();
  const auto client = single();
  client->expect("session");
  EXPECT_TRUE(sessions_of(*compatible()).empty());
}

TEST_F(SingleTest, OutputIsWholeAndUtf8) {
  serve();
  const auto client = single();
  client->send(
      typed("stty -echo; i=0; while [ $i -lt 3000 ]; do printf '\\342\\202'; "
            "printf '\\254'; i=$((i+1)); done; printf 'x\\377y\\n'; echo e''nd\r"));
  const std::string text = output_until(*client, "end");
  std::string wanted;
  for (int i = 0; i < 3000; ++i) wanted += "€";
  EXPECT_NE(text.find(wanted + "x\uFFFDy"), std::string::npos);
}

}  // namespace
}  // namespace e2e
