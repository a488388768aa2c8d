// The shortest way through everything: a shell over each protocol, and a daemon that is killed in
// between.

#include "end_to_end/daemon_fixture.h"

namespace e2e {
namespace {

TEST_F(DaemonTest, AShellOverTheCompatibleProtocol) {
  start();
  const auto client = compatible();
  client->send(create_session("a1"));
  client->expect("session_created");
  client->send(input("a1", "echo $((6*7))\r"));
  EXPECT_NE(output_until(*client, "42").find("42"), std::string::npos);
  client->send(input("a1", "exit 3\r"));
  const auto closed = client->expect("session_closed");
  EXPECT_EQ(closed.at("data").at("exitCode").as_int64(), 3);
  EXPECT_EQ(closed.at("data").at("reason").as_string(), "process_exit");
}

TEST_F(DaemonTest, AShellOutlivesTheDaemonAndItsScreenIsThere) {
  start();
  {
    const auto client = compatible();
    client->send(create_session("a1"));
    client->send(input("a1", "echo before$((6*7))\r"));
    (void)output_until(*client, "before42");
  }
  kill_daemon();
  start();
  const auto client = compatible();
  client->send(reattach("a1"));
  client->expect("session_reattached");
  const auto scrollback = text_of(client->expect("scrollback"));
  EXPECT_TRUE(
      scrollback.starts_with("\x1b"
                             "c"));
  EXPECT_NE(scrollback.find("before42"), std::string::npos) << scrollback;
  client->send(input("a1", "echo after$((6*7))\r"));
  (void)output_until(*client, "after42");
}

TEST_F(DaemonTest, AShellOverTheNativeProtocol) {
  start();
  const auto client = native();
  client->expect("welcome");
  client->send_text(R"({"type":"create","request":1,"data":{"terminalId":"t1"}})");
  client->expect("created");
  client->send_text(
      R"({"type":"attach","request":2,"data":{"terminalId":"t1","rows":24,"cols":80}})");
  const auto attached = client->expect("attached");
  const auto channel = static_cast<std::uint32_t>(attached.at("data").at("channel").as_int64());
  client->send_binary(input_frame(channel, "echo $((6*7))\r"));
  std::string text;
  while (text.find("42\r\n") == std::string::npos) {
    const auto frame = client->receive();
    ASSERT_TRUE(frame);
    if (frame->binary) text += native_frame(frame->data).payload;
  }
}

TEST_F(DaemonTest, AShellOverTheSingleProtocolEndsWithItsConnection) {
  start();
  const auto client = single("?rows=30&cols=100");
  client->expect("session");
  client->send_text(R"({"type":"input","data":{"data":"stty size; exit\r"}})");
  (void)output_until(*client, "30 100");
  client->expect("session_closed");
  EXPECT_EQ(client->close_code(), 1000);
}

}  // namespace
}  // namespace e2e
