#include "config/report.h"

#include <gtest/gtest.h>

#include "config/test_surroundings.h"

namespace config {
namespace {

class ReportTest : public ::testing::Test, public TestSurroundings {};

TEST_F(ReportTest, HasALineForEverySettingWithItsValueAndOriginInColumns) {
  set("HOLDFAST_STATE_DIR", "/s");
  set("HOLDFAST_RUNTIME_DIR", "/r");
  set("PTY_ORPHAN_GRACE_PERIOD", "0.2");
  line.flags["allowed_hosts"] = "a,b";
  EXPECT_EQ(report(*load()),
            "listen               127.0.0.1:7420      default\n"
            "state_dir            /s                  environment HOLDFAST_STATE_DIR\n"
            "runtime_dir          /r                  environment HOLDFAST_RUNTIME_DIR\n"
            "token                not set             default\n"
            "orphan_grace_period  0.2s                environment PTY_ORPHAN_GRACE_PERIOD\n"
            "output_buffer_size   262144              default\n"
            "history_size         262144              default\n"
            "input_limit          8388608             default\n"
            "shell                /bin/account-shell  default\n"
            "allowed_hosts        a, b                flag --allowed-hosts\n"
            "allowed_origins      none                default\n"
            "ping_interval        30s                 default\n"
            "ping_timeout         90s                 default\n"
            "log_level            info                default\n");
}

TEST_F(ReportTest, ASecretOnlySaysThatItIsSet) {
  set("HOLDFAST_TOKEN", "s3cr3t");
  const std::string text = report(*load());
  EXPECT_EQ(text.find("s3cr3t"), std::string::npos) << text;
  EXPECT_NE(text.find("token                set "), std::string::npos) << text;
  EXPECT_NE(text.find("environment HOLDFAST_TOKEN"), std::string::npos) << text;
}

TEST_F(ReportTest, AValueCannotBreakItsLine) {
  set("HOLDFAST_SHELL", "a\nlisten\x1b[2J");
  EXPECT_NE(report(*load()).find("shell                a?listen?[2J"), std::string::npos);
}

}  // namespace
}  // namespace config
