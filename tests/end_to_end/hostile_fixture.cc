#include "end_to_end/hostile_fixture.h"

#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>

namespace e2e {

int count_of(int soaked) {
  return std::getenv("HOLDFAST_SOAK") != nullptr ? soaked : soaked / 10;
}

HostileTest::Attack::Attack(int threads, const std::function<void()>& once) {
  for (int i = 0; i < threads; ++i)
    threads_.emplace_back([this, once] {
      while (!stopped_) {
        try {
          once();
        } catch (const std::exception&) {
        }
        ++rounds_;
      }
    });
}

HostileTest::Attack::~Attack() {
  stopped_ = true;
  for (std::thread& thread : threads_) thread.join();
}

void HostileTest::begin_bystander() {
  rlimit files{};
  ::getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &files);
  bystander_ = compatible();
  create(*bystander_, "bystander");
  shell_ = number_from(*bystander_, "bystander", "$$");
}

microseconds HostileTest::echo_p99() {
  constexpr int kKeys = 500;
  std::vector<std::chrono::steady_clock::duration> times;
  for (int i = 0; i < kKeys; ++i) {
    const std::string key = "<" + std::to_string(++typed_) + ">";
    const auto begin = std::chrono::steady_clock::now();
    bystander_->send(input("bystander", key));
    (void)output_until(*bystander_, key);
    times.push_back(std::chrono::steady_clock::now() - begin);
    // The line is thrown away before it is full.
    if (i % 20 == 19) bystander_->send(input("bystander", "\x15"));
  }
  std::ranges::sort(times);
  return std::chrono::ceil<microseconds>(times[kKeys - kKeys / 100 - 1]);
}

void HostileTest::expect_unnoticed(int threads, const std::function<void()>& attack) {
  const microseconds quiet = echo_p99();
  microseconds attacked{};
  int rounds = 0;
  {
    const Attack running(threads, attack);
    EXPECT_TRUE(eventually([&] { return running.rounds() > 0; }));
    attacked = echo_p99();
    rounds = running.rounds();
  }
  std::printf("echo p99: quiet %ld us, attacked %ld us, %d rounds\n", quiet.count(),
              attacked.count(), rounds);
  EXPECT_LE(attacked, most_echo(quiet));
  expect_untouched();
}

void HostileTest::expect_untouched() {
  bystander_->send(input("bystander", "\x15"));
  EXPECT_EQ(number_from(*bystander_, "bystander", "$$"), shell_);
  EXPECT_EQ(get("/health").status, 200);
}

long HostileTest::resident_kib() const {
  const std::string status = proc_file(daemon_pid(), "status");
  return std::stol(status.substr(status.find("VmRSS:") + 6));
}

void HostileTest::expect_growth_below(long kib, long before) const {
  if (std::getenv("HOLDFAST_BINARIES") != nullptr) return;
  EXPECT_LT(resident_kib() - before, kib);
}

RawConnection HostileTest::upgraded(const std::string& path) {
  RawConnection connection(port());
  connection.send(upgrade_request(port(), path, token()));
  if (connection.status() != 101) throw std::runtime_error("the upgrade was refused");
  (void)connection.receive_until("\r\n\r\n");
  return connection;
}

}  // namespace e2e
