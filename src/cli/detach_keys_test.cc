#include "cli/detach_keys.h"

#include <gtest/gtest.h>

namespace cli {
namespace {

DetachKeys keys(std::string_view text) {
  auto parsed = DetachKeys::parse(text);
  EXPECT_TRUE(parsed) << text;
  return parsed.value_or(DetachKeys());
}

void expect_detach(DetachKeys keys, std::string_view bytes, std::string_view rest) {
  const auto typed = keys.take(bytes);
  EXPECT_TRUE(typed.detaches) << bytes;
  EXPECT_EQ(typed.rest, rest);
}

void expect_all(DetachKeys keys, std::string_view bytes) {
  const auto typed = keys.take(bytes);
  EXPECT_FALSE(typed.detaches) << bytes;
  EXPECT_EQ(typed.rest, bytes);
}

TEST(DetachKeysTest, OneControlKey) {
  expect_detach(keys(DetachKeys::kDefault), "ls\x1c more", "ls");
  expect_detach(keys("C-]"), "\x1d", "");
  expect_detach(keys("C-A"), "\x01", "");
  expect_detach(keys("C-@"), std::string_view("\0", 1), "");
  expect_all(keys(DetachKeys::kDefault), "ls\r\x1b[A\x1bOP\x03\x1b");
}

TEST(DetachKeysTest, TwoKeys) {
  expect_detach(keys("C-x d"),
                "a\x18"
                "d",
                "a");
  expect_detach(keys("C-x C-d"), "\x18\x04", "");
  DetachKeys later = keys("C-x d");
  EXPECT_EQ(later.take("a\x18").rest, "a");
  EXPECT_TRUE(later.take("d").detaches);
}

TEST(DetachKeysTest, AnotherSecondKeyIsForTheProgramAndSoIsTheFirst) {
  DetachKeys emacs = keys("C-x d");
  EXPECT_EQ(emacs.take("\x18").rest, "");
  EXPECT_EQ(emacs.take("\x13").rest, "\x18\x13");
  expect_all(keys("C-x d"),
             "\x18\x18"
             "d");
  expect_all(keys("C-x A"), "\x18\x1b[A");
}

TEST(DetachKeysTest, None) {
  expect_all(keys("none"),
             "\x1c\x18"
             "d\x1b[92;5u");
  EXPECT_EQ(keys("none").in_words(), "");
}

TEST(DetachKeysTest, InTheFormsThatProgramsAskFor) {
  expect_detach(keys("C-\\"), "a\x1b[92;5u", "a");      // kitty
  expect_detach(keys("C-\\"), "\x1b[92;5:1u", "");      // with the type of event
  expect_detach(keys("C-\\"), "\x1b[92:124;133u", "");  // with Num Lock, and the shifted key
  expect_detach(keys("C-\\"), "\x1b[27;5;92~", "");     // modifyOtherKeys
  expect_detach(keys("C-x d"), "\x1b[120;5u\x1b[120;5:3u\x1b[100u", "\x1b[120;5:3u");
  expect_all(keys("C-\\"), "\x1b[92;5:3u\x1b[92;6u\x1b[92u\x1b[27;3;92~\x1b[200~\x1b[1;5A");
  expect_all(keys("C-\\"), "\x1b[99999999999;5u\x1b[;;;;;;u\x1b[92;");
}

TEST(DetachKeysTest, WhatCannotBeRead) {
  for (const char* text :
       {"", "x", "C-", "C-[", "C-xx", "C-x ", "C-x dd", "C-x  d", "x d", "C-1", "^x"})
    EXPECT_FALSE(DetachKeys::parse(text)) << text;
}

TEST(DetachKeysTest, InWords) {
  EXPECT_EQ(keys(DetachKeys::kDefault).in_words(), "Ctrl-\\");
  EXPECT_EQ(keys("C-X d").in_words(), "Ctrl-x d");
}

}  // namespace
}  // namespace cli
