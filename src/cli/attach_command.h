// `holdfast attach`: shows a terminal in the one that it is called in.

#pragma once

#include "base/result.h"
#include "cli/attach_target.h"
#include "cli/detach_keys.h"
#include "cli/outer_terminal.h"

namespace cli {

// Shows the terminal until the person detaches or the program ends. Returns the exit status.
[[nodiscard]] base::Result<int> attach_to(OuterTerminal& outer, AttachTarget terminal,
                                          DetachKeys keys, bool is_read_only);

}  // namespace cli
