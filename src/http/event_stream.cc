// GET /api/v1/events: what happens, as server-sent events.

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http/serializer.hpp>
#include <boost/beast/http/write.hpp>

#include "http/server.h"
#include "http/text.h"

namespace http {

namespace asio = boost::asio;
namespace beast = boost::beast;
using asio::awaitable;
using beast::http::field;

namespace {

constexpr auto kNoThrow = asio::as_tuple(asio::use_awaitable);
// A sign of life for proxies, and a way to notice that the client is gone.
constexpr std::chrono::seconds kSignOfLife{20};
// A reader that takes nothing for so long is cut off.
constexpr std::chrono::seconds kSlowest{30};

// An event's fields have no line breaks: ids and types are ours, data is JSON.
std::string encode(const operation::ShownEvent& event) {
  std::string text;
  for (const std::string_view part :
       {std::string_view("id: "), std::string_view(event.id), std::string_view("\nevent: "),
        std::string_view(event.type), std::string_view("\ndata: "), std::string_view(event.data),
        std::string_view("\n\n")})
    text += part;
  return text;
}

std::string encode(const std::vector<operation::ShownEvent>& events) {
  std::string text;
  for (const operation::ShownEvent& event : events) text += encode(event);
  return text;
}

template <class Stream>
awaitable<bool> write(Stream& stream, std::string text) {
  beast::get_lowest_layer(stream).expires_after(kSlowest);
  const auto [error, size] = co_await asio::async_write(stream, asio::buffer(text), kNoThrow);
  beast::get_lowest_layer(stream).expires_never();
  co_return !error;
}

template <class Stream>
awaitable<bool> write_head(Stream& stream, Response& response) {
  response.erase(field::content_length);
  response.keep_alive(false);
  response.set(field::cache_control, "no-store");
  beast::http::response_serializer<beast::http::string_body> head(response);
  beast::get_lowest_layer(stream).expires_after(kSlowest);
  const auto [error, size] = co_await beast::http::async_write_header(stream, head, kNoThrow);
  co_return !error;
}

}  // namespace

template <class Stream>
awaitable<void> Server::write_events(Stream& stream, operation::Caller caller,
                                     operation::EventCursor cursor, bool follows) {
  using namespace asio::experimental::awaitable_operators;
  const auto time = follows ? kSignOfLife : std::chrono::seconds(0);
  for (;;) {
    auto outcome =
        co_await (operations_.next_events(caller, cursor, time) || until_closed(socket_of(stream)));
    const auto* const events = std::get_if<0>(&outcome);
    if (events == nullptr) co_return;
    if (!*events) {
      (void)co_await write(stream, "event: end\ndata: " + problem(events->error()).body + "\n\n");
      co_return;
    }
    if ((*events)->empty() && !follows) co_return;
    // An id alone is no event, but resuming after it is cheaper than after an older one.
    const std::string text = (*events)->empty()
                                 ? "id: " + operations_.events().id_before(cursor) + "\n\n"
                                 : encode(**events);
    if (!co_await write(stream, text)) co_return;
  }
}

template <class Stream>
awaitable<std::optional<Response>> Server::stream_events(Stream& stream, const Request& request,
                                                         const Peer& peer) {
  auto user = who_asks(request, peer);
  if (!user) co_return std::move(user.error());
  const auto call = parse_api({.method = request.method(),
                               .target = view(request.target()),
                               .content_type = view(request[field::content_type]),
                               .body = request.body()});
  if (!call) co_return respond(request, call.error().status, call.error().type, call.error().body);
  Response head = respond(request, call->operation->success, call->operation->type, "");
  if (request.method() == beast::http::verb::head) co_return head;
  const session::Permit permit("from " + peer.address);
  const LongCalls::Entry waiting(long_calls_, *user, permit, socket_of(stream));
  const bool has_past = call->arguments.flag("past");
  const auto& log = operations_.events();
  const operation::EventCursor cursor =
      has_past ? log.oldest() : log.after(view(request["Last-Event-ID"]));
  const bool follows = !call->arguments.has("follow") || call->arguments.flag("follow");
  operation::Caller caller{.reach = {user->id, user->scope}, .permit = permit};
  if (co_await write_head(stream, head))
    co_await write_events(stream, std::move(caller), cursor, follows);
  co_return std::nullopt;
}

template awaitable<std::optional<Response>> Server::stream_events(PlainStream& stream,
                                                                  const Request& request,
                                                                  const Peer& peer);
template awaitable<std::optional<Response>> Server::stream_events(TlsStream& stream,
                                                                  const Request& request,
                                                                  const Peer& peer);

}  // namespace http
