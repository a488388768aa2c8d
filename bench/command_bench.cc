// What scripts and people notice of the command line and the HTTP API: how long a command takes
// beside the same one of tmux, how long a capture takes, and how soon a wait ends after the byte it
// waits for was printed.
//
//   command_bench [start|capture|wait]…

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <future>
#include <set>
#include <span>
#include <stdexcept>

#include "base/fd.h"
#include "base/test_temp_dir.h"
#include "bench/figures.h"
#include "end_to_end/daemon_fixture.h"

namespace bench {
namespace {

constexpr int kTerminals = 10;
constexpr int kRuns = 100;
constexpr int kWaits = 1000;

using Values = std::vector<double>;

class Holdfast final : private e2e::DaemonTest {
 public:
  Holdfast() {
    SetUp();
    start();
    for (int i = 0; i < kTerminals; ++i) command({"new", "-d", "-n", name(i), "--", "/bin/cat"});
  }
  ~Holdfast() override { TearDown(); }

  static std::string name(int i) { return "t" + std::to_string(i); }

  void command(const std::vector<std::string>& arguments) {
    const auto outcome = run(arguments);
    if (outcome.status != 0) throw std::runtime_error(outcome.output);
  }
  [[nodiscard]] e2e::HttpResponse ask(const std::string& method, const std::string& target,
                                      const std::string& body = {}) const {
    auto headers = e2e::bearer(token());
    if (!body.empty()) headers.emplace_back("Content-Type", "application/json");
    auto response = e2e::http_request(port(), method, target, headers, body);
    if (response.status / 100 != 2) throw std::runtime_error(response.body);
    return response;
  }
  // How many requests wait for something.
  [[nodiscard]] int waiting() const {
    const std::string metrics = ask("GET", "/metrics").body;
    const std::string_view line = "\nholdfast_waiting_requests ";
    const auto found = metrics.find(line);
    if (found == std::string::npos) throw std::runtime_error("no such metric");
    return std::atoi(metrics.c_str() + found + line.size());
  }
  // The terminal as its programs have it.
  [[nodiscard]] base::Fd tty_of(const std::string& terminal) const {
    const auto info = e2e::json::parse(ask("GET", "/api/v1/terminals/" + terminal).body);
    const std::string mark =
        "HOLDFAST_TERMINAL=" + std::string(info.as_object().at("terminalId").as_string());
    for (const pid_t pid : e2e::children_of(keeper_pid()))
      if (e2e::proc_file(pid, "environ").find(mark + '\0') != std::string::npos)
        return base::Fd(
            ::open(("/proc/" + std::to_string(pid) + "/fd/0").c_str(), O_RDWR | O_NOCTTY));
    throw std::runtime_error("no process runs in " + terminal);
  }

 private:
  void TestBody() override {}
};

// With sessions of its own, each with the same program. Nothing if it is not installed.
class Tmux {
 public:
  Tmux() {
    for (int i = 0; i < kTerminals; ++i)
      command({"-f", "/dev/null", "new-session", "-d", "-s", Holdfast::name(i), "/bin/cat"});
  }
  ~Tmux() { command({"kill-server"}); }
  Tmux(const Tmux&) = delete;
  Tmux& operator=(const Tmux&) = delete;

  static bool is_installed() { return std::filesystem::exists("/usr/bin/tmux"); }
  void command(const std::vector<std::string>& arguments) {
    std::vector<std::string> argv{"/usr/bin/tmux", "-S", dir_ / "socket"};
    argv.insert(argv.end(), arguments.begin(), arguments.end());
    e2e::Process process(argv, {"TERM=xterm-256color"});
    if (const auto outcome = process.wait(); outcome.status != 0)
      throw std::runtime_error(outcome.output);
  }

 private:
  base::TempDir dir_;
};

template <class Work>
double milliseconds_of(const Work& work) {
  const auto start = Clock::now();
  work();
  return 1000 * seconds_since(start);
}

// From starting the program to its end.
void starting(Holdfast& holdfast) {
  if (!Tmux::is_installed()) {
    std::fprintf(stderr, "tmux is not installed\n");
    return;
  }
  Tmux tmux;
  Values ours, theirs, ratios, captures, their_captures;
  for (int i = 0; i < kRuns; ++i) {
    ours.push_back(milliseconds_of([&] { holdfast.command({"ls"}); }));
    theirs.push_back(milliseconds_of([&] { tmux.command({"ls"}); }));
    captures.push_back(milliseconds_of([&] { holdfast.command({"capture", "t0"}); }));
    their_captures.push_back(
        milliseconds_of([&] { tmux.command({"capture-pane", "-p", "-t", "t0"}); }));
  }
  const auto row = [](const char* name, const Values& mine, const Values& other) {
    const double ratio = median(mine) / median(other);
    return std::vector<std::string>{name,
                                    number(median(mine), 2),
                                    number(quantile(mine, 0.99), 2),
                                    number(median(other), 2),
                                    number(quantile(other, 0.99), 2),
                                    number(ratio, 2),
                                    at_most(1.5, ratio)};
  };
  print_table("Commands, from start to end, with " + std::to_string(kTerminals) + " terminals each",
              {{"", "holdfast p50 ms", "p99", "tmux p50 ms", "p99", "ratio", "goal"},
               row("ls", ours, theirs),
               row("capture", captures, their_captures)});
}

// A screen full of coloured text, asked for over a new connection each time.
void capturing(Holdfast& holdfast) {
  const base::Fd tty = holdfast.tty_of("t1");
  std::string screen;
  for (int row = 0; row < 24; ++row)
    for (int column = 0; column < 80; ++column)
      screen += "\x1b[38;5;" + std::to_string((row + column) % 256) + "m" +
                static_cast<char>('a' + (row + column) % 26);
  screen += "\x1b[mDONE\r\n";
  if (::write(tty.get(), screen.data(), screen.size()) != static_cast<ssize_t>(screen.size()))
    throw std::runtime_error("the terminal does not take the text");
  (void)holdfast.ask("GET", "/api/v1/terminals/t1/wait?text=DONE&since=0");
  std::vector<std::vector<std::string>> rows{{"", "p50 ms", "p99 ms", "goal"}};
  for (const std::string format : {"text", "ansi", "json", "html", "svg"}) {
    Values times;
    for (int i = 0; i < kRuns; ++i)
      times.push_back(milliseconds_of(
          [&] { (void)holdfast.ask("GET", "/api/v1/terminals/t1/capture?format=" + format); }));
    rows.push_back({format, number(median(times), 2), number(quantile(times, 0.99), 2),
                    at_most(2, median(times))});
  }
  print_table("Capture of a full screen of 80x24 cells, over a new connection", rows);
}

// From the byte's arrival to the answer.
void waiting(Holdfast& holdfast) {
  const base::Fd tty = holdfast.tty_of("t2");
  Values times;
  for (int i = 0; i < kWaits; ++i) {
    const std::string mark = "mark" + std::to_string(i) + ";";
    auto answered = std::async(std::launch::async, [&] {
      (void)holdfast.ask("GET", "/api/v1/terminals/t2/wait?text=" + mark);
      return Clock::now();
    });
    while (holdfast.waiting() == 0) {
    }
    const auto printed = Clock::now();
    if (::write(tty.get(), mark.data(), mark.size()) < 0) throw std::runtime_error("write");
    const std::chrono::duration<double, std::milli> time = answered.get() - printed;
    times.push_back(time.count());
  }
  print_table("A wait ends after its text was printed, " + std::to_string(kWaits) + " times",
              {{"p50 ms", "p99 ms", "goal"},
               {number(median(times), 3), number(quantile(times, 0.99), 3),
                at_most(2, quantile(times, 0.99))}});
}

void run(const std::set<std::string>& chosen) {
  const auto wanted = [&](const char* name) { return chosen.empty() || chosen.contains(name); };
  Holdfast holdfast;
  if (wanted("start")) starting(holdfast);
  if (wanted("capture")) capturing(holdfast);
  if (wanted("wait")) waiting(holdfast);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  std::set<std::string> chosen;
  for (const std::string_view argument : std::span(argv, static_cast<std::size_t>(argc)).subspan(1))
    if (!argument.starts_with("-")) chosen.emplace(argument);
  try {
    bench::run(chosen);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "command_bench: %s\n", error.what());
    return 1;
  }
}
