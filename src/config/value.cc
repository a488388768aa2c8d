#include "config/value.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

namespace config {
namespace {

constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kBlanks = " \t";

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

template <class Number>
std::optional<Number> whole_number(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// Removes the longest prefix that consists of `characters`.
std::string_view take(std::string_view& text, std::string_view characters) {
  const auto size = std::min(text.find_first_not_of(characters), text.size());
  const auto taken = text.substr(0, size);
  text.remove_prefix(size);
  return taken;
}

bool is_in(const Range& range, double number) {
  return number >= static_cast<double>(range.least) && number <= static_cast<double>(range.most);
}

std::optional<double> seconds_of_unit(std::string_view unit) {
  if (unit == "h") return 3600;
  if (unit == "m") return 60;
  if (unit == "s") return 1;
  if (unit == "ms") return 0.001;
  return std::nullopt;
}

// No sign, no exponent, no infinity.
std::optional<double> take_decimal(std::string_view& text) {
  const auto digits = take(text, "0123456789.");
  double number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number,
                                            std::chars_format::fixed);
  if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return number;
}

// `90`, `0.5`, `5m`, `1h30m`.
std::optional<double> seconds(std::string_view text) {
  auto sum = take_decimal(text);
  if (!sum || text.empty()) return sum;
  for (std::optional<double> number = std::exchange(sum, 0.0);; number = take_decimal(text)) {
    const auto unit = number ? seconds_of_unit(take(text, "hms")) : std::nullopt;
    if (!unit) return std::nullopt;
    *sum += *number * *unit;
    if (text.empty()) return sum;
  }
}

struct SizeUnit {
  std::string_view name;
  int shift;
};
constexpr std::array kSizeUnits = {SizeUnit{"GiB", 30}, SizeUnit{"MiB", 20}, SizeUnit{"KiB", 10},
                                   SizeUnit{"", 0}};

std::string show_size(std::int64_t bytes) {
  for (const auto& unit : kSizeUnits)
    if (bytes != 0 && bytes % (std::int64_t{1} << unit.shift) == 0)
      return fmt::format("{}{}{}", bytes >> unit.shift, unit.shift > 0 ? " " : "", unit.name);
  return std::to_string(bytes);
}

constexpr std::array<std::string_view, 4> kLevels = {"debug", "info", "warning", "error"};

}  // namespace

bool Endpoint::is_loopback() const {
  in_addr four{};
  if (::inet_pton(AF_INET, host.c_str(), &four) == 1) return ntohl(four.s_addr) >> 24 == 127;
  in6_addr six{};
  return ::inet_pton(AF_INET6, host.c_str(), &six) == 1 && IN6_IS_ADDR_LOOPBACK(&six);
}

std::string Endpoint::str() const {
  const bool is_v6 = host.find(':') != std::string::npos;
  return fmt::format("{}{}{}:{}", is_v6 ? "[" : "", host, is_v6 ? "]" : "", port);
}

bool read(std::string_view text, const Context&, Endpoint& value) {
  const auto colon = text.rfind(':');
  if (colon == std::string_view::npos) return false;
  auto host = text.substr(0, colon);
  const auto digits = text.substr(colon + 1);
  const auto port = whole_number<std::uint16_t>(digits);
  const bool is_v6 = host.starts_with('[') && host.ends_with(']');
  if (is_v6) host = host.substr(1, host.size() - 2);
  std::array<unsigned char, sizeof(in6_addr)> address{};
  const std::string numeric(host);
  if (!port || numeric.find('\0') != std::string::npos ||
      ::inet_pton(is_v6 ? AF_INET6 : AF_INET, numeric.c_str(), address.data()) != 1)
    return false;
  value = Endpoint{.host = numeric, .port = *port};
  return true;
}

bool read(std::string_view text, const Context& context, std::filesystem::path& value) {
  if (text.empty() || text.find('\0') != std::string_view::npos) return false;
  const bool is_home = text == "~" || text.starts_with("~/");
  if (is_home && context.home.empty()) return false;
  const auto path = is_home ? context.home / text.substr(std::min<std::size_t>(2, text.size()))
                            : context.directory / text;
  value = path.lexically_normal();
  return true;
}

// Only characters that headers and URLs can carry.
bool read(std::string_view text, const Context&, Secret& value) {
  const bool is_sendable =
      std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c <= '~'; });
  if (text.size() < Secret::kShortest || !is_sendable) return false;
  value.value = text;
  return true;
}

bool read(std::string_view text, const Context& context, Duration& value) {
  const auto given = seconds(text);
  if (!given) return false;
  // Round up, so that a short duration does not become 0, which means never.
  const double milliseconds = std::ceil(*given * 1000);
  if (!is_in(context.range, milliseconds)) return false;
  value = Duration(static_cast<Duration::rep>(milliseconds));
  return true;
}

bool read(std::string_view text, const Context& context, Bytes& value) {
  const auto number = whole_number<std::uint32_t>(take(text, kDigits));
  take(text, kBlanks);
  const auto* unit = std::find_if(kSizeUnits.begin(), kSizeUnits.end(),
                                  [text](const SizeUnit& u) { return u.name == text; });
  if (!number || unit == kSizeUnits.end()) return false;
  const Bytes bytes = Bytes{*number} << unit->shift;
  if (!is_in(context.range, static_cast<double>(bytes))) return false;
  value = bytes;
  return true;
}

bool read(std::string_view text, const Context& context, std::int64_t& value) {
  const auto number = whole_number<std::int64_t>(text);
  if (!number || *number < context.range.least || *number > context.range.most) return false;
  value = *number;
  return true;
}

bool read(std::string_view text, const Context&, bool& value) {
  if (text != "true" && text != "false") return false;
  value = text == "true";
  return true;
}

bool read(std::string_view text, const Context&, std::string& value) {
  if (text.empty() || text.find('\0') != std::string_view::npos) return false;
  value = text;
  return true;
}

bool read(std::string_view text, const Context&, List& value) {
  List items;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find(',', begin), text.size());
    if (const auto item = trimmed(text.substr(begin, end - begin)); !item.empty())
      items.emplace_back(item);
    begin = end + 1;
  }
  value = std::move(items);
  return true;
}

bool read(std::string_view text, const Context&, Isolation& value) {
  for (const Isolation each : {Isolation::thread, Isolation::process})
    if (text == show(each)) {
      value = each;
      return true;
    }
  return false;
}

bool read(std::string_view text, const Context&, base::Level& value) {
  const auto* level = std::find(kLevels.begin(), kLevels.end(), text);
  if (level == kLevels.end()) return false;
  value = static_cast<base::Level>(level - kLevels.begin());
  return true;
}

std::string show(const Endpoint& value) {
  return value.str();
}
std::string show(const std::filesystem::path& value) {
  return value.empty() ? "none" : value.native();
}
std::string show(const Secret& value) {
  return value.is_set() ? "set" : "not set";
}
std::string show(const Duration& value) {
  return fmt::format("{}s", static_cast<double>(value.count()) / 1000);
}
std::string show(const Bytes& value) {
  return std::to_string(value);
}
std::string show(const std::int64_t& value) {
  return std::to_string(value);
}
std::string show(const bool& value) {
  return value ? "true" : "false";
}
std::string show(const std::string& value) {
  return value.empty() ? "none" : value;
}
std::string show(const List& value) {
  return value.empty() ? "none" : fmt::format("{}", fmt::join(value, ", "));
}
std::string show(const Isolation& value) {
  return value == Isolation::process ? "process" : "thread";
}

std::string show(const base::Level& value) {
  return std::string(kLevels.at(static_cast<std::size_t>(value)));
}

Form form_of(const Endpoint&, const Range&) {
  return {.placeholder = "ADDRESS:PORT",
          .allowed =
              "a numeric address and a port, such as 127.0.0.1:7420 or [::1]:7420; port 0 "
              "picks a free port"};
}
Form form_of(const std::filesystem::path&, const Range&) {
  return {.placeholder = "PATH", .allowed = "a path"};
}
Form form_of(const Secret&, const Range&) {
  return {.placeholder = "SECRET",
          .toml = toml_none,
          .allowed = fmt::format(
              "at least {} printable ASCII characters without spaces, such as the output "
              "of `openssl rand -hex 32`",
              Secret::kShortest)};
}
Form form_of(const Duration&, const Range& range) {
  return {
      .placeholder = "SECONDS",
      .toml = toml_text | toml_integer | toml_real,
      .allowed = fmt::format("seconds, such as 30 or 0.5, or units, such as 1h30m; from {} to {}",
                             show(Duration(range.least)), show(Duration(range.most)))};
}
Form form_of(const Bytes&, const Range& range) {
  return {.placeholder = "BYTES",
          .toml = toml_text | toml_integer,
          .allowed = fmt::format("bytes, such as 262144 or \"256 KiB\"; from {} to {}",
                                 show_size(range.least), show_size(range.most))};
}
Form form_of(const std::int64_t&, const Range& range) {
  return {.placeholder = "NUMBER",
          .toml = toml_integer,
          .allowed = fmt::format("a whole number from {} to {}", range.least, range.most)};
}
Form form_of(const bool&, const Range&) {
  return {.placeholder = "true|false", .toml = toml_boolean, .allowed = "true or false"};
}
Form form_of(const std::string&, const Range&) {
  return {.placeholder = "TEXT", .allowed = "a non-empty string"};
}
Form form_of(const List&, const Range&) {
  return {.placeholder = "LIST",
          .toml = toml_list,
          .allowed = "a list: a,b or, in TOML, [\"a\", \"b\"]"};
}
Form form_of(const Isolation&, const Range&) {
  return {.placeholder = "WHERE", .allowed = "thread or process"};
}

Form form_of(const base::Level&, const Range&) {
  return {.placeholder = "LEVEL", .allowed = fmt::format("one of {}", fmt::join(kLevels, ", "))};
}

}  // namespace config
