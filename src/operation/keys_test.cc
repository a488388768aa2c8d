#include "operation/keys.h"

#include <gtest/gtest.h>

namespace operation {
namespace {

std::string typed(std::string_view name, const vt::Modes& modes = {}) {
  const auto bytes = bytes_of_key(name, modes);
  return bytes ? *bytes : "refused: " + bytes.error().what;
}

TEST(KeysTest, CharactersAreThemselves) {
  EXPECT_EQ(typed("a"), "a");
  EXPECT_EQ(typed("-"), "-");
  EXPECT_EQ(typed("é"), "é");
  EXPECT_EQ(typed("S-a"), "A");
  EXPECT_EQ(typed("M-x"), "\x1bx");
}

TEST(KeysTest, ControlKeys) {
  EXPECT_EQ(typed("C-c"), "\x03");
  EXPECT_EQ(typed("C-C"), "\x03");
  EXPECT_EQ(typed("C-["), "\x1b");
  EXPECT_EQ(typed("C-\\"), "\x1c");
  EXPECT_EQ(typed("C-Space"), std::string(1, '\0'));
  EXPECT_EQ(typed("C-?"), "\x7f");
  EXPECT_EQ(typed("C-M-d"), "\x1b\x04");
}

TEST(KeysTest, NamedKeys) {
  EXPECT_EQ(typed("Enter"), "\r");
  EXPECT_EQ(typed("enter"), "\r");
  EXPECT_EQ(typed("M-Enter"), "\x1b\r");
  EXPECT_EQ(typed("Backspace"), "\x7f");
  EXPECT_EQ(typed("BTab"), "\x1b[Z");
  EXPECT_EQ(typed("S-Tab"), "\x1b[Z");
  EXPECT_EQ(typed("F1"), "\x1bOP");
  EXPECT_EQ(typed("S-F1"), "\x1b[1;2P");
  EXPECT_EQ(typed("F12"), "\x1b[24~");
  EXPECT_EQ(typed("PageUp"), "\x1b[5~");
  EXPECT_EQ(typed("C-Delete"), "\x1b[3;5~");
}

TEST(KeysTest, CursorKeysFollowTheProgramsMode) {
  EXPECT_EQ(typed("Up"), "\x1b[A");
  vt::Modes modes;
  modes.application_cursor_keys = true;
  EXPECT_EQ(typed("Up", modes), "\x1bOA");
  EXPECT_EQ(typed("C-Left", modes), "\x1b[1;5D");
}

TEST(KeysTest, UnknownKeysAreRefused) {
  for (const char* name : {"", "Entre", "C-", "C-é", "S-1", "C-Enter", "X-a", "F13", "ab"})
    EXPECT_EQ(typed(name), "refused: there is no key \"" + std::string(name) + "\"") << name;
}

}  // namespace
}  // namespace operation
