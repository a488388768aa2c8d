// Every message of the native protocol, sent by everybody who is let in. Whoever has no credential
// is not: http_access_test.cc.

#include <map>

#include "access/message_access_fixture.h"
#include "wire/native.h"

namespace ways_in {
namespace {

// What is sent for each; $T, $S and $C stand for the owner's terminal and session, and for the
// asker's channel to that terminal, if there can be one. `answer` is what the owner is told where
// there is nothing that could be done.
struct NativeCase {
  std::string data;
  std::string answer{};
};

const std::map<std::string, NativeCase> kNative{
    {"list", {R"({})"}},
    {"sessions", {R"({})"}},
    {"ping", {R"({})"}},
    {"attach", {R"({"terminalId":"$T"})"}},
    {"detach", {R"({"channel":$C})"}},
    {"resize", {R"({"channel":$C,"rows":24,"cols":80})"}},
    {"focus", {R"({"channel":$C})"}},
    {"hide", {R"({"channel":$C})"}},
    {"show", {R"({"channel":$C})"}},
    {"role", {R"({"channel":$C,"role":"control"})"}},
    {"theme", {R"({"foreground":"#ffffff"})"}},
    {"create", {R"({"terminalId":"made"})"}},
    {"restore", {R"({"terminalId":"$T"})", "is alive"}},
    {"rename", {R"({"terminalId":"$T","name":"intruder"})"}},
    {"send", {R"({"terminalId":"$T","enter":true})"}},
    {"lease", {R"({"terminalId":"$T"})"}},
    {"release", {R"({"terminalId":"$T","lease":"none"})", "lease"}},
    {"reorder", {R"({"terminalIds":["$T"]})"}},
    {"close", {R"({"terminalId":"$T"})"}},
    {"commands_of", {R"({"terminalId":"$T"})"}},
    {"command_output", {R"({"terminalId":"$T","start":4711})", "no longer known"}},
    {"search", {R"({"pattern":"adas"})"}},
    {"notices", {R"({})"}},
    {"overview", {R"({"terminalIds":["$T"]})"}},
    {"session_create", {R"({"name":"made"})"}},
    {"session_rename", {R"({"name":"$S","newName":"intruder"})"}},
    {"session_close", {R"({"name":"$S"})"}},
    {"session_switch", {R"({"from":"$S","to":"$S"})"}},
    {"commands", {R"({"session":"$S"})"}},
    {"run", {R"({"session":"$S","line":"! echo done"})"}},
    {"tools", {R"({"session":"$S"})"}},
    {"tool", {R"({"session":"$S","name":"none","arguments":{}})", "none"}},
    {"cancel", {R"({"request":4711})"}},
    {"ui_answer", {R"({"id":"none","value":true})"}},
    {"resources", {R"({"session":"$S"})"}},
    {"resource_close", {R"({"session":"$S","extension":"none","key":"none"})", "none"}},
    {"agent_attach", {R"({"session":"$S","name":"intruder"})"}},
    {"agent_state", {R"({"session":"$S","state":{}})"}},
    {"agent_event", {R"({"session":"$S","name":"turn_start"})", "not the agent"}},
    {"agent_result", {R"({"session":"$S","id":"a1"})"}},
    {"agent_detach", {R"({"session":"$S"})", "not the agent"}},
    {"preferences", {R"({"session":"$S"})"}},
    {"preference_set", {R"({"session":"$S","name":"layout","value":1})"}},
};

class NativeAccessTest : public MessageAccessTest {
 protected:
  static std::string filled(std::string text, const Things& things, std::uint32_t channel) {
    const auto put = [&](const std::string& mark, const std::string& value) {
      for (auto at = text.find(mark); at != std::string::npos; at = text.find(mark))
        text.replace(at, mark.size(), value);
    };
    put("$T", things.terminal);
    put("$S", things.session);
    put("$C", std::to_string(channel));
    return text;
  }
  // The channel of an asker that may look; a number that is nobody's otherwise.
  static std::uint32_t channel_of(NativePeer& peer, const Things& things) {
    const auto attached = peer.ask("attach", {{"terminalId", things.terminal}});
    if (string_at(attached, "type") == "error") return 1;
    return static_cast<std::uint32_t>(data_number(attached, "channel"));
  }
  // Everything up to the answer, where one must come, and up to the answer to a ping.
  static Heard heard(NativePeer& peer, const std::string& what) {
    static const std::vector<std::string> kSilent{
        "hide",           "show",         "resize",        "focus",       "theme",
        "overview",       "cancel",       "ui_answer",     "agent_state", "agent_result",
        "frame 3, input", "frame 4, ack", "frame 5, paste"};
    const bool answers = std::ranges::find(kSilent, what) == kSilent.end();
    WebSocketClient& socket = peer.socket();
    if (!answers) socket.send(message("ping"));
    Heard all;
    while (auto frame = socket.receive()) {
      if (frame->binary) continue;
      const json::object each = frame->object();
      if (string_at(each, "type") == "pong" && !answers) return all;
      all.text += frame->data + "\n";
      all.is_refused = all.is_refused || refuses(each);
      if (answers && each.contains("request")) return all;
    }
    return all;
  }
  Heard send(const std::string& token, const std::string& what, const Things& things) {
    NativePeer peer = native_peer(token);
    const auto channel = channel_of(peer, things);
    if (what.starts_with("frame ")) {
      std::string frame = input_frame(channel, "echo intruder\r");
      frame[0] = static_cast<char>(what[6] - '0');
      peer.socket().send_binary(what[6] == '4' ? ack_frame(channel, 0) : frame);
    } else {
      peer.socket().send_text(R"({"type":")" + what + R"(","request":77,"data":)" +
                              filled(kNative.at(what).data, things, channel) + "}");
    }
    return heard(peer, what);
  }
};

TEST_F(NativeAccessTest, EveryMessage) {
  std::vector<std::string> names{"frame 3, input", "frame 4, ack", "frame 5, paste"};
  for (const std::string_view type : wire::native::types()) names.emplace_back(type);
  expect_rows("native protocol", names);
  for (const Row& row : rows_of("native protocol")) {
    EXPECT_EQ(row.nobody, Gets::no);
    Things things = make_things();
    const auto expect = [&](const std::string& token, Gets gets, const char* who) {
      SCOPED_TRACE(row.what + ", " + who);
      const Heard heard = send(token, row.what, things);
      const auto known = kNative.find(row.what);
      // Where there is nothing that could be done, whoever learns that was let in.
      if (gets != Gets::no && known != kNative.end() && !known->second.answer.empty()) {
        EXPECT_NE(heard.text.find(known->second.answer), std::string::npos) << heard.text;
      } else {
        EXPECT_EQ(heard.is_refused, gets == Gets::no) << heard.text;
      }
      return heard.text;
    };
    const std::string told = expect(other_, row.other, "another user");
    // What bob himself named is repeated to him, but nothing that only the owner knows.
    EXPECT_EQ(told.find("untouched"), std::string::npos) << row.what << ": " << told;
    if (row.other == Gets::own) {
      EXPECT_EQ(told.find("secret"), std::string::npos) << row.what << ": " << told;
    }
    expect(view_, row.view, "view");
    expect_scopes(row, things, expect);
    things = make_things();
    expect(owner_, row.owner, "the owner");
  }
}

// What happens beyond its scope reaches no client, whatever happens there.
TEST_F(NativeAccessTest, EventsStayWithinTheScope) {
  const Things things = make_things();
  const Things other = make_things();
  const Bound bound = bound_to(things);
  for (const std::string& token : {bound.terminal, bound.session}) {
    NativePeer peer = native_peer(token);
    NativePeer owner = native_peer(owner_);
    json::object there = terminal("event-" + std::to_string(++things_));
    there["session"] = other.session;
    owner.ask("create", there);
    owner.ask("rename", {{"terminalId", there.at("terminalId")}, {"name", "renamed"}});
    owner.ask("reorder", {{"terminalIds", {there.at("terminalId"), things.terminal}}});
    owner.ask("close", {{"terminalId", there.at("terminalId")}});
    owner.ask("session_create", {{"name", "made"}});
    owner.ask("session_rename", {{"name", "made"}, {"newName", "renamed"}});
    for (const json::object& whose : {json::object{{"session", other.session}}, json::object{}}) {
      json::object preference = whose;
      preference["name"] = "event-preference";
      preference["value"] = 1;
      owner.ask("preference_set", preference);
    }
    owner.ask("session_close", {{"name", "renamed"}});
    owner.ask("rename", {{"terminalId", things.terminal}, {"name", "untouched"}});
    std::string told;
    for (std::string type; type != "renamed";) {
      const auto frame = peer.socket().receive();
      ASSERT_TRUE(frame);
      type = string_at(frame->object(), "type");
      told += frame->data + "\n";
    }
    EXPECT_EQ(told.find("event-"), std::string::npos) << told;
    EXPECT_EQ(told.find("made"), std::string::npos) << told;
    EXPECT_EQ(told.find(other.terminal), std::string::npos) << told;
    EXPECT_NE(told.find(things.terminal), std::string::npos) << told;
  }
}

// Sessions have other names for it than `session` in messages: command bar and home session.
TEST_F(NativeAccessTest, ASessionsTokenStaysInItsSession) {
  const Things things = make_things();
  const Things other = make_things();
  NativePeer peer(native(bound_to(things).session));
  const auto welcome = peer.event("welcome");
  EXPECT_EQ(data_text(welcome, "session"), things.session);
  EXPECT_EQ(data_text(welcome, "bounds"), "sessions");
  const auto made = peer.ask("create", terminal("without-a-session"));
  EXPECT_NE(json::serialize(made).find(things.session), std::string::npos);
  for (const std::string& line : {std::string("/new more"), "/switch " + other.session}) {
    const auto answer = peer.ask("run", {{"session", things.session}, {"line", line}});
    EXPECT_NE(data_text(answer, "error"), "") << line;
  }
  json::object elsewhere = terminal("elsewhere");
  for (const std::string& session : {other.session, std::string("main")}) {
    elsewhere["session"] = session;
    EXPECT_EQ(data_text(peer.ask("create", elsewhere), "code"), "not_found") << session;
  }
  EXPECT_EQ(data_text(peer.ask("create", terminal(other.terminal)), "code"), "already_exists");
  EXPECT_EQ(data_text(peer.ask("session_switch", {{"from", things.session}, {"to", other.session}}),
                      "code"),
            "not_found");
  EXPECT_EQ(data_text(peer.ask("preferences", {{"session", other.session}}), "code"), "not_found");
  EXPECT_EQ(data_text(peer.ask("preferences"), "code"), "permission_denied");
  EXPECT_EQ(data_text(peer.ask("preference_set", {{"name", "theme"}, {"value", 1}}), "code"),
            "permission_denied");
  expect_untouched(other, "a session's token");
}

// Of all 256 kinds of frames only those of the table are taken.
TEST_F(NativeAccessTest, EveryOtherFrameIsRefused) {
  NativePeer owner = native_peer(owner_);
  const auto channel = owner.attach(make_things().terminal);
  for (int kind = 0; kind < 256; ++kind) {
    if (kind >= 3 && kind <= 5) continue;
    std::string frame = input_frame(channel, "echo intruder\r");
    frame[0] = static_cast<char>(kind);
    owner.socket().send_binary(frame);
    EXPECT_EQ(string_at(owner.event("error"), "type"), "error") << kind;
  }
}

}  // namespace
}  // namespace ways_in
