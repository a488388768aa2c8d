// Errors are values. An Error says what was tried, why it failed, and what the user can do about
// it.

#pragma once

#include <string>
#include <string_view>

namespace base {

enum class Code {
  invalid_argument,   // The caller asked for something that makes no sense.
  not_found,          // There is no such thing.
  already_exists,     // There is one already.
  permission_denied,  // Not yours.
  busy,               // Somebody else holds it.
  unavailable,        // It is not there now; trying again may help.
  corrupt,            // Bytes from outside that do not make sense.
  too_large,          // More than a stated bound.
  timed_out,          // It did not happen in time.
  unsupported,        // The other side does not know this.
  io,                 // The operating system said no.
  cancelled,          // Somebody decided against it.
};

[[nodiscard]] std::string_view to_string(Code code);

struct Error {
  Code code = Code::io;
  std::string what;    // What was tried and why it failed: "open /x: Permission denied".
  std::string advice;  // What to do about it; may be empty.
  int sys_errno = 0;   // The errno behind it, or 0.

  // One line for a person: what, then the advice.
  [[nodiscard]] std::string message() const;
};

// The error for a failed system call: `tried` names the call and its object.
[[nodiscard]] Error errno_error(int error, std::string_view tried, std::string_view advice = "");

}  // namespace base
