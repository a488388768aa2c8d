#include "http/gate.h"

#include <unistd.h>

#include <algorithm>

#include "base/log.h"
#include "base/percent.h"
#include "http/routes.h"
#include "http/socket.h"
#include "http/text.h"
#include "session/login.h"
#include "session/token.h"

namespace http {
namespace {

namespace beast = boost::beast;

using beast::http::field;

constexpr const char* kProxySecret = "X-Holdfast-Proxy-Secret";
constexpr const char* kSecretField = "X-Holdfast-Secret";
// A browser's WebSocket cannot set headers, but it can offer subprotocols.
constexpr std::string_view kSecretProtocol = "holdfast.secret.";

std::string lower(std::string_view text) {
  std::string lowered(text);
  std::ranges::transform(lowered, lowered.begin(), [](unsigned char c) { return std::tolower(c); });
  return lowered;
}

std::string_view bearer(std::string_view header) {
  const std::string_view scheme = take_until(header, ' ');
  return lower(scheme) == "bearer" ? trim(header) : std::string_view();
}

std::string_view cookie(std::string_view header, std::string_view name) {
  while (!header.empty()) {
    std::string_view value = trim(take_until(header, ';'));
    if (take_until(value, '=') == name) return value;
  }
  return {};
}

std::string decode(std::string_view text) {
  std::string spaced(text);
  std::ranges::replace(spaced, '+', ' ');
  return base::decode_percents(spaced);
}

// The query part of an address.
std::string_view parameters_of(std::string_view target) {
  target = take_until(target, '#');
  (void)take_until(target, '?');
  return target;
}

// One half of a sign-in is a cookie; the page holds the other half and sends it with its requests.
std::string_view secret_of(const Request& request) {
  if (request.count(kSecretField) == 1) return view(request[kSecretField]);
  for (std::string_view rest = view(request[field::sec_websocket_protocol]); !rest.empty();)
    if (const auto offered = trim(take_until(rest, ',')); offered.starts_with(kSecretProtocol))
      return offered.substr(kSecretProtocol.size());
  return {};
}

// The name that a browser resolves itself, or an address: no DNS server is asked.
bool is_loopback_name(std::string_view host) {
  const std::string_view name = name_of_host(host);
  const std::string_view port = port_of_host(host);
  const bool is_port = std::ranges::all_of(port, [](char c) { return c >= '0' && c <= '9'; });
  return is_port && port.size() <= 5 &&
         (name == "localhost" || name == "127.0.0.1" || name == "[::1]");
}

// Only a WebSocket address may contain a token: browsers show and remember other addresses.
std::string token_in_address(const Request& request) {
  const std::string_view target = view(request.target());
  return is_websocket_path(path_of(target)) ? query_parameter(target, "token").value_or("") : "";
}

}  // namespace

std::string_view path_of(std::string_view target) {
  return target.substr(0, target.find_first_of("?#"));
}

std::optional<std::string> query_parameter(std::string_view target, std::string_view name) {
  for (std::string_view rest = parameters_of(target); !rest.empty();) {
    std::string_view value = take_until(rest, '&');
    if (decode(take_until(value, '=')) == name) return decode(value);
  }
  return std::nullopt;
}

// A client can send these headers too. The proxy appends its own, so the last one counts.
Peer forwarded(const Request& request, Peer proxy) {
  const auto last = [&](beast::string_view name) -> std::string_view {
    std::string_view value;
    const auto [begin, end] = request.equal_range(name);
    for (auto each = begin; each != end; ++each) value = view(each->value());
    return trim(value.substr(value.rfind(',') + 1));
  };
  if (const auto address = last("X-Forwarded-For"); !address.empty()) {
    proxy.address = address;
    proxy.is_loopback = false;
  }
  const auto scheme = last("X-Forwarded-Proto");
  proxy.is_secure = scheme.empty() || lower(scheme) == "https";
  return proxy;
}

std::string limit_key(const Peer& peer) {
  return peer.user ? "uid " + std::to_string(*peer.user) : counted_address(peer.address);
}

bool is_trusted(const Peer& peer) {
  return peer.user && (*peer.user == ::geteuid() || *peer.user == 0);
}

Gate::Gate(GateSettings settings, session::Store& store)
    : settings_(std::move(settings)), store_(store), sign_ins_(store) {
  const std::size_t colon = settings_.listening.rfind(':');
  port_ = settings_.listening.substr(colon + 1);
  for (const std::string& name : {settings_.listening.substr(0, colon), std::string("localhost"),
                                  std::string("127.0.0.1"), std::string("[::1]")}) {
    hosts_.push_back(std::string(name).append(":").append(port_));
    if (port_ == "80" || port_ == "443") hosts_.push_back(name);
  }
  hash_secrets();
}

void Gate::change(GateSettings settings) {
  settings.listening = std::move(settings_.listening);
  settings.default_user = std::move(settings_.default_user);
  settings.least_account = settings_.least_account;
  settings_ = std::move(settings);
  hash_secrets();
}

void Gate::hash_secrets() {
  const auto hashed = [](const std::string& secret) -> std::optional<session::TokenHash> {
    const auto hash = session::hash_token(secret);
    if (secret.empty() || !hash) return std::nullopt;
    return *hash;
  };
  default_token_ = hashed(settings_.default_token);
  proxy_secret_ = hashed(settings_.proxy_secret);
}

// The port is part of the name: other servers on this host, and other daemons at the end of other
// tunnels, get cookies of their own.
std::string Gate::cookie_name(const Request& request, const Peer& peer) const {
  const std::string host = lower(view(request[field::host]));
  const bool is_tunnel = is_loopback_name(host) && std::ranges::find(hosts_, host) == hosts_.end();
  return (peer.is_secure ? "__Host-holdfast-" : "holdfast-") +
         (is_tunnel ? std::string(port_of_host(host)) : port_);
}

bool Gate::host_is_right(std::string_view host, const Peer& peer) const {
  const std::string asked = lower(host);
  if (std::ranges::find(hosts_, asked) != hosts_.end()) return true;
  if (peer.is_loopback && is_loopback_name(asked)) return true;
  return std::ranges::any_of(settings_.allowed_hosts, [&](const std::string& allowed) {
    return lower(allowed) == asked || lower(allowed) == name_of_host(asked);
  });
}

bool Gate::origin_is_right(std::string_view origin, std::string_view host, const Peer& peer) const {
  if (origin.empty()) return true;
  const std::string came_from = lower(origin);
  if (came_from == (peer.is_secure ? "https://" : "http://") + lower(host)) return true;
  return std::ranges::any_of(settings_.allowed_origins, [&](const std::string& allowed) {
    return lower(allowed) == came_from;
  });
}

bool Gate::is_from_own_page(const Request& request, const Peer& peer) const {
  const std::string_view site = view(request["Sec-Fetch-Site"]);
  const std::string own =
      (peer.is_secure ? "https://" : "http://") + lower(view(request[field::host]));
  return lower(view(request[field::origin])) == own && (site.empty() || site == "same-origin");
}

base::Result<std::optional<User>> Gate::user_of_token(std::string_view token) const {
  if (token.empty()) return std::nullopt;
  if (settings_.jwt && std::ranges::count(token, '.') == 2) return user_of_jwt(token);
  const auto hash = session::hash_token(token);
  if (!hash) return base::fail(hash.error());
  if (default_token_ && *hash == *default_token_) {
    User user = settings_.default_user;
    user.credential = ByToken{*hash};
    return user;
  }
  auto row = store_.tokens().find(*hash);
  if (row)
    return User{.id = row->user,
                .name = row->user_name,
                .scope = row->scope,
                .until = row->expires,
                .credential = ByToken{row->hash}};
  if (row.error().code == base::Code::not_found) return std::nullopt;
  return base::fail(row.error());
}

// Nobody is signed out because the store cannot be read.
bool Gate::token_counts(const session::TokenHash& hash) const {
  if (default_token_ && hash == *default_token_) return true;
  const auto row = store_.tokens().find(hash);
  return row || row.error().code != base::Code::not_found;
}

base::Result<bool> Gate::narrow(User& user, const session::TokenHash& token) const {
  if (token == default_token_) return true;
  const auto row = store_.tokens().find(token);
  if (!row && row.error().code == base::Code::not_found) return false;
  if (!row) return base::fail(row.error());
  user.scope.bounds = row->scope.bounds;
  if (row->scope.access == session::Access::view) user.scope.access = session::Access::view;
  if (row->expires) user.until = std::min(user.until.value_or(*row->expires), *row->expires);
  return true;
}

base::Result<std::optional<User>> Gate::user_of_code(std::string_view code) const {
  auto user = sign_ins_.take_code(code);
  if (!user || !*user) return user;
  const auto* const token = std::get_if<ByToken>(&(*user)->credential);
  if (token == nullptr) return user;
  const auto counts = narrow(**user, token->hash);
  if (!counts) return base::fail(counts.error());
  return *counts ? *std::move(user) : std::nullopt;
}

bool Gate::sign_in_counts(const session::TokenHash& hash) const {
  const auto row = store_.sign_ins().find(hash);
  if (!row) return row.error().code != base::Code::not_found;
  return !row->token || token_counts(*row->token);
}

bool Gate::still_lets_in(const User& user) const {
  struct Judge {
    const Gate& gate;
    bool operator()(const ByPeer&) const { return true; }
    bool operator()(const ByToken& by) const { return gate.token_counts(by.hash); }
    bool operator()(const BySignIn& by) const { return gate.sign_in_counts(by.hash); }
    bool operator()(const ByJwt& by) const {
      const auto& jwt = gate.settings_.jwt;
      return jwt && jwt->verify(by.token, std::chrono::system_clock::now());
    }
    bool operator()(const ByProxy& by) const {
      return !gate.settings_.user_header.empty() && gate.proxy_secret_ == by.secret;
    }
  };
  return std::visit(Judge{*this}, user.credential);
}

// Users are created on first use. Nobody can vouch for the default user, the one of the daemon's
// own links.
base::Result<std::optional<User>> Gate::user_called(const std::string& name,
                                                    Credential credential) const {
  if (!session::is_valid_user_name(name) || name == settings_.default_user.name)
    return std::nullopt;
  auto row = store_.ensure_user(name);
  if (!row) return base::fail(row.error());
  User user{.id = row->id, .name = row->name, .credential = std::move(credential)};
  if (!std::holds_alternative<ByPeer>(user.credential))
    user.until = std::chrono::system_clock::now() + settings_.vouched_lifetime;
  return user;
}

base::Result<std::optional<User>> Gate::user_of_jwt(std::string_view token) const {
  const auto claims = settings_.jwt->verify(token, std::chrono::system_clock::now());
  if (!claims) {
    base::log(base::Level::info, "Refused a JSON Web Token", {{"error", claims.error()}});
    return std::nullopt;
  }
  auto user = user_called(claims->user, ByJwt{std::string(token)});
  if (user && *user)
    (*user)->until = std::min(*(*user)->until, base::WallTime(claims->expires));
  else if (user)
    base::log(base::Level::info, "Refused a JSON Web Token: invalid user name");
  return user;
}

// Of a duplicate header, one may be the client's own, so duplicates are refused.
base::Result<std::optional<User>> Gate::user_of_proxy(const Request& request) const {
  const auto secret = session::hash_token(view(request[kProxySecret]));
  if (!secret) return base::fail(secret.error());
  if (!proxy_secret_ || *secret != *proxy_secret_ || request.count(kProxySecret) != 1 ||
      request.count(settings_.user_header) != 1)
    return std::nullopt;
  return user_called(std::string(view(request[settings_.user_header])), ByProxy{*secret});
}

base::Result<std::optional<User>> Gate::user_of_sign_in(const Request& request,
                                                        const Peer& peer) const {
  auto sign_in = sign_ins_.find(cookie(view(request[field::cookie]), cookie_name(request, peer)));
  if (!sign_in) return base::fail(sign_in.error());
  if (!*sign_in || !is_secret_of(**sign_in, secret_of(request))) return std::nullopt;
  const session::SignInRow& row = **sign_in;
  User user{.id = row.user,
            .name = row.user_name,
            .scope = {.access = row.access},
            .until = row.expires,
            .credential = BySignIn{row.hash, row.token}};
  if (!row.token) return user;
  const auto counts = narrow(user, *row.token);
  if (!counts) return base::fail(counts.error());
  return *counts ? std::optional(std::move(user)) : std::nullopt;
}

bool Gate::has_sign_in(const Request& request, const Peer& peer) const {
  const auto sign_in =
      sign_ins_.find(cookie(view(request[field::cookie]), cookie_name(request, peer)));
  return sign_in && *sign_in;
}

bool Gate::has_credential(const Request& request) const {
  return (!settings_.user_header.empty() && request.count(kProxySecret) > 0) ||
         !request[field::authorization].empty() || !token_in_address(request).empty();
}

base::Result<std::optional<User>> Gate::user_of(const Request& request, const Peer& peer) const {
  // A process that can read this account's files may use its terminals.
  if (is_trusted(peer)) return settings_.default_user;
  if (peer.user && settings_.least_account && !has_credential(request)) {
    const auto name = session::account_of(*peer.user, *settings_.least_account);
    if (!name) return std::nullopt;
    return user_called(*name, ByPeer{});
  }
  if (!settings_.user_header.empty() && request.count(kProxySecret) > 0)
    return user_of_proxy(request);
  const auto authorization = view(request[field::authorization]);
  if (!authorization.empty()) return user_of_token(bearer(authorization));
  if (const auto token = token_in_address(request); !token.empty()) return user_of_token(token);
  return user_of_sign_in(request, peer);
}

}  // namespace http
