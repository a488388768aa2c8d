#include "cli/detach_keys.h"

#include <gtest/gtest.h>

namespace cli {
namespace {

DetachKeys keys(std::string_view text) {
  auto parsed = DetachKeys::parse(text);
  EXPECT_TRUE(parsed) << text;
  return parsed.value_or(DetachKeys());
}

using Item = AttachMenu::Item;

void expect_item(DetachKeys keys, std::string_view bytes, Item item, std::string_view rest) {
  const auto typed = keys.take(bytes);
  EXPECT_EQ(typed.item, item) << bytes;
  EXPECT_EQ(typed.rest, rest);
}

void expect_menu(DetachKeys keys, std::string_view bytes, std::string_view rest) {
  expect_item(std::move(keys), bytes, Item::open, rest);
}

void expect_all(DetachKeys keys, std::string_view bytes) {
  const auto typed = keys.take(bytes);
  EXPECT_FALSE(typed.item) << bytes;
  EXPECT_EQ(typed.rest, bytes);
}

TEST(DetachKeysTest, OneControlKeyOpensTheMenu) {
  expect_menu(keys(DetachKeys::kDefault), "ls\x1c more", "ls");
  EXPECT_EQ(keys(DetachKeys::kDefault).take("ls\x1c more").after, " more");
  expect_menu(keys("C-]"), "\x1d", "");
  expect_menu(keys("C-A"), "\x01", "");
  expect_menu(keys("C-@"), std::string_view("\0", 1), "");
  expect_menu(keys(DetachKeys::kDefault), "\x1b\x1c", "\x1b");
  expect_all(keys(DetachKeys::kDefault), "ls\r\x1b[A\x1bOP\x03\x1b");
}

TEST(DetachKeysTest, TwoKeysDetach) {
  expect_item(keys("C-x d"),
              "a\x18"
              "d",
              Item::detach, "a");
  expect_item(keys("C-x C-d"), "\x18\x04", Item::detach, "");
  DetachKeys later = keys("C-x d");
  EXPECT_EQ(later.take("a\x18").rest, "a");
  EXPECT_EQ(later.take("d").item, Item::detach);
}

TEST(DetachKeysTest, AfterTheFirstOfTwoALetterOfTheMenuDoesItsItem) {
  expect_item(keys("C-b d"), "\x02s", Item::list, "");
  expect_item(keys("C-b d"), "\x02n", Item::create, "");
  expect_item(keys("C-b x"), "\x02x", Item::detach, "");
  DetachKeys quoting = keys("C-b d");
  EXPECT_EQ(quoting.take("\x1b[98;5u\x1b[113u").item, Item::quote);
  EXPECT_EQ(quoting.quoted(), "\x1b[98;5u") << "as the program asked for it";
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
  expect_menu(keys("C-\\"), "a\x1b[92;5u", "a");      // kitty
  expect_menu(keys("C-\\"), "\x1b[92;5:1u", "");      // with the type of event
  expect_menu(keys("C-\\"), "\x1b[92:124;133u", "");  // with Num Lock, and the shifted key
  expect_menu(keys("C-\\"), "\x1b[27;5;92~", "");     // modifyOtherKeys
  expect_item(keys("C-x d"), "\x1b[120;5u\x1b[120;5:3u\x1b[100u", Item::detach, "\x1b[120;5:3u");
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
  EXPECT_EQ(keys(DetachKeys::kDefault).to_detach(), "Ctrl-\\ d");
  EXPECT_EQ(keys("C-X y").in_words(), "Ctrl-x");
  EXPECT_EQ(keys("C-X y").to_detach(), "Ctrl-x y");
  EXPECT_EQ(keys("none").to_detach(), "");
}

}  // namespace
}  // namespace cli
