// Tokens, with which clients authenticate. Anyone who holds a token is its user. So the store keeps
// only hashes, and no token is ever logged.

#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace session {

// The SHA-256 of a token. A token has 256 random bits, so a slow hash or a salt would add nothing.
using TokenHash = std::array<std::uint8_t, 32>;

// `hf_` and 256 random bits in base64url: 46 characters that are safe in a URL and in a shell.
[[nodiscard]] base::Result<std::string> new_token();
[[nodiscard]] bool is_token(std::string_view text);

[[nodiscard]] base::Result<TokenHash> hash_token(std::string_view text);

}  // namespace session
