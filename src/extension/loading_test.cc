// A session's extensions in every order of what can happen to them: lines that are typed, answers
// of the runner, the death of the worker, a connection that is lost.

#include "extension/loading.h"

#include <cstdlib>

#include "extension/built_ins.h"
#include "extension/extension_fixture.h"

namespace extension {
namespace {

using Request = PlayedRunner::Request;

// What a runner knows of one session, with one extension, `hello`, that offers the command `hi`.
class PlayedSession {
 public:
  PlayedSession(std::string id, PlayedRunner& runner) : id_(std::move(id)), runner_(&runner) {}

  [[nodiscard]] bool is_alive() const { return alive_; }
  [[nodiscard]] std::optional<std::int64_t> generation() const { return running_; }
  [[nodiscard]] bool is_idle() const { return !load_ && commands_.empty(); }

  void receive() {
    for (const Request& request : runner_->take()) take(request);
  }

  // Answers the load that goes on, else the oldest command.
  void answer() {
    if (load_) return finish_load();
    if (commands_.empty()) return;
    const std::int64_t id = commands_.front();
    commands_.pop_front();
    runner_->answer(id, json::object{{"text", "done"}});
  }

  // As the real runner does: it tells first, then it fails what the worker had to answer.
  void die() {
    if (!alive_) return;
    alive_ = false;
    running_.reset();
    std::deque<std::int64_t> failed = std::exchange(commands_, {});
    if (load_ && load_->id != 0) failed.push_front(load_->id);
    load_.reset();
    runner_->notify("worker_ended", {{"session", id_}, {"reason", "crashed"}});
    for (const std::int64_t id : failed) runner_->refuse(id, "the worker has ended");
  }

  // The connection is lost; answers to what was asked over it reach nobody.
  void lose_connection() {
    receive();
    runner_->close();
    commands_.clear();
    if (load_) load_->id = 0;
  }
  [[nodiscard]] json::array held() const {
    if (!alive_) return {};
    json::array extensions;
    if (running_) extensions.push_back(registration(*running_));
    return {json::object{{"id", id_}, {"loading", load_.has_value()}, {"extensions", extensions}}};
  }
  void use(PlayedRunner& runner) { runner_ = &runner; }

 private:
  struct Load {
    std::int64_t id = 0;  // 0: asked for over a connection that was lost.
    std::int64_t generation = 0;
  };

  [[nodiscard]] json::object registration(std::int64_t generation) const {
    return {{"session", id_},           {"extension", "hello"},
            {"name", "hello"},          {"path", "hello.js"},
            {"generation", generation}, {"commands", json::array{json::object{{"name", "hi"}}}}};
  }

  void take(const Request& request) {
    if (request.method == "session.open" || request.method == "session.reload") {
      EXPECT_FALSE(load_) << "two loads at the same time";
      EXPECT_EQ(alive_, request.method == "session.reload");
      alive_ = true;
      load_ = {
          .id = request.id,
          .generation =
              request.params.at("extensions").at(0).at("generation").to_number<std::int64_t>()};
    } else if (request.method == "command") {
      EXPECT_TRUE(alive_ && !load_) << "a command in the middle of a load";
      EXPECT_EQ(request.params.at("generation").to_number<std::int64_t>(), running_);
      commands_.push_back(request.id);
    }
  }

  void finish_load() {
    const Load load = *std::exchange(load_, {});
    running_ = load.generation;
    runner_->notify("registered", registration(load.generation));
    const json::object outcome{
        {"session", id_},
        {"extensions",
         json::array{json::object{
             {"name", "hello"}, {"status", "loaded"}, {"generation", load.generation}}}}};
    if (load.id != 0)
      runner_->answer(load.id, outcome);
    else
      runner_->notify("loaded", outcome);
  }

  std::string id_;
  PlayedRunner* runner_;
  bool alive_ = false;
  std::optional<std::int64_t> running_;
  std::optional<Load> load_;
  std::deque<std::int64_t> commands_;
};

class LoadingTest : public ExtensionTest {
 protected:
  LoadingTest() {
    write_extension("hello");
    runner_ = connect();
    by_session_.opened_all();
  }

  void type(const SessionExtensionsPtr& extensions, const std::string& line) {
    auto& result = typed_.emplace_back();
    tasks_.spawn([this, extensions, line, &result]() -> asio::awaitable<void> {
      // A named variable, because g++ 12 destroys a temporary inside a co_await twice.
      const Call call{.id = calls_.next_id(), .progress = {}};
      result = co_await command_line_.run(extensions, line, call);
    });
    run();
  }

  PlayedSession start_to_open(const SessionExtensionsPtr& extensions) {
    PlayedSession session(extensions->session.id.str(), *runner_);
    loading_.open_soon(extensions, "new");
    run();
    session.receive();
    return session;
  }

  void act(char action, const SessionExtensionsPtr& extensions, PlayedSession& session) {
    if (action == 'r') type(extensions, "/reload");
    if (action == 'c') type(extensions, "/hi");
    if (action == 'a') session.answer();
    if (action == 'd') session.die();
    if (action == 'l') {
      session.lose_connection();
      runner_ = connect(session.held());
      session.use(*runner_);
    }
    session.receive();
  }

  // Does all of it, then answers what is left.
  void walk(const std::string& actions) {
    SCOPED_TRACE(actions);
    typed_.clear();
    const SessionExtensionsPtr extensions = make_extensions("s" + std::to_string(++walks_));
    PlayedSession session = start_to_open(extensions);
    for (const char action : actions) act(action, extensions, session);
    for (int step = 0; step < 50 && !session.is_idle(); ++step) act('a', extensions, session);

    EXPECT_TRUE(session.is_idle() && extensions->is_settled());
    EXPECT_EQ(extensions->is_open, session.is_alive());
    for (const auto& result : typed_) EXPECT_TRUE(result) << "a line without an answer";
    if (session.is_alive()) {
      EXPECT_EQ(extensions->instances.find("hello")->generation, session.generation());
      EXPECT_TRUE(extensions->instances.find("hello")->runs);
      EXPECT_EQ(extensions->instances.commands().size(), 1U);
    } else {
      EXPECT_TRUE(extensions->disabled.all()) << "it died too often, or nobody opened it again";
      EXPECT_TRUE(extensions->instances.commands().empty());
    }
    by_session_.forget(extensions->session.id);
  }

  std::unique_ptr<PlayedRunner> runner_;
  std::deque<std::optional<base::Result<RunResult>>> typed_;
  int walks_ = 0;
};

TEST_F(LoadingTest, EveryOrderOfWhatCanHappenEndsWell) {
  constexpr std::string_view kActions = "rcadl";
  const int steps = std::getenv("HOLDFAST_SOAK") != nullptr ? 5 : 4;
  std::string actions(static_cast<std::size_t>(steps), kActions[0]);
  for (std::size_t number = 0;; ++number) {
    std::size_t rest = number;
    for (char& action : actions) {
      action = kActions[rest % kActions.size()];
      rest /= kActions.size();
    }
    if (rest > 0) break;
    walk(actions);
    if (HasFailure()) FAIL() << "at " << actions;
  }
}

TEST_F(LoadingTest, AWorkerThatDiesFourTimesIsNotStartedAgain) {
  walk("adadadad");
  walk("adadadadc");
  walk("adadadadra");  // Until somebody asks for it.
}

TEST_F(LoadingTest, WhatTheWorkerHeldIsLostWithIt) {
  const SessionExtensionsPtr extensions = make_extensions("main");
  PlayedSession session = start_to_open(extensions);
  session.answer();
  RecordingSurface surface;
  extensions->display.add(surface);
  extensions->display.set_status("hello", "state", "fine");
  extensions->resources.changed("hello", {{"key", "one"}, {"action", "create"}});
  surface.shown.clear();
  session.die();
  EXPECT_EQ(extensions->resources.rows().begin()->second.state, session::ResourceState::lost);
  EXPECT_EQ(surface.shown,
            (std::vector<std::string>{"main hello.state=(none)",
                                      "main warning Restarting extensions: crashed"}));
  extensions->display.remove(surface);
}

TEST_F(LoadingTest, WhenTheRunnerDiesWhatWaitsForItIsAnswered) {
  const SessionExtensionsPtr extensions = make_extensions("main");
  PlayedSession session = start_to_open(extensions);
  session.answer();
  type(extensions, "/hi");
  session.receive();
  ASSERT_FALSE(typed_.front());
  processes_.child_exited(keeper::ChildId("process-runner"), {});
  run();
  ASSERT_TRUE(typed_.front());
  EXPECT_EQ(typed_.front()->error().code, base::Code::unavailable);
  EXPECT_FALSE(extensions->is_open);
  EXPECT_FALSE(extensions->is_settled()) << "it is about to be opened in another runner";
}

TEST_F(LoadingTest, ACloseLeavesNothing) {
  const SessionExtensionsPtr extensions = make_extensions("main");
  PlayedSession session = start_to_open(extensions);
  session.answer();
  extensions->resources.changed("hello", {{"key", "one"}, {"action", "create"}});
  bool closed = false;
  tasks_.spawn([&]() -> asio::awaitable<void> {
    co_await loading_.close(extensions, "close");
    closed = true;
  });
  auto asked = runner_->take();
  ASSERT_EQ(asked.size(), 1U);
  EXPECT_EQ(asked[0].method, "session.close");
  EXPECT_FALSE(extensions->is_settled());
  type(extensions, "/hi");
  EXPECT_TRUE(runner_->take().empty()) << "a command for a session that is being closed";
  runner_->answer(asked[0].id, nullptr);
  EXPECT_TRUE(closed);
  EXPECT_TRUE(extensions->resources.rows().empty());
  ASSERT_TRUE(typed_.front());
  EXPECT_FALSE(*typed_.front());
}

TEST_F(LoadingTest, ARunnerIsToldToEndASessionThatIsGone) {
  runner_->close();
  runner_ = connect({json::object{{"id", "nobody"}}});
  const auto told = runner_->take();
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0].method, "session.kill");
  EXPECT_EQ(told[0].params.at("session"), "nobody");
}

TEST_F(LoadingTest, AnOlderRunnerWithoutAGuardHasItAdded) {
  const SessionExtensionsPtr extensions = make_extensions("main");
  write_extension("guard");
  extensions->guards.declare("guard", {"user_bash"});
  runner_->close();
  PlayedSession session(extensions->session.id.str(), *runner_);
  runner_ =
      connect({json::object{{"id", extensions->session.id.str()}, {"extensions", json::array{}}}});
  ASSERT_EQ(extensions->instances.all().size(), 1U);
  EXPECT_EQ(extensions->instances.all()[0].name, "guard");
  EXPECT_FALSE(extensions->instances.all()[0].runs);
}

TEST_F(LoadingTest, NothingIsSettledBeforeAllWereOpened) {
  ExtensionsBySession fresh(executor_, store_, sessions_, clock_);
  const SessionExtensionsPtr extensions = fresh.of(make_session("main"));
  bool settled = false;
  tasks_.spawn([&]() -> asio::awaitable<void> {
    co_await fresh.settled(extensions);
    settled = true;
  });
  run();
  EXPECT_FALSE(settled);
  Change change(fresh, extensions);
  fresh.opened_all();
  run();
  EXPECT_FALSE(settled);
  change.end();
  run();
  EXPECT_TRUE(settled);
}

}  // namespace
}  // namespace extension
