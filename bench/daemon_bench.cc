// Compares the daemon with a floor and with its peers, in one run. Contestants take turns and are
// compared within a round, because machines differ and are noisy.
//
//   daemon_bench [--only=NAME] [throughput|echo|quiet|reattach|memory]…
//
// NAME is part of a contestant's name. The bare PTY and the floor always take part.

#include <atomic>
#include <cstdio>
#include <exception>
#include <map>
#include <set>
#include <span>
#include <thread>

#include "bench/contestant.h"
#include "bench/figures.h"
#include "bench/holdfast_contestant.h"

namespace bench {
namespace {

constexpr int kRounds = 5;
constexpr int kMegabytes = 100;
constexpr int kKeys = 400;
constexpr int kIdle = 100;
// Below the daemon's limit of 1,000 messages a second, and long enough that every side sleeps in
// between.
constexpr std::chrono::milliseconds kPause{1};

using Contestants = std::vector<std::unique_ptr<Contestant>>;
using Protocol = Holdfast::Protocol;
using Values = std::map<std::string, std::vector<double>>;

double cpu_of(const Contestant& contestant, const Session& session) {
  return cpu_seconds(contestant.processes()) + cpu_seconds(session.processes());
}

Values ratios(const Values& values, const std::string& to) {
  Values result;
  for (const auto& [name, each] : values)
    for (std::size_t i = 0; i < each.size(); ++i)
      result[name].push_back(each[i] / values.at(to)[i]);
  return result;
}

bool is_holdfast(const std::string& name) {
  return name.starts_with("Holdfast");
}

// --- throughput

struct Flood {
  double seconds = 0;
  double cpu = 0;
  std::uint64_t received = 0;
  std::uint64_t skipped = 0;  // Output replaced by a snapshot.
  int resyncs = 0;
};

Flood flood(Contestant& contestant) {
  const auto session = contestant.open();
  Flood result;
  std::uint64_t reached = 0;
  const double cpu = cpu_of(contestant, *session);
  const auto start = Clock::now();
  session->type(std::to_string(kMegabytes) + "F");
  for (bool ended = false; !ended;) {
    const Session::Piece piece = session->receive();
    result.received += piece.bytes.size();
    if (piece.is_snapshot) {
      ++result.resyncs;
      result.skipped += piece.offset - reached;
    }
    reached = piece.offset;
    ended = piece.bytes.find('~') != std::string_view::npos;
  }
  result.seconds = seconds_since(start);
  result.cpu = cpu_of(contestant, *session) - cpu;
  return result;
}

double goal_of_throughput(const std::string& name) {
  return name == "Holdfast compatible" ? 0.8 : 0.9;
}

void throughput(const Contestants& contestants) {
  Values rate, cpu, got, resyncs, skipped;
  for (int round = 0; round < kRounds; ++round)
    for (const auto& contestant : contestants) {
      const Flood result = flood(*contestant);
      rate[contestant->name()].push_back(kMegabytes / result.seconds);
      cpu[contestant->name()].push_back(1000 * result.cpu / kMegabytes);
      got[contestant->name()].push_back(1e-6 * static_cast<double>(result.received));
      resyncs[contestant->name()].push_back(result.resyncs);
      skipped[contestant->name()].push_back(1e-6 * static_cast<double>(result.skipped));
    }
  const Values to_bare = ratios(rate, "bare PTY"), to_floor = ratios(rate, "floor"),
               cpu_to_floor = ratios(cpu, "floor");
  std::vector<std::vector<std::string>> rows{{"", "MB/s", "to bare PTY", "to floor", "goal",
                                              "client got MB", "resyncs, MB skipped",
                                              "server CPU ms/MB", "to floor", "goal"}};
  for (const auto& contestant : contestants) {
    const std::string& name = contestant->name();
    const bool ours = is_holdfast(name);
    rows.push_back(
        {name, number(median(rate[name]), 1), number(median(to_bare.at(name)), 2),
         spread(to_floor.at(name), 2),
         ours ? at_least(goal_of_throughput(name), median(to_floor.at(name))) : "",
         number(median(got[name]), 1),
         ours ? number(median(resyncs[name]), 0) + ", " + number(median(skipped[name]), 1) : "-",
         median(cpu[name]) > 0 ? number(median(cpu[name]), 2) : "-",
         median(cpu[name]) > 0 ? spread(cpu_to_floor.at(name), 2) : "-",
         ours ? at_most(1.7, median(cpu_to_floor.at(name))) : ""});
  }
  print_table("Throughput: " + std::to_string(kMegabytes) +
                  " MB of a build's log to a client that drains it, " + std::to_string(kRounds) +
                  " rounds; medians (smallest to largest)",
              rows);
}

// --- echo

std::vector<double> echo_times(Session& session, int keys) {
  std::vector<double> times;
  for (int i = 0; i < keys; ++i) {
    std::this_thread::sleep_for(kPause);
    const auto start = Clock::now();
    session.type("#");
    session.wait_for("#");
    times.push_back(1e6 * seconds_since(start));
  }
  return times;
}

void echo(const Contestants& contestants) {
  Values p50, p99, cpu;
  for (int round = 0; round < kRounds; ++round)
    for (const auto& contestant : contestants) {
      const auto session = contestant->open();
      (void)echo_times(*session, 20);
      const double before = cpu_of(*contestant, *session);
      const auto times = echo_times(*session, kKeys);
      cpu[contestant->name()].push_back(1e6 * (cpu_of(*contestant, *session) - before) / kKeys);
      p50[contestant->name()].push_back(quantile(times, 0.5));
      p99[contestant->name()].push_back(quantile(times, 0.99));
    }
  const Values p50_ratio = ratios(p50, "floor"), p99_ratio = ratios(p99, "floor");
  std::vector<std::vector<std::string>> rows{
      {"", "p50 us", "to floor", "goal", "p99 us", "to floor", "goal", "server CPU us/key"}};
  for (const auto& contestant : contestants) {
    const std::string& name = contestant->name();
    const bool ours = is_holdfast(name);
    rows.push_back({name, number(median(p50[name]), 0), spread(p50_ratio.at(name), 2),
                    ours ? at_most(1.3, median(p50_ratio.at(name))) : "",
                    number(median(p99[name]), 0), spread(p99_ratio.at(name), 2),
                    ours ? at_most(1.5, median(p99_ratio.at(name))) : "",
                    median(cpu[name]) > 0 ? number(median(cpu[name]), 1) : "-"});
  }
  print_table("Echo of a keystroke by a program in raw mode, " + std::to_string(kRounds) +
                  " rounds of " + std::to_string(kKeys) + " keys",
              rows);
}

// --- a quiet terminal beside a flood

// Keeps a terminal flooding and its client draining until destroyed.
class Flooding {
 public:
  explicit Flooding(Contestant& contestant) : session_(contestant.open()) {
    session_->type("100000F");
    drain_ = std::thread([this] {
      while (!stop_) (void)session_->receive();
    });
  }
  ~Flooding() {
    stop_ = true;
    drain_.join();
  }
  Flooding(const Flooding&) = delete;
  Flooding& operator=(const Flooding&) = delete;

 private:
  std::unique_ptr<Session> session_;
  std::atomic<bool> stop_ = false;
  std::thread drain_;
};

void quiet(const Contestants& contestants) {
  Values p50, p99;
  std::vector<std::vector<std::string>> rows{{"", "p50 us", "p99 us", "goal"}};
  for (int round = 0; round < kRounds; ++round)
    for (const auto& contestant : contestants) {
      const auto session = contestant->open();
      const Flooding beside(*contestant);
      const auto times = echo_times(*session, kKeys);
      p50[contestant->name()].push_back(quantile(times, 0.5));
      p99[contestant->name()].push_back(quantile(times, 0.99));
    }
  for (const auto& contestant : contestants) {
    const std::string& name = contestant->name();
    rows.push_back({name, spread(p50[name], 0), spread(p99[name], 0),
                    is_holdfast(name) ? at_most(5000, median(p99[name])) : ""});
  }
  print_table("Echo in a quiet terminal while another floods a client that drains it", rows);
}

// --- reattach

struct Arrival {
  double milliseconds = 0;
  double kib = 0;
};

// On an open connection.
Arrival reattach(Holdfast& holdfast, Protocol protocol, const std::string& id, std::uint64_t end,
                 std::optional<std::uint64_t> since) {
  Arrival result;
  const auto session = holdfast.attach(protocol, id, since);
  const auto start = holdfast.attach_sent();
  for (std::uint64_t reached = 0; reached < end;) {
    const Session::Piece piece = session->receive();
    reached = piece.offset;
    result.kib += static_cast<double>(piece.bytes.size()) / 1024;
  }
  result.milliseconds = 1000 * seconds_since(start);
  return result;
}

void reattaching(Holdfast& holdfast) {
  const std::string id = holdfast.create();
  const auto writer = holdfast.attach(Protocol::lossless, id);
  writer->wait_for("READY");
  writer->type("1F");
  Session::Piece last;
  do last = writer->receive();
  while (last.bytes.find('~') == std::string_view::npos);
  const std::uint64_t end = last.offset;
  std::vector<std::vector<std::string>> rows{{"", "ms", "KiB", "goal"}};
  for (const auto protocol : {Protocol::native, Protocol::compatible})
    for (const bool resumes : {false, true}) {
      std::vector<double> times, sizes;
      for (int i = 0; i < 50; ++i) {
        const auto since = resumes ? std::optional(end - 256 * 1024) : std::nullopt;
        const Arrival arrival = reattach(holdfast, protocol, id, end, since);
        times.push_back(arrival.milliseconds);
        sizes.push_back(arrival.kib);
      }
      rows.push_back({std::string(protocol == Protocol::native ? "native" : "compatible") +
                          (resumes ? ", the last 256 KiB" : ", a snapshot"),
                      spread(times, 2), number(median(sizes), 0), at_most(2.5, median(times))});
    }
  holdfast.close(id);
  print_table(
      "Reattaching after 1 MB of output: from the request to the last byte of the scrollback, 50 "
      "times",
      rows);
}

// --- memory

void memory(const Contestants& contestants, Holdfast& holdfast) {
  std::vector<std::vector<std::string>> rows{{"", "own KiB", "goal", "shared KiB"}};
  const auto row = [&](const std::string& name, pid_t pid, double own, double shared,
                       bool has_goal) {
    own = (status_kib(pid, "RssAnon") - own) / kIdle;
    shared = (status_kib(pid, "RssShmem") - shared) / kIdle;
    rows.push_back({name, number(own, 1), has_goal ? at_most(12, own) : "", number(shared, 1)});
  };
  const pid_t daemon = holdfast.daemon(), keeper = holdfast.keeper();
  const double daemon_own = status_kib(daemon, "RssAnon"),
               daemon_shared = status_kib(daemon, "RssShmem");
  const double keeper_own = status_kib(keeper, "RssAnon"),
               keeper_shared = status_kib(keeper, "RssShmem");
  std::vector<std::string> ids;
  for (int i = 0; i < kIdle; ++i) {
    ids.push_back(holdfast.create());
    holdfast.attach(Protocol::native, ids.back())->wait_for("READY");
  }
  row("Holdfast's daemon", daemon, daemon_own, daemon_shared, true);
  row("Holdfast's keeper", keeper, keeper_own, keeper_shared, false);
  for (const std::string& id : ids) holdfast.close(id);
  for (const auto& contestant : contestants) {
    if (is_holdfast(contestant->name()) || contestant->processes().size() != 1) continue;
    const pid_t pid = contestant->processes().front();
    const double own = status_kib(pid, "RssAnon"), shared = status_kib(pid, "RssShmem");
    std::vector<std::unique_ptr<Session>> sessions;
    for (int i = 0; i < kIdle; ++i) sessions.push_back(contestant->open());
    row(contestant->name() + ", with a connection", pid, own, shared, false);
  }
  print_table("Memory of one idle terminal, over " + std::to_string(kIdle) +
                  " (the shared pages are the same ones in keeper and daemon)",
              rows);
}

// ---

Contestants all(Holdfast& holdfast, const std::string& only) {
  Contestants result;
  const auto add = [&](std::unique_ptr<Contestant> contestant) {
    if (!contestant) return;
    const bool is_scale = result.size() < 2;  // The bare PTY and the floor.
    if (is_scale || contestant->name().find(only) != std::string::npos)
      result.push_back(std::move(contestant));
  };
  add(bare_terminal());
  add(floor_server());
  for (const auto protocol : {Protocol::native, Protocol::lossless, Protocol::compatible})
    add(holdfast.speaking(protocol));
  add(attach_command(holdfast));
  add(node_server(Form::binary));
  add(node_server(Form::json));
  add(tmux());
  add(dtach());
  return result;
}

void run(const std::set<std::string>& chosen, const std::string& only) {
  const auto wanted = [&](const char* name) { return chosen.empty() || chosen.contains(name); };
  Holdfast holdfast;
  const Contestants contestants = all(holdfast, only);
  if (wanted("memory")) memory(contestants, holdfast);
  if (wanted("throughput")) throughput(contestants);
  if (wanted("echo")) echo(contestants);
  if (wanted("quiet")) quiet(contestants);
  if (wanted("reattach")) reattaching(holdfast);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  std::set<std::string> chosen;
  std::string only;
  for (const std::string_view argument :
       std::span(argv, static_cast<std::size_t>(argc)).subspan(1)) {
    if (argument.starts_with("--only="))
      only = argument.substr(7);
    else if (!argument.starts_with("-"))  // Other options are for the other benchmarks.
      chosen.emplace(argument);
  }
  try {
    bench::run(chosen, only);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "daemon_bench: %s\n", error.what());
    return 1;
  }
}
