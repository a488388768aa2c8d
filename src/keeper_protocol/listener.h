// A listening socket that the keeper holds for the daemon.

#pragma once

#include <string>
#include <string_view>

#include "base/fd.h"

namespace keeper {

struct Listener {
  std::string asked;  // The requested address, such as `127.0.0.1:0`.
  std::string bound;  // The actual address.
  base::Fd socket;

  [[nodiscard]] bool is_at(std::string_view address) const {
    return asked == address || bound == address;
  }
};

}  // namespace keeper
