#include "http/jwt.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "http/jwt_test_tokens.h"

namespace http {
namespace {

using std::chrono::seconds;

const base::WallTime kNow{seconds(1'800'000'000)};
const std::string kSecret = "0123456789abcdef0123456789abcdef";
const std::string kClaims =
    R"({"iss":"https://issuer","aud":"holdfast","sub":"ada","exp":1800000060})";

JwtSettings settings() {
  return {.key_file = {}, .issuer = "https://issuer", .audience = "holdfast", .user_claim = "sub"};
}

JwtVerifier with(std::string_view keys) {
  auto verifier = JwtVerifier::with_keys(keys, settings());
  EXPECT_TRUE(verifier) << verifier.error().message();
  return std::move(*verifier);
}

// The user, or why the token was refused.
std::string verified(const JwtVerifier& verifier, const std::string& token,
                     base::WallTime now = kNow) {
  const auto claims = verifier.verify(token, now);
  return claims ? claims->user : claims.error().what;
}

std::string hs256(const std::string& claims, const std::string& header = R"({"alg":"HS256"})",
                  const std::string& secret = kSecret) {
  return make_jwt(header, claims, [&](const std::string& text) { return hmac(secret, text); });
}

std::string signed_by(const TestKey& key, const std::string& header) {
  return make_jwt(header, kClaims, [&](const std::string& text) { return key.sign(text); });
}

TEST(JwtTest, ASecretSignsHs256) {
  const JwtVerifier verifier = with(kSecret + "\n");
  const auto claims = verifier.verify(hs256(kClaims), kNow);
  ASSERT_TRUE(claims) << claims.error().message();
  EXPECT_EQ(claims->user, "ada");
  EXPECT_EQ(claims->expires, base::WallTime(seconds(1'800'000'060)));
  EXPECT_EQ(verified(verifier, hs256(kClaims, R"({"alg":"HS256"})", kSecret + "x")),
            "no key matches the JWT's algorithm and signature");
}

// The example of RFC 7515, appendix A.1.
TEST(JwtTest, TheExampleOfTheStandard) {
  const std::string jwks =
      R"({"keys":[{"kty":"oct","k":"AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow"}]})";
  auto verifier = JwtVerifier::with_keys(
      jwks, {.key_file = {}, .issuer = "joe", .audience = "nobody", .user_claim = "iss"});
  ASSERT_TRUE(verifier);
  EXPECT_EQ(verified(*verifier,
                     "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9."
                     "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc"
                     "19yb290Ijp0cnVlfQ.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"),
            "the JWT is for another audience")
      << "the signature is right, but the audience is missing";
}

TEST(JwtTest, PublicKeysInPem) {
  const TestKey rsa = TestKey::rsa();
  const TestKey ec = TestKey::ec();
  const JwtVerifier verifier = with(rsa.public_pem() + ec.public_pem());
  EXPECT_EQ(verified(verifier, signed_by(rsa, R"({"alg":"RS256"})")), "ada");
  EXPECT_EQ(verified(verifier, signed_by(ec, R"({"alg":"ES256"})")), "ada");
  const std::string none = "no key matches the JWT's algorithm and signature";
  EXPECT_EQ(verified(verifier, signed_by(TestKey::rsa(), R"({"alg":"RS256"})")), none);
  EXPECT_EQ(verified(verifier, signed_by(TestKey::ec(), R"({"alg":"ES256"})")), none);
  EXPECT_EQ(verified(verifier, signed_by(rsa, R"({"alg":"ES256"})")), none);
  EXPECT_EQ(verified(verifier, signed_by(ec, R"({"alg":"RS256"})")), none);
}

// The classic attacks: no signature at all, and a public key used as the secret.
TEST(JwtTest, NoneAndConfusedAlgorithmsGetNowhere) {
  const TestKey rsa = TestKey::rsa();
  const std::string pem = rsa.public_pem();
  const JwtVerifier verifier = with(pem);
  const auto unsigned_text = [](const std::string&) { return std::string(); };
  for (const char* header :
       {R"({"alg":"none"})", R"({"alg":"None"})", R"({"alg":"NONE"})", R"({"alg":""})", "{}",
        R"({"alg":null})", R"({"alg":["RS256"]})", R"({"alg":"RS256"})", R"({"alg":"ES256"})"}) {
    EXPECT_FALSE(verifier.verify(make_jwt(header, kClaims, unsigned_text), kNow)) << header;
    EXPECT_FALSE(with(kSecret).verify(make_jwt(header, kClaims, unsigned_text), kNow)) << header;
  }
  EXPECT_FALSE(verifier.verify(hs256(kClaims, R"({"alg":"HS256"})", pem), kNow));
  EXPECT_FALSE(verifier.verify(hs256(kClaims, R"({"alg":"RS256"})", pem), kNow));
  EXPECT_FALSE(with(kSecret).verify(hs256(kClaims, R"({"alg":"HS512"})"), kNow));
  // r = s = 0 was once accepted as a signature elsewhere.
  const auto zeros = [](const std::string&) { return std::string(64, '\0'); };
  EXPECT_FALSE(with(TestKey::ec().public_pem())
                   .verify(make_jwt(R"({"alg":"ES256"})", kClaims, zeros), kNow));
}

TEST(JwtTest, ASetOfKeysIsToldApartByTheirIds) {
  const TestKey one = TestKey::rsa();
  const TestKey two = TestKey::rsa();
  const TestKey ec = TestKey::ec();
  const std::string jwks =
      R"({"keys":[{"kty":"RSA","kid":"1","use":"sig","n":")" + one.number("n") + R"(","e":")" +
      one.number("e") + R"("},{"kty":"RSA","kid":"2","n":")" + two.number("n") + R"(","e":")" +
      two.number("e") + R"("},{"kty":"EC","crv":"P-256","kid":"3","alg":"ES256","x":")" +
      ec.number("qx", 32) + R"(","y":")" + ec.number("qy", 32) +
      R"("},{"kty":"OKP","crv":"Ed25519","x":"AA"},{"kty":"RSA","use":"enc"},7]})";
  const JwtVerifier verifier = with(jwks);
  EXPECT_EQ(verified(verifier, signed_by(one, R"({"alg":"RS256","kid":"1"})")), "ada");
  EXPECT_EQ(verified(verifier, signed_by(two, R"({"alg":"RS256","kid":"2"})")), "ada");
  EXPECT_EQ(verified(verifier, signed_by(two, R"({"alg":"RS256"})")), "ada");
  EXPECT_EQ(verified(verifier, signed_by(ec, R"({"alg":"ES256","kid":"3"})")), "ada");
  EXPECT_FALSE(verifier.verify(signed_by(two, R"({"alg":"RS256","kid":"1"})"), kNow));
  EXPECT_FALSE(verifier.verify(signed_by(one, R"({"alg":"RS256","kid":"4"})"), kNow));
}

TEST(JwtTest, ClaimsAreChecked) {
  const JwtVerifier verifier = with(kSecret);
  const auto with_claims = [&](const std::string& claims) {
    return verified(verifier, hs256(claims));
  };
  const std::string rest = R"("iss":"https://issuer","aud":"holdfast","sub":"ada")";
  EXPECT_EQ(with_claims("{" + rest + "}"), "the JWT has no valid expiry time");
  EXPECT_EQ(with_claims("{" + rest + R"(,"exp":1800000000})"), "the JWT has expired");
  EXPECT_EQ(with_claims("{" + rest + R"(,"exp":1800000000.5})"), "ada");
  EXPECT_EQ(with_claims("{" + rest + R"(,"exp":"1800000060"})"),
            "the JWT has no valid expiry time");
  EXPECT_EQ(with_claims("{" + rest + R"(,"exp":1e300})"), "the JWT has no valid expiry time");
  // Later than the clock can count; this once overflowed into the past.
  for (const char* late : {"9300000000", "99999999999", "253402300799"})
    EXPECT_EQ(with_claims("{" + rest + R"(,"exp":)" + late + "}"), "ada") << late;
  EXPECT_EQ(with_claims("{" + rest + R"(,"exp":-1})"), "the JWT has no valid expiry time");
  EXPECT_EQ(with_claims("{" + rest + R"(,"exp":1800000060,"nbf":1800000031})"),
            "the JWT is not valid yet");
  EXPECT_EQ(with_claims("{" + rest + R"(,"exp":1800000060,"nbf":1800000029})"), "ada");
  EXPECT_EQ(with_claims("{" + rest + R"(,"exp":1800000060,"nbf":"x"})"),
            "the JWT is not valid yet");
  EXPECT_EQ(with_claims(R"({"aud":"holdfast","sub":"ada","exp":1800000060})"),
            "the JWT has another issuer");
  EXPECT_EQ(with_claims(R"({"iss":"https://issuer.","aud":"holdfast","sub":"a","exp":1800000060})"),
            "the JWT has another issuer");
  EXPECT_EQ(with_claims(R"({"iss":"https://issuer","sub":"ada","exp":1800000060})"),
            "the JWT is for another audience");
  EXPECT_EQ(with_claims(
                R"({"iss":"https://issuer","aud":["x","holdfast"],"sub":"ada","exp":1800000060})"),
            "ada");
  EXPECT_EQ(with_claims(R"({"iss":"https://issuer","aud":["x",7],"sub":"ada","exp":1800000060})"),
            "the JWT is for another audience");
  EXPECT_EQ(with_claims(R"({"iss":"https://issuer","aud":"holdfast","exp":1800000060})"),
            "the JWT has no user name in the claim sub");
  EXPECT_EQ(with_claims("[]"), "the JWT has no claims");
}

TEST(JwtTest, WhatIsNoJwtIsRefused) {
  const JwtVerifier verifier = with(kSecret);
  const std::string good = hs256(kClaims);
  for (const std::string& bad :
       {std::string(), std::string("."), std::string(".."), std::string("a.b.c"), good + ".",
        good + ".x", good + "=", "=" + good, good.substr(0, good.rfind('.')),
        good.substr(0, good.rfind('.') + 1), " " + good, std::string(10'000, 'a'),
        hs256(kClaims, R"({"alg":"HS256","crit":["exp"]})"), hs256(kClaims, "no json"),
        hs256(std::string(9000, ' ') + kClaims)})
    EXPECT_FALSE(verifier.verify(bad, kNow)) << bad.substr(0, 100);
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string changed = good;
    changed[i] = changed[i] == 'A' ? 'B' : 'A';
    EXPECT_FALSE(verifier.verify(changed, kNow)) << i;
  }
}

TEST(JwtTest, KeysThatAreTooWeakOrUnknownAreRefused) {
  for (const std::string& keys :
       {std::string("short"), std::string(), TestKey::rsa(1024).public_pem(),
        TestKey::ec("P-384").public_pem(), std::string("-----BEGIN PUBLIC KEY-----\nAA\n"),
        std::string(R"({"keys":[]})"), std::string(R"({"keys":7})"), std::string("{}"),
        std::string(R"({"keys":[{"kty":"oct","k":"AA"}]})")})
    EXPECT_FALSE(JwtVerifier::with_keys(keys, settings())) << keys.substr(0, 60);
  JwtSettings open = settings();
  open.audience.clear();
  EXPECT_FALSE(JwtVerifier::with_keys(kSecret, open));
}

TEST(JwtTest, ASecretThatEverybodyCanReadIsRefused) {
  std::string path = "/tmp/holdfast-jwt-XXXXXX";
  ::close(::mkstemp(path.data()));
  std::ofstream(path) << kSecret;
  JwtSettings from_file = settings();
  from_file.key_file = path;
  EXPECT_TRUE(JwtVerifier::load(from_file));
  ::chmod(path.c_str(), 0644);
  EXPECT_FALSE(JwtVerifier::load(from_file));
  std::ofstream(path, std::ios::trunc) << TestKey::ec().public_pem();
  EXPECT_TRUE(JwtVerifier::load(from_file)) << "public keys may be readable by all";
  ::unlink(path.c_str());
  EXPECT_FALSE(JwtVerifier::load(from_file));
}

}  // namespace
}  // namespace http
