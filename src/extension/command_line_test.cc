#include "extension/command_line.h"

#include <algorithm>

#include "extension/built_ins.h"
#include "extension/extension_fixture.h"

namespace extension {
namespace {

class CommandLineTest : public ExtensionTest {
 protected:
  CommandLineTest() { by_session_.opened_all(); }

  std::string typed(const std::string& line, session::Permit permit = {}) {
    const Call call{.id = calls_.next_id(), .progress = {}, .permit = permit};
    result_ = begin<base::Result<RunResult>>(
        [this, line, call] { return command_line_.run(extensions_, line, call); });
    return last();
  }
  // The answer to the last line.
  std::string last() {
    if (!*result_) return "no answer yet";
    return **result_ ? (*result_)->value().text.value_or("") : (*result_)->error().what;
  }
  std::string tool(const std::string& name, session::Permit permit = {}) {
    const Call call{.id = calls_.next_id(), .progress = {}, .permit = permit};
    tool_result_ = begin<base::Result<json::value>>([this, name, call] {
      return command_line_.run_tool(extensions_, name, json::object{{"size", 2}}, call);
    });
    if (!*tool_result_) return "no answer yet";
    return **tool_result_ ? "" : (*tool_result_)->error().what;
  }
  // Code that offers a command and a tool.
  void offer() {
    extensions_->instances.replace({{.name = "vms", .generation = 1, .runs = true}});
    extensions_->instances.find("vms")->offers = {
        .commands = {{.name = "start", .extension = "vms", .description = {}}},
        .tools = {{.name = "vm", .description = {}, .parameters = {}}},
        .events = {}};
  }
  void hold(const std::string& key, json::object more = {}) {
    more["key"] = key;
    more["action"] = "create";
    extensions_->resources.changed("vms", more);
  }

  SessionExtensionsPtr extensions_ = make_extensions("main");
  Answer<base::Result<RunResult>> result_;
  Answer<base::Result<json::value>> tool_result_;
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

TEST_F(CommandLineTest, TheResourcesAndTheirLogAreListed) {
  hold("one", {{"description", "a VM"}, {"pids", json::array{::getpid()}}});
  hold("two");
  EXPECT_EQ(typed("/resources"), "  vms/one  live  a VM  (processes " + std::to_string(::getpid()) +
                                     ")\n  vms/two  live");
  const std::string log = typed("/resources log");
  EXPECT_NE(log.find("] vms/one: create (a VM)\n"), std::string::npos) << log;
  EXPECT_LT(log.find("vms/one"), log.find("vms/two")) << "the oldest comes first";
}

TEST_F(CommandLineTest, HelpSaysWhatRunsAndWhatDoesNot) {
  extensions_->instances.replace({{.name = "vms", .generation = 1, .runs = true},
                                  {.name = "broken", .error = "a.ts:3: no such thing"},
                                  {.name = "off", .disabled = true, .error = "turned off"}});
  extensions_->instances.find("vms")->offers.commands.push_back(
      {.name = "start", .extension = "vms", .description = "start a VM"});
  const std::string help = typed("/help");
  EXPECT_NE(help.find("\nvms\n/vms start\n    start a VM\n"), std::string::npos) << help;
  EXPECT_NE(help.find("\nbroken (not running)\n    a.ts:3: no such thing\n"), std::string::npos);
  EXPECT_NE(help.find("\noff (disabled)\n    turned off\n"), std::string::npos);
}

TEST_F(CommandLineTest, WhileExtensionsAreOffItSaysSo) {
  settings_.off = "Extensions are off: --no-extensions";
  EXPECT_EQ(typed("/reload"), settings_.off);
  EXPECT_EQ(typed("/hello"), settings_.off);
  EXPECT_NE(typed("/help").find(settings_.off), std::string::npos);
}

TEST_F(CommandLineTest, ACommandOfCodeThatDoesNotRunIsRefused) {
  offer();
  EXPECT_EQ(typed("/vms start"), "the extensions of this session are not running");
  EXPECT_EQ(tool("weather"), "there is no tool weather");
  EXPECT_EQ(tool("vm"), "the extensions of this session are not running");
}

TEST_F(CommandLineTest, AToolsAnswerIsItsResult) {
  const auto runner = connect({json::object{{"id", extensions_->session.id.str()}}});
  extensions_->is_open = true;
  offer();
  EXPECT_EQ(tool("vm"), "no answer yet");
  const auto asked = runner->take();
  ASSERT_EQ(asked.size(), 1U);
  EXPECT_EQ(asked[0].method, "tool");
  EXPECT_EQ(asked[0].params.at("arguments"), (json::value{{"size", 2}}));
  runner->answer(asked[0].id, "made");
  ASSERT_TRUE(*tool_result_ && **tool_result_);
  EXPECT_EQ((*tool_result_)->value(), "made");
  session::Permit permit;
  permit.withdraw();
  EXPECT_EQ(tool("vm", permit), "the credential was revoked");
}

TEST_F(CommandLineTest, ASessionIsSwitchedToOnlyIfItExists) {
  make_session("other");
  EXPECT_EQ(typed("/switch other"), "Switched to other.");
  EXPECT_EQ(typed("/switch nowhere"), "there is no session nowhere");
  EXPECT_EQ(typed("/new -bad-"), "invalid session name");
  EXPECT_EQ(typed("/new other"), "session other already exists");
}

// --- /cleanup ---

TEST_F(CommandLineTest, NothingIsClosedUnlessSomebodyIsSure) {
  hold("live");
  hold("orphan");
  extensions_->resources.changed("vms", {{"key", "orphan"}, {"action", "orphan"}});
  RecordingSurface surface;
  extensions_->display.add(surface);
  const auto answer = [&](json::value said) {
    EXPECT_TRUE(extensions_->questions.answer(surface.asked.at(0), std::move(said)));
    run();
  };
  EXPECT_EQ(typed("/cleanup"), "no answer yet");
  answer(false);
  EXPECT_EQ(last(), "nothing was closed");
  EXPECT_EQ(extensions_->resources.rows().size(), 2U);
  EXPECT_EQ(typed("/cleanup"), "no answer yet");
  answer(true);
  EXPECT_EQ(last(), "Closed 1 resource.");
  EXPECT_TRUE(extensions_->resources.contains({"vms", "live"})) << "it is in use";
  EXPECT_EQ(typed("/cleanup vms/live"), "no answer yet");
  answer(true);
  EXPECT_EQ(last(), "Closed 1 resource.");
  EXPECT_TRUE(extensions_->resources.rows().empty());
  extensions_->display.remove(surface);
}

TEST_F(CommandLineTest, WhatSomebodyElseClosedMeanwhileIsSaid) {
  for (const std::string key : {"one", "two"}) {
    hold(key);
    extensions_->resources.changed("vms", {{"key", key}, {"action", "orphan"}});
  }
  RecordingSurface surface;
  extensions_->display.add(surface);
  EXPECT_EQ(typed("/cleanup"), "no answer yet");
  extensions_->resources.changed("vms", {{"key", "one"}, {"action", "close"}});
  EXPECT_TRUE(extensions_->questions.answer(surface.asked.at(0), true));
  run();
  EXPECT_EQ(last(),
            "Closed 1 of 2 resources. The others are no longer recorded, and their processes were "
            "ended.\n  vms/one  not closed: there is no resource vms/one\n  vms/two  closed");
  EXPECT_TRUE(extensions_->resources.rows().empty()) << "the other one is closed all the same";
  extensions_->display.remove(surface);
}

// It said "Closed 2 resources." though the close of one threw.
TEST_F(CommandLineTest, WhatCouldNotCloseItselfIsTold) {
  const auto runner = connect({json::object{{"id", extensions_->session.id.str()}}});
  extensions_->is_open = true;
  for (const std::string key : {"one", "two"}) hold(key);
  for (const std::string key : {"one", "two"})
    extensions_->resources.changed("vms", {{"key", key}, {"action", "orphan"}});
  RecordingSurface surface;
  extensions_->display.add(surface);
  EXPECT_EQ(typed("/cleanup"), "no answer yet");
  EXPECT_TRUE(extensions_->questions.answer(surface.asked.at(0), true));
  run();
  runner->answer(runner->take().at(0).id, {{"closed", false}, {"error", "boom"}});
  settle();
  runner->answer(runner->take().at(0).id, {{"closed", true}});
  settle();
  EXPECT_EQ(last(),
            "Closed 1 of 2 resources. The others are no longer recorded, and their processes were "
            "ended.\n  vms/one  not closed: boom\n  vms/two  closed");
  extensions_->display.remove(surface);
}

// --- names that extensions share with built-in commands ---

TEST_F(CommandLineTest, AnExtensionsCommandComesBeforeABuiltInOne) {
  const auto runner = connect({json::object{{"id", extensions_->session.id.str()}}});
  extensions_->is_open = true;
  offer();
  for (const char* const name : {"cleanup", "reload"})
    extensions_->instances.find("vms")->offers.commands.push_back(
        {.name = name, .extension = "vms", .description = {}});
  EXPECT_EQ(typed("/cleanup all"), "no answer yet");
  const auto asked = runner->take();
  ASSERT_EQ(asked.size(), 1U);
  EXPECT_EQ(asked[0].params.at("name"), "cleanup");
  EXPECT_EQ(asked[0].params.at("args"), "all");
  EXPECT_EQ(typed("/holdfast:cleanup"), "Nothing is orphaned or lost.");
  EXPECT_EQ(typed("/holdfast cleanup"), "Nothing is orphaned or lost.");
  EXPECT_EQ(typed("/resources"), "This session holds no resources.");
  EXPECT_EQ(typed("/holdfast:start"), "there is no built-in command /start");
  EXPECT_TRUE(runner->take().empty());
  (void)typed("/reload");
  EXPECT_EQ(runner->take().at(0).method, "session.reload") << "people need it";
  const auto all = all_commands(extensions_->instances);
  EXPECT_EQ(std::ranges::count(all, "holdfast:cleanup", &CommandInfo::name), 1);
  EXPECT_EQ(std::ranges::count(all, "cleanup", &CommandInfo::name), 1);
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
