#include "terminal/commands.h"

#include <algorithm>

#include "base/percent.h"
#include "terminal/fields.h"

namespace terminal {

using journal::Offset;
using Kind = vt::ShellMark::Kind;

namespace {

std::size_t size_of(const Command& command) {
  return command.text.size() + command.directory.size();
}

}  // namespace

std::optional<Offset> Commands::take(Offset end, const vt::ShellMark& mark, std::string directory,
                                     std::optional<base::WallTime> now) {
  if (key_.empty() && !mark.key.empty()) forget_others();
  if (end <= last_mark_ || (!key_.empty() && mark.key != key_)) return std::nullopt;
  last_mark_ = end;
  key_ = mark.key;
  switch (mark.kind) {
    case Kind::prompt:
      state_ = State::unknown;
      return 0;
    case Kind::more:
      state_ = State::more;
      return 0;
    case Kind::command:
      // Shells draw their prompt again while it is edited. It is the same one.
      if (state_ != State::prompt) last_prompt_ = end;
      state_ = State::prompt;
      return 0;
    case Kind::output:
      start(end, mark, std::move(directory), now);
      return all_.back().start;
    case Kind::end:
      last_end_ = {.offset = end, .status = mark.status};
      if (state_ != State::running) return 0;
      all_.back().end = end;
      all_.back().exit_code = mark.status;
      all_.back().ended = now;
      state_ = State::unknown;
      return all_.back().start;
  }
  return std::nullopt;
}

void Commands::start(Offset offset, const vt::ShellMark& mark, std::string directory,
                     std::optional<base::WallTime> now) {
  if (state_ == State::running) {
    // bash runs several lines that were entered at once as one command after another.
    Command& last = all_.back();
    if (last.text.empty() || mark.text.empty() ||
        last.text.size() + mark.text.size() >= vt::ShellMark::kMaxText)
      return;
    last.text += "\n" + mark.text;
    bytes_ += mark.text.size() + 1;
  } else {
    state_ = State::running;
    all_.push_back(
        {.start = offset, .started = now, .directory = std::move(directory), .text = mark.text});
    bytes_ += size_of(all_.back());
  }
  forget_oldest();
}

// What was marked before the shell's first mark was not its own.
void Commands::forget_others() {
  std::erase_if(all_, [](const Command& each) { return each.start != 0; });
  bytes_ = 0;
  for (const Command& each : all_) bytes_ += size_of(each);
  state_ = State::unknown;
  last_prompt_ = 0;
  last_end_ = {};
}

void Commands::forget_oldest() {
  while (all_.size() > kMost || (bytes_ > kMostBytes && all_.size() > 1)) {
    bytes_ -= size_of(all_.front());
    all_.pop_front();
  }
}

const Command* Commands::first_started_after(Offset offset) const {
  const auto found =
      std::ranges::find_if(all_, [&](const Command& each) { return each.start > offset; });
  return found == all_.end() ? nullptr : &*found;
}

const Command* Commands::first_ended_after(Offset offset) const {
  const auto found = std::ranges::find_if(
      all_, [&](const Command& each) { return each.end && *each.end > offset; });
  return found == all_.end() ? nullptr : &*found;
}

const Command* Commands::started_at(Offset offset) const {
  const auto found = std::ranges::lower_bound(all_, offset, {}, &Command::start);
  return offset == 0 || found == all_.end() || found->start != offset ? nullptr : &*found;
}

std::optional<Commands::Boundary> Commands::boundary_after(Offset offset) const {
  const auto next = std::ranges::upper_bound(all_, offset, {}, &Command::start);
  if (next != all_.begin()) {
    const Command& before = *std::prev(next);
    if (before.end && *before.end > offset)
      return Boundary{.offset = *before.end, .command = &before};
  }
  if (next == all_.end()) return std::nullopt;
  return Boundary{.offset = next->start, .command = &*next};
}

std::string Commands::encode() const {
  if (last_mark_ == 0 && all_.empty()) return {};
  std::string out(kCommandsFront);
  for (const std::string& field :
       {base::encode_percents(key_), std::to_string(static_cast<int>(state_)),
        std::to_string(last_mark_), std::to_string(last_prompt_), std::to_string(last_end_.offset),
        to_field(last_end_.status)})
    (out += field) += ';';
  for (const Command& each : all_) {
    out += '|';
    for (const std::string& field :
         {std::to_string(each.start), to_field(each.end), to_field(each.exit_code),
          to_field(each.started), to_field(each.ended), base::encode_percents(each.directory),
          base::encode_percents(each.text)})
      (out += field) += ';';
  }
  return (out += kFrontEnd);
}

Commands Commands::decode(std::string_view checkpoint) {
  Commands made;
  const auto front = take_front(checkpoint, kCommandsFront);
  if (!front) return made;
  std::string_view rest = *front;
  std::string_view head = take_part(rest, '|');
  made.key_ = base::decode_percents(take_part(head, ';'));
  const auto state = take_number(head).value_or(0);
  made.last_mark_ = take_number(head).value_or(0);
  made.last_prompt_ = take_number(head).value_or(0);
  made.last_end_.offset = take_number(head).value_or(0);
  made.last_end_.status = take_status(head);
  while (!rest.empty()) {
    std::string_view fields = take_part(rest, '|');
    Command command;
    command.start = take_number(fields).value_or(0);
    command.end = take_number(fields);
    command.exit_code = take_status(fields);
    command.started = take_time(fields);
    command.ended = take_time(fields);
    command.directory = base::decode_percents(take_part(fields, ';'));
    command.text = base::decode_percents(take_part(fields, ';'));
    made.bytes_ += size_of(command);
    made.all_.push_back(std::move(command));
  }
  const bool is_known = state <= static_cast<std::uint64_t>(State::running);
  if (is_known) made.state_ = static_cast<State>(state);
  if (made.all_.empty() && made.state_ == State::running) made.state_ = State::unknown;
  made.forget_oldest();
  return made;
}

Commands Commands::of_former(Commands former) {
  Commands made;
  made.all_ = std::move(former.all_);
  made.bytes_ = former.bytes_;
  for (Command& each : made.all_) {
    each.start = 0;
    each.end.reset();
  }
  return made;
}

}  // namespace terminal
