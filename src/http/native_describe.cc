#include "http/native_describe.h"

namespace http {

namespace native = wire::native;

namespace {

std::optional<std::string> if_any(std::string text) {
  return text.empty() ? std::nullopt : std::optional(std::move(text));
}

native::TerminalInfo describe_restorable(const session::TerminalEntry& held) {
  const session::TerminalRow& row = *held.saved;
  return {.terminal_id = held.id.str(),
          .session = held.session.name,
          .name = held.name,
          .order = static_cast<std::uint32_t>(held.position),
          .status = wire::Status::restorable,
          .rows = row.rows,
          .cols = row.cols,
          .created_at = row.created,
          .last_activity_at = row.last_activity,
          .working_directory = if_any(row.cwd),
          .title = {},
          .command = held.command,
          .process = {},
          .exit_code = row.exit};
}

native::TerminalInfo describe_living(const session::TerminalEntry& held,
                                     const terminal::Doing& doing) {
  const terminal::Terminal& terminal = *held.terminal;
  return {.terminal_id = held.id.str(),
          .session = held.session.name,
          .name = held.name,
          .order = static_cast<std::uint32_t>(held.position),
          .status = held.exit_code ? wire::Status::exited : wire::Status::running,
          .rows = narrow(terminal.screen().size().rows),
          .cols = narrow(terminal.screen().size().cols),
          .created_at = held.created,
          .last_activity_at = terminal.last_activity(),
          .working_directory = if_any(doing.working_directory),
          .title = if_any(terminal.title()),
          .command = held.command,
          .process = if_any(doing.foreground.name),
          .busy = doing.foreground.busy,
          .viewers = static_cast<std::uint32_t>(terminal.viewers()),
          .exit_code = held.exit_code};
}

}  // namespace

native::TerminalInfo describe(const session::TerminalEntry& held) {
  return held.saved ? describe_restorable(held) : describe_living(held, held.terminal->doing());
}

native::TerminalInfo describe(const session::TerminalEntry& held, const session::Doings& doings) {
  const auto known = doings.find(held.key.str());
  if (held.saved || known == doings.end()) return describe(held);
  return describe_living(held, known->second);
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

std::vector<std::string> ids_of(const std::vector<const session::TerminalEntry*>& terminals) {
  std::vector<std::string> ids;
  for (const session::TerminalEntry* held : terminals) ids.push_back(held->id.str());
  return ids;
}

}  // namespace http
