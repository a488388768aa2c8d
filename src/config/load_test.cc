#include "config/load.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "config/test_surroundings.h"

namespace config {
namespace {

class LoadTest : public ::testing::Test, public TestSurroundings {};

TEST_F(LoadTest, WithoutAnySourceEverythingHasItsDefault) {
  const auto config = load();
  ASSERT_TRUE(config) << config.error().message();
  EXPECT_EQ(config->listen, (Endpoint{"127.0.0.1", 7420}));
  EXPECT_EQ(config->state_dir, home() / ".local/state/holdfast");
  EXPECT_EQ(config->runtime_dir, base::default_runtime_dir(surroundings().environment));
  EXPECT_FALSE(config->token.is_set());
  EXPECT_EQ(config->orphan_grace_period, Duration(0));
  EXPECT_EQ(config->output_buffer_size, 262144U);
  EXPECT_EQ(config->history_size, 262144U);
  EXPECT_EQ(config->input_limit, 8U * 1024 * 1024);
  EXPECT_EQ(config->shell, "/bin/account-shell");
  EXPECT_TRUE(config->allowed_hosts.empty());
  EXPECT_TRUE(config->allowed_origins.empty());
  EXPECT_EQ(config->ping_interval, std::chrono::seconds(30));
  EXPECT_EQ(config->ping_timeout, std::chrono::seconds(90));
  EXPECT_EQ(config->log_level, base::Level::info);
  EXPECT_EQ(config->origins.size(), settings().size());
  for (const auto& [key, origin] : config->origins) EXPECT_EQ(origin, "default") << key;
}

TEST_F(LoadTest, DefaultsFollowTheSurroundings) {
  set("XDG_STATE_HOME", "/state");
  set("XDG_RUNTIME_DIR", "/run/user/7");
  set("SHELL", "/bin/fish");
  set("PTY_OUTPUT_BUFFER_SIZE", "65536");
  const auto config = load();
  ASSERT_TRUE(config) << config.error().message();
  EXPECT_EQ(config->state_dir, "/state/holdfast");
  EXPECT_EQ(config->runtime_dir, ::geteuid() == 0 ? "/run/holdfast" : "/run/user/7/holdfast");
  EXPECT_EQ(config->shell, "/bin/fish");
  EXPECT_EQ(config->history_size, 65536U);
  EXPECT_EQ(config->origins.at("history_size"), "default");
}

TEST_F(LoadTest, ARelativeXdgDirectoryDoesNotCount) {
  set("XDG_STATE_HOME", "state");
  set("XDG_CONFIG_HOME", ".");
  write(user_file(), "shell = 'fish'");
  const auto config = load();
  ASSERT_TRUE(config) << config.error().message();
  EXPECT_EQ(config->state_dir, home() / ".local/state/holdfast");
  EXPECT_EQ(config->shell, "fish");
}

TEST_F(LoadTest, EverySourceIsStrongerThanTheOnesBeforeIt) {
  const auto source_and_origin = [this] {
    const auto config = load();
    return config ? config->shell + " from " + config->origins.at("shell")
                  : config.error().message();
  };
  EXPECT_EQ(source_and_origin(), "/bin/account-shell from default");
  write(system_file(), "shell = 'system'");
  EXPECT_EQ(source_and_origin(), "system from " + system_file().native() + ":1");
  write(user_file(), "\nshell = 'user'");
  EXPECT_EQ(source_and_origin(), "user from " + user_file().native() + ":2");
  write(env_file(), "# ours\n\nHOLDFAST_SHELL='env file'");
  EXPECT_EQ(source_and_origin(), "env file from " + env_file().native() + ":3");
  set("HOLDFAST_SHELL", "environment");
  EXPECT_EQ(source_and_origin(), "environment from environment HOLDFAST_SHELL");
  line.flags["shell"] = "flag";
  EXPECT_EQ(source_and_origin(), "flag from flag --shell");
}

TEST_F(LoadTest, AWeakerSourceStillGivesWhatAStrongerOneDoesNotMention) {
  write(system_file(), "listen = '[::1]:1'\nshell = 'system'");
  write(user_file(), "shell = 'user'");
  const auto config = load();
  ASSERT_TRUE(config) << config.error().message();
  EXPECT_EQ(config->listen, (Endpoint{"::1", 1}));
  EXPECT_EQ(config->shell, "user");
}

TEST_F(LoadTest, XdgConfigHomeIsHonoured) {
  set("XDG_CONFIG_HOME", root() / "xdg");
  write(user_file(), "shell = 'home'");
  write(root() / "xdg/holdfast/config.toml", "shell = 'xdg'");
  EXPECT_EQ(load()->shell, "xdg");
}

TEST_F(LoadTest, ANamedFileReplacesTheUsualTwo) {
  write(system_file(), "not TOML");
  write(user_file(), "not TOML");
  line.config_file = write(root() / "mine.toml", "log_level = 'debug'");
  const auto config = load();
  ASSERT_TRUE(config) << config.error().message();
  EXPECT_EQ(config->log_level, base::Level::debug);
}

TEST_F(LoadTest, ANamedFileBeginsAtTheCurrentDirectoryAndMustExist) {
  write(root() / "work/mine.toml", "shell = 'mine'");
  write(root() / "work/mine.env", "HOLDFAST_LOG_LEVEL=error");
  line.config_file = "mine.toml";
  line.env_file = "mine.env";
  EXPECT_EQ(load()->shell, "mine");
  EXPECT_EQ(load()->log_level, base::Level::error);
  line.config_file = "/nowhere/c.toml";
  EXPECT_EQ(error(),
            "read /nowhere/c.toml: No such file or directory. Choose another file with --config, "
            "or none with --config /dev/null.");
}

TEST_F(LoadTest, ANamedEnvFileReplacesTheUsualOneAndMustExist) {
  write(env_file(), "HOLDFAST_SHELL=usual");
  line.env_file = write(root() / "mine.env", "export HOLDFAST_SHELL=mine");
  EXPECT_EQ(load()->shell, "mine");
  line.env_file = "/dev/null";
  EXPECT_EQ(load()->shell, "/bin/account-shell");
  line.env_file = "/nowhere/agent.env";
  EXPECT_EQ(error(),
            "read /nowhere/agent.env: No such file or directory. Choose another file with "
            "--env-file, or none with --env-file /dev/null.");
}

TEST_F(LoadTest, TheEnvFileMayServeOthersToo) {
  write(env_file(),
        "OTHERS_KEY=x\nsome garbage\nPTY_ORPHAN_GRACE_PERIOD=60\nPTY_OUTPUT_BUFFER_SIZE=8192\n");
  const auto config = load();
  ASSERT_TRUE(config) << config.error().message();
  EXPECT_EQ(config->orphan_grace_period, std::chrono::seconds(60));
  EXPECT_EQ(config->output_buffer_size, 8192U);
}

TEST_F(LoadTest, InTheEnvFileTheLastAssignmentCounts) {
  write(env_file(), "HOLDFAST_SHELL=first\nHOLDFAST_SHELL=second");
  EXPECT_EQ(load()->shell, "second");
}

TEST_F(LoadTest, AFileThatIsThereAndCannotBeReadIsAnError) {
  std::filesystem::create_directories(user_file());
  EXPECT_EQ(error(), "read " + user_file().native() +
                         ": Is a directory. Choose another file with --config, or none with "
                         "--config /dev/null.");
  std::filesystem::remove(user_file());
  std::filesystem::create_directories(env_file());
  EXPECT_TRUE(error().starts_with("read " + env_file().native() + ": Is a directory.")) << error();
  line.env_file = "/dev/zero";
  EXPECT_TRUE(error().starts_with("/dev/zero is larger than 1 MiB")) << error();
}

TEST_F(LoadTest, AnEmptyVariableCountsAsNotSet) {
  write(env_file(), "PTY_ORPHAN_GRACE_PERIOD=\nHOLDFAST_TOKEN=\"\"");
  set("HOLDFAST_LISTEN", "");
  const auto config = load();
  ASSERT_TRUE(config) << config.error().message();
  EXPECT_EQ(config->origins.at("listen"), "default");
  EXPECT_EQ(config->origins.at("orphan_grace_period"), "default");
  EXPECT_FALSE(config->token.is_set());
}

TEST_F(LoadTest, EveryVariableIsRead) {
  const std::map<std::string_view, std::string> texts = {{"listen", "0.0.0.0:0"},
                                                         {"state_dir", "/s"},
                                                         {"tls_certificate", "/c.pem"},
                                                         {"tls_key", "/k.pem"},
                                                         {"behind_proxy", "true"},
                                                         {"runtime_dir", "/r"},
                                                         {"start_keeper", "false"},
                                                         {"token", std::string(32, 's')},
                                                         {"shell", "zsh"},
                                                         {"orphan_grace_period", "0.2"},
                                                         {"output_buffer_size", "4096"},
                                                         {"history_size", "0"},
                                                         {"save_history", "false"},
                                                         {"files", "false"},
                                                         {"file_size_limit", "8 GiB"},
                                                         {"shell_integration", "false"},
                                                         {"leases_yield", "false"},
                                                         {"input_limit", "1 MiB"},
                                                         {"allowed_hosts", "a,b"},
                                                         {"ping_interval", "0.5"},
                                                         {"ping_timeout", "1m"},
                                                         {"allowed_origins", "https://a"},
                                                         {"jwt_key_file", "/jwks"},
                                                         {"jwt_issuer", "https://i"},
                                                         {"jwt_audience", "holdfast"},
                                                         {"jwt_user_claim", "name"},
                                                         {"trusted_user_header", "X-User"},
                                                         {"proxy_secret", std::string(32, 'p')},
                                                         {"sign_in_lifetime", "1h"},
                                                         {"vouched_connection_lifetime", "2h"},
                                                         {"extensions", "/a.ts,/b"},
                                                         {"extensions_dir", "/e"},
                                                         {"node", "/usr/bin/node"},
                                                         {"extension_isolation", "process"},
                                                         {"extension_memory", "64 MiB"},
                                                         {"extension_stuck_after", "2"},
                                                         {"user_accounts", "true"},
                                                         {"account_uid_minimum", "500"},
                                                         {"terminal_open_files", "64"},
                                                         {"terminal_address_space", "1 GiB"},
                                                         {"terminal_cpu_time", "1h"},
                                                         {"terminal_core_dumps", "false"},
                                                         {"terminal_account_processes", "99"},
                                                         {"terminal_memory", "2 GiB"},
                                                         {"terminal_processes", "98"},
                                                         {"log_level", "warning"}};
  for (const Setting& setting : settings()) {
    const bool is_limit = setting.key.ends_with("_limit") && !texts.contains(setting.key);
    set(std::string(setting.environment),
        is_limit ? std::string(setting.standard) : texts.at(setting.key));
  }
  const auto config = load();
  ASSERT_TRUE(config) << config.error().message();
  for (const Setting& setting : settings())
    EXPECT_EQ(config->origins.at(setting.key), "environment " + std::string(setting.environment));
  EXPECT_EQ(config->listen.str(), "0.0.0.0:0");
  EXPECT_EQ(config->token.value, std::string(32, 's'));
  EXPECT_EQ(config->orphan_grace_period, Duration(200));
  EXPECT_EQ(config->history_size, 0U);
  EXPECT_FALSE(config->save_history);
  EXPECT_FALSE(config->shell_integration);
  EXPECT_FALSE(config->start_keeper);
  EXPECT_EQ(config->allowed_hosts, (List{"a", "b"}));
  EXPECT_EQ(config->allowed_origins, (List{"https://a"}));
  EXPECT_EQ(config->ping_timeout, std::chrono::minutes(1));
}

TEST_F(LoadTest, AnAddressThatOthersCanReachNeedsTlsOrAProxy) {
  for (const char* address : {"127.0.0.1:0", "127.1.2.3:0", "[::1]:0"}) {
    line.flags["listen"] = address;
    EXPECT_EQ(error(), "") << address;
  }
  for (const char* address : {"0.0.0.0:0", "[::]:7420", "192.168.1.2:7420", "128.0.0.1:1"}) {
    line.flags["listen"] = address;
    EXPECT_TRUE(error().starts_with("flag --listen: other machines can reach " +
                                    std::string(address) + ", and without TLS"))
        << error();
    EXPECT_NE(error().find("--behind-proxy"), std::string::npos) << error();
  }
  line.flags["behind_proxy"] = "true";
  EXPECT_EQ(error(), "");
  line.flags.erase("behind_proxy");
  line.flags["tls_certificate"] = "c.pem";
  EXPECT_EQ(error(),
            "only one of tls_certificate and tls_key is set. Set both, or neither to run "
            "without TLS.");
  line.flags["tls_key"] = "k.pem";
  EXPECT_EQ(error(), "");
}

TEST_F(LoadTest, WhatLetsPeopleInIsSetWhole) {
  line.flags["jwt_key_file"] = "jwks.json";
  EXPECT_TRUE(error().starts_with("jwt_key_file is set without jwt_issuer")) << error();
  line.flags["jwt_issuer"] = "https://i";
  EXPECT_NE(error(), "");
  line.flags["jwt_audience"] = "holdfast";
  EXPECT_EQ(error(), "");
  line.flags["trusted_user_header"] = "X-User";
  EXPECT_TRUE(error().starts_with("only one of trusted_user_header and proxy_secret")) << error();
  set("HOLDFAST_PROXY_SECRET", std::string(32, 'p'));
  EXPECT_EQ(error(), "");
}

TEST_F(LoadTest, ARelativePathBeginsWhereItIsWritten) {
  write(user_file(), "state_dir = 'data'");
  EXPECT_EQ(load()->state_dir, user_file().parent_path() / "data");
  write(env_file(), "HOLDFAST_STATE_DIR=data");
  EXPECT_EQ(load()->state_dir, env_file().parent_path() / "data");
  set("HOLDFAST_STATE_DIR", "data");
  EXPECT_EQ(load()->state_dir, root() / "work/data");
  line.flags["state_dir"] = "~/data";
  EXPECT_EQ(load()->state_dir, home() / "data");
}

TEST_F(LoadTest, ABadValueIsToldWithItsSourceAndWhatIsAllowed) {
  const std::string allowed =
      "Allowed: seconds, such as 30 or 0.5, or units, such as 1h30m; from 0s to 315360000s.";
  line.flags["orphan_grace_period"] = "abc";
  EXPECT_EQ(error(),
            "flag --orphan-grace-period: orphan_grace_period cannot be \"abc\". " + allowed);
  set("PTY_ORPHAN_GRACE_PERIOD", "-1");
  EXPECT_EQ(error(), "environment PTY_ORPHAN_GRACE_PERIOD: orphan_grace_period cannot be \"-1\". " +
                         allowed);
  write(env_file(), "\nPTY_ORPHAN_GRACE_PERIOD=soon");
  EXPECT_EQ(error(),
            env_file().native() + ":2: orphan_grace_period cannot be \"soon\". " + allowed);
  write(user_file(), "orphan_grace_period = -0.5");
  EXPECT_EQ(error(),
            user_file().native() + ":1: orphan_grace_period cannot be \"-0.5\". " + allowed);
}

TEST_F(LoadTest, EverySettingRefusesWhatItCannotBe) {
  const std::map<std::string_view, std::string> bad = {{"listen", "localhost:80"},
                                                       {"orphan_grace_period", "-1"},
                                                       {"output_buffer_size", "4095"},
                                                       {"history_size", "-1"},
                                                       {"input_limit", "1"},
                                                       {"ping_interval", "0"},
                                                       {"ping_timeout", "0"},
                                                       {"log_level", "loud"},
                                                       {"state_dir", ""},
                                                       {"runtime_dir", ""},
                                                       {"shell", ""}};
  for (const auto& [key, text] : bad) {
    line.flags = {{key, text}};
    EXPECT_NE(error().find(std::string(key) + " cannot be \"" + text + "\". Allowed: "),
              std::string::npos)
        << key << ": " << error();
  }
  line.flags = {{"output_buffer_size", "67108865"}};
  EXPECT_EQ(error(),
            "flag --output-buffer-size: output_buffer_size cannot be \"67108865\". Allowed: bytes, "
            "such as 262144 or \"256 KiB\"; from 4 KiB to 64 MiB.");
}

TEST_F(LoadTest, AMistakeCountsEvenWhereAStrongerSourceHasAnotherValue) {
  write(user_file(), "log_level = 'loud'");
  line.flags["log_level"] = "info";
  EXPECT_EQ(error(), user_file().native() +
                         ":1: log_level cannot be \"loud\". Allowed: one of debug, info, warning, "
                         "error.");
}

TEST_F(LoadTest, ABadTokenIsNotRepeated) {
  set("HOLDFAST_TOKEN", "two words");
  EXPECT_EQ(
      error(),
      "environment HOLDFAST_TOKEN: token is not valid. Allowed: at least 32 "
      "printable ASCII characters without spaces, such as the output of `openssl rand -hex 32`.");
}

TEST_F(LoadTest, WithoutAHomeOnlyWhatNeedsOneFails) {
  auto homeless = surroundings();
  homeless.home.clear();
  const auto failed = config::load(line, homeless);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().message(),
            "cannot find the home directory for the default of state_dir. Set HOME, or set "
            "state_dir with --state-dir.");
  line.flags["state_dir"] = "/s";
  EXPECT_TRUE(config::load(line, homeless));
}

TEST_F(LoadTest, WithoutAnyShellItIsSh) {
  auto bare = surroundings();
  bare.account_shell.clear();
  EXPECT_EQ(config::load(line, bare)->shell, "/bin/sh");
}

TEST(ProcessSurroundingsTest, AreThoseOfThisProcess) {
  const auto around = process_surroundings();
  EXPECT_EQ(around.directory, std::filesystem::current_path());
  EXPECT_EQ(around.system_file, "/etc/holdfast/config.toml");
  EXPECT_EQ(around.env_file, "/etc/workspace/agent.env");
  EXPECT_FALSE(around.home.empty());
}

}  // namespace
}  // namespace config
