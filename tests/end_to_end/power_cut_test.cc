// The power fails while much changes. A copy of the state directory, made at a random moment, is
// what the next start finds: it opens, offers the terminals, and lacks at most the last second of
// what they showed.

#include <fcntl.h>
#include <sys/stat.h>

#include <atomic>
#include <cmath>
#include <thread>

#include "end_to_end/reboot_fixture.h"

namespace e2e {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::system_clock;

double now_seconds() {
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

// The first bytes of the write-ahead log: they change when it begins anew.
std::string beginning(const fs::path& wal) {
  std::ifstream file(wal, std::ios::binary);
  std::string bytes(32, '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return bytes;
}

class PowerCutTest : public RebootTest {
 protected:
  // Prints numbered lines with the time at which each was printed.
  static constexpr const char* kTicker =
      "i=0; while :; do i=$((i+1)); echo \"tick $i $(date +%s.%N)\"; sleep 0.02; done";

  void SetUp() override {
    RebootTest::SetUp();
    start();
    create("ticker", {"/bin/bash", "-c", kTicker});
    create("flood", {LINE_WRITER});
    ASSERT_TRUE(eventually([&] { return history_in(history_file("ticker")).has_value(); }));
  }
  void TearDown() override {
    churning_ = false;
    if (churn_.joinable()) churn_.join();
    RebootTest::TearDown();
  }

  // Terminals come, are renamed, print, and go, all the time.
  void begin_churn() {
    churn_ = std::thread([this, client = std::make_shared<NativePeer>(native())] {
      for (int i = 0; churning_; ++i) {
        const std::string id = "churn" + std::to_string(i % 7);
        client->ask("close", {{"terminalId", id}});
        client->ask("create", {{"terminalId", id},
                               {"command", json::array{"/bin/sh", "-c", "seq 1 3000; exec cat"}}});
        client->ask("rename", {{"terminalId", id}, {"name", "name " + std::to_string(i)}});
      }
    });
  }

  // As a disk would have it: the database and its log may be of different moments, but a
  // checkpoint, which moves the one into the other, is never torn from the flushes around it.
  // Returns when it was begun.
  double copy_state(const fs::path& to) {
    const fs::path wal = state_dir() / "holdfast.db-wal";
    for (;;) {
      fs::remove_all(to);
      fs::create_directories(to / "history");
      const double begun = now_seconds();
      for (const auto& entry : fs::directory_iterator(state_dir() / "history"))
        copy_if_there(entry.path(), to / "history" / entry.path().filename());
      const std::string before = beginning(wal);
      copy_if_there(state_dir() / "holdfast.db", to / "holdfast.db");
      copy_if_there(wal, to / "holdfast.db-wal");
      if (beginning(wal) == before) {
        ::chmod(to.c_str(), 0700);
        ::chmod((to / "history").c_str(), 0700);
        return begun;
      }
    }
  }
  static void copy_if_there(const fs::path& from, const fs::path& to) {
    std::error_code gone;
    fs::copy_file(from, to, gone);
  }

  std::atomic<bool> churning_ = true;
  std::thread churn_;
};

// A daemon with a keeper of its own, on a copy.
class Successor : public RebootTest {
 public:
  explicit Successor(const fs::path& state) {
    SetUp();
    fs::remove_all(state_dir());
    fs::rename(state, state_dir());
    start();
  }
  ~Successor() override {
    kill_daemon();  // Or it would start another keeper.
    kill_keeper();
    TearDown();
  }
  void TestBody() override {}

  // When the last whole line that the ticker shows was printed, and whether they are consecutive.
  double last_tick(std::string& problem) {
    auto client = peer();
    const json::object created = restore(client, "ticker");
    if (string_at(created, "type") != "created") {
      problem = json::serialize(created) + "\n" + log();
      return 0;
    }
    long number = 0;
    double last = 0;
    for (const std::string& line : lines_of("ticker")) {
      if (line.starts_with("\u2500")) break;
      long found = 0;
      double time = 0;
      if (std::sscanf(line.c_str(), "tick %ld %lf", &found, &time) != 2) continue;
      if (number != 0 && found != number + 1)
        problem = "after " + std::to_string(number) + ": " + line;
      number = found;
      if (line.size() >= std::string("tick 1 1700000000.000000000").size()) last = time;
    }
    if (number == 0) problem = "no line was kept";
    return last;
  }
  void expect_all_can_be_restored() {
    auto client = peer();
    const json::object answer = client.ask("list");
    for (const json::value& each : answer.at("data").at("terminals").as_array()) {
      const std::string id = string_at(each.as_object(), "terminalId");
      if (string_at(each.as_object(), "status") != "restorable") continue;
      EXPECT_EQ(string_at(restore(client, id), "type"), "created") << id << "\n" << log();
    }
    EXPECT_EQ(log().find("the database was damaged"), std::string::npos);
    EXPECT_EQ(log().find("was set aside"), std::string::npos);
    for (const auto& entry : fs::directory_iterator(state_dir() / "history"))
      EXPECT_NE(entry.path().extension(), ".corrupt");
  }
};

// A promise about time, so it has the machine for itself.
using PowerCutMeasuringTest = PowerCutTest;

TEST_F(PowerCutMeasuringTest, LosesAtMostTheLastSecond) {
  begin_churn();
  double worst = 0;
  for (int i = 0; i < a_tenth_unless_soaking(100); ++i) {
    const auto moment = Clock::now() + milliseconds(random_below(1500));
    while (Clock::now() < moment) std::this_thread::sleep_until(moment);
    const double cut = copy_state(dir() / "copy");
    Successor successor(dir() / "copy");
    std::string problem;
    const double lost = cut - successor.last_tick(problem);
    EXPECT_EQ(problem, "");
    EXPECT_LE(lost, 1.0) << "at cut " << i;
    worst = std::max(worst, lost);
    successor.expect_all_can_be_restored();
  }
  std::printf("[          ] at most %.3f s of history were lost\n", worst);
}

// The last bytes of the log did not reach the disk, and a history was being written.
TEST_F(PowerCutTest, TornFilesAreNoTrouble) {
  begin_churn();
  for (int i = 0; i < a_tenth_unless_soaking(50); ++i) {
    copy_state(dir() / "copy");
    const fs::path wal = dir() / "copy" / "holdfast.db-wal";
    const auto size = fs::file_size(wal);
    fs::resize_file(
        wal, size - std::min<std::uintmax_t>(size, static_cast<unsigned>(random_below(9000))));
    std::ofstream(dir() / "copy" / "history" / "ticker.rows.new") << "HFSTROWS";
    Successor successor(dir() / "copy");
    std::string problem;
    successor.last_tick(problem);
    EXPECT_EQ(problem, "");
    successor.expect_all_can_be_restored();
  }
}

}  // namespace
}  // namespace e2e
