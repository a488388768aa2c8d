// Who reached which terminal, when and from where, and nothing of what they typed.

#include <fstream>
#include <sstream>

#include "end_to_end/protocol_fixture.h"
#include "session/store.h"

namespace e2e {
namespace {

class AuditTest : public ProtocolTest {
 protected:
  // The entries of the lifecycle log about that terminal and event, newest first.
  std::vector<session::LogEntry> entries(const std::string& id, const std::string& event) {
    session::StoreOptions options;
    options.busy_timeout = seconds(5);
    options.on_corrupt = session::OnCorrupt::fail;
    auto store = session::Store::open(state_dir() / "holdfast.db", options);
    if (!store) throw std::runtime_error(store.error().message());
    std::vector<session::LogEntry> found;
    const auto all = store->log();
    if (!all) throw std::runtime_error(all.error().message());
    for (const auto& entry : *all)
      if (entry.subject == id && entry.event == event) found.push_back(entry);
    return found;
  }
  // Whether a file under the directory has that text in it.
  static std::string file_with(const std::filesystem::path& directory, const std::string& text) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(directory)) {
      if (!entry.is_regular_file()) continue;
      std::ifstream file(entry.path(), std::ios::binary);
      std::stringstream content;
      content << file.rdbuf();
      if (content.str().find(text) != std::string::npos) return entry.path();
    }
    return "";
  }
};

TEST_F(AuditTest, WhoAttachesIsNotedWithTheirAddress) {
  serve({"--behind-proxy"});
  const std::string ada = token_of("ada");
  const auto begin = std::chrono::system_clock::now() - seconds(1);
  WebSocketClient first(port(), "/terminal/ws/multi",
                        {{"Authorization", "Bearer " + ada}, {"X-Forwarded-For", "10.1.2.3"}});
  create(first, "a1");
  EXPECT_EQ(entries("a1", "attached").size(), 1U);
  NativePeer second = native_peer(ada);
  (void)second.attach("a1");
  (void)second.attach("a1");
  const auto noted = entries("a1", "attached");
  ASSERT_EQ(noted.size(), 2U) << "one for each connection, however often it attaches";
  EXPECT_EQ(noted[0].detail, "from 127.0.0.1");
  EXPECT_EQ(noted[1].detail, "from 10.1.2.3");
  EXPECT_EQ(noted[0].user, noted[1].user);
  EXPECT_GE(noted[1].time, begin);
  EXPECT_TRUE(logged("terminal used user=ada event=attached terminal=a1 address=10.1.2.3"));
}

// The compatible protocol lets its user type into a terminal without attaching to it.
TEST_F(AuditTest, WhoTypesWithoutAttachingIsNotedToo) {
  serve();
  const auto owner = compatible();
  create(*owner, "a1");
  const auto other = compatible();
  other->send(input("a1", "echo $((6*7))\r"));
  (void)output_until(*owner, "42");
  EXPECT_EQ(entries("a1", "typed").size(), 1U);
  EXPECT_EQ(entries("a1", "attached").size(), 1U);
}

TEST_F(AuditTest, WhoMakesRestoresClosesAndRunsIsNoted) {
  serve({"--behind-proxy"});
  NativePeer peer(std::make_unique<WebSocketClient>(
      port(), "/ws",
      Headers{{"Authorization", "Bearer " + token()}, {"X-Forwarded-For", "10.1.2.3"}},
      "holdfast.v1"));
  peer.ask("create", {{"terminalId", "a1"}});
  peer.ask("run", {{"session", "main"}, {"line", "! echo pass''word"}});
  ::kill(keeper_pid(), SIGKILL);
  peer.event("restorable");
  peer.ask("restore", {{"terminalId", "a1"}});
  peer.ask("close", {{"terminalId", "a1"}});
  for (const char* event : {"created", "restored", "closed"}) {
    const auto noted = entries("a1", event);
    ASSERT_EQ(noted.size(), 1U) << event;
    EXPECT_EQ(noted.front().detail, "from 10.1.2.3") << event;
  }
  const auto ran = entries("shell command", "run");
  ASSERT_EQ(ran.size(), 1U);
  EXPECT_EQ(ran.front().detail, "from 10.1.2.3");
  EXPECT_EQ(stop_daemon(), 0);
  EXPECT_EQ(file_with(state_dir(), "pass''word"), "") << "what it says is nobody's business";
}

TEST_F(AuditTest, WhatWasTypedIsNowhere) {
  serve({"--log-level", "debug"});
  const auto client = compatible();
  create(*client, "a1");
  type(*client, "a1", "stty -echo; echo rea''dy", "ready");
  type(*client, "a1", "echo typed-in-compat''ible", "typed-in-compatible");
  NativePeer peer = native_peer();
  const auto channel = peer.attach("a1");
  peer.type(channel, "echo typed-in-nat''ive\r");
  (void)peer.output_until(channel, "typed-in-native");
  const auto alone = single();
  alone->send(message("input", {{"data", "echo typed-in-sin''gle\r"}}));
  (void)output_until(*alone, "typed-in-single");
  EXPECT_EQ(stop_daemon(), 0);
  for (const char* typed : {"typed-in-compat", "typed-in-nat", "typed-in-sin"}) {
    EXPECT_EQ(log().find(typed), std::string::npos) << typed;
    EXPECT_EQ(file_with(state_dir(), typed), "") << typed;
  }
}

}  // namespace
}  // namespace e2e
