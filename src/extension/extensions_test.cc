// What fronts show and ask for, what happens in sessions, and what a next daemon finds.

#include "extension/extensions.h"

#include "extension/whole_fixture.h"

namespace extension {
namespace {

TEST_F(ExtensionsTest, ANewSessionsCodeOffersCommandsAndTools) {
  const session::SessionRow session = have_session();
  EXPECT_EQ(extensions_.commands(session).back().name, "hi");
  ASSERT_EQ(extensions_.tools(session).size(), 1U);
  EXPECT_EQ(extensions_.tools(session)[0].second.name, "vm");
  const auto typed = type(session, "/hi");
  runner_->answer(taken().at(0).id, {{"text", "hello"}});
  run_until([&] { return typed->has_value(); });
  EXPECT_EQ((*typed)->value().text, "hello");
  const Call call{.id = extensions_.next_call(), .progress = {}};
  const auto called = start(extensions_.call_tool(session, "vm", nullptr, call));
  runner_->answer(taken().at(0).id, "made");
  run_until([&] { return called->has_value(); });
  EXPECT_EQ((*called)->value(), "made");
}

TEST_F(ExtensionsTest, WhatHappensToTerminalsIsTold) {
  const session::SessionRow session =
      have_session({"terminal_before_create", "terminal_created", "terminal_attached",
                    "terminal_orphaned", "terminal_exited", "terminal_closed"});
  session::TerminalSpec spec;
  spec.id = session::TerminalId("t");
  spec.name = "build";
  spec.size = {.cols = 80, .rows = 24};
  const auto created = start(sessions_.launcher().create(user_, spec));
  EXPECT_FALSE(keeper_.was_asked(Tag::spawn)) << "an extension may refuse it";
  EXPECT_EQ(events(), Lines{"terminal_before_create"});
  keeper_.start(asked(Tag::spawn));
  run_until([&] { return created->has_value(); });
  const auto told = taken();
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0].params.at("data"), (json::value{{"terminalId", "t"}, {"name", "build"}}));
  runner_->answer(told[0].id, nullptr);

  struct : terminal::ViewerEvents {
    void viewer_ready(terminal::Viewer&) override {}
    void viewer_detached(terminal::Viewer&, terminal::Detached) override {}
  } nobody;
  {
    const terminal::Viewer viewer(sessions_.terminals().at("t").terminal, {}, nobody);
  }
  EXPECT_EQ(events(), (Lines{"terminal_attached", "terminal_orphaned"}));
  keeper_.exit("t", 3);
  run_until([&] { return runner_->has_requests(); });
  const auto exited = taken();
  EXPECT_EQ(exited.at(0).params.at("data").at("exitCode"), 3);
  runner_->answer(exited.at(0).id, nullptr);
  const auto closed =
      start(sessions_.closer().close(user_, "t", session::CloseReason::user_requested, nullptr));
  keeper_.done(asked(Tag::close));
  run_until([&] { return closed->has_value(); });
  EXPECT_EQ(events(), Lines{"terminal_closed"});
}

TEST_F(ExtensionsTest, AnExtensionMayRefuseATerminal) {
  have_session({"terminal_before_create"});
  const auto created = start(sessions_.launcher().create(user_, {}));
  runner_->answer(taken().at(0).id, {{"cancel", true}});
  run_until([&] { return created->has_value(); });
  EXPECT_EQ((*created)->error().what, "an extension refused this terminal");
  EXPECT_TRUE(sessions_.terminals().living(user_).empty());
}

// --- surfaces ---

TEST_F(ExtensionsTest, ASurfaceShowsOneSessionAndItsUserAnswers) {
  const session::SessionRow session = have_session();
  const session::SessionRow other = make_session("other");
  load(taken().at(0));
  RecordingSurface surface;
  extensions_.show(surface, session);
  const auto asked = [&](const session::SessionRow& by, const std::string& title) {
    runner_->send({{"id", "asked"},
                   {"method", "ui.ask"},
                   {"params",
                    {{"session", by.id.str()},
                     {"extension", "vms"},
                     {"generation", 1},
                     {"kind", "confirm"},
                     {"title", title}}}});
    settle();
  };
  asked(session, "one?");
  asked(other, "two?");
  ASSERT_EQ(surface.asked.size(), 1U);
  const std::string question = surface.asked[0];
  EXPECT_FALSE(extensions_.answer(stranger_, question, true));
  EXPECT_FALSE(extensions_.answer(user_, "no question", true));
  EXPECT_TRUE(extensions_.answer(user_, question, true));
  settle();
  surface.shown.clear();
  extensions_.show(surface, other);
  EXPECT_EQ(surface.shown, Lines{"other asks two?"}) << "it is still open";
  extensions_.hide(surface);
  EXPECT_TRUE(extensions_.answer(user_, surface.asked.at(0), true));
  settle();
  EXPECT_EQ(surface.shown.size(), 1U);
}

TEST_F(ExtensionsTest, ACancelledCallIsCancelledInTheRunner) {
  const session::SessionRow session = have_session();
  const auto typed = type(session, "/hi");
  const auto asked = taken();
  extensions_.cancel(last_call_);
  const auto told = taken();
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0].method, "cancel");
  EXPECT_EQ(told[0].params.at("call").as_string(), last_call_);
  runner_->refuse(asked.at(0).id, "cancelled");
  run_until([&] { return typed->has_value(); });
  EXPECT_FALSE(**typed);
}

// What somebody has typed is done, even if the page is closed.
TEST_F(ExtensionsTest, ALineIsFinishedWithoutWhoTypedIt) {
  const session::SessionRow session = have_session();
  base::TaskScope page(io_.get_executor());
  std::optional<base::Result<RunResult>> answer;
  page.spawn([&]() -> asio::awaitable<void> {
    const Call call{.id = "call", .progress = {}};
    answer = co_await extensions_.run(session, "/reload", call);
  });
  const auto asked = taken();
  ASSERT_EQ(asked.size(), 1U);
  page.cancel();
  finish(page.join());
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->error().what, "the caller is gone");
  const auto typed = type(session, "/hi");
  EXPECT_TRUE(taken().empty()) << "the reload goes on";
  runner_->answer(asked[0].id, {{"extensions", json::array{}}});
  EXPECT_EQ(taken().at(0).method, "command");
}

TEST_F(ExtensionsTest, AResourceIsClosedOnceItsCodeHasClosedIt) {
  const session::SessionRow session = have_session();
  runner_->notify("resource", {{"session", session.id.str()},
                               {"extension", "vms"},
                               {"generation", 1},
                               {"key", "one"},
                               {"action", "create"}});
  ASSERT_EQ(extensions_.resources(session).size(), 1U);
  const auto closed = start(extensions_.close_resource(session, "vms", "one"));
  EXPECT_EQ(extensions_.resources(session).size(), 1U);
  runner_->answer(taken().at(0).id, nullptr);
  run_until([&] { return closed->has_value(); });
  EXPECT_TRUE(extensions_.resources(session).empty());
}

// --- sessions ---

TEST_F(ExtensionsTest, ASessionsCodeIsToldOfItsNewNameAndOfBeingLeft) {
  const session::SessionRow session = have_session({"session_switch"});
  ASSERT_TRUE(sessions_.names().rename_session(user_, "main", "work", nullptr));
  EXPECT_EQ(taken().at(0).method, "session.renamed");
  make_session("other");
  load(taken().at(0));
  const auto left =
      start(extensions_.switch_session(*sessions_.names().find_session(session.id), "other"));
  EXPECT_TRUE(left->has_value());
  const auto told = taken();
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0].params.at("data"), (json::value{{"from", "work"}, {"to", "other"}}));
}

TEST_F(ExtensionsTest, ASessionIsClosedAfterItsCode) {
  const session::SessionRow session = have_session();
  const auto closed = start(sessions_.close_session(user_, "main", nullptr));
  const auto asked = taken();
  ASSERT_EQ(asked.size(), 1U);
  EXPECT_EQ(asked[0].method, "session.close");
  EXPECT_TRUE(sessions_.names().find_session(user_, "main"));
  runner_->answer(asked[0].id, nullptr);
  run_until([&] { return closed->has_value(); });
  EXPECT_FALSE(sessions_.names().find_session(user_, "main"));
}

TEST_F(ExtensionsTest, WhenEverythingEndsTheCodeIsToldSo) {
  have_session();
  bool quit = false;
  boost::asio::co_spawn(io_, extensions_.quit(), [&](const std::exception_ptr&) { quit = true; });
  const auto asked = taken();
  ASSERT_EQ(asked.size(), 1U);
  EXPECT_EQ(asked[0].params.at("reason"), "quit");
  runner_->answer(asked[0].id, nullptr);
  run_until([&] { return quit; });
}

// --- daemons ---

TEST_F(ExtensionsTest, TheNextDaemonKnowsThatAllWasWell) {
  const session::SessionRow session = have_session();
  EXPECT_EQ(store_.sessions(user_).value().at(0).extensions, session::ExtensionsWere::open);
  finish(extensions_.stop());
  EXPECT_EQ(store_.sessions(user_).value().at(0).extensions, session::ExtensionsWere::closed);
  make_session("later");
  settle();
  EXPECT_FALSE(keeper_.was_asked(Tag::spawn)) << "it has stopped";
}

TEST_F(ExtensionsTest, ARunnerOfAnEarlierDaemonIsFoundAndALeftCommandIsLetGo) {
  make_session("main");
  auto& held = keeper_.hold("process-runner", R"({"session":"","extension":"","name":"runner"})");
  held.kind = keeper::Kind::process;
  held.argv = {"node"};
  keeper_.hold("process-2", R"({"session":"s","extension":"","name":"! make"})").kind =
      keeper::Kind::process;
  start_extensions();
  EXPECT_FALSE(keeper_.was_asked(Tag::spawn)) << "it waits for the runner that is there";
  connect({});
  EXPECT_EQ(taken().at(0).method, "session.open");
  EXPECT_FALSE(keeper_.was_asked(Tag::close)) << "what runs may go on";
  keeper_.exit("process-2", 0);
  EXPECT_EQ(asked(Tag::close).text(Field::id), "process-2");
}

TEST_F(ExtensionsTest, AnExitDuringALostConnectionIsNoticed) {
  have_session();
  const auto typed = type(*sessions_.names().find_session(user_, "main"), "! make");
  const auto request = asked(Tag::spawn);
  keeper_.start(request);
  settle();
  keeper_.child(request.text(Field::id)).exit = 2;
  boost::asio::co_spawn(io_, extensions_.look_again(), [](const std::exception_ptr&) {});
  list();
  run_until([&] { return typed->has_value(); });
  EXPECT_EQ((*typed)->value().exit_code, 2);
}

TEST_F(ExtensionsTest, AUsersCommandsAreLimitedFromNowOn) {
  const session::SessionRow session = have_session();
  extensions_.set_user_commands(1);
  const auto first = type(session, "! make");
  const auto second = type(session, "! make");
  ASSERT_TRUE(second->has_value());
  EXPECT_EQ((*second)->error().code, base::Code::too_large);
  keeper_.refuse(asked(Tag::spawn));
  run_until([&] { return first->has_value(); });
}

TEST_F(ExtensionsTest, WithoutTheKeepersListItDoesNotStart) {
  const auto started = begin_extensions();
  keeper_.refuse(asked(Tag::list));
  run_until([&] { return started->has_value(); });
  EXPECT_FALSE(**started);
}

}  // namespace
}  // namespace extension
