// What a client meets that uses more than its share: it is told so in its own protocol, it is
// counted, and nobody else notices.

#include <sys/socket.h>

#include <fstream>
#include <optional>

#include "end_to_end/protocol_fixture.h"
#include "end_to_end/raw_connection.h"

namespace e2e {
namespace {

class LimitsTest : public ProtocolTest {
 protected:
  // How often a limit was met, as /metrics tells it.
  int limited(const std::string& limit) {
    const std::string metrics = get("/metrics", bearer(token())).body;
    const std::string sample = "holdfast_limited_total{limit=\"" + limit + "\"} ";
    const auto found = metrics.find("\n" + sample);
    return found == std::string::npos ? -1 : std::stoi(metrics.substr(found + 1 + sample.size()));
  }
  // Sends pings until the connection takes no more.
  static void flood(WebSocketClient& client) {
    try {
      for (int i = 0; i < 200 && !client.is_closed(); ++i) client.send(message("ping"));
    } catch (const std::exception&) {  // Closed while it was being written.
    }
  }
};

const std::vector<std::string> kSlow{"--message-rate-limit", "1", "--message-burst-limit", "20"};

TEST_F(LimitsTest, EveryLimitIsCountedFromTheBeginning) {
  serve();
  for (const char* limit :
       {"message_size", "message_rate", "user_connection", "address_connection", "user_terminal",
        "failed_sign_in", "handshake_time", "viewer", "send", "input", "request_rate"})
    EXPECT_EQ(limited(limit), 0) << limit;
}

TEST_F(LimitsTest, TooManyMessagesOnTheCompatibleProtocol) {
  serve(kSlow);
  const auto staying = compatible();
  create(*staying, "a1");
  const auto client = compatible();
  flood(*client);
  const auto refusal = client->expect("error");
  EXPECT_EQ(data_text(refusal, "error"), "too many messages");
  EXPECT_EQ(data_text(refusal, "details"), "1 messages per second, 20 at once");
  EXPECT_EQ(client->close_code(), 1008);
  EXPECT_EQ(limited("message_rate"), 1);
  type(*staying, "a1", "echo $((6*7))", "42");
}

TEST_F(LimitsTest, TooManyMessagesOnTheSingleProtocol) {
  serve(kSlow);
  const auto client = single();
  flood(*client);
  EXPECT_EQ(data_text(client->expect("error"), "error"), "too many messages");
  EXPECT_EQ(client->close_code(), 1008);
}

TEST_F(LimitsTest, TooManyMessagesOnTheNativeProtocol) {
  serve(kSlow);
  const auto client = native();
  flood(*client);
  EXPECT_EQ(data_text(client->expect("error"), "code"), "too_large");
  EXPECT_EQ(client->close_code(), 1008);
}

TEST_F(LimitsTest, WhatAPersonTypesMeetsNoLimit) {
  serve();
  const auto client = compatible();
  create(*client, "a1");
  for (int i = 0; i < 1000; ++i) client->send(input("a1", " "));
  type(*client, "a1", "echo $((6*7))", "42");
  EXPECT_EQ(limited("message_rate"), 0);
}

TEST_F(LimitsTest, TheSizeOfAMessageIsASetting) {
  serve({"--message-size-limit", "4 KiB"});
  const auto client = compatible();
  client->send(message("ping", {{"x", std::string(4000, 'x')}}));
  client->expect("pong");
  client->send(message("ping", {{"x", std::string(4096, 'x')}}));
  EXPECT_EQ(client->close_code(), 1009);
  EXPECT_TRUE(eventually([&] { return limited("message_size") == 1; }));
}

TEST_F(LimitsTest, ConnectionsOfAUser) {
  serve({"--user-connection-limit", "3"});
  const std::string ada = token_of("ada");
  std::vector<std::unique_ptr<WebSocketClient>> clients;
  clients.push_back(compatible());
  clients.push_back(native());
  clients.push_back(single());
  for (const char* path : {"/terminal/ws/multi", "/terminal/ws", "/ws"})
    EXPECT_EQ(upgrade_status(port(), path, bearer(token()), "holdfast.v1"), 429) << path;
  EXPECT_EQ(limited("user_connection"), 3);
  EXPECT_NE(compatible(ada), nullptr) << "another user's are counted apart";
  clients.pop_back();
  EXPECT_TRUE(eventually([&] {
    return upgrade_status(port(), "/terminal/ws/multi", bearer(token())) == 101;
  })) << "a place that was given up is free again";
}

TEST_F(LimitsTest, ConnectionsFromAnAddress) {
  serve({"--address-connection-limit", "3"});
  std::vector<std::unique_ptr<WebSocketClient>> clients;
  for (int i = 0; i < 3; ++i) clients.push_back(compatible());
  EXPECT_EQ(upgrade_status(port(), "/terminal/ws/multi", bearer(token())), 429);
  EXPECT_EQ(get("/health").status, 200) << "only WebSockets are counted";
  clients.clear();
  EXPECT_TRUE(eventually(
      [&] { return upgrade_status(port(), "/terminal/ws/multi", bearer(token())) == 101; }));
  EXPECT_GE(limited("address_connection"), 1);
}

// Also the requests for WebSockets; who was let in is not counted any more.
TEST_F(LimitsTest, RequestsOfAnAddress) {
  serve({"--request-rate-limit", "2"});
  const auto client = compatible();
  create(*client, "a1");
  HttpResponse last;
  for (int i = 0; i < 20 && last.status != 429; ++i) last = get("/health");
  EXPECT_EQ(last.status, 429);
  EXPECT_EQ(last.header("Retry-After"), "1");
  EXPECT_NE(last.body.find("request_rate_limit"), std::string::npos);
  type(*client, "a1", "echo $((6*7))", "42");
  EXPECT_TRUE(eventually([&] { return get("/health").status == 200; }));
  EXPECT_TRUE(eventually([&] { return limited("request_rate") > 0; }));
}

TEST_F(LimitsTest, TerminalsOfAUser) {
  serve({"--user-terminal-limit", "2"});
  const auto client = compatible();
  create(*client, "a1");
  create(*client, "a2");
  const auto refusal = refused(*client, create_session("a3"));
  EXPECT_EQ(refusal.error, "too many sessions");
  EXPECT_NE(refusal.details.find("2 running terminals"), std::string::npos) << refusal.details;
  EXPECT_EQ(native_peer().refused("create"), "too_large");
  const auto alone = single();
  EXPECT_EQ(data_text(alone->expect("error"), "error"), "cannot create session");
  EXPECT_EQ(limited("user_terminal"), 3);
  create(*compatible(token_of("ada")), "b1");
  type(*client, "a1", "exit", "");
  client->expect("session_closed");
  create(*client, "a3");
}

TEST_F(LimitsTest, ViewersOfAConnection) {
  serve({"--viewer-limit", "2"});
  NativePeer peer = native_peer();
  peer.ask("create", {{"terminalId", "a1"}});
  const auto first = peer.attach("a1");
  (void)peer.attach("a1");
  EXPECT_EQ(peer.refused("attach", {{"terminalId", "a1"}}), "too_large");
  EXPECT_EQ(limited("viewer"), 1);
  peer.ask("detach", {{"channel", first}});
  (void)peer.attach("a1");
}

// One that asks again and again and never reads is not listened to; one that has others send to it
// is sent away.
TEST_F(LimitsTest, AClientThatNeverReads) {
  serve({"--send-limit", "1 MiB", "--message-rate-limit", "1000000", "--message-burst-limit",
         "1000000"});
  const auto deaf = native();
  deaf->expect("welcome");
  const int smallest = 4096;
  ::setsockopt(deaf->native_handle(), SOL_SOCKET, SO_RCVBUF, &smallest, sizeof smallest);
  NativePeer busy = native_peer();
  busy.ask("create", {{"terminalId", "a1"}});
  const std::string name(50, 'x');
  EXPECT_TRUE(eventually(
      [&] {
        for (int i = 0; i < 500; ++i)
          busy.tell("rename", {{"terminalId", "a1"}, {"name", name.substr(i % 50)}});
        (void)busy.events();
        return limited("send") == 1;
      },
      seconds(120)));
  EXPECT_EQ(get("/health").status, 200);
}

TEST_F(LimitsTest, InputThatNobodyReads) {
  serve({"--input-limit", "4 KiB"});
  const auto client = compatible();
  create(*client, "a1");
  type(*client, "a1", "stty raw -echo; echo rea''dy; sleep 1000", "ready");
  std::optional<json::object> refusal;
  for (int i = 0; i < 100 && !refusal; ++i) {
    client->send(input("a1", std::string(4000, 'x')));
    for (const auto& each : until_pong(*client))
      if (string_at(each, "type") == "error") refusal = each;
  }
  ASSERT_TRUE(refusal);
  EXPECT_EQ(data_text(*refusal, "error"), "input refused");
  EXPECT_GE(limited("input"), 1);
}

// --- failed sign-ins

TEST_F(LimitsTest, FailedSignInsBarTheAddress) {
  serve({"--failed-sign-in-limit", "5"});
  for (int i = 0; i < 20; ++i)
    EXPECT_EQ(get("/metrics").status, 401) << "who shows nothing has not failed";
  for (int i = 0; i < 5; ++i) EXPECT_EQ(get("/metrics", bearer("wrong")).status, 401);
  const auto barred = get("/metrics", bearer("wrong"));
  EXPECT_EQ(barred.status, 429);
  const int wait = std::stoi(barred.header("Retry-After"));
  EXPECT_TRUE(wait > 30 && wait <= 60) << wait;
  for (const char* path : {"/terminal/ws/multi", "/terminal/ws", "/ws"})
    EXPECT_EQ(upgrade_status(port(), path, bearer("wrong"), "holdfast.v1"), 429) << path;
  EXPECT_EQ(get("/metrics", bearer(token())).status, 200)
      << "nobody can lock out those who have a token";
  EXPECT_EQ(get("/health").status, 200);
  EXPECT_EQ(limited("failed_sign_in"), 4);
  EXPECT_TRUE(logged("Sign-in failed address=127.0.0.1"));
  EXPECT_EQ(log().find("wrong"), std::string::npos) << "what was shown is not logged";
}

// --- slow ones

TEST_F(LimitsTest, ARequestThatNeverEnds) {
  serve({"--handshake-time-limit", "0.3"});
  RawConnection slow(port());
  slow.send("GET /health HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port()) + "\r\nX: ");
  EXPECT_TRUE(slow.is_ended()) << "the connection is closed, though bytes come";
  EXPECT_EQ(limited("handshake_time"), 1);
}

TEST_F(LimitsTest, SessionsOfAUser) {
  serve({"--user-session-limit", "3"});
  NativePeer peer = native_peer();
  const auto create = [&](const std::string& name) {
    return peer.ask("session_create", {{"name", name}});
  };
  EXPECT_EQ(string_at(create("a"), "type"), "session_created");
  EXPECT_EQ(string_at(create("b"), "type"), "session_created");
  const auto refused = create("c");
  EXPECT_EQ(data_text(refused, "code"), "too_large");
  EXPECT_NE(data_text(refused, "error").find("user_session_limit"), std::string::npos);
  WebSocketClient compatible(port(), "/terminal/ws/multi?session=c", bearer(token()));
  compatible.send(create_session("t"));
  const auto error = compatible.expect("error");
  EXPECT_EQ(data_text(error, "error"), "too many sessions");
  EXPECT_NE(data_text(error, "details").find("user_session_limit"), std::string::npos);
  EXPECT_EQ(string_at(peer.ask("session_close", {{"name", "a"}}), "type"), "session_closed");
  EXPECT_EQ(string_at(create("c"), "type"), "session_created");
}

TEST_F(LimitsTest, ShellCommandsOfAUser) {
  serve({"--user-command-limit", "1"});
  NativePeer peer = native_peer();
  NativePeer other = native_peer();
  const std::filesystem::path go = dir() / "go";
  peer.socket().send_text(json::serialize(json::object{
      {"type", "run"},
      {"request", 7},
      {"data",
       {{"session", "main"}, {"line", "! until [ -e " + go.string() + " ]; do :; done"}}}}));
  const auto run = [&] { return other.ask("run", {{"session", "main"}, {"line", "! true"}}); };
  const auto is_refused = [&] {
    return json::serialize(run()).find("user_command_limit") != std::string::npos;
  };
  EXPECT_TRUE(eventually(is_refused));
  std::ofstream(go) << "";
  EXPECT_TRUE(eventually([&] { return !is_refused(); }));
}

}  // namespace
}  // namespace e2e
