// Any text is refused as a token, for nobody here can sign one; any text is keys or an error.

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "http/jwt.h"
#include "http/jwt_test_tokens.h"

namespace {

const std::string kSecret = "a secret that the fuzzer does not find";

void check(bool condition) {
  if (!condition) std::abort();
}

http::JwtSettings settings() {
  return {.key_file = {}, .issuer = "i", .audience = "a", .user_claim = "sub"};
}

http::JwtVerifier verifier(std::string_view keys) {
  auto made = http::JwtVerifier::with_keys(keys, settings());
  check(made.has_value());
  return std::move(*made);
}

// The claims are the fuzzer's, the signature is right.
void check_claims(const http::JwtVerifier& secret, std::string_view claims) {
  const std::string token = http::make_jwt(R"({"alg":"HS256"})", claims, [](std::string_view text) {
    return http::hmac(kSecret, text);
  });
  const auto verified = secret.verify(token, {});
  if (verified) check(!verified->user.empty() && verified->expires > base::WallTime{});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const http::TestKey rsa_key = http::TestKey::rsa();
  static const http::TestKey ec_key = http::TestKey::ec();
  static const http::JwtVerifier secret = verifier(kSecret);
  static const http::JwtVerifier keys = verifier(rsa_key.public_pem() + ec_key.public_pem());
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check(!secret.verify(text, {}));
  check(!keys.verify(text, {}));
  for (const char* header : {R"({"alg":"RS256"})", R"({"alg":"ES256"})"})
    check(!keys.verify(
        http::make_jwt(header, R"({"iss":"i","aud":"a","sub":"u","exp":1})",
                       [&](std::string_view) { return std::string(text.substr(0, 600)); }),
        {}));
  check_claims(secret, text);
  (void)http::JwtVerifier::with_keys(text, settings());
  return 0;
}
