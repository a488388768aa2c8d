// Styles as SGR parameters.

#pragma once

#include <string>

#include "vt/cell.h"

namespace vt {

// Appends the parameters that turn any pen into this one: "0", then what is set. Link and
// protection are not part of SGR.
void append_sgr(std::string& out, const Style& style);

// Decimal digits, without a temporary string.
void append_number(std::string& out, unsigned value);

}  // namespace vt
