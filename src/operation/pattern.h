// Patterns that users write.

#pragma once

#include <re2/re2.h>

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace operation {

// How a pattern is meant: as a regular expression in RE2's syntax, unless it is literal.
struct PatternOptions {
  bool ignore_case = false;
  bool word = false;  // No letter, digit or underscore next to what matches.
  bool literal = false;
};

// With RE2, so that no pattern can stall the daemon.
[[nodiscard]] base::Result<std::unique_ptr<re2::RE2>> compile(const std::string& pattern,
                                                              const PatternOptions& options = {});
[[nodiscard]] bool is_in(const re2::RE2& pattern, std::string_view line);

}  // namespace operation
