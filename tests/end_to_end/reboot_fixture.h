// What tests of reboots share: the keeper is killed with every terminal, and a daemon starts on the
// same state directory.

#pragma once

#include <signal.h>

#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "end_to_end/protocol_fixture.h"
#include "end_to_end/survival_fixture.h"
#include "session/history_file.h"

namespace e2e {

inline std::optional<session::SavedHistory> history_in(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  auto decoded = session::decode_history(bytes);
  return decoded ? std::optional(*std::move(decoded)) : std::nullopt;
}

class RebootTest : public SurvivalTest {
 protected:
  NativePeer peer(const std::string& token = {}) { return NativePeer(native(token)); }

  [[nodiscard]] std::filesystem::path history_file(const std::string& id) const {
    return state_dir() / "history" / (id + ".rows");
  }
  // Waits until everything that the terminal has printed by now is saved.
  void wait_until_saved(const std::string& id) {
    const auto now = std::chrono::system_clock::now();
    if (!eventually([&] {
          const auto saved = history_in(history_file(id));
          return saved && saved->saved >= now;
        }))
      throw std::runtime_error("the history of " + id + " is not saved: " + log());
  }

  // Makes a terminal that runs a script, and waits until its screen shows `wanted`, saved.
  void make(const std::string& id, const std::string& script, const std::string& wanted,
            vt::Size size = {.cols = 80, .rows = 24}) {
    create(id, {"/bin/sh", "-c", script + "; exec cat"}, size);
    const auto seat = look_at(id, [&](Seat& seat) { return shows(seat, wanted); });
    // A byte more than was saved: what comes after it is saved after it was seen.
    auto typist = peer();
    const auto channel = typist.attach(id);
    typist.type(channel, "\r");
    wait_until_saved(id);
  }
  static bool shows(Seat& seat, const std::string& wanted) {
    const auto lines = seat.mirror().lines();
    return std::ranges::any_of(
        lines, [&](const std::string& line) { return line.find(wanted) != std::string::npos; });
  }

  void kill_keeper() {
    const pid_t keeper = keeper_pid();
    ::kill(keeper, SIGKILL);
    ASSERT_TRUE(eventually([&] { return !exists(keeper); }));
  }
  void reboot(const std::vector<std::string>& options = {}) {
    kill_daemon();
    kill_keeper();
    start(options);
  }

  static json::object restore(NativePeer& peer, const std::string& id, json::object more = {}) {
    more["terminalId"] = id;
    return peer.ask("restore", std::move(more));
  }
  std::vector<std::string> lines_of(const std::string& id) {
    return look_at(id, [&](Seat& seat) { return shows(seat, "\u2500 restored"); })
        ->mirror()
        .lines();
  }
  // Of `list`, as "id name status".
  static std::vector<std::string> listed(NativePeer& peer) {
    std::vector<std::string> all;
    const json::object answer = peer.ask("list");
    for (const json::value& each : answer.at("data").at("terminals").as_array()) {
      const json::object& terminal = each.as_object();
      all.push_back(string_at(terminal, "terminalId") + " " + string_at(terminal, "name") + " " +
                    string_at(terminal, "status"));
    }
    return all;
  }
};

}  // namespace e2e
