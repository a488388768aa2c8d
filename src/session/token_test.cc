#include "session/token.h"

#include <sys/wait.h>
#include <unistd.h>

#include <set>

#include "session/random.h"
#include "session/test_files.h"

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

TEST(TokenTest, SameMeansSame) {
  EXPECT_TRUE(same_token("hf_a", "hf_a"));
  EXPECT_FALSE(same_token("hf_a", "hf_b"));
  EXPECT_FALSE(same_token("hf_a", "hf_"));
  EXPECT_FALSE(same_token("hf_a", ""));
}

class TokenFileTest : public StoreTest {
 protected:
  [[nodiscard]] std::filesystem::path file() const { return dir() / "state" / "token"; }
};

TEST_F(TokenFileTest, ItIsMadeOnceForItsOwnerAlone) {
  const auto made = load_or_create_token_file(file());
  ASSERT_TRUE(made) << made.error().message();
  EXPECT_TRUE(is_token(*made));
  EXPECT_EQ(mode_of(file()), 0600U);
  EXPECT_EQ(mode_of(file().parent_path()), 0700U);
  EXPECT_EQ(read_all(file()), *made + "\n");
  EXPECT_EQ(*load_or_create_token_file(file()), *made);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(file().parent_path()), {}), 1)
      << "no temporary file stays";
}

TEST_F(TokenFileTest, OneThatOthersMayReadIsRefused) {
  const auto made = *load_or_create_token_file(file());
  for (const unsigned mode : {0640U, 0604U, 0666U}) {
    ASSERT_EQ(::chmod(file().c_str(), mode), 0);
    const auto refused = load_or_create_token_file(file());
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, base::Code::permission_denied);
    EXPECT_NE(refused.error().advice.find("chmod 600"), std::string::npos);
  }
  ASSERT_EQ(::chmod(file().c_str(), 0400), 0);
  EXPECT_EQ(*load_or_create_token_file(file()), made);
}

TEST_F(TokenFileTest, ADamagedOneIsAnErrorAndStays) {
  const auto made = *load_or_create_token_file(file());
  for (const std::string& content :
       {std::string(), std::string("\n"), made.substr(0, 20), made + "x", std::string(5000, 'a'),
        made + "\n" + made, std::string(46, '\0')}) {
    write_all(file(), content);
    const auto refused = load_or_create_token_file(file());
    ASSERT_FALSE(refused) << content;
    EXPECT_EQ(refused.error().code, base::Code::corrupt);
    EXPECT_NE(refused.error().what.find(file().native()), std::string::npos);
    EXPECT_EQ(refused.error().what.find(made), std::string::npos) << "no secret in an error";
    EXPECT_EQ(read_all(file()), content);
  }
}

TEST_F(TokenFileTest, WhatIsNoFileIsAnError) {
  std::filesystem::create_directories(file());
  EXPECT_FALSE(load_or_create_token_file(file()));
  std::filesystem::remove(file());
  std::filesystem::create_symlink(dir() / "elsewhere", file());
  EXPECT_FALSE(load_or_create_token_file(file()));
  EXPECT_FALSE(std::filesystem::exists(dir() / "elsewhere"));
}

// Two that start at the same moment must not each go on with a token of its own.
TEST_F(TokenFileTest, SeveralProcessesAgree) {
  constexpr int kProcesses = 8;
  for (int n = 0; n < kProcesses; ++n) {
    if (::fork() != 0) continue;
    const auto token = load_or_create_token_file(file());
    if (token) write_all(dir() / std::to_string(n), *token);
    ::_exit(token ? 0 : 1);
  }
  for (int n = 0; n < kProcesses; ++n) {
    int status = 0;
    ::wait(&status);
    EXPECT_EQ(status, 0);
  }
  for (int n = 0; n < kProcesses; ++n)
    EXPECT_EQ(read_all(dir() / std::to_string(n)), *load_or_create_token_file(file()));
}

}  // namespace
}  // namespace session
