#include "terminal/notices.h"

#include <array>
#include <utility>

namespace terminal {

using journal::Offset;
using std::chrono::milliseconds;
using Kind = Notice::Kind;

std::string_view name_of(Kind kind) {
  constexpr std::array<std::string_view, 5> kNames{"command_ended", "bell", "message", "blocked",
                                                   "done"};
  return kNames[static_cast<std::size_t>(kind)];
}

void Notices::changed(const State& before, std::optional<base::WallTime> begun, const State& now,
                      Offset offset) {
  const bool ran = before.kind == State::Kind::running || before.kind == State::Kind::waiting;
  const bool has_ended = now.kind == State::Kind::prompt || now.kind == State::Kind::succeeded ||
                         now.kind == State::Kind::failed;
  if (!ran || !has_ended || !begun) return;
  const auto end = now.since.value_or(clock_.wall());
  const auto duration = std::chrono::floor<milliseconds>(end - *begun);
  if (duration < kShortest) return;
  add({.kind = Kind::command_ended,
       .offset = offset,
       .command = before.command,
       .exit_code = now.exit_code,
       .duration = duration});
}

void Notices::rang(const State& state, Offset offset) {
  add({.kind = Kind::bell, .offset = offset, .command = state.command});
}

void Notices::printed(const vt::Notice& notice, const State& state, Offset offset) {
  if (notice.kind == vt::Notice::Kind::message)
    add({.kind = Kind::message, .offset = offset, .command = state.command, .text = notice.text});
  if (notice.kind == vt::Notice::Kind::paused)
    add({.kind = Kind::blocked, .offset = offset, .command = state.command});
}

void Notices::reported(const Report& report, const State& state, Offset offset) {
  if (report.kind == Report::Kind::working) return;
  const Kind kind = report.kind == Report::Kind::blocked ? Kind::blocked
                    : report.kind == Report::Kind::done  ? Kind::done
                                                         : Kind::message;
  add({.kind = kind, .offset = offset, .command = state.command, .text = report.text});
}

void Notices::add(Notice notice) {
  const auto now = clock_.now();
  while (!latest_.empty() && now - latest_.front() >= kTime) latest_.pop_front();
  if (latest_.size() >= kMost) return;
  latest_.push_back(now);
  notice.at = std::chrono::floor<milliseconds>(clock_.wall());
  found_.push_back(std::move(notice));
}

std::vector<Notice> Notices::take() {
  return std::exchange(found_, {});
}

}  // namespace terminal
