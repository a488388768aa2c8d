// The real parts of this folder around a real store, for tests that play the runner at the other
// end of a socketpair.

#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "extension/command_line.h"
#include "extension/played_runner.h"
#include "extension/runner_api.h"
#include "session/test_files.h"
#include "session/test_loop.h"

namespace extension {

class ExtensionParts : public session::StoreTest, protected session::TestLoop {
 protected:
  ExtensionParts() : TestLoop(dir()) { std::filesystem::create_directory(code()); }
  ~ExtensionParts() override { finish(stop()); }

  void run() {
    io_.restart();
    io_.poll();
  }
  // Begins it. It ends with the test.
  template <class T>
  Answer<T> begin(std::function<asio::awaitable<T>()> work) {
    const auto result = std::make_shared<std::optional<T>>();
    tasks_.spawn([result, work]() -> asio::awaitable<void> { *result = co_await work(); });
    settle();
    return result;
  }
  // Runs it; none if it has not ended when nothing is left to do.
  template <class T>
  std::optional<T> result_of(std::function<asio::awaitable<T>()> work) {
    return *begin(std::move(work));
  }

  session::SessionRow make_session(const std::string& name) {
    return sessions_.names().create_session(user_, name, session::SessionKind::interactive).value();
  }
  SessionExtensionsPtr make_extensions(const std::string& name) {
    return by_session_.of(make_session(name));
  }
  void write_extension(const std::string& name) { std::ofstream(code() / (name + ".js")) << "//"; }
  [[nodiscard]] std::filesystem::path code() const { return dir() / "code"; }

 private:
  asio::awaitable<void> stop() {
    tasks_.cancel();
    co_await runners_.stop();
    co_await tasks_.join();
    co_await processes_.stop();
    co_await sessions_.stop();
    co_await client_.stop();
  }
  [[nodiscard]] session::Settings many_sessions() const {
    session::Settings settings;
    settings.user_sessions = 100'000;
    settings.unsaved_file = dir() / "unsaved.json";
    settings.history_dir = dir() / "histories";
    return settings;
  }
  static Settings extensions_in(const std::filesystem::path& directory) {
    Settings settings;
    settings.directory = directory;
    return settings;
  }
  Runners::Handlers handlers() {
    return {
        .hello = [this](Runner& runner, const auto& connection,
                        const auto& sessions) { loading_.hello(runner, connection, sessions); },
        .request =
            [this](std::string method, json::object params) {
              return api_.request(std::move(method), std::move(params));
            },
        .notification = [this](std::string_view method,
                               const json::object& params) { api_.notified(method, params); },
        .exited = [this](Runner& runner) { loading_.exited(runner); },
        .ended = [this](Runner& runner, const std::string& why) { loading_.ended(runner, why); }};
  }

 protected:
  asio::any_io_executor executor_ = io_.get_executor();
  base::ManualClock clock_;
  session::Store store_ = session::Store::open(path(), {.clock = &clock_}).value();
  session::UserId user_ = store_.ensure_user("ann").value().id;
  keeper::KeeperClient client_{
      executor_,
      dir(),
      {.exited =
           [this](const keeper::ChildId& id, const keeper::ChildExit& exit) {
             sessions_.child_exited(id, exit);
             processes_.child_exited(id, exit);
           },
       .let_go = {},
       .lost = {},
       .unreachable = {},
       .back = [this] { ++times_back_; },
       .displaced = {}}};
  int times_back_ = 0;  // To the keeper, after the connection was lost.
  session::Sessions sessions_{executor_, client_, store_, many_sessions()};
  Settings settings_ = extensions_in(code());
  base::TaskScope tasks_{executor_};
  Processes processes_{executor_, client_};
  ExtensionsBySession by_session_{executor_, store_, sessions_, clock_};
  Runners runners_{executor_, processes_, settings_, handlers()};
  Loading loading_{tasks_,    by_session_, runners_, processes_, {store_, sessions_, settings_},
                   sessions_, settings_};
  Events events_{executor_, tasks_, by_session_, loading_, sessions_, clock_};
  Calls calls_;
  ShellCommands shell_{executor_, processes_, sessions_, loading_, calls_, events_, 2};
  CommandLine command_line_{loading_, runners_, calls_, shell_, events_, sessions_, settings_};
  RunnerApi api_{by_session_,
                 loading_,
                 calls_,
                 {.store = store_,
                  .sessions = sessions_,
                  .processes = processes_,
                  .events = events_,
                  .environment = settings_.runner.environment}};
};

// With a runner that an earlier daemon started, and without a keeper: nothing can be started, and
// what is closed stays.
class ExtensionTest : public ExtensionParts {
 protected:
  ExtensionTest() {
    keeper::ChildInfo child;
    child.id = keeper::ChildId("process-runner");
    child.kind = keeper::Kind::process;
    child.pid = ::getpid();
    child.argv = {settings_.runner.node};
    child.label = R"({"session":"","extension":"","name":"runner"})";
    EXPECT_EQ(result_of<bool>([this, child] { return processes_.adopt(child); }), true);
    EXPECT_TRUE(runners_.adopt(*processes_.find("process-runner")));
  }

  // A runner connects as the process that was adopted.
  std::unique_ptr<PlayedRunner> connect(json::array sessions = {}) {
    auto runner = std::make_unique<PlayedRunner>(io_, runners_, ::getpid());
    runner->say_hello(std::move(sessions));
    return runner;
  }
};

}  // namespace extension
