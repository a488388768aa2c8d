#include "base/version.h"

namespace base {

std::string_view version() {
  return HOLDFAST_VERSION;
}

}  // namespace base
