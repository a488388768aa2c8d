// Many viewers of one terminal, and many terminals at once: nobody pays for another's slowness.

#include <signal.h>

#include <algorithm>
#include <cstdio>

#include "end_to_end/survival_fixture.h"

namespace e2e {
namespace {

class ViewersTest : public SurvivalTest {};

TEST_F(ViewersTest, OneThatStallsHoldsUpNobodyAndCatchesUpExactly) {
  constexpr int kViewers = 10;
  // Ten connections with what one message and its encoding take, and the loop's own.
  constexpr std::int64_t kMostAnonymousKilobytes = 32 * 1024;
  start();
  create("t", {LINE_WRITER});
  std::deque<Seat> seats;
  std::vector<Seat*> live;
  for (int i = 0; i < kViewers; ++i) {
    const Wire wire = i % 2 == 0 ? Wire::native : Wire::compatible;
    seats.emplace_back("t").sit(connect(wire), wire, Begin::anew);
    seats.back().pull_until_attached();
    if (i > 0) live.push_back(&seats.back());
  }
  Seat& stalled = seats.front();

  // Sockets hold megabytes, and a busy machine takes its time to fill them.
  constexpr std::uint64_t kEnough = 20'000'000;
  const auto end = std::chrono::steady_clock::now() + (soaking() ? seconds(60) : seconds(4));
  std::int64_t most = 0;
  while (std::chrono::steady_clock::now() < end || live.front()->offset() < kEnough) {
    const auto before = live.front()->offset();
    ASSERT_TRUE(eventually([&] {
      wait_for_any(live, milliseconds(10));
      for (Seat* seat : live) seat->pull();
      return live.front()->offset() > before;
    })) << "the live ones stand still";
    most = std::max(most, status_number(daemon_pid(), "RssAnon"));
  }
  ::kill(process_with("line_writer"), SIGSTOP);
  // What the writer had written before it stopped may still be on its way.
  std::unique_ptr<Seat> now;
  ASSERT_TRUE(eventually([&] {
    now = look_at("t");
    for (Seat& seat : seats) seat.pull_until([&] { return seat.offset() >= now->offset(); });
    return std::ranges::all_of(seats, [&](Seat& seat) { return seat.offset() == now->offset(); });
  }));
  for (Seat& seat : seats) {
    EXPECT_EQ(numbered(seat.mirror()).problem, "");
    EXPECT_EQ(seat.mirror().visible(), now->mirror().visible());
  }
  EXPECT_GT(stalled.snapshots(), 1) << "the flood was too small to leave it behind";
  if (!kSanitized) {
    EXPECT_LT(most, kMostAnonymousKilobytes);
  }
  std::printf("%.1f MB in all, the daemon's own memory at most %lld KiB\n",
              static_cast<double>(now->offset()) / 1e6, static_cast<long long>(most));
}

using ViewersMeasuringTest = ViewersTest;

TEST_F(ViewersMeasuringTest, AnEchoComesAtOnceWhileAnotherTerminalFloods) {
  start();
  create("flood", {LINE_WRITER});
  create("quiet", {"/bin/cat"});
  Seat flood("flood");
  flood.sit(native(), Wire::native, Begin::anew);
  flood.pull_until([&] { return flood.snapshots() > 0; });
  Seat quiet("quiet");
  quiet.sit(native(), Wire::native, Begin::anew);
  quiet.pull_until([&] { return quiet.snapshots() > 0; });
  std::vector<double> times;
  const auto flooded = flood.offset();
  constexpr std::uint64_t kEnough = 1'000'000;  // For a flood that deserves the name.
  const int keys = a_tenth_unless_soaking(30'000);
  for (int i = 0; i < keys || flood.offset() - flooded <= kEnough; ++i) {
    const auto before = quiet.offset();
    const auto begin = std::chrono::steady_clock::now();
    quiet.type(i % 70 == 69 ? "\r" : "x");
    quiet.pull_until([&] { return quiet.offset() > before; });
    times.push_back(
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
            .count());
    flood.pull();
  }
  std::ranges::sort(times);
  const double p99 = times[times.size() * 99 / 100];
  std::printf("echo while another floods: median %.2f ms, p99 %.2f ms, worst %.2f ms\n",
              times[times.size() / 2], p99, times.back());
  EXPECT_LE(p99, 50);
}

}  // namespace
}  // namespace e2e
