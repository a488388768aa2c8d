// Messages of every type with anything in them: each is answered or refused, the connection goes
// on, and so does everything else. What is sent is the same in every run.

#include <algorithm>
#include <limits>
#include <random>

#include "end_to_end/hostile_fixture.h"

namespace e2e {
namespace {

class HostileMessagesTest : public HostileTest {
 protected:
  using Random = std::mt19937;

  static std::size_t below(Random& random, std::size_t limit) { return random() % limit; }

  // A value of any type, often one at some bound.
  static json::value any_value(Random& random, int depth = 0) {
    switch (below(random, depth < 3 ? 12 : 9)) {
      case 0:
        return nullptr;
      case 1:
        return random() % 2 == 0;
      case 2:
        return static_cast<std::int64_t>(random()) - 2'000'000'000;
      case 3:
        return std::numeric_limits<std::uint64_t>::max();
      case 4:
        return -1;
      case 5:
        return 0.5;
      case 6:
        return json::string(below(random, 300), 'x');
      case 7:
        return "target";
      case 8:
        return json::string("\x01\x00\xc2\x9b\xf0\x9f\x98\x80", 8);
      case 9:
        return json::array{any_value(random, depth + 1), any_value(random, depth + 1)};
      case 10:
        return json::object{{"data", any_value(random, depth + 1)}};
      default:
        return json::array(below(random, 50));
    }
  }

  // A message of one of these types with some of these fields.
  static json::object any_message(Random& random, const std::vector<const char*>& types,
                                  const std::vector<const char*>& fields) {
    json::object data;
    for (std::size_t i = below(random, 5); i > 0; --i)
      data[fields[below(random, fields.size())]] = any_value(random);
    if (random() % 2 == 0) data["sessionId"] = "target";
    if (random() % 2 == 0) data["terminalId"] = "target";
    json::object message{{"type", types[below(random, types.size())]}};
    if (random() % 8 != 0) message["data"] = data;
    if (random() % 8 == 0) message["data"] = any_value(random);
    if (random() % 4 == 0) message["request"] = any_value(random);
    if (random() % 4 == 0) message["sessionId"] = any_value(random);
    return message;
  }

  // The same with a few bytes changed; still UTF-8, for another text ends the connection.
  static std::string damaged(Random& random, std::string text) {
    for (std::size_t i = below(random, 4); i > 0 && !text.empty(); --i)
      text[below(random, text.size())] = static_cast<char>(' ' + below(random, 95));
    if (random() % 4 == 0) text.resize(below(random, text.size() + 1));
    std::ranges::replace_if(text, [](char c) { return (c & 0x80) != 0; }, '?');
    return text;
  }

  void begin() {
    serve({"--user-terminal-limit", "8", "--message-rate-limit", "1000000", "--message-burst-limit",
           "1000000"});
    begin_bystander();
    native_peer().ask("create", {{"terminalId", "target"}, {"command", json::array{"cat"}}});
    before_ = resident_kib();
  }
  void expect_well() {
    expect_growth_below(100'000, before_);
    expect_untouched();
  }

  long before_ = 0;
};

TEST_F(HostileMessagesTest, OfTheCompatibleProtocol) {
  begin();
  Random random(1);
  const auto client = compatible();
  for (int i = 0; i < count_of(20'000); ++i) {
    const auto fuzzed = any_message(
        random,
        {"create_session", "list_sessions", "reattach_session", "input", "resize", "rename_session",
         "close_session", "ping", "nonsense", ""},
        {"sessionId", "rows", "cols", "name", "workDir", "since", "takeover", "data", "x"});
    client->send_text(damaged(random, json::serialize(fuzzed)));
    if (i % 50 == 0) (void)until_pong(*client);
  }
  (void)until_pong(*client);
  expect_well();
}

TEST_F(HostileMessagesTest, OfTheSingleProtocol) {
  begin();
  Random random(2);
  const auto client = single();
  for (int i = 0; i < count_of(5'000); ++i) {
    const auto fuzzed = any_message(random, {"resize", "ping", "nonsense", "session", "output", ""},
                                    {"rows", "cols", "sessionId", "x"});
    client->send_text(damaged(random, json::serialize(fuzzed)));
    if (i % 50 == 0) {
      client->send(message("ping"));
      client->expect("pong");
    }
  }
  client->send(message("input", {{"data", "echo $((6*7))\r"}}));
  (void)output_until(*client, "42");
  expect_well();
}

TEST_F(HostileMessagesTest, OfTheNativeProtocol) {
  begin();
  Random random(3);
  NativePeer peer = native_peer();
  const auto channel = peer.attach("target");
  for (int i = 0; i < count_of(20'000); ++i) {
    const auto fuzzed =
        any_message(random, {"list",           "create",         "attach",  "detach",
                             "resize",         "focus",          "role",    "theme",
                             "rename",         "reorder",        "close",   "commands_of",
                             "command_output", "search",         "ping",    "sessions",
                             "session_create", "session_rename", "welcome", "commands",
                             "ui_answer",      "nonsense",       "",        "preferences",
                             "preference_set"},
                    {"terminalId", "session",    "rows",    "cols",        "name",    "workDir",
                     "env",        "since",      "role",    "lossless",    "window",  "channel",
                     "takeover",   "foreground", "palette", "terminalIds", "newName", "kind",
                     "limit",      "x",          "value",   "revision"});
    peer.socket().send_text(damaged(random, json::serialize(fuzzed)));
    std::string frame =
        random() % 2 == 0 ? input_frame(channel, "x") : ack_frame(channel, random());
    for (std::size_t n = below(random, 3); n > 0; --n)
      frame[below(random, frame.size())] = static_cast<char>(random());
    if (random() % 4 == 0) frame.resize(below(random, frame.size()));
    peer.socket().send_binary(frame);
    if (i % 50 == 0) (void)peer.events();
  }
  (void)peer.events();
  expect_well();
}

}  // namespace
}  // namespace e2e
