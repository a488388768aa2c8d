// How the runner's process begins and ends.

#include "extension/runner.h"

#include "extension/keeper_fixture.h"

namespace extension {
namespace {

using Link = base::Result<std::shared_ptr<Rpc>>;
using Words = std::vector<std::string>;

class RunnerTest : public KeeperTest {
 protected:
  Answer<Link> ready(const session::SessionRow& session) {
    Runner& runner = runners_.of(session);
    return begin<Link>([&runner] { return runner.ready(); });
  }
  Answer<Link> ready() { return ready(session_); }
  base::Error error_of(const Answer<Link>& answer) {
    run_until([&] { return answer->has_value(); });
    return (*answer)->error();
  }

  session::SessionRow session_ = make_session("main");
};

TEST_F(RunnerTest, ItIsStartedOnceForAllWhoNeedIt) {
  const auto first = ready();
  const auto second = ready();
  say_node(kSomeNode);
  const auto request = asked(Tag::spawn);
  EXPECT_EQ(request.texts(Field::argv),
            (Words{"node", settings_.runner.script, "--socket", settings_.runner.socket}));
  keeper_.start(request, process_.pid());
  settle();
  EXPECT_FALSE(keeper_.was_asked(Tag::spawn));
  EXPECT_FALSE(first->has_value()) << "it has not connected yet";
  const auto runner = connect();
  run_until([&] { return first->has_value() && second->has_value(); });
  EXPECT_EQ((*first)->value(), (*second)->value());
  const auto third = ready();
  EXPECT_TRUE(third->has_value()) << "it runs";
}

TEST_F(RunnerTest, WhatIsNoNodeIsNotStarted) {
  const auto connection = ready();
  say_node("Python 3.11\n");
  EXPECT_EQ(error_of(connection).what,
            "extensions are off: node is not Node; it printed: Python 3.11\n");
  const auto again = ready();
  say_node("18.0.0 /usr/bin/node\n");
  EXPECT_EQ(error_of(again).what, "extensions are off: Node 18.0.0 (/usr/bin/node) is too old");
  EXPECT_FALSE(keeper_.was_asked(Tag::spawn));
  EXPECT_TRUE(processes_.all().empty());
}

TEST_F(RunnerTest, IfTheKeeperRefusesWhatToDoIsSaid) {
  const auto connection = ready();
  keeper_.refuse(asked(Tag::spawn));
  const base::Error error = error_of(connection);
  EXPECT_EQ(error.what, "extensions are off: the test refuses");
  EXPECT_EQ(error.advice, kNodeAdvice);
}

TEST_F(RunnerTest, ALostKeeperIsWaitedFor) {
  const auto connection = ready();
  (void)asked(Tag::spawn);
  keeper_.hang_up();
  run_until([&] { return times_back_ == 1; });
  start_runner_process();
  const auto runner = connect();
  run_until([&] { return connection->has_value(); });
  EXPECT_TRUE(**connection);
}

TEST_F(RunnerTest, OneThatExitsAtOnceSaysWhy) {
  const auto connection = ready();
  const std::string id = start_runner_process();
  keeper_.print(id, "SyntaxError: no such thing\n");
  keeper_.exit(id, 1);
  close_process();
  const base::Error error = error_of(connection);
  EXPECT_EQ(error.what,
            "the extension runner exited: it exited with 1: SyntaxError: no such thing");
  EXPECT_EQ(error.code, base::Code::unsupported) << "it would do so again";
}

TEST_F(RunnerTest, OneThatIsKilledAtOnceMayBeTriedAgain) {
  const auto connection = ready();
  const std::string id = start_runner_process();
  keeper_.exit(id, 137);
  keeper_.refuse(asked(Tag::close));
  EXPECT_EQ(error_of(connection).code, base::Code::unavailable);
  const auto again = ready();
  start_runner_process();
  const auto runner = connect();
  run_until([&] { return again->has_value(); });
  EXPECT_TRUE(**again);
}

TEST_F(RunnerTest, OnlyTheEndOfALongOutputIsShown) {
  const auto connection = ready();
  const std::string id = start_runner_process();
  keeper_.print(id, std::string(1000, 'x') + "the end\r\n");
  keeper_.exit(id, 1);
  close_process();
  const std::string what = error_of(connection).what;
  EXPECT_TRUE(what.ends_with("xthe end"));
  EXPECT_LT(what.size(), 500U);
}

// --- who it is ---

TEST_F(RunnerTest, WhoeverConnectsWhileItIsStartedIsAskedToTryAgain) {
  const auto connection = ready();
  say_node(kSomeNode);
  const auto request = asked(Tag::spawn);
  PlayedRunner early(io_, runners_, process_.pid());
  const json::object hello{{"protocol", 1}, {"sessions", json::array{}}};
  const json::value answer = early.ask("hello", hello);
  EXPECT_EQ(answer.at("error").at("message"), "a runner is being started");
  EXPECT_FALSE(process_.has_ended());
  keeper_.start(request, process_.pid());
  settle();
  early.say_hello({});
  run_until([&] { return connection->has_value(); });
  EXPECT_TRUE(**connection);
}

TEST_F(RunnerTest, OneThatOutlivedItsKeeperIsEnded) {
  PlayedRunner stray(io_, runners_, process_.pid());
  (void)stray.ask("hello", {{"protocol", 1}, {"sessions", json::array{}}});
  run_until([&] { return process_.has_ended(); });
}

TEST_F(RunnerTest, AMessageThatIsNoHelloIsRefused) {
  adopt_runner("node");
  PlayedRunner runner(io_, runners_, process_.pid());
  const json::value answer = runner.ask("hello", {{"protocol", 1}, {"sessions", 7}});
  EXPECT_EQ(answer.at("error").at("message"), "sessions must be a list");
  EXPECT_FALSE(process_.has_ended());
}

TEST_F(RunnerTest, ASessionOfItsOwnProcessIsEndedWithIt) {
  session::SessionRow alone = make_session("alone");
  alone.isolation = Isolation::process;
  const auto connection = ready(alone);
  say_node(kSomeNode);
  const auto request = asked(Tag::spawn);
  const Words argv = request.texts(Field::argv);
  EXPECT_EQ(Words(argv.end() - 2, argv.end()), (Words{"--only", alone.id.str()}));
  keeper_.start(request, process_.pid());
  settle();
  const auto runner = connect({}, alone.id.str());
  run_until([&] { return connection->has_value(); });
  runners_.notify_all("cancel", {});
  EXPECT_EQ(runner->take().at(0).method, "cancel");
  runners_.end_own(session_.id);  // It has none.
  runners_.end_own(alone.id);
  close_process();
  EXPECT_FALSE(runners_.of(alone).is_running());
  EXPECT_FALSE(runners_.of(alone).connection());
}

TEST_F(RunnerTest, OfTwoOfAnEarlierDaemonTheSecondIsLetGo) {
  adopt_runner("node");
  auto& second = keeper_.hold("process-2", R"({"session":"","extension":"","name":"runner"})");
  second.kind = keeper::Kind::process;
  second.pid = process_.pid();
  second.exit = 0;
  ASSERT_TRUE(adopt("process-2"));
  EXPECT_TRUE(runners_.adopt(*processes_.find("process-2")));
  close_process();
  run_until([&] { return processes_.find("process-2") == nullptr; });
  EXPECT_TRUE(runners_.of(session_).has_pid(process_.pid()));
}

}  // namespace
}  // namespace extension
