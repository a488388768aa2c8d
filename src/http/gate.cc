#include "http/gate.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>

#include "session/token.h"

namespace http {
namespace {

namespace beast = boost::beast;

std::string lower(std::string_view text) {
  std::string lowered(text);
  std::ranges::transform(lowered, lowered.begin(), [](unsigned char c) { return std::tolower(c); });
  return lowered;
}

std::string_view view(beast::string_view text) { return {text.data(), text.size()}; }

// The name without its port.
std::string_view name_of(std::string_view host) {
  const std::size_t colon = host.rfind(':');
  if (colon == std::string_view::npos || host.find(']', colon) != std::string_view::npos) return host;
  return host.substr(0, colon);
}

std::string_view bearer(std::string_view header) {
  constexpr std::string_view kScheme = "bearer ";
  if (header.size() < kScheme.size() || lower(header.substr(0, kScheme.size())) != kScheme) return {};
  header.remove_prefix(kScheme.size());
  header.remove_prefix(std::min(header.find_first_not_of(' '), header.size()));
  return header;
}

std::string_view cookie(std::string_view header, std::string_view name) {
  while (!header.empty()) {
    const std::size_t end = std::min(header.find(';'), header.size());
    std::string_view pair = header.substr(0, end);
    header.remove_prefix(std::min(end + 1, header.size()));
    pair.remove_prefix(std::min(pair.find_first_not_of(' '), pair.size()));
    if (pair.size() > name.size() && pair.starts_with(name) && pair[name.size()] == '=')
      return pair.substr(name.size() + 1);
  }
  return {};
}

std::string decode(std::string_view text) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned value = 0;
    const char* digits = text.data() + i + 1;
    if (text[i] == '%' && i + 2 < text.size() &&
        std::from_chars(digits, digits + 2, value, 16).ptr == digits + 2) {
      decoded += static_cast<char>(value);
      i += 2;
    } else {
      decoded += text[i] == '+' ? ' ' : text[i];
    }
  }
  return decoded;
}

// Calls `each` with the parameters of an address, as they stand.
template <class Each>
void for_each_parameter(std::string_view target, Each each) {
  const std::size_t question = target.find('?');
  if (question == std::string_view::npos) return;
  target.remove_prefix(question + 1);
  target = target.substr(0, target.find('#'));
  while (!target.empty()) {
    const std::size_t end = std::min(target.find('&'), target.size());
    each(target.substr(0, end));
    target.remove_prefix(std::min(end + 1, target.size()));
  }
}

}  // namespace

std::string_view path_of(std::string_view target) { return target.substr(0, target.find_first_of("?#")); }

std::optional<std::string> query_parameter(std::string_view target, std::string_view name) {
  std::optional<std::string> found;
  for_each_parameter(target, [&](std::string_view parameter) {
    const std::size_t equals = std::min(parameter.find('='), parameter.size());
    if (found || decode(parameter.substr(0, equals)) != name) return;
    found = decode(parameter.substr(std::min(equals + 1, parameter.size())));
  });
  return found;
}

std::string without_parameter(std::string_view target, std::string_view name) {
  std::string clean(path_of(target));
  char separator = '?';
  for_each_parameter(target, [&](std::string_view parameter) {
    if (decode(parameter.substr(0, parameter.find('='))) == name) return;
    (clean += separator) += parameter;
    separator = '&';
  });
  return clean;
}

Gate::Gate(GateSettings settings, session::Store& store)
    : settings_(std::move(settings)), store_(store) {
  const std::size_t colon = settings_.listening.rfind(':');
  const std::string port = settings_.listening.substr(colon + 1);
  for (const std::string& name : {settings_.listening.substr(0, colon), std::string("localhost"),
                                  std::string("127.0.0.1"), std::string("[::1]")}) {
    hosts_.push_back(name + ":" + port);
    if (port == "80") hosts_.push_back(name);
  }
  cookie_name_ = "holdfast-" + port;
}

bool Gate::host_is_right(std::string_view host) const {
  const std::string asked = lower(host);
  if (std::ranges::find(hosts_, asked) != hosts_.end()) return true;
  return std::ranges::any_of(settings_.allowed_hosts, [&](const std::string& allowed) {
    return lower(allowed) == asked || lower(allowed) == name_of(asked);
  });
}

bool Gate::origin_is_right(std::string_view origin, std::string_view host) const {
  if (origin.empty()) return true;
  const std::string came_from = lower(origin);
  if (came_from == "http://" + lower(host)) return true;
  return std::ranges::any_of(settings_.allowed_origins, [&](const std::string& allowed) {
    return lower(allowed) == came_from;
  });
}

base::Result<std::optional<User>> Gate::user_of_token(std::string_view token) const {
  if (token.empty()) return std::nullopt;
  if (!settings_.default_token.empty() && session::same_token(token, settings_.default_token))
    return settings_.default_user;
  auto row = store_.user_of_token(session::hash_token(token));
  if (row) return User{.id = row->id, .name = row->name};
  if (row.error().code == base::Code::not_found) return std::nullopt;
  return base::fail(row.error());
}

base::Result<std::optional<User>> Gate::user_of(const Request& request, const Peer& peer) const {
  // Whoever may use this user's files may use this user's terminals.
  if (peer.user && (*peer.user == ::geteuid() || *peer.user == 0)) return settings_.default_user;
  const auto authorization = view(request[beast::http::field::authorization]);
  if (!authorization.empty()) return user_of_token(bearer(authorization));
  if (const auto token = query_parameter(view(request.target()), "token")) return user_of_token(*token);
  return user_of_token(cookie(view(request[beast::http::field::cookie]), cookie_name_));
}

}  // namespace http
