// Regular expressions that users write.

#pragma once

#include <re2/re2.h>

#include <memory>
#include <string>

#include "base/result.h"

namespace operation {

// In RE2's syntax, so that no pattern can stall the daemon.
[[nodiscard]] base::Result<std::unique_ptr<re2::RE2>> compile(const std::string& pattern);

}  // namespace operation
