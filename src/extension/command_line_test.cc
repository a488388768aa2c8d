#include "extension/command_line.h"

#include "extension/extension_fixture.h"

namespace extension {
namespace {

class CommandLineTest : public ExtensionTest {
 protected:
  CommandLineTest() { by_session_.opened_all(); }

  std::string typed(const std::string& line, session::Permit permit = {}) {
    const Call call{.id = calls_.next_id(), .progress = {}, .permit = permit};
    const auto result = result_of<base::Result<RunResult>>(
        [this, line, call] { return command_line_.run(extensions_, line, call); });
    if (!result) return "no answer yet";
    return *result ? (*result)->text.value_or("") : result->error().what;
  }

  SessionExtensionsPtr extensions_ = make_extensions("main");
};

TEST_F(CommandLineTest, WhatIsNoCommandIsRefused) {
  EXPECT_EQ(typed(""), "not a command");
  EXPECT_EQ(typed("hello"), "not a command");
  EXPECT_EQ(typed("/hello"), "there is no command /hello");
  EXPECT_EQ(typed("/disable vms"), "there is no extension vms");
  EXPECT_EQ(typed("/cleanup vm"), "there is no resource vm");
  EXPECT_EQ(typed("/switch"), "no session given; type /switch NAME");
  EXPECT_EQ(typed("/new a b"), "unexpected argument: b");
  EXPECT_EQ(typed("/new a --isolation none"), "isolation must be process or thread");
}

TEST_F(CommandLineTest, BuiltInCommandsAnswer) {
  EXPECT_NE(typed(" /help").find("/reload\n"), std::string::npos);
  EXPECT_EQ(typed("/holdfast resources"), "This session holds no resources.");
  EXPECT_EQ(typed("/resources log"), "Nothing has happened yet.");
  EXPECT_EQ(typed("/reload"), "Reloaded 0 extensions.");
  EXPECT_EQ(typed("/cleanup"), "Nothing is orphaned or lost.");
}

TEST_F(CommandLineTest, ANewSessionGetsAFreeName) {
  EXPECT_EQ(typed("/new"), "Switched to session-2.");
  EXPECT_EQ(typed("/new"), "Switched to session-3.");
  EXPECT_EQ(typed("/new mine --isolation process"), "Switched to mine.");
  EXPECT_EQ(sessions_.names().find_or_default(user_, "mine").value().isolation, Isolation::process);
}

TEST_F(CommandLineTest, WhoMayNoLongerMayNothing) {
  session::Permit permit;
  permit.withdraw();
  EXPECT_EQ(typed("/new", permit), "the credential was revoked");
  EXPECT_FALSE(sessions_.names().find_or_default(user_, "session-2"));
  EXPECT_EQ(typed("! true", permit), "the credential was revoked");
}

TEST_F(CommandLineTest, WithoutAGuardsDecisionNoShellCommandRuns) {
  extensions_->guards.declare("guard", {"user_bash"});
  extensions_->instances.replace({{.name = "guard"}});
  EXPECT_EQ(typed("! true"),
            "guard must decide about this command and gave no answer: it is not running. The "
            "command was not run");
}

TEST_F(CommandLineTest, CommandsThatAreStillBeingDecidedCount) {
  const auto runner = connect({json::object{
      {"id", extensions_->session.id.str()},
      {"extensions", json::array{json::object{{"name", "guard"},
                                              {"path", ""},
                                              {"generation", 1},
                                              {"events", json::array{"user_bash"}}}}}}});
  EXPECT_EQ(typed("! one"), "no answer yet");
  EXPECT_EQ(typed("! two"), "no answer yet");
  EXPECT_EQ(typed("! three"), "too many commands are running; the limit is 2 (user_command_limit)");
  const auto asked = runner->take();
  ASSERT_EQ(asked.size(), 2U);
  EXPECT_EQ(asked[0].method, "event");
  EXPECT_EQ(asked[0].params.at("data").at("command"), "one");
  runner->answer(asked[0].id, json::object{{"result", {{"output", "done"}, {"exitCode", 3}}}});
  EXPECT_EQ(typed("! four"), "no answer yet");
  shell_.cancel(std::string(asked[1].params.at("call").as_string()));
  run();
  EXPECT_EQ(typed("! five"), "no answer yet");
}

}  // namespace
}  // namespace extension
