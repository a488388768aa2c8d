#include "http/refusal_page.h"

#include "http/text.h"

namespace http {

namespace beast = boost::beast;
using beast::http::field;
using beast::http::status;

namespace {

constexpr std::string_view kHtml = "text/html; charset=utf-8";

// Nothing but its own style.
constexpr std::string_view kPolicy =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'";

constexpr std::string_view kBegin = R"(<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<style>
body { display: grid; place-items: center; min-height: 100vh; margin: 0;
  font: 16px/1.5 system-ui, sans-serif; color: #24272c; background: #f3f4f6; }
main { box-sizing: border-box; width: min(30rem, 100%); padding: 1.5rem; background: #fff;
  border: 1px solid #d5d8dd; border-radius: 8px; overflow-wrap: anywhere; }
h1 { margin: 0 0 .5rem; font-size: 1.2rem; }
p { margin: .5rem 0; }
small { color: #5c626c; }
a { color: #1f6fd0; }
@media (prefers-color-scheme: dark) {
  body { color: #d9dce1; background: #16181c; }
  main { background: #1e2126; border-color: #363b43; }
  small { color: #9aa0aa; }
  a { color: #4c8dd6; }
}
</style>
)";

std::string_view heading_of(status code) {
  switch (code) {
    case status::unauthorized:
      return "You are not signed in";
    case status::forbidden:
      return "This is not allowed";
    case status::not_found:
      return "There is no such page";
    case status::misdirected_request:
      return "The daemon does not know this address";
    case status::too_many_requests:
      return "Too many requests";
    case status::service_unavailable:
      return "Not available right now";
    default:
      return "The daemon refused this request";
  }
}

// Where the page of the terminals helps: it has a place to sign in.
bool is_helped_by_home(status code) {
  return code == status::unauthorized || code == status::forbidden || code == status::not_found;
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      default:
        out += c;
    }
  return out;
}

}  // namespace

bool wants_page(const Request& request) {
  if (request.method() != beast::http::verb::get) return false;
  for (std::string_view rest = view(request[field::accept]); !rest.empty();) {
    std::string_view type = take_until(rest, ',');
    if (trim(take_until(type, ';')) == "text/html") return true;
  }
  return false;
}

Response as_page(const Request& request, const Response& refusal) {
  const std::string heading(heading_of(refusal.result()));
  std::string body(kBegin);
  body += "<title>" + heading + "</title>\n<main>\n<h1>" + heading + "</h1>\n";
  body += "<p>" + escaped(refusal.body()) + "</p>\n";
  if (refusal.count(field::retry_after) > 0)
    body += "<p>Try again in " + escaped(view(refusal[field::retry_after])) + " seconds.</p>\n";
  if (is_helped_by_home(refusal.result())) body += "<p><a href=\"/\">Go to the terminals</a></p>\n";
  body += "<small>Holdfast, " + std::to_string(refusal.result_int()) + "</small>\n</main>\n";
  Response response = respond(request, refusal.result(), kHtml, std::move(body));
  set_header(response, "Content-Security-Policy", kPolicy);
  if (refusal.count(field::retry_after) > 0)
    set_header(response, "Retry-After", view(refusal[field::retry_after]));
  response.keep_alive(refusal.keep_alive());
  return response;
}

}  // namespace http
