// The history at its default size holds the output of a long build, and takes little memory when
// the build has ended.

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "end_to_end/survival_fixture.h"

namespace e2e {
namespace {

class LongHistoryTest : public SurvivalTest {
 protected:
  static constexpr int kLines = 10'000;

  static std::string line(int number) {
    return fmt::format("[{}/{}] Building CXX object src/part_{}/CMakeFiles/part.dir/source_{}.cc.o",
                       number, kLines, number % 17, number);
  }
  void build() {
    const std::string script = fmt::format(
        "i=0; while [ $i -lt {0} ]; do i=$((i+1)); echo \"[$i/{0}] Building CXX object "
        "src/part_$((i%17))/CMakeFiles/part.dir/source_$i.cc.o\"; done; exec cat",
        kLines);
    create("t", {"/bin/sh", "-c", script}, {.cols = 100, .rows = 24});
    look_at("t",
            [&](Seat& seat) { return vt::text(seat.mirror().screen()).contains(line(kLines)); });
  }
  void expect_all_lines() {
    const auto lines = look_at("t")->mirror().lines();
    ASSERT_EQ(lines.size(), kLines);
    for (int i = 0; i < kLines; ++i) ASSERT_EQ(lines[static_cast<std::size_t>(i)], line(i + 1));
  }
  // The lines that every viewer has, also one that comes when some have been added.
  static std::vector<std::string> newest(Seat& seat) {
    auto lines = seat.mirror().lines();
    EXPECT_GE(lines.size(), kLines);
    return {lines.end() - (kLines - 500), lines.end()};
  }
  // The memory of all journals, of which there is one.
  std::int64_t journal_kib() {
    std::int64_t blocks = 0;
    const auto descriptors = fmt::format("/proc/{}/fd", keeper_pid());
    for (const auto& entry : std::filesystem::directory_iterator(descriptors)) {
      std::error_code gone;
      const auto target = std::filesystem::read_symlink(entry.path(), gone).string();
      struct stat file{};
      if (target.starts_with("/memfd:") && ::stat(entry.path().c_str(), &file) == 0)
        blocks += file.st_blocks;
    }
    return blocks / 2;
  }
};

TEST_F(LongHistoryTest, ABuildOfTenThousandLinesIsThereAfterAKill) {
  start();
  build();
  expect_all_lines();
  kill_daemon();
  start();
  expect_all_lines();
}

// Such a snapshot is made in turns, and what happens meanwhile happens all the same.
TEST_F(LongHistoryTest, ItComesWholeToThoseWhoResizeTypeAndLeaveMeanwhile) {
  start();
  build();
  int cols = 100;
  for (int round = 0; round < a_tenth_unless_soaking(200); ++round) {
    const Wire wire = round % 2 == 0 ? Wire::native : Wire::compatible;
    Seat one("t", {.cols = cols, .rows = 24});
    Seat other("t", {.cols = cols, .rows = 24});
    one.sit(connect(wire), wire, Begin::anew);
    other.watch(connect(Wire::native));
    const std::string typed = fmt::format("typed {}", round);
    if (round % 3 == 0) {
      other.leave();
    } else if (round % 3 == 1 && wire == Wire::native) {
      one.pull_until([&] { return one.is_attached(); });
      cols = 90 + random_below(20);
      one.resize({.cols = cols, .rows = 24});
    }
    if (wire == Wire::native) one.pull_until([&] { return one.is_attached(); });
    one.type(typed + "\r");
    const auto shows = [&](Seat& seat) {
      return seat.is_showing() && vt::text(seat.mirror().screen()).contains(typed + "\n" + typed);
    };
    one.pull_until([&] { return shows(one) && one.mirror().screen().size().cols == cols; });
    if (other.is_connected()) {
      other.pull_until([&] { return shows(other); });
      EXPECT_EQ(newest(other), newest(*look_at("t")));
    }
    ASSERT_EQ(newest(one), newest(*look_at("t"))) << "round " << round;
  }
}

// The history has 256 KiB, what is replayed as many; checkpoints and the header take the rest. That
// is what less than a third of the lines took before they were compressed.
TEST_F(LongHistoryTest, TakesLittleMemoryAtRest) {
  if (::getuid() != 0) GTEST_SKIP() << "needs root, to look at the keeper's descriptors";
  start();
  build();
  EXPECT_TRUE(eventually([&] { return journal_kib() <= 600; })) << journal_kib() << " KiB";
  // Neither reading it nor a new daemon takes more.
  expect_all_lines();
  EXPECT_TRUE(eventually([&] { return journal_kib() <= 664; })) << journal_kib() << " KiB";
  kill_daemon();
  start();
  expect_all_lines();
  EXPECT_TRUE(eventually([&] { return journal_kib() <= 664; })) << journal_kib() << " KiB";
  std::printf("%d lines take %lld KiB of journal\n", kLines, static_cast<long long>(journal_kib()));
}

}  // namespace
}  // namespace e2e
