#include "config/command_line.h"

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>

#include "config/setting.h"

namespace config {
namespace {

class CommandLineTest : public ::testing::Test {
 protected:
  CommandLineTest() { add_flags(app_, line_); }
  // CLI11 wants the arguments in reverse order.
  void parse(std::vector<std::string> arguments) {
    std::reverse(arguments.begin(), arguments.end());
    app_.parse(std::move(arguments));
  }

  CLI::App app_;
  CommandLine line_;
};

TEST_F(CommandLineTest, NothingGivenIsNothingSaid) {
  parse({});
  EXPECT_TRUE(line_.flags.empty());
  EXPECT_FALSE(line_.config_file);
  EXPECT_FALSE(line_.env_file);
}

TEST_F(CommandLineTest, EveryFlagReachesItsSetting) {
  std::vector<std::string> arguments{"--config", "c.toml", "--env-file", "e.env"};
  for (const Setting& setting : settings())
    if (!setting.flag.empty())
      arguments.push_back(std::string(setting.flag) + "=for " + std::string(setting.key));
  parse(arguments);
  EXPECT_EQ(line_.config_file, "c.toml");
  EXPECT_EQ(line_.env_file, "e.env");
  for (const Setting& setting : settings()) {
    if (setting.flag.empty()) continue;
    EXPECT_EQ(line_.flags[setting.key], "for " + std::string(setting.key));
  }
}

TEST_F(CommandLineTest, ListsCollectAndOfTheRestTheLastCounts) {
  parse({"--allowed-hosts", "a,b", "--shell", "x", "--allowed-hosts", "c", "--shell", "y"});
  EXPECT_EQ(line_.flags["allowed_hosts"], "a,b,c");
  EXPECT_EQ(line_.flags["shell"], "y");
}

TEST_F(CommandLineTest, ANegativeNumberReachesTheReaderThatRefusesIt) {
  parse({"--orphan-grace-period", "-1"});
  EXPECT_EQ(line_.flags["orphan_grace_period"], "-1");
}

TEST_F(CommandLineTest, TheHelpTellsEverySetting) {
  const std::string help = app_.help();
  for (const Setting& setting : settings())
    for (const std::string_view part :
         {setting.flag, setting.environment, setting.standard, setting.meaning})
      EXPECT_NE(help.find(part), std::string::npos) << part << "\n" << help;
  EXPECT_NE(help.find("--config FILE"), std::string::npos);
  EXPECT_NE(help.find("--env-file FILE"), std::string::npos);
  EXPECT_NE(help.find("--listen ADDRESS:PORT"), std::string::npos);
}

TEST_F(CommandLineTest, ThereIsNoFlagForASecret) {
  EXPECT_THROW(parse({"--token", "s3cr3t"}), CLI::ExtrasError);
}

}  // namespace
}  // namespace config
