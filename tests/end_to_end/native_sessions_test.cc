// Sessions over the native protocol: made, listed, renamed, closed, and told to the user's other
// connections.

#include "end_to_end/protocol_fixture.h"

namespace e2e {
namespace {

class NativeSessionsTest : public DaemonTest {
 protected:
  // A native connection that was welcomed.
  std::unique_ptr<WebSocketClient> connect(const std::string& token = {}) {
    auto client = native(token);
    client->expect("welcome");
    return client;
  }
  static std::string code_of(const json::object& error) {
    return std::string(error.at("data").at("code").as_string());
  }
};

TEST_F(NativeSessionsTest, AreMadeRenamedAndClosedWithTheirTerminals) {
  start();
  const auto client = connect();
  const auto other = connect();
  client->send_text(
      R"({"type":"session_create","request":1,"data":{"name":"ops","kind":"background"}})");
  const auto made = client->expect("session_created");
  EXPECT_EQ(made.at("request").as_int64(), 1);
  EXPECT_EQ(made.at("data").at("session").at("kind").as_string(), "background");
  EXPECT_FALSE(other->expect("session_created").contains("request"));

  client->send_text(R"({"type":"create","request":2,"data":{"terminalId":"t1","session":"ops"}})");
  EXPECT_EQ(client->expect("created").at("data").at("terminal").at("session").as_string(), "ops");
  client->send_text(R"({"type":"list","request":3,"data":{"session":"ops"}})");
  EXPECT_EQ(client->expect("terminals").at("data").at("terminals").as_array().size(), 1U);
  client->send_text(R"({"type":"list","request":4,"data":{"session":"main"}})");
  EXPECT_EQ(client->expect("terminals").at("data").at("terminals").as_array().size(), 0U);

  client->send_text(
      R"({"type":"session_rename","request":5,"data":{"name":"ops","newName":"deploy"}})");
  EXPECT_EQ(other->expect("session_renamed").at("data").at("newName").as_string(), "deploy");
  client->send_text(R"({"type":"session_close","request":6,"data":{"name":"deploy"}})");
  EXPECT_EQ(other->expect("closed").at("data").at("terminalId").as_string(), "t1");
  EXPECT_EQ(client->expect("session_closed").at("request").as_int64(), 6);
  client->send_text(R"({"type":"sessions","request":7})");
  EXPECT_EQ(client->expect("sessions").at("data").at("sessions").as_array().size(), 1U);
}

TEST_F(NativeSessionsTest, SurviveTheDaemonWithTheirNames) {
  start();
  {
    const auto client = connect();
    client->send_text(R"({"type":"session_create","data":{"name":"ops"}})");
    client->send_text(R"({"type":"create","data":{"terminalId":"t1","session":"ops"}})");
    client->expect("created");
    client->send_text(R"({"type":"session_rename","data":{"name":"ops","newName":"deploy"}})");
    client->expect("session_renamed");
  }
  kill_daemon();
  start();
  const auto client = connect();
  client->send_text(R"({"type":"list","data":{"session":"deploy"}})");
  EXPECT_EQ(client->expect("terminals").at("data").at("terminals").as_array().size(), 1U);
}

TEST_F(NativeSessionsTest, WhatCannotBeIsRefused) {
  start();
  const auto client = connect();
  const std::pair<const char*, const char*> cases[] = {
      {R"({"type":"list","data":{"session":"none"}})", "not_found"},
      {R"({"type":"create","data":{"session":"none"}})", "not_found"},
      {R"({"type":"session_rename","data":{"name":"none","newName":"x"}})", "not_found"},
      {R"({"type":"session_close","data":{"name":"none"}})", "not_found"},
      {R"({"type":"session_create","data":{"name":"main"}})", "already_exists"},
      {R"({"type":"session_create","data":{"name":"two words"}})", "invalid_argument"},
  };
  for (const auto& [message, code] : cases) {
    client->send_text(message);
    EXPECT_EQ(code_of(client->expect("error")), code) << message;
  }
}

TEST_F(NativeSessionsTest, AreTheirUsersAlone) {
  start();
  const auto ada = connect(token_of("ada"));
  const auto bob = connect(token_of("bob"));
  ada->send_text(R"({"type":"session_create","request":1,"data":{"name":"secret"}})");
  ada->expect("session_created");
  bob->send_text(R"({"type":"session_close","request":2,"data":{"name":"secret"}})");
  EXPECT_EQ(code_of(bob->expect("error")), "not_found");
  bob->send_text(R"({"type":"sessions","request":3})");
  const auto listed = bob->expect("sessions");
  EXPECT_EQ(json::serialize(listed).find("secret"), std::string::npos);
}

TEST_F(NativeSessionsTest, ATerminalTellsWhatRunsInItsForeground) {
  start();
  const auto client = connect();
  client->send_text(
      R"({"type":"create","data":{"terminalId":"t1","command":["/bin/bash","--norc"]}})");
  client->expect("created");
  client->send_text(R"({"type":"attach","data":{"terminalId":"t1"}})");
  const auto channel =
      static_cast<std::uint32_t>(client->expect("attached").at("data").at("channel").as_int64());
  const auto foreground = [&] {
    client->send_text(R"({"type":"list"})");
    return client->expect("terminals").at("data").at("terminals").as_array()[0].as_object();
  };
  EXPECT_TRUE(eventually([&] { return foreground().contains("process"); }));
  EXPECT_FALSE(foreground().contains("busy"));
  client->send_binary(input_frame(channel, "sleep 300\r"));
  EXPECT_TRUE(eventually([&] {
    const auto now = foreground();
    return now.contains("busy") && now.at("process").as_string() == "sleep";
  })) << "a fork has the shell's name until it becomes the program";
}

}  // namespace
}  // namespace e2e
