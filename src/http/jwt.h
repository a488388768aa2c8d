// JSON Web Tokens (RFC 7519) as a platform signs them for its users: HS256, RS256 and ES256.
//
// Invariants
// 1. The key says by which algorithm it is used; what the token says must agree. So `none`, and a
//    public key taken for a secret, get nowhere.
// 2. Issuer, audience and expiry are always checked; a token without one of them is refused.

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
  std::filesystem::path key_file;  // A secret, public keys in PEM, or a JWKS; its content tells.
  std::string issuer;
  std::string audience;
  std::string user_claim = "sub";  // The claim that is the user's name.
};

struct JwtClaims {
  std::string user;
  base::WallTime expires{};
};

class JwtVerifier {
 public:
  // A file with a secret in it must not be readable by everybody.
  [[nodiscard]] static base::Result<JwtVerifier> load(JwtSettings settings);
  // The same, with what is in the file.
  [[nodiscard]] static base::Result<JwtVerifier> with_keys(std::string_view keys,
                                                           JwtSettings settings);

  // Why not, without anything of the token in it, if the token is not good now.
  [[nodiscard]] base::Result<JwtClaims> verify(std::string_view token, base::WallTime now) const;
  [[nodiscard]] bool has_secret() const;

 private:
  enum class Algorithm { hs256, rs256, es256 };
  struct Key {
    Algorithm algorithm = Algorithm::hs256;
    std::string id;      // Empty: it is tried for every token of its algorithm.
    std::string secret;  // Of HS256.
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
