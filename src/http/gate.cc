#include "http/gate.h"

#include <unistd.h>

#include <algorithm>

#include "base/log.h"
#include "base/percent.h"
#include "http/text.h"
#include "session/login.h"
#include "session/token.h"

namespace http {
namespace {

namespace beast = boost::beast;

// Characters from which on a secret cannot be found by trying.
constexpr std::size_t kUnguessable = 32;
constexpr const char* kProxySecret = "X-Holdfast-Proxy-Secret";

std::string lower(std::string_view text) {
  std::string lowered(text);
  std::ranges::transform(lowered, lowered.begin(), [](unsigned char c) { return std::tolower(c); });
  return lowered;
}

// The name without its port.
std::string_view name_of(std::string_view host) {
  const std::size_t colon = host.rfind(':');
  if (colon == std::string_view::npos || host.find(']', colon) != std::string_view::npos)
    return host;
  return host.substr(0, colon);
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

// The part of an address after its question mark.
std::string_view parameters_of(std::string_view target) {
  target = take_until(target, '#');
  (void)take_until(target, '?');
  return target;
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

std::string without_parameter(std::string_view target, std::string_view name) {
  std::string clean(path_of(target));
  char separator = '?';
  for (std::string_view rest = parameters_of(target); !rest.empty();) {
    const std::string_view parameter = take_until(rest, '&');
    std::string_view value = parameter;
    if (decode(take_until(value, '=')) == name) continue;
    (clean += separator) += parameter;
    separator = '&';
  }
  return clean;
}

// A client can send these fields too, and the proxy adds its own at the end: that one counts.
Peer forwarded(const Request& request, Peer proxy) {
  const auto last = [&](beast::string_view name) -> std::string_view {
    std::string_view value;
    const auto [begin, end] = request.equal_range(name);
    for (auto each = begin; each != end; ++each) value = view(each->value());
    return trim(value.substr(value.rfind(',') + 1));
  };
  if (const auto address = last("X-Forwarded-For"); !address.empty()) proxy.address = address;
  const auto scheme = last("X-Forwarded-Proto");
  proxy.is_secure = scheme.empty() || lower(scheme) == "https";
  return proxy;
}

Gate::Gate(GateSettings settings, session::Store& store)
    : settings_(std::move(settings)), store_(store) {
  const std::size_t colon = settings_.listening.rfind(':');
  const std::string port = settings_.listening.substr(colon + 1);
  for (const std::string& name : {settings_.listening.substr(0, colon), std::string("localhost"),
                                  std::string("127.0.0.1"), std::string("[::1]")}) {
    hosts_.push_back(std::string(name).append(":").append(port));
    if (port == "80" || port == "443") hosts_.push_back(name);
  }
  cookie_name_ = "holdfast-" + port;
}

void Gate::change(GateSettings settings) {
  settings.listening = std::move(settings_.listening);
  settings.default_user = std::move(settings_.default_user);
  settings.least_account = settings_.least_account;
  settings_ = std::move(settings);
}

bool Gate::host_is_right(std::string_view host) const {
  const std::string asked = lower(host);
  if (std::ranges::find(hosts_, asked) != hosts_.end()) return true;
  return std::ranges::any_of(settings_.allowed_hosts, [&](const std::string& allowed) {
    return lower(allowed) == asked || lower(allowed) == name_of(asked);
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

base::Result<std::optional<User>> Gate::user_of_token(std::string_view token,
                                                      Guessing guessing) const {
  if (token.empty()) return std::nullopt;
  const std::string& fixed = settings_.default_token;
  const bool is_looked_at = guessing == Guessing::allowed || fixed.size() >= kUnguessable;
  if (!fixed.empty() && is_looked_at && session::same_token(token, fixed))
    return settings_.default_user;
  if (settings_.jwt && std::ranges::count(token, '.') == 2) return user_of_jwt(token, guessing);
  const auto hash = session::hash_token(token);
  if (!hash) return base::fail(hash.error());
  auto row = store_.user_of_token(*hash);
  if (row) return User{.id = row->id, .name = row->name, .until = {}, .token = *hash};
  if (row.error().code == base::Code::not_found) return std::nullopt;
  return base::fail(row.error());
}

// Nobody is put out because the store cannot be asked.
bool Gate::still_lets_in(const User& user) const {
  if (!user.token) return true;
  const auto row = store_.user_of_token(*user.token);
  return row || row.error().code != base::Code::not_found;
}

// A user whom somebody trusted vouches for is made when they first come.
base::Result<std::optional<User>> Gate::user_called(const std::string& name) const {
  if (!session::is_valid_user_name(name)) return std::nullopt;
  auto row = store_.ensure_user(name);
  if (!row) return base::fail(row.error());
  return User{.id = row->id, .name = row->name};
}

base::Result<std::optional<User>> Gate::user_of_jwt(std::string_view token,
                                                    Guessing guessing) const {
  const auto claims = settings_.jwt->verify(token, std::chrono::system_clock::now());
  if (!claims) {
    // Who is barred has been logged often enough.
    if (guessing == Guessing::allowed)
      base::log(base::Level::info, "a JSON Web Token was refused", {{"error", claims.error()}});
    return std::nullopt;
  }
  auto user = user_called(claims->user);
  if (user && *user)
    (*user)->until = claims->expires;
  else if (user)
    base::log(base::Level::info, "a JSON Web Token names nobody who could be a user here");
  return user;
}

// A field that stands twice may be the client's own beside the proxy's, and counts as none.
base::Result<std::optional<User>> Gate::user_of_proxy(const Request& request,
                                                      Guessing guessing) const {
  const bool is_looked_at =
      guessing == Guessing::allowed || settings_.proxy_secret.size() >= kUnguessable;
  if (!is_looked_at || request.count(kProxySecret) != 1 ||
      !session::same_token(view(request[kProxySecret]), settings_.proxy_secret) ||
      request.count(settings_.user_header) != 1)
    return std::nullopt;
  return user_called(std::string(view(request[settings_.user_header])));
}

bool Gate::has_credential(const Request& request) const {
  return (!settings_.user_header.empty() && request.count(kProxySecret) > 0) ||
         !request[beast::http::field::authorization].empty() ||
         query_parameter(view(request.target()), "token").value_or("") != "" ||
         !cookie(view(request[beast::http::field::cookie]), cookie_name_).empty();
}

base::Result<std::optional<User>> Gate::user_of(const Request& request, const Peer& peer,
                                                Guessing guessing) const {
  // Whoever may use this user's files may use this user's terminals.
  if (peer.user && (*peer.user == ::geteuid() || *peer.user == 0)) return settings_.default_user;
  if (peer.user && settings_.least_account && !has_credential(request)) {
    const auto name = session::account_of(*peer.user, *settings_.least_account);
    if (!name) return std::nullopt;
    return user_called(*name);
  }
  if (!settings_.user_header.empty() && request.count(kProxySecret) > 0)
    return user_of_proxy(request, guessing);
  const auto authorization = view(request[beast::http::field::authorization]);
  if (!authorization.empty()) return user_of_token(bearer(authorization), guessing);
  if (const auto token = query_parameter(view(request.target()), "token"))
    return user_of_token(*token, guessing);
  return user_of_token(cookie(view(request[beast::http::field::cookie]), cookie_name_), guessing);
}

}  // namespace http
