#include <cstdint>

#include "config/setting.h"

namespace config {
namespace {

constexpr std::int64_t kKiB = 1024;
constexpr std::int64_t kMiB = 1024 * kKiB;
constexpr std::int64_t kMillion = 1'000'000;
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

std::string default_extensions_dir(const Surroundings& around, const Config& config) {
  const std::filesystem::path config_home = around.environment("XDG_CONFIG_HOME");
  if (config_home.is_absolute()) return config_home / "holdfast/extensions";
  return around.home.empty() ? config.state_dir / "extensions"
                             : around.home / ".config/holdfast/extensions";
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
    {.key = "tls_certificate",
     .environment = "HOLDFAST_TLS_CERTIFICATE",
     .flag = "--tls-certificate",
     .member = &Config::tls_certificate,
     .standard = "",
     .meaning =
         "The PEM file of the certificate that TLS is spoken with; read again when it changes"},
    {.key = "tls_key",
     .environment = "HOLDFAST_TLS_KEY",
     .flag = "--tls-key",
     .member = &Config::tls_key,
     .standard = "",
     .meaning = "The PEM file of its key"},
    {.key = "behind_proxy",
     .environment = "HOLDFAST_BEHIND_PROXY",
     .flag = "--behind-proxy",
     .member = &Config::behind_proxy,
     .standard = "false",
     .meaning = "Whether a proxy speaks TLS for the daemon, and its X-Forwarded-For and "
                "X-Forwarded-Proto count"},
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
     .meaning = "A token of the default user; only in the environment or the env file, never shown",
     .change = Change::at_once},
    {.key = "orphan_grace_period",
     .environment = "PTY_ORPHAN_GRACE_PERIOD",
     .flag = "--orphan-grace-period",
     .member = &Config::orphan_grace_period,
     .standard = "0",
     .meaning = "Seconds after which a terminal that nobody views is closed; 0 is never",
     .range = {0, 3650 * kDay},
     .change = Change::at_once},
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
    {.key = "save_history",
     .environment = "HOLDFAST_SAVE_HISTORY",
     .flag = "--save-history",
     .member = &Config::save_history,
     .standard = "true",
     .meaning = "Whether what terminals show is saved on disk, so that a reboot leaves it; false "
                "removes what was saved",
     .change = Change::at_once},
    {.key = "input_limit",
     .environment = "HOLDFAST_INPUT_LIMIT",
     .flag = "--input-limit",
     .member = &Config::input_limit,
     .standard = "8388608",
     .meaning = "Bytes of input that may wait for a program that does not read",
     .range = {4 * kKiB, 1024 * kMiB}},
    {.key = "message_size_limit",
     .environment = "HOLDFAST_MESSAGE_SIZE_LIMIT",
     .flag = "--message-size-limit",
     .member = &Config::message_size_limit,
     .standard = "1048576",
     .meaning = "Bytes of one message",
     .range = {kKiB, 16 * kMiB},
     .change = Change::at_once},
    {.key = "message_rate_limit",
     .environment = "HOLDFAST_MESSAGE_RATE_LIMIT",
     .flag = "--message-rate-limit",
     .member = &Config::message_rate_limit,
     .standard = "1000",
     .meaning = "Messages a second of one connection",
     .range = {1, kMillion},
     .change = Change::at_once},
    {.key = "message_burst_limit",
     .environment = "HOLDFAST_MESSAGE_BURST_LIMIT",
     .flag = "--message-burst-limit",
     .member = &Config::message_burst_limit,
     .standard = "5000",
     .meaning = "Messages that one connection may send at once after a pause",
     .range = {1, kMillion},
     .change = Change::at_once},
    {.key = "user_connection_limit",
     .environment = "HOLDFAST_USER_CONNECTION_LIMIT",
     .flag = "--user-connection-limit",
     .member = &Config::user_connection_limit,
     .standard = "256",
     .meaning = "Connections of one user",
     .range = {1, kMillion},
     .change = Change::at_once},
    {.key = "address_connection_limit",
     .environment = "HOLDFAST_ADDRESS_CONNECTION_LIMIT",
     .flag = "--address-connection-limit",
     .member = &Config::address_connection_limit,
     .standard = "1024",
     .meaning = "Connections from one address; of IPv6, from one /64 network",
     .range = {1, kMillion},
     .change = Change::at_once},
    {.key = "user_terminal_limit",
     .environment = "HOLDFAST_USER_TERMINAL_LIMIT",
     .flag = "--user-terminal-limit",
     .member = &Config::user_terminal_limit,
     .standard = "1000",
     .meaning = "Running terminals of one user",
     .range = {1, kMillion},
     .change = Change::at_once},
    {.key = "failed_sign_in_limit",
     .environment = "HOLDFAST_FAILED_SIGN_IN_LIMIT",
     .flag = "--failed-sign-in-limit",
     .member = &Config::failed_sign_in_limit,
     .standard = "10",
     .meaning = "Failed sign-ins a minute from one address",
     .range = {1, kMillion},
     .change = Change::at_once},
    {.key = "handshake_time_limit",
     .environment = "HOLDFAST_HANDSHAKE_TIME_LIMIT",
     .flag = "--handshake-time-limit",
     .member = &Config::handshake_time_limit,
     .standard = "10",
     .meaning = "Seconds that a connection may take for its first request",
     .range = {kSecond / 10, kDay},
     .change = Change::at_once},
    {.key = "viewer_limit",
     .environment = "HOLDFAST_VIEWER_LIMIT",
     .flag = "--viewer-limit",
     .member = &Config::viewer_limit,
     .standard = "1024",
     .meaning = "Viewers of one connection",
     .range = {1, kMillion},
     .change = Change::at_once},
    {.key = "send_limit",
     .environment = "HOLDFAST_SEND_LIMIT",
     .flag = "--send-limit",
     .member = &Config::send_limit,
     .standard = "8388608",
     .meaning = "Bytes that may wait for one connection that does not read",
     .range = {kMiB, 1024 * kMiB},
     .change = Change::at_once},
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
     .meaning = "Host names that requests may ask for, besides the listening address and localhost",
     .change = Change::at_once},
    {.key = "allowed_origins",
     .environment = "HOLDFAST_ALLOWED_ORIGINS",
     .flag = "--allowed-origins",
     .member = &Config::allowed_origins,
     .standard = "",
     .meaning = "Origins of pages that may connect, besides the daemon's own",
     .change = Change::at_once},
    {.key = "jwt_key_file",
     .environment = "HOLDFAST_JWT_KEY_FILE",
     .flag = "--jwt-key-file",
     .member = &Config::jwt_key_file,
     .standard = "",
     .meaning = "The keys that JSON Web Tokens are checked with: a secret (HS256), public keys in "
                "PEM (RS256, ES256), or a JWKS",
     .change = Change::at_once},
    {.key = "jwt_issuer",
     .environment = "HOLDFAST_JWT_ISSUER",
     .flag = "--jwt-issuer",
     .member = &Config::jwt_issuer,
     .standard = "",
     .meaning = "Who must have issued a JSON Web Token (iss)",
     .change = Change::at_once},
    {.key = "jwt_audience",
     .environment = "HOLDFAST_JWT_AUDIENCE",
     .flag = "--jwt-audience",
     .member = &Config::jwt_audience,
     .standard = "",
     .meaning = "Whom a JSON Web Token must be for (aud)",
     .change = Change::at_once},
    {.key = "jwt_user_claim",
     .environment = "HOLDFAST_JWT_USER_CLAIM",
     .flag = "--jwt-user-claim",
     .member = &Config::jwt_user_claim,
     .standard = "sub",
     .meaning = "The claim of a JSON Web Token that names its user",
     .change = Change::at_once},
    {.key = "trusted_user_header",
     .environment = "HOLDFAST_TRUSTED_USER_HEADER",
     .flag = "--trusted-user-header",
     .member = &Config::trusted_user_header,
     .standard = "",
     .meaning = "The header field in which a proxy that knows proxy_secret names the user",
     .change = Change::at_once},
    {.key = "proxy_secret",
     .environment = "HOLDFAST_PROXY_SECRET",
     .flag = "",
     .member = &Config::proxy_secret,
     .standard = "",
     .meaning = "What such a proxy sends as X-Holdfast-Proxy-Secret; only in the environment or "
                "the env file, never shown",
     .change = Change::at_once},
    {.key = "ping_interval",
     .environment = "HOLDFAST_PING_INTERVAL",
     .flag = "--ping-interval",
     .member = &Config::ping_interval,
     .standard = "30",
     .meaning = "Seconds between the pings of a connection",
     .range = {kSecond / 10, kDay},
     .change = Change::at_once},
    {.key = "ping_timeout",
     .environment = "HOLDFAST_PING_TIMEOUT",
     .flag = "--ping-timeout",
     .member = &Config::ping_timeout,
     .standard = "90",
     .meaning = "Seconds without an answer after which a connection counts as lost",
     .range = {kSecond / 10, kDay},
     .change = Change::at_once},
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
     .meaning = "The least that is logged: debug, info, warning or error",
     .change = Change::at_once},
};

}  // namespace

std::span<const Setting> settings() {
  return kSettings;
}

std::vector<const Setting*> differences(const Config& one, const Config& other) {
  std::vector<const Setting*> different;
  for (const Setting& setting : settings())
    if (std::visit([&](auto member) { return one.*member != other.*member; }, setting.member))
      different.push_back(&setting);
  return different;
}

void copy_value(const Setting& setting, const Config& from, Config& to) {
  std::visit([&](auto member) { to.*member = from.*member; }, setting.member);
  to.origins[setting.key] = from.origins.at(setting.key);
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
