// A daemon that has nothing to do does nothing, and notices when somebody is no longer there.

#include <thread>

#include "end_to_end/survival_fixture.h"

namespace e2e {
namespace {

class QuietDaemonTest : public SurvivalTest {
 protected:
  // How often the daemon was woken in some seconds. It is given the time to become quiet first.
  std::int64_t wakeups(seconds time) {
    std::int64_t last = -1;
    EXPECT_TRUE(eventually([&] {
      const std::int64_t before = last;
      last = status_number(daemon_pid(), "voluntary_ctxt_switches");
      if (last == before) return true;
      std::this_thread::sleep_for(milliseconds(500));
      return false;
    })) << "it never becomes quiet";
    std::this_thread::sleep_for(time);
    return status_number(daemon_pid(), "voluntary_ctxt_switches") - last;
  }
  std::int64_t orphans() { return health().at("terminals").at("orphaned").as_int64(); }
};

TEST_F(QuietDaemonTest, SleepsWhenNothingHappens) {
  start();
  for (int i = 0; i < 20; ++i) create("t" + std::to_string(i), {"/bin/cat"});
  EXPECT_EQ(wakeups(seconds(3)), 0) << "without a client";
  Seat seat("t0");
  seat.sit(native(), Wire::native, Begin::anew);
  seat.pull_until([&] { return seat.snapshots() > 0; });
  EXPECT_EQ(wakeups(seconds(3)), 0) << "with a client that does nothing";
}

// Waiting is no polling: not in the daemon, and not in the commands.
TEST_F(QuietDaemonTest, SleepsWhileClientsWait) {
  start();
  create("silent", {"/bin/cat"});
  create("shell", {"/bin/bash"});
  const auto command = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), kDaemonProgram);
    return std::make_unique<Process>(arguments, environment());
  };
  const auto wait = command({"wait", "silent", "--text", "never"});
  const auto exec = command({"exec", "shell", "--", "read line"});
  const auto events = command({"events", "--follow"});
  ASSERT_TRUE(eventually([&] {
    return get("/metrics", bearer(token())).body.find("holdfast_waiting_requests 3\n") !=
           std::string::npos;
  }));
  // Soon enough not to meet the stream's sign of life.
  EXPECT_EQ(wakeups(seconds(3)), 0);
  for (const auto& [name, client] :
       {std::pair("wait", &wait), {"exec", &exec}, {"events", &events}}) {
    const auto before = status_number((*client)->pid(), "voluntary_ctxt_switches");
    std::this_thread::sleep_for(seconds(1));
    EXPECT_EQ(status_number((*client)->pid(), "voluntary_ctxt_switches"), before) << name;
  }
}

TEST_F(QuietDaemonTest, GivesUpAClientThatDoesNotAnswer) {
  // Enough for the one that answers, on a busy machine too.
  start({"--ping-interval", "0.5", "--ping-timeout", "4"});
  create("answers", {"/bin/cat"});
  create("silent", {"/bin/cat"});
  Seat answers("answers");
  answers.sit(compatible(), Wire::compatible, Begin::anew);
  answers.pull_until_attached();
  // Nothing reads from its socket from here on, so no ping is answered.
  Seat silent("silent");
  silent.sit(compatible(), Wire::compatible, Begin::anew);
  silent.pull_until_attached();
  EXPECT_TRUE(eventually([&] {
    answers.pull();
    return orphans() == 1;
  }));
  EXPECT_TRUE(answers.pull());
  EXPECT_EQ(health().at("terminals").at("active").as_int64(), 1);
}

// Its socket is full, so not even a ping gets out.
TEST_F(QuietDaemonTest, GivesUpAClientThatStoppedReadingInAFlood) {
  start({"--ping-interval", "0.2", "--ping-timeout", "0.6"});
  create("flood", {LINE_WRITER});
  Seat silent("flood");
  silent.sit(native(), Wire::native, Begin::anew);
  silent.pull_until([&] { return silent.snapshots() > 0; });
  EXPECT_TRUE(eventually([&] { return orphans() == 1; }));
}

}  // namespace
}  // namespace e2e
