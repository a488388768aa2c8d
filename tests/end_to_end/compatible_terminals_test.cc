// The compatible protocol: terminals are made, listed, renamed and closed, and end
// (docs/protocol.md).

#include <signal.h>

#include <fstream>

#include "end_to_end/protocol_fixture.h"

namespace e2e {
namespace {

class CompatibleTerminalsTest : public ProtocolTest {};

using Strings = std::vector<std::string>;

json::value with_size(json::value rows, json::value cols) {
  json::object data{{"sessionId", "a1"}};
  if (!rows.is_null()) data["rows"] = std::move(rows);
  if (!cols.is_null()) data["cols"] = std::move(cols);
  return data;
}

// --- create_session

TEST_F(CompatibleTerminalsTest, CreateTellsTheDirectoryAndTheShell) {
  serve();
  const auto client = compatible();
  client->send(message("create_session", {{"sessionId", "a1"},
                                          {"rows", 30},
                                          {"cols", 100},
                                          {"name", "build"},
                                          {"workDir", dir().string()}}));
  const auto created = client->expect("session_created");
  EXPECT_EQ(string_at(created, "sessionId"), "a1");
  EXPECT_EQ(data_text(created, "sessionId"), "a1");
  EXPECT_EQ(data_text(created, "workingDirectory"), dir());
  EXPECT_EQ(data_text(created, "shell"), "/bin/sh");
  type(*client, "a1", "pwd; stty size", "30 100");
  EXPECT_EQ(string_at(sessions_of(*client).at(0), "name"), "build");
}

TEST_F(CompatibleTerminalsTest, ADirectoryThatCannotBeEnteredCreatesNothing) {
  serve();
  const auto client = compatible();
  const auto file = dir() / "file";
  std::ofstream(file) << "x";
  for (const std::string& wrong : {std::string("/no/such/place"), file.string()}) {
    const auto refusal =
        refused(*client, message("create_session", {{"sessionId", "a1"}, {"workDir", wrong}}));
    EXPECT_EQ(refusal.error, "cannot create session");
    EXPECT_NE(refusal.details.find(wrong), std::string::npos) << refusal;
  }
  EXPECT_TRUE(sessions_of(*client).empty());
  create(*client, "a1");
  EXPECT_EQ(session_ids(*client), Strings{"a1"}) << "the id is free";
}

TEST_F(CompatibleTerminalsTest, SizesThatCannotBeFallBackEachByItself) {
  serve();
  const auto client = compatible();
  const struct {
    json::value rows, cols;
    const char* expected;
  } cases[] = {
      {nullptr, 100, "24 100"}, {30, nullptr, "30 80"}, {0, 100, "24 100"},  {30, 501, "30 80"},
      {-1, 500, "24 500"},      {30, "100", "30 80"},   {30.5, 99, "24 99"}, {30.0, 99, "30 99"},
  };
  for (const auto& each : cases) {
    client->send(message("create_session", with_size(each.rows, each.cols).as_object()));
    client->expect("session_created");
    type(*client, "a1", "stty size", each.expected);
    client->send(message("close_session", {{"sessionId", "a1"}}));
    client->expect("session_closed");
  }
  create(*client, "a1");
  client->send(message("resize", {{"rows", 31}, {"cols", 101}}, "a1"));
  type(*client, "a1", "stty size", "31 101");
  client->send(message("resize", {{"rows", 1000}, {"cols", 102}}, "a1"));
  type(*client, "a1", "stty size", "24 102");
  client->send(message("reattach_session", {{"sessionId", "a1"}, {"rows", "x"}, {"cols", 103}}));
  client->expect("scrollback");
  type(*client, "a1", "stty size", "24 103");
  client->send(message("resize", {{"rows", 41}, {"cols", 141}}, "a1"));
  client->send(message("reattach_session", {{"sessionId", "a1"}}));
  client->expect("scrollback");
  type(*client, "a1", "stty size", "41 141");
}

TEST_F(CompatibleTerminalsTest, AnIdInUseIsRefusedAndItsTerminalUntouched) {
  serve();
  const auto client = compatible();
  create(*client, "a1");
  EXPECT_EQ(refused(*client, create_session("a1")), (Refusal{"session already exists", ""}));
  type(*client, "a1", "echo $((6*7))", "42");
}

// --- list_sessions

TEST_F(CompatibleTerminalsTest, TheListHasEveryFieldInOrderOfCreation) {
  serve();
  const auto client = compatible();
  EXPECT_TRUE(sessions_of(*client).empty());
  for (const char* id : {"z", "m", "a"}) create(*client, id);
  client->send(message("create_session", {{"sessionId", "B"}, {"name", "the näme"}}));
  client->expect("session_created");
  client->send(input("m", "exit 5\r"));
  client->expect("session_closed");
  EXPECT_EQ(session_ids(*client), (Strings{"z", "m", "a", "B"}));

  const auto sessions = sessions_of(*client);
  for (const auto& each : sessions) {
    EXPECT_TRUE(is_time(string_at(each, "createdAt"))) << json::serialize(each);
    EXPECT_TRUE(is_time(string_at(each, "lastActivityAt"))) << json::serialize(each);
    EXPECT_LE(string_at(each, "createdAt"), string_at(each, "lastActivityAt"));
  }
  EXPECT_EQ(string_at(sessions[0], "status"), "running");
  EXPECT_FALSE(sessions[0].contains("exitCode"));
  EXPECT_FALSE(sessions[0].contains("name"));
  EXPECT_NE(string_at(sessions[0], "workingDirectory"), "");
  EXPECT_EQ(string_at(sessions[1], "status"), "exited");
  EXPECT_EQ(sessions[1].at("exitCode").as_int64(), 5);
  EXPECT_EQ(string_at(sessions[3], "name"), "the näme");
}

TEST_F(CompatibleTerminalsTest, ActivityMovesWithTheOutput) {
  serve();
  const auto client = compatible();
  create(*client, "a1");
  const std::string before = string_at(sessions_of(*client).at(0), "lastActivityAt");
  EXPECT_TRUE(eventually([&] {
    type(*client, "a1", "echo $((6*7))", "42");
    return string_at(sessions_of(*client).at(0), "lastActivityAt") > before;
  }));
}

TEST_F(CompatibleTerminalsTest, TheListFollowsTheShellsDirectory) {
  serve();
  const auto client = compatible();
  create(*client, "a1");
  type(*client, "a1", "cd /usr/lib; echo $((6*7))", "42");
  EXPECT_EQ(string_at(sessions_of(*client).at(0), "workingDirectory"), "/usr/lib");
}

TEST_F(CompatibleTerminalsTest, ASessionOfItsOwnHasItsOwnTerminals) {
  serve();
  const auto anywhere = compatible();
  create(*anywhere, "a1");
  const Headers headers = bearer(token());
  WebSocketClient builds(port(), "/terminal/ws/multi?session=builds", headers);
  EXPECT_TRUE(sessions_of(builds).empty());
  create(builds, "b1");
  const auto listed = sessions_of(builds);
  ASSERT_EQ(listed.size(), 1U);
  EXPECT_EQ(string_at(listed[0], "sessionId"), "b1");
  EXPECT_EQ(sessions_of(*anywhere).size(), 2U);
  kill_daemon();
  serve();
  WebSocketClient again(port(), "/terminal/ws/multi?session=builds", headers);
  EXPECT_EQ(sessions_of(again).size(), 1U) << "the session outlives the daemon";
  EXPECT_EQ(upgrade_status(port(), "/terminal/ws/multi?session=-x", headers), 400);
}

// --- rename_session

TEST_F(CompatibleTerminalsTest, RenamingIsToldToTheAskerAndToAllViewers) {
  serve();
  const auto viewer = compatible();
  create(*viewer, "a1");
  const auto asker = compatible();
  const auto bystander = compatible();
  asker->send(message("rename_session", {{"sessionId", "a1"}, {"name", "deploy"}}));
  for (const auto* each : {&viewer, &asker}) {
    const auto renamed = (*each)->expect("session_renamed");
    EXPECT_EQ(string_at(renamed, "sessionId"), "a1");
    EXPECT_EQ(data_text(renamed, "sessionId"), "a1");
    EXPECT_EQ(data_text(renamed, "name"), "deploy");
  }
  EXPECT_TRUE(until_pong(*bystander).empty());
  EXPECT_EQ(string_at(sessions_of(*bystander).at(0), "name"), "deploy");
}

TEST_F(CompatibleTerminalsTest, ANameHasAtMostFiftyCodePoints) {
  serve();
  const auto client = compatible();
  create(*client, "a1");
  const auto rename = [](const std::string& name) {
    return message("rename_session", {{"sessionId", "a1"}, {"name", name}});
  };
  std::string name;
  for (int i = 0; i < 50; ++i) name += "𝄞";
  client->send(rename(name));
  EXPECT_EQ(data_text(client->expect("session_renamed"), "name"), name);
  client->send(
      rename("a\n\x1b"
             "b"));
  EXPECT_EQ(data_text(client->expect("session_renamed"), "name"), "ab");
  client->send(rename(name + "x"));
  EXPECT_EQ(data_text(client->expect("session_renamed"), "name"), name);
  EXPECT_EQ(refused(*client, message("rename_session", {{"sessionId", "a1"}})).error,
            "invalid name");
  EXPECT_EQ(string_at(sessions_of(*client).at(0), "name"), name);
  client->send(rename(""));
  EXPECT_EQ(data_text(client->expect("session_renamed"), "name"), "");
  EXPECT_FALSE(sessions_of(*client).at(0).contains("name")) << "an empty name is no name";
  EXPECT_EQ(refused(*client, message("rename_session", {{"sessionId", "no"}, {"name", "x"}})),
            (Refusal{"session not found", ""}));
}

// --- close_session

TEST_F(CompatibleTerminalsTest, ClosingEndsEveryProcessAndTellsEveryViewer) {
  serve();
  const auto client = compatible();
  create(*client, "a1");
  const auto other = compatible();
  reattached(*other, reattach("a1"));
  const pid_t shell = number_from(*client, "a1", "$$");
  type(*client, "a1", "sleep 1000 & nohup sleep 1000 >/dev/null 2>&1 &", "");
  const pid_t sleeper = number_from(*client, "a1", "$!");
  EXPECT_TRUE(exists(shell) && exists(sleeper));
  client->send(message("close_session", {{"sessionId", "a1"}}));
  for (const auto* each : {&client, &other}) {
    const auto closed = (*each)->expect("session_closed");
    EXPECT_EQ(string_at(closed, "sessionId"), "a1");
    EXPECT_EQ(data_text(closed, "sessionId"), "a1");
    EXPECT_EQ(data_text(closed, "reason"), "user_requested");
    EXPECT_TRUE(types_of(until_pong(**each)).empty()) << "it is told once";
  }
  EXPECT_FALSE(exists(shell));
  EXPECT_FALSE(exists(sleeper));
  EXPECT_TRUE(sessions_of(*client).empty());
  for (const char* request : {"close_session", "reattach_session"})
    EXPECT_EQ(refused(*client, message(request, {{"sessionId", "a1"}})),
              (Refusal{"session not found", ""}));
}

TEST_F(CompatibleTerminalsTest, ClosingOneThatIsNotAttachedIsAnsweredToo) {
  serve();
  const auto owner = compatible();
  create(*owner, "a1");
  owner->drop();
  const auto client = compatible();
  client->send(message("close_session", {{"sessionId", "a1"}}));
  EXPECT_EQ(data_text(client->expect("session_closed"), "reason"), "user_requested");
  create(*client, "a1");
}

// --- the end of a process

TEST_F(CompatibleTerminalsTest, AnExitIsToldAfterTheLastOutputWithItsCode) {
  serve();
  const auto client = compatible();
  const std::vector<std::pair<std::string, int>> ends{
      {"exit 0", 0}, {"exit 3", 3}, {"exit 255", 255}, {"kill -9 $$", 137}, {"kill -HUP $$", 129}};
  for (const auto& [command, code] : ends) {
    create(*client, "a1");  // Again and again: an exited terminal's id is free.
    client->send(input("a1", "echo la''st; " + command + "\r"));
    std::string text;
    const auto closed = client->expect([&](const json::object& each) {
      if (string_at(each, "type") == "output") text += text_of(each);
      return string_at(each, "type") == "session_closed";
    });
    EXPECT_NE(text.find("last\r\n"), std::string::npos);
    EXPECT_EQ(string_at(closed, "sessionId"), "a1");
    EXPECT_EQ(data_text(closed, "reason"), "process_exit");
    EXPECT_EQ(data_number(closed, "exitCode"), code) << command;
    const auto listed = sessions_of(*client);
    ASSERT_EQ(listed.size(), 1U);
    EXPECT_EQ(string_at(listed[0], "status"), "exited");
    EXPECT_EQ(listed[0].at("exitCode").as_int64(), code);
  }
}

TEST_F(CompatibleTerminalsTest, AnExitedTerminalTakesNothingButANameAndItsClosing) {
  serve();
  const auto client = compatible();
  create(*client, "a1");
  client->send(input("a1", "exit 7\r"));
  client->expect("session_closed");
  const Refusal exited{"SESSION_EXITED", "7"};
  EXPECT_EQ(refused(*client, reattach("a1")), exited);
  EXPECT_EQ(refused(*client, input("a1", "x")), exited);
  // Pages say sizes for terminals that have ended, too, and give up one that an error names.
  client->send(message("resize", {{"rows", 3}, {"cols", 4}}, "a1"));
  client->send(message("resize", {{"rows", 3}, {"cols", 4}}, "nobody"));
  EXPECT_TRUE(until_pong(*client).empty());
  client->send(input("a1", "x"));
  EXPECT_FALSE(client->expect("error").contains("sessionId"));
  EXPECT_EQ(refused(*client, message("input", {{"data", "x"}})).error, "session id required");
  client->send(message("rename_session", {{"sessionId", "a1"}, {"name", "over"}}));
  client->expect("session_renamed");
  EXPECT_EQ(string_at(sessions_of(*client).at(0), "name"), "over");
  client->send(message("close_session", {{"sessionId", "a1"}}));
  EXPECT_EQ(data_text(client->expect("session_closed"), "reason"), "user_requested");
  EXPECT_TRUE(sessions_of(*client).empty());
}

TEST_F(CompatibleTerminalsTest, AnExitedIdTakenAgainIsAFreshTerminal) {
  serve();
  const auto client = compatible();
  create(*client, "a1");
  client->send(message("rename_session", {{"sessionId", "a1"}, {"name", "old"}}));
  type(*client, "a1", "echo OLD''TEXT", "OLDTEXT");
  client->send(input("a1", "exit 7\r"));
  client->expect("session_closed");
  create(*client, "a1");
  type(*client, "a1", "echo $((6*7))", "42");
  const auto listed = sessions_of(*client);
  ASSERT_EQ(listed.size(), 1U);
  EXPECT_EQ(string_at(listed[0], "status"), "running");
  EXPECT_FALSE(listed[0].contains("exitCode"));
  EXPECT_FALSE(listed[0].contains("name"));
  EXPECT_EQ(text_of(reattached(*client, reattach("a1"))).find("OLDTEXT"), std::string::npos);
}

TEST_F(CompatibleTerminalsTest, ExitsAreKnownAfterTheDaemonWasKilledToo) {
  serve();
  auto client = compatible();
  create(*client, "a1");
  const pid_t shell = number_from(*client, "a1", "$$");
  create(*client, "a2");
  client->send(input("a2", "exit 8\r"));
  client->expect("session_closed");
  client->send(message("rename_session", {{"sessionId", "a2"}, {"name", "kept"}}));
  client->expect("session_renamed");
  kill_daemon();
  ::kill(shell, SIGKILL);
  ASSERT_TRUE(eventually([&] { return !exists(shell); }));
  serve();
  client = compatible();
  ASSERT_TRUE(
      eventually([&] { return string_at(sessions_of(*client).at(0), "status") == "exited"; }));
  const auto listed = sessions_of(*client);
  EXPECT_EQ(listed.at(0).at("exitCode").as_int64(), 137);
  EXPECT_EQ(listed.at(1).at("exitCode").as_int64(), 8);
  EXPECT_EQ(string_at(listed.at(1), "name"), "kept");
  EXPECT_EQ(refused(*client, reattach("a2")), (Refusal{"SESSION_EXITED", "8"}));
}

TEST_F(CompatibleTerminalsTest, OfTheExitedOnesTheNewestHundredAreKept) {
  serve();
  NativePeer maker = native_peer();
  const auto client = compatible();
  create(*client, "running");
  for (int i = 0; i < 103; ++i) {
    const std::string id = "e" + std::to_string(i);
    maker.ask("create", {{"terminalId", id}, {"command", json::array{"/bin/true"}}});
    maker.event("exited");
  }
  ASSERT_TRUE(eventually([&] { return sessions_of(*client).size() == 101; }));
  const auto ids = session_ids(*client);
  EXPECT_EQ(ids.front(), "running");
  EXPECT_EQ(ids[1], "e3") << "the oldest went";
  EXPECT_EQ(ids.back(), "e102");
  EXPECT_EQ(data_text(maker.event("closed"), "reason"), "process_exit");
}

}  // namespace
}  // namespace e2e
