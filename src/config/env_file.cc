#include "config/env_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace config {
namespace {

constexpr std::string_view kBlanks = " \t";
constexpr std::string_view kLineEnds = "\r\n";
constexpr std::string_view kSpace = " \t\r\n";

bool is_name(std::string_view text) {
  const auto is_letter = [](char c) {
    return c == '_' || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
  };
  return !text.empty() && is_letter(text.front()) &&
         std::all_of(text.begin(), text.end(),
                     [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

bool is_one_of(char c, std::string_view characters) {
  return characters.find(c) != std::string_view::npos;
}

class Reader {
 public:
  Reader(std::string_view text, const std::filesystem::path& path) : text_(text), path_(path) {}

  base::Result<std::vector<Assignment>> read() {
    std::vector<Assignment> found;
    while (skip(kSpace), !at_end()) {
      const int line = line_;
      const auto name = read_name();
      if (!name) continue;
      auto value = read_value();
      if (!value) return base::fail(value.error());
      if (is_name(*name)) found.push_back({*name, std::move(*value), line});
    }
    return found;
  }

 private:
  [[nodiscard]] bool at_end() const { return position_ == text_.size(); }
  [[nodiscard]] char peek() const { return text_[position_]; }
  char take() {
    const char c = text_[position_++];
    if (c == '\n') ++line_;
    return c;
  }
  void skip(std::string_view characters) {
    while (!at_end() && is_one_of(peek(), characters)) take();
  }
  std::string_view take_until(std::string_view characters) {
    const auto begin = position_;
    while (!at_end() && !is_one_of(peek(), characters)) take();
    return text_.substr(begin, position_ - begin);
  }

  // Reads the name and its `=`. Nothing for a comment or a line without `=`.
  std::optional<std::string> read_name() {
    if (is_one_of(peek(), "#;")) {
      take_until(kLineEnds);
      return std::nullopt;
    }
    std::string_view name = take_until("=\r\n");
    if (at_end() || peek() != '=') return std::nullopt;
    take();
    if (name.starts_with("export") && name.size() > 6 && is_one_of(name[6], kBlanks))
      name.remove_prefix(std::min(name.find_first_not_of(kBlanks, 6), name.size()));
    return std::string(name.substr(0, name.find_last_not_of(kBlanks) + 1));
  }

  // Quoted pieces, then plain text until the end of the line.
  base::Result<std::string> read_value() {
    std::string value;
    for (;;) {
      skip(kBlanks);
      if (at_end() || is_one_of(peek(), kLineEnds)) return value;
      if (!is_one_of(peek(), "'\"")) break;
      if (auto read = read_quoted(value); !read) return base::fail(read.error());
    }
    read_plain(value);
    return value;
  }

  base::Status read_quoted(std::string& value) {
    const int line = line_;
    const char quote = take();
    while (!at_end()) {
      const char c = take();
      if (c == quote) return {};
      if (c != '\\' || quote == '\'' || at_end()) {
        value += c;
      } else if (const char next = take(); is_one_of(next, "\"\\`$")) {
        value += next;
      } else if (next != '\n') {
        value += {c, next};
      }
    }
    return base::fail(base::Code::invalid_argument,
                      fmt::format("{}:{}: unclosed quote", path_.native(), line));
  }

  // A backslash escapes the next character; before a line end it joins the lines. Trailing blanks
  // are dropped.
  void read_plain(std::string& value) {
    std::size_t kept = value.size();
    while (!at_end() && !is_one_of(peek(), kLineEnds)) {
      const char c = take();
      const bool is_escaped = c == '\\' && !at_end();
      const char meant = is_escaped ? take() : c;
      if (is_escaped && meant == '\n') continue;
      value += meant;
      if (is_escaped || !is_one_of(meant, kBlanks)) kept = value.size();
    }
    value.resize(kept);
  }

  std::string_view text_;
  const std::filesystem::path& path_;
  std::size_t position_ = 0;
  int line_ = 1;
};

}  // namespace

base::Result<std::vector<Assignment>> parse_env_file(std::string_view text,
                                                     const std::filesystem::path& path) {
  return Reader(text, path).read();
}

}  // namespace config
