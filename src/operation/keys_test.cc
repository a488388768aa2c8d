#include "operation/keys.h"

#include <gtest/gtest.h>

namespace operation {
namespace {

std::string bytes(std::string_view name, const vt::Modes& modes = {}) {
  const auto bytes = bytes_of_key(name, modes);
  return bytes ? *bytes : "refused: " + bytes.error().what;
}

TEST(KeysTest, CharactersAreThemselves) {
  EXPECT_EQ(bytes("a"), "a");
  EXPECT_EQ(bytes("-"), "-");
  EXPECT_EQ(bytes("é"), "é");
  EXPECT_EQ(bytes("S-a"), "A");
  EXPECT_EQ(bytes("M-x"), "\x1bx");
}

TEST(KeysTest, ControlKeys) {
  EXPECT_EQ(bytes("C-c"), "\x03");
  EXPECT_EQ(bytes("C-C"), "\x03");
  EXPECT_EQ(bytes("C-["), "\x1b");
  EXPECT_EQ(bytes("C-\\"), "\x1c");
  EXPECT_EQ(bytes("C-Space"), std::string(1, '\0'));
  EXPECT_EQ(bytes("C-?"), "\x7f");
  EXPECT_EQ(bytes("C-M-d"), "\x1b\x04");
}

TEST(KeysTest, NamedKeys) {
  EXPECT_EQ(bytes("Enter"), "\r");
  EXPECT_EQ(bytes("enter"), "\r");
  EXPECT_EQ(bytes("M-Enter"), "\x1b\r");
  EXPECT_EQ(bytes("Backspace"), "\x7f");
  EXPECT_EQ(bytes("BTab"), "\x1b[Z");
  EXPECT_EQ(bytes("S-Tab"), "\x1b[Z");
  EXPECT_EQ(bytes("F1"), "\x1bOP");
  EXPECT_EQ(bytes("S-F1"), "\x1b[1;2P");
  EXPECT_EQ(bytes("F12"), "\x1b[24~");
  EXPECT_EQ(bytes("PageUp"), "\x1b[5~");
  EXPECT_EQ(bytes("C-Delete"), "\x1b[3;5~");
}

TEST(KeysTest, CursorKeysFollowTheProgramsMode) {
  EXPECT_EQ(bytes("Up"), "\x1b[A");
  vt::Modes modes;
  modes.application_cursor_keys = true;
  EXPECT_EQ(bytes("Up", modes), "\x1bOA");
  EXPECT_EQ(bytes("C-Left", modes), "\x1b[1;5D");
}

TEST(KeysTest, UnknownKeysAreRefused) {
  for (const char* name : {"", "Entre", "C-", "C-é", "S-1", "C-Enter", "X-a", "F13", "ab"})
    EXPECT_EQ(bytes(name), "refused: there is no key \"" + std::string(name) + "\"") << name;
}

}  // namespace
}  // namespace operation
