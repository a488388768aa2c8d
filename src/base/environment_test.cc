#include "base/environment.h"

#include <gtest/gtest.h>
#include <unistd.h>

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
  EXPECT_EQ(default_runtime_dir(both), "/named");
  EXPECT_EQ(default_runtime_dir(session), "/run/user/1/holdfast");
  EXPECT_EQ(default_runtime_dir(neither), "/tmp/holdfast-" + std::to_string(::geteuid()));
}

TEST(EnvironmentTest, TheProcesssOwnIsReadAndWhatIsNotSetIsEmpty) {
  EXPECT_FALSE(process_environment()("PATH").empty());
  EXPECT_EQ(process_environment()("HOLDFAST_NO_SUCH_VARIABLE"), "");
}

}  // namespace
}  // namespace base
