// The reason for the keeper: a consumer that dies, at whatever instruction, costs no byte.

#include <signal.h>
#include <sys/wait.h>

#include <cstdio>
#include <random>
#include <thread>

#include "end_to_end/keeper_fixture.h"

namespace e2e {
namespace {

class ConsumerKilledTest : public KeeperTest {};

// 200 consumers are killed at random moments while a child writes the known sequence as fast as it
// can, 200 MB and more in total. Each successor goes on where `consumed` stands and checks every
// byte against its offset.
TEST_F(ConsumerKilledTest, NoByteIsLostAndNoneComesTwice) {
  constexpr int kKills = 200;
  constexpr std::uint64_t kBytes = 200'000'000;
  constexpr std::uint64_t kRun = 40'000'000;
  std::mt19937 random(20261115);
  std::uniform_int_distribution<int> microseconds(0, 30'000);
  int kills = 0;
  std::uint64_t total = 0;
  for (int run = 0; kills < kKills || total < kBytes; ++run) {
    const std::string id = "run" + std::to_string(run);
    ASSERT_TRUE(owner().spawn(id, {SEQUENCE_WRITER, std::to_string(kRun), "7"}));
    yield_owner();
    for (bool ended = false; !ended;) {
      Process checker({SEQUENCE_CHECKER, dir(), id});
      const auto kill_at =
          std::chrono::steady_clock::now() + std::chrono::microseconds(microseconds(random));
      while (checker.is_running() && std::chrono::steady_clock::now() < kill_at)
        std::this_thread::yield();
      if (checker.is_running()) checker.signal(SIGKILL);
      const auto outcome = checker.wait();
      if (WIFSIGNALED(outcome.status)) {
        ++kills;
        continue;
      }
      ASSERT_EQ(outcome.status, 0) << outcome.output;
      EXPECT_EQ(std::stoull(outcome.output), kRun);
      ended = true;
    }
    auto child = owner().attach(id);
    ASSERT_TRUE(child);
    EXPECT_EQ(child->info.exit->status.code, 7);
    EXPECT_EQ(child->journal.consumed(), kRun);
    ASSERT_TRUE(owner().close(id));
    total += kRun;
  }
  std::printf("%d kills, %llu bytes, none lost\n", kills, static_cast<unsigned long long>(total));
}

}  // namespace
}  // namespace e2e
