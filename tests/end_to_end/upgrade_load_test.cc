// Upgrades in a row while many are at work: no line is missing or comes twice, nobody is refused,
// no process is another, and what exits meanwhile has its code.

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <mutex>
#include <sstream>
#include <thread>

#include "end_to_end/upgrade_fixture.h"
#include "end_to_end/visitor.h"

namespace e2e {
namespace {

using Clock = std::chrono::steady_clock;

// Looks at what a seat or a viewer shows now and then: consecutive lines, and no gap to what was
// shown before.
class Continuity {
 public:
  void look(Seat& seat) {
    const Numbered shown = numbered(seat.mirror());
    if (!shown.problem.empty()) problem_ = shown.problem;
    if (shown.first > last_ + 1)
      problem_ = "from line " + std::to_string(last_) + " to " + std::to_string(shown.first);
    if (shown.last < last_) problem_ = "the lines went back";
    last_ = shown.last;
  }
  [[nodiscard]] const std::string& problem() const { return problem_; }
  [[nodiscard]] std::uint64_t lines() const { return last_ + 1; }

 private:
  std::uint64_t last_ = 0;
  std::string problem_;
};

// One client in a thread of its own, as clients are: it comes back by itself.
class Worker {
 public:
  Worker(std::string terminal, Wire wire, std::function<std::unique_ptr<WebSocketClient>()> connect)
      : seat_(std::move(terminal)), wire_(wire), connect_(std::move(connect)) {
    seat_.sit(connect_(), wire_, Begin::anew);
    seat_.pull_until_attached();
    thread_ = std::thread([this] { work(); });
  }
  ~Worker() { stop(); }
  void stop() {
    stopping_ = true;
    if (thread_.joinable()) thread_.join();
  }
  [[nodiscard]] int times_back() const { return times_back_; }
  // After `stop`.
  [[nodiscard]] const Continuity& continuity() const { return continuity_; }
  [[nodiscard]] const std::map<int, int>& codes() const { return codes_; }
  [[nodiscard]] const std::vector<double>& away() const { return away_; }
  [[nodiscard]] int refused() const { return refused_; }
  [[nodiscard]] int resumed() const { return seat_.resumed(); }

 private:
  void work() {
    while (!stopping_) {
      wait_for_any({&seat_}, milliseconds(50));
      if (seat_.pull()) continue;
      ++codes_[seat_.client().close_code()];
      come_back();
      continuity_.look(seat_);
      ++times_back_;
    }
    continuity_.look(seat_);
  }
  void come_back() {
    const auto left = Clock::now();
    while (!stopping_) {
      try {
        seat_.sit(connect_(), wire_, Begin::resume);
        seat_.pull_until_attached();
        break;
      } catch (const boost::system::system_error& error) {
        refused_ += error.code() == boost::system::errc::connection_refused;
      } catch (const std::runtime_error&) {  // Accepted by the daemon that leaves.
      }
    }
    away_.push_back(std::chrono::duration<double, std::milli>(Clock::now() - left).count());
  }

  Seat seat_;
  Wire wire_;
  std::function<std::unique_ptr<WebSocketClient>()> connect_;
  Continuity continuity_;
  std::map<int, int> codes_;
  std::vector<double> away_;
  int refused_ = 0;
  std::atomic<int> times_back_ = 0;
  std::atomic<bool> stopping_ = false;
  std::thread thread_;
};

double percentile(std::vector<double>& values, double part) {
  std::ranges::sort(values);
  return values.empty() ? 0 : values[static_cast<std::size_t>(part * (values.size() - 1))];
}

class UpgradeLoadTest : public UpgradingTest {
 protected:
  const int terminals_ = a_tenth_unless_soaking(100);
  const int clients_ = a_tenth_unless_soaking(50);
  const int upgrades_ = a_tenth_unless_soaking(20);
  static constexpr int kExits = 3;  // In each upgrade.

  static std::string name(int terminal) { return "t" + std::to_string(terminal); }

  // Every process that writes lines, with the time it was started at.
  std::map<pid_t, std::string> writers() const {
    std::map<pid_t, std::string> found;
    for (const pid_t pid : children_of(keeper_pid())) {
      if (!proc_file(pid, "cmdline").contains("line_writer")) continue;
      const std::string stat = proc_file(pid, "stat");
      std::istringstream fields(stat.substr(stat.rfind(')') + 1));
      std::string field;
      for (int i = 3; i <= 22; ++i) fields >> field;
      found[pid] = field;
    }
    return found;
  }

  // Terminals that exit with codes of their own within the next half second.
  void create_exits(int round) {
    for (int i = 0; i < kExits; ++i) {
      const std::string id = "x" + std::to_string(round) + "-" + std::to_string(i);
      const int code = 1 + (round * kExits + i) % 250;
      create(id, {"/bin/sh", "-c",
                  "sleep 0." + std::to_string(100 + random_below(400)) + "; exit " +
                      std::to_string(code)});
      expected_codes_[id] = code;
    }
  }

  void expect_exit_codes() {
    std::map<std::string, int> codes;
    EXPECT_TRUE(eventually([&] {
      codes.clear();
      const auto client = compatible();
      client->send(message("list_sessions"));
      const auto list = client->expect([](const json::object& answer) {
        return answer.at("type").as_string() == "session_list";
      });
      for (const auto& each : list.at("data").as_object().at("sessions").as_array())
        if (each.as_object().contains("exitCode"))
          codes[std::string(each.as_object().at("sessionId").as_string())] =
              each.as_object().at("exitCode").to_number<int>();
      return codes.size() >= expected_codes_.size();
    }));
    EXPECT_EQ(codes, expected_codes_);
  }

  std::map<std::string, int> expected_codes_;
};

TEST_F(UpgradeLoadTest, NothingIsLostNobodyIsRefused) {
  start();
  for (int i = 0; i < terminals_; ++i) create(name(i), {LINE_WRITER, "0", "200"});
  const auto before = writers();
  ASSERT_EQ(before.size(), static_cast<std::size_t>(terminals_));
  const pid_t daemon = daemon_pid();
  const pid_t keeper = keeper_pid();
  std::vector<std::unique_ptr<Worker>> workers;
  for (int i = 0; i < clients_; ++i) {
    const Wire wire = i % 2 == 0 ? Wire::compatible : Wire::native;
    workers.push_back(
        std::make_unique<Worker>(name(i), wire, [this, wire] { return connect(wire); }));
  }
  std::map<int, Continuity> unwatched;
  Visitor visitor(port());
  std::vector<double> durations;
  for (int round = 0; round < upgrades_ && !HasFailure(); ++round) {
    create_exits(round);
    const auto began = Clock::now();
    const auto upgraded = run_program(round % 2 == 0 ? kNextProgram : kDaemonProgram, {"upgrade"});
    durations.push_back(std::chrono::duration<double, std::milli>(Clock::now() - began).count());
    ASSERT_EQ(upgraded.status, 0) << upgraded.output;
    EXPECT_TRUE(eventually([&] {
      return std::ranges::all_of(workers,
                                 [&](const auto& worker) { return worker->times_back() > round; });
    })) << "after "
        << round;
    EXPECT_EQ(writers(), before);
    EXPECT_EQ(keeper_pid(), keeper);
    EXPECT_TRUE(exists(daemon));
    for (int i = clients_; i < terminals_; ++i) unwatched[i].look(*look_at(name(i)));
  }
  visitor.stop();
  expect_exit_codes();
  std::vector<double> away;
  std::uint64_t lines = 0;
  for (const auto& worker : workers) {
    worker->stop();
    EXPECT_EQ(worker->continuity().problem(), "");
    EXPECT_EQ(worker->codes(), (std::map<int, int>{{1012, upgrades_}}));
    EXPECT_EQ(worker->resumed(), upgrades_) << "it goes on where it was";
    EXPECT_EQ(worker->refused(), 0);
    away.insert(away.end(), worker->away().begin(), worker->away().end());
    lines += worker->continuity().lines();
  }
  for (const auto& [terminal, continuity] : unwatched)
    EXPECT_EQ(continuity.problem(), "") << name(terminal);
  EXPECT_EQ(visitor.refused(), 0);
  EXPECT_GT(visitor.served(), 0);
  std::printf(
      "%d upgrades of daemon and keeper, %d terminals, %d clients, %llu lines seen by them\n"
      "a client is away, ms: p50 %.0f, p99 %.0f, longest %.0f\n"
      "the command takes, ms: p50 %.0f, longest %.0f\n"
      "visits: %d served, %d broken off, %d refused\n",
      upgrades_, terminals_, clients_, static_cast<unsigned long long>(lines),
      percentile(away, 0.5), percentile(away, 0.99), percentile(away, 1),
      percentile(durations, 0.5), percentile(durations, 1), visitor.served(), visitor.broken(),
      visitor.refused());
}

}  // namespace
}  // namespace e2e
