#include "operation/offset.h"

namespace operation {

base::Status has_reached(Offset offset, Offset end) {
  if (offset <= end) return {};
  return base::fail(base::Code::invalid_argument,
                    "the output has not reached offset " + std::to_string(offset),
                    "It ends at " + std::to_string(end) + ".");
}

base::Error overwritten(Offset offset, Offset begin) {
  return {.code = base::Code::not_found,
          .what = "the output at offset " + std::to_string(offset) + " is no longer kept",
          .advice = "The oldest output kept begins at " + std::to_string(begin) + "."};
}

}  // namespace operation
