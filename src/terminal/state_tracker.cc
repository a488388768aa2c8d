#include "terminal/state_tracker.h"

#include <array>

#include "base/percent.h"
#include "terminal/fields.h"

namespace terminal {

using Kind = State::Kind;

namespace {

State ended(const Command& command, const StateTracker::Time& now) {
  State state{.kind = Kind::prompt, .command = command.text, .since = command.ended};
  if (!state.since) state.since = now;
  state.exit_code = command.exit_code;
  if (command.exit_code) state.kind = *command.exit_code == 0 ? Kind::succeeded : Kind::failed;
  return state;
}

std::optional<Kind> take_kind(std::string_view& fields) {
  const auto number = take_number(fields);
  const bool is_known = number && *number <= static_cast<std::uint64_t>(Kind::exited);
  return is_known ? std::optional(static_cast<Kind>(*number)) : std::nullopt;
}

std::string field_of(Kind kind) {
  return to_field(static_cast<std::uint64_t>(kind));
}

}  // namespace

std::string_view name_of(Kind kind) {
  constexpr std::array<std::string_view, 7> kNames{"unknown", "prompt",  "running", "succeeded",
                                                   "failed",  "waiting", "exited"};
  return kNames[static_cast<std::size_t>(kind)];
}

// --- what happens ---

void StateTracker::begin(State base) {
  base_ = std::move(base);
  said_.reset();
  progress_.reset();
}

void StateTracker::marked(const Commands& commands, Time now) {
  if (base_.kind == Kind::exited || !commands.has_marks()) return;
  const bool ran = is_marked_ && is_running();
  is_marked_ = true;
  if (const Command* const command = commands.running()) {
    if (ran)
      base_.command = command->text;  // bash adds the next of several lines.
    else
      begin({.kind = Kind::running, .command = command->text, .since = command->started});
  } else if (ran) {
    // What was marked before the shell's own first mark is forgotten, and others ran elsewhere.
    const bool is_known = !commands.all().empty() && commands.all().back().start != 0;
    begin(is_known ? ended(commands.all().back(), now) : State{.kind = Kind::prompt, .since = now});
  } else if (commands.state() == Commands::State::prompt && base_.kind != Kind::prompt &&
             base_.kind != Kind::succeeded && base_.kind != Kind::failed) {
    begin({.kind = Kind::prompt, .since = now});
  }
}

void StateTracker::looked(const Foreground& foreground, Time now) {
  if (base_.kind == Kind::exited || is_marked_ || foreground.name.empty()) return;
  const bool is_other = foreground.busy || !program_.empty();
  if (!is_other) {
    if (base_.kind != Kind::prompt) begin({.kind = Kind::prompt, .since = now});
    return;
  }
  const std::string& command = foreground.busy ? foreground.name : program_;
  if (is_running() && base_.command == command) return;
  begin({.kind = Kind::running, .command = command, .since = now});
}

void StateTracker::wait(std::string text, Time now) {
  if (!is_running()) return;
  const bool waits = said_ && said_->kind == Kind::waiting;
  if (!waits) said_ = Said{.kind = Kind::waiting, .since = now};
  if (!text.empty()) said_->text = std::move(text);
}

void StateTracker::noticed(const vt::Notice& notice, Time now) {
  switch (notice.kind) {
    case vt::Notice::Kind::message:
      return wait(notice.text, now);
    case vt::Notice::Kind::paused:
      if (is_running()) progress_ = notice.percent ? notice.percent : progress_;
      return wait({}, now);
    case vt::Notice::Kind::progress:
      if (!is_running()) return;
      progress_ = notice.percent;
      said_.reset();
      return;
    case vt::Notice::Kind::over:
      progress_.reset();
      return;
  }
}

void StateTracker::reported(const Report& report, Time now) {
  if (base_.kind == Kind::exited || report.kind == Report::Kind::message) return;
  const Kind kind = report.kind == Report::Kind::blocked ? Kind::waiting
                    : report.kind == Report::Kind::done  ? Kind::succeeded
                                                         : Kind::running;
  if (!said_ || said_->kind != kind) said_ = Said{.kind = kind, .since = now};
  said_->text = report.text;
  progress_ = report.progress;
}

void StateTracker::typed(Time now) {
  // What works says so itself when it is done.
  if (said_ && said_->kind != Kind::running) said_.reset();
  if (base_.kind == Kind::succeeded || base_.kind == Kind::failed)
    base_ = {.kind = Kind::prompt, .since = now};
}

void StateTracker::output_lost() {
  if (base_.kind != Kind::exited && is_marked_) begin({});
}

void StateTracker::exited(int code, Time now) {
  if (base_.kind == Kind::exited) return;
  begin({.kind = Kind::exited, .command = base_.command, .since = now, .exit_code = code});
}

State StateTracker::state() const {
  State state = base_;
  state.progress = progress_;
  if (!said_) return state;
  state.kind = said_->kind;
  state.since = said_->since;
  state.text = said_->text;
  state.exit_code.reset();
  return state;
}

// --- checkpoints ---

std::string StateTracker::encode() const {
  std::string out(kStateFront);
  for (const std::string& field :
       {field_of(base_.kind), to_field(is_marked_ ? 1U : 0U), base::encode_percents(base_.command),
        to_field(base_.since), to_field(base_.exit_code), to_field(progress_),
        said_ ? field_of(said_->kind) : std::string(), to_field(said_ ? said_->since : Time()),
        base::encode_percents(said_ ? said_->text : std::string())})
    (out += field) += ';';
  return (out += kFrontEnd);
}

void StateTracker::decode(std::string_view checkpoint) {
  (void)take_front(checkpoint, kCommandsFront);
  auto fields = take_front(checkpoint, kStateFront);
  if (!fields) return;
  base_.kind = take_kind(*fields).value_or(Kind::unknown);
  is_marked_ = take_number(*fields).value_or(0) == 1;
  base_.command = base::decode_percents(take_part(*fields, ';'));
  base_.since = take_time(*fields);
  base_.exit_code = take_status(*fields);
  progress_ = take_status(*fields);
  const auto kind = take_kind(*fields);
  const Time since = take_time(*fields);
  if (kind)
    said_ =
        Said{.kind = *kind, .since = since, .text = base::decode_percents(take_part(*fields, ';'))};
}

}  // namespace terminal
