// What an extension may do with terminals and processes: those of its session and its own.

#include "extension/keeper_fixture.h"

namespace extension {
namespace {

class MethodsTest : public KeeperTest {
 protected:
  MethodsTest() { by_session_.opened_all(); }

  SessionExtensionsPtr with_code(const std::string& session) {
    const SessionExtensionsPtr made = make_extensions(session);
    made->is_open = true;
    made->instances.replace({{.name = "vms", .generation = 1, .runs = true},
                             {.name = "other", .generation = 1, .runs = true}});
    return made;
  }
  Answer<MethodAnswer> ask(const std::string& method, json::object params = {},
                           const std::string& extension = "vms",
                           SessionExtensionsPtr extensions = {}) {
    params["session"] = (extensions ? extensions : main_)->session.id.str();
    params["extension"] = extension;
    params["generation"] = 1;
    return begin<MethodAnswer>([this, method, params] { return api_.request(method, params); });
  }
  json::value result_of(const Answer<MethodAnswer>& answer) {
    run_until([&] { return answer->has_value(); });
    return **answer ? (*answer)->value() : json::value("error: " + (*answer)->error().what);
  }
  std::string text_of(const Answer<MethodAnswer>& answer) {
    return json::serialize(result_of(answer));
  }
  // A terminal that the extension made.
  std::string have_terminal(json::object params = {}) {
    const auto made = ask("terminal.create", std::move(params));
    keeper_.start(asked(Tag::spawn));
    return std::string(result_of(made).at("terminalId").as_string());
  }
  std::string have_process(json::object params) {
    const auto started = ask("process.start", std::move(params));
    start_process();
    return std::string(result_of(started).at("id").as_string());
  }

  SessionExtensionsPtr main_ = with_code("main");
  SessionExtensionsPtr elsewhere_ = with_code("elsewhere");
};

// --- terminals ---

TEST_F(MethodsTest, ATerminalIsMadeAsItIsAskedFor) {
  const auto made = ask("terminal.create", {{"command", {"vi", "a"}},
                                            {"cwd", "/srv"},
                                            {"env", {{"A", "1"}}},
                                            {"name", "editor"},
                                            {"cols", 5000},
                                            {"rows", 0}});
  const auto request = asked(Tag::spawn);
  EXPECT_EQ(request.texts(Field::argv), (std::vector<std::string>{"vi", "a"}));
  EXPECT_EQ(request.text(Field::cwd), "/srv");
  EXPECT_EQ(request.number(Field::cols), 1000U);
  EXPECT_EQ(request.number(Field::rows), 1U);
  EXPECT_EQ(request.texts(Field::env).back(), "A=1");
  keeper_.start(request);
  const json::value told = result_of(made);
  EXPECT_EQ(told.at("name"), "editor");
  EXPECT_EQ(told.at("session"), "main");
  EXPECT_EQ(told.at("status"), "running");
  const auto noted = store_.log({.newest = 1}).value();
  EXPECT_EQ(noted.at(0).detail, "by the extension vms");
}

TEST_F(MethodsTest, WhatIsAskedForWronglyStartsNothing) {
  EXPECT_EQ(text_of(ask("terminal.create", {{"command", "vi"}})),
            R"("error: command must be a list")");
  EXPECT_FALSE(keeper_.was_asked(Tag::spawn));
  const auto refused = ask("terminal.create");
  keeper_.refuse(asked(Tag::spawn));
  EXPECT_EQ(text_of(refused), R"("error: the test refuses")");
  EXPECT_EQ(text_of(ask("terminal.list")), "[]");
}

TEST_F(MethodsTest, WhatIsTypedAndShownIsTheTerminals) {
  const std::string id = have_terminal();
  EXPECT_EQ(text_of(ask("terminal.write", {{"terminalId", id}, {"text", "ls\n"}})), "null");
  EXPECT_EQ(keeper_.typed(id), "ls\n");
  EXPECT_EQ(text_of(ask("terminal.write", {{"terminalId", id}})),
            R"("error: text must be a string")");
  keeper_.print(id, "hello");
  run_until([&] {
    return text_of(ask("terminal.text", {{"terminalId", id}})).find("hello") != std::string::npos;
  });
  keeper_.exit(id, 3);
  run_until([&] { return sessions_.terminals().at(id).stage() == session::Stage::exited; });
  const json::value listed = result_of(ask("terminal.list")).at(0);
  EXPECT_EQ(listed.at("status"), "exited");
  EXPECT_EQ(listed.at("exitCode"), 3);
}

TEST_F(MethodsTest, AClosedTerminalIsGone) {
  const std::string id = have_terminal();
  auto closed = ask("terminal.close", {{"terminalId", id}});
  keeper_.refuse(asked(Tag::close));
  EXPECT_EQ(text_of(closed), R"("error: the test refuses")");
  closed = ask("terminal.close", {{"terminalId", id}});
  keeper_.done(asked(Tag::close));
  EXPECT_EQ(text_of(closed), "null");
  EXPECT_EQ(text_of(ask("terminal.list")), "[]");
}

TEST_F(MethodsTest, TerminalsOfAnotherSessionAreNotThere) {
  const std::string id = have_terminal();
  const std::string refusal = "\"error: there is no terminal " + id + " in this session\"";
  for (const char* method : {"terminal.write", "terminal.text", "terminal.close"})
    EXPECT_EQ(text_of(ask(method, {{"terminalId", id}, {"text", "rm"}}, "vms", elsewhere_)),
              refusal);
  EXPECT_EQ(text_of(ask("terminal.list", {}, "vms", elsewhere_)), "[]");
  EXPECT_EQ(keeper_.typed(id), "");
  EXPECT_EQ(text_of(ask("terminal.text", {{"terminalId", 1}})),
            R"("error: terminalId must be a string")");
}

// --- processes ---

TEST_F(MethodsTest, AProcessIsStartedAsItIsAskedFor) {
  const auto started =
      ask("process.start",
          {{"argv", {"qemu"}}, {"name", "vm"}, {"cwd", "/srv"}, {"env", {{"A", "1"}}}});
  const auto request = asked(Tag::spawn);
  EXPECT_EQ(request.texts(Field::argv), std::vector<std::string>{"qemu"});
  EXPECT_EQ(request.text(Field::cwd), "/srv");
  EXPECT_EQ(request.texts(Field::env), std::vector<std::string>{"A=1"});
  keeper_.start(request, process_.pid());
  const json::value told = result_of(started);
  EXPECT_EQ(told.at("name"), "vm");
  EXPECT_EQ(told.at("pid"), process_.pid());
  EXPECT_EQ(text_of(ask("process.list")), json::serialize(json::array{told}));
}

TEST_F(MethodsTest, WithoutAProgramNothingIsStarted) {
  EXPECT_EQ(text_of(ask("process.start")), R"("error: argv is empty")");
  EXPECT_EQ(text_of(ask("process.start", {{"argv", "qemu"}})), R"("error: argv must be a list")");
  const auto refused = ask("process.start", {{"argv", {"qemu"}}});
  keeper_.refuse(asked(Tag::spawn));
  EXPECT_EQ(text_of(refused), R"("error: the test refuses")");
  EXPECT_EQ(text_of(ask("process.list")), "[]");
}

TEST_F(MethodsTest, ItsOutputAndItsEndAreTold) {
  const std::string id = have_process({{"argv", {"qemu"}}});
  const auto ended = ask("process.wait", {{"id", id}});
  keeper_.print(id, "booted");
  run_until([&] { return text_of(ask("process.output", {{"id", id}})) == R"({"text":"booted"})"; });
  keeper_.exit(id, 3);
  EXPECT_EQ(text_of(ended), R"({"exitCode":3})");
  EXPECT_EQ(text_of(ask("process.output", {{"id", id}})), R"({"text":"booted","exitCode":3})");
  EXPECT_EQ(result_of(ask("process.list")).at(0).at("exitCode"), 3);
}

TEST_F(MethodsTest, AKilledProcessIsGone) {
  const std::string id = have_process({{"argv", {"qemu"}}});
  const auto ended = ask("process.wait", {{"id", id}});
  auto killed = ask("process.kill", {{"id", id}});
  keeper_.refuse(asked(Tag::close));
  EXPECT_EQ(text_of(killed), R"("error: the test refuses")");
  killed = ask("process.kill", {{"id", id}});
  close_process();
  EXPECT_EQ(text_of(killed), "null");
  EXPECT_EQ(text_of(ended), "\"error: the process " + id + " was closed\"");
  EXPECT_EQ(text_of(ask("process.list")), "[]");
}

TEST_F(MethodsTest, AnotherExtensionsProcessIsNotThere) {
  const std::string id = have_process({{"argv", {"qemu"}}});
  const std::string refusal = "\"error: there is no process " + id + "\"";
  for (const char* method : {"process.output", "process.wait", "process.kill"}) {
    EXPECT_EQ(text_of(ask(method, {{"id", id}}, "other")), refusal);
    EXPECT_EQ(text_of(ask(method, {{"id", id}}, "vms", elsewhere_)), refusal);
    EXPECT_EQ(text_of(ask(method, {{"id", 1}})), R"("error: id must be a string")");
  }
  EXPECT_EQ(text_of(ask("process.list", {}, "other")), "[]");
  EXPECT_FALSE(keeper_.was_asked(Tag::close));
}

// --- shown ---

TEST_F(MethodsTest, WhatIsShownReachesItsSessionsSurfaces) {
  RecordingSurface here;
  RecordingSurface there;
  main_->display.add(here);
  elsewhere_->display.add(there);
  EXPECT_EQ(text_of(ask("ui.notify", {{"text", "hello"}})), "null");
  EXPECT_EQ(text_of(ask("ui.notify", {{"text", "oh"}, {"level", "error"}})), "null");
  EXPECT_EQ(text_of(ask("ui.status", {{"key", "vm"}, {"text", "up"}})), "null");
  EXPECT_EQ(text_of(ask("ui.status", {{"key", "vm"}})), "null");
  EXPECT_EQ(text_of(ask("ui.notify", {{"text", 1}})), R"("error: text must be a string")");
  EXPECT_EQ(text_of(ask("ui.status", {{"text", "up"}})), R"("error: key must be a string")");
  EXPECT_EQ(text_of(ask("ui.ask", {{"kind", "confirm"}})), R"("error: title must be a string")");
  EXPECT_EQ(here.shown, (std::vector<std::string>{"main info hello", "main error oh",
                                                  "main vms.vm=up", "main vms.vm=(none)"}));
  EXPECT_TRUE(there.shown.empty());
  main_->display.remove(here);
  elsewhere_->display.remove(there);
}

TEST_F(MethodsTest, AValueThatIsTooLargeOrDamagedIsAnError) {
  const std::string large(300 * 1024, 'x');
  EXPECT_NE(text_of(ask("state.set", {{"key", "a"}, {"value", large}})).find("error"),
            std::string::npos);
  ASSERT_TRUE(store_.extensions().set_state({.session = main_->session.id, .name = "vms"}, "b",
                                            "{not JSON"));
  EXPECT_EQ(text_of(ask("state.get", {{"key", "b"}})),
            R"("error: the stored value of b is damaged")");
  for (const char* method : {"state.set", "state.delete"})
    EXPECT_EQ(text_of(ask(method)), R"("error: key must be a string")");
}

}  // namespace
}  // namespace extension
