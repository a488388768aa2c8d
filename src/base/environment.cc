#include "base/environment.h"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace base {

Environment process_environment() {
  return [](std::string_view name) -> std::string {
    const char* value = std::getenv(std::string(name).c_str());
    return value == nullptr ? "" : value;
  };
}

std::filesystem::path default_runtime_dir(const Environment& environment, uid_t uid) {
  if (const auto dir = environment("HOLDFAST_RUNTIME_DIR"); !dir.empty()) return dir;
  // For root, ignore XDG_RUNTIME_DIR: after sudo it may name another user's directory. Root's
  // daemon serves the whole machine and must be found in one place.
  if (uid == 0) return "/run/holdfast";
  if (const auto dir = environment("XDG_RUNTIME_DIR"); !dir.empty())
    return std::filesystem::path(dir) / "holdfast";
  return "/tmp/holdfast-" + std::to_string(uid);
}

std::vector<std::string> clean_environment(const char* const* environment) {
  static constexpr std::array<std::string_view, 13> kOthers{
      "HOLDFAST_", "TERM=",          "COLORTERM=",     "LINES=",         "COLUMNS=",
      "TMUX=",     "TMUX_PANE=",     "STY=",           "NOTIFY_SOCKET=", "LISTEN_",
      "WATCHDOG_", "INVOCATION_ID=", "JOURNAL_STREAM="};
  std::vector<std::string> kept;
  for (; *environment != nullptr; ++environment) {
    const std::string_view entry = *environment;
    if (std::none_of(kOthers.begin(), kOthers.end(),
                     [entry](std::string_view prefix) { return entry.starts_with(prefix); }))
      kept.emplace_back(entry);
  }
  return kept;
}

}  // namespace base
