// A received text message, {"type": …, "data"?: {…}}, and its fields. It keeps Boost.JSON out of
// the protocols' headers.
//
// An invalid field reads as missing and is remembered as the message's fault. So a parser can read
// all fields and check for a fault once, at the end. Only the first fault is kept.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <boost/json/object.hpp>
#include <boost/json/string.hpp>
#include <boost/json/value.hpp>

namespace wire {

struct Fault {
  enum class Kind : std::uint8_t {
    malformed_json,
    not_a_message,
    unknown_type,
    invalid_field,
    invalid_id,
    invalid_name,
  };
  Kind kind;
  std::string details;
};

enum class Need : std::uint8_t { optional, required };

class Message {
 public:
  explicit Message(std::string_view text);
  Message(const Message&) = delete;
  Message& operator=(const Message&) = delete;

  [[nodiscard]] const std::optional<Fault>& fault() const { return fault_; }
  void fail(Fault::Kind kind, std::string details);
  void unknown_type();

  [[nodiscard]] std::string_view type() const { return type_; }

  // nullptr if it is missing or null.
  [[nodiscard]] const boost::json::value* top(std::string_view key) const;
  [[nodiscard]] const boost::json::value* data(std::string_view key) const;

  // The fields of `data`.
  std::optional<std::string> text(std::string_view key, Need need);
  std::optional<std::uint64_t> number(std::string_view key, Need need, std::uint64_t from,
                                      std::uint64_t to);
  std::optional<std::uint64_t> offset(std::string_view key);  // A number or a decimal string.
  bool flag(std::string_view key);
  std::optional<std::string> id(std::string_view key, Need need);
  std::optional<std::string> name(std::string_view key, Need need);
  // A name with control characters removed, cut to the maximum length.
  std::optional<std::string> cleaned_name(std::string_view key, Need need);
  std::optional<std::string> path(std::string_view key);
  std::optional<std::uint16_t> rows(Need need);
  std::optional<std::uint16_t> cols(Need need);

  // An invalid size reads as missing, without a fault.
  [[nodiscard]] std::optional<std::uint16_t> rows_or_nothing() const;
  [[nodiscard]] std::optional<std::uint16_t> cols_or_nothing() const;

  // `value`, which belongs to `key`, as an id.
  std::optional<std::string> id_of(std::string_view key, const boost::json::value& value);

 private:
  std::optional<std::string> string_at(std::string_view key, Need need, Fault::Kind kind);
  const boost::json::value* needed(std::string_view key, Need need, Fault::Kind kind);
  void take_apart();

  boost::json::value root_;
  const boost::json::object* top_ = nullptr;
  const boost::json::object* data_ = nullptr;
  std::string_view type_;
  std::optional<Fault> fault_;
};

[[nodiscard]] inline std::string_view view(const boost::json::string& text) {
  return {text.data(), text.size()};
}

// A non-negative integer; 80.0 counts as one.
[[nodiscard]] std::optional<std::uint64_t> whole_number(const boost::json::value& value);

// `text` for an error's details: quoted, escaped and shortened.
[[nodiscard]] std::string excerpt(std::string_view text);

}  // namespace wire
