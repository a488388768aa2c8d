#include "session/shell_integration.h"

#include <gtest/gtest.h>

namespace session {
namespace {

using Texts = std::vector<std::string>;

Texts integrated(const Texts& command, Texts environment) {
  if (is_integrated_shell("/usr/bin", Readers::all, command))
    integrate_shell("/usr/bin", command, environment);
  return environment;
}

TEST(ShellIntegrationTest, BashReadsItAsEnv) {
  EXPECT_EQ(integrated({"/bin/bash"}, {"A=1"}),
            (Texts{"A=1", "ENV=/usr/bin/bash/holdfast.bash", "POSIXLY_CORRECT=y"}));
  EXPECT_EQ(integrated({"bash", "-l"}, {"ENV=/mine", "ENVY=2"}),
            (Texts{"ENVY=2", "HOLDFAST_SHELL_ENV=/mine", "ENV=/usr/bin/bash/holdfast.bash",
                   "POSIXLY_CORRECT=y"}));
}

TEST(ShellIntegrationTest, ZshReadsItInZdotdir) {
  EXPECT_EQ(integrated({"zsh", "-il"}, {}), (Texts{"ZDOTDIR=/usr/bin/zsh"}));
  EXPECT_EQ(integrated({"zsh"}, {"ZDOTDIR=/old", "ZDOTDIR=/mine"}),
            (Texts{"HOLDFAST_SHELL_ZDOTDIR=/mine", "ZDOTDIR=/usr/bin/zsh"}));
}

TEST(ShellIntegrationTest, FishReadsItAmongItsData) {
  EXPECT_EQ(integrated({"fish", "--login"}, {}),
            (Texts{"HOLDFAST_SHELL_DATA=", "XDG_DATA_DIRS=/usr/bin:/usr/local/share:/usr/share"}));
  EXPECT_EQ(integrated({"fish"}, {"XDG_DATA_DIRS=/a:/b"}),
            (Texts{"HOLDFAST_SHELL_DATA=/a:/b", "XDG_DATA_DIRS=/usr/bin:/a:/b"}));
}

TEST(ShellIntegrationTest, EverythingElseIsLeftAlone) {
  const Texts environment{"A=1"};
  for (const Texts& command :
       {Texts{}, Texts{"vi"}, Texts{"sh"}, Texts{"/bin/dash", "-i"}, Texts{"bash", "-c", "ls"},
        Texts{"bash", "--norc"}, Texts{"bash", "script"}, Texts{"zsh", "-f"},
        Texts{"fish", "-c", "ls"}, Texts{"bash", "--rcfile", "x"}, Texts{"bash", "--posix"}})
    EXPECT_EQ(integrated(command, environment), environment);
  EXPECT_EQ(integrated({"bash"}, {"POSIXLY_CORRECT=1"}), Texts{"POSIXLY_CORRECT=1"});
}

}  // namespace
}  // namespace session
