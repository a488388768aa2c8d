// Another daemon takes over while people are at work: they are sent away with the code that says
// "come back", and nobody finds the door closed.

#include <signal.h>
#include <sys/wait.h>

#include <atomic>
#include <cstdio>
#include <thread>

#include "end_to_end/survival_fixture.h"
#include "end_to_end/visitor.h"

namespace e2e {
namespace {

class TakeoverTest : public SurvivalTest {
 protected:
  static constexpr int kClients = 20;

  void sit_down() {
    for (int i = 0; i < kClients; ++i) {
      Seat& seat = seats_.emplace_back("t");
      seat.sit(connect(wire_of(i)), wire_of(i), Begin::anew);
      seat.pull_until_attached();
    }
  }
  static Wire wire_of(int seat) { return seat % 2 == 0 ? Wire::compatible : Wire::native; }

  // Takes in what arrives, and comes back when sent away, until `done`.
  void look_on_until(const std::function<bool()>& done) {
    std::vector<Seat*> all;
    for (Seat& seat : seats_) all.push_back(&seat);
    ASSERT_TRUE(eventually(
        [&] {
          wait_for_any(all, milliseconds(5));
          for (int i = 0; i < kClients; ++i)
            if (!all[static_cast<std::size_t>(i)]->pull()) come_back(i);
          return done();
        },
        seconds(60)));
  }

  void come_back(int index) {
    Seat& seat = seats_[static_cast<std::size_t>(index)];
    ++codes_[seat.client().close_code()];
    // One that was accepted by the daemon that leaves is closed before it is served.
    ASSERT_TRUE(eventually([&] {
      try {
        seat.sit(connect(wire_of(index)), wire_of(index), Begin::resume);
        return true;
      } catch (const boost::system::system_error& error) {
        EXPECT_NE(error.code(), boost::system::errc::connection_refused);
      } catch (const std::runtime_error&) {
      }
      ++tried_again_;
      return false;
    }));
  }

  std::deque<Seat> seats_;
  std::map<int, int> codes_;
  int tried_again_ = 0;
};

TEST_F(TakeoverTest, EverybodyComesBackAndNobodyIsRefused) {
  start();
  create("t", {LINE_WRITER, "0", "5000"});
  sit_down();
  const int address = port();
  Visitor visitor(address);
  const int takeovers = a_tenth_unless_soaking(30);
  for (int i = 0; i < takeovers && !HasFailure(); ++i) {
    std::atomic<bool> done = false;
    int status = -1;
    std::thread successor([&] {
      status = take_over();
      done = true;
    });
    look_on_until([&] { return done.load(); });
    successor.join();
    EXPECT_EQ(status, 0) << "the old daemon did not end by itself";
    EXPECT_EQ(port(), address);
    const int expected = (i + 1) * kClients;
    look_on_until([&] {
      return codes_[1012] == expected &&
             std::ranges::all_of(seats_, [](const Seat& seat) { return seat.is_attached(); });
    });
  }
  visitor.stop();
  for (Seat& seat : seats_) {
    EXPECT_EQ(numbered(seat.mirror()).problem, "");
    EXPECT_GT(seat.resumed(), 0);
  }
  EXPECT_EQ(codes_.size(), 1U);
  EXPECT_EQ(visitor.refused(), 0);
  std::printf("%d takeovers: %d visits served, %d broken off, %d refused; %d tried again\n",
              takeovers, visitor.served(), visitor.broken(), visitor.refused(), tried_again_);
}

// It has not answered for a while, and has to be killed by the keeper.
TEST_F(TakeoverTest, ADaemonThatIsStuckIsReplaced) {
  start();
  create("t", {LINE_WRITER, "0", "5000"});
  Seat seat("t");
  seat.sit(native(), Wire::native, Begin::anew);
  seat.pull_until([&] { return seat.snapshots() > 0; });
  const int address = port();
  signal_daemon(SIGSTOP);
  Visitor visitor(address);
  const int status = take_over();
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << status;
  EXPECT_EQ(port(), address);
  while (seat.pull()) wait_for_any({&seat}, milliseconds(100));
  seat.sit(native(), Wire::native, Begin::resume);
  seat.pull_until_attached();
  const auto offset = seat.offset();
  seat.pull_until([&] { return seat.offset() > offset; });
  EXPECT_EQ(numbered(seat.mirror()).problem, "");
  visitor.stop();
  EXPECT_EQ(visitor.refused(), 0);
}

}  // namespace
}  // namespace e2e
