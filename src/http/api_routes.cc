// The requests of programs: the API's, and those of language models' clients.

#include <sys/socket.h>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "base/event.h"
#include "http/mcp.h"
#include "http/server.h"
#include "http/text.h"
#include "wire/limits.h"

namespace http {

namespace asio = boost::asio;
namespace beast = boost::beast;
using asio::awaitable;
using beast::http::field;
using beast::http::verb;

namespace {

constexpr auto kNoThrow = asio::as_tuple(asio::use_awaitable);
constexpr std::uint64_t kLargestSignIn = 4096;

Response to_response(const Request& request, ApiAnswer answer) {
  return respond(request, answer.status, answer.type, std::move(answer.body));
}

}  // namespace

awaitable<void> until_closed(Socket& socket) {
  const auto [error] = co_await socket.async_wait(Socket::wait_read, kNoThrow);
  char next = 0;
  if (!error && ::recv(socket.native_handle(), &next, 1, MSG_PEEK | MSG_DONTWAIT) > 0) {
    base::Event never(socket.get_executor());
    (void)co_await never.wait();
  }
}

Response as_problem(const Request& request, const Response& refusal) {
  std::string why = refusal.body();
  while (why.ends_with('\n')) why.pop_back();
  Response response = to_response(request, problem(refusal.result(), "refused", why));
  if (refusal.count(field::retry_after) > 0)
    response.set(field::retry_after, refusal[field::retry_after]);
  response.keep_alive(refusal.keep_alive());
  return response;
}

std::uint64_t Server::largest_body(const Request& request, const Peer& peer) const {
  const std::string_view path = path_of(view(request.target()));
  if (is_for_programs(path)) {
    const auto user = gate_.user_of(request, peer);
    return user && *user ? wire::kMaxMessage : 0;  // Strangers may not fill the memory.
  }
  const bool signs_in = path == kSignInPath && request.method() == verb::post &&
                        gate_.is_from_own_page(request, peer);
  return signs_in ? kLargestSignIn : 0;
}

awaitable<Response> Server::answer_api(const Request& request, const Peer& peer, Socket& socket) {
  auto user = who_asks(request, peer);
  if (!user) co_return std::move(user.error());
  auto call = parse_api({.method = request.method(),
                         .target = view(request.target()),
                         .content_type = view(request[field::content_type]),
                         .body = request.body()});
  if (!call) co_return to_response(request, std::move(call.error()));
  const session::Permit permit("from " + peer.address);
  operation::Caller caller{.reach = {user->id, user->scope}, .permit = permit};
  const bool may_wait = call->operation->may_wait;
  auto answering = run_api(operations_, *std::move(call), std::move(caller));
  if (may_wait)
    co_return co_await answer_while_connected(request, *user, permit, socket, std::move(answering));
  ApiAnswer answer = co_await std::move(answering);
  co_return to_response(request, std::move(answer));
}

awaitable<Response> Server::answer_while_connected(const Request& request, const User& user,
                                                   session::Permit permit, Socket& socket,
                                                   awaitable<ApiAnswer> answering) {
  const LongCalls::Entry waiting(long_calls_, user, permit, socket);
  using namespace asio::experimental::awaitable_operators;
  auto outcome = co_await (std::move(answering) || until_closed(socket));
  if (auto* const answer = std::get_if<0>(&outcome))
    co_return to_response(request, std::move(*answer));
  Response nobody =
      to_response(request, problem(beast::http::status::request_timeout, "cancelled", ""));
  nobody.keep_alive(false);
  co_return nobody;
}

awaitable<Response> Server::answer_mcp(const Request& request, const Peer& peer, Socket& socket) {
  auto user = who_asks(request, peer);
  if (!user) co_return std::move(user.error());
  if (request.method() != verb::post)
    co_return refuse(request, beast::http::status::method_not_allowed, "Use POST.");
  const session::Reach reach(user->id, user->scope);
  const session::Permit permit("from " + peer.address);
  mcp::Asker asker{.caller = {.reach = reach, .permit = permit},
                   .session = std::string(session::kDefaultSession)};
  if (auto name = query_parameter(view(request.target()), "session")) {
    asker.session = *std::move(name);
    if (auto found = operations_.extensions().session(asker.caller, asker.session); !found)
      co_return to_response(request, problem(found.error()));
  }
  auto message = mcp::parse(request.body(), {.version = view(request["MCP-Protocol-Version"]),
                                             .method = view(request["Mcp-Method"]),
                                             .name = view(request["Mcp-Name"])});
  if (!message) co_return to_response(request, std::move(message.error()));
  co_return co_await answer_while_connected(
      request, *user, permit, socket,
      mcp::answer(operations_, std::move(asker), *std::move(message)));
}

}  // namespace http
