// The state of a screen as tests/oracle/README.md specifies it.

#pragma once

#include <string>

#include "vt/screen.h"

namespace oracle {

[[nodiscard]] std::string state_json(const vt::Screen& screen);

}  // namespace oracle
