#include "base/error.h"

#include <gtest/gtest.h>

#include <cerrno>

#include "base/result.h"

namespace base {
namespace {

TEST(ErrorTest, ErrnoSaysWhatWasTriedAndWhy) {
  const Error error = errno_error(ENOENT, "open /nowhere", "Create it first.");
  EXPECT_EQ(error.code, Code::not_found);
  EXPECT_EQ(error.sys_errno, ENOENT);
  EXPECT_EQ(error.message(), "open /nowhere: No such file or directory. Create it first.");
}

TEST(ErrorTest, AdviceIsOptional) {
  const Result<int> result = fail(Code::busy, "a keeper is already running");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message(), "a keeper is already running");
}

TEST(ErrorTest, EveryCodeHasAName) {
  for (int code = 0; code <= static_cast<int>(Code::io); ++code)
    EXPECT_NE(to_string(static_cast<Code>(code)), "unknown error");
}

}  // namespace
}  // namespace base
