#include "cli/attached_environment.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "base/test_temp_dir.h"

namespace cli {
namespace {

class AttachedEnvironmentTest : public testing::Test {
 protected:
  AttachedEnvironmentTest() : dir_(keeper::RuntimeDir::make(temp_ / "run").value()) {}

  void keep(Variables own) {
    const auto kept = keep_environment(dir_, [&](std::string_view name) {
      const auto found = own.find(std::string(name));
      return found == own.end() ? "" : found->second;
    });
    EXPECT_TRUE(kept) << kept.error().message();
  }
  std::filesystem::path agent() const { return dir_.path() / "agent.sock"; }

  base::TempDir temp_;
  keeper::RuntimeDir dir_;
};

TEST_F(AttachedEnvironmentTest, TheLastOneCounts) {
  EXPECT_EQ(kept_environment(dir_).error().code, base::Code::not_found);
  keep({{"DISPLAY", ":1"}, {"SSH_AUTH_SOCK", "/tmp/agent.1"}, {"HOME", "/root"}});
  EXPECT_EQ(kept_environment(dir_).value(),
            (Variables{{"DISPLAY", ":1"}, {"SSH_AUTH_SOCK", agent()}}));
  EXPECT_EQ(std::filesystem::read_symlink(agent()), "/tmp/agent.1");
  keep({{"SSH_AUTH_SOCK", "/tmp/agent.2"}});
  EXPECT_EQ(std::filesystem::read_symlink(agent()), "/tmp/agent.2");
  EXPECT_EQ(kept_environment(dir_).value(), (Variables{{"SSH_AUTH_SOCK", agent()}}));
  keep({});
  EXPECT_FALSE(std::filesystem::is_symlink(agent()));
  EXPECT_EQ(kept_environment(dir_).value(), Variables());
  struct stat status{};
  ASSERT_EQ(::stat((dir_.path() / "environment").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(dir_.path()), {}), 1);
}

// Somebody attaches inside a terminal whose agent is the link already.
TEST_F(AttachedEnvironmentTest, TheLinkNeverLeadsToItself) {
  keep({{"SSH_AUTH_SOCK", "/tmp/agent.1"}});
  keep({{"SSH_AUTH_SOCK", agent()}});
  EXPECT_EQ(std::filesystem::read_symlink(agent()), "/tmp/agent.1");
  EXPECT_EQ(kept_environment(dir_).value(), (Variables{{"SSH_AUTH_SOCK", agent()}}));
}

TEST_F(AttachedEnvironmentTest, UnsoundValuesAreLeftOut) {
  keep({{"DISPLAY", ":0\nPATH=/evil"},
        {"XAUTHORITY", "\x1b[2J"},
        {"WAYLAND_DISPLAY", "\xff"},
        {"SSH_AUTH_SOCK", "relative"},
        {"SSH_CONNECTION", std::string(5000, '1')}});
  EXPECT_EQ(kept_environment(dir_).value(), Variables());
  std::ofstream(dir_.path() / "environment")
      << "PATH=/evil\nDISPLAY=\x1b\nnonsense\n=\nXAUTHORITY=/x";
  EXPECT_EQ(kept_environment(dir_).value(), (Variables{{"XAUTHORITY", "/x"}}));
}

TEST_F(AttachedEnvironmentTest, ShellsTakeThemAsText) {
  const Variables variables{{"DISPLAY", "it's $(x) \\"}};
  EXPECT_EQ(for_sh(variables),
            "export DISPLAY='it'\\''s $(x) \\'\nunset SSH_AUTH_SOCK\nunset SSH_CONNECTION\n"
            "unset WAYLAND_DISPLAY\nunset XAUTHORITY\n");
  EXPECT_TRUE(
      for_fish(variables).starts_with("set -gx DISPLAY 'it\\'s $(x) \\\\';\n"
                                      "set -e SSH_AUTH_SOCK;\n"));
}

}  // namespace
}  // namespace cli
