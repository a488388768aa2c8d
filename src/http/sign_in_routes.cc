// Requests about signing in: docs/protocol.md, "HTTP".

#include <charconv>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "base/log.h"
#include "base/time_text.h"
#include "http/response.h"
#include "http/routes.h"
#include "http/server.h"
#include "http/text.h"
#include "session/row_values.h"

namespace http {

namespace beast = boost::beast;
namespace json = boost::json;
using beast::http::field;
using beast::http::status;
using beast::http::verb;

namespace {

std::optional<std::string> text_in(const json::object& object, const char* key) {
  const json::value* const found = object.if_contains(key);
  if (found == nullptr || !found->is_string()) return std::nullopt;
  return std::string(found->get_string());
}

json::object parsed_body(const Request& request) {
  json::error_code unreadable;
  json::value body = json::parse(request.body(), unreadable);
  return !unreadable && body.is_object() ? std::move(body.get_object()) : json::object();
}

std::string cookie_text(const std::string& name, const std::string& value, std::chrono::seconds age,
                        const Peer& peer) {
  return name + "=" + value +
         "; Path=/; HttpOnly; SameSite=Strict; Max-Age=" + std::to_string(age.count()) +
         (peer.is_secure ? "; Secure" : "");
}

Response only_to_look(const Request& request) {
  return refuse(request, status::forbidden, "This credential is view-only.");
}

// At most ten years.
std::optional<std::chrono::seconds> lifetime_from(std::string_view text) {
  constexpr std::uint32_t kMost = 315'360'000;
  std::uint32_t seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error != std::errc() || end != text.data() + text.size() || seconds == 0 || seconds > kMost)
    return std::nullopt;
  return std::chrono::seconds(seconds);
}

const session::TokenHash* sign_in_of(const User& user) {
  const auto* by = std::get_if<BySignIn>(&user.credential);
  return by == nullptr ? nullptr : &by->hash;
}

}  // namespace

Response Server::cannot_ask(const Request& request, const base::Error& error) {
  base::log(base::Level::error, "Sign-ins are unavailable", {{"error", error}});
  return refuse(request, status::service_unavailable,
                "Sign-ins are unavailable: " + error.message());
}

Response Server::sign_in_failed(const Request& request, const Peer& peer) {
  const auto now = std::chrono::steady_clock::now();
  const std::string address = counted_address(peer.address);
  if (const auto barred = limiter_.failures.barred(address, now); barred.count() > 0) {
    limiter_.met(Limit::failed_sign_in);
    return try_later(refuse(request, status::too_many_requests,
                            "Too many failed sign-ins from this address. Wait and try again."),
                     barred);
  }
  base::log(base::Level::warning, "Sign-in failed", {{"address", peer.address}});
  limiter_.failures.add(address, now, limiter_.limits.failed_sign_ins);
  return refuse(request, status::unauthorized, "Wrong or expired credential.");
}

// If another origin's page could sign its visitor in as somebody else, the visitor might type into
// that user's terminals. So the request must come from the daemon's own page.
Response Server::sign_in(const Request& request, const Peer& peer, const User&) {
  if (!gate_.is_from_own_page(request, peer))
    return refuse(request, status::forbidden,
                  "Only the daemon's own page can sign in here. Programs must send Authorization: "
                  "Bearer.");
  const json::object body = parsed_body(request);
  const auto token = text_in(body, "token");
  const auto code = text_in(body, "code");
  if (token.has_value() == code.has_value())
    return refuse(request, status::bad_request, R"(Send {"token": ...} or {"code": ...}.)");
  const auto user = token ? gate_.user_of_token(*token) : gate_.user_of_code(*code);
  if (!user) return cannot_ask(request, user.error());
  if (!*user) return sign_in_failed(request, peer);
  const auto now = std::chrono::system_clock::now();
  const auto made = gate_.sign_ins().begin(**user, peer.address, view(request[field::user_agent]),
                                           now + gate_.settings().sign_in_lifetime);
  if (!made) return cannot_ask(request, made.error());
  base::log(base::Level::info, "A browser signed in",
            {{"user", (*user)->name}, {"address", peer.address}});
  note_sign_in(**user, peer);
  Response response =
      respond(request, status::ok, kJson,
              json::serialize(json::object{{"user", (*user)->name}, {"secret", made->secret}}));
  const auto age = std::chrono::ceil<std::chrono::seconds>(made->expires - now);
  set_header(response, "Set-Cookie",
             cookie_text(gate_.cookie_name(request, peer), made->cookie, age, peer));
  return response;
}

// Also in the store, so that users can see who signed in from where.
void Server::note_sign_in(const User& user, const Peer& peer) {
  const auto noted = gate_.store().append_log({.user = user.id,
                                               .subject = "browser",
                                               .event = "signed in",
                                               .detail = "from " + peer.address});
  if (!noted)
    base::log(base::Level::warning, "Cannot record a sign-in", {{"error", noted.error()}});
}

Response Server::who_am_i(const Request& request, const Peer&, const User& user) {
  return respond(request, status::ok, kJson,
                 json::serialize(json::object{{"user", user.name},
                                              {"access", session::to_string(user.scope.access)}}));
}

Response Server::sign_out(const Request& request, const Peer& peer, const User& user) {
  const session::TokenHash* const hash = sign_in_of(user);
  if (hash == nullptr)
    return refuse(request, status::bad_request, "Only a browser's sign-in can be signed out.");
  if (auto removed = gate_.store().sign_ins().remove(*hash); !removed)
    return cannot_ask(request, removed.error());
  end_withdrawn();
  Response response = refuse(request, status::ok, "Signed out.");
  set_header(response, "Set-Cookie",
             cookie_text(gate_.cookie_name(request, peer), "", std::chrono::seconds(0), peer));
  return response;
}

// The daemon's own account sees all sign-ins; other users see their own.
base::Result<std::vector<session::SignInRow>> Server::visible_sign_ins(const Peer& peer,
                                                                       const User& user) const {
  auto records = gate_.store().sign_ins();
  return is_trusted(peer) ? records.list() : records.list(user.id);
}

Response Server::list_sign_ins(const Request& request, const Peer& peer, const User& user) {
  const auto rows = visible_sign_ins(peer, user);
  if (!rows) return cannot_ask(request, rows.error());
  const session::TokenHash* const current = sign_in_of(user);
  json::array list;
  for (const session::SignInRow& row : *rows)
    list.push_back(json::object{{"id", name_of(row)},
                                {"user", row.user_name},
                                {"access", session::to_string(row.access)},
                                {"address", row.address},
                                {"browser", row.browser},
                                {"created", base::utc_milliseconds(row.created)},
                                {"expires", base::utc_milliseconds(row.expires)},
                                {"current", current != nullptr && *current == row.hash}});
  return respond(request, status::ok, kJson, json::serialize(list));
}

// Ends the named one, or without a name all but the browser's own.
Response Server::end_sign_ins(const Request& request, const Peer& peer, const User& user) {
  if (user.scope.access == session::Access::view) return only_to_look(request);
  std::string_view name = path_of(view(request.target())).substr(kSignInsPath.size());
  if (!name.empty()) name.remove_prefix(1);
  const auto rows = visible_sign_ins(peer, user);
  if (!rows) return cannot_ask(request, rows.error());
  const session::TokenHash* const current = sign_in_of(user);
  std::size_t ended = 0;
  for (const session::SignInRow& row : *rows) {
    const bool is_current = current != nullptr && *current == row.hash;
    if (name.empty() ? is_current : name_of(row) != name) continue;
    if (auto removed = gate_.store().sign_ins().remove(row.hash); !removed)
      return cannot_ask(request, removed.error());
    ++ended;
  }
  if (ended == 0 && !name.empty())
    return refuse(request, status::not_found, "No sign-in matches \"" + std::string(name) + "\".");
  end_withdrawn();
  return refuse(request, status::ok,
                "Ended " + std::to_string(ended) + (ended == 1 ? " sign-in." : " sign-ins."));
}

// A link is as good as a token, so only those get one for whom the kernel vouches.
Response Server::link(const Request& request, const Peer& peer, const User& asker) {
  User user = asker;
  if (!peer.user || !std::holds_alternative<ByPeer>(asker.credential))
    return refuse(request, status::not_found, "Not found.");
  if (const auto name = query_parameter(view(request.target()), "user")) {
    if (!is_trusted(peer))
      return refuse(request, status::forbidden,
                    "Only the daemon's own account can make links for other users.");
    const auto row = gate_.store().ensure_user(*name);
    if (!row) return refuse(request, status::bad_request, row.error().message());
    user = User{.id = row->id, .name = row->name};
  }
  if (query_parameter(view(request.target()), "access") == "view")
    user.scope.access = session::Access::view;
  if (const auto terminal = query_parameter(view(request.target()), "terminal"))
    return share(request, std::move(user), *terminal);
  const auto made = new_link(user);
  if (!made) return cannot_ask(request, made.error());
  return refuse(request, status::ok, *made);
}

// The link stands for a token that is never shown. So it is listed, expires and is revoked as
// other tokens are.
Response Server::share(const Request& request, User user, const std::string& target) {
  const auto lifetime =
      lifetime_from(query_parameter(view(request.target()), "seconds").value_or("3600"));
  if (!lifetime)
    return refuse(request, status::bad_request, "Invalid number of seconds: use 1 to 315360000.");
  const auto terminal = operations_.terminals().show({.reach = user.id}, target);
  if (!terminal) return refuse(request, status::not_found, terminal.error().message());
  const auto secret = session::new_token();
  if (!secret) return cannot_ask(request, secret.error());
  const auto hash = session::hash_token(*secret);
  if (!hash) return cannot_ask(request, hash.error());
  user.scope.bounds = {.sessions = {}, .terminals = {session::TerminalId(terminal->terminal_id)}};
  const auto kept = gate_.store().tokens().add(user.id, *hash, "share", user.scope,
                                               std::chrono::system_clock::now() + *lifetime);
  if (!kept) return cannot_ask(request, kept.error());
  user.credential = ByToken{*kept};
  const auto code = gate_.sign_ins().new_code(user, *lifetime);
  if (!code) return cannot_ask(request, code.error());
  return refuse(request, status::ok, address() + "#code=" + *code);
}

std::string Server::address() const {
  return (tls_ ? "https://" : "http://") + gate_.settings().listening + "/";
}

base::Result<std::string> Server::new_link(const User& user) const {
  const auto code = gate_.sign_ins().new_code(user);
  if (!code) return base::fail(code.error());
  return address() + "#code=" + *code;
}

}  // namespace http
