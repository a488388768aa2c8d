#include "http/response.h"

#include <algorithm>

#include "base/log.h"

namespace http {

namespace beast = boost::beast;

namespace {

beast::string_view beast_view(std::string_view text) {
  return {text.data(), text.size()};
}

void fill(Response& response, std::string_view type, std::string body) {
  set_header(response, "Content-Type", type);
  set_header(response, "Cache-Control", "no-store");
  set_header(response, "X-Content-Type-Options", "nosniff");
  set_header(response, "Referrer-Policy", "no-referrer");
  set_header(response, "X-Frame-Options", "DENY");
  response.body() = std::move(body);
}

}  // namespace

bool is_header_text(std::string_view text) {
  return std::ranges::none_of(text, [](unsigned char c) { return c < 0x20 || c == 0x7f; });
}

void set_header(Response& response, std::string_view name, std::string_view value) {
  if (is_header_text(value)) return response.set(beast_view(name), beast_view(value));
  base::log(base::Level::error, "Refused to send a header with control characters",
            {{"field", name}});
  response.clear();
  response.result(beast::http::status::internal_server_error);
  response.body() = "Internal error.\n";
  response.prepare_payload();
}

Response respond(const Request& request, beast::http::status code, std::string_view type,
                 std::string body) {
  Response response(code, request.version());
  const std::size_t size = body.size();
  const bool is_head = request.method() == beast::http::verb::head;
  fill(response, type, is_head ? std::string() : std::move(body));
  response.keep_alive(request.keep_alive());
  response.content_length(size);
  return response;
}

Response refuse(const Request& request, beast::http::status code, std::string why) {
  return respond(request, code, kText, std::move(why) + "\n");
}

Response try_later(Response response, std::chrono::seconds after) {
  set_header(response, "Retry-After", std::to_string(after.count()));
  return response;
}

Response refuse_unreadable(beast::http::status code, std::string why) {
  Response response(code, 11);
  fill(response, kText, std::move(why) + "\n");
  response.keep_alive(false);
  response.prepare_payload();
  return response;
}

}  // namespace http
