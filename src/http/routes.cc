// The answers to requests.

#include "http/routes.h"

#include <boost/beast/websocket/rfc6455.hpp>

#include "base/id.h"
#include "base/log.h"
#include "base/version.h"
#include "http/assets.h"
#include "http/framing.h"
#include "http/response.h"
#include "http/server.h"
#include "http/text.h"
#include "http/theme.h"
#include "wire/native.h"

namespace http {

namespace beast = boost::beast;
using beast::http::field;
using beast::http::status;
using beast::http::verb;

namespace {

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

// Whether another site's page led here.
bool comes_from_elsewhere(const Request& request) {
  const std::string_view site = view(request["Sec-Fetch-Site"]);
  return site == "cross-site" || site == "same-site";
}

// What is wrong with a request for a WebSocket, however many there are.
std::optional<Response> wrong_with(const Request& request, const User& user) {
  const std::string_view target = view(request.target());
  if (const auto session = query_parameter(target, "session");
      session && !base::is_valid_id(*session))
    return refuse(request, status::bad_request,
                  "Invalid session name. Use A-Z a-z 0-9 . _ : - and start with a letter or a "
                  "digit.");
  if (auto theme = theme_of(target); !theme)
    return refuse(request, status::bad_request, theme.error().message());
  if (path_of(target) == kNativePath && !offers(request, wire::native::kProtocol))
    return refuse(request, status::bad_request,
                  "Missing subprotocol. Send Sec-WebSocket-Protocol: holdfast.v1.");
  if (path_of(target) == kSinglePath && user.scope.access == session::Access::view)
    return refuse(request, status::forbidden, "This credential is view-only.");
  return std::nullopt;
}

}  // namespace

Peer Server::peer_of(const Request& request, const Peer& direct) const {
  return settings_.proxy == Proxy::trusted && !direct.user ? forwarded(request, direct) : direct;
}

std::optional<Response> Server::turn_back(const Request& request, const Peer& peer) {
  if (auto why = ambiguity_of(request); !why.empty()) {
    Response response = refuse(request, status::bad_request, std::move(why));
    response.keep_alive(false);  // It is unclear where the next request starts.
    return response;
  }
  if (peer.user) return std::nullopt;  // Browsers do not use Unix sockets.
  if (!keeps_to_rate(peer))
    return try_later(refuse(request, status::too_many_requests,
                            "Too many requests from this address (request_rate_limit)."),
                     kHastyWait);
  const std::string_view host = view(request[field::host]);
  if (!gate_.host_is_right(host, peer))
    return refuse(request, status::misdirected_request,
                  "Unrecognized host name. Use the address that the daemon printed, or start the "
                  "daemon with --allowed-hosts and the name in this address.");
  if (!gate_.origin_is_right(view(request[field::origin]), host, peer))
    return refuse(request, status::forbidden,
                  "Origin not allowed. Allow it with --allowed-origins.");
  return std::nullopt;
}

// `unbound`: with a credential for everything of the user's.
enum class Server::Who { anyone, signed_in, unbound };

struct Server::Route {
  verb method;
  std::string_view path;  // Ends with a slash: matches any path below it.
  Who who;
  Response (Server::*answer)(const Request& request, const Peer& peer, const User& user);

  [[nodiscard]] bool is_for(std::string_view asked) const {
    return path.ends_with('/') ? asked.starts_with(path) : asked == path;
  }
};

const Server::Route Server::kRoutes[] = {
    {verb::get, "/health", Who::anyone, &Server::health},
    {verb::get, "/metrics", Who::unbound, &Server::metrics},
    {verb::post, "/sign-in", Who::anyone, &Server::sign_in},
    {verb::get, "/sign-in", Who::signed_in, &Server::who_am_i},
    {verb::post, "/sign-out", Who::signed_in, &Server::sign_out},
    {verb::get, "/sign-ins", Who::unbound, &Server::list_sign_ins},
    {verb::delete_, "/sign-ins", Who::unbound, &Server::end_sign_ins},
    {verb::delete_, "/sign-ins/", Who::unbound, &Server::end_sign_ins},
    {verb::post, "/link", Who::unbound, &Server::link},
};

std::vector<RouteName> Server::routes() {
  std::vector<RouteName> all;
  for (const Route& route : kRoutes)
    all.push_back({.method = std::string(view(beast::http::to_string(route.method))),
                   .path = std::string(route.path)});
  all.push_back({.method = "POST", .path = std::string(kMcpPath)});
  all.push_back({.method = "PUT", .path = std::string(kUploadPath)});
  all.push_back({.method = "GET", .path = std::string(kUploadPath)});
  all.push_back({.method = "DELETE", .path = std::string(kUploadPath)});
  all.push_back({.method = "GET", .path = std::string(kFilesPath)});
  return all;
}

const Server::Route* Server::find_route(std::string_view path, verb method) {
  if (method == verb::head) method = verb::get;
  for (const Route& route : kRoutes)
    if (route.method == method && route.is_for(path)) return &route;
  return nullptr;
}

std::optional<Response> Server::answer(const Request& request, const Peer& peer, Visitor& visitor) {
  const std::string_view path = path_of(view(request.target()));
  const Route* const route = find_route(path, request.method());
  if (route != nullptr && route->who == Who::anyone)
    return (this->*route->answer)(request, peer, User());

  auto user = who_asks(request, peer);
  if (!user) return std::move(user.error());
  if (is_websocket_path(path)) return admit(request, peer, *std::move(user), visitor);
  if (route != nullptr && route->who == Who::unbound && user->scope.bounds)
    return refuse(request, status::forbidden,
                  "This credential is bound to some sessions or terminals.");
  if (route != nullptr) return (this->*route->answer)(request, peer, *user);
  if (const std::string methods = methods_of(path); !methods.empty())
    return refuse(request, status::method_not_allowed, "Use " + methods + ".");
  if (!only_reads(request)) return refuse(request, status::method_not_allowed, "Use GET.");
  return page(request, path, status::ok);
}

std::string Server::methods_of(std::string_view path) {
  std::string methods;
  for (const Route& route : kRoutes)
    if (route.is_for(path))
      (methods += methods.empty() ? "" : " or ") += view(beast::http::to_string(route.method));
  return methods;
}

std::optional<Response> Server::admit(const Request& request, const Peer& peer, User user,
                                      Visitor& visitor) {
  // A page cannot see why its WebSocket was refused, so it asks again with a plain request. That
  // one is refused for the same reasons, except those that lie in the WebSocket request itself.
  const bool is_upgrade = beast::websocket::is_upgrade(request);
  if (is_upgrade)
    if (auto wrong = wrong_with(request, user)) return wrong;
  std::optional<Places::Place> address_place;
  if (!is_trusted(peer)) {
    address_place = limiter_.by_address.take(limit_key(peer), limiter_.limits.address_connections);
    if (!address_place) {
      limiter_.met(Limit::address_connection);
      return try_later(refuse(request, status::too_many_requests,
                              "Too many connections from this address (address_connection_limit)."),
                       std::chrono::seconds(10));
    }
  }
  auto place = limiter_.by_user.take(user.id.str(), limiter_.limits.user_connections);
  if (!place) {
    limiter_.met(Limit::user_connection);
    return try_later(
        refuse(request, status::too_many_requests,
               "Too many connections for this user (user_connection_limit). Close one first."),
        std::chrono::seconds(10));
  }
  if (!is_upgrade)
    return refuse(request, status::upgrade_required, "This address is for WebSockets only.");
  visitor = {.user = std::move(user),
             .address = peer.address,
             .theme = *theme_of(view(request.target())),
             .place = std::move(place),
             .address_place = std::move(address_place)};
  return std::nullopt;
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
  auto found = gate_.user_of(request, peer);
  if (!found) return std::unexpected(cannot_ask(request, found.error()));
  if (*found) {
    token_uses_.note(**found, peer.address);
    return std::move(**found);
  }
  const std::string_view path = path_of(view(request.target()));
  if (gate_.has_credential(request)) return std::unexpected(sign_in_failed(request, peer));
  // The page's files are the same for everybody, so they give nothing away. The page shows where to
  // paste a token.
  if (only_reads(request) && find_asset(path)) {
    const bool is_open = path != "/" || gate_.has_sign_in(request, peer);
    return std::unexpected(page(request, path, is_open ? status::ok : status::unauthorized));
  }
  return std::unexpected(
      refuse(request, status::unauthorized,
             "Sign in: run `holdfast link` and open the address it prints, or send Authorization: "
             "Bearer with a token from `holdfast token new`."));
}

Response Server::page(const Request& request, std::string_view path, status code) {
  const auto asset = find_asset(path);
  if (!asset) return refuse(request, status::not_found, "Not found.");
  std::string_view content = asset->plain;
  const char* encoding = nullptr;
  if (!asset->brotli.empty() && accepts(request, "br")) {
    content = asset->brotli;
    encoding = "br";
  } else if (!asset->gzip.empty() && accepts(request, "gzip")) {
    content = asset->gzip;
    encoding = "gzip";
  }
  Response response = respond(request, code, asset->type, std::string(content));
  set_header(response, "Vary", "Accept-Encoding");
  if (encoding != nullptr) set_header(response, "Content-Encoding", encoding);
  if (asset->lifetime == Lifetime::forever)
    set_header(response, "Cache-Control", "public, max-age=31536000, immutable");
  // xterm.js adds inline styles. Only the program's own scripts run.
  set_header(response, "Content-Security-Policy",
             "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
             "img-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; "
             "form-action 'none'; frame-ancestors 'none'");
  // The page asks before a link from another site signs it in.
  if (comes_from_elsewhere(request)) set_header(response, "Server-Timing", "elsewhere");
  return response;
}

Response Server::health(const Request& request, const Peer&, const User&) {
  const session::Counts counts = sessions_.terminals().counts();
  const auto uptime =
      std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - started_);
  std::string body = R"({"status":"ok","version":")";
  body += base::version();
  body += R"(","uptimeSeconds":)";
  body += std::to_string(uptime.count());
  body += R"(,"sessions":)" + std::to_string(sessions_.names().count());
  body += R"(,"terminals":{"active":)" + std::to_string(counts.active);
  body += R"(,"orphaned":)" + std::to_string(counts.orphaned);
  body += R"(,"exited":)" + std::to_string(counts.exited);
  body += R"(},"viewers":)" + std::to_string(counts.viewers) + "}";
  return respond(request, status::ok, kJson, std::move(body));
}

Response Server::metrics(const Request& request, const Peer&, const User&) {
  const session::Counts counts = sessions_.terminals().counts();
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
  metric("holdfast_terminals", "gauge", "Terminals by state.");
  value(R"(holdfast_terminals{state="active"})", counts.active);
  value(R"(holdfast_terminals{state="orphaned"})", counts.orphaned);
  value(R"(holdfast_terminals{state="exited"})", counts.exited);
  metric("holdfast_sessions", "gauge", "Sessions of all users.");
  value("holdfast_sessions", sessions_.names().count());
  metric("holdfast_viewers", "gauge", "Viewers attached to terminals.");
  value("holdfast_viewers", counts.viewers);
  metric("holdfast_clients", "gauge", "Open WebSocket connections.");
  value("holdfast_clients", clients_.size());
  metric("holdfast_waiting_requests", "gauge", "Requests of the API that wait for a terminal.");
  value("holdfast_waiting_requests", long_calls_.size());
  metric("holdfast_requests_total", "counter", "HTTP requests answered.");
  value("holdfast_requests_total", requests_served_);
  metric("holdfast_limited_total", "counter", "How often clients hit a limit.");
  for (std::size_t i = 0; i < kLimitNames.size(); ++i) {
    const auto limit = static_cast<Limit>(i);
    value("holdfast_limited_total{limit=\"" + std::string(kLimitNames.at(i)) + "\"}",
          limit == Limit::user_terminal ? sessions_.launcher().refused() : limiter_.counts().at(i));
  }
  return respond(request, status::ok, "text/plain; version=0.0.4; charset=utf-8", std::move(body));
}

}  // namespace http
