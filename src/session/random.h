// Cryptographic randomness from the kernel.

#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/result.h"

namespace session {

[[nodiscard]] base::Status fill_random(std::span<std::uint8_t> bytes);

// 128 bits, as 32 hexadecimal digits.
[[nodiscard]] base::Result<std::string> random_id();

[[nodiscard]] std::string to_hex(std::span<const std::uint8_t> bytes);

}  // namespace session
