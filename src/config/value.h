// Three functions for each type of setting: parse it, show it, and describe how to write it. A new
// type needs all three, and a place in Member (setting.h).

#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>

#include "config/config.h"

namespace config {

// The bounds of a number, or of a duration in milliseconds.
struct Range {
  std::int64_t least = 0;
  std::int64_t most = std::numeric_limits<std::int64_t>::max();
};

// What parsing depends on besides the text.
struct Context {
  Range range;
  std::filesystem::path directory;  // The base of relative paths.
  std::filesystem::path home;       // Replaces `~/`.
};

// False if the text is not valid or out of range. The value is then unchanged.
[[nodiscard]] bool read(std::string_view text, const Context& context, Endpoint& value);
[[nodiscard]] bool read(std::string_view text, const Context& context,
                        std::filesystem::path& value);
[[nodiscard]] bool read(std::string_view text, const Context& context, Secret& value);
[[nodiscard]] bool read(std::string_view text, const Context& context, Duration& value);
[[nodiscard]] bool read(std::string_view text, const Context& context, Bytes& value);
[[nodiscard]] bool read(std::string_view text, const Context& context, std::int64_t& value);
[[nodiscard]] bool read(std::string_view text, const Context& context, bool& value);
[[nodiscard]] bool read(std::string_view text, const Context& context, std::string& value);
[[nodiscard]] bool read(std::string_view text, const Context& context, List& value);
[[nodiscard]] bool read(std::string_view text, const Context& context, base::Level& value);
[[nodiscard]] bool read(std::string_view text, const Context& context, Isolation& value);

// For people. For a secret, only whether it is set.
[[nodiscard]] std::string show(const Endpoint& value);
[[nodiscard]] std::string show(const std::filesystem::path& value);
[[nodiscard]] std::string show(const Secret& value);
[[nodiscard]] std::string show(const Duration& value);
[[nodiscard]] std::string show(const Bytes& value);
[[nodiscard]] std::string show(const std::int64_t& value);
[[nodiscard]] std::string show(const bool& value);
[[nodiscard]] std::string show(const std::string& value);
[[nodiscard]] std::string show(const List& value);
[[nodiscard]] std::string show(const base::Level& value);
[[nodiscard]] std::string show(const Isolation& value);

// The TOML types that a setting accepts, as bits.
enum TomlType : unsigned {
  toml_none = 0,
  toml_text = 1,
  toml_integer = 2,
  toml_real = 4,
  toml_boolean = 8,
  toml_list = 16,
};

struct Form {
  std::string_view placeholder;  // In the help: `--listen ADDRESS:PORT`.
  unsigned toml = toml_text;
  std::string allowed;  // In an error: what to write instead.
};

// For a type; the value is ignored.
[[nodiscard]] Form form_of(const Endpoint&, const Range& range);
[[nodiscard]] Form form_of(const std::filesystem::path&, const Range& range);
[[nodiscard]] Form form_of(const Secret&, const Range& range);
[[nodiscard]] Form form_of(const Duration&, const Range& range);
[[nodiscard]] Form form_of(const Bytes&, const Range& range);
[[nodiscard]] Form form_of(const std::int64_t&, const Range& range);
[[nodiscard]] Form form_of(const bool&, const Range& range);
[[nodiscard]] Form form_of(const std::string&, const Range& range);
[[nodiscard]] Form form_of(const List&, const Range& range);
[[nodiscard]] Form form_of(const base::Level&, const Range& range);
[[nodiscard]] Form form_of(const Isolation&, const Range& range);

}  // namespace config
