// What hostile clients do, and how the others are doing meanwhile.

#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "end_to_end/protocol_fixture.h"
#include "end_to_end/raw_connection.h"

namespace e2e {

// A tenth of it, unless the long counts are asked for (HOLDFAST_SOAK=1).
[[nodiscard]] int count_of(int soaked);

using std::chrono::microseconds;

// About a frame of a display: what a person cannot notice is no harm, whatever its ratio to the
// quiet.
inline constexpr microseconds kUnnoticed{20'000};

class HostileTest : public ProtocolTest {
 protected:
  // Does that again and again, in threads of its own, until it is destroyed. An exception is what a
  // refused client gets, and no failure.
  class Attack {
   public:
    Attack(int threads, const std::function<void()>& once);
    ~Attack();
    Attack(const Attack&) = delete;
    Attack& operator=(const Attack&) = delete;
    [[nodiscard]] int rounds() const { return rounds_; }

   private:
    std::atomic<bool> stopped_ = false;
    std::atomic<int> rounds_ = 0;
    std::vector<std::thread> threads_;
  };

  // Makes the terminal `bystander` and the client that is not to notice anything.
  void begin_bystander();
  // The bystander's slowest echo but one in a hundred.
  [[nodiscard]] microseconds echo_p99();
  [[nodiscard]] static microseconds most_echo(microseconds quiet) {
    return std::max(3 * quiet, kUnnoticed);
  }
  // Attacks while the bystander types, and compares with the same before.
  void expect_unnoticed(int threads, const std::function<void()>& attack);
  // The bystander's shell is the same, and does as it is told.
  void expect_untouched();
  [[nodiscard]] long resident_kib() const;
  // Sanitizers keep what was freed, so nothing is said about their programs' memory.
  void expect_growth_below(long kib, long before) const;
  [[nodiscard]] RawConnection upgraded(const std::string& path = "/terminal/ws/multi");

 private:
  std::unique_ptr<WebSocketClient> bystander_;
  pid_t shell_ = 0;
  int typed_ = 0;
};

}  // namespace e2e
