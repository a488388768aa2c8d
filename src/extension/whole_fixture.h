// All of this folder as the daemon puts it together: sessions and terminals at one end, a runner at
// its socket at the other, and a keeper that answers when it is told to.

#pragma once

#include <deque>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "extension/extensions.h"
#include "extension/played_runner.h"
#include "keeper_protocol/runtime_dir.h"
#include "session/test_files.h"
#include "session/test_loop.h"

namespace extension {

class ExtensionsTest : public session::StoreTest, protected session::TestLoop {
 protected:
  using Tag = keeper::Tag;
  using Field = keeper::Field;
  using Request = PlayedRunner::Request;
  using Lines = std::vector<std::string>;

  ExtensionsTest() : TestLoop(dir()) {
    std::filesystem::create_directory(dir() / "code");
    std::ofstream(dir() / "code" / "vms.js") << "//";
    start(client_.start(keeper::Takeover::no));
  }
  ~ExtensionsTest() override { finish(stop()); }

  asio::awaitable<void> stop() {
    co_await extensions_.stop();
    co_await sessions_.stop();
    co_await client_.stop();
  }
  Answer<base::Status> begin_extensions() {
    base::Fd listener =
        keeper::RuntimeDir::open(dir()).value().listen("runner.sock", SOCK_STREAM).value();
    return start(extensions_.start(std::move(listener)));
  }
  void start_extensions() {
    const auto started = begin_extensions();
    list();
    run_until([&] {
      while (keeper_.was_asked(Tag::attach)) keeper_.hand_over(keeper_.take(Tag::attach));
      return started->has_value();
    });
    EXPECT_TRUE(**started);
    settle();
  }
  // The keeper starts the runner, which connects.
  void start_runner() {
    const auto version = asked(Tag::spawn);
    keeper_.start(version);
    keeper_.print(version.text(Field::id), "22.19.0 /opt/node\n");
    keeper_.exit(version.text(Field::id), 0);
    close_child();
    keeper_.start(asked(Tag::spawn));
    settle();
    connect({});
  }
  void connect(json::array held) {
    runner_ = std::make_unique<PlayedRunner>(io_, dir() / "runner.sock");
    settle();
    runner_->say_hello(std::move(held));
    settle();
  }
  void close_child() {
    const auto request = asked(Tag::close);
    keeper_.done(request);
    keeper_.forget(request.text(Field::id));
    settle();
  }
  std::deque<Request> taken() {
    settle();
    return runner_->take();
  }
  // Answers the load of a session with code that offers a command and a tool, and listens.
  void load(const Request& request, json::array events = {}) {
    EXPECT_EQ(request.method, "session.open");
    const json::value session = request.params.at("session").at("id");
    const json::value generation = request.params.at("extensions").at(0).at("generation");
    runner_->notify("registered", {{"session", session},
                                   {"extension", "vms"},
                                   {"generation", generation},
                                   {"commands", json::array{json::object{{"name", "hi"}}}},
                                   {"tools", json::array{json::object{{"name", "vm"}}}},
                                   {"events", std::move(events)}});
    runner_->answer(
        request.id,
        {{"extensions", json::array{json::object{{"name", "vms"}, {"status", "loaded"}}}}});
    settle();
  }
  session::SessionRow make_session(const std::string& name) {
    return sessions_.names().create_session(user_, name, session::SessionKind::interactive).value();
  }
  // The first session, whose code runs.
  session::SessionRow have_session(json::array events = {}) {
    start_extensions();
    session::SessionRow made = make_session("main");
    settle();
    start_runner();
    load(taken().at(0), std::move(events));
    return made;
  }
  // The names of the events that the runner was told of, which it answers.
  Lines events() {
    Lines names;
    for (const Request& request : taken()) {
      EXPECT_EQ(request.method, "event");
      names.emplace_back(request.params.at("name").as_string());
      runner_->answer(request.id, nullptr);
    }
    return names;
  }
  Answer<base::Result<RunResult>> type(const session::SessionRow& session,
                                       const std::string& line) {
    const Call call{.id = extensions_.next_call(), .progress = {}};
    last_call_ = call.id;
    return start(extensions_.run(session, line, call));
  }

  session::Store store_ = session::Store::open(path()).value();
  session::UserId user_ = store_.ensure_user("ann").value().id;
  session::UserId stranger_ = store_.ensure_user("bob").value().id;
  keeper::KeeperClient client_{
      io_.get_executor(),
      dir(),
      {.exited =
           [this](const keeper::ChildId& id, const keeper::ChildExit& exit) {
             sessions_.child_exited(id, exit);
             extensions_.child_exited(id, exit);
           },
       .let_go = {},
       .lost = {},
       .unreachable = {},
       .back = {},
       .displaced = {}}};
  session::Sessions sessions_{io_.get_executor(), client_, store_, session_settings()};
  Extensions extensions_{io_.get_executor(), client_, store_, sessions_, settings()};
  std::unique_ptr<PlayedRunner> runner_;
  std::string last_call_;

 private:
  [[nodiscard]] session::Settings session_settings() const {
    session::Settings settings;
    settings.unsaved_file = dir() / "unsaved.json";
    settings.history_dir = dir() / "histories";
    return settings;
  }
  [[nodiscard]] Settings settings() const {
    Settings settings;
    settings.directory = dir() / "code";
    settings.runner.socket = dir() / "runner.sock";
    return settings;
  }
};

}  // namespace extension
