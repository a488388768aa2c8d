// Every message of the three protocols, sent by everybody who is let in. Whoever has no credential
// is not: http_access_test.cc.

#include <map>

#include "access/access_table.h"
#include "end_to_end/native_fixture.h"
#include "wire/compatible.h"
#include "wire/native.h"
#include "wire/single.h"

namespace ways_in {
namespace {

using namespace e2e;

class MessageAccessTest : public NativeTest {
 protected:
  void SetUp() override {
    NativeTest::SetUp();
    serve();
    other_ = token_of("bob");
    owner_ = token_of("ada");
    const auto made = run({"token", "new", "--user", "ada", "--view"});
    view_ = made.output.substr(0, made.output.size() - 1);
  }

  // The owner's things that a row is about. They are made anew for each.
  struct Things {
    std::string session;
    std::string terminal;
  };
  Things make_things() {
    const std::string number = std::to_string(++things_);
    Things things{.session = "secret-session-" + number, .terminal = "secret-terminal-" + number};
    NativePeer owner = native_peer(owner_);
    owner.ask("session_create", {{"name", things.session}});
    json::object wanted = terminal(things.terminal);
    wanted["session"] = things.session;
    owner.ask("create", std::move(wanted));
    owner.ask("rename", {{"terminalId", things.terminal}, {"name", "untouched"}});
    return things;
  }
  void expect_untouched(const Things& things, const std::string& what) {
    NativePeer owner = native_peer(owner_);
    const auto listed = owner.ask("list", {{"session", things.session}});
    EXPECT_EQ(string_at(listed, "type"), "terminals") << what;
    const std::string text = json::serialize(listed);
    EXPECT_NE(text.find(things.terminal), std::string::npos) << what << ": " << text;
    EXPECT_NE(text.find("untouched"), std::string::npos) << what << ": " << text;
    EXPECT_NE(text.find(R"("status":"running")"), std::string::npos) << what << ": " << text;
    EXPECT_NE(text.find(R"("rows":24,"cols":80)"), std::string::npos) << what << ": " << text;
    EXPECT_EQ(screen_of(owner, things).find("intruder"), std::string::npos) << what;
  }
  static std::string screen_of(NativePeer& owner, const Things& things) {
    const auto channel = owner.attach(things.terminal);
    const auto snapshot = owner.next(channel);
    return snapshot ? snapshot->bytes : "";
  }

  std::string other_;
  std::string owner_;
  std::string view_;
  int things_ = 0;
};

// What was heard after a message, until the answer to a ping that was sent after it.
struct Heard {
  std::string text;
  bool is_refused = false;
};

// Whether the error says that it is not for the asker. Any other is about what was asked.
bool refuses(const json::object& message) {
  if (string_at(message, "type") != "error") return false;
  const std::string code = data_text(message, "code");
  const std::string error = data_text(message, "error");
  return code == "permission_denied" || code == "not_found" || error == "not authorized" ||
         error == "session not found";
}

// --- the native protocol

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
    {"role", {R"({"channel":$C,"role":"control"})"}},
    {"theme", {R"({"foreground":"#ffffff"})"}},
    {"create", {R"({"terminalId":"made"})"}},
    {"restore", {R"({"terminalId":"$T"})", "is alive"}},
    {"rename", {R"({"terminalId":"$T","name":"intruder"})"}},
    {"reorder", {R"({"terminalIds":["$T"]})"}},
    {"close", {R"({"terminalId":"$T"})"}},
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
    static const std::vector<std::string> kSilent{"resize",       "focus",         "theme",
                                                  "cancel",       "ui_answer",     "frame 3, input",
                                                  "frame 4, ack", "frame 5, paste"};
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
    const Things things = make_things();
    const auto expect = [&](const std::string& token, Gets gets, const char* who) {
      SCOPED_TRACE(row.what + ", " + who);
      const Heard heard = send(token, row.what, things);
      EXPECT_EQ(heard.is_refused, gets == Gets::no)
          << row.what << ", " << who << ": " << heard.text;
      return heard.text;
    };
    const std::string told = expect(other_, row.other, "another user");
    // What bob himself named is repeated to him, but nothing that only the owner knows.
    EXPECT_EQ(told.find("untouched"), std::string::npos) << row.what << ": " << told;
    if (row.other == Gets::own) {
      EXPECT_EQ(told.find("secret"), std::string::npos) << row.what << ": " << told;
    }
    expect(view_, row.view, "view");
    expect_untouched(things, row.what);
    const auto known = kNative.find(row.what);
    if (known == kNative.end() || known->second.answer.empty()) {
      expect(owner_, row.owner, "the owner");
    } else {
      const std::string answer = send(owner_, row.what, things).text;
      EXPECT_NE(answer.find(known->second.answer), std::string::npos) << row.what << ": " << answer;
    }
  }
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

// --- the compatible protocol

class CompatibleAccessTest : public MessageAccessTest {
 protected:
  static json::value request(const std::string& what, const Things& things) {
    const std::string& id = things.terminal;
    if (what == "input") return input(id, "echo intruder\r");
    if (what == "resize") return message("resize", {{"rows", 30}, {"cols", 90}}, id);
    if (what == "create_session") return create_session("made");
    if (what == "rename_session") return message(what, {{"sessionId", id}, {"name", "intruder"}});
    if (what == "reattach_session" || what == "close_session")
      return message(what, {{"sessionId", id}});
    return message(what);
  }
  Heard send(const std::string& token, const std::string& what, const Things& things) {
    const auto client = compatible(token);
    client->send(request(what, things));
    client->send(message("ping", {}, "marker"));
    Heard all;
    while (auto frame = client->receive()) {
      const json::object each = frame->object();
      all.is_refused = all.is_refused || refuses(each);
      if (string_at(each, "type") == "pong" && string_at(each, "sessionId") == "marker") return all;
      all.text += frame->data + "\n";
    }
    return all;
  }
};

TEST_F(CompatibleAccessTest, EveryMessage) {
  std::vector<std::string> names;
  for (const std::string_view type : wire::compatible::types()) names.emplace_back(type);
  expect_rows("compatible protocol", names);
  for (const Row& row : rows_of("compatible protocol")) {
    EXPECT_EQ(row.nobody, Gets::no);
    const Things things = make_things();
    const auto expect = [&](const std::string& token, Gets gets, const char* who) {
      const Heard heard = send(token, row.what, things);
      // The size of a terminal that is not there is nothing to tell of: clients send one too many.
      if (row.what != "resize" || token != other_) {
        EXPECT_EQ(heard.is_refused, gets == Gets::no)
            << row.what << ", " << who << ": " << heard.text;
      }
      return heard.text;
    };
    const std::string told = expect(other_, row.other, "another user");
    EXPECT_EQ(told.find("untouched"), std::string::npos) << row.what << ": " << told;
    expect(view_, row.view, "view");
    expect_untouched(things, row.what);
    expect(owner_, row.owner, "the owner");
  }
}

// --- the single protocol

// Its connection is its terminal, so nobody can name another's.
TEST_F(MessageAccessTest, EveryMessageOfTheSingleProtocol) {
  std::vector<std::string> names;
  for (const std::string_view type : wire::single::types()) names.emplace_back(type);
  expect_rows("single protocol", names);
  for (const Row& row : rows_of("single protocol")) {
    EXPECT_EQ(row.nobody, Gets::no);
    EXPECT_EQ(row.view, Gets::no);
    EXPECT_EQ(upgrade_status(port(), "/terminal/ws", bearer(view_)), 403);
    const Things things = make_things();
    for (const std::string& token : {other_, owner_}) {
      const auto client = single({}, token);
      const auto data = row.what == "input" ? json::object{{"data", "echo $((6*7))\r"}}
                                            : json::object{{"rows", 30}, {"cols", 90}};
      client->send(message(row.what, data, things.terminal));
      if (row.what == "input") (void)output_until(*client, "42");
      client->send(message("ping"));
      client->expect("pong");
    }
    expect_untouched(things, row.what);
  }
}

}  // namespace
}  // namespace ways_in
