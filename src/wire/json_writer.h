// Writes JSON into a string, in the order of the calls. Keys are the protocol's own and need no
// escaping.

#pragma once

#include <concepts>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "wire/json_text.h"

namespace wire {

class JsonWriter {
 public:
  explicit JsonWriter(std::string& out) : out_(out) {}

  JsonWriter& begin_object() {
    separate();
    return open('{');
  }
  JsonWriter& begin_object(std::string_view key) { return named(key).open('{'); }
  JsonWriter& end_object() { return close('}'); }
  JsonWriter& begin_array(std::string_view key) { return named(key).open('['); }
  JsonWriter& end_array() { return close(']'); }

  JsonWriter& field(std::string_view key, std::string_view text) {
    named(key);
    append_json_string(out_, text);
    return *this;
  }
  // Without this, a pointer would convert to bool, not to string_view.
  JsonWriter& field(std::string_view key, const char* text) {
    return field(key, std::string_view(text));
  }
  JsonWriter& field(std::string_view key, std::span<const std::byte> bytes) {
    named(key);
    append_json_bytes(out_, bytes);
    return *this;
  }
  template <std::integral T>
  JsonWriter& field(std::string_view key, T number) {
    return raw(key, std::to_string(number));
  }
  JsonWriter& field(std::string_view key, bool flag) { return raw(key, flag ? "true" : "false"); }
  template <class T>
  JsonWriter& field(std::string_view key, const std::optional<T>& value) {
    return value ? field(key, *value) : *this;
  }
  // `json` is written unchanged.
  JsonWriter& raw(std::string_view key, std::string_view json) {
    named(key);
    out_ += json;
    return *this;
  }
  JsonWriter& element(std::string_view text) {
    separate();
    append_json_string(out_, text);
    return *this;
  }

 private:
  void separate() {
    if (!first_) out_ += ',';
    first_ = false;
  }
  JsonWriter& named(std::string_view key) {
    separate();
    out_ += '"';
    out_ += key;
    out_ += "\":";
    return *this;
  }
  JsonWriter& open(char bracket) {
    out_ += bracket;
    first_ = true;
    return *this;
  }
  JsonWriter& close(char bracket) {
    out_ += bracket;
    first_ = false;
    return *this;
  }

  std::string& out_;
  bool first_ = true;
};

}  // namespace wire
