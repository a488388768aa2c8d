// How many columns text takes on a terminal.

#pragma once

#include <cstddef>
#include <string_view>

#include "vt/utf8.h"
#include "vt/width.h"

namespace cli {

[[nodiscard]] inline std::size_t columns_of(std::string_view text) {
  std::size_t columns = 0;
  while (!text.empty()) columns += static_cast<std::size_t>(vt::width_of(vt::take_utf8(text)));
  return columns;
}

}  // namespace cli
