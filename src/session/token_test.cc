#include "session/token.h"

#include <gtest/gtest.h>

#include <set>

#include "session/random.h"

namespace session {
namespace {

TEST(TokenTest, TokensAreUniqueAndRecognisable) {
  std::set<std::string> tokens;
  for (int n = 0; n < 10'000; ++n) {
    const auto token = new_token();
    ASSERT_TRUE(token);
    EXPECT_TRUE(is_token(*token)) << *token;
    EXPECT_EQ(token->size(), 46U);
    tokens.insert(*token);
  }
  EXPECT_EQ(tokens.size(), 10'000U);
}

TEST(TokenTest, WhatIsNoTokenIsNotTakenForOne) {
  const std::string token = *new_token();
  for (const std::string& text : {std::string(), std::string("hf_"), token.substr(1), token + "a",
                                  token.substr(0, 45) + "=", token.substr(0, 45) + "\n"})
    EXPECT_FALSE(is_token(text)) << text;
}

// From FIPS 180-2.
TEST(TokenTest, TheHashIsSha256) {
  EXPECT_EQ(to_hex(*hash_token("abc")),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(to_hex(*hash_token("")),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

}  // namespace
}  // namespace session
