// The listening sockets: the keeper holds them, and the client keeps a copy of each.

#include <utility>

#include "base/log.h"
#include "keeper_client/client.h"

namespace keeper {

using boost::asio::awaitable;

awaitable<base::Result<ListeningSocket>> KeeperClient::listen(std::string address) {
  Message message = request(Tag::listen);
  message.add(Field::address, address);
  auto answer = co_await ask(std::move(message), Tag::listening);
  if (!answer) co_return base::fail(answer.error());
  if (answer->descriptors.empty())
    co_return base::fail(base::Code::corrupt,
                         "the keeper sent a listening socket without the socket");
  ListeningSocket listener{.address = answer->message.text(Field::address),
                           .socket = std::move(answer->descriptors.front())};
  remember(address, listener);
  co_return listener;
}

void KeeperClient::remember(const std::string& asked, const ListeningSocket& listener) {
  for (const auto& known : listeners_)
    if (known->is_at(listener.address)) return;
  auto copy = base::duplicate(listener.socket);
  if (copy)
    listeners_.push_back(std::make_shared<Listener>(
        Listener{.asked = asked, .bound = listener.address, .socket = std::move(*copy)}));
  else
    base::log(base::Level::warning, "cannot copy a listening socket; a new keeper would not get it",
              {{"address", listener.address}, {"error", copy.error()}});
}

// A keeper that only lost its connection still has them. A new one gets them, so that it can give
// them to the next daemon.
awaitable<base::Status> KeeperClient::hand_over_listeners() {
  const auto listeners = listeners_;
  for (const auto& listener : listeners) {
    Message message = request(Tag::hold);
    message.add(Field::asked_address, listener->asked).add(Field::address, listener->bound);
    const auto held = co_await ask_done(std::move(message), listener->socket.get());
    if (held) continue;
    base::log(base::Level::warning, "the keeper refused a listening socket",
              {{"address", listener->bound}, {"error", held.error()}});
    co_return held;
  }
  co_return base::Status{};
}

awaitable<base::Status> KeeperClient::unlisten(std::string address) {
  std::erase_if(listeners_, [&](const auto& known) { return known->is_at(address); });
  Message message = request(Tag::unlisten);
  message.add(Field::address, address);
  co_return co_await ask_done(std::move(message));
}

awaitable<base::Status> KeeperClient::listen_nowhere_else() {
  Message message = request(Tag::listen_only);
  for (const auto& listener : listeners_) message.add(Field::address, listener->bound);
  co_return co_await ask_done(std::move(message));
}

awaitable<base::Status> KeeperClient::listen_nowhere() {
  listeners_.clear();
  co_return co_await listen_nowhere_else();
}

}  // namespace keeper
