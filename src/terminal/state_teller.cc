#include "terminal/state_teller.h"

#include <filesystem>
#include <utility>

namespace terminal {

namespace {

// A shell is created without arguments.
std::string program_of(const std::vector<std::string>& argv) {
  return argv.size() > 1 ? std::filesystem::path(argv.front()).filename().string() : std::string();
}

}  // namespace

StateTeller::StateTeller(boost::asio::any_io_executor executor,
                         const std::vector<std::string>& argv, const Commands& commands,
                         Events events, const base::Clock& clock)
    : commands_(commands),
      events_(std::move(events)),
      clock_(clock),
      tracker_(program_of(argv)),
      notices_(clock),
      looks_(executor, kBetweenLooks, [this] { look(); }),
      telling_(executor, kBeforeTelling, [this] { tell(); }) {}

StateTracker::Time StateTeller::now_if(bool is_new) const {
  if (!is_new) return std::nullopt;
  return std::chrono::floor<std::chrono::milliseconds>(clock_.wall());
}

void StateTeller::marked(journal::Offset end, bool is_new) {
  const State before = tracker_.state();
  const auto begun = tracker_.begun();
  tracker_.marked(commands_, now_if(is_new));
  notices_.changed(before, begun, tracker_.state(), end);
}

void StateTeller::rang(journal::Offset offset, bool is_new) {
  tracker_.rang(now_if(is_new));
  notices_.rang(tracker_.state(), offset);
}

void StateTeller::noticed(const vt::Notice& notice, journal::Offset end, bool is_new) {
  tracker_.noticed(notice, now_if(is_new));
  notices_.printed(notice, tracker_.state(), end);
}

void StateTeller::printed() {
  if (!is_recovered_) return;
  if (!commands_.has_marks()) looks_.ask();
  tell_if_changed();
  tell_notices();
}

void StateTeller::typed() {
  tracker_.typed(now_if(true));
  if (!commands_.has_marks()) looks_.ask();
  unsaved_change();
}

void StateTeller::exited(int code) {
  tracker_.exited(code, now_if(true));
  unsaved_change();
}

void StateTeller::look() {
  const State before = tracker_.state();
  const auto begun = tracker_.begun();
  tracker_.looked(events_.foreground(), now_if(true));
  notices_.changed(before, begun, tracker_.state(), events_.offset());
  unsaved_change();
  tell_notices();
}

void StateTeller::recovered() {
  is_recovered_ = true;
  early_ = notices_.take();
  told_ = tracker_.state();
  if (!commands_.has_marks()) looks_.ask();
}

void StateTeller::stop() {
  telling_.cancel();
  if (std::exchange(is_unsaved_, false)) events_.save();
}

void StateTeller::report(const Report& report) {
  tracker_.reported(report, now_if(true));
  notices_.reported(report, tracker_.state(), events_.offset());
  events_.save();
  tell_if_changed();
  tell_notices();
}

void StateTeller::tell_notices() {
  for (const Notice& notice : notices_.take()) events_.noticed(notice);
}

void StateTeller::unsaved_change() {
  if (tracker_.state() == told_) return;
  is_unsaved_ = true;
  telling_.ask();
}

void StateTeller::tell_if_changed() {
  if (tracker_.state() != told_) telling_.ask();
}

void StateTeller::tell() {
  State now = tracker_.state();
  // Output that is read again does not say when it was printed.
  const bool has_begun = now.kind != told_.kind || now.since != told_.since;
  if (std::exchange(is_unsaved_, false) || has_begun) events_.save();
  if (now == told_) return;
  told_ = std::move(now);
  events_.changed();
}

}  // namespace terminal
