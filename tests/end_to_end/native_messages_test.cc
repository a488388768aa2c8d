// The native protocol: events, themes, and every mistake (docs/protocol.md).

#include <array>

#include "end_to_end/native_fixture.h"

namespace e2e {
namespace {

class NativeMessagesTest : public NativeTest {};

// --- who is meant

// A client that shows terminals knows their ids. If a name or the beginning of an id counted too,
// it would change another terminal than the one that was closed a moment before.
TEST_F(NativeMessagesTest, ATerminalIsMeantByItsWholeId) {
  serve();
  NativePeer peer = native_peer();
  peer.ask("create", terminal("t1-long", {"/bin/cat"}));
  peer.ask("rename", {{"terminalId", "t1-long"}, {"name", "build"}});
  for (const char* other : {"t1", "build", "main:build"}) {
    EXPECT_EQ(peer.refused("rename", {{"terminalId", other}, {"name", "x"}}), "not_found") << other;
    EXPECT_EQ(peer.refused("close", {{"terminalId", other}}), "not_found") << other;
    EXPECT_EQ(peer.refused("restore", {{"terminalId", other}}), "not_found") << other;
    EXPECT_EQ(peer.refused("attach", {{"terminalId", other}}), "not_found") << other;
    EXPECT_EQ(peer.refused("commands_of", {{"terminalId", other}}), "not_found") << other;
    EXPECT_EQ(peer.refused("reorder", {{"terminalIds", json::array{other}}}), "not_found") << other;
  }
  EXPECT_EQ(terminal_ids(peer), (Strings{"t1-long"}));
}

// --- the commands of a shell

TEST_F(NativeMessagesTest, TheCommandsOfAShellAreTold) {
  serve();
  NativePeer peer = native_peer();
  peer.ask("create", terminal("t1", {"/bin/bash"}));
  const auto told = [&](json::object data = {}) {
    data["terminalId"] = "t1";
    return peer.ask("commands_of", std::move(data)).at("data").as_object();
  };
  const auto reaches = [&](std::size_t count) {
    const json::object now = told();
    return string_at(now, "state") == "prompt" && now.at("commands").as_array().size() == count;
  };
  ASSERT_TRUE(eventually([&] { return reaches(0); }));
  peer.ask("send", {{"terminalId", "t1"}, {"text", "cd /usr"}, {"enter", true}});
  ASSERT_TRUE(eventually([&] { return reaches(1); }));
  peer.ask("send", {{"terminalId", "t1"}, {"text", "(exit 7)"}, {"enter", true}});
  ASSERT_TRUE(eventually([&] { return reaches(2); }));
  const json::array all = told().at("commands").as_array();
  const json::object& last = all.back().as_object();
  EXPECT_EQ(string_at(all.front().as_object(), "text"), "cd /usr");
  EXPECT_EQ(string_at(last, "text"), "(exit 7)");
  EXPECT_EQ(string_at(last, "directory"), "/usr");
  EXPECT_EQ(last.at("exitCode").to_number<int>(), 7);
  EXPECT_LT(last.at("start").to_number<std::uint64_t>(), last.at("end").to_number<std::uint64_t>());
  EXPECT_TRUE(last.at("startedAt").is_string());
  EXPECT_TRUE(last.at("endedAt").is_string());

  const json::array newest{last};
  EXPECT_EQ(told({{"limit", 1}}).at("commands"), newest);
  EXPECT_EQ(told({{"since", all.front().at("end")}}).at("commands"), newest);
  EXPECT_TRUE(told({{"since", last.at("end")}}).at("commands").as_array().empty());

  peer.ask("send", {{"terminalId", "t1"}, {"text", "cat"}, {"enter", true}});
  ASSERT_TRUE(eventually([&] { return string_at(told(), "state") == "running"; }));
  const json::object running = told().at("commands").as_array().back().as_object();
  EXPECT_EQ(string_at(running, "text"), "cat");
  EXPECT_TRUE(running.at("end").is_null());
  EXPECT_TRUE(running.at("exitCode").is_null());
}

// --- events

TEST_F(NativeMessagesTest, OtherConnectionsOfTheUserHearOfEverything) {
  serve();
  NativePeer actor = native_peer();
  NativePeer other = native_peer();
  actor.ask("create", script("t1", "read x; exit 3"));
  EXPECT_EQ(string_at(other.event("created").at("data").at("terminal").as_object(), "terminalId"),
            "t1");
  actor.ask("create", script("t2", "read x"));
  other.event("created");

  auto answer = actor.ask("rename", {{"terminalId", "t1"}, {"name", "deploy"}});
  EXPECT_EQ(string_at(answer, "type"), "renamed");
  EXPECT_EQ(data_text(other.event("renamed"), "name"), "deploy");

  answer = actor.ask("reorder", {{"terminalIds", json::array{"t2"}}});
  EXPECT_EQ(answer.at("data").at("terminalIds"), (json::array{"t2", "t1"}));
  EXPECT_EQ(other.event("reordered").at("data").at("terminalIds"), (json::array{"t2", "t1"}));
  EXPECT_EQ(terminal_ids(other), (Strings{"t2", "t1"}));

  const auto channel = actor.attach("t1");
  actor.type(channel, "\r");
  EXPECT_EQ(data_number(other.event("exited"), "exitCode"), 3);
  EXPECT_EQ(data_text(actor.event("exited"), "terminalId"), "t1");

  answer = actor.ask("close", {{"terminalId", "t1"}});
  EXPECT_EQ(string_at(answer, "type"), "closed");
  EXPECT_EQ(data_text(answer, "reason"), "user_requested");
  EXPECT_EQ(data_number(answer, "exitCode"), 3);
  EXPECT_EQ(data_text(actor.event("detached"), "reason"), "closed");
  EXPECT_EQ(data_text(other.event("closed"), "terminalId"), "t1");
  EXPECT_TRUE(event_types(actor).empty()) << "who asked gets the answer, not the event too";
  EXPECT_TRUE(event_types(other).empty()) << "everything is told once";
}

TEST_F(NativeMessagesTest, WhatOtherProtocolsDoIsToldToo) {
  serve();
  NativePeer peer = native_peer();
  const auto client = compatible();
  create(*client, "a1");
  peer.event("created");
  client->send(message("rename_session", {{"sessionId", "a1"}, {"name", "x"}}));
  peer.event("renamed");
  client->send(message("close_session", {{"sessionId", "a1"}}));
  EXPECT_EQ(data_text(peer.event("closed"), "reason"), "user_requested");
}

// A terminal of the single protocol is its connection's own affair. Its end used to be told to all
// the user's connections, which had never heard of it.
TEST_F(NativeMessagesTest, ATerminalThatEndsWithItsConnectionIsNobodyElsesNews) {
  serve();
  NativePeer peer = native_peer();
  {
    const auto alone = single();
    alone->expect("session");
    ASSERT_EQ(health().at("terminals").at("active").as_int64(), 1);
    EXPECT_TRUE(terminal_ids(peer).empty());
  }
  ASSERT_TRUE(eventually([&] { return health().at("viewers").as_int64() == 0; }));
  ASSERT_TRUE(eventually([&] { return children_of(keeper_pid()).empty(); }));
  EXPECT_TRUE(event_types(peer).empty());
}

TEST_F(NativeMessagesTest, TheOrderOutlivesTheDaemon) {
  serve();
  {
    NativePeer peer = native_peer();
    for (const char* id : {"a", "b", "c"}) peer.ask("create", script(id, "read x"));
    peer.ask("reorder", {{"terminalIds", json::array{"c", "a"}}});
    peer.ask("rename", {{"terminalId", "b"}, {"name", "second"}});
  }
  kill_daemon();
  serve();
  NativePeer peer = native_peer();
  EXPECT_EQ(terminal_ids(peer), (Strings{"c", "a", "b"}));
  const auto answer = peer.ask("list");
  EXPECT_EQ(answer.at("data").at("terminals").as_array()[2].at("name").as_string(), "second");
}

// --- themes

// Asks the terminal for a colour and prints the answer, readable.
const std::string kAsk =
    "stty raw -echo; while :; do c=$(head -c 2); printf '\\033]%s;?\\033\\\\' \"$c\"; "
    "a=$(head -c 25); printf '<%s>' \"$(printf %s \"$a\" | tr -d '\\033\\\\')\"; done";

TEST_F(NativeMessagesTest, ProgramsAreToldTheColoursOfWhoControlsTheirTerminal) {
  serve();
  NativePeer first = native_peer();
  first.tell("theme", {{"foreground", "#112233"}, {"background", "#445566"}});
  first.ask("create", script("t1", kAsk));
  const auto channel = first.attach("t1", {{"since", 0}});
  first.type(channel, "10");
  (void)first.output_until(channel, "<]10;rgb:1111/2222/3333>");
  first.type(channel, "11");
  (void)first.output_until(channel, "<]11;rgb:4444/5555/6666>");

  // A view-only client has no say.
  NativePeer second = native_peer();
  second.tell("theme", {{"foreground", "#aabbcc"}});
  const auto view = second.attach("t1", {{"role", "view"}});
  first.type(channel, "10");
  (void)first.output_until(channel, "<]10;rgb:1111/2222/3333>");
  // Who comes to control has.
  second.ask("role", {{"channel", view}, {"role", "control"}});
  second.type(view, "10");
  (void)second.output_until(view, "<]10;rgb:aaaa/bbbb/cccc>");
  // And the first again once it types.
  first.type(channel, "10");
  (void)first.output_until(channel, "<]10;rgb:1111/2222/3333>");
}

// Clients of the other protocols have no message for it.
TEST_F(NativeMessagesTest, ColoursMayStandInTheAddress) {
  serve();
  NativePeer peer = native_peer();
  peer.ask("create", script("t1", kAsk));
  WebSocketClient client(port(), "/terminal/ws/multi?foreground=112233&background=%23445566",
                         bearer(token()));
  client.send(reattach("t1"));
  client.expect("scrollback");
  client.send(input("t1", "11"));
  (void)output_until(client, "<]11;rgb:4444/5555/6666>");
  client.send(input("t1", "10"));
  (void)output_until(client, "<]10;rgb:1111/2222/3333>");
  EXPECT_EQ(upgrade_status(port(), "/terminal/ws/multi?cursor=red", bearer(token())), 400);
}

// --- errors

TEST_F(NativeMessagesTest, EveryMistakeIsAnsweredWithItsCodeAndTheConnectionGoesOn) {
  serve();
  NativePeer peer = native_peer();
  peer.ask("create", terminal("t1"));
  const auto channel = peer.attach("t1");
  const struct {
    const char* sent;
    const char* code;
  } cases[] = {
      {"", "malformed"},
      {"{", "malformed"},
      {"[]", "malformed"},
      {"{}", "malformed"},
      {R"({"type":1})", "malformed"},
      {R"({"type":"ping","data":7})", "malformed"},
      {R"({"type":"ping","request":{}})", "malformed"},
      {R"({"type":"ping","request":1.5})", "malformed"},
      {R"({"type":"frobnicate"})", "unsupported"},
      {R"({"type":"session_open"})", "unsupported"},
      {R"({"type":"nothing_of_the_kind"})", "unsupported"},
      {R"({"type":"create","data":{"terminalId":"t1"}})", "already_exists"},
      {R"({"type":"create","data":{"terminalId":"-"}})", "invalid_argument"},
      {R"({"type":"create","data":{"rows":0}})", "invalid_argument"},
      {R"({"type":"create","data":{"rows":501}})", "invalid_argument"},
      {R"({"type":"create","data":{"cols":"80"}})", "invalid_argument"},
      {R"({"type":"create","data":{"command":"ls"}})", "invalid_argument"},
      {R"({"type":"create","data":{"command":[7]}})", "invalid_argument"},
      {R"({"type":"create","data":{"env":{"A-B":"x"}}})", "invalid_argument"},
      {R"({"type":"create","data":{"env":{"A":7}}})", "invalid_argument"},
      {R"({"type":"create","data":{"name":"a\nb"}})", "invalid_argument"},
      {R"({"type":"attach"})", "invalid_argument"},
      {R"({"type":"attach","data":{"terminalId":"none"}})", "not_found"},
      {R"({"type":"attach","data":{"terminalId":"t1","role":"boss"}})", "invalid_argument"},
      {R"({"type":"attach","data":{"terminalId":"t1","window":7}})", "invalid_argument"},
      {R"({"type":"attach","data":{"terminalId":"t1","window":67108865}})", "invalid_argument"},
      {R"({"type":"attach","data":{"terminalId":"t1","lossless":"yes"}})", "invalid_argument"},
      {R"({"type":"attach","data":{"terminalId":"t1","since":-4}})", "invalid_argument"},
      {R"({"type":"detach","data":{"channel":77}})", "not_found"},
      {R"({"type":"detach","data":{"channel":0}})", "invalid_argument"},
      {R"({"type":"detach"})", "invalid_argument"},
      {R"({"type":"resize","data":{"channel":77,"rows":3,"cols":3}})", "not_found"},
      {R"({"type":"resize","data":{"channel":1,"rows":3}})", "invalid_argument"},
      {R"({"type":"resize","data":{"channel":1,"rows":3,"cols":501}})", "invalid_argument"},
      {R"({"type":"focus","data":{"channel":77}})", "not_found"},
      {R"({"type":"role","data":{"channel":77,"role":"view"}})", "not_found"},
      {R"({"type":"role","data":{"channel":1}})", "invalid_argument"},
      {R"({"type":"theme","data":{"foreground":"red"}})", "invalid_argument"},
      {R"({"type":"theme","data":{"palette":["#000000"]}})", "invalid_argument"},
      {R"({"type":"rename","data":{"terminalId":"none","name":"x"}})", "not_found"},
      {R"({"type":"rename","data":{"terminalId":"t1"}})", "invalid_argument"},
      {R"({"type":"reorder","data":{"terminalIds":["t1","t1"]}})", "invalid_argument"},
      {R"({"type":"reorder","data":{"terminalIds":["none"]}})", "not_found"},
      {R"({"type":"reorder"})", "invalid_argument"},
      {R"({"type":"close","data":{"terminalId":"none"}})", "not_found"},
      {R"({"type":"close"})", "invalid_argument"},
  };
  for (const auto& each : cases) {
    peer.socket().send_text(each.sent);
    peer.ask("ping");
    const auto said = peer.events();
    // `close` is answered when it is done.
    const auto error = said.empty() ? peer.event("error") : said.front();
    EXPECT_EQ(data_text(error, "code"), each.code) << each.sent << json::serialize(error);
    EXPECT_NE(data_text(error, "error"), "") << each.sent;
  }
  peer.type(channel, "echo $((6*7))\r");
  (void)peer.output_until(channel, "42");
}

TEST_F(NativeMessagesTest, FramesThatCannotBeAreAnsweredAndTheConnectionGoesOn) {
  serve();
  NativePeer peer = native_peer();
  peer.ask("create", terminal("t1"));
  const auto channel = peer.attach("t1");
  const auto frame = [&](char kind, std::uint32_t on) {
    std::string bytes = input_frame(on, "x");
    bytes[0] = kind;
    return bytes;
  };
  const std::vector<std::pair<std::string, std::string>> cases{
      {"", "malformed"},
      {input_frame(channel, "").substr(0, 12), "malformed"},
      {frame(0, channel), "unsupported"},
      {frame(6, channel), "unsupported"},
      {frame(9, channel), "unsupported"},
      {input_frame(77, "x"), "not_found"},
      {ack_frame(77, 1), "not_found"},
  };
  for (const auto& [bytes, code] : cases) {
    peer.socket().send_binary(bytes);
    EXPECT_EQ(data_text(peer.event("error"), "code"), code);
  }
  for (const char kind : {1, 2}) {
    peer.socket().send_binary(frame(kind, channel));
    EXPECT_NE(data_text(peer.event("error"), "code"), "") << "a server's kind";
  }
  peer.type(channel, "echo $((6*7))\r");
  (void)peer.output_until(channel, "42");
}

TEST_F(NativeMessagesTest, APasteIsBracketedAndHasNoControls) {
  serve();
  NativePeer peer = native_peer();
  // `cat -v` shows what it is given; with the brackets asked for, and then without.
  peer.ask("create", script("t1",
                            "stty raw -echo; printf '\\033[?2004hon\\r\\n'; dd bs=1 count=23 "
                            "2>/dev/null | cat -v; printf '\\033[?2004loff\\r\\n'; cat -v"));
  const auto channel = peer.attach("t1");
  const auto paste = [&](std::string_view text, std::uint32_t following) {
    std::string bytes = input_frame(channel, text);
    bytes[0] = 5;
    for (std::size_t i = 0; i < 4; ++i) bytes[5 + i] = static_cast<char>(following >> (8 * i));
    peer.socket().send_binary(bytes);
  };
  (void)peer.output_until(channel, "on\r\n");
  paste("one\x1b[201~", 3);
  paste("two", 0);
  const std::string shown = peer.output_until(channel, "off\r\n");
  EXPECT_NE(shown.find("^[[200~one[201~two^[[201~"), std::string::npos) << shown;
  paste("plain\n", 0);
  (void)peer.output_until(channel, "plain^M");
  paste("a", 9'000'000);
  EXPECT_EQ(data_text(peer.event("error"), "code"), "too_large");
}

TEST_F(NativeMessagesTest, ARequestIsRepeatedAsItWasGiven) {
  serve();
  const auto client = native();
  client->expect("welcome");
  client->send_text(R"({"type":"ping","request":"r-1\u00e4"})");
  EXPECT_EQ(string_at(client->expect("pong"), "request"), "r-1ä");
  client->send_text(R"({"type":"ping","request":-7})");
  EXPECT_EQ(client->expect("pong").at("request").as_int64(), -7);
  client->send_text(R"({"type":"close","request":"c","data":{"terminalId":"none"}})");
  EXPECT_EQ(string_at(client->expect("error"), "request"), "c");
}

TEST_F(NativeMessagesTest, AProgramThatCannotBeRunCreatesNothing) {
  serve();
  NativePeer peer = native_peer();
  for (json::object request :
       {terminal("t1", {"/no/such/program"}), json::object{{"workDir", "/no/such/place"}}}) {
    const auto answer = peer.ask("create", request);
    EXPECT_EQ(string_at(answer, "type"), "error");
    EXPECT_NE(data_text(answer, "error").find("/no/such"), std::string::npos)
        << json::serialize(answer);
  }
  EXPECT_TRUE(terminal_ids(peer).empty());
}

// Terminal emulators differ in what they make of bytes that are no UTF-8, so they get none.
TEST_F(NativeMessagesTest, InputIsCarriedAsItIsAndOutputAsUtf8) {
  serve();
  NativePeer peer = native_peer();
  peer.ask("create", script("t1",
                            "stty raw -echo; printf 'a\\377\\303(\\200b'; head -c 4 | od "
                            "-An -tx1; read x"));
  const auto channel = peer.attach("t1", {{"since", 0}});
  (void)peer.output_until(channel, "a\ufffd\ufffd(\ufffdb");
  peer.type(channel, std::string("\x00\xff\xc3(", 4));
  (void)peer.output_until(channel, "00 ff c3 28");
}

}  // namespace
}  // namespace e2e
