#include "wire/message.h"

#include <charconv>
#include <cmath>

#include "base/id.h"
#include "wire/bounded_json.h"
#include "wire/json_text.h"
#include "wire/limits.h"
#include "wire/surrogates.h"
#include "wire/utf8.h"

namespace wire {
namespace {

namespace json = boost::json;
using Kind = Fault::Kind;

constexpr std::size_t kQuotedCharacters = 40;
constexpr double kExactBelow = 9007199254740992.0;  // 2^53

std::string between(std::string_view key, std::uint64_t from, std::uint64_t to) {
  return std::string(key) + " must be a whole number from " + std::to_string(from) + " to " +
         std::to_string(to);
}

std::optional<std::uint64_t> decimal(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<std::uint16_t> dimension(const json::value* value, std::uint16_t most) {
  if (value == nullptr) return std::nullopt;
  const auto number = whole_number(*value);
  if (!number || *number < 1 || *number > most) return std::nullopt;
  return static_cast<std::uint16_t>(*number);
}

const json::value* find(const json::object* object, std::string_view key) {
  if (object == nullptr) return nullptr;
  const json::value* const value = object->if_contains(key);
  return value == nullptr || value->is_null() ? nullptr : value;
}

}  // namespace

std::optional<std::uint64_t> whole_number(const json::value& value) {
  if (const auto* number = value.if_uint64()) return *number;
  if (const auto* number = value.if_int64()) {
    if (*number < 0) return std::nullopt;
    return static_cast<std::uint64_t>(*number);
  }
  const auto* number = value.if_double();
  if (number == nullptr || !(*number >= 0 && *number <= kExactBelow)) return std::nullopt;
  if (*number != std::floor(*number)) return std::nullopt;
  return static_cast<std::uint64_t>(*number);
}

std::string excerpt(std::string_view text) {
  const std::string_view shown = first_characters(text, kQuotedCharacters);
  std::string quoted;
  append_json_string(quoted, shown);
  if (shown.size() < text.size()) quoted.insert(quoted.size() - 1, "…");
  return quoted;
}

Message::Message(std::string_view text) {
  auto parsed = parse_json(text);
  if (!parsed) {
    const std::string repaired = without_lone_surrogates(text);
    if (repaired != text) parsed = parse_json(repaired);
  }
  if (parsed) {
    root_ = *std::move(parsed);
    take_apart();
  } else {
    fail(Kind::malformed_json, std::move(parsed).error());
  }
}

void Message::take_apart() {
  top_ = root_.if_object();
  if (top_ == nullptr) return fail(Kind::not_a_message, "a message must be an object");
  const json::value* const type = top("type");
  if (type == nullptr) return fail(Kind::not_a_message, "type is missing");
  const json::string* const text = type->if_string();
  if (text == nullptr) return fail(Kind::not_a_message, "type must be a string");
  type_ = view(*text);
  const json::value* const data = top("data");
  if (data == nullptr) return;
  data_ = data->if_object();
  if (data_ == nullptr) fail(Kind::not_a_message, "data must be an object");
}

void Message::fail(Kind kind, std::string details) {
  if (!fault_) fault_ = Fault{kind, std::move(details)};
}

void Message::unknown_type() {
  fail(Kind::unknown_type, excerpt(type_));
}

const json::value* Message::top(std::string_view key) const {
  return find(top_, key);
}

const json::value* Message::data(std::string_view key) const {
  return find(data_, key);
}

const json::value* Message::needed(std::string_view key, Need need, Kind kind) {
  const json::value* const value = data(key);
  if (value == nullptr && need == Need::required) fail(kind, std::string(key) + " is missing");
  return value;
}

std::optional<std::string> Message::string_at(std::string_view key, Need need, Kind kind) {
  const json::value* const value = needed(key, need, kind);
  if (value == nullptr) return std::nullopt;
  if (const json::string* const text = value->if_string()) return std::string(view(*text));
  fail(kind, std::string(key) + " must be a string");
  return std::nullopt;
}

std::optional<std::string> Message::text(std::string_view key, Need need) {
  return string_at(key, need, Kind::invalid_field);
}

std::optional<std::uint64_t> Message::number(std::string_view key, Need need, std::uint64_t from,
                                             std::uint64_t to) {
  const json::value* const value = needed(key, need, Kind::invalid_field);
  if (value == nullptr) return std::nullopt;
  const auto number = whole_number(*value);
  if (number && *number >= from && *number <= to) return number;
  fail(Kind::invalid_field, between(key, from, to));
  return std::nullopt;
}

std::optional<std::uint64_t> Message::offset(std::string_view key) {
  const json::value* const value = data(key);
  if (value == nullptr) return std::nullopt;
  const json::string* const text = value->if_string();
  const auto number = text == nullptr ? whole_number(*value) : decimal(view(*text));
  if (!number) fail(Kind::invalid_field, std::string(key) + " must be an offset");
  return number;
}

bool Message::flag(std::string_view key) {
  const json::value* const value = data(key);
  if (value == nullptr) return false;
  if (const bool* const flag = value->if_bool()) return *flag;
  fail(Kind::invalid_field, std::string(key) + " must be true or false");
  return false;
}

std::optional<std::string> Message::id_of(std::string_view key, const json::value& value) {
  const json::string* const text = value.if_string();
  if (text == nullptr) {
    fail(Kind::invalid_id, std::string(key) + " must be a string");
  } else if (!base::is_valid_id(view(*text))) {
    fail(Kind::invalid_id, excerpt(view(*text)) +
                               " is not 1 to 128 of A-Z a-z 0-9 . _ : - beginning with a letter or "
                               "a digit");
  } else {
    return std::string(view(*text));
  }
  return std::nullopt;
}

std::optional<std::string> Message::id(std::string_view key, Need need) {
  const json::value* const value = needed(key, need, Kind::invalid_id);
  if (value == nullptr) return std::nullopt;
  return id_of(key, *value);
}

std::optional<std::string> Message::name(std::string_view key, Need need) {
  auto name = string_at(key, need, Kind::invalid_name);
  if (!name) return std::nullopt;
  if (count_characters(*name) > kMaxNameCharacters) {
    fail(Kind::invalid_name,
         "a name has at most " + std::to_string(kMaxNameCharacters) + " characters");
  } else if (has_control_characters(*name)) {
    fail(Kind::invalid_name, "a name has no control characters");
  } else {
    return name;
  }
  return std::nullopt;
}

std::optional<std::string> Message::cleaned_name(std::string_view key, Need need) {
  const auto name = string_at(key, need, Kind::invalid_name);
  if (!name) return std::nullopt;
  return std::string(first_characters(without_control_characters(*name), kMaxNameCharacters));
}

std::optional<std::string> Message::path(std::string_view key) {
  auto path = text(key, Need::optional);
  if (!path || path->empty()) return std::nullopt;
  if (path->size() <= kMaxPath && path->find('\0') == std::string::npos) return path;
  fail(Kind::invalid_field, std::string(key) + " must be at most " + std::to_string(kMaxPath) +
                                " bytes, none of them 0");
  return std::nullopt;
}

std::optional<std::uint16_t> Message::rows(Need need) {
  const auto rows = number("rows", need, 1, kMaxRows);
  if (!rows) return std::nullopt;
  return static_cast<std::uint16_t>(*rows);
}

std::optional<std::uint16_t> Message::cols(Need need) {
  const auto cols = number("cols", need, 1, kMaxCols);
  if (!cols) return std::nullopt;
  return static_cast<std::uint16_t>(*cols);
}

std::optional<std::uint16_t> Message::rows_or_nothing() const {
  return dimension(data("rows"), kMaxRows);
}

std::optional<std::uint16_t> Message::cols_or_nothing() const {
  return dimension(data("cols"), kMaxCols);
}

}  // namespace wire
