// `holdfast upgrade`: upgrades the running keeper and daemon to the version of this program.

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <optional>
#include <thread>

#include "base/fd.h"
#include "cli/command.h"
#include "config/load.h"
#include "daemon/control_connection.h"
#include "keeper_client/ask.h"
#include "keeper_client/start.h"
#include "keeper_protocol/runtime_dir.h"

namespace cli {
namespace {

namespace json = boost::json;
using holdfast::ControlConnection;
using holdfast::count_in;
using holdfast::error_of;
using holdfast::text_in;
using keeper::Field;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr seconds kTrialTime{15};
constexpr seconds kStartTime{120};
constexpr seconds kKeeperTime{10};
constexpr seconds kComeBackTime{3};
constexpr milliseconds kPause{20};

std::string counted(std::size_t count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

std::string as_number(std::uint64_t value) {
  return std::to_string(value);
}

base::Result<ControlConnection> call_daemon(const std::filesystem::path& runtime_dir,
                                            std::uint64_t pid) {
  auto socket = keeper::RuntimeDir::connect_in(runtime_dir, "control.sock", SOCK_STREAM);
  if (socket) return ControlConnection(std::move(*socket));
  return base::fail(
      socket.error().code,
      "cannot reach the daemon with pid " + as_number(pid) + ": " + socket.error().what,
      "If it is too old to upgrade in place, restart it; the terminals keep running.");
}

// Retries while the keeper is briefly busy: a peer has not read its answers, or a daemon is taking
// over.
base::Result<keeper::Upgraded> upgrade_keeper(const std::filesystem::path& runtime_dir,
                                              const base::Program& program) {
  const auto end = std::chrono::steady_clock::now() + kKeeperTime;
  for (;;) {
    auto upgraded = keeper::ask_upgrade(runtime_dir, program);
    if (upgraded || upgraded.error().code != base::Code::busy ||
        std::chrono::steady_clock::now() > end)
      return upgraded;
    std::this_thread::sleep_for(kPause);
  }
}

class Upgrade {
 public:
  Upgrade(std::filesystem::path runtime_dir, std::filesystem::path program, keeper::Holding before)
      : dir_(std::move(runtime_dir)), program_(std::move(program)), before_(std::move(before)) {}

  base::Status run() {
    const auto owner = before_.keeper.number(Field::owner);
    if (!owner) {
      if (auto upgraded = replace_keeper(); !upgraded) return upgraded;
      return report("No daemon is running; start one with: holdfast serve\n");
    }
    auto daemon = call_daemon(dir_, *owner);
    if (!daemon) return base::fail(daemon.error());
    auto ready = ask(*daemon, {{"ask", "upgrade"}, {"program", program_.native()}}, kTrialTime);
    if (!ready) return base::fail(ready.error());
    if (auto upgraded = replace_keeper(); !upgraded) return upgraded;
    auto serves = ask(*daemon, {{"ask", "go"}}, kStartTime);
    if (!serves) return base::fail(serves.error());
    if (text_in(*serves, "say") == "failed") return undo(*daemon, error_of(*serves));
    const std::string line = "daemon  " + text_in(*ready, "version") + " -> " +
                             text_in(*serves, "version") + ", pid " + as_number(*owner) +
                             " unchanged\n";
    return report(line, count_in(*serves, "sessions"), count_in(*ready, "connections"));
  }

 private:
  static base::Result<json::object> ask(ControlConnection& daemon, const json::object& line,
                                        seconds limit) {
    if (auto sent = daemon.send(line); !sent) return base::fail(sent.error());
    auto answer = daemon.receive(limit);
    if (!answer && answer.error().code == base::Code::not_found)
      return base::fail(base::Code::unavailable,
                        "the daemon died; the terminals keep running in the keeper",
                        "Its log may say why. Start a new one with: holdfast serve");
    if (answer && text_in(*answer, "say") == "error") return base::fail(error_of(*answer));
    return answer;
  }

  base::Status replace_keeper() {
    // An open program can be run again even if its file is replaced. Where opening it is not
    // allowed, the keeper is new enough to hand it over itself.
    const auto pid = before_.keeper.number_or(Field::pid, 0);
    base::Fd running(::open(("/proc/" + as_number(pid) + "/exe").c_str(), O_PATH | O_CLOEXEC));
    const auto program = base::Program::open(keeper::keeper_program());
    if (!program) return base::fail(program.error());
    auto upgraded = upgrade_keeper(dir_, *program);
    if (!upgraded) return base::fail(upgraded.error());
    keeper_ = std::move(upgraded->keeper);
    previous_keeper_ = std::move(upgraded->previous ? upgraded->previous : running);
    return {};
  }

  // The daemon went back to its previous program, so the keeper does too.
  base::Status undo(ControlConnection& daemon, base::Error why) {
    why.what = "the new daemon could not start: " + why.what;
    const auto serves = daemon.receive(kStartTime);
    if (!serves) {
      why.advice =
          "The previous one did not come back either; the terminals keep running in the keeper. "
          "Fix the problem and start a daemon with: holdfast serve";
      return base::fail(std::move(why));
    }
    const auto back = upgrade_keeper(dir_, base::Program::known(std::move(previous_keeper_)));
    why.advice = back ? "The previous version is running again. Fix the problem and try again."
                      : "The previous daemon is running again, but with the new keeper: " +
                            back.error().what;
    return base::fail(std::move(why));
  }

  // Clients reconnect by themselves. Waits a moment and returns how many have.
  std::size_t connections_back(std::size_t wanted) {
    const auto end = std::chrono::steady_clock::now() + kComeBackTime;
    std::size_t back = 0;
    for (;; std::this_thread::sleep_for(kPause)) {
      auto daemon = call_daemon(dir_, 0);
      if (!daemon) return back;
      const auto status = ask(*daemon, {{"ask", "status"}}, kTrialTime);
      if (!status) return back;
      back = count_in(*status, "connections");
      if (back >= wanted || std::chrono::steady_clock::now() > end) return back;
    }
  }

  base::Status report(const std::string& daemon, std::optional<std::size_t> sessions = {},
                      std::size_t connections = 0) {
    const auto after = keeper::ask_holding(dir_);
    if (!after) return base::fail(after.error());
    const auto ran = keeper::running_terminals(before_);
    const auto run = keeper::running_terminals(*after);
    std::vector<std::uint64_t> same;
    std::ranges::set_intersection(ran, run, std::back_inserter(same));
    std::string text = "keeper  " + before_.keeper.text(Field::version) + " -> " +
                       keeper_.text(Field::version) + ", pid " +
                       as_number(keeper_.number_or(Field::pid, 0)) + " unchanged\n" + daemon;
    text += counted(same.size(), "terminal") +
            (sessions ? " in " + counted(*sessions, "session") : "") +
            (same.size() == 1 ? " keeps running" : " keep running");
    if (same.size() < ran.size())
      text += ", " + std::to_string(ran.size() - same.size()) + " ended in the meantime";
    if (sessions)
      text += "; " + std::to_string(std::min(connections_back(connections), connections)) + " of " +
              counted(connections, "connection") + " reconnected";
    std::printf("%s.\n", text.c_str());
    return {};
  }

  std::filesystem::path dir_;
  std::filesystem::path program_;
  keeper::Holding before_;
  keeper::Message keeper_;
  base::Fd previous_keeper_;
};

class UpgradeCommand final : public Command {
 public:
  explicit UpgradeCommand(const Arguments& holdfast);
  base::Result<int> run() override;
};

}  // namespace

UpgradeCommand::UpgradeCommand(const Arguments& holdfast)
    : Command(holdfast, "upgrade",
              "Upgrade the running daemon and keeper to this version; the terminals keep running",
              Where::here) {
  explain(command(), {"holdfast upgrade"});
}

base::Result<int> UpgradeCommand::run() {
  const auto config = config::load({}, config::process_surroundings());
  if (!config) return base::fail(config.error());
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error || ::access(program.c_str(), X_OK) != 0)
    return base::fail(base::Code::not_found, program.native() + " does not exist",
                      "Run the holdfast that is installed now.");
  auto before = keeper::ask_holding(config->runtime_dir);
  if (!before) return base::fail(before.error());
  return exit_status(Upgrade(config->runtime_dir, program, std::move(*before)).run());
}

std::unique_ptr<Command> make_upgrade_command(const Arguments& holdfast) {
  return std::make_unique<UpgradeCommand>(holdfast);
}

}  // namespace cli
