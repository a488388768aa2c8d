// Makes JSON Web Tokens for tests, valid and invalid ones, with OpenSSL keys.

#pragma once

#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>

#include <array>
#include <memory>
#include <string>
#include <string_view>

namespace http {

inline std::string base64url(std::string_view bytes) {
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::string text;
  unsigned bits = 0;
  unsigned bit_count = 0;
  for (const char c : bytes) {
    bits = (bits << 8 | static_cast<unsigned char>(c)) & 0xffffU;
    for (bit_count += 8; bit_count >= 6; bit_count -= 6)
      text += kAlphabet[bits >> (bit_count - 6) & 63U];
  }
  if (bit_count > 0) text += kAlphabet[bits << (6 - bit_count) & 63U];
  return text;
}

class TestKey {
 public:
  static TestKey rsa(unsigned bits = 2048) { return TestKey(EVP_RSA_gen(bits)); }
  static TestKey ec(const char* curve = "P-256") { return TestKey(EVP_EC_gen(curve)); }

  [[nodiscard]] std::string public_pem() const {
    const std::unique_ptr<BIO, decltype(&::BIO_free)> out(::BIO_new(::BIO_s_mem()), &::BIO_free);
    ::PEM_write_bio_PUBKEY(out.get(), key_.get());
    char* text = nullptr;
    const auto size = BIO_get_mem_data(out.get(), &text);
    return {text, static_cast<std::size_t>(size)};
  }
  // A number of the key in the form of a JWK: `n`, `e`, `qx` or `qy`.
  [[nodiscard]] std::string number(const char* name, int width = 0) const {
    BIGNUM* value = nullptr;
    ::EVP_PKEY_get_bn_param(key_.get(), name, &value);
    std::string bytes(static_cast<std::size_t>(width > 0 ? width : BN_num_bytes(value)), '\0');
    ::BN_bn2binpad(value, reinterpret_cast<unsigned char*>(bytes.data()),
                   static_cast<int>(bytes.size()));
    ::BN_free(value);
    return base64url(bytes);
  }
  // RS256, or ES256's two numbers.
  [[nodiscard]] std::string sign(std::string_view text) const {
    const std::unique_ptr<EVP_MD_CTX, decltype(&::EVP_MD_CTX_free)> context(::EVP_MD_CTX_new(),
                                                                            &::EVP_MD_CTX_free);
    ::EVP_DigestSignInit(context.get(), nullptr, ::EVP_sha256(), nullptr, key_.get());
    const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
    std::size_t size = 0;
    ::EVP_DigestSign(context.get(), nullptr, &size, bytes, text.size());
    std::string signature(size, '\0');
    auto* out = reinterpret_cast<unsigned char*>(signature.data());
    ::EVP_DigestSign(context.get(), out, &size, bytes, text.size());
    signature.resize(size);
    if (::EVP_PKEY_get_base_id(key_.get()) != EVP_PKEY_EC) return signature;
    const unsigned char* der = out;
    const std::unique_ptr<ECDSA_SIG, decltype(&::ECDSA_SIG_free)> pair(
        ::d2i_ECDSA_SIG(nullptr, &der, static_cast<long>(size)), &::ECDSA_SIG_free);
    std::array<unsigned char, 64> both{};
    ::BN_bn2binpad(::ECDSA_SIG_get0_r(pair.get()), both.data(), 32);
    ::BN_bn2binpad(::ECDSA_SIG_get0_s(pair.get()), both.data() + 32, 32);
    return {both.begin(), both.end()};
  }

 private:
  explicit TestKey(EVP_PKEY* key) : key_(key, &::EVP_PKEY_free) {}
  std::shared_ptr<EVP_PKEY> key_;
};

inline std::string hmac(std::string_view secret, std::string_view text) {
  std::array<unsigned char, 32> mac{};
  unsigned size = 0;
  ::HMAC(::EVP_sha256(), secret.data(), static_cast<int>(secret.size()),
         reinterpret_cast<const unsigned char*>(text.data()), text.size(), mac.data(), &size);
  return {mac.begin(), mac.end()};
}

// `sign` gets the text to sign.
template <class Sign>
std::string make_jwt(std::string_view header, std::string_view claims, Sign sign) {
  const std::string text = base64url(header) + "." + base64url(claims);
  return text + "." + base64url(sign(text));
}

}  // namespace http
