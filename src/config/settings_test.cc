#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "config/setting.h"

namespace config {
namespace {

std::string document() {
  std::ostringstream text;
  text << std::ifstream(HOLDFAST_SOURCE_DIR "/docs/operations.md").rdbuf();
  return text.str();
}

std::string quoted(std::string_view text) {
  return text.empty() ? "" : "`" + std::string(text) + "`";
}

std::string row_of(const Setting& setting) {
  return "| " + quoted(setting.key) + " | " + quoted(setting.environment) + " | " +
         quoted(setting.flag) + " | " + std::string(setting.standard) + " | " +
         std::string(setting.meaning) + " | " +
         (setting.change == Change::at_once ? "immediately" : "after a restart") + " |\n";
}

TEST(SettingsTest, TheDocumentHasTheTableOfAllSettingsAndNoOthers) {
  std::string rows =
      "| setting | variable | flag | default | meaning | takes effect |\n"
      "| --- | --- | --- | --- | --- | --- |\n";
  for (const Setting& setting : settings()) rows += row_of(setting);
  EXPECT_NE(document().find(rows + "\n"), std::string::npos)
      << "docs/operations.md should have:\n\n"
      << rows;
}

TEST(SettingsTest, NamesAreUniqueAndAFlagIsCalledAsItsKey) {
  std::set<std::string_view> names;
  for (const Setting& setting : settings()) {
    EXPECT_TRUE(names.insert(setting.key).second) << setting.key;
    EXPECT_TRUE(names.insert(setting.environment).second) << setting.environment;
    if (setting.flag.empty()) continue;
    std::string flag = "--" + std::string(setting.key);
    std::replace(flag.begin(), flag.end(), '_', '-');
    EXPECT_EQ(setting.flag, flag);
  }
}

TEST(SettingsTest, EveryMemberHasOneSetting) {
  for (const Setting& a : settings())
    for (const Setting& b : settings()) EXPECT_EQ(a.member == b.member, &a == &b) << a.key;
}

TEST(SettingsTest, DifferencesAreFoundAndTakenOver) {
  Config one;
  Config other;
  EXPECT_TRUE(differences(one, other).empty());
  other.token.value = "s3cr3t";
  other.allowed_hosts = {"a"};
  other.listen.port = 1;
  for (const Setting& setting : settings()) other.origins[setting.key] = "somewhere";
  const auto different = differences(one, other);
  ASSERT_EQ(different.size(), 3U);
  EXPECT_EQ(different.front()->key, "listen");
  for (const Setting* setting : different) copy_value(*setting, other, one);
  EXPECT_TRUE(differences(one, other).empty());
  EXPECT_EQ(one.origins.at("token"), "somewhere");
}

}  // namespace
}  // namespace config
