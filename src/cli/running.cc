#include "cli/running.h"

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cmath>
#include <ctime>
#include <fstream>

#include <boost/json.hpp>

#include "base/process.h"
#include "daemon/control_connection.h"
#include "keeper_client/ask.h"
#include "keeper_protocol/runtime_dir.h"

namespace cli {
namespace {

namespace json = boost::json;
using std::chrono::seconds;

constexpr seconds kPatience{5};

seconds uptime_of(std::uint64_t pid) {
  const auto stat = base::stat_of(static_cast<pid_t>(pid));
  timespec now{};
  if (!stat || ::clock_gettime(CLOCK_BOOTTIME, &now) != 0) return seconds(0);
  long long ticks = 0;
  std::from_chars(stat->started.data(), stat->started.data() + stat->started.size(), ticks);
  return seconds(now.tv_sec - ticks / ::sysconf(_SC_CLK_TCK));
}

std::uint64_t memory_of(std::uint64_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/statm");
  std::uint64_t total = 0;
  std::uint64_t resident = 0;
  file >> total >> resident;
  return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

RunningProcess process_of(std::uint64_t pid, std::string version) {
  return {.pid = pid,
          .version = std::move(version),
          .uptime = uptime_of(pid),
          .memory = memory_of(pid)};
}

base::Result<json::object> ask_daemon(const std::filesystem::path& runtime_dir) {
  auto socket = keeper::RuntimeDir::connect_in(runtime_dir, "control.sock", SOCK_STREAM);
  if (!socket) return base::fail(socket.error());
  holdfast::ControlConnection daemon(std::move(*socket));
  if (auto sent = daemon.send({{"ask", "status"}}); !sent) return base::fail(sent.error());
  return daemon.receive(kPatience);
}

}  // namespace

base::Result<Running> what_runs(const config::Config& config) {
  const auto holding = keeper::ask_holding(config.runtime_dir);
  if (!holding && holding.error().code == base::Code::unavailable) return Running{};
  if (!holding) return base::fail(holding.error());
  Running running;
  const keeper::Message& keeper = holding->keeper;
  running.keeper = process_of(keeper.number_or(keeper::Field::pid, 0),
                              std::string(keeper.text(keeper::Field::version)));
  running.terminals = keeper::running_terminals(*holding).size();
  const auto owner = keeper.number(keeper::Field::owner);
  if (!owner) return running;
  running.daemon = process_of(*owner, "");
  // One that does not answer runs all the same.
  if (const auto said = ask_daemon(config.runtime_dir)) {
    running.daemon->version = holdfast::text_in(*said, "version");
    running.sessions = holdfast::count_in(*said, "sessions");
    running.connections = holdfast::count_in(*said, "connections");
    running.viewers = holdfast::count_in(*said, "viewers");
  }
  return running;
}

std::string count_of(std::size_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

std::string in_words(seconds time) {
  struct Unit {
    long long seconds;
    const char* name;
  };
  static constexpr std::array<Unit, 4> kUnits{{{86'400, "d"}, {3600, "h"}, {60, "min"}, {1, "s"}}};
  long long left = time.count();
  for (std::size_t i = 0; i < kUnits.size(); ++i) {
    if (left < kUnits[i].seconds && i + 1 < kUnits.size()) continue;
    std::string words = std::to_string(left / kUnits[i].seconds) + " " + kUnits[i].name;
    left %= kUnits[i].seconds;
    if (i + 1 < kUnits.size())
      words += " " + std::to_string(left / kUnits[i + 1].seconds) + " " + kUnits[i + 1].name;
    return words;
  }
  return "";
}

std::string in_bytes(std::uint64_t bytes) {
  static constexpr std::array<const char*, 5> kUnits{"B", "kB", "MB", "GB", "TB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; value >= 999.95 && unit + 1 < kUnits.size(); ++unit) value /= 1000;
  std::string text = std::to_string(std::llround(value * 10));
  if (unit == 0) return std::to_string(bytes) + " B";
  if (text.size() < 2) text.insert(0, "0");
  return text.insert(text.size() - 1, ".") + " " + kUnits[unit];
}

}  // namespace cli
