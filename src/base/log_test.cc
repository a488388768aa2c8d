#include "base/log.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "base/log_bound.h"

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
  EXPECT_EQ(format_log_line("m", {{"name",
                                   "\xc2\x9b"
                                   "2J"}}),
            "m name=\"\\u009b2J\"");
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

// A keeper once blocked on a full stderr pipe, and every terminal with it.
TEST(LogTest, AFullPipeDoesNotBlock) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const int saved = ::dup(STDERR_FILENO);
  ::dup2(ends[1], STDERR_FILENO);
  const std::string long_text(1000, 'x');
  for (int i = 0; i < 200; ++i) log(Level::info, "many lines", {{"text", long_text}});
  std::string read(1 << 20, '\0');
  EXPECT_GT(::read(ends[0], read.data(), read.size()), 0);
  log(Level::info, "after");
  const ssize_t size = ::read(ends[0], read.data(), read.size());
  ::dup2(saved, STDERR_FILENO);
  for (const int fd : {saved, ends[0], ends[1]}) ::close(fd);
  ASSERT_GT(size, 0);
  EXPECT_NE(read.substr(0, size).find("log lines dropped"), std::string::npos);
}

// A log file that nobody looks at must not fill the disk.
TEST(LogTest, AFileThatHasGrownIsReplaced) {
  const int saved = ::dup(STDERR_FILENO);
  std::string name = "/tmp/holdfast-log-XXXXXX";
  const int file = ::mkstemp(name.data());
  ::dup2(file, STDERR_FILENO);
  int replaced = 0;
  off_t longest = 0;
  bound_log(10'000, [&] {
    ++replaced;
    longest = std::max(longest, ::lseek(file, 0, SEEK_END));
    EXPECT_EQ(::ftruncate(file, 0), 0);
    EXPECT_EQ(::lseek(file, 0, SEEK_SET), 0);
  });
  const std::string text(400, 'x');
  for (int i = 0; i < 100; ++i) log(Level::info, "many lines", {{"text", text}});
  bound_log(0, {});
  ::dup2(saved, STDERR_FILENO);
  for (const int fd : {saved, file}) ::close(fd);
  ::unlink(name.c_str());
  EXPECT_GE(replaced, 4);
  EXPECT_LT(longest, 11'000);
}

}  // namespace
}  // namespace base
