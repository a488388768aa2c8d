// Answers to requests. Every header field of every answer is written by `set_header`, so that no
// text can end a field and begin another.

#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>

#include "http/websocket.h"

namespace http {

using Response = boost::beast::http::response<boost::beast::http::string_body>;

inline constexpr std::string_view kText = "text/plain; charset=utf-8";
inline constexpr std::string_view kJson = "application/json";

// Whether the text can stand in a header field: no control characters.
[[nodiscard]] bool is_header_text(std::string_view text);

// Makes the answer a 500 without the field if the value is no header text.
void set_header(Response& response, std::string_view name, std::string_view value);

[[nodiscard]] Response respond(const Request& request, boost::beast::http::status code,
                               std::string_view type, std::string body);
// A line of text that says why.
[[nodiscard]] Response refuse(const Request& request, boost::beast::http::status code,
                              std::string why);
[[nodiscard]] Response try_later(Response response, std::chrono::seconds after);
// To what cannot be read as a request; the connection ends with it.
[[nodiscard]] Response refuse_unreadable(boost::beast::http::status code, std::string why);

}  // namespace http
