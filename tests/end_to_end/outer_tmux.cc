#include "end_to_end/outer_tmux.h"

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace e2e {
namespace {

constexpr const char* kScript =
    R"(dir=$1; shift; stty -g >"$dir/before"; "$@"; s=$?; stty -g >"$dir/after"; echo "[status $s]"; exec sleep infinity)";

}  // namespace

OuterTmux::OuterTmux(std::vector<std::string> env, const std::vector<std::string>& command,
                     Size size, const std::string& style)
    : env_(std::move(env)) {
  std::vector<std::string> start{"start-server",
                                 ";",
                                 "set-option",
                                 "-g",
                                 "history-limit",
                                 "100000",
                                 ";",
                                 "set-option",
                                 "-g",
                                 "window-style",
                                 style,
                                 ";",
                                 "set-option",
                                 "-s",
                                 "escape-time",
                                 "0",
                                 ";",
                                 "new-session",
                                 "-d",
                                 "-x",
                                 std::to_string(size.cols),
                                 "-y",
                                 std::to_string(size.rows),
                                 "/bin/sh",
                                 "-c",
                                 kScript,
                                 "sh",
                                 dir_.path().string()};
  start.insert(start.end(), command.begin(), command.end());
  ask(std::move(start));
}

OuterTmux::~OuterTmux() {
  try {
    ask({"kill-server"});
  } catch (const std::exception&) {
    // It has ended by itself.
  }
}

std::string OuterTmux::ask(std::vector<std::string> command) const {
  const std::string socket = (dir_ / "tmux").string();
  command.insert(command.begin(), {"tmux", "-S", socket, "-f", "/dev/null"});
  auto outcome = Process(command, env_).wait();
  if (outcome.status != 0) throw std::runtime_error("tmux: " + outcome.output);
  return std::move(outcome.output);
}

void OuterTmux::resize(Size size) const {
  ask({"resize-window", "-x", std::to_string(size.cols), "-y", std::to_string(size.rows)});
}

std::vector<std::string> OuterTmux::lines() const {
  std::istringstream text(ask({"capture-pane", "-p", "-S", "-"}));
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

std::string OuterTmux::format(const std::string& text) const {
  std::string answer = ask({"display-message", "-p", text});
  while (answer.ends_with('\n')) answer.pop_back();
  return answer;
}

bool OuterTmux::shows(std::string_view text) const {
  return eventually([&] { return screen().contains(text); });
}

bool OuterTmux::ended_with(int status) const {
  return shows("[status " + std::to_string(status) + "]");
}

pid_t OuterTmux::client() const {
  const auto children = children_of(std::stoi(format("#{pane_pid}")));
  if (children.size() != 1) throw std::runtime_error("no client runs");
  return children.front();
}

std::string OuterTmux::file(const std::string& name) const {
  std::stringstream text;
  text << std::ifstream(dir_ / name).rdbuf();
  return text.str();
}

}  // namespace e2e
