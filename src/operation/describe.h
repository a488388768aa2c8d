// Describes terminals and sessions, for every protocol alike.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "operation/command_requests.h"
#include "operation/output_operations.h"
#include "session/sessions.h"
#include "wire/native_events.h"
#include "wire/native_found.h"

namespace operation {

[[nodiscard]] wire::native::TerminalInfo describe(const session::TerminalEntry& entry);
// Includes what its program did a moment ago, if known.
[[nodiscard]] wire::native::TerminalInfo describe(const session::TerminalEntry& entry,
                                                  const session::Activities& activities);
// Includes its number of terminals, and of restorable ones.
[[nodiscard]] wire::native::SessionInfo describe(const session::SessionRow& row,
                                                 std::size_t terminals, std::size_t restorable);
[[nodiscard]] std::vector<std::string> ids_of(
    const std::vector<const session::TerminalEntry*>& terminals);
[[nodiscard]] wire::native::ShellCommand describe(const terminal::Command& command);
[[nodiscard]] wire::native::TerminalState describe(const terminal::State& state);
[[nodiscard]] wire::native::NoticeInfo describe(const session::TerminalEntry& entry,
                                                const terminal::Notice& notice);
[[nodiscard]] wire::native::ShellCommands describe(const CommandList& list);
[[nodiscard]] wire::native::FoundLines describe(const Found& found);
// Rows or columns: never more than fit.
[[nodiscard]] inline std::uint16_t narrow(int side) {
  return static_cast<std::uint16_t>(side);
}

}  // namespace operation
