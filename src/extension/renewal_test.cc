// The daemon was restarted with another `node`: whether the old runner is replaced.

#include "extension/renewal.h"

#include <algorithm>

#include "extension/keeper_fixture.h"

namespace extension {
namespace {

class RenewalTest : public KeeperTest {
 protected:
  RenewalTest() {
    by_session_.opened_all();
    write_extension("vms");
    adopt_runner("/old/node");
    runner_ = connect({held(*main_), held(*other_)});
    runner_->take();
    main_->display.add(surface_);
  }
  ~RenewalTest() override { main_->display.remove(surface_); }

  static json::object held(const SessionExtensions& extensions) {
    return {{"id", extensions.session.id.str()},
            {"extensions",
             json::array{json::object{{"name", "vms"}, {"path", ""}, {"generation", 1}}}}};
  }
  Answer<base::Result<RunResult>> type(const std::string& line) {
    const Call call{.id = calls_.next_id(), .progress = {}};
    return begin<base::Result<RunResult>>(
        [this, line, call] { return command_line_.run(main_, line, call); });
  }
  std::string text_of(const Answer<base::Result<RunResult>>& answer) {
    run_until([&] { return answer->has_value(); });
    return **answer ? (*answer)->value().text.value_or("") : (*answer)->error().what;
  }
  // Answers a load of the session in that runner.
  static void load(PlayedRunner& runner, const PlayedRunner::Request& request) {
    runner.answer(request.id, {{"extensions",
                                json::array{json::object{{"name", "vms"}, {"status", "loaded"}}}}});
  }
  // The program that the test's runner runs on.
  [[nodiscard]] std::string running_node() const {
    return std::filesystem::read_symlink("/proc/" + std::to_string(process_.pid()) + "/exe");
  }

  SessionExtensionsPtr main_ = make_extensions("main");
  SessionExtensionsPtr other_ = make_extensions("other");
  std::unique_ptr<PlayedRunner> runner_;
  RecordingSurface surface_;
};

TEST_F(RenewalTest, IfNothingIsLostAllSessionsMoveToTheNewNode) {
  const auto reloaded = type("/reload");
  say_node(kSomeNode);
  for (int each = 0; each < 2; ++each) {
    const auto asked = runner_->take();
    ASSERT_EQ(asked.size(), 1U);
    EXPECT_EQ(asked[0].method, "session.close");
    EXPECT_FALSE(main_->is_settled() || other_->is_settled()) << "none may be opened meanwhile";
    each == 0 ? runner_->answer(asked[0].id, nullptr) : runner_->refuse(asked[0].id, "it hangs");
  }
  close_process();  // The old runner.
  start_runner_process();
  runner_ = connect();
  settle();
  const auto opened = runner_->take();
  ASSERT_EQ(opened.size(), 2U);
  for (const auto& request : opened) {
    EXPECT_EQ(request.method, "session.open");
    load(*runner_, request);
  }
  EXPECT_EQ(text_of(reloaded), "Reloaded 1 extension.");
  EXPECT_TRUE(main_->is_open && other_->is_open);
  EXPECT_FALSE(runners_.of(main_->session).has_other_node());
}

TEST_F(RenewalTest, WhatWouldBeLostKeepsTheOldOne) {
  other_->resources.changed("vms", {{"key", "one"}, {"action", "create"}});
  const auto reloaded = type("/reload");
  say_node(kSomeNode);
  const auto asked = runner_->take();
  ASSERT_EQ(asked.size(), 1U);
  EXPECT_EQ(asked[0].method, "session.reload") << "in the same runner";
  load(*runner_, asked[0]);
  EXPECT_EQ(text_of(reloaded), "Reloaded 1 extension.");
  const std::string why = "Extensions still run on " + running_node() +
                          "; /opt/node is set now. Switching would lose vms/one of session other. "
                          "Close what you can spare (see /resources), then type /reload.";
  EXPECT_EQ(std::ranges::count(surface_.shown, "main warning " + why), 1);
  EXPECT_NE(text_of(type("/help")).find(why), std::string::npos);
}

TEST_F(RenewalTest, ANodeThatDoesNotWorkKeepsTheOldOne) {
  (void)type("/reload");
  say_node("no\n");
  EXPECT_EQ(runner_->take().at(0).method, "session.reload");
  EXPECT_NE(runners_.of(main_->session).remark.find("The Node that is set now does not work"),
            std::string::npos);
}

TEST_F(RenewalTest, TheSameNodeUnderAnotherNameIsTheSame) {
  (void)type("/reload");
  say_node("22.19.0 " + running_node() + "\n");
  EXPECT_EQ(runner_->take().at(0).method, "session.reload");
  EXPECT_FALSE(runners_.of(main_->session).has_other_node()) << "nobody asks again";
  EXPECT_EQ(runners_.of(main_->session).remark, "");
}

TEST_F(RenewalTest, ARunnerThatExitsMeanwhileIsReplacedAnyway) {
  const auto reloaded = type("/reload");
  const auto request = asked(Tag::spawn);  // Which Node it is.
  keeper_.exit("process-runner", 137);
  close_process();
  keeper_.start(request, process_.pid());
  keeper_.print(request.text(Field::id), kSomeNode);
  keeper_.exit(request.text(Field::id), 0);
  settle();
  EXPECT_FALSE(runners_.of(main_->session).has_other_node());
}

TEST_F(RenewalTest, WhileASessionChangesTheRunnerStays) {
  const Change change(by_session_, other_);
  (void)type("/reload");
  say_node(kSomeNode);
  EXPECT_EQ(runner_->take().at(0).method, "session.reload");
  EXPECT_TRUE(runners_.of(main_->session).has_other_node()) << "the next /reload tries again";
}

// --- when the daemon starts ---

TEST_F(RenewalTest, ADaemonThatStartsReplacesTheRunnerAndOpensAll) {
  tasks_.spawn([this]() -> asio::awaitable<void> { co_await loading_.open_all(); });
  say_node(kSomeNode);
  for (int each = 0; each < 2; ++each) runner_->answer(runner_->take().at(0).id, nullptr);
  close_process();
  start_runner_process();
  runner_ = connect();
  settle();
  EXPECT_EQ(runner_->take().size(), 2U);
}

}  // namespace
}  // namespace extension
