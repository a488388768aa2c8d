// `! command`, from the decision of the extensions to the end of its process.

#include "extension/shell_commands.h"

#include <algorithm>

#include "extension/keeper_fixture.h"

namespace extension {
namespace {

class ShellCommandsTest : public KeeperTest {
 protected:
  using Outcome = base::Result<RunResult>;

  ShellCommandsTest() { by_session_.opened_all(); }

  Answer<Outcome> type(const std::string& command) {
    Call call{.id = calls_.next_id(),
              .progress = [this](std::string_view text) { progress_.emplace_back(text); }};
    last_call_ = call.id;
    return begin<Outcome>([this, command, call] { return shell_.run(extensions_, command, call); });
  }
  base::Error error_of(const Answer<Outcome>& answer) {
    run_until([&] { return answer->has_value(); });
    return (*answer)->error();
  }
  // A runner that holds an extension which decides about commands.
  void have_guard() {
    adopt_runner("node");
    runner_ = connect({json::object{
        {"id", extensions_->session.id.str()},
        {"extensions", json::array{json::object{{"name", "guard"},
                                                {"path", ""},
                                                {"generation", 1},
                                                {"events", json::array{"user_bash"}}}}}}});
  }
  void decide(json::value decision) {
    runner_->answer(runner_->take().at(0).id, std::move(decision));
  }

  SessionExtensionsPtr extensions_ = make_extensions("main");
  std::unique_ptr<PlayedRunner> runner_;
  std::vector<std::string> progress_;
  std::string last_call_;
};

TEST_F(ShellCommandsTest, ItsOutputAndCodeAreTheResult) {
  const auto result = type("make all");
  const auto request = asked(Tag::spawn);
  EXPECT_EQ(request.texts(Field::argv), (std::vector<std::string>{"/bin/sh", "-c", "make all"}));
  EXPECT_EQ(request.text(Field::cwd), "/");
  keeper_.start(request, process_.pid());
  settle();
  const std::string id = request.text(Field::id);
  keeper_.print(id, "one\ntw");
  run_until([&] { return !progress_.empty(); });
  keeper_.print(id, "o\nthree");
  keeper_.exit(id, 2);
  run_until([&] { return result->has_value(); });
  EXPECT_EQ((*result)->value().text, "one\ntwo\nthree");
  EXPECT_EQ((*result)->value().exit_code, 2);
  EXPECT_EQ(progress_, (std::vector<std::string>{"one\n", "two\n"})) << "lines are told whole";
  close_process();
  run_until([&] { return processes_.all().empty(); });
}

TEST_F(ShellCommandsTest, ThatItRanIsNotedButNotWhatItWas) {
  (void)type("curl --password hunter2");
  start_process();
  const auto noted = store_.log({.session = extensions_->session.id, .newest = 1}).value();
  ASSERT_EQ(noted.size(), 1U);
  EXPECT_EQ(noted[0].subject + " " + noted[0].event, "shell command run");
  EXPECT_EQ(noted[0].detail.find("hunter2"), std::string::npos);
}

// The keeper limits the length of what it holds of a process, and it must be UTF-8.
TEST_F(ShellCommandsTest, ALongCommandIsShortenedBetweenCharacters) {
  for (const std::string before : {"", "x", "xx", "xxx"}) {
    std::string command = before;
    while (command.size() < 200) command += "€";
    (void)type(command);
    const auto request = asked(Tag::spawn);
    const std::string name = json::parse(request.text(Field::label)).at("name").as_string().c_str();
    EXPECT_TRUE(name.ends_with("€…")) << name;
    EXPECT_LE(name.size(), 106U);
    EXPECT_EQ(request.texts(Field::argv).at(2), command);
    keeper_.refuse(request);
    settle();
  }
}

TEST_F(ShellCommandsTest, OneThatCannotBeStartedTakesNoPlace) {
  for (int each = 0; each < 3; ++each) {  // The limit is 2.
    const auto result = type("true");
    keeper_.refuse(asked(Tag::spawn));
    EXPECT_EQ(error_of(result).code, base::Code::io);
  }
}

TEST_F(ShellCommandsTest, GuardsMayTakeAsLongAsTheyNeed) {
  have_guard();
  const auto result = type("true");
  const auto asked = runner_->take();
  ASSERT_EQ(asked.size(), 1U);
  EXPECT_EQ(asked[0].params.at("patient"), "guards");
  clock_.advance(std::chrono::hours(1));
  settle();
  EXPECT_FALSE(result->has_value());
  runner_->answer(asked[0].id, json::object{{"result", {{"output", "late"}, {"exitCode", 0}}}});
  run_until([&] { return result->has_value(); });
  EXPECT_EQ((*result)->value().text, "late");
}

// --- cancelled ---

TEST_F(ShellCommandsTest, CancelledBeforeItIsDecidedItNeverStarts) {
  have_guard();
  const auto result = type("true");
  shell_.cancel(last_call_);
  EXPECT_EQ(error_of(result).what, "the command was cancelled before it ran");
  EXPECT_FALSE(keeper_.was_asked(Tag::spawn));
}

TEST_F(ShellCommandsTest, CancelledWhileItIsStartedItIsEnded) {
  const auto result = type("true");
  const auto request = asked(Tag::spawn);
  shell_.cancel(last_call_);
  keeper_.start(request, process_.pid());
  close_process();
  EXPECT_EQ(error_of(result).code, base::Code::cancelled);
  run_until([&] { return processes_.all().empty(); });
}

TEST_F(ShellCommandsTest, CancelledWhileItRunsItIsEnded) {
  const auto result = type("true");
  start_process();
  shell_.cancel("another call");
  settle();
  EXPECT_FALSE(keeper_.was_asked(Tag::close));
  shell_.cancel(last_call_);
  close_process();
  EXPECT_EQ(error_of(result).code, base::Code::cancelled);
  EXPECT_TRUE(processes_.all().empty());
}

TEST_F(ShellCommandsTest, CancelledWhenItHasEndedItIsStillCancelled) {
  const auto result = type("true");
  const std::string id = start_process();
  shell_.cancel(last_call_);
  keeper_.exit(id, 0);
  EXPECT_EQ(error_of(result).code, base::Code::cancelled);
}

// Each order in which the keeper starts a command, it ends, and somebody cancels it; and a keeper
// that refuses to start it.
TEST_F(ShellCommandsTest, WhateverComesFirstThereIsOneAnswerAndNothingIsLeft) {
  enum class Step { answer, exit, cancel };
  int played = 0;
  for (const bool starts : {true, false}) {
    std::vector<Step> order{Step::answer, Step::exit, Step::cancel};
    do {
      SCOPED_TRACE(++played);
      const auto result = type("make");
      const auto request = asked(Tag::spawn);
      const std::string id = request.text(Field::id);
      for (const Step step : order) {
        // It may run and end before the daemon is told that it runs.
        if (step != Step::cancel && starts && !keeper_.holds(id)) {
          keeper_.make(request);
          keeper_.child(id).pid = process_.pid();
        }
        if (step == Step::answer) starts ? keeper_.hand_over(request) : keeper_.refuse(request);
        if (step == Step::exit && starts) keeper_.exit(id, 0);
        if (step == Step::cancel) shell_.cancel(last_call_);
        settle();
      }
      run_until([&] { return result->has_value(); });
      const bool ran = starts && order.back() == Step::cancel;
      EXPECT_EQ((*result)->has_value(), ran) << "one that had ended cannot be cancelled";
      if (starts) close_process();
      while (keeper_.was_asked(Tag::close))
        keeper_.refuse(keeper_.take(Tag::close), base::Code::not_found);
      run_until([&] { return processes_.all().empty(); });
    } while (std::next_permutation(order.begin(), order.end()));
  }
  EXPECT_EQ(played, 12);
}

// --- decided ---

TEST_F(ShellCommandsTest, AnExtensionMayRunSomethingElse) {
  have_guard();
  const auto result = type("make");
  decide({{"argv", {"ssh", "vm", "make"}}});
  const auto request = asked(Tag::spawn);
  EXPECT_EQ(request.texts(Field::argv), (std::vector<std::string>{"ssh", "vm", "make"}));
  keeper_.start(request, process_.pid());
  settle();
  keeper_.exit(request.text(Field::id), 0);
  run_until([&] { return result->has_value(); });
  EXPECT_EQ((*result)->value().exit_code, 0);
}

TEST_F(ShellCommandsTest, ADecisionThatIsNoneRunsNothing) {
  have_guard();
  const auto result = type("make");
  decide({{"argv", "make"}});
  EXPECT_EQ(error_of(result).code, base::Code::invalid_argument);
  EXPECT_FALSE(keeper_.was_asked(Tag::spawn));
}

// It ran on the host instead of in the extension's VM, and nobody was told.
TEST_F(ShellCommandsTest, AnExtensionMayRunItItself) {
  have_guard();
  const auto result = type(" make");
  decide({{"operations", {{"extension", "guard"}}}});
  settle();
  const auto asked = runner_->take();
  ASSERT_EQ(asked.size(), 1U);
  EXPECT_EQ(asked[0].method, "shell.run");
  EXPECT_EQ(asked[0].params.at("command"), "make");
  EXPECT_EQ(asked[0].params.at("call"), json::value(last_call_));
  runner_->notify("progress", {{"call", last_call_}, {"text", "in the VM\n"}});
  runner_->answer(asked[0].id, {{"output", "in the VM\n"}, {"exitCode", 4}});
  run_until([&] { return result->has_value(); });
  EXPECT_EQ((*result)->value().text, "in the VM\n");
  EXPECT_EQ((*result)->value().exit_code, 4);
  EXPECT_EQ(progress_, (std::vector<std::string>{"in the VM\n"}));
  EXPECT_FALSE(keeper_.was_asked(Tag::spawn));
}

TEST_F(ShellCommandsTest, WhateverBecomesOfThatItNeverRunsHere) {
  have_guard();
  const auto failed = type("make");
  decide({{"operations", {{"extension", "guard"}}}});
  settle();
  runner_->refuse(runner_->take().at(0).id, "the VM is gone");
  EXPECT_EQ(error_of(failed).what, "the VM is gone");

  const auto cancelled = type("make");
  decide({{"operations", {{"extension", "guard"}}}});
  settle();
  ASSERT_EQ(runner_->take().at(0).method, "shell.run");
  shell_.cancel(last_call_);
  EXPECT_EQ(error_of(cancelled).code, base::Code::cancelled);

  const auto lost = type("make");
  decide({{"operations", {{"extension", "guard"}}}});
  settle();
  runner_->close();
  EXPECT_EQ(error_of(lost).code, base::Code::unavailable);
  EXPECT_FALSE(keeper_.was_asked(Tag::spawn));
}

TEST_F(ShellCommandsTest, AnExtensionMayAnswerInItsPlace) {
  have_guard();
  const auto result = type("make");
  decide({{"result", {{"output", "done elsewhere"}, {"exitCode", 3}}}});
  run_until([&] { return result->has_value(); });
  EXPECT_EQ((*result)->value().text, "done elsewhere");
  EXPECT_EQ((*result)->value().exit_code, 3);
  EXPECT_FALSE(keeper_.was_asked(Tag::spawn));
}

}  // namespace
}  // namespace extension
