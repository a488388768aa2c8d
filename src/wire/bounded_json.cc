#include "wire/bounded_json.h"

#include <cstddef>
#include <cstdint>

#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/value_stack.hpp>

#include "wire/limits.h"

namespace wire {
namespace {

namespace json = boost::json;

// Does the same as boost::json::parser, and counts values.
class Handler {
 public:
  // basic_parser requires these names. The message's size was checked before.
  // NOLINTBEGIN(readability-identifier-naming)
  static constexpr std::size_t max_object_size = kMaxMessage;
  static constexpr std::size_t max_array_size = kMaxMessage;
  static constexpr std::size_t max_key_size = json::string::max_size();
  static constexpr std::size_t max_string_size = json::string::max_size();
  // NOLINTEND(readability-identifier-naming)

  Handler(unsigned char* scratch, std::size_t size) : stack_({}, scratch, size) { stack_.reset(); }

  [[nodiscard]] bool has_too_many() const { return left_ == 0; }
  [[nodiscard]] json::value release() { return stack_.release(); }

  bool on_document_begin(json::error_code&) { return true; }
  bool on_document_end(json::error_code&) { return true; }
  bool on_object_begin(json::error_code&) { return true; }
  bool on_array_begin(json::error_code&) { return true; }
  bool on_object_end(std::size_t count, json::error_code& error) {
    stack_.push_object(count);
    return counted(error);
  }
  bool on_array_end(std::size_t count, json::error_code& error) {
    stack_.push_array(count);
    return counted(error);
  }
  bool on_key_part(json::string_view part, std::size_t, json::error_code&) {
    stack_.push_chars(part);
    return true;
  }
  bool on_key(json::string_view last, std::size_t, json::error_code&) {
    stack_.push_key(last);
    return true;
  }
  bool on_string_part(json::string_view part, std::size_t, json::error_code&) {
    stack_.push_chars(part);
    return true;
  }
  bool on_string(json::string_view last, std::size_t, json::error_code& error) {
    stack_.push_string(last);
    return counted(error);
  }
  bool on_number_part(json::string_view, json::error_code&) { return true; }
  bool on_int64(std::int64_t number, json::string_view, json::error_code& error) {
    stack_.push_int64(number);
    return counted(error);
  }
  bool on_uint64(std::uint64_t number, json::string_view, json::error_code& error) {
    stack_.push_uint64(number);
    return counted(error);
  }
  bool on_double(double number, json::string_view, json::error_code& error) {
    stack_.push_double(number);
    return counted(error);
  }
  bool on_bool(bool flag, json::error_code& error) {
    stack_.push_bool(flag);
    return counted(error);
  }
  bool on_null(json::error_code& error) {
    stack_.push_null();
    return counted(error);
  }
  bool on_comment_part(json::string_view, json::error_code&) { return true; }
  bool on_comment(json::string_view, json::error_code&) { return true; }

 private:
  bool counted(json::error_code& error) {
    if (--left_ > 0) return true;
    error = json::error::array_too_large;
    return false;
  }

  json::value_stack stack_;
  std::size_t left_ = kMaxValues + 1;
};

}  // namespace

std::expected<json::value, std::string> parse_json(std::string_view text) {
  unsigned char scratch[4096];
  json::basic_parser<Handler> parser(json::parse_options{}, scratch, sizeof scratch);
  json::error_code error;
  const std::size_t consumed = parser.write_some(false, text.data(), text.size(), error);
  if (!error && consumed < text.size()) error = json::error::extra_data;
  if (!error) return parser.handler().release();
  if (parser.handler().has_too_many())
    return std::unexpected("more than " + std::to_string(kMaxValues) + " values");
  return std::unexpected(error.message() + " at byte " + std::to_string(consumed));
}

}  // namespace wire
