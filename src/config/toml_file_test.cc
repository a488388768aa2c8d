#include "config/toml_file.h"

#include <gtest/gtest.h>

namespace config {
namespace {

std::string error_of(std::string_view text) {
  const auto given = parse_toml(text, "/c.toml");
  return given ? "" : given.error().message();
}

std::string text_of(std::string_view line) {
  const auto given = parse_toml(line, "/c.toml");
  return given && given->size() == 1 ? given->front().text : error_of(line);
}

TEST(TomlFileTest, SaysWhatIsGivenAndOnWhichLine) {
  const auto given =
      parse_toml("# a comment\nshell = 'fish'\n\nlisten = \"[::1]:0\"\n", "/d/c.toml");
  ASSERT_TRUE(given) << given.error().message();
  ASSERT_EQ(given->size(), 2U);
  EXPECT_EQ(given->at(0).setting->key, "shell");
  EXPECT_EQ(given->at(0).text, "fish");
  EXPECT_EQ(given->at(0).origin, "/d/c.toml:2");
  EXPECT_EQ(given->at(0).directory, "/d");
  EXPECT_EQ(given->at(1).origin, "/d/c.toml:4");
}

TEST(TomlFileTest, ATypeOfTomlBecomesTheTextOfTheOtherSources) {
  EXPECT_EQ(text_of("orphan_grace_period = 60"), "60");
  EXPECT_EQ(text_of("orphan_grace_period = 0.25"), "0.25");
  EXPECT_EQ(text_of("orphan_grace_period = '1h'"), "1h");
  EXPECT_EQ(text_of("orphan_grace_period = -1"), "-1");
  EXPECT_EQ(text_of("output_buffer_size = 65536"), "65536");
  EXPECT_EQ(text_of("output_buffer_size = '64 KiB'"), "64 KiB");
  EXPECT_EQ(text_of("allowed_hosts = ['a', 'b']"), "a,b");
  EXPECT_EQ(text_of("allowed_hosts = []"), "");
}

TEST(TomlFileTest, AnUnknownKeyIsNamedWithItsLineAndTheKnownOnes) {
  std::string known = "Known keys: ";
  for (const Setting& setting : settings())
    if (form_of(setting).toml != toml_none)
      (known += known.ends_with(": ") ? "" : ", ") += setting.key;
  EXPECT_TRUE(known.starts_with("Known keys: listen, "));
  EXPECT_EQ(known.find("token"), std::string::npos) << "secrets are not allowed in this file";
  EXPECT_EQ(error_of("\n\nlistne = '127.0.0.1:1'"),
            "/c.toml:3: unknown key \"listne\"; did you mean \"listen\"? " + known);
  EXPECT_EQ(error_of("frobnicate = 1"), "/c.toml:1: unknown key \"frobnicate\". " + known);
  EXPECT_EQ(error_of("[server]\nlisten = '127.0.0.1:1'"),
            "/c.toml:1: unknown key \"server\". " + known);
  EXPECT_EQ(error_of("\"a\\nb\" = 1"), "/c.toml:1: unknown key \"a\\nb\". " + known);
}

TEST(TomlFileTest, TheFirstMistakeInTheFileIsTheOneThatIsTold) {
  EXPECT_TRUE(error_of("zzz = 1\naaa = 1").starts_with("/c.toml:1: unknown key \"zzz\""));
}

TEST(TomlFileTest, AWrongTypeIsToldWithWhatIsAllowed) {
  EXPECT_EQ(error_of("listen = 7420"),
            "/c.toml:1: listen has the wrong type (integer). Allowed: a numeric address and "
            "a port, such as 127.0.0.1:7420 or [::1]:7420; port 0 picks a free port.");
  EXPECT_EQ(error_of("output_buffer_size = 4096.5"),
            "/c.toml:1: output_buffer_size has the wrong type (floating-point). Allowed: "
            "bytes, such as 262144 or \"256 KiB\"; from 4 KiB to 64 MiB.");
  EXPECT_EQ(error_of("allowed_hosts = 'a'"),
            "/c.toml:1: allowed_hosts has the wrong type (string). Allowed: a list: a,b or, "
            "in TOML, [\"a\", \"b\"].");
  EXPECT_EQ(error_of("allowed_hosts = ['a', 1]"),
            "/c.toml:1: allowed_hosts has the wrong type (array). Allowed: a list: a,b or, "
            "in TOML, [\"a\", \"b\"].");
  EXPECT_NE(error_of("shell = {}"), "");
  EXPECT_NE(error_of("ping_interval = 2026-01-01"), "");
}

TEST(TomlFileTest, TheTokenIsRefusedAndNotRepeated) {
  EXPECT_EQ(error_of("token = 's3cr3t'"),
            "/c.toml:1: token cannot be set in a configuration file. Set HOLDFAST_TOKEN in the "
            "environment or in the env file.");
}

TEST(TomlFileTest, WhatIsNotTomlIsToldWithItsLine) {
  EXPECT_TRUE(error_of("shell = 'a'\nlisten 127.0.0.1:1\n").starts_with("/c.toml:2: "))
      << error_of("shell = 'a'\nlisten 127.0.0.1:1\n");
  EXPECT_TRUE(error_of("shell = 'a'\nshell = 'b'").starts_with("/c.toml:2: "));
  EXPECT_TRUE(error_of("\xff\xfe").starts_with("/c.toml:1: "));
}

}  // namespace
}  // namespace config
