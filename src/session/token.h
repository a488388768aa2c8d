// Tokens: what a client shows to be let in. Who holds one is its user; so the store keeps only
// their hashes, and no token is ever logged.

#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace session {

// The SHA-256 of a token. A token has 256 random bits, so there is nothing that a slow hash or a
// salt would protect.
using TokenHash = std::array<std::uint8_t, 32>;

// `hf_` and 256 random bits in base64url: 46 characters that are safe in a URL and in a shell.
[[nodiscard]] base::Result<std::string> new_token();
[[nodiscard]] bool is_token(std::string_view text);

[[nodiscard]] base::Result<TokenHash> hash_token(std::string_view text);

}  // namespace session
