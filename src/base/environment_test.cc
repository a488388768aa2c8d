#include "base/environment.h"

#include <gtest/gtest.h>

namespace base {
namespace {

TEST(EnvironmentTest, TheRuntimeDirIsTheOneThatIsNamedElseTheSessionsElseOneInTmp) {
  const auto both = [](std::string_view name) {
    return std::string(name == "HOLDFAST_RUNTIME_DIR" ? "/named" : "/run/user/1");
  };
  const auto session = [](std::string_view name) {
    return std::string(name == "XDG_RUNTIME_DIR" ? "/run/user/1" : "");
  };
  const auto neither = [](std::string_view) { return std::string(); };
  EXPECT_EQ(default_runtime_dir(both, 1), "/named");
  EXPECT_EQ(default_runtime_dir(session, 1), "/run/user/1/holdfast");
  EXPECT_EQ(default_runtime_dir(neither, 1), "/tmp/holdfast-1");
}

// Not in /tmp, where anybody could create it first. Not in XDG_RUNTIME_DIR, which sudo may leave
// set to the caller's.
TEST(EnvironmentTest, RootsRuntimeDirIsInRun) {
  const auto session = [](std::string_view name) {
    return std::string(name == "XDG_RUNTIME_DIR" ? "/run/user/1" : "");
  };
  EXPECT_EQ(default_runtime_dir(session, 0), "/run/holdfast");
  const auto named = [](std::string_view) { return std::string("/named"); };
  EXPECT_EQ(default_runtime_dir(named, 0), "/named");
}

TEST(EnvironmentTest, TheProcesssOwnIsReadAndWhatIsNotSetIsEmpty) {
  EXPECT_FALSE(process_environment()("PATH").empty());
  EXPECT_EQ(process_environment()("HOLDFAST_NO_SUCH_VARIABLE"), "");
}

}  // namespace
}  // namespace base
