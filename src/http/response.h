// HTTP responses. `set_header` writes every header, so that no value can end a header and start
// another.

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

// Whether the text is a valid header value: no control characters.
[[nodiscard]] bool is_header_text(std::string_view text);

// Makes the response a 500 without the header if the value is invalid.
void set_header(Response& response, std::string_view name, std::string_view value);

[[nodiscard]] Response respond(const Request& request, boost::beast::http::status code,
                               std::string_view type, std::string body);
// Responds with a line of text that says why.
[[nodiscard]] Response refuse(const Request& request, boost::beast::http::status code,
                              std::string why);
[[nodiscard]] Response try_later(Response response, std::chrono::seconds after);
// Answers a malformed request. The connection ends afterwards.
[[nodiscard]] Response refuse_unreadable(boost::beast::http::status code, std::string why);

}  // namespace http
