// Compares the keeper with a bare read loop, in one run: throughput, CPU, wake-up latency, memory,
// time to spawn.

#include <benchmark/benchmark.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <optional>
#include <sstream>
#include <thread>

#include "base/test_temp_dir.h"
#include "bench/bare_pty.h"
#include "end_to_end/keeper_fixture.h"
#include "programs/sleeper.h"

namespace bench {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::uint64_t kBytes = 100'000'000;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// User and system time of this process, or of another from /proc.
double own_cpu() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto in_seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return in_seconds(usage.ru_utime) + in_seconds(usage.ru_stime);
}

double cpu_of(pid_t pid) {
  const std::string stat = e2e::proc_file(pid, "stat");
  std::istringstream fields(stat.substr(stat.rfind(')') + 1));
  std::string skipped;
  for (int field = 3; field < 14; ++field) fields >> skipped;
  double user = 0, system = 0;
  fields >> user >> system;
  return (user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

// A fresh keeper, with this process as its daemon.
class Stand {
 public:
  Stand() {
    keeper_.emplace(std::vector<std::string>{e2e::kKeeperProgram, "--runtime-dir", dir_.path()});
    if (!e2e::eventually([this] { return keeper::connect_to_keeper(dir_.path()).has_value(); }))
      throw std::runtime_error("no keeper");
    client_.emplace(dir_.path());
    if (!client_->start()) throw std::runtime_error("not granted");
  }
  ~Stand() {
    client_.reset();
    keeper_->signal(SIGTERM);
    keeper_->wait();
  }
  e2e::Client& client() { return *client_; }
  [[nodiscard]] pid_t keeper_pid() const { return keeper_->pid(); }

 private:
  base::TempDir dir_;
  std::optional<e2e::Process> keeper_;
  std::optional<e2e::Client> client_;
};

void consume_to_end(journal::Consumer& journal) {
  const Sleeper sleeper(journal.data_fd());
  for (;;) {
    const auto produced = journal.produced();
    if (!journal.advance(produced)) throw std::runtime_error("advance");
    if (journal.ended() && produced == journal.produced()) return;
    if (journal.sleep(produced)) sleeper.wait();
  }
}

struct Cost {
  double seconds = 0;
  double cpu = 0;
};

Cost bare_loop(const std::vector<std::string>& writer) {
  const double cpu = own_cpu();
  const auto start = Clock::now();
  const auto total = read_to_end(start_on_pty(writer));
  if (total != kBytes) throw std::runtime_error("the bare loop lost bytes");
  return {.seconds = seconds_since(start), .cpu = own_cpu() - cpu};
}

Cost through_keeper(Stand& stand, const std::vector<std::string>& writer, const std::string& id) {
  const double cpu = own_cpu() + cpu_of(stand.keeper_pid());
  const auto start = Clock::now();
  auto child = stand.client().spawn(id, writer);
  if (!child) throw std::runtime_error(child.error().message());
  consume_to_end(child->journal);
  const Cost cost{.seconds = seconds_since(start),
                  .cpu = own_cpu() + cpu_of(stand.keeper_pid()) - cpu};
  if (child->journal.consumed() != kBytes) throw std::runtime_error("the keeper lost bytes");
  if (!stand.client().close(id)) throw std::runtime_error("close");
  return cost;
}

// 100 MB from a program through a PTY, read by a bare loop, and by the keeper into a journal that
// another process consumes. The runs alternate and are compared in pairs.
void throughput(benchmark::State& state) {
  Stand stand;
  const std::vector<std::string> writer{SEQUENCE_WRITER, std::to_string(kBytes)};
  std::vector<double> ratios, bare_rate, keeper_rate, bare_cpu, keeper_cpu;
  int round = 0;
  for (auto _ : state) {
    const Cost bare = bare_loop(writer);
    const Cost kept = through_keeper(stand, writer, "t" + std::to_string(round++));
    ratios.push_back(bare.seconds / kept.seconds);
    bare_rate.push_back(1e-6 * kBytes / bare.seconds);
    keeper_rate.push_back(1e-6 * kBytes / kept.seconds);
    bare_cpu.push_back(bare.cpu);
    keeper_cpu.push_back(kept.cpu);
    state.SetIterationTime(kept.seconds);
  }
  state.counters["ratio_to_bare"] = median(ratios);
  state.counters["bare_MBps"] = median(bare_rate);
  state.counters["keeper_MBps"] = median(keeper_rate);
  state.counters["bare_cpu_s"] = median(bare_cpu);
  state.counters["keeper_cpu_s"] = median(keeper_cpu);
}
BENCHMARK(throughput)->Iterations(9)->UseManualTime()->Unit(benchmark::kMillisecond);

// The time from writing a keystroke to seeing its echo, with a bare read and with the keeper.
template <class Type, class See>
std::vector<double> echo_times(int count, Type type, See see) {
  std::vector<double> times;
  for (int i = 0; i < count; ++i) {
    // Paced, so that every side sleeps before the next key, as with a person.
    std::this_thread::sleep_for(std::chrono::microseconds(300));
    const auto start = Clock::now();
    type();
    see();
    times.push_back(1e6 * seconds_since(start));
  }
  std::sort(times.begin(), times.end());
  return times;
}

void wake_up(benchmark::State& state) {
  constexpr int kCount =
      2000;  // The terminal itself echoes them, as one line, which may have 4095.
  Stand stand;
  const BarePty pty = start_on_pty({"/bin/cat"});
  auto child = stand.client().spawn("echo", {"/bin/cat"});
  if (!child) throw std::runtime_error(child.error().message());
  journal::Consumer& journal = child->journal;
  const Sleeper sleeper(journal.data_fd());
  std::vector<double> bare, kept;
  for (auto _ : state) {
    char buffer[16];
    bare = echo_times(
        kCount, [&] { (void)!::write(pty.master.get(), "x", 1); },
        [&] { (void)!::read(pty.master.get(), buffer, sizeof buffer); });
    // The terminal echoes the letter. End the line now and then to keep cat's buffer short.
    kept = echo_times(
        kCount, [&] { (void)!::write(child->input.get(), "x", 1); },
        [&] {
          while (journal.sleep(journal.consumed())) sleeper.wait();
          if (!journal.advance(journal.produced())) throw std::runtime_error("advance");
        });
  }
  state.counters["bare_p50_us"] = bare[kCount / 2];
  state.counters["bare_p99_us"] = bare[kCount * 99 / 100];
  state.counters["keeper_p50_us"] = kept[kCount / 2];
  state.counters["keeper_p99_us"] = kept[kCount * 99 / 100];
}
BENCHMARK(wake_up)->Iterations(1)->Unit(benchmark::kMillisecond);

void spawn_time(benchmark::State& state) {
  Stand stand;
  int number = 0;
  for (auto _ : state) {
    const std::string id = "t" + std::to_string(number++);
    const auto start = Clock::now();
    auto child = stand.client().spawn(id, {"/bin/true"});
    state.SetIterationTime(seconds_since(start));
    if (!child) throw std::runtime_error(child.error().message());
    if (!stand.client().close(id)) throw std::runtime_error("close");
  }
}
BENCHMARK(spawn_time)->Iterations(300)->UseManualTime()->Unit(benchmark::kMicrosecond);

std::uint64_t status_kib(pid_t pid, const std::string& name) {
  const std::string status = e2e::proc_file(pid, "status");
  return std::stoull(status.substr(status.find(name + ":") + name.size() + 1));
}

// What one more idle terminal costs, with 500 shells at their prompts: the keeper's own memory, and
// the touched pages of the journal. Journal pages that the keeper has mapped count once, as the
// journal's.
void idle_memory(benchmark::State& state) {
  constexpr int kTerminals = 500;
  Stand stand;
  for (auto _ : state) {
    const auto anonymous = status_kib(stand.keeper_pid(), "RssAnon");
    const auto shared = status_kib(stand.keeper_pid(), "RssShmem");
    double journal_kib = 0;
    std::vector<keeper::AttachedChild> children;
    for (int i = 0; i < kTerminals; ++i) {
      keeper::SpawnRequest request;
      request.id = keeper::ChildId("t" + std::to_string(i));
      request.argv = {"/bin/bash", "--norc", "-i"};
      request.env = {"PS1=ready> "};
      auto child = stand.client().spawn(std::move(request));
      if (!child) throw std::runtime_error(child.error().message());
      children.push_back(std::move(*child));
    }
    for (auto& child : children) (void)e2e::output_until(child, "ready> ");
    // The keeper owns the journals' files; any descriptor of one tells how many pages it has.
    for (const auto& entry : std::filesystem::directory_iterator(
             "/proc/" + std::to_string(stand.keeper_pid()) + "/fd")) {
      std::error_code ignored;
      if (std::filesystem::read_symlink(entry.path(), ignored).native().find("holdfast-journal") ==
          std::string::npos)
        continue;
      struct stat status{};
      if (::stat(entry.path().c_str(), &status) == 0)
        journal_kib += static_cast<double>(status.st_blocks) / 2;
    }
    const double own = static_cast<double>(status_kib(stand.keeper_pid(), "RssAnon") - anonymous);
    state.counters["journal_KiB"] = journal_kib / kTerminals;
    state.counters["keeper_KiB"] = own / kTerminals;
    state.counters["total_KiB"] = (journal_kib + own) / kTerminals;
    state.counters["keeper_mapped_KiB"] =
        static_cast<double>(status_kib(stand.keeper_pid(), "RssShmem") - shared) / kTerminals;
  }
}
BENCHMARK(idle_memory)->Iterations(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace bench

BENCHMARK_MAIN();
