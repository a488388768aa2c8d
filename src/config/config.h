// The daemon's configuration: plain values, and where each came from. To add a setting, add a
// member here and an entry in settings.cc.

#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/log.h"

namespace config {

using Duration = std::chrono::milliseconds;
using Bytes = std::uint64_t;
using List = std::vector<std::string>;

// A numeric address and a port.
struct Endpoint {
  std::string host;  // Without the brackets of IPv6.
  std::uint16_t port = 0;

  // As written, such as `[::1]:7420`. The keeper listens on this.
  [[nodiscard]] std::string str() const;
  // Whether only this machine can reach it.
  [[nodiscard]] bool is_loopback() const;
  friend bool operator==(const Endpoint&, const Endpoint&) = default;
};

// A string that is never shown and too long to guess.
struct Secret {
  static constexpr std::size_t kShortest = 32;

  std::string value;

  [[nodiscard]] bool is_set() const { return !value.empty(); }
  friend bool operator==(const Secret&, const Secret&) = default;
};

// Where a session's extensions run: in a thread of the runner, or in a process of their own.
enum class Isolation { thread, process };

struct Config {
  Endpoint listen;
  std::filesystem::path tls_certificate;  // Empty: no TLS.
  std::filesystem::path tls_key;
  bool behind_proxy = false;
  std::filesystem::path state_dir;
  std::filesystem::path runtime_dir;
  bool start_keeper = false;
  Secret token;
  Duration orphan_grace_period{};  // 0: an orphan is never closed.
  Bytes output_buffer_size = 0;
  Bytes history_size = 0;
  Bytes input_limit = 0;
  Bytes message_size_limit = 0;
  std::int64_t message_rate_limit = 0;
  std::int64_t message_burst_limit = 0;
  std::int64_t request_rate_limit = 0;
  std::int64_t user_connection_limit = 0;
  std::int64_t address_connection_limit = 0;
  std::int64_t waiting_connection_limit = 0;
  std::int64_t user_terminal_limit = 0;
  std::int64_t user_session_limit = 0;
  std::int64_t user_command_limit = 0;
  std::int64_t failed_sign_in_limit = 0;
  Duration handshake_time_limit{};
  Duration sign_in_lifetime{};
  Duration vouched_connection_lifetime{};
  std::int64_t viewer_limit = 0;
  Bytes send_limit = 0;
  std::string shell;
  List allowed_hosts;
  List allowed_origins;
  std::filesystem::path jwt_key_file;  // Empty: no JSON Web Tokens.
  std::string jwt_issuer;
  std::string jwt_audience;
  std::string jwt_user_claim;
  std::string trusted_user_header;  // Empty if unused.
  Secret proxy_secret;
  Duration ping_interval{};
  Duration ping_timeout{};
  List extensions;
  std::filesystem::path extensions_dir;
  std::string node;
  Isolation extension_isolation = Isolation::thread;
  Bytes extension_memory = 0;
  Duration extension_stuck_after{};
  bool save_history = false;
  bool files = false;
  Bytes file_size_limit = 0;
  bool leases_yield = true;
  bool shell_integration = false;
  base::Level log_level = base::Level::info;

  // Accounts, and the limits of each terminal; 0 means no limit.
  bool user_accounts = false;
  std::int64_t account_uid_minimum = 0;
  std::int64_t terminal_open_files = 0;
  Bytes terminal_address_space = 0;
  Duration terminal_cpu_time{};
  bool terminal_core_dumps = true;
  std::int64_t terminal_account_processes = 0;
  Bytes terminal_memory = 0;
  std::int64_t terminal_processes = 0;

  // By key: `/etc/holdfast/config.toml:3`, `environment HOLDFAST_LISTEN`, `flag --listen` or
  // `default`.
  std::map<std::string_view, std::string> origins;
};

}  // namespace config
