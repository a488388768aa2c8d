#include "session/token.h"

#include <openssl/evp.h>

#include <algorithm>

#include "session/random.h"

namespace session {
namespace {

constexpr std::string_view kPrefix = "hf_";
constexpr std::size_t kRandomBytes = 32;
constexpr std::size_t kEncodedLength = 43;  // Of 32 bytes in base64, without padding.

bool is_base64url(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-' ||
         c == '_';
}

std::string base64url(const std::array<std::uint8_t, kRandomBytes>& bytes) {
  std::array<unsigned char, 4 * ((kRandomBytes + 2) / 3) + 1> encoded{};
  EVP_EncodeBlock(encoded.data(), bytes.data(), kRandomBytes);
  std::string text(encoded.begin(), encoded.begin() + kEncodedLength);
  std::replace(text.begin(), text.end(), '+', '-');
  std::replace(text.begin(), text.end(), '/', '_');
  return text;
}

}  // namespace

base::Result<std::string> new_token() {
  std::array<std::uint8_t, kRandomBytes> bytes{};
  if (auto filled = fill_random(bytes); !filled) return base::fail(filled.error());
  return std::string(kPrefix) + base64url(bytes);
}

bool is_token(std::string_view text) {
  return text.starts_with(kPrefix) && text.size() == kPrefix.size() + kEncodedLength &&
         std::all_of(text.begin(), text.end(), is_base64url);
}

base::Result<TokenHash> hash_token(std::string_view text) {
  TokenHash hash{};
  if (EVP_Digest(text.data(), text.size(), hash.data(), nullptr, EVP_sha256(), nullptr) != 1)
    return base::fail(base::Code::unavailable, "SHA-256 is not available",
                      "Check the OpenSSL installation.");
  return hash;
}

}  // namespace session
