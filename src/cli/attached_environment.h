// The variables of whoever attached last, for shells that were started by somebody else: where the
// ssh agent and the display are. docs/operations.md describes the file.

#pragma once

#include <array>
#include <map>
#include <string>

#include "base/environment.h"
#include "base/result.h"
#include "keeper_protocol/runtime_dir.h"

namespace cli {

// By their names. A variable that is missing is to be unset.
using Variables = std::map<std::string, std::string>;

inline constexpr std::array<const char*, 5> kAttachedVariables{
    "DISPLAY", "SSH_AUTH_SOCK", "SSH_CONNECTION", "WAYLAND_DISPLAY", "XAUTHORITY"};

// Keeps those of somebody who attaches. The agent's socket is kept as a link that stays where it is.
[[nodiscard]] base::Status keep_environment(const keeper::RuntimeDir& dir,
                                            const base::Environment& own);
// Fails with `not_found` if nobody has attached.
[[nodiscard]] base::Result<Variables> kept_environment(const keeper::RuntimeDir& dir);

// Commands for a shell, one on each line.
[[nodiscard]] std::string for_sh(const Variables& variables);
[[nodiscard]] std::string for_fish(const Variables& variables);

// The same for this process and the configured runtime directory. If that belongs to another user,
// as with accounts, or the daemon is elsewhere, nothing is kept. Prints it if that fails.
void keep_own_environment();
[[nodiscard]] Variables attached_environment();

}  // namespace cli
