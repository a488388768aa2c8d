// What requests are answered with.

#include "http/routes.h"

#include <boost/beast/version.hpp>
#include <boost/beast/websocket/rfc6455.hpp>

#include "base/id.h"
#include "base/log.h"
#include "base/version.h"
#include "http/assets.h"
#include "http/server.h"
#include "http/text.h"
#include "wire/native.h"

namespace http {

namespace beast = boost::beast;
using beast::http::field;
using beast::http::status;
using Response = beast::http::response<beast::http::string_body>;

namespace {

constexpr const char* kText = "text/plain; charset=utf-8";
constexpr const char* kJson = "application/json";

Response respond(const Request& request, status code, const char* type, std::string body) {
  Response response(code, request.version());
  response.set(field::content_type, type);
  response.set(field::cache_control, "no-store");
  response.set("X-Content-Type-Options", "nosniff");
  response.set("Referrer-Policy", "no-referrer");
  response.set("X-Frame-Options", "DENY");
  response.keep_alive(request.keep_alive());
  if (request.method() == beast::http::verb::head) {
    response.content_length(body.size());
  } else {
    response.body() = std::move(body);
    response.prepare_payload();
  }
  return response;
}

Response refuse(const Request& request, status code, std::string why) {
  return respond(request, code, kText, std::move(why) + "\n");
}

Response try_later(Response response, std::chrono::seconds after) {
  response.set(field::retry_after, std::to_string(after.count()));
  return response;
}

// To a browser `//name/` and `/\\name/` are addresses of another server.
std::string within_this_server(const std::string& target) {
  const std::size_t begin = target.find_first_not_of("/\\");
  return begin == std::string::npos ? "/" : "/" + target.substr(begin);
}

bool is_websocket_path(std::string_view path) {
  return path == kCompatiblePath || path == kSinglePath || path == kNativePath;
}

bool offers(const Request& request, std::string_view protocol) {
  for (std::string_view rest = view(request[field::sec_websocket_protocol]); !rest.empty();)
    if (trim(take_until(rest, ',')) == protocol) return true;
  return false;
}

bool accepts(const Request& request, std::string_view encoding) {
  for (std::string_view rest = view(request[field::accept_encoding]); !rest.empty();) {
    std::string_view parameters = take_until(rest, ',');
    const std::string_view name = trim(take_until(parameters, ';'));
    if (name == encoding && !trim(parameters).starts_with("q=0")) return true;
  }
  return false;
}

bool only_reads(const Request& request) {
  return request.method() == beast::http::verb::get || request.method() == beast::http::verb::head;
}

}  // namespace

std::optional<Response> Server::answer(const Request& request, const Peer& direct,
                                       Visitor& visitor) {
  const Peer peer =
      settings_.proxy == Proxy::trusted && !direct.user ? forwarded(request, direct) : direct;
  if (!peer.user && !keeps_to_rate(peer))
    return try_later(refuse(request, status::too_many_requests,
                            "This address asks more often than request_rate_limit allows."),
                     kHastyWait);
  const std::string_view target = view(request.target());
  const std::string_view path = path_of(target);
  const std::string_view host = view(request[field::host]);
  // Of a field that stands twice, a proxy may have looked at the other one.
  for (const field name : {field::host, field::origin, field::authorization})
    if (request.count(name) > 1)
      return refuse(request, status::bad_request, "A header field stands there twice.");
  // No browser comes by a Unix socket.
  if (!peer.user && !gate_.host_is_right(host))
    return refuse(
        request, status::misdirected_request,
        "This daemon is not called so. Use the address it printed, or allow the name with "
        "allowed_hosts.");
  if (!peer.user && !gate_.origin_is_right(view(request[field::origin]), host, peer))
    return refuse(request, status::forbidden,
                  "Pages of this origin may not use this daemon. Allow it with allowed_origins.");
  if (path == "/health") return health(request);

  auto user = who_asks(request, peer);
  if (!user) return std::move(user.error());

  if (is_websocket_path(path)) {
    if (!beast::websocket::is_upgrade(request))
      return refuse(request, status::upgrade_required, "This address is for WebSockets.");
    if (const auto session = query_parameter(target, "session");
        session && !base::is_valid_id(*session))
      return refuse(
          request, status::bad_request,
          "This cannot be a session's name: use A-Z a-z 0-9 . _ : - and begin with a letter "
          "or a digit.");
    if (path == kNativePath && !offers(request, wire::native::kProtocol))
      return refuse(request, status::bad_request,
                    "Offer the subprotocol holdfast.v1 (Sec-WebSocket-Protocol).");
    if (settings_.proxy == Proxy::trusted && !direct.user) {
      visitor.address_place = limiter_.by_address.take(counted_address(peer.address),
                                                       limiter_.limits.address_connections);
      if (!visitor.address_place) {
        limiter_.met(Limit::address_connection);
        return try_later(refuse(request, status::too_many_requests,
                                "There are too many connections from this place."),
                         std::chrono::seconds(10));
      }
    }
    visitor.user = std::move(*user);
    visitor.address = peer.address;
    visitor.place = limiter_.by_user.take(visitor.user.id.str(), limiter_.limits.user_connections);
    if (visitor.place) return std::nullopt;
    limiter_.met(Limit::user_connection);
    return try_later(refuse(request, status::too_many_requests,
                            "This user has as many connections as one may have "
                            "(user_connection_limit). Close one first."),
                     std::chrono::seconds(10));
  }
  if (!only_reads(request)) return refuse(request, status::method_not_allowed, "Use GET.");
  if (path == "/metrics") return metrics(request);
  if (const auto token = query_parameter(target, "token")) return sign_in(request, peer, *token);
  return page(request, path, status::ok);
}

bool Server::keeps_to_rate(const Peer& peer) {
  constexpr double kBurst = 5;
  const auto rate = static_cast<double>(limiter_.limits.request_rate);
  if (limiter_.requests.take(counted_address(peer.address), std::chrono::steady_clock::now(), rate,
                             rate * kBurst))
    return true;
  limiter_.met(Limit::request_rate);
  return false;
}

std::expected<User, Response> Server::who_asks(const Request& request, const Peer& peer) {
  const auto now = std::chrono::steady_clock::now();
  const std::string address = counted_address(peer.address);
  const auto barred = limiter_.failures.barred(address, now);
  auto found =
      gate_.user_of(request, peer, barred.count() > 0 ? Guessing::barred : Guessing::allowed);
  if (!found) {
    base::log(base::Level::error, "nobody can be signed in", {{"error", found.error()}});
    return std::unexpected(refuse(request, status::service_unavailable,
                                  "Nobody can be signed in now: " + found.error().message()));
  }
  if (*found) return std::move(**found);

  const std::string_view path = path_of(view(request.target()));
  const bool is_page = only_reads(request) && find_asset(path);
  // The page's other files are the same to everybody, so nothing is found out by asking for them.
  if (is_page && path != "/") return std::unexpected(page(request, path, status::ok));
  const bool has_failed = gate_.has_credential(request);
  if (has_failed && barred.count() == 0) {
    base::log(base::Level::warning, "a sign-in failed", {{"address", peer.address}});
    limiter_.failures.add(address, now, limiter_.limits.failed_sign_ins);
  }
  const bool is_refused = has_failed && barred.count() > 0;
  if (is_refused) limiter_.met(Limit::failed_sign_in);
  const status code = is_refused ? status::too_many_requests : status::unauthorized;
  // The page has nothing secret in it, and shows where to paste a token.
  Response response =
      is_page
          ? page(request, path, code)
          : refuse(request, code,
                   is_refused
                       ? "Too many sign-ins from this address have failed. Wait before the next."
                       : "Sign in: open the link that `holdfast serve` printed, or send "
                         "Authorization: Bearer with a token from `holdfast token new`.");
  return std::unexpected(is_refused ? try_later(std::move(response), barred) : std::move(response));
}

// The token goes into a cookie that scripts cannot read, and out of the address, which is shown and
// remembered.
Response Server::sign_in(const Request& request, const Peer& peer, const std::string& token) {
  Response response = refuse(request, status::see_other, "Signed in.");
  response.set(field::location,
               within_this_server(without_parameter(view(request.target()), "token")));
  response.set(field::set_cookie, gate_.cookie_name() + "=" + token +
                                      "; Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000" +
                                      (peer.is_secure ? "; Secure" : ""));
  return response;
}

Response Server::page(const Request& request, std::string_view path, status code) {
  const auto asset = find_asset(path);
  if (!asset) return refuse(request, status::not_found, "There is nothing at this address.");
  std::string_view content = asset->plain;
  const char* encoding = nullptr;
  if (!asset->brotli.empty() && accepts(request, "br")) {
    content = asset->brotli;
    encoding = "br";
  } else if (!asset->gzip.empty() && accepts(request, "gzip")) {
    content = asset->gzip;
    encoding = "gzip";
  }
  Response response = respond(request, code, kText, std::string(content));
  response.set(field::content_type, beast::string_view(asset->type.data(), asset->type.size()));
  response.set(field::vary, "Accept-Encoding");
  if (encoding != nullptr) response.set(field::content_encoding, encoding);
  if (asset->lifetime == Lifetime::forever)
    response.set(field::cache_control, "public, max-age=31536000, immutable");
  // xterm.js writes its styles into the page; no script but the program's own runs.
  response.set("Content-Security-Policy",
               "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
               "img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
               "frame-ancestors 'none'");
  return response;
}

Response Server::health(const Request& request) const {
  const session::Counts counts = sessions_.counts();
  const auto uptime =
      std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - started_);
  std::string body = R"({"status":"ok","version":")";
  body += base::version();
  body += R"(","uptimeSeconds":)";
  body += std::to_string(uptime.count());
  body += R"(,"sessions":)" + std::to_string(counts.sessions);
  body += R"(,"terminals":{"active":)" + std::to_string(counts.active);
  body += R"(,"orphaned":)" + std::to_string(counts.orphaned);
  body += R"(,"exited":)" + std::to_string(counts.exited);
  body += R"(},"viewers":)" + std::to_string(counts.viewers) + "}";
  return respond(request, status::ok, kJson, std::move(body));
}

Response Server::metrics(const Request& request) const {
  const session::Counts counts = sessions_.counts();
  std::string body;
  const auto metric = [&body](std::string_view name, std::string_view kind, std::string_view help) {
    for (const std::string_view part :
         {std::string_view("# HELP "), name, std::string_view(" "), help,
          std::string_view("\n# TYPE "), name, std::string_view(" "), kind, std::string_view("\n")})
      body += part;
  };
  const auto value = [&body](std::string_view sample, std::uint64_t number) {
    (body += sample) += " " + std::to_string(number) + "\n";
  };
  metric("holdfast_build_info", "gauge", "The daemon's and the keeper's versions.");
  value("holdfast_build_info{version=\"" + std::string(base::version()) + "\",keeper_version=\"" +
            keeper_version_ + "\"}",
        1);
  metric("holdfast_terminals", "gauge", "Terminals by what became of them.");
  value(R"(holdfast_terminals{state="active"})", counts.active);
  value(R"(holdfast_terminals{state="orphaned"})", counts.orphaned);
  value(R"(holdfast_terminals{state="exited"})", counts.exited);
  metric("holdfast_sessions", "gauge", "Sessions of all users.");
  value("holdfast_sessions", counts.sessions);
  metric("holdfast_viewers", "gauge", "Attachments to terminals.");
  value("holdfast_viewers", counts.viewers);
  metric("holdfast_clients", "gauge", "Open WebSocket connections.");
  value("holdfast_clients", clients_.size());
  metric("holdfast_requests_total", "counter", "HTTP requests answered.");
  value("holdfast_requests_total", requests_served_);
  metric("holdfast_limited_total", "counter", "How often a client has met a limit.");
  for (std::size_t i = 0; i < kLimitNames.size(); ++i) {
    const auto limit = static_cast<Limit>(i);
    value("holdfast_limited_total{limit=\"" + std::string(kLimitNames.at(i)) + "\"}",
          limit == Limit::user_terminal ? sessions_.terminals_refused() : limiter_.counts().at(i));
  }
  return respond(request, status::ok, "text/plain; version=0.0.4; charset=utf-8", std::move(body));
}

}  // namespace http
