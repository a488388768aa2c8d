#include "http/jwt.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/hmac.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <optional>
#include <sstream>

#include <boost/json.hpp>

#include "http/text.h"

namespace http {

namespace json = boost::json;

namespace {

constexpr std::size_t kLongestToken = 8 * 1024;
constexpr std::size_t kShortestSecret = 32;
constexpr int kShortestRsa = 2048;
constexpr std::size_t kEs256Side = 32;
// The issuer's clock may be a little ahead.
constexpr std::chrono::seconds kLeeway{30};
constexpr double kLastSecond = 253402300799;  // The year 9999.
// The clock counts nanoseconds, up to the year 2262. Later times are treated as that.
constexpr double kLastCounted = 9'200'000'000;

base::Error refusal(std::string why) {
  return {.code = base::Code::permission_denied, .what = std::move(why), .advice = {}};
}

std::optional<std::string> decode(std::string_view text) {
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::string bytes;
  unsigned bits = 0;
  unsigned bit_count = 0;
  for (const char c : text) {
    const auto value = kAlphabet.find(c);
    if (value == std::string_view::npos) return std::nullopt;
    bits = (bits << 6 | static_cast<unsigned>(value)) & 0xffffU;
    bit_count += 6;
    if (bit_count < 8) continue;
    bit_count -= 8;
    bytes += static_cast<char>(bits >> bit_count & 0xffU);
  }
  // Leftover bits are less than a byte and must be zero.
  if (bit_count >= 6 || (bits & ((1U << bit_count) - 1)) != 0) return std::nullopt;
  return bytes;
}

std::optional<json::object> parse_object(std::string_view text) {
  json::error_code error;
  json::parse_options options;
  options.max_depth = 8;
  json::value value = json::parse(json::string_view(text.data(), text.size()), error, {}, options);
  if (error || !value.is_object()) return std::nullopt;
  return std::move(value.as_object());
}

// Empty if it is missing or not a string.
std::string text_at(const json::object& object, std::string_view name) {
  const auto* value = object.if_contains(json::string_view(name.data(), name.size()));
  return value != nullptr && value->is_string() ? std::string(value->as_string()) : "";
}

std::optional<base::WallTime> time_at(const json::object& object, std::string_view name) {
  const auto* value = object.if_contains(json::string_view(name.data(), name.size()));
  if (value == nullptr || !value->is_number()) return std::nullopt;
  const double seconds = value->to_number<double>();
  if (!(seconds >= 0 && seconds <= kLastSecond)) return std::nullopt;
  return base::WallTime(
      std::chrono::milliseconds(static_cast<std::int64_t>(std::min(seconds, kLastCounted) * 1000)));
}

const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

// Converts an ES256 signature, two numbers side by side, into the DER that OpenSSL reads.
std::string der_signature(std::string_view signature) {
  if (signature.size() != 2 * kEs256Side) return {};
  const std::unique_ptr<ECDSA_SIG, decltype(&::ECDSA_SIG_free)> pair(::ECDSA_SIG_new(),
                                                                     &::ECDSA_SIG_free);
  BIGNUM* r = ::BN_bin2bn(bytes_of(signature), kEs256Side, nullptr);
  BIGNUM* s = ::BN_bin2bn(bytes_of(signature.substr(kEs256Side)), kEs256Side, nullptr);
  ::ECDSA_SIG_set0(pair.get(), r, s);
  std::array<unsigned char, 80> der{};
  unsigned char* end = der.data();
  const int size = ::i2d_ECDSA_SIG(pair.get(), &end);
  return size > 0 ? std::string(der.begin(), der.begin() + size) : std::string();
}

using Parameters = std::unique_ptr<OSSL_PARAM, decltype(&::OSSL_PARAM_free)>;

std::shared_ptr<EVP_PKEY> make_key(const char* type, const Parameters& parameters) {
  const std::unique_ptr<EVP_PKEY_CTX, decltype(&::EVP_PKEY_CTX_free)> context(
      ::EVP_PKEY_CTX_new_from_name(nullptr, type, nullptr), &::EVP_PKEY_CTX_free);
  EVP_PKEY* key = nullptr;
  if (::EVP_PKEY_fromdata_init(context.get()) != 1 ||
      ::EVP_PKEY_fromdata(context.get(), &key, EVP_PKEY_PUBLIC_KEY, parameters.get()) != 1)
    return nullptr;
  return {key, &::EVP_PKEY_free};
}

std::shared_ptr<EVP_PKEY> rsa_key(std::string_view modulus, std::string_view exponent) {
  const auto number = [](std::string_view bytes) {
    return std::unique_ptr<BIGNUM, decltype(&::BN_free)>(
        ::BN_bin2bn(bytes_of(bytes), static_cast<int>(bytes.size()), nullptr), &::BN_free);
  };
  const auto n = number(modulus);
  const auto e = number(exponent);
  const std::unique_ptr<OSSL_PARAM_BLD, decltype(&::OSSL_PARAM_BLD_free)> builder(
      ::OSSL_PARAM_BLD_new(), &::OSSL_PARAM_BLD_free);
  ::OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_N, n.get());
  ::OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_E, e.get());
  return make_key("RSA", Parameters(::OSSL_PARAM_BLD_to_param(builder.get()), &::OSSL_PARAM_free));
}

std::shared_ptr<EVP_PKEY> p256_key(std::string_view x, std::string_view y) {
  if (x.size() != kEs256Side || y.size() != kEs256Side) return nullptr;
  const std::string point = std::string("\x04").append(x).append(y);
  const std::unique_ptr<OSSL_PARAM_BLD, decltype(&::OSSL_PARAM_BLD_free)> builder(
      ::OSSL_PARAM_BLD_new(), &::OSSL_PARAM_BLD_free);
  ::OSSL_PARAM_BLD_push_utf8_string(builder.get(), OSSL_PKEY_PARAM_GROUP_NAME, "P-256", 0);
  ::OSSL_PARAM_BLD_push_octet_string(builder.get(), OSSL_PKEY_PARAM_PUB_KEY, point.data(),
                                     point.size());
  return make_key("EC", Parameters(::OSSL_PARAM_BLD_to_param(builder.get()), &::OSSL_PARAM_free));
}

}  // namespace

// Reads keys in each of their forms.
struct JwtVerifier::Parser {
  std::vector<Key> keys;

  base::Status add_secret(std::string secret) {
    if (secret.size() < kShortestSecret)
      return base::fail(base::Code::invalid_argument, "the HS256 secret is too short",
                        "Use at least 32 random bytes.");
    keys.emplace_back().secret = std::move(secret);
    return {};
  }

  base::Status add_public(std::shared_ptr<EVP_PKEY> key) {
    const int type = key ? ::EVP_PKEY_get_base_id(key.get()) : EVP_PKEY_NONE;
    std::array<char, 32> group{};
    const bool is_rsa = type == EVP_PKEY_RSA && ::EVP_PKEY_get_bits(key.get()) >= kShortestRsa;
    const bool is_ec =
        type == EVP_PKEY_EC &&
        ::EVP_PKEY_get_group_name(key.get(), group.data(), group.size(), nullptr) == 1 &&
        std::string_view(group.data()) == "prime256v1";
    if (!is_rsa && !is_ec)
      return base::fail(base::Code::unsupported,
                        "unsupported key; use RSA (2048 bits or more) or EC P-256");
    Key& added = keys.emplace_back();
    added.algorithm = is_rsa ? Algorithm::rs256 : Algorithm::es256;
    added.public_key = std::move(key);
    return {};
  }

  base::Status pem(std::string_view text) {
    const std::unique_ptr<BIO, decltype(&::BIO_free)> in(
        ::BIO_new_mem_buf(text.data(), static_cast<int>(text.size())), &::BIO_free);
    while (EVP_PKEY* read = ::PEM_read_bio_PUBKEY(in.get(), nullptr, nullptr, nullptr)) {
      if (auto added = add_public({read, &::EVP_PKEY_free}); !added) return added;
    }
    if (!keys.empty()) return {};
    return base::fail(base::Code::invalid_argument, "no public key in the PEM file",
                      "Make one with: openssl pkey -in PRIVATE.pem -pubout");
  }

  base::Status add_jwk(const json::object& object) {
    const std::string type = text_at(object, "kty");
    const auto field = [&](const char* name) { return decode(text_at(object, name)).value_or(""); };
    if (type == "oct") return add_secret(field("k"));
    if (type == "RSA") return add_public(rsa_key(field("n"), field("e")));
    if (type == "EC" && text_at(object, "crv") == "P-256")
      return add_public(p256_key(field("x"), field("y")));
    return base::fail(base::Code::unsupported, "a key in the JWKS has an unknown type");
  }

  // Skips keys for other uses and of other types: the set may serve others too.
  base::Status jwks(const json::object& set) {
    const auto* list = set.if_contains("keys");
    if (list == nullptr || !list->is_array())
      return base::fail(base::Code::invalid_argument, "the JWKS has no `keys` list");
    for (const json::value& each : list->as_array()) {
      if (!each.is_object()) continue;
      const json::object& object = each.as_object();
      const std::string use = text_at(object, "use");
      if (!use.empty() && use != "sig") continue;
      if (!add_jwk(object)) continue;
      const std::string algorithm = text_at(object, "alg");
      keys.back().id = text_at(object, "kid");
      if (!algorithm.empty() && algorithm != name_of(keys.back().algorithm)) keys.pop_back();
    }
    if (!keys.empty()) return {};
    return base::fail(base::Code::invalid_argument,
                      "the JWKS has no key for HS256, RS256 or ES256");
  }

  static std::string_view name_of(Algorithm algorithm) {
    constexpr std::array<std::string_view, 3> kNames{"HS256", "RS256", "ES256"};
    return kNames.at(static_cast<std::size_t>(algorithm));
  }
};

base::Result<JwtVerifier> JwtVerifier::with_keys(std::string_view text, JwtSettings settings) {
  if (settings.issuer.empty() || settings.audience.empty())
    return base::fail(base::Code::invalid_argument,
                      "JSON Web Tokens need an issuer and an audience");
  JwtVerifier verifier(std::move(settings));
  Parser parser;
  base::Status parsed;
  if (text.find("-----BEGIN ") != std::string_view::npos) {
    parsed = parser.pem(text);
  } else if (const auto set = parse_object(text)) {
    parsed = parser.jwks(*set);
  } else {
    while (text.ends_with('\n') || text.ends_with('\r')) text.remove_suffix(1);
    parsed = parser.add_secret(std::string(text));
  }
  if (!parsed) return base::fail(parsed.error());
  verifier.keys_ = std::move(parser.keys);
  return verifier;
}

base::Result<JwtVerifier> JwtVerifier::load(JwtSettings settings) {
  const std::string path = settings.key_file.string();
  struct stat info{};
  std::ifstream file(path, std::ios::binary);
  if (::stat(path.c_str(), &info) < 0 || !file)
    return base::fail(base::errno_error(errno, "read the JWT keys in " + path));
  std::stringstream text;
  text << file.rdbuf();
  auto verifier = with_keys(text.view(), std::move(settings));
  if (!verifier) {
    base::Error error = verifier.error();
    error.what = "read the JWT keys in " + path + ": " + error.what;
    return base::fail(std::move(error));
  }
  if (verifier->has_secret() && (info.st_mode & S_IRWXO) != 0)
    return base::fail(base::Code::permission_denied,
                      "other accounts can read the secret in " + path,
                      "Make a new secret, and chmod 600 the file.");
  return verifier;
}

bool JwtVerifier::has_secret() const {
  for (const Key& key : keys_)
    if (key.algorithm == Algorithm::hs256) return true;
  return false;
}

bool JwtVerifier::is_signed(std::string_view text, std::string_view signature,
                            const Key& key) const {
  if (key.algorithm == Algorithm::hs256) {
    std::array<unsigned char, 32> mac{};
    unsigned size = 0;
    return ::HMAC(::EVP_sha256(), key.secret.data(), static_cast<int>(key.secret.size()),
                  bytes_of(text), text.size(), mac.data(), &size) != nullptr &&
           signature.size() == mac.size() &&
           ::CRYPTO_memcmp(mac.data(), signature.data(), mac.size()) == 0;
  }
  const std::string der =
      key.algorithm == Algorithm::es256 ? der_signature(signature) : std::string(signature);
  const std::unique_ptr<EVP_MD_CTX, decltype(&::EVP_MD_CTX_free)> context(::EVP_MD_CTX_new(),
                                                                          &::EVP_MD_CTX_free);
  return ::EVP_DigestVerifyInit(context.get(), nullptr, ::EVP_sha256(), nullptr,
                                key.public_key.get()) == 1 &&
         ::EVP_DigestVerify(context.get(), bytes_of(der), der.size(), bytes_of(text),
                            text.size()) == 1;
}

base::Result<JwtClaims> JwtVerifier::verify(std::string_view token, base::WallTime now) const {
  if (token.size() > kLongestToken) return base::fail(refusal("the JWT is too long"));
  std::string_view rest = token;
  const std::string_view head = take_until(rest, '.');
  const std::string_view body = take_until(rest, '.');
  const auto header = decode(head);
  const auto payload = decode(body);
  const auto signature = decode(rest);  // Fails on a third dot.
  if (!header || !payload || !signature || rest.empty()) return base::fail(refusal("not a JWT"));
  const auto fields = parse_object(*header);
  if (!fields || fields->contains("crit")) return base::fail(refusal("unsupported JWT header"));
  const std::string algorithm = text_at(*fields, "alg");
  const std::string id = text_at(*fields, "kid");
  const std::string_view text = token.substr(0, head.size() + 1 + body.size());
  for (const Key& key : keys_) {
    if (Parser::name_of(key.algorithm) != algorithm) continue;
    if (!key.id.empty() && !id.empty() && key.id != id) continue;
    if (is_signed(text, *signature, key)) return check_claims(*payload, now);
  }
  return base::fail(refusal("no key matches the JWT's algorithm and signature"));
}

base::Result<JwtClaims> JwtVerifier::check_claims(std::string_view text, base::WallTime now) const {
  const auto claims = parse_object(text);
  if (!claims) return base::fail(refusal("the JWT has no claims"));
  if (text_at(*claims, "iss") != settings_.issuer)
    return base::fail(refusal("the JWT has another issuer"));
  const auto* audience = claims->if_contains("aud");
  bool is_for_us = text_at(*claims, "aud") == settings_.audience;
  if (audience != nullptr && audience->is_array())
    for (const json::value& each : audience->as_array())
      is_for_us = is_for_us || (each.is_string() && each.as_string() == settings_.audience.c_str());
  if (!is_for_us) return base::fail(refusal("the JWT is for another audience"));
  const auto expires = time_at(*claims, "exp");
  if (!expires) return base::fail(refusal("the JWT has no valid expiry time"));
  if (*expires <= now) return base::fail(refusal("the JWT has expired"));
  const auto begins = time_at(*claims, "nbf");
  if (claims->contains("nbf") && (!begins || *begins > now + kLeeway))
    return base::fail(refusal("the JWT is not valid yet"));
  std::string user = text_at(*claims, settings_.user_claim);
  if (user.empty())
    return base::fail(refusal("the JWT has no user name in the claim " + settings_.user_claim));
  return JwtClaims{.user = std::move(user), .expires = *expires};
}

}  // namespace http
