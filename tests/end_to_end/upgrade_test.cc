// The keeper replaces itself while everything it holds goes on.

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>

#include <cstdio>
#include <fstream>

#include "end_to_end/keeper_fixture.h"

namespace e2e {
namespace {

class UpgradeTest : public KeeperTest {
 protected:
  base::Result<keeper::KeeperInfo> upgrade(Client& client,
                                           const std::filesystem::path& program = {}) {
    return client.wait(client.keeper().upgrade(program));
  }
};

TEST_F(UpgradeTest, FiftyTimesUnderLoadNothingIsLost) {
  constexpr std::uint64_t kBytes = 200'000'000;
  auto quiet = owner().spawn("quiet", {"/bin/cat"});
  auto flood = owner().spawn("flood", {SEQUENCE_WRITER, std::to_string(kBytes), "11"});
  auto gone = owner().spawn("gone", {"/bin/sh", "-c", "exit 42"});
  auto slow = owner().spawn("slow", {"/bin/sh", "-c", "read x; exit 17"});
  ASSERT_TRUE(quiet && flood && gone && slow);
  EXPECT_EQ(owner().exit_of("gone").status.code, 42);
  const pid_t keeper = keeper_pid();
  yield_owner();

  Process checker({SEQUENCE_CHECKER, dir(), "flood"});
  int upgrades = 0;
  for (; upgrades < 50; ++upgrades) {
    const auto socket = keeper::connect_to_keeper(dir());
    ASSERT_TRUE(socket);
    ASSERT_TRUE(keeper::send_packet(*socket, keeper::Message(keeper::Tag::upgrade, 5).encode()));
    base::Result<keeper::Packet> packet;
    ASSERT_TRUE(eventually([&] {
      packet = keeper::receive_packet(*socket);
      return packet.has_value();
    }));
    const auto answer = keeper::Message::decode(packet->bytes);
    ASSERT_TRUE(answer);
    ASSERT_EQ(answer->tag(), keeper::Tag::welcome) << keeper::error_of(*answer).message();
    ASSERT_EQ(answer->number(keeper::Field::pid), static_cast<std::uint64_t>(keeper));
    ASSERT_TRUE(exists(quiet->info.pid) && exists(slow->info.pid));
    // The next one comes in the middle of a flood, not in a row of pauses.
    const auto before = flood->journal.produced();
    ASSERT_TRUE(eventually([&] { return flood->journal.produced() > before + 300'000; }));
  }
  std::printf("%d upgrades, flood at %llu of %llu bytes\n", upgrades,
              static_cast<unsigned long long>(flood->journal.produced()),
              static_cast<unsigned long long>(kBytes));
  EXPECT_LT(flood->journal.produced(), kBytes) << "the load outlasted the upgrades";
  const auto outcome = checker.wait();
  ASSERT_EQ(outcome.status, 0) << outcome.output;
  EXPECT_EQ(std::stoull(outcome.output), kBytes);

  type(*slow, "\n");
  for (const auto& [id, code] : {std::pair{"flood", 11}, {"gone", 42}, {"slow", 17}}) {
    ASSERT_TRUE(eventually([&] { return owner().attach(id)->info.exit.has_value(); })) << id;
    EXPECT_EQ(owner().attach(id)->info.exit->status.code, code) << id;
  }
  auto same = owner().attach("quiet");
  ASSERT_TRUE(same);
  EXPECT_EQ(same->info.pid, quiet->info.pid);
  type(*same, "still here\n");
  EXPECT_NE(output_until(*same, "still here\r\nstill here").size(), 0U);
}

TEST_F(UpgradeTest, TheOwnersConnectionSurvives) {
  ASSERT_TRUE(owner().spawn("t", {"/bin/cat"}));
  const auto before = open_descriptors(keeper_pid());
  for (int i = 0; i < 5; ++i) {
    const auto info = upgrade(owner());
    ASSERT_TRUE(info) << info.error().message();
    EXPECT_EQ(info->pid, keeper_pid());
  }
  EXPECT_EQ(owner().lost_count(), 0);
  // It answers a moment before it has put everything in place again.
  EXPECT_TRUE(eventually([&] { return open_descriptors(keeper_pid()) == before; }))
      << "an upgrade leaks no descriptor";
  ASSERT_TRUE(owner().spawn("u", {"/bin/sh", "-c", "exit 1"})) << "and is still the owner";
  EXPECT_EQ(owner().exit_of("u").status.code, 1);
  ASSERT_TRUE(owner().close("t"));
}

TEST_F(UpgradeTest, ACloseThatIsUnderWayGoesOn) {
  auto child = owner().spawn(
      "t", {"/bin/sh", "-c", "trap '' HUP; echo ready; while :; do sleep 0.01; done"});
  ASSERT_TRUE(child);
  (void)output_until(*child, "ready");
  Client& client = owner();
  const auto before = std::chrono::steady_clock::now();
  const auto both = [&client]() -> boost::asio::awaitable<bool> {
    const auto executor = co_await boost::asio::this_coro::executor;
    bool closed = false;
    boost::asio::co_spawn(
        executor, [&client] { return client.keeper().close(keeper::ChildId("t"), seconds(2)); },
        [&closed](const std::exception_ptr&, const base::Status& status) {
          closed = status.has_value();
        });
    const auto upgraded = co_await client.keeper().upgrade({});
    EXPECT_TRUE(upgraded);
    EXPECT_FALSE(closed);
    while (!closed) {
      boost::asio::steady_timer pause(executor, milliseconds(1));
      co_await pause.async_wait(boost::asio::use_awaitable);
    }
    co_return closed;
  };
  EXPECT_TRUE(client.wait(both()));
  EXPECT_GE(std::chrono::steady_clock::now() - before, seconds(2)) << "it keeps its grace";
  EXPECT_FALSE(exists(child->info.pid));
}

TEST_F(UpgradeTest, ListenersSurvive) {
  const auto before = owner().wait(owner().keeper().listen("127.0.0.1:0"));
  ASSERT_TRUE(before);
  ASSERT_TRUE(upgrade(owner()));
  const auto after = owner().wait(owner().keeper().listen("127.0.0.1:0"));
  ASSERT_TRUE(after);
  EXPECT_EQ(after->address, before->address);
}

// A broken binary must cost an error message, not the terminals.
TEST_F(UpgradeTest, AProgramThatFailsItsTrialChangesNothing) {
  auto child = owner().spawn("t", {"/bin/cat"});
  ASSERT_TRUE(child);
  const auto broken = dir() / "broken";
  std::ofstream(broken) << "#!/bin/sh\necho I am broken >&2\nexit 1\n";
  ::chmod(broken.c_str(), 0700);
  const auto refused = upgrade(owner(), broken);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message().find("I am broken"), std::string::npos)
      << refused.error().message();
  const auto missing = upgrade(owner(), "/no/such/keeper");
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().message().find("No such file"), std::string::npos)
      << missing.error().message();
  EXPECT_FALSE(upgrade(owner(), "relative"));
  type(*child, "alive\n");
  EXPECT_NE(output_until(*child, "alive\r\nalive").size(), 0U);
  EXPECT_TRUE(upgrade(owner())) << "and a good one still works";
}

// It cannot be told from its path what is run: that may mean another file by then.
TEST_F(UpgradeTest, WhatWasTriedIsWhatRuns) {
  auto child = owner().spawn("t", {"/bin/cat"});
  ASSERT_TRUE(child);
  const auto program = dir() / "program";
  const auto owned = dir() / "owned";
  // During its trial it is replaced.
  std::ofstream(program) << "#!/bin/sh\nif [ \"$1\" = --check-state ]; then\n"
                         << "  printf '#!/bin/sh\\ntouch " << owned.native() << "\\n' > "
                         << program.native() << ".new\n"
                         << "  chmod 755 " << program.native() << ".new && mv " << program.native()
                         << ".new " << program.native() << "\n  exit 0\nfi\nexec "
                         << kKeeperProgram.native() << " \"$@\"\n";
  ::chmod(program.c_str(), 0755);
  const auto upgraded = upgrade(owner(), program);
  ASSERT_TRUE(upgraded) << upgraded.error().message();
  EXPECT_FALSE(std::filesystem::exists(owned));
  EXPECT_EQ(upgraded->pid, keeper_pid());
  type(*child, "alive\n");
  EXPECT_NE(output_until(*child, "alive\r\nalive").size(), 0U);
}

TEST_F(UpgradeTest, AProgramThatOthersCanWriteOrReplaceIsNotRun) {
  const auto bin = dir() / "bin";
  std::filesystem::create_directory(bin);
  const auto program = bin / "holdfast-keeper";
  std::filesystem::copy_file(kKeeperProgram, program);
  const auto refused = [&](const char* reason) {
    const auto outcome = upgrade(owner(), program);
    ASSERT_FALSE(outcome) << reason;
    EXPECT_EQ(outcome.error().code, base::Code::permission_denied);
    EXPECT_NE(outcome.error().message().find(reason), std::string::npos)
        << outcome.error().message();
  };
  for (const mode_t mode : {0775, 0757}) {
    ASSERT_EQ(::chmod(program.c_str(), mode), 0);
    refused("others can write to it");
  }
  ASSERT_EQ(::chmod(program.c_str(), 0755), 0);
  for (const mode_t mode : {0775, 0777}) {
    ASSERT_EQ(::chmod(bin.c_str(), mode), 0);
    refused("others can replace files in");
  }
  ASSERT_EQ(::chmod(bin.c_str(), 01777), 0);
  EXPECT_TRUE(upgrade(owner(), program)) << "as /tmp is: only owners replace their files there";
  ASSERT_EQ(::chmod(bin.c_str(), 0755), 0);
  if (::geteuid() != 0) return;
  ASSERT_EQ(::chown(program.c_str(), 65534, 65534), 0);
  refused("others can write to it");
  ASSERT_EQ(::chown(program.c_str(), 0, 0), 0);
  ASSERT_EQ(::chown(bin.c_str(), 65534, 65534), 0);
  refused("others can replace files in");
}

// --- children whose leader has exited, and whose session goes on

class LeftoverTest : public UpgradeTest {
 protected:
  // A child that has exited and left a job in its session, which does that with the terminal.
  void leave_a_job(const std::string& redirection) {
    auto child = owner().spawn(
        "t",
        {"/bin/bash", "-c", "trap '' HUP; sleep 1000 " + redirection + " & echo job $!.; exit 3"});
    ASSERT_TRUE(child);
    leader_ = child->info.pid;
    const std::string output = output_until(*child, ".");
    job_ = std::stoi(output.substr(output.find("job ") + 4));
    EXPECT_EQ(owner().exit_of("t").status.code, 3);
    ASSERT_TRUE(std::filesystem::exists("/proc/" + std::to_string(leader_))) << "a zombie, so far";
  }
  [[nodiscard]] bool is_leader_gone() const {
    return !std::filesystem::exists("/proc/" + std::to_string(leader_));
  }
  pid_t leader_ = 0;
  pid_t job_ = 0;
};

TEST_F(LeftoverTest, AJobThatHeldTheTerminalEndsAfterTheUpgrade) {
  leave_a_job("");
  ASSERT_TRUE(upgrade(owner()));
  ASSERT_EQ(::kill(job_, SIGKILL), 0);
  EXPECT_TRUE(eventually([&] { return is_leader_gone(); })) << "it stays a zombie";
}

TEST_F(LeftoverTest, AJobThatHadClosedTheTerminalEndsAfterTheUpgrade) {
  leave_a_job("</dev/null >/dev/null 2>&1");
  ASSERT_TRUE(upgrade(owner()));
  ASSERT_EQ(::kill(job_, SIGKILL), 0);
  EXPECT_TRUE(eventually([&] { return is_leader_gone(); }, seconds(70))) << "it stays a zombie";
}

// The keeper hears of nothing while it becomes another program.
TEST_F(LeftoverTest, AJobThatEndsDuringTheUpgradeIsNoticed) {
  leave_a_job("");
  const auto program = dir() / "program";
  std::ofstream(program) << "#!/bin/sh\n[ \"$1\" = --check-state ] && kill -9 " << job_ << "\nexec "
                         << kKeeperProgram.native() << " \"$@\"\n";
  ::chmod(program.c_str(), 0755);
  ASSERT_TRUE(upgrade(owner(), program));
  EXPECT_TRUE(eventually([&] { return is_leader_gone(); })) << "it stays a zombie";
}

}  // namespace
}  // namespace e2e
