// What makes a program one of another version: everything else of it is the same.

#include "base/version.h"

namespace base {

std::string_view version() {
  return "9.9.9";
}

}  // namespace base
