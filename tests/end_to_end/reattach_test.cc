// Clients come and go in the middle of a flood, and so does the daemon: no line is missing, and
// none is there twice.

#include <cstdio>

#include "end_to_end/survival_fixture.h"

namespace e2e {
namespace {

struct Load {
  const char* name;
  const char* lines_per_second;  // "0": as fast as the terminal takes them.
};

class ReattachTest : public SurvivalTest, public testing::WithParamInterface<Load> {
 protected:
  static constexpr int kSeats = 4;

  void SetUp() override {
    SurvivalTest::SetUp();
    start();
    create("t", {LINE_WRITER, "0", GetParam().lines_per_second});
    look_at("t", [](Seat& seat) { return !seat.mirror().lines().empty(); });
    for (int i = 0; i < kSeats; ++i) seats_.emplace_back("t");
  }

  // One of the seats is left without a word or taken, over either protocol, with what it has or
  // anew.
  void somebody_moves() {
    Seat& seat = seats_[static_cast<std::size_t>(random_below(kSeats))];
    const Wire wire = random_below(2) == 0 ? Wire::compatible : Wire::native;
    const Begin begin = random_below(4) == 0 ? Begin::anew : Begin::resume;
    if (seat.is_connected()) seat.drop();
    seat.sit(connect(wire), wire, begin);
    seat.pull_until([&] { return seat.is_attached() && seat.snapshots() + seat.resumed() > 0; });
    look_on(milliseconds(random_below(30)));
    check(seat);
  }

  void look_on(milliseconds time) {
    const auto end = std::chrono::steady_clock::now() + time;
    std::vector<Seat*> connected;
    for (Seat& seat : seats_)
      if (seat.is_connected()) connected.push_back(&seat);
    do {
      for (Seat* seat : connected) seat->pull();
      wait_for_any(connected, milliseconds(2));
    } while (std::chrono::steady_clock::now() < end);
  }

  void check(Seat& seat) {
    const Numbered shown = numbered(seat.mirror());
    ASSERT_EQ(shown.problem, "");
    ASSERT_GE(shown.last + 1, last_[&seat]) << "what was shown before is gone";
    last_[&seat] = shown.last;
  }

  void report(int moves) {
    int resumed = 0;
    int snapshots = 0;
    std::uint64_t last = 0;
    for (Seat& seat : seats_) {
      resumed += seat.resumed();
      snapshots += seat.snapshots();
      last = std::max(last, last_[&seat]);
    }
    std::printf("%d reattachments, %d resumed, %d snapshots, %llu lines\n", moves, resumed,
                snapshots, static_cast<unsigned long long>(last));
    if (GetParam().lines_per_second != std::string("0")) {
      EXPECT_GT(resumed, moves / 4);
    }
  }

  std::deque<Seat> seats_;
  std::map<Seat*, std::uint64_t> last_;
};

TEST_P(ReattachTest, NoLineIsMissingAndNoneComesTwice) {
  const int moves = a_tenth_unless_soaking(500);
  for (int i = 0; i < moves && !HasFailure(); ++i) somebody_moves();
  report(moves);
}

TEST_P(ReattachTest, NorWhenTheDaemonIsKilledAgainAndAgain) {
  const int kills = a_tenth_unless_soaking(50);
  const int moves_between = 10;
  for (int i = 0; i < kills && !HasFailure(); ++i) {
    for (int j = 0; j < moves_between && !HasFailure(); ++j) somebody_moves();
    kill_daemon();
    for (Seat& seat : seats_)
      if (seat.is_connected()) {
        while (seat.pull()) wait_for_any({&seat}, milliseconds(100));
        seat.leave();
      }
    start();
  }
  report(kills * moves_between);
}

INSTANTIATE_TEST_SUITE_P(Loads, ReattachTest,
                         testing::Values(Load{.name = "Flood", .lines_per_second = "0"},
                                         Load{.name = "Steady", .lines_per_second = "10000"}),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace e2e
