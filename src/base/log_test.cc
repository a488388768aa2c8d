#include "base/log.h"

#include <gtest/gtest.h>

#include <string>

namespace base {
namespace {

TEST(LogTest, FieldsFollowTheMessage) {
  EXPECT_EQ(format_log_line("spawned", {{"id", "a1"}, {"pid", 4711}, {"ok", true}}),
            "spawned id=a1 pid=4711 ok=1");
}

TEST(LogTest, AValueCannotForgeAFieldOrALine) {
  EXPECT_EQ(format_log_line("m", {{"name", "x\n2026 error y=1"}}),
            "m name=\"x\\x0a2026 error y=1\"");
  EXPECT_EQ(format_log_line("m", {{"name", "say \"hi\" \\"}}), "m name=\"say \\\"hi\\\" \\\\\"");
  EXPECT_EQ(format_log_line("m", {{"name", ""}}), "m name=\"\"");
}

TEST(LogTest, BelowTheLevelNothingIsPrinted) {
  set_log_level(Level::warning);
  testing::internal::CaptureStderr();
  log(Level::info, "quiet");
  log(Level::warning, "loud", {{"why", errno_error(2, "open x")}});
  const std::string printed = testing::internal::GetCapturedStderr();
  set_log_level(Level::info);
  EXPECT_EQ(printed.find("quiet"), std::string::npos);
  EXPECT_NE(printed.find("warning loud why=\"open x: No such file or directory\""),
            std::string::npos)
      << printed;
}

}  // namespace
}  // namespace base
