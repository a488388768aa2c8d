// `holdfast upgrade`: the daemon and the keeper become other programs while people are at work.

#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include "base/version.h"
#include "end_to_end/upgrade_fixture.h"
#include "keeper_protocol/runtime_dir.h"

namespace e2e {
namespace {

class UpgradeCommandTest : public UpgradingTest {
 protected:
  // Both versions, as the daemon and the keeper tell them.
  void expect_versions(const std::string& daemon, const std::string& keeper) {
    EXPECT_EQ(health().at("version").as_string(), daemon);
    const auto status =
        Process({kKeeperProgram, "--runtime-dir", runtime_dir(), "--status", "--json"}).wait();
    EXPECT_NE(status.output.find("\"version\":\"" + keeper + "\""), std::string::npos)
        << status.output;
  }
  // A directory with these two as `holdfast` and `holdfast-keeper`.
  std::filesystem::path install(const std::filesystem::path& holdfast,
                                const std::filesystem::path& keeper) {
    const auto bin = dir() / "bin";
    std::filesystem::remove_all(bin);
    std::filesystem::create_directory(bin);
    std::filesystem::copy_file(holdfast, bin / "holdfast");
    std::filesystem::copy_file(keeper, bin / "holdfast-keeper");
    return bin / "holdfast";
  }
  std::filesystem::path script(const std::string& content) {
    const auto path = dir() / "script";
    std::ofstream(path) << "#!/bin/sh\n" << content;
    ::chmod(path.c_str(), 0700);
    return path;
  }
  // Nothing was touched: the same connection still shows what is typed.
  void expect_untouched(Seat& seat) {
    const auto before = seat.offset();
    seat.pull_until([&] { return seat.offset() > before; });
    EXPECT_FALSE(seat.client().is_closed());
    expect_versions(kVersion, kVersion);
  }
  const std::string kVersion{base::version()};
};

TEST_F(UpgradeCommandTest, BothBecomeTheInstalledOnesAndItSaysWhatLives) {
  start({"--ping-interval", "17"});
  create("t", {LINE_WRITER, "0", "200"});
  create("u", {"/bin/cat"});
  const pid_t daemon = daemon_pid();
  const pid_t keeper = keeper_pid();
  const pid_t program = process_with("/bin/cat");
  const std::string arguments = proc_file(daemon, "cmdline");
  Seat seat("t");
  seat.sit(native(), Wire::native, Begin::anew);
  seat.pull_until_attached();

  for (const auto& [to, from] : {std::pair{std::string("9.9.9"), kVersion}, {kVersion, "9.9.9"}}) {
    const auto upgraded =
        upgrade_while(to == kVersion ? kDaemonProgram : kNextProgram, [&] { come_back(seat); });
    EXPECT_EQ(upgraded.status, 0);
    EXPECT_EQ(upgraded.output,
              "keeper  " + from + " -> " + to + ", pid " + std::to_string(keeper) +
                  " unchanged\ndaemon  " + from + " -> " + to + ", pid " + std::to_string(daemon) +
                  " unchanged\n2 terminals in 1 session keep running; 1 of 1 connection "
                  "reconnected.\n");
    expect_versions(to, to);
    EXPECT_EQ(keeper_pid(), keeper);
    EXPECT_EQ(proc_file(daemon, "cmdline"), arguments);
    EXPECT_EQ(process_with("/bin/cat"), program);
  }
  EXPECT_EQ(codes_, (std::map<int, int>{{1012, 2}}));
  EXPECT_EQ(seat.resumed(), 2);
  EXPECT_EQ(numbered(seat.mirror()).problem, "");
  create("v", {"/bin/sleep", "1234"});
  EXPECT_FALSE(proc_file(process_with("1234"), "environ").contains("HOLDFAST_UPGRADE"));
  EXPECT_EQ(stop_daemon(), 0) << "it ends as it would have";
}

TEST_F(UpgradeCommandTest, DifferentVersionsAreWorkedWithAndSpokenOf) {
  start();
  create("t", {"/bin/cat"});
  ASSERT_TRUE(upgrade_keeper(kNextKeeper));
  expect_versions(kVersion, "9.9.9");
  kill_daemon();
  start();
  EXPECT_TRUE(logged("keeper and daemon have different versions keeper=9.9.9 daemon=" + kVersion));
  EXPECT_TRUE(logged("holdfast upgrade"));
  const auto metrics = get("/metrics", {{"Authorization", "Bearer " + token()}}).body;
  EXPECT_NE(
      metrics.find("holdfast_build_info{version=\"" + kVersion + "\",keeper_version=\"9.9.9\"} 1"),
      std::string::npos)
      << metrics;
  const auto status = Process({kKeeperProgram, "--runtime-dir", runtime_dir(), "--status"}).wait();
  EXPECT_NE(status.output.find("This program is " + kVersion +
                               ". Upgrade the keeper with: holdfast upgrade"),
            std::string::npos)
      << status.output;
  EXPECT_NE(look_at("t"), nullptr);
  EXPECT_EQ(run({"upgrade"}).status, 0);
  expect_versions(kVersion, kVersion);
}

TEST_F(UpgradeCommandTest, AConfigurationThatMakesNoSenseChangesNothing) {
  const auto config = dir() / "config.toml";
  std::ofstream(config) << "log_level = \"info\"\n";
  start({"--config", config});
  create("t", {LINE_WRITER, "0", "200"});
  Seat seat("t");
  seat.sit(native(), Wire::native, Begin::anew);
  seat.pull_until_attached();
  std::ofstream(config) << "no_such_setting = 1\n";
  const auto refused = run_program(kNextProgram, {"upgrade"});
  EXPECT_EQ(WEXITSTATUS(refused.status), 1);
  EXPECT_NE(refused.output.find("no_such_setting"), std::string::npos) << refused.output;
  EXPECT_NE(refused.output.find("Nothing has changed."), std::string::npos) << refused.output;
  expect_untouched(seat);
}

TEST_F(UpgradeCommandTest, AKeyThatIsNotThereChangesNothing) {
  const auto config = dir() / "config.toml";
  std::ofstream(config).flush();
  start({"--config", config});
  create("t", {LINE_WRITER, "0", "200"});
  Seat seat("t");
  seat.sit(native(), Wire::native, Begin::anew);
  seat.pull_until_attached();
  std::ofstream(config) << "tls_certificate = \"/no/such/file\"\ntls_key = \"/no/such/key\"\n";
  const auto refused = run_program(kNextProgram, {"upgrade"});
  EXPECT_EQ(WEXITSTATUS(refused.status), 1);
  EXPECT_NE(refused.output.find("/no/such/"), std::string::npos) << refused.output;
  expect_untouched(seat);
}

TEST_F(UpgradeCommandTest, AnAddressThatIsTakenChangesNothing) {
  const auto config = dir() / "config.toml";
  const auto listen_on = [&config](int port) {
    std::ofstream(config) << "listen = \"127.0.0.1:" << port << "\"\n";
  };
  listen_on(0);
  Process daemon({kDaemonProgram, "serve", "--config", config, "--env-file", "/dev/null"},
                 environment());
  ASSERT_TRUE(eventually([&] { return run({"upgrade"}).output.contains("daemon  "); }));
  boost::asio::io_context io;
  const boost::asio::ip::tcp::acceptor other(io, {boost::asio::ip::make_address("127.0.0.1"), 0});
  listen_on(other.local_endpoint().port());
  const auto refused = run({"upgrade"});
  EXPECT_EQ(WEXITSTATUS(refused.status), 1);
  EXPECT_NE(refused.output.find("Address already in use"), std::string::npos) << refused.output;
  EXPECT_TRUE(daemon.is_running());
  listen_on(0);
  EXPECT_EQ(run({"upgrade"}).status, 0);
}

TEST_F(UpgradeCommandTest, AKeeperThatFailsItsTrialChangesNothing) {
  start();
  create("t", {LINE_WRITER, "0", "200"});
  Seat seat("t");
  seat.sit(native(), Wire::native, Begin::anew);
  seat.pull_until_attached();
  const auto broken = script("echo I am broken >&2\nexit 1\n");
  const auto refused = run_program(install(kNextProgram, broken), {"upgrade"});
  EXPECT_EQ(WEXITSTATUS(refused.status), 1);
  EXPECT_NE(refused.output.find("I am broken"), std::string::npos) << refused.output;
  EXPECT_NE(refused.output.find("Nothing has changed"), std::string::npos) << refused.output;
  expect_untouched(seat);
}

// The trial cannot see everything. The program that failed becomes the one before it, although that
// one's file is gone by then, and so does the keeper.
TEST_F(UpgradeCommandTest, ADaemonThatFailsAfterItsTrialGivesTheProcessBack) {
  start();
  create("t", {LINE_WRITER, "0", "200"});
  const pid_t daemon = daemon_pid();
  const auto mine = dir() / "mine";
  std::filesystem::create_directory(mine);
  std::filesystem::copy_file(kDaemonProgram, mine / "holdfast");
  std::filesystem::copy_file(kKeeperProgram, mine / "holdfast-keeper");
  ASSERT_EQ(run_program(mine / "holdfast", {"upgrade"}).status, 0);
  std::filesystem::remove_all(mine);
  Seat seat("t");
  seat.sit(native(), Wire::native, Begin::anew);
  seat.pull_until_attached();

  const auto failed =
      upgrade_while(install(program("late_failure"), kNextKeeper), [&] { come_back(seat); });
  EXPECT_EQ(WEXITSTATUS(failed.status), 1);
  EXPECT_EQ(failed.output,
            "holdfast: the new daemon could not start: the moon is full. The previous "
            "version is running again. Fix the problem and try again.\n");
  EXPECT_EQ(daemon_pid(), daemon);
  const auto before = seat.offset();
  seat.pull_until([&] { return seat.offset() > before; });
  EXPECT_EQ(numbered(seat.mirror()).problem, "");
  expect_versions(kVersion, kVersion);
  EXPECT_EQ(run({"upgrade"}).status, 0) << "and a good one still works";
}

// What a library says on standard error was taken for the address to listen on.
TEST_F(UpgradeCommandTest, AStrayLineOfTheTrialDoesNotMatter) {
  start({}, {"LD_PRELOAD=/no/such/library.so"});
  create("t", {"/bin/cat"});
  const auto upgraded = run_program(kNextProgram, {"upgrade"});
  EXPECT_EQ(upgraded.status, 0) << upgraded.output;
  expect_versions("9.9.9", "9.9.9");
}

// Between the trial and the moment when the process becomes the new program, its path may come to
// mean another one.
TEST_F(UpgradeCommandTest, WhatWasTriedIsWhatRuns) {
  start();
  create("t", {"/bin/cat"});
  const auto installed = install(kNextProgram, kNextKeeper);
  const auto socket = keeper::RuntimeDir::connect_in(runtime_dir(), "control.sock", SOCK_STREAM);
  ASSERT_TRUE(socket) << socket.error().message();
  const auto say = [&](const json::object& line) {
    const std::string bytes = json::serialize(line) + "\n";
    ASSERT_EQ(::send(socket->get(), bytes.data(), bytes.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(bytes.size()));
  };
  const auto heard = [&] {
    std::string line;
    for (char c = 0; c != '\n' && ::recv(socket->get(), &c, 1, 0) == 1;) line += c;
    return line;
  };
  say({{"ask", "upgrade"}, {"program", installed.native()}});
  ASSERT_NE(heard().find("\"ready\""), std::string::npos);
  const auto other = script("touch " + (dir() / "owned").native() + "\n");
  std::filesystem::rename(other, installed);
  say({{"ask", "go"}});
  EXPECT_NE(heard().find("\"serves\""), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(dir() / "owned"));
  EXPECT_EQ(health().at("version").as_string(), "9.9.9");
  EXPECT_EQ(proc_file(daemon_pid(), "comm"), "holdfast\n");
}

TEST_F(UpgradeCommandTest, AProgramThatOthersCanWriteChangesNothing) {
  start();
  create("t", {LINE_WRITER, "0", "200"});
  Seat seat("t");
  seat.sit(native(), Wire::native, Begin::anew);
  seat.pull_until_attached();
  for (const char* name : {"holdfast", "holdfast-keeper"}) {
    const auto installed = install(kNextProgram, kNextKeeper);
    ASSERT_EQ(::chmod((installed.parent_path() / name).c_str(), 0757), 0);
    const auto refused = run_program(installed, {"upgrade"});
    EXPECT_EQ(WEXITSTATUS(refused.status), 1);
    EXPECT_NE(refused.output.find("others can write to it"), std::string::npos) << refused.output;
    expect_untouched(seat);
  }
}

TEST_F(UpgradeCommandTest, WithoutADaemonTheKeeperIsUpgraded) {
  start();
  create("t", {"/bin/cat"});
  const pid_t program = process_with("/bin/cat");
  ASSERT_EQ(stop_daemon(), 0);
  const auto upgraded = run_program(kNextProgram, {"upgrade"});
  EXPECT_EQ(upgraded.status, 0);
  EXPECT_NE(upgraded.output.find("No daemon is running; start one with: holdfast serve"),
            std::string::npos);
  EXPECT_NE(upgraded.output.find("1 terminal keeps running"), std::string::npos) << upgraded.output;
  EXPECT_EQ(process_with("/bin/cat"), program);
}

TEST_F(UpgradeCommandTest, WhereNothingRunsItSaysSo) {
  const auto refused = run({"upgrade"});
  EXPECT_EQ(WEXITSTATUS(refused.status), 1);
  EXPECT_NE(refused.output.find("connect to the keeper"), std::string::npos) << refused.output;
}

TEST_F(UpgradeCommandTest, AnotherUserIsRefused) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can act as another user";
  start();
  std::filesystem::permissions(dir(), std::filesystem::perms(0755));
  const auto refused = Process({"/usr/bin/setpriv", "--reuid=65534", "--regid=65534",
                                "--clear-groups", kDaemonProgram, "upgrade"},
                               environment())
                           .wait();
  EXPECT_EQ(WEXITSTATUS(refused.status), 1) << refused.output;
  EXPECT_NE(refused.output.find("another user"), std::string::npos) << refused.output;
}

// It is about to become another program, and waits for a client that does not answer its goodbye.
TEST_F(UpgradeCommandTest, ADaemonThatIsToldToEndMeanwhileEnds) {
  start();
  create("t", {"/bin/cat"});
  Seat silent("t");
  silent.sit(native(), Wire::native, Begin::anew);
  silent.pull_until_attached();
  const auto client = native();
  Process command({kNextProgram, "upgrade"}, environment());
  ASSERT_TRUE(eventually([&] {
    while (client->poll()) {
    }
    return client->is_closed();
  }));
  EXPECT_EQ(client->close_code(), 1012);
  EXPECT_EQ(stop_daemon(), 0);
  const auto outcome = command.wait();
  EXPECT_EQ(WEXITSTATUS(outcome.status), 1);
  EXPECT_NE(outcome.output.find("the terminals keep running in the keeper"), std::string::npos)
      << outcome.output;
  start();
  EXPECT_NE(look_at("t"), nullptr);
}

TEST_F(UpgradeCommandTest, TwoAtOnceComeOneAfterTheOther) {
  start();
  create("t", {"/bin/cat"});
  std::vector<std::unique_ptr<Process>> both;
  for (int i = 0; i < 2; ++i)
    both.push_back(std::make_unique<Process>(std::vector<std::string>{kNextProgram, "upgrade"},
                                             environment()));
  for (const auto& each : both) {
    const auto outcome = each->wait();
    EXPECT_EQ(outcome.status, 0) << outcome.output;
  }
  expect_versions("9.9.9", "9.9.9");
}

}  // namespace
}  // namespace e2e
