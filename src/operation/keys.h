// Keys by their names, as `holdfast send --keys` and the API take them.

#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "vt/state.h"

namespace operation {

// The bytes that the key sends to a program that has set these modes. A name is a single character,
// or the name of a key (Enter, Tab, Escape, Space, Backspace, Delete, Insert, Up, Down, Left, Right,
// Home, End, PageUp, PageDown, F1 to F12), with any of the prefixes C- (Ctrl), M- (Alt) and S-
// (Shift). tmux's names for the same keys are understood too.
[[nodiscard]] base::Result<std::string> bytes_of_key(std::string_view name, const vt::Modes& modes);

}  // namespace operation
