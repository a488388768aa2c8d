#include "config/load.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "config/env_file.h"
#include "config/given.h"
#include "config/text_file.h"
#include "config/toml_file.h"

namespace config {
namespace {

enum class Presence { optional, required };

// The text of a configuration file; empty if the file is optional and missing.
base::Result<std::string> source_text(const std::filesystem::path& path, Presence presence,
                                      std::string_view flag) {
  auto text = read_text_file(path);
  if (text) return text;
  if (text.error().code == base::Code::not_found && presence == Presence::optional)
    return std::string();
  base::Error error = text.error();
  error.advice = fmt::format("Choose another file with {0}, or none with {0} /dev/null.", flag);
  return base::fail(std::move(error));
}

bool is_secret(const Setting& setting) {
  return std::holds_alternative<Secret Config::*>(setting.member);
}

class Loader {
 public:
  Loader(const CommandLine& line, const Surroundings& around) : line_(line), around_(around) {}

  base::Result<Config> load() {
    for (const auto step :
         {&Loader::take_config_files, &Loader::take_env_file, &Loader::take_environment,
          &Loader::take_flags, &Loader::take_defaults, &Loader::check_together})
      if (auto done = (this->*step)(); !done) return base::fail(done.error());
    return std::move(config_);
  }

 private:
  base::Status take_config_files() {
    if (line_.config_file)
      return take_config_file(around_.directory / *line_.config_file, Presence::required);
    if (auto done = take_config_file(around_.system_file, Presence::optional); !done) return done;
    const auto user_file = user_config_file();
    return user_file.empty() ? base::Status{} : take_config_file(user_file, Presence::optional);
  }

  [[nodiscard]] std::filesystem::path user_config_file() const {
    const std::filesystem::path config_home = around_.environment("XDG_CONFIG_HOME");
    // The XDG specification says to ignore relative paths.
    if (config_home.is_absolute()) return config_home / "holdfast/config.toml";
    return around_.home.empty() ? "" : around_.home / ".config/holdfast/config.toml";
  }

  base::Status take_config_file(const std::filesystem::path& path, Presence presence) {
    const auto text = source_text(path, presence, "--config");
    if (!text) return base::fail(text.error());
    const auto given = parse_toml(*text, path);
    if (!given) return base::fail(given.error());
    for (const Given& entry : *given)
      if (auto taken = take(entry); !taken) return taken;
    return {};
  }

  base::Status take_env_file() {
    const auto path = line_.env_file ? around_.directory / *line_.env_file : around_.env_file;
    const auto text =
        source_text(path, line_.env_file ? Presence::required : Presence::optional, "--env-file");
    if (!text) return base::fail(text.error());
    const auto assignments = parse_env_file(*text, path);
    if (!assignments) return base::fail(assignments.error());
    for (const Assignment& assignment : *assignments)
      if (auto taken = take_assignment(assignment, path); !taken) return taken;
    return {};
  }

  base::Status take_assignment(const Assignment& assignment, const std::filesystem::path& path) {
    const auto all = settings();
    const auto setting = std::find_if(all.begin(), all.end(), [&](const Setting& candidate) {
      return candidate.environment == assignment.name;
    });
    if (setting == all.end() || assignment.value.empty()) return {};
    return take({.setting = &*setting,
                 .text = assignment.value,
                 .origin = fmt::format("{}:{}", path.native(), assignment.line),
                 .directory = path.parent_path()});
  }

  base::Status take_environment() {
    for (const Setting& setting : settings()) {
      const std::string value = around_.environment(setting.environment);
      if (value.empty()) continue;
      if (auto taken = take({.setting = &setting,
                             .text = value,
                             .origin = fmt::format("environment {}", setting.environment),
                             .directory = around_.directory});
          !taken)
        return taken;
    }
    return {};
  }

  base::Status take_flags() {
    for (const Setting& setting : settings()) {
      const auto flag = line_.flags.find(setting.key);
      if (flag == line_.flags.end()) continue;
      if (auto taken = take({.setting = &setting,
                             .text = flag->second,
                             .origin = fmt::format("flag {}", setting.flag),
                             .directory = around_.directory});
          !taken)
        return taken;
    }
    return {};
  }

  // Last: a default that cannot be computed is no error if another source has a value.
  base::Status take_defaults() {
    for (const Setting& setting : settings())
      if (!config_.origins.contains(setting.key))
        if (auto taken = take_default(setting); !taken) return taken;
    return {};
  }

  base::Status take_default(const Setting& setting) {
    const std::string text = setting.computed != nullptr ? setting.computed(around_, config_)
                                                         : std::string(setting.standard);
    if (text.empty() && setting.computed != nullptr)
      return base::fail(
          base::Code::not_found,
          fmt::format("cannot find the home directory for the default of {}", setting.key),
          fmt::format("Set HOME, or set {} with {}.", setting.key, setting.flag));
    if (text.empty()) {
      config_.origins[setting.key] = "default";
      return {};
    }
    return take(
        {.setting = &setting, .text = text, .origin = "default", .directory = around_.directory});
  }

  // Checks settings that depend on each other.
  base::Status check_together() {
    if (config_.tls_certificate.empty() != config_.tls_key.empty())
      return base::fail(base::Code::invalid_argument,
                        "only one of tls_certificate and tls_key is set",
                        "Set both, or neither to run without TLS.");
    if (!config_.jwt_key_file.empty() &&
        (config_.jwt_issuer.empty() || config_.jwt_audience.empty()))
      return base::fail(base::Code::invalid_argument,
                        "jwt_key_file is set without jwt_issuer and jwt_audience",
                        "Set both, so that tokens issued for other services are rejected.");
    if (config_.trusted_user_header.empty() == config_.proxy_secret.is_set())
      return base::fail(base::Code::invalid_argument,
                        "only one of trusted_user_header and proxy_secret is set",
                        "Set both. The secret goes into HOLDFAST_PROXY_SECRET.");
    if (config_.listen.is_loopback() || config_.behind_proxy || !config_.tls_key.empty()) return {};
    return base::fail(
        base::Code::invalid_argument,
        fmt::format("{}: other machines can reach {}, and without TLS anyone on the network can "
                    "read what is typed and steal the tokens",
                    config_.origins.at("listen"), config_.listen.str()),
        "Set tls_certificate and tls_key. Or listen on 127.0.0.1 and use an SSH tunnel. Or, if a "
        "proxy in front speaks TLS and nobody else can reach this address, set --behind-proxy.");
  }

  base::Status take(const Given& given) {
    const Setting& setting = *given.setting;
    const Context context{
        .range = setting.range, .directory = given.directory, .home = around_.home};
    const bool is_read =
        with_value(setting, config_, [&](auto& value) { return read(given.text, context, value); });
    if (!is_read)
      return base::fail(base::Code::invalid_argument,
                        fmt::format("{}: {} {}", given.origin, setting.key,
                                    is_secret(setting) ? "is not valid"
                                                       : fmt::format("cannot be {:?}", given.text)),
                        fmt::format("Allowed: {}.", form_of(setting).allowed));
    config_.origins[setting.key] = given.origin;
    return {};
  }

  const CommandLine& line_;
  const Surroundings& around_;
  Config config_;
};

}  // namespace

base::Result<Config> load(const CommandLine& line, const Surroundings& around) {
  return Loader(line, around).load();
}

}  // namespace config
