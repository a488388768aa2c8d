// Defines "the same terminal" for the tests of the law of snapshots.

#pragma once

#include <string>

#include "vt/state.h"

namespace vt {

// Empty if both are the same terminal; otherwise one line that names the first difference.
[[nodiscard]] std::string describe_difference(const State& a, const State& b);

}  // namespace vt
