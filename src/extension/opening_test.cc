// Sessions are opened, reloaded and closed in a runner that the keeper starts.

#include <signal.h>

#include <algorithm>

#include "extension/keeper_fixture.h"

namespace extension {
namespace {

using session::ExtensionsWere;
using Request = PlayedRunner::Request;

class OpeningTest : public KeeperTest {
 protected:
  OpeningTest() { write_extension("vms"); }

  void open_all() {
    tasks_.spawn([this]() -> asio::awaitable<void> { co_await loading_.open_all(); });
    settle();
  }
  // A session that an earlier daemon left like this.
  SessionExtensionsPtr left(const std::string& name, ExtensionsWere were) {
    const session::SessionRow row = make_session(name);
    EXPECT_TRUE(store_.extensions().set_were(row.id, were));
    sessions_.names().learn_sessions(user_);
    return by_session_.of(*sessions_.names().find_session(row.id));
  }
  // The code was loaded as it was asked for.
  void answer_load(const Request& request) {
    json::array outcomes;
    for (const json::value& each : request.params.at("extensions").as_array())
      outcomes.push_back(json::object{
          {"name", each.at("name")}, {"status", "loaded"}, {"generation", each.at("generation")}});
    runner_->answer(request.id, json::object{{"extensions", outcomes}});
    settle();
  }
  // A session whose code runs.
  SessionExtensionsPtr have(const std::string& name) {
    by_session_.opened_all();
    const SessionExtensionsPtr extensions = make_extensions(name);
    loading_.open_soon(extensions, "new");
    settle();
    if (!runner_) {
      runner_process_ = start_runner_process();
      runner_ = connect();
      settle();
    }
    answer_load(runner_->take().at(0));
    EXPECT_TRUE(extensions->is_open && extensions->is_settled());
    return extensions;
  }
  Answer<base::Result<RunResult>> type(const SessionExtensionsPtr& extensions,
                                       const std::string& line) {
    const Call call{.id = calls_.next_id(), .progress = {}};
    return begin<base::Result<RunResult>>(
        [this, extensions, line, call] { return command_line_.run(extensions, line, call); });
  }
  std::string text_of(const Answer<base::Result<RunResult>>& answer) {
    run_until([&] { return answer->has_value(); });
    return **answer ? (*answer)->value().text.value_or("") : (*answer)->error().what;
  }

  std::unique_ptr<PlayedRunner> runner_;
  std::string runner_process_;
};

// --- when the daemon starts ---

TEST_F(OpeningTest, ExtensionsAreToldWhyTheyAreOpened) {
  left("fresh", ExtensionsWere::never);
  left("killed", ExtensionsWere::open)
      ->resources.changed("vms", {{"key", "one"}, {"action", "create"}});
  left("ended", ExtensionsWere::closed);
  open_all();
  start_runner_process();
  runner_ = connect();
  settle();
  std::vector<std::string> reasons;
  for (const Request& request : runner_->take())
    reasons.push_back(std::string(request.params.at("session").at("name").as_string()) + " " +
                      std::string(request.params.at("reason").as_string()));
  std::ranges::sort(reasons);
  EXPECT_EQ(reasons, (std::vector<std::string>{"ended resume", "fresh startup", "killed recover"}));
  const auto killed = by_session_.of(sessions_.names().find_session(user_, "killed").value());
  EXPECT_EQ(killed->resources.rows().begin()->second.state, session::ResourceState::lost);
}

TEST_F(OpeningTest, ARunnerThatNoSessionUsesIsEnded) {
  adopt_runner("node");
  open_all();
  EXPECT_FALSE(keeper_.was_asked(Tag::close)) << "it may still say what it holds";
  runner_ = connect();
  close_process();
  EXPECT_TRUE(processes_.all().empty());
}

TEST_F(OpeningTest, WhileExtensionsAreOffARunnerIsEnded) {
  settings_.off = "off";
  const SessionExtensionsPtr extensions = make_extensions("main");
  adopt_runner("node");
  open_all();
  close_process();
  EXPECT_TRUE(extensions->instances.all().empty());
  EXPECT_FALSE(keeper_.was_asked(Tag::spawn));
}

// --- a runner that does not start ---

TEST_F(OpeningTest, WithoutANodeItIsSaidWhyAndReloadTriesAgain) {
  by_session_.opened_all();
  const SessionExtensionsPtr extensions = make_extensions("main");
  RecordingSurface surface;
  extensions->display.add(surface);
  loading_.open_soon(extensions, "new");
  say_node("no Node\n");
  const std::string why = "extensions are off: node is not Node; it printed: no Node\n";
  EXPECT_TRUE(surface.shown.back().starts_with("main error " + why)) << surface.shown.back();
  EXPECT_TRUE(extensions->is_settled() && !extensions->is_open);
  const auto reloaded = type(extensions, "/reload");
  say_node("no Node\n");
  EXPECT_TRUE(text_of(reloaded).starts_with("vms: " + why));
  extensions->display.remove(surface);
}

TEST_F(OpeningTest, ARunnerThatIsKilledWhileItStartsIsStartedAgainThreeTimes) {
  by_session_.opened_all();
  const SessionExtensionsPtr extensions = make_extensions("main");
  loading_.open_soon(extensions, "new");
  for (int tries = 0; tries < 4; ++tries) {
    EXPECT_FALSE(extensions->disabled.all());
    keeper_.exit(start_runner_process(), 137);
    close_process();
    settle();
  }
  EXPECT_TRUE(extensions->disabled.all());
  EXPECT_FALSE(keeper_.was_asked(Tag::spawn));
  EXPECT_TRUE(extensions->is_settled());
}

// --- turning off ---

TEST_F(OpeningTest, WhatIsTurnedOffIsUnloadedAndDecidesNoMore) {
  write_extension("guard");
  const SessionExtensionsPtr extensions = have("main");
  extensions->guards.declare("guard", {"user_bash"});
  extensions->display.set_status("guard", "state", "on");
  RecordingSurface surface;
  extensions->display.add(surface);
  const auto disabled = type(extensions, "/disable guard");
  const auto asked = runner_->take();
  ASSERT_EQ(asked.size(), 1U);
  EXPECT_EQ(asked[0].method, "session.reload");
  ASSERT_EQ(asked[0].params.at("extensions").as_array().size(), 1U);
  EXPECT_EQ(asked[0].params.at("extensions").at(0).at("name"), "vms");
  answer_load(asked[0]);
  EXPECT_EQ(text_of(disabled), "guard is off until the next /reload.");
  EXPECT_FALSE(extensions->guards.is_guarded("user_bash"));
  EXPECT_EQ(std::ranges::count(surface.shown, "main guard.state=(none)"), 1);
  EXPECT_EQ(text_of(type(extensions, "/disable guard")), "guard is off until the next /reload.");
  EXPECT_TRUE(runner_->take().empty()) << "it is off already";
  (void)type(extensions, "/reload");
  EXPECT_EQ(runner_->take().at(0).params.at("extensions").as_array().size(), 2U);
  extensions->display.remove(surface);
}

TEST_F(OpeningTest, IfTheOthersDoNotLoadAgainThatIsSaid) {
  write_extension("guard");
  const SessionExtensionsPtr extensions = have("main");
  const auto disabled = type(extensions, "/disable guard");
  runner_->refuse(runner_->take().at(0).id, "out of memory");
  EXPECT_EQ(text_of(disabled), "out of memory");
}

TEST_F(OpeningTest, OneThatKillsItsWorkerIsDisabledAndTheOthersRun) {
  write_extension("bad");
  const SessionExtensionsPtr extensions = have("main");
  RecordingSurface surface;
  extensions->display.add(surface);
  for (int deaths = 0; deaths < 4; ++deaths) {
    runner_->notify("worker_ended", {{"session", extensions->session.id.str()},
                                     {"reason", "stuck"},
                                     {"detail", "for 10 s"},
                                     {"extension", "bad"}});
    settle();
    const auto asked = runner_->take();
    ASSERT_EQ(asked.size(), 1U);
    EXPECT_EQ(asked[0].params.at("extensions").as_array().size(), deaths < 3 ? 2U : 1U);
    answer_load(asked[0]);
  }
  EXPECT_TRUE(extensions->instances.find("vms")->runs);
  EXPECT_FALSE(extensions->instances.find("bad")->runs);
  EXPECT_EQ(std::ranges::count(
                surface.shown,
                "main error bad is disabled after three restarts within five minutes (stuck: for "
                "10 s, by bad). The others keep running. Fix it, then type /reload."),
            1);
  extensions->display.remove(surface);
}

// --- gone while nobody looked ---

TEST_F(OpeningTest, ProgramsThatAWorkerLeavesBehindAreEnded) {
  const SessionExtensionsPtr extensions = have("main");
  const SleepingProcess stray;
  const SleepingProcess named;
  extensions->resources.changed(
      "vms", {{"key", "one"}, {"action", "create"}, {"pids", json::array{named.pid()}}});
  runner_->notify("children", {{"session", extensions->session.id.str()},
                               {"pids", json::array{stray.pid(), named.pid()}}});
  runner_->notify("worker_ended",
                  {{"session", extensions->session.id.str()}, {"reason", "crashed"}});
  run_until([&] { return stray.has_ended(); });
  EXPECT_FALSE(named.has_ended()) << "the user decides about a resource's programs";
}

TEST_F(OpeningTest, AWorkerThatEndedWhileTheRunnerWasNotConnectedIsStartedAgain) {
  const SessionExtensionsPtr kept = have("kept");
  const SessionExtensionsPtr lost = have("lost");
  runner_->close();
  runner_ = connect({json::object{{"id", kept->session.id.str()}, {"extensions", json::array{}}}});
  settle();
  const auto asked = runner_->take();
  ASSERT_EQ(asked.size(), 1U);
  EXPECT_EQ(asked[0].method, "session.open");
  EXPECT_EQ(asked[0].params.at("session").at("id").as_string(), lost->session.id.str());
  EXPECT_EQ(asked[0].params.at("reason"), "recover");
}

TEST_F(OpeningTest, ARenamedSessionsCodeIsTold) {
  const SessionExtensionsPtr extensions = have("main");
  session::SessionRow row = extensions->session;
  row.name = "work";
  loading_.renamed(row);
  const auto told = runner_->take();
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0].method, "session.renamed");
  EXPECT_EQ(told[0].params.at("name"), "work");
  EXPECT_EQ(extensions->session.name, "work");
}

// --- closing ---

TEST_F(OpeningTest, WhenAllIsClosedNothingIsLeftOfAny) {
  const SessionExtensionsPtr first = have("first");
  const SessionExtensionsPtr second = have("second");
  first->resources.changed("vms", {{"key", "one"}, {"action", "create"}});
  ProcessSpec spec{.owner = {.session = second->session.id, .name = "vms"},
                   .name = "vm",
                   .argv = {"qemu"},
                   .env = {},
                   .cwd = "/",
                   .on_output = {}};
  const auto started =
      begin<base::Result<ProcessInfo>>([this, spec] { return processes_.start(spec); });
  const std::string process = start_process();
  bool closed = false;
  tasks_.spawn([&]() -> asio::awaitable<void> {
    co_await loading_.close_all("quit");
    closed = true;
  });
  for (int each = 0; each < 2; ++each) {
    run_until([&] {
      if (keeper_.was_asked(Tag::close)) close_process();
      settle();
      return runner_->has_requests();
    });
    const auto asked = runner_->take();
    ASSERT_EQ(asked.size(), 1U);
    EXPECT_EQ(asked[0].params.at("reason"), "quit");
    each == 0 ? runner_->refuse(asked[0].id, "it hangs") : runner_->answer(asked[0].id, nullptr);
  }
  run_until([&] {
    if (keeper_.was_asked(Tag::close)) close_process();
    return closed;
  });
  EXPECT_EQ(processes_.find(process), nullptr);
  EXPECT_TRUE(first->resources.rows().empty());
  EXPECT_FALSE(first->is_open || second->is_open);
  const auto rows = store_.sessions(user_);
  for (const session::SessionRow& row : rows.value())
    EXPECT_EQ(row.extensions, ExtensionsWere::closed) << "all was well when it ended";
}

// Its record is closed before another one is started. A command that came in that moment was
// refused.
TEST_F(OpeningTest, WhatIsTypedWhileTheRunnersRecordIsClosedWaitsForTheNextRunner) {
  const SessionExtensionsPtr extensions = have("main");
  const auto offer_hi = [&](int generation) {
    runner_->notify("registered", {{"session", extensions->session.id.str()},
                                   {"extension", "vms"},
                                   {"name", "vms"},
                                   {"path", "vms.js"},
                                   {"generation", generation},
                                   {"commands", json::array{json::object{{"name", "hi"}}}}});
    settle();
  };
  offer_hi(1);
  runner_->close();
  keeper_.exit(runner_process_, 128 + SIGKILL);
  const auto closing = asked(Tag::close);
  const auto typed = type(extensions, "/hi");
  EXPECT_FALSE(typed->has_value()) << (*typed)->error().message();

  keeper_.done(closing);
  keeper_.forget(runner_process_);
  start_runner_process();
  runner_ = connect();
  settle();
  offer_hi(2);
  answer_load(runner_->take().at(0));
  const Request asked_again = runner_->take().at(0);
  EXPECT_EQ(asked_again.method, "command");
  runner_->answer(asked_again.id, json::object{{"text", "done"}});
  EXPECT_EQ(text_of(typed), "done");
}

}  // namespace
}  // namespace extension
