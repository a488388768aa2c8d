// Processes that the keeper holds: how they begin, what is known of them, and how they end.

#include "extension/processes.h"

#include "extension/keeper_fixture.h"

namespace extension {
namespace {

using Started = base::Result<ProcessInfo>;

class ProcessesTest : public KeeperTest {
 protected:
  static ProcessSpec spec(const std::string& session = "s", const std::string& extension = "vms") {
    return {.owner = {.session = session::SessionId(session), .name = extension},
            .name = "a process",
            .argv = {"qemu", "-v"},
            .env = {"A=1"},
            .cwd = "/srv",
            .on_output = {}};
  }
  Answer<Started> begin_start(const ProcessSpec& spec) {
    return begin<Started>([this, spec] { return processes_.start(spec); });
  }
  // One that runs.
  std::string have(const ProcessSpec& spec) {
    const auto started = begin_start(spec);
    std::string id = start_process();
    run_until([&] { return started->has_value(); });
    EXPECT_TRUE(**started);
    return id;
  }
  Answer<base::Result<int>> wait(const std::string& id) {
    return begin<base::Result<int>>([this, id] { return processes_.wait(id); });
  }
  Answer<base::Status> close(const std::string& id) {
    return begin<base::Status>([this, id] { return processes_.close(id); });
  }
  void look_again() {
    tasks_.spawn([this]() -> asio::awaitable<void> { co_await processes_.look_again(); });
    list();
    settle();
  }
};

TEST_F(ProcessesTest, WhatItPrintsIsReadBeforeItsEndIsTold) {
  ProcessSpec wanted = spec();
  std::string heard;
  wanted.on_output = [&heard](std::string_view text) { heard += text; };
  const auto started = begin_start(wanted);
  const auto request = asked(Tag::spawn);
  EXPECT_EQ(request.texts(Field::argv), wanted.argv);
  EXPECT_EQ(request.text(Field::cwd), "/srv");
  keeper_.start(request, process_.pid());
  run_until([&] { return started->has_value(); });
  const std::string id = (*started)->value().id;
  EXPECT_EQ((*started)->value().pid, process_.pid());
  const auto ended = wait(id);
  keeper_.print(id, "one\n");
  run_until([&] { return heard == "one\n"; });
  EXPECT_FALSE(ended->has_value());
  keeper_.print(id, "two\n");
  keeper_.exit(id, 3);
  run_until([&] { return ended->has_value(); });
  EXPECT_EQ((*ended)->value(), 3);
  EXPECT_EQ(heard, "one\ntwo\n");
  EXPECT_EQ(processes_.output(id), "one\ntwo\n");
  EXPECT_EQ(processes_.find(id)->exit_code, 3);
}

TEST_F(ProcessesTest, OneThatEndsBeforeTheKeeperAnswersHasEnded) {
  const auto started = begin_start(spec());
  const auto request = asked(Tag::spawn);
  keeper_.make(request);
  keeper_.child(request.text(Field::id)).pid = process_.pid();
  keeper_.exit(request.text(Field::id), 4);
  settle();
  keeper_.hand_over(request);
  run_until([&] { return started->has_value(); });
  const auto ended = wait((*started)->value().id);
  run_until([&] { return ended->has_value(); });
  EXPECT_EQ((*ended)->value(), 4);
}

TEST_F(ProcessesTest, WhatCannotBeStartedIsForgotten) {
  const auto started = begin_start(spec());
  EXPECT_EQ(processes_.all().size(), 1U);
  keeper_.refuse(asked(Tag::spawn));
  run_until([&] { return started->has_value(); });
  EXPECT_FALSE(**started);
  EXPECT_TRUE(processes_.all().empty());
}

TEST_F(ProcessesTest, WhoWaitsForOneThatIsClosedIsTold) {
  const std::string id = have(spec());
  const auto ended = wait(id);
  auto closed = close(id);
  keeper_.refuse(asked(Tag::close));
  run_until([&] { return closed->has_value(); });
  EXPECT_EQ((*closed)->error().code, base::Code::io);
  EXPECT_TRUE(processes_.find(id)) << "it could not be closed, so it is still there";
  EXPECT_FALSE(ended->has_value());
  closed = close(id);
  keeper_.refuse(asked(Tag::close), base::Code::not_found);
  run_until([&] { return closed->has_value() && ended->has_value(); });
  EXPECT_TRUE(**closed);
  EXPECT_EQ((*ended)->error().code, base::Code::not_found);
  EXPECT_EQ((*close(id))->error().code, base::Code::not_found);
  EXPECT_EQ((*wait(id))->error().code, base::Code::not_found);
  EXPECT_EQ(processes_.output(id), "");
}

TEST_F(ProcessesTest, OneThatTwoCloseIsClosedForBoth) {
  const std::string id = have(spec());
  const auto first = close(id);
  const auto second = close(id);
  keeper_.done(asked(Tag::close));
  keeper_.refuse(asked(Tag::close), base::Code::not_found);
  run_until([&] { return first->has_value() && second->has_value(); });
  EXPECT_TRUE(**first && **second);
}

TEST_F(ProcessesTest, OnlyASessionsOwnAreClosedWithIt) {
  const std::string mine = have(spec("s"));
  const std::string stuck = have(spec("s"));
  const std::string other = have(spec("other"));
  EXPECT_EQ(processes_.of({.session = session::SessionId("other"), .name = "vms"}).size(), 1U);
  bool closed = false;
  tasks_.spawn([&]() -> asio::awaitable<void> {
    co_await processes_.close_all(session::SessionId("s"));
    closed = true;
  });
  for (int each = 0; each < 2; ++each) {
    const auto request = asked(Tag::close);
    request.text(Field::id) == stuck ? keeper_.refuse(request) : keeper_.done(request);
  }
  run_until([&] { return closed; });
  EXPECT_FALSE(processes_.find(mine));
  EXPECT_TRUE(processes_.find(stuck) && processes_.find(other));
}

TEST_F(ProcessesTest, OneThatMayEndByItselfIsClosedThen) {
  const std::string id = have(spec());
  processes_.close_when_ended(id);
  settle();
  EXPECT_FALSE(keeper_.was_asked(Tag::close));
  keeper_.exit(id, 0);
  close_process();
  run_until([&] { return processes_.find(id) == nullptr; });
}

TEST_F(ProcessesTest, WhenTheDaemonEndsNobodyWaits) {
  const auto ended = wait(have(spec()));
  tasks_.cancel();
  run_until([&] { return ended->has_value(); });
  EXPECT_EQ((*ended)->error().code, base::Code::unavailable);
}

// --- after a lost connection ---

TEST_F(ProcessesTest, WhatWasLostWithItsKeeperIsEnded) {
  const std::string id = have(spec());
  const auto ended = wait(id);
  keeper_.forget(id);
  look_again();
  run_until([&] { return process_.has_ended(); });
  EXPECT_TRUE(processes_.all().empty());
  run_until([&] { return ended->has_value(); });
  EXPECT_EQ((*ended)->error().code, base::Code::not_found);
}

TEST_F(ProcessesTest, AnEndDuringTheLostConnectionIsKnown) {
  const std::string id = have(spec());
  const auto ended = wait(id);
  keeper_.child(id).exit = 5;
  look_again();
  run_until([&] { return ended->has_value(); });
  EXPECT_EQ((*ended)->value(), 5);
}

TEST_F(ProcessesTest, WithoutAListNothingIsTakenForLost) {
  const std::string id = have(spec());
  tasks_.spawn([this]() -> asio::awaitable<void> { co_await processes_.look_again(); });
  keeper_.refuse(asked(Tag::list));
  settle();
  EXPECT_TRUE(processes_.find(id));
  EXPECT_FALSE(process_.has_ended());
}

// --- of an earlier daemon ---

TEST_F(ProcessesTest, WhatAnEarlierDaemonStartedIsTakenOver) {
  auto& held = keeper_.hold("process-1", R"({"session":"s","extension":"vms","name":"a process"})");
  held.kind = keeper::Kind::process;
  held.pid = process_.pid();
  keeper_.print("process-1", "printed before");
  ASSERT_TRUE(adopt("process-1"));
  const ProcessInfo* const known = processes_.find("process-1");
  ASSERT_TRUE(known);
  EXPECT_EQ(known->owner, spec().owner);
  EXPECT_EQ(known->name, "a process");
  run_until([&] { return processes_.output("process-1") == "printed before"; });
}

TEST_F(ProcessesTest, WhatHasEndedMeanwhileIsKnownWithItsCode) {
  auto& held = keeper_.hold("process-1", "no label");
  held.kind = keeper::Kind::process;
  held.pid = process_.pid();
  held.exit = 6;
  ASSERT_TRUE(adopt("process-1"));
  EXPECT_EQ(processes_.find("process-1")->exit_code, 6);
  EXPECT_EQ(processes_.find("process-1")->owner, session::ExtensionKey{});
}

TEST_F(ProcessesTest, ATerminalIsNoneOfThem) {
  keeper_.hold("process-1", "");
  keeper_.hold("t", "").kind = keeper::Kind::process;
  EXPECT_FALSE(adopt("process-1"));
  EXPECT_FALSE(adopt("t"));
  EXPECT_TRUE(processes_.all().empty());
}

}  // namespace
}  // namespace extension
