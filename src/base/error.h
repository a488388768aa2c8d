// Errors are values. An Error says what was tried, why it failed, and what the user can do about
// it.

#pragma once

#include <string>
#include <string_view>

namespace base {

enum class Code {
  invalid_argument,   // The caller asked for something that makes no sense.
  not_found,          // There is no such thing.
  already_exists,     // It already exists.
  permission_denied,  // The caller may not do this.
  busy,               // Somebody else holds it.
  unavailable,        // Not available now; trying again may help.
  corrupt,            // Invalid bytes from outside.
  too_large,          // Over a limit.
  timed_out,          // It did not happen in time.
  unsupported,        // The other side does not support this.
  io,                 // The operating system reported an error.
  cancelled,          // It was cancelled.
  mismatch,           // It contradicts what was asked before under the same name.
};

[[nodiscard]] std::string_view to_string(Code code);

struct Error {
  Code code = Code::io;
  std::string what;    // What was tried and why it failed: "open /x: Permission denied".
  std::string advice;  // What to do about it; may be empty.
  int sys_errno = 0;   // The errno, or 0.

  // One line for a person: what, then the advice.
  [[nodiscard]] std::string message() const;
};

// The error for a failed system call: `tried` names the call and its object.
[[nodiscard]] Error errno_error(int error, std::string_view tried, std::string_view advice = "");

}  // namespace base
