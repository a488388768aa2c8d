#include "http/framing.h"

#include <algorithm>
#include <charconv>

#include <boost/beast/core/string.hpp>

#include "http/text.h"

namespace http {

namespace beast = boost::beast;
using beast::http::field;

std::string ambiguity_of(const Request& request) {
  for (const field name : {field::host, field::origin, field::authorization, field::content_length,
                           field::transfer_encoding})
    if (request.count(name) > 1)
      return "Duplicate " + std::string(view(beast::http::to_string(name))) + " header.";
  const std::string_view coding = view(request[field::transfer_encoding]);
  if (!coding.empty() && !beast::iequals(request[field::transfer_encoding], "chunked"))
    return "Unsupported Transfer-Encoding. Use chunked.";
  const std::string_view length = view(request[field::content_length]);
  if (!std::ranges::all_of(length, [](char c) { return c >= '0' && c <= '9'; }))
    return "Invalid Content-Length header.";
  if (request.count(field::transfer_encoding) > 0 && request.count(field::content_length) > 0)
    return "Conflicting Content-Length and Transfer-Encoding headers.";
  return {};
}

std::uint64_t body_length(const Request& request) {
  const std::string_view text = view(request[field::content_length]);
  std::uint64_t length = 0;
  std::from_chars(text.data(), text.data() + text.size(), length);
  return length;
}

bool has_body(const Request& request) {
  return request.count(field::transfer_encoding) > 0 || body_length(request) > 0;
}

}  // namespace http
