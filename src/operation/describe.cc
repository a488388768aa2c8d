#include "operation/describe.h"

#include "base/time_text.h"

namespace operation {

namespace native = wire::native;

namespace {

std::optional<std::string> if_any(std::string text) {
  return text.empty() ? std::nullopt : std::optional(std::move(text));
}

native::TerminalInfo describe_restorable(const session::TerminalEntry& entry) {
  const session::TerminalRow& row = *entry.saved;
  return {.terminal_id = entry.id.str(),
          .session = entry.session.name,
          .name = entry.name,
          .order = static_cast<std::uint32_t>(entry.position),
          .status = wire::Status::restorable,
          .rows = row.rows,
          .cols = row.cols,
          .created_at = row.created,
          .last_activity_at = row.last_activity,
          .working_directory = if_any(row.cwd),
          .title = {},
          .command = entry.command,
          .process = {},
          .exit_code = row.exit};
}

native::TerminalInfo describe_living(const session::TerminalEntry& entry,
                                     const terminal::Activity& activity) {
  terminal::Terminal& terminal = *entry.terminal;
  return {.terminal_id = entry.id.str(),
          .session = entry.session.name,
          .name = entry.name,
          .order = static_cast<std::uint32_t>(entry.position),
          .status = entry.exit_code ? wire::Status::exited : wire::Status::running,
          .rows = narrow(terminal.screen().size().rows),
          .cols = narrow(terminal.screen().size().cols),
          .created_at = entry.created,
          .last_activity_at = terminal.last_activity(),
          .working_directory = if_any(activity.working_directory),
          .title = if_any(terminal.screen().state().titles.title),
          .command = entry.command,
          .process = if_any(activity.foreground.name),
          .busy = activity.foreground.busy,
          .viewers = static_cast<std::uint32_t>(terminal.audience().size()),
          .exit_code = entry.exit_code,
          .state = describe(terminal.states().state())};
}

std::string_view name_of(terminal::Commands::State state) {
  using State = terminal::Commands::State;
  switch (state) {
    case State::unknown:
      return "unknown";
    case State::prompt:
      return "prompt";
    case State::more:
      return "incomplete";
    case State::running:
      return "running";
  }
  return "";
}

}  // namespace

native::TerminalInfo describe(const session::TerminalEntry& entry) {
  return entry.saved ? describe_restorable(entry)
                     : describe_living(entry, entry.terminal->activity());
}

native::TerminalInfo describe(const session::TerminalEntry& entry,
                              const session::Activities& activities) {
  const auto known = activities.find(entry.key.str());
  if (entry.saved || known == activities.end()) return describe(entry);
  return describe_living(entry, known->second);
}

native::TerminalState describe(const terminal::State& state) {
  return {.kind = std::string(terminal::name_of(state.kind)),
          .command = if_any(state.command),
          .since = state.since,
          .exit_code = state.exit_code,
          .progress = state.progress,
          .text = if_any(state.text)};
}

native::NoticeInfo describe(const session::TerminalEntry& entry, const terminal::Notice& notice) {
  return {
      .at = base::utc_milliseconds(notice.at),
      .terminal_id = entry.id.str(),
      .session = entry.session.name,
      .name = entry.name ? entry.name : if_any(entry.terminal->screen().state().titles.title),
      .kind = std::string(terminal::name_of(notice.kind)),
      .command = if_any(notice.command),
      .text = if_any(notice.text),
      .exit_code = notice.exit_code,
      .duration = notice.duration.transform([](auto time) { return std::int64_t{time.count()}; }),
      .watched = entry.terminal->audience().is_watching()};
}

native::SessionInfo describe(const session::SessionRow& row, std::size_t terminals,
                             std::size_t restorable) {
  return {.name = row.name,
          .kind = row.kind == session::SessionKind::background ? native::SessionKind::background
                                                               : native::SessionKind::interactive,
          .terminals = static_cast<std::uint32_t>(terminals),
          .restorable = static_cast<std::uint32_t>(restorable),
          .created_at = row.created};
}

native::FoundLines describe(const Found& found) {
  native::FoundLines shown{.matches = {}, .left_out = found.left_out, .skipped = found.skipped};
  for (const Match& match : found.matches)
    shown.matches.push_back({.terminal_id = match.terminal_id,
                             .session = match.session,
                             .name = match.name,
                             .line = match.line,
                             .from_end = match.from_end,
                             .text = match.text,
                             .offset = match.offset});
  return shown;
}

native::ShellCommand describe(const terminal::Command& command) {
  return {.text = if_any(command.text),
          .directory = if_any(command.directory),
          .start = command.start == 0 ? std::nullopt : std::optional(command.start),
          .end = command.end,
          .exit_code = command.exit_code,
          .started_at = command.started,
          .ended_at = command.ended};
}

native::ShellCommands describe(const CommandList& list) {
  native::ShellCommands shown{.state = name_of(list.state), .commands = {}};
  for (const terminal::Command& command : list.commands)
    shown.commands.push_back(describe(command));
  return shown;
}

std::vector<std::string> ids_of(const std::vector<const session::TerminalEntry*>& terminals) {
  std::vector<std::string> ids;
  for (const session::TerminalEntry* entry : terminals) ids.push_back(entry->id.str());
  return ids;
}

}  // namespace operation
