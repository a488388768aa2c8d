#include "extension/params.h"

#include <cmath>

namespace extension {

namespace json = boost::json;

const json::value* Params::find(const char* key) const {
  const json::value* const found = object_.if_contains(key);
  return found == nullptr || found->is_null() ? nullptr : found;
}

void Params::wrong(const char* key, const char* expected) {
  if (fault_.empty()) fault_ = std::string(key) + " must be " + expected;
}

base::Status Params::fault() const {
  if (fault_.empty()) return {};
  return base::fail(base::Code::invalid_argument, fault_);
}

std::optional<std::string> Params::optional_text(const char* key) {
  const json::value* const found = find(key);
  if (found == nullptr) return std::nullopt;
  if (found->is_string()) return std::string(found->get_string());
  wrong(key, "a string");
  return std::nullopt;
}

std::string Params::text(const char* key) {
  auto found = optional_text(key);
  if (!found) wrong(key, "a string");
  return std::move(found).value_or("");
}

std::int64_t Params::number(const char* key, std::int64_t otherwise) {
  const json::value* const found = find(key);
  if (found == nullptr) return otherwise;
  if (found->is_int64()) return found->get_int64();
  constexpr double kMost = 1LL << 53;  // Doubles are exact for integers up to here.
  if (found->is_double() && std::abs(found->get_double()) <= kMost)
    return static_cast<std::int64_t>(found->get_double());
  wrong(key, "a number");
  return otherwise;
}

const json::array& Params::array(const char* key) {
  static const json::array kNone;
  const json::value* const found = find(key);
  if (found == nullptr) return kNone;
  if (found->is_array()) return found->get_array();
  wrong(key, "a list");
  return kNone;
}

std::vector<std::string> Params::texts(const char* key) {
  std::vector<std::string> list;
  for (const json::value& each : array(key)) {
    if (each.is_string())
      list.emplace_back(each.get_string());
    else
      wrong(key, "a list of strings");
  }
  return list;
}

std::vector<std::int64_t> Params::numbers(const char* key) {
  std::vector<std::int64_t> list;
  for (const json::value& each : array(key)) {
    if (each.is_int64())
      list.push_back(each.get_int64());
    else
      wrong(key, "a list of numbers");
  }
  return list;
}

std::vector<std::pair<std::string, std::string>> Params::pairs(const char* key) {
  std::vector<std::pair<std::string, std::string>> list;
  const json::value* const found = find(key);
  if (found == nullptr) return list;
  if (!found->is_object()) wrong(key, "an object");
  if (found->is_object())
    for (const auto& [name, value] : found->get_object()) {
      if (value.is_string())
        list.emplace_back(name, value.get_string());
      else
        wrong(key, "an object of strings");
    }
  return list;
}

json::value Params::value(const char* key) const {
  const json::value* const found = find(key);
  return found == nullptr ? json::value() : *found;
}

std::vector<json::object> Params::objects(const char* key) {
  std::vector<json::object> list;
  for (const json::value& each : array(key)) {
    if (each.is_object())
      list.push_back(each.get_object());
    else
      wrong(key, "a list of objects");
  }
  return list;
}

}  // namespace extension
