// `holdfast config`: the settings as the real program finds them.

#include <sys/wait.h>

#include <fstream>

#include "end_to_end/keeper_fixture.h"

namespace e2e {
namespace {

class ConfigCommandTest : public KeeperTest {
 protected:
  [[nodiscard]] std::filesystem::path write(const std::string& name, const std::string& text) {
    std::ofstream(dir() / name) << text;
    return dir() / name;
  }
};

// The line of the output that begins with the key, its columns joined by one space.
std::string line_of(const std::string& output, const std::string& key) {
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(key + " ")) continue;
    std::istringstream words(line);
    std::string joined;
    for (std::string word; words >> word;) joined += (joined.empty() ? "" : " ") + word;
    return joined;
  }
  return "";
}

TEST_F(ConfigCommandTest, PrintsEverySourceAndNoSecret) {
  const auto file = write("c.toml", "log_level = \"error\"\nshell = \"fish\"\n");
  const auto env_file = write("a.env", "# settings\nPTY_ORPHAN_GRACE_PERIOD='60'\n");
  const auto outcome =
      Process({kDaemonProgram, "config", "--config", file, "--env-file", env_file, "--listen",
               "[::1]:0"},
              {"HOLDFAST_TOKEN=s3cr3t-that-is-long-enough-to-be-one", "HOLDFAST_SHELL=zsh"})
          .wait();
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  EXPECT_EQ(line_of(outcome.output, "listen"), "listen [::1]:0 flag --listen");
  EXPECT_EQ(line_of(outcome.output, "shell"), "shell zsh environment HOLDFAST_SHELL");
  EXPECT_EQ(line_of(outcome.output, "log_level"), "log_level error " + file.native() + ":1");
  EXPECT_EQ(line_of(outcome.output, "orphan_grace_period"),
            "orphan_grace_period 60s " + env_file.native() + ":2");
  EXPECT_EQ(line_of(outcome.output, "output_buffer_size"), "output_buffer_size 262144 default");
  EXPECT_EQ(line_of(outcome.output, "token"), "token set environment HOLDFAST_TOKEN");
  EXPECT_EQ(outcome.output.find("s3cr3t"), std::string::npos);
}

TEST_F(ConfigCommandTest, AMistakeStopsBothCommandsWithItsLine) {
  const auto file = write("c.toml", "\nlistne = \"127.0.0.1:1\"\n");
  for (const auto* command : {"config", "serve"}) {
    const auto outcome = Process({kDaemonProgram, command, "--config", file}).wait();
    EXPECT_TRUE(WIFEXITED(outcome.status) && WEXITSTATUS(outcome.status) == 1) << outcome.status;
    EXPECT_NE(
        outcome.output.find("holdfast: " + file.native() +
                            ":2: unknown key \"listne\"; did you mean \"listen\"? Known keys: "),
        std::string::npos)
        << outcome.output;
  }
}

}  // namespace
}  // namespace e2e
