// Strongly typed ids: a terminal's id cannot be passed where a session's is expected.

#pragma once

#include <compare>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"

namespace base {

// The maximum length of ids that people and clients choose.
inline constexpr std::size_t kMaxNameLength = 128;

// Up to 128 of A-Z a-z 0-9 . _ : - starting with a letter or digit: safe in paths, URLs and logs.
[[nodiscard]] constexpr bool is_valid_id(std::string_view text) {
  const auto is_alphanumeric = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
  };
  if (text.empty() || text.size() > kMaxNameLength || !is_alphanumeric(text.front())) return false;
  for (const char c : text)
    if (!is_alphanumeric(c) && c != '.' && c != '_' && c != ':' && c != '-') return false;
  return true;
}

// The same without the colon, which separates names elsewhere: for users and extensions.
[[nodiscard]] constexpr bool is_valid_name(std::string_view text) {
  return is_valid_id(text) && !text.contains(':');
}

template <class Tag>
class Id {
 public:
  Id() = default;
  explicit Id(std::string text) : text_(std::move(text)) {}

  [[nodiscard]] static Result<Id> parse(std::string_view text) {
    if (!is_valid_id(text))
      return fail(Code::invalid_argument, "invalid id",
                  "Use 1 to 128 of A-Z a-z 0-9 . _ : - beginning with a letter or a digit.");
    return Id(std::string(text));
  }

  [[nodiscard]] const std::string& str() const { return text_; }
  friend auto operator<=>(const Id&, const Id&) = default;
  friend bool operator==(const Id&, const Id&) = default;

 private:
  std::string text_;
};

}  // namespace base

template <class Tag>
struct std::hash<base::Id<Tag>> {
  std::size_t operator()(const base::Id<Tag>& id) const noexcept {
    return std::hash<std::string>{}(id.str());
  }
};
