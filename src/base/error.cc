#include "base/error.h"

#include <cerrno>
#include <system_error>

namespace base {
namespace {

Code code_of_errno(int error) {
  switch (error) {
    case ENOENT:
    case ESRCH:
      return Code::not_found;
    case EEXIST:
      return Code::already_exists;
    case EACCES:
    case EPERM:
      return Code::permission_denied;
    case EADDRINUSE:
    case EBUSY:
      return Code::busy;
    case ECONNREFUSED:
    case ECONNRESET:
    case EPIPE:
    case EAGAIN:
      return Code::unavailable;
    case EINVAL:
    case ENOTDIR:
    case ENAMETOOLONG:
      return Code::invalid_argument;
    case E2BIG:
    case EMSGSIZE:
      return Code::too_large;
    case ETIMEDOUT:
      return Code::timed_out;
    default:
      return Code::io;
  }
}

}  // namespace

std::string_view to_string(Code code) {
  switch (code) {
    case Code::invalid_argument:
      return "invalid argument";
    case Code::not_found:
      return "not found";
    case Code::already_exists:
      return "already exists";
    case Code::permission_denied:
      return "permission denied";
    case Code::busy:
      return "busy";
    case Code::unavailable:
      return "unavailable";
    case Code::corrupt:
      return "corrupt";
    case Code::too_large:
      return "too large";
    case Code::timed_out:
      return "timed out";
    case Code::unsupported:
      return "unsupported";
    case Code::cancelled:
      return "cancelled";
    case Code::mismatch:
      return "mismatch";
    case Code::io:
      return "i/o error";
  }
  return "unknown error";
}

std::string Error::message() const {
  if (advice.empty()) return what;
  return what + ". " + advice;
}

Error errno_error(int error, std::string_view tried, std::string_view advice) {
  return Error{.code = code_of_errno(error),
               .what = std::string(tried) + ": " + std::generic_category().message(error),
               .advice = std::string(advice),
               .sys_errno = error};
}

}  // namespace base
