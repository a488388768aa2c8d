#include "wire/native_fields.h"

#include <algorithm>

#include <boost/json/serialize.hpp>

#include "wire/json_text.h"
#include "wire/limits.h"

namespace wire::native {
namespace {

namespace json = boost::json;
using Kind = Fault::Kind;

// A text that can be passed to a program: without NUL.
const json::string* program_text(const json::value& value) {
  const json::string* const text = value.if_string();
  return text != nullptr && view(*text).find('\0') == std::string_view::npos ? text : nullptr;
}

bool is_variable_name(std::string_view name) {
  const auto is_letter = [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
  };
  return !name.empty() && is_letter(name.front()) &&
         std::ranges::all_of(name, [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

std::optional<Colour> colour_of(const json::value& value) {
  const json::string* const text = value.if_string();
  if (text == nullptr || text->size() != 7 || text->front() != '#') return std::nullopt;
  std::uint32_t rgb = 0;
  for (const char c : view(*text).substr(1)) {
    const std::size_t digit = std::string_view("0123456789abcdef0123456789ABCDEF").find(c);
    if (digit == std::string_view::npos) return std::nullopt;
    rgb = rgb << 4 | static_cast<std::uint32_t>(digit & 15);
  }
  return Colour{.red = static_cast<std::uint8_t>(rgb >> 16),
                .green = static_cast<std::uint8_t>(rgb >> 8 & 0xff),
                .blue = static_cast<std::uint8_t>(rgb & 0xff)};
}

}  // namespace

const json::array* list(Message& message, std::string_view key, std::size_t most) {
  const json::value* const value = message.data(key);
  if (value == nullptr) return nullptr;
  const json::array* const array = value->if_array();
  if (array != nullptr && array->size() <= most) return array;
  message.fail(Kind::invalid_field, std::string(key) + " must be a list of at most " +
                                        std::to_string(most) + " entries");
  return nullptr;
}

json::object object(Message& message, std::string_view key) {
  const json::value* const value = message.data(key);
  if (value == nullptr) return {};
  if (const json::object* const object = value->if_object()) return *object;
  message.fail(Kind::invalid_field, std::string(key) + " must be an object");
  return {};
}

std::vector<std::string> command(Message& message) {
  std::vector<std::string> command;
  const json::array* const entries = list(message, "command", kMaxCommandEntries);
  if (entries == nullptr) return command;
  std::size_t bytes = 0;
  for (const json::value& entry : *entries) {
    const json::string* const text = program_text(entry);
    if (text == nullptr) {
      message.fail(Kind::invalid_field, "command must be a list of strings without NUL");
      return {};
    }
    bytes += text->size() + 1;
    command.emplace_back(view(*text));
  }
  if (bytes > kMaxCommandBytes)
    message.fail(Kind::invalid_field,
                 "command must have at most " + std::to_string(kMaxCommandBytes) + " bytes");
  if (!command.empty() && command.front().empty())
    message.fail(Kind::invalid_field, "command must begin with a program");
  return command;
}

std::vector<std::pair<std::string, std::string>> env(Message& message) {
  const json::value* const value = message.data("env");
  if (value == nullptr) return {};
  const json::object* const object = value->if_object();
  if (object == nullptr || object->size() > kMaxEnvEntries) {
    message.fail(Kind::invalid_field,
                 "env must be an object of at most " + std::to_string(kMaxEnvEntries) + " entries");
    return {};
  }
  std::vector<std::pair<std::string, std::string>> env;
  std::size_t bytes = 0;
  for (const auto& [key, entry] : *object) {
    const std::string_view name(key.data(), key.size());
    const json::string* const text = program_text(entry);
    if (!is_variable_name(name))
      message.fail(Kind::invalid_field, "invalid name in env: " + excerpt(name) +
                                            "; names match [A-Za-z_][A-Za-z0-9_]*");
    if (text == nullptr)
      message.fail(Kind::invalid_field, "env." + excerpt(name) + " must be a string without NUL");
    if (message.fault()) return {};
    bytes += name.size() + text->size() + 2;
    env.emplace_back(name, view(*text));
  }
  if (bytes > kMaxEnvBytes)
    message.fail(Kind::invalid_field,
                 "env must have at most " + std::to_string(kMaxEnvBytes) + " bytes");
  return env;
}

std::optional<Role> role(Message& message, Need need) {
  const auto text = message.text("role", need);
  if (!text) return std::nullopt;
  if (*text == "control") return Role::control;
  if (*text == "view") return Role::view;
  message.fail(Kind::invalid_field, "role must be \"control\" or \"view\"");
  return std::nullopt;
}

SessionKind session_kind(Message& message) {
  const auto text = message.text("kind", Need::optional);
  if (text && *text == "background") return SessionKind::background;
  if (text && *text != "interactive")
    message.fail(Kind::invalid_field, "kind must be \"interactive\" or \"background\"");
  return SessionKind::interactive;
}

std::optional<Isolation> isolation(Message& message) {
  const auto text = message.text("isolation", Need::optional);
  if (!text) return std::nullopt;
  if (*text == "thread") return Isolation::thread;
  if (*text == "process") return Isolation::process;
  message.fail(Kind::invalid_field, "isolation must be \"thread\" or \"process\"");
  return std::nullopt;
}

std::string preference_name(Message& message) {
  const auto name = message.id("name", Need::required);
  if (name && name->size() > kMaxPreferenceName)
    message.fail(Kind::invalid_id,
                 "name must have at most " + std::to_string(kMaxPreferenceName) + " characters");
  return name.value_or("");
}

std::optional<std::string> preference_value(Message& message) {
  const json::value* const value = message.data("value");
  if (value == nullptr) return std::nullopt;
  std::string text = json::serialize(*value);
  if (text.size() <= kMaxPreferenceValue) return text;
  message.fail(Kind::invalid_field,
               "value must have at most " + std::to_string(kMaxPreferenceValue) + " bytes of JSON");
  return std::nullopt;
}

std::uint64_t window(Message& message) {
  const auto window = message.number("window", Need::optional, 0, kMaxWindow).value_or(0);
  if (window != 0 && window < kMinWindow)
    message.fail(Kind::invalid_field, "window must be 0 or at least " + std::to_string(kMinWindow));
  return window;
}

std::optional<Colour> colour(Message& message, std::string_view key) {
  const json::value* const value = message.data(key);
  if (value == nullptr) return std::nullopt;
  const auto colour = colour_of(*value);
  if (!colour) message.fail(Kind::invalid_field, std::string(key) + " must be #rrggbb");
  return colour;
}

std::optional<std::array<Colour, 16>> palette(Message& message) {
  const json::value* const value = message.data("palette");
  if (value == nullptr) return std::nullopt;
  std::array<Colour, 16> palette;
  const json::array* const array = value->if_array();
  bool good = array != nullptr && array->size() == palette.size();
  for (std::size_t i = 0; good && i < palette.size(); ++i) {
    const auto colour = colour_of((*array)[i]);
    good = colour.has_value();
    if (good) palette[i] = *colour;
  }
  if (good) return palette;
  message.fail(Kind::invalid_field, "palette must be a list of 16 #rrggbb");
  return std::nullopt;
}

std::optional<RequestId> request_id_of(Message& message, const json::value* value) {
  if (value == nullptr) return std::nullopt;
  if (value->is_int64() || value->is_uint64()) return RequestId{json::serialize(*value)};
  const json::string* const text = value->if_string();
  if (text == nullptr || text->size() > kMaxRequestId) {
    message.fail(Kind::not_a_message, "request must be an integer or a string of at most " +
                                          std::to_string(kMaxRequestId) + " bytes");
    return std::nullopt;
  }
  RequestId id;
  append_json_string(id.json, view(*text));
  return id;
}

}  // namespace wire::native
