#include "config/report.h"

#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <sstream>

#include "config/test_surroundings.h"

namespace config {
namespace {

class ReportTest : public ::testing::Test, public TestSurroundings {};

TEST_F(ReportTest, HasALineForEverySettingWithItsValueAndOriginInColumns) {
  set("HOLDFAST_STATE_DIR", "/s");
  set("HOLDFAST_RUNTIME_DIR", "/r");
  set("PTY_ORPHAN_GRACE_PERIOD", "0.2");
  line.flags["allowed_hosts"] = "a,b";
  const std::string text = report(*load());
  std::istringstream lines(text);
  std::set<std::size_t> columns;
  std::string joined;
  for (const Setting& setting : settings()) {
    std::string line;
    ASSERT_TRUE(std::getline(lines, line)) << text;
    EXPECT_TRUE(line.starts_with(std::string(setting.key) + "  ")) << line;
    columns.insert(line.find_first_not_of(' ', setting.key.size()));
    const std::regex spaces("  +");
    joined += std::regex_replace(line, spaces, " | ") + "\n";
  }
  EXPECT_EQ(columns.size(), 1U) << "the values are aligned:\n" << text;
  for (const char* line :
       {"listen | 127.0.0.1:7420 | default\n", "state_dir | /s | environment HOLDFAST_STATE_DIR\n",
        "token | not set | default\n",
        "orphan_grace_period | 0.2s | environment PTY_ORPHAN_GRACE_PERIOD\n",
        "history_size | 262144 | default\n", "shell | /bin/account-shell | default\n",
        "allowed_hosts | a, b | flag --allowed-hosts\n", "allowed_origins | none | default\n"})
    EXPECT_NE(joined.find(line), std::string::npos) << line << "in\n" << joined;
}

TEST_F(ReportTest, ASecretOnlySaysThatItIsSet) {
  set("HOLDFAST_TOKEN", "s3cr3t-that-is-long-enough-to-be-one");
  const std::string text = report(*load());
  EXPECT_EQ(text.find("s3cr3t"), std::string::npos) << text;
  EXPECT_TRUE(std::regex_search(text, std::regex("\ntoken +set +environment"))) << text;
  EXPECT_NE(text.find("environment HOLDFAST_TOKEN"), std::string::npos) << text;
}

TEST_F(ReportTest, AValueCannotBreakItsLine) {
  set("HOLDFAST_SHELL", "a\nlisten\x1b[2J");
  EXPECT_NE(report(*load()).find("  a?listen?[2J  "), std::string::npos);
}

}  // namespace
}  // namespace config
