#include "extension/runner_api.h"

#include "extension/extension_fixture.h"

namespace extension {
namespace {

class RunnerApiTest : public ExtensionTest {
 protected:
  RunnerApiTest() {
    extensions_->is_open = true;
    extensions_->instances.replace({{.name = "vms", .generation = 4, .runs = true}});
  }

  json::object from(std::int64_t generation, json::object params) {
    params["session"] = extensions_->session.id.str();
    params["extension"] = "vms";
    params["generation"] = generation;
    return params;
  }
  std::string ask(const std::string& method, json::object params) {
    const auto answer =
        result_of<MethodAnswer>([this, method, params] { return api_.request(method, params); });
    if (!answer) return "no answer yet";
    return *answer ? json::serialize(**answer) : answer->error().what;
  }

  SessionExtensionsPtr extensions_ = make_extensions("main");
};

TEST_F(RunnerApiTest, MethodNamesAreUnique) {
  std::set<std::string_view> names;
  for (const Method& method : methods()) EXPECT_TRUE(names.insert(method.name).second);
  EXPECT_EQ(names.size(), 18U);
  EXPECT_EQ(ask("state.burn", from(4, {})), "there is no method state.burn");
}

TEST_F(RunnerApiTest, StateIsWhatWasSet) {
  EXPECT_EQ(ask("state.get", from(4, {{"key", "a"}})), "null");
  EXPECT_EQ(ask("state.set", from(4, {{"key", "a"}, {"value", {1, 2}}})), "null");
  EXPECT_EQ(ask("state.get", from(4, {{"key", "a"}})), "[1,2]");
  EXPECT_EQ(ask("state.keys", from(4, {})), R"(["a"])");
  EXPECT_EQ(ask("state.delete", from(4, {{"key", "a"}})), "null");
  EXPECT_EQ(ask("state.keys", from(4, {})), "[]");
  EXPECT_EQ(ask("state.get", from(4, {{"key", 1}})), "key must be a string");
}

TEST_F(RunnerApiTest, OldCodeIsRefusedAndHasNoEffect) {
  RecordingSurface surface;
  extensions_->display.add(surface);
  for (const std::int64_t generation : {3, 5, -1}) {
    const std::string refused = "generation " + std::to_string(generation) + " of vms has ended";
    for (const Method& method : methods())
      EXPECT_EQ(ask(std::string(method.name),
                    from(generation, {{"key", "a"}, {"text", "x"}, {"value", 1}})),
                refused);
    api_.notified("registered",
                  from(generation, {{"commands", json::array{json::object{{"name", "x"}}}}}));
    api_.notified("resource", from(generation, {{"key", "r"}, {"action", "create"}}));
  }
  EXPECT_TRUE(surface.shown.empty());
  EXPECT_TRUE(extensions_->instances.commands().empty());
  EXPECT_TRUE(extensions_->resources.rows().empty());
  EXPECT_EQ(ask("state.keys", from(4, {})), "[]");
  extensions_->display.remove(surface);
}

TEST_F(RunnerApiTest, AResourceOutlivesTheCodeThatMadeIt) {
  api_.notified("resource", from(4, {{"key", "r"}, {"action", "create"}}));
  api_.notified("resource", from(3, {{"key", "r"}, {"action", "close"}}));
  EXPECT_TRUE(extensions_->resources.rows().empty());
}

TEST_F(RunnerApiTest, TheCodeBeingLoadedMayCallDuringAReload) {
  (void)extensions_->instances.begin_reload({{.name = "vms", .generation = 5}});
  EXPECT_EQ(ask("state.keys", from(4, {})), "[]");
  EXPECT_EQ(ask("state.keys", from(5, {})), "[]");
  (void)extensions_->instances.take_outcomes(json::object{
      {"extensions",
       json::array{json::object{{"name", "vms"}, {"generation", 5}, {"status", "loaded"}}}}});
  (void)extensions_->instances.end_reload();
  EXPECT_EQ(ask("state.keys", from(4, {})), "generation 4 of vms has ended");
}

TEST_F(RunnerApiTest, AnotherExtensionsProcessIsNotThere) {
  EXPECT_EQ(ask("process.output", from(4, {{"id", "process-runner"}})),
            "there is no process process-runner");
  EXPECT_EQ(ask("process.list", from(4, {})), "[]");
}

TEST_F(RunnerApiTest, AnAnswerThatDoesNotFitIsNoAnswer) {
  RecordingSurface surface;
  extensions_->display.add(surface);
  const auto asked = [&](const std::string& kind, json::value said) {
    std::string answer;
    tasks_.spawn([&, kind]() -> asio::awaitable<void> {
      json::object params =
          from(4, {{"kind", kind}, {"title", "?"}, {"options", json::array{"a", "b"}}});
      const auto result = co_await api_.request("ui.ask", std::move(params));
      answer = result ? json::serialize(*result) : result.error().what;
    });
    run();
    if (!surface.asked.empty()) {
      EXPECT_TRUE(extensions_->questions.answer(surface.asked.at(0), said));
    }
    run();
    return answer;
  };
  EXPECT_EQ(asked("confirm", true), "true");
  EXPECT_EQ(asked("confirm", "yes"), "false");
  EXPECT_EQ(asked("select", "b"), R"("b")");
  EXPECT_EQ(asked("select", "c"), "null");
  EXPECT_EQ(asked("input", "c"), R"("c")");
  EXPECT_EQ(asked("input", 1), "null");
  EXPECT_EQ(asked("shout", 1), "unknown kind of question");
  extensions_->display.remove(surface);
}

TEST_F(RunnerApiTest, WhatExtensionsLogIsNotedAndShownIfTheyAskForIt) {
  RecordingSurface surface;
  extensions_->display.add(surface);
  const auto log = [&](const std::string& level, bool show) {
    api_.notified("log", from(4, {{"level", level}, {"text", "it is " + level}, {"show", show}}));
  };
  log("info", false);
  log("warning", true);
  log("error", true);
  EXPECT_EQ(surface.shown, (std::vector<std::string>{"main warning vms: it is warning",
                                                     "main error vms: it is error"}));
  const auto noted = store_.log({.session = extensions_->session.id, .newest = 3}).value();
  ASSERT_EQ(noted.size(), 3U);
  EXPECT_EQ(noted[2].detail, "it is info");
  extensions_->display.remove(surface);
}

TEST_F(RunnerApiTest, WhatItSaysOfNobodyOrOfNothingKnownIsIgnored) {
  api_.notified("log", {{"session", "nobody"}, {"text", "hi"}, {"level", "info"}});
  api_.notified("dance", from(4, {}));
  extensions_->is_open = false;
  api_.notified("worker_ended", from(4, {{"reason", "crashed"}}));
  EXPECT_TRUE(extensions_->is_settled()) << "it was not open";
  EXPECT_TRUE(store_.log({.session = extensions_->session.id, .newest = 1}).value().empty());
}

TEST_F(RunnerApiTest, ProgramsOfAWorkerAreKnown) {
  api_.notified("children", from(4, {{"pids", json::array{::getpid()}}}));
  EXPECT_EQ(extensions_->resources.would_be_lost(),
            std::vector<std::string>{"1 running program(s)"});
}

TEST_F(RunnerApiTest, ProgressReachesItsCallerWhileTheCallRuns) {
  const auto runner = connect(json::array{json::object{{"id", extensions_->session.id.str()}}});
  std::string heard;
  const Call call{.id = calls_.next_id(),
                  .progress = [&heard](std::string_view text) { heard += text; }};
  tasks_.spawn([&]() -> asio::awaitable<void> {
    (void)co_await calls_.run(runners_.of(extensions_->session).connection(), "command", {}, call);
  });
  const auto asked = runner->take();
  ASSERT_EQ(asked.size(), 1U);
  EXPECT_EQ(asked[0].params.at("call"), "call-1");
  runner->notify("progress", {{"call", "call-1"}, {"text", "a"}});
  runner->notify("progress", {{"call", "call-2"}, {"text", "b"}});
  EXPECT_EQ(heard, "a");
  calls_.cancel("call-1");
  runner->notify("progress", {{"call", "call-1"}, {"text", "c"}});
  runner->answer(asked[0].id, nullptr);
  runner->notify("progress", {{"call", "call-1"}, {"text", "d"}});
  EXPECT_EQ(heard, "a");
}

}  // namespace
}  // namespace extension
