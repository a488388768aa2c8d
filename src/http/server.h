// The HTTP server: listening sockets, requests, and WebSocket clients.

#pragma once

#include <chrono>
#include <expected>
#include <functional>
#include <list>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/string_body.hpp>

#include "base/fd.h"
#include "base/result.h"
#include "base/task_scope.h"
#include "extension/extensions.h"
#include "http/api.h"
#include "http/client.h"
#include "http/gate.h"
#include "http/long_calls.h"
#include "http/response.h"
#include "http/routes.h"
#include "http/server_settings.h"
#include "http/stream.h"
#include "http/tls.h"
#include "http/token_uses.h"
#include "http/waiting_room.h"
#include "session/sessions.h"

namespace http {

class Server {
 public:
  Server(boost::asio::any_io_executor executor, session::Sessions& sessions,
         extension::Extensions& extensions, Gate gate, ServerSettings settings);
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // Uses TLS for all network connections from now on.
  void use_tls(std::unique_ptr<Tls> tls) { tls_ = std::move(tls); }
  // Takes effect at once, also for connected clients, except for the proxy and the listening
  // address.
  void change(const ServerSettings& settings, GateSettings gate);
  // Accepts connections on that listening socket.
  [[nodiscard]] base::Status listen(base::Fd socket);
  // The address for browsers, and the same with a code that signs in once.
  [[nodiscard]] std::string address() const;
  [[nodiscard]] base::Result<std::string> new_link(const User& user) const;
  // Ends the connections whose credential is no longer valid.
  void end_withdrawn();
  // The keeper's version, for /metrics.
  void set_keeper_version(std::string version) { keeper_version_ = std::move(version); }
  [[nodiscard]] std::size_t clients() const { return clients_.size(); }
  // All routes except WebSockets and the page's files.
  [[nodiscard]] static std::vector<RouteName> routes();
  // Ends every connection with this code, and returns when all are gone.
  boost::asio::awaitable<void> stop(CloseCode code, std::string reason);

 private:
  static constexpr std::chrono::seconds kHastyWait{1};
  enum class Who;
  struct Route;
  static const Route kRoutes[];
  // The methods allowed at that path, such as "GET or POST"; empty if there is no route.
  [[nodiscard]] static std::string methods_of(std::string_view path);
  [[nodiscard]] static const Route* find_route(std::string_view path,
                                               boost::beast::http::verb method);

  // The user of a WebSocket, and the places it takes.
  struct Visitor {
    User user;
    std::string address;
    std::optional<vt::Theme> theme;
    std::optional<Places::Place> place;
    std::optional<Places::Place> address_place;
  };

  boost::asio::awaitable<void> accept(std::shared_ptr<Acceptor> acceptor);
  boost::asio::awaitable<void> serve(Socket socket);
  // Answers requests until there are no more. Returns a request for a WebSocket.
  template <class Stream>
  boost::asio::awaitable<std::optional<Request>> answer_requests(Stream& stream, const Peer& peer,
                                                                 Visitor& visitor,
                                                                 WaitingRoom::Seat& seat);
  // Answers one request after its header was read. Returns whether the connection stays open; none
  // if it becomes a WebSocket.
  template <class Stream, class Parser>
  boost::asio::awaitable<std::optional<bool>> answer_request(Stream& stream,
                                                             boost::beast::flat_buffer& buffer,
                                                             Parser& parser, const Peer& direct,
                                                             Visitor& visitor);
  // Delays the refusal of a client that exceeds the rate, which might retry at once.
  boost::asio::awaitable<void> make_wait();
  // Ends a connection after its last answer. Closing a socket with unread input would discard the
  // answer.
  boost::asio::awaitable<void> let_go(PlainStream& stream);
  // Tells the client why its request is malformed, if it can still read the answer.
  template <class Stream>
  boost::asio::awaitable<void> answer_unreadable(Stream& stream, boost::system::error_code error);
  // The handshake, before the requests.
  boost::asio::awaitable<bool> begin(PlainStream& stream);
  boost::asio::awaitable<bool> begin(TlsStream& stream);
  template <class Stream>
  boost::asio::awaitable<void> serve_stream(Stream stream, Peer peer);
  // `stream` is what accept_websocket takes.
  template <class Stream>
  boost::asio::awaitable<void> serve_websocket(Stream stream, Request request, Visitor visitor);
  [[nodiscard]] Peer peer_of(const Request& request, const Peer& direct) const;
  // Refuses a request by its header alone; none if it passes.
  [[nodiscard]] std::optional<Response> turn_back(const Request& request, const Peer& peer);
  // How long a body the request may have.
  [[nodiscard]] std::uint64_t largest_body(const Request& request, const Peer& peer) const;
  // The answer to an ordinary request, or to an upgrade that is refused. None: upgrade it for the
  // visitor.
  [[nodiscard]] std::optional<Response> answer(const Request& request, const Peer& peer,
                                               Visitor& visitor);
  // api_routes.cc. `socket` tells whether the client is still there.
  boost::asio::awaitable<Response> answer_api(const Request& request, const Peer& peer,
                                              Socket& socket);
  // event_stream.cc. Returns a refusal, or nothing when the stream has ended.
  template <class Stream>
  boost::asio::awaitable<std::optional<Response>> stream_events(Stream& stream,
                                                                const Request& request,
                                                                const Peer& peer);
  template <class Stream>
  boost::asio::awaitable<void> write_events(Stream& stream, operation::Caller caller,
                                            operation::EventCursor cursor, bool follows);
  using LateAnswer = boost::asio::awaitable<std::optional<Response>>;
  // file_routes.cc. Nothing when a file was sent, or part of it.
  template <class Stream>
  LateAnswer answer_file(Stream& stream, const Request& request, const Peer& peer);
  template <class Stream>
  LateAnswer send_file(Stream& stream, const Request& request, const User& user,
                       operation::Caller caller);
  boost::asio::awaitable<Response> answer_mcp(const Request& request, const Peer& peer,
                                              Socket& socket);
  // Answers late, unless the client leaves or its credential ends before.
  boost::asio::awaitable<Response> answer_while_connected(
      const Request& request, const User& user, session::Permit permit, Socket& socket,
      boost::asio::awaitable<ApiAnswer> answering);
  [[nodiscard]] std::optional<Response> admit(const Request& request, const Peer& peer, User user,
                                              Visitor& visitor);
  // Whether the address stays within the request rate.
  [[nodiscard]] bool keeps_to_rate(const Peer& peer);
  // The request's user, or the refusal.
  [[nodiscard]] std::expected<User, Response> who_asks(const Request& request, const Peer& peer);
  [[nodiscard]] Response page(const Request& request, std::string_view path,
                              boost::beast::http::status code);

  // sign_in_routes.cc
  [[nodiscard]] static Response cannot_ask(const Request& request, const base::Error& error);
  [[nodiscard]] Response sign_in_failed(const Request& request, const Peer& peer);
  [[nodiscard]] Response sign_in(const Request& request, const Peer& peer, const User& nobody);
  void note_sign_in(const User& user, const Peer& peer);
  [[nodiscard]] Response who_am_i(const Request& request, const Peer& peer, const User& user);
  [[nodiscard]] Response sign_out(const Request& request, const Peer& peer, const User& user);
  [[nodiscard]] base::Result<std::vector<session::SignInRow>> visible_sign_ins(
      const Peer& peer, const User& user) const;
  [[nodiscard]] Response list_sign_ins(const Request& request, const Peer& peer, const User& user);
  [[nodiscard]] Response end_sign_ins(const Request& request, const Peer& peer, const User& user);
  [[nodiscard]] Response link(const Request& request, const Peer& peer, const User& asker);
  // A link to one terminal alone.
  [[nodiscard]] Response share(const Request& request, User user, const std::string& target);

  [[nodiscard]] Response health(const Request& request, const Peer& peer, const User& nobody);
  [[nodiscard]] Response metrics(const Request& request, const Peer& peer, const User& user);
  [[nodiscard]] std::unique_ptr<Client> make_client(std::unique_ptr<WebSocket> socket,
                                                    const Request& request, User user);
  void check_clients();

  boost::asio::any_io_executor executor_;
  session::Sessions& sessions_;
  extension::Extensions& extensions_;
  operation::Operations operations_;
  Gate gate_;
  TokenUses token_uses_;
  ServerSettings settings_;
  Limiter limiter_;
  std::unique_ptr<Tls> tls_;
  base::TaskScope accepting_;
  base::TaskScope connections_;
  WaitingRoom waiting_;
  std::list<boost::asio::steady_timer> waits_;  // Of clients that exceed the rate.
  std::list<Client*> clients_;
  LongCalls long_calls_;
  std::uint64_t requests_served_ = 0;
  std::string keeper_version_;
  boost::asio::steady_timer checking_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  bool stopping_ = false;
};

}  // namespace http
