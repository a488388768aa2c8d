// JSON Web Tokens (RFC 7519) that a platform signs for its users: HS256, RS256 and ES256.
//
// Invariants
// 1. The key determines the algorithm, and the token must agree. So `none` fails, and so does a
//    public key used as an HS256 secret.
// 2. Issuer, audience and expiry are always checked. A token that lacks one is refused.

#pragma once

#include <openssl/evp.h>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"

namespace http {

struct JwtSettings {
  std::filesystem::path key_file;  // A secret, public keys in PEM, or a JWKS; detected.
  std::string issuer;
  std::string audience;
  std::string user_claim = "sub";  // The claim with the user's name.
};

struct JwtClaims {
  std::string user;
  base::WallTime expires{};
};

class JwtVerifier {
 public:
  // Refuses a file with a secret that other accounts can read.
  [[nodiscard]] static base::Result<JwtVerifier> load(JwtSettings settings);
  // The same, from the file's content.
  [[nodiscard]] static base::Result<JwtVerifier> with_keys(std::string_view keys,
                                                           JwtSettings settings);

  // The error says why the token is not valid now, and contains nothing of the token.
  [[nodiscard]] base::Result<JwtClaims> verify(std::string_view token, base::WallTime now) const;
  [[nodiscard]] bool has_secret() const;

 private:
  enum class Algorithm { hs256, rs256, es256 };
  struct Key {
    Algorithm algorithm = Algorithm::hs256;
    std::string id;      // Empty: tried for every token of its algorithm.
    std::string secret;  // For HS256.
    std::shared_ptr<EVP_PKEY> public_key;
  };
  struct Parser;

  explicit JwtVerifier(JwtSettings settings) : settings_(std::move(settings)) {}
  [[nodiscard]] bool is_signed(std::string_view text, std::string_view signature,
                               const Key& key) const;
  [[nodiscard]] base::Result<JwtClaims> check_claims(std::string_view text,
                                                     base::WallTime now) const;

  JwtSettings settings_;
  std::vector<Key> keys_;
};

}  // namespace http
