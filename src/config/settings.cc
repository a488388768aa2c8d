#include <cstdint>

#include "config/setting.h"

namespace config {
namespace {

constexpr std::int64_t kKiB = 1024;
constexpr std::int64_t kMiB = 1024 * kKiB;
constexpr std::int64_t kSecond = 1000;
constexpr std::int64_t kDay = 24 * 3600 * kSecond;

std::string default_state_dir(const Surroundings& around, const Config&) {
  const std::filesystem::path state_home = around.environment("XDG_STATE_HOME");
  if (state_home.is_absolute()) return state_home / "holdfast";
  return around.home.empty() ? "" : around.home / ".local/state/holdfast";
}

std::string default_runtime_dir(const Surroundings& around, const Config&) {
  return base::default_runtime_dir(around.environment);
}

std::string default_history_size(const Surroundings&, const Config& config) {
  return std::to_string(config.output_buffer_size);
}

std::string default_extensions_dir(const Surroundings& around, const Config&) {
  const std::filesystem::path config_home = around.environment("XDG_CONFIG_HOME");
  if (config_home.is_absolute()) return config_home / "holdfast/extensions";
  return around.home.empty() ? "" : around.home / ".config/holdfast/extensions";
}

std::string default_shell(const Surroundings& around, const Config&) {
  if (auto shell = around.environment("SHELL"); !shell.empty()) return shell;
  return around.account_shell.empty() ? "/bin/sh" : around.account_shell;
}

constexpr Setting kSettings[] = {
    {.key = "listen",
     .environment = "HOLDFAST_LISTEN",
     .flag = "--listen",
     .member = &Config::listen,
     .standard = "127.0.0.1:7420",
     .meaning = "The address that browsers and programs connect to; port 0 takes a free one"},
    {.key = "state_dir",
     .environment = "HOLDFAST_STATE_DIR",
     .flag = "--state-dir",
     .member = &Config::state_dir,
     .standard = "$XDG_STATE_HOME/holdfast, else ~/.local/state/holdfast",
     .meaning = "Where sessions, users and logs are stored",
     .computed = default_state_dir},
    {.key = "runtime_dir",
     .environment = "HOLDFAST_RUNTIME_DIR",
     .flag = "--runtime-dir",
     .member = &Config::runtime_dir,
     .standard = "$XDG_RUNTIME_DIR/holdfast, else /tmp/holdfast-UID",
     .meaning = "Where the keeper's socket is",
     .computed = default_runtime_dir},
    {.key = "token",
     .environment = "HOLDFAST_TOKEN",
     .flag = "",
     .member = &Config::token,
     .standard = "",
     .meaning =
         "A token of the default user; only in the environment or the env file, never shown"},
    {.key = "orphan_grace_period",
     .environment = "PTY_ORPHAN_GRACE_PERIOD",
     .flag = "--orphan-grace-period",
     .member = &Config::orphan_grace_period,
     .standard = "0",
     .meaning = "Seconds after which a terminal that nobody views is closed; 0 is never",
     .range = {0, 3650 * kDay}},
    {.key = "output_buffer_size",
     .environment = "PTY_OUTPUT_BUFFER_SIZE",
     .flag = "--output-buffer-size",
     .member = &Config::output_buffer_size,
     .standard = "262144",
     .meaning = "Bytes of output that are kept of each terminal",
     .range = {4 * kKiB, 64 * kMiB}},
    {.key = "history_size",
     .environment = "HOLDFAST_HISTORY_SIZE",
     .flag = "--history-size",
     .member = &Config::history_size,
     .standard = "the same as output_buffer_size",
     .meaning = "Bytes for the lines of each terminal that scrolled off its screen; 0 keeps none",
     .range = {0, 512 * kMiB},
     .computed = default_history_size},
    {.key = "input_limit",
     .environment = "HOLDFAST_INPUT_LIMIT",
     .flag = "--input-limit",
     .member = &Config::input_limit,
     .standard = "8388608",
     .meaning = "Bytes of input that may wait for a program that does not read",
     .range = {4 * kKiB, 1024 * kMiB}},
    {.key = "shell",
     .environment = "HOLDFAST_SHELL",
     .flag = "--shell",
     .member = &Config::shell,
     .standard = "$SHELL, else the account's, else /bin/sh",
     .meaning = "What a new terminal runs: a path, or a name to look for in $PATH",
     .computed = default_shell},
    {.key = "allowed_hosts",
     .environment = "HOLDFAST_ALLOWED_HOSTS",
     .flag = "--allowed-hosts",
     .member = &Config::allowed_hosts,
     .standard = "",
     .meaning =
         "Host names that requests may ask for, besides the listening address and localhost"},
    {.key = "allowed_origins",
     .environment = "HOLDFAST_ALLOWED_ORIGINS",
     .flag = "--allowed-origins",
     .member = &Config::allowed_origins,
     .standard = "",
     .meaning = "Origins of pages that may connect, besides the daemon's own"},
    {.key = "ping_interval",
     .environment = "HOLDFAST_PING_INTERVAL",
     .flag = "--ping-interval",
     .member = &Config::ping_interval,
     .standard = "30",
     .meaning = "Seconds between the pings of a connection",
     .range = {kSecond / 10, kDay}},
    {.key = "ping_timeout",
     .environment = "HOLDFAST_PING_TIMEOUT",
     .flag = "--ping-timeout",
     .member = &Config::ping_timeout,
     .standard = "90",
     .meaning = "Seconds without an answer after which a connection counts as lost",
     .range = {kSecond / 10, kDay}},
    {.key = "extensions",
     .environment = "HOLDFAST_EXTENSIONS",
     .flag = "--extensions",
     .member = &Config::extensions,
     .standard = "",
     .meaning = "Files and folders that are extensions, besides those in extensions_dir"},
    {.key = "extensions_dir",
     .environment = "HOLDFAST_EXTENSIONS_DIR",
     .flag = "--extensions-dir",
     .member = &Config::extensions_dir,
     .standard = "$XDG_CONFIG_HOME/holdfast/extensions, else ~/.config/holdfast/extensions",
     .meaning = "Where every session's extensions are",
     .computed = default_extensions_dir},
    {.key = "node",
     .environment = "HOLDFAST_NODE",
     .flag = "--node",
     .member = &Config::node,
     .standard = "node",
     .meaning = "Node, for extensions: a path, or a name to look for in $PATH"},
    {.key = "extension_isolation",
     .environment = "HOLDFAST_EXTENSION_ISOLATION",
     .flag = "--extension-isolation",
     .member = &Config::extension_isolation,
     .standard = "thread",
     .meaning = "Whether a session's extensions run in a thread or in a process of their own"},
    {.key = "extension_memory",
     .environment = "HOLDFAST_EXTENSION_MEMORY",
     .flag = "--extension-memory",
     .member = &Config::extension_memory,
     .standard = "268435456",
     .meaning = "Bytes of memory that a session's extensions may take",
     .range = {16 * kMiB, 64 * 1024 * kMiB}},
    {.key = "extension_stuck_after",
     .environment = "HOLDFAST_EXTENSION_STUCK_AFTER",
     .flag = "--extension-stuck-after",
     .member = &Config::extension_stuck_after,
     .standard = "10",
     .meaning = "Seconds after which extensions that do not come to rest are started again",
     .range = {kSecond / 10, kDay}},
    {.key = "log_level",
     .environment = "HOLDFAST_LOG_LEVEL",
     .flag = "--log-level",
     .member = &Config::log_level,
     .standard = "info",
     .meaning = "The least that is logged: debug, info, warning or error"},
};

}  // namespace

std::span<const Setting> settings() {
  return kSettings;
}

Form form_of(const Setting& setting) {
  const Config config;
  return with_value(setting, config,
                    [&](const auto& value) { return form_of(value, setting.range); });
}

std::string show(const Setting& setting, const Config& config) {
  return with_value(setting, config, [](const auto& value) { return show(value); });
}

}  // namespace config
