// The same parts with a keeper that answers when it is told to, so that things can be started.

#pragma once

#include <memory>
#include <optional>
#include <string>

#include "extension/extension_fixture.h"
#include "extension/process_record.h"
#include "extension/sleeping_process.h"

namespace extension {

inline constexpr const char* kSomeNode = "22.19.0 /opt/node\n";

class KeeperTest : public ExtensionParts {
 protected:
  using Tag = keeper::Tag;
  using Field = keeper::Field;

  KeeperTest() {
    const auto started = start(client_.start(keeper::Takeover::no));
    run_until([&] { return started->has_value(); });
    EXPECT_TRUE(**started);
  }

  // The keeper ends the process, and knows no more of it.
  void close_process() {
    const auto request = asked(Tag::close);
    keeper_.done(request);
    keeper_.forget(request.text(Field::id));
    settle();
  }
  // The keeper starts what it is asked to start. Returns the process's id.
  std::string start_process() {
    const auto request = asked(Tag::spawn);
    keeper_.start(request, process_.pid());
    settle();
    return request.text(Field::id);
  }
  // The program that is asked for its version prints this.
  void say_node(const std::string& said, int exit_code = 0) {
    const auto request = asked(Tag::spawn);
    EXPECT_EQ(request.texts(Field::argv).at(1), "-p");
    keeper_.start(request, process_.pid());
    const std::string id = request.text(Field::id);
    keeper_.print(id, said);
    keeper_.exit(id, exit_code);
    close_process();
  }
  // Starts the process of a runner, without its connection.
  std::string start_runner_process() {
    say_node(kSomeNode);
    return start_process();
  }
  // The runner that was started connects.
  std::unique_ptr<PlayedRunner> connect(json::array sessions = {}, const std::string& only = "") {
    auto runner = std::make_unique<PlayedRunner>(io_, runners_, process_.pid());
    json::object more;
    if (!only.empty()) more["only"] = only;
    runner->say_hello(std::move(sessions), std::move(more));
    return runner;
  }
  // A runner of an earlier daemon, which was set to this Node.
  void adopt_runner(const std::string& node) {
    auto& held = keeper_.hold("process-runner", R"({"session":"","extension":"","name":"runner"})");
    held.kind = keeper::Kind::process;
    held.argv = {node};
    held.pid = process_.pid();
    adopt("process-runner");
    EXPECT_TRUE(runners_.adopt(*processes_.find("process-runner")));
    settle();
  }
  // Whether it was one of these processes.
  bool adopt(const std::string& id) {
    const auto listed =
        begin<base::Result<std::vector<keeper::ChildInfo>>>([this] { return client_.list(); });
    list();
    run_until([&] { return listed->has_value(); });
    for (const keeper::ChildInfo& info : (*listed)->value()) {
      if (info.id.str() != id) continue;
      const auto adopted = begin<bool>([this, info] { return processes_.adopt(info); });
      if (keeper_.was_asked(Tag::attach)) keeper_.hand_over(keeper_.take(Tag::attach));
      run_until([&] { return adopted->has_value(); });
      return **adopted;
    }
    return false;
  }

  SleepingProcess process_;  // The keeper says that all its children are this one.
};

}  // namespace extension
