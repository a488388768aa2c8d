// Offsets count the bytes of a terminal's output. `send` tells the offset at which the input was
// taken, `wait` and `read` look only at the output after an offset, and `capture` tells which offset
// it shows.

#pragma once

#include <cstdint>

#include "base/result.h"

namespace operation {

using Offset = std::uint64_t;

// An error if the output, which ends at `end`, has not come that far.
[[nodiscard]] base::Status has_reached(Offset offset, Offset end);
// The output there is gone; what is left begins at `begin`.
[[nodiscard]] base::Error overwritten(Offset offset, Offset begin);

}  // namespace operation
