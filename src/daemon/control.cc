#include "daemon/control.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "base/log.h"
#include "base/peer.h"
#include "base/version.h"
#include "daemon/control_connection.h"

namespace holdfast {

namespace asio = boost::asio;
namespace json = boost::json;
using asio::awaitable;

namespace {

constexpr auto kNoThrow = asio::as_tuple(asio::use_awaitable);
constexpr std::size_t kLongest = 64 * 1024;
constexpr std::chrono::seconds kAskTime{5};
// Between `ready` and `go` the keeper is upgraded.
constexpr std::chrono::seconds kGoTime{60};
constexpr std::chrono::milliseconds kAcceptPause{100};

// A second check: the modes of the socket and its directory already keep others out.
bool may_ask(int socket) {
  const auto peer = base::peer_of(socket);
  return peer && (peer->uid == ::geteuid() || peer->uid == 0);
}

// The next line, or none if the peer hangs up, is too slow, or sends something other than JSON.
template <class Stream>
awaitable<std::optional<json::object>> receive(Stream& stream, std::string& received,
                                               std::chrono::seconds limit) {
  stream.expires_after(limit);
  const auto [error, size] = co_await asio::async_read_until(
      stream, asio::dynamic_buffer(received, kLongest), '\n', kNoThrow);
  if (error) co_return std::nullopt;
  json::error_code unreadable;
  json::value line = json::parse(std::string_view(received).substr(0, size), unreadable);
  received.erase(0, size);
  if (unreadable || !line.is_object()) co_return std::nullopt;
  co_return std::move(line.get_object());
}

template <class Stream>
awaitable<void> send(Stream& stream, json::object line) {
  const std::string bytes = json::serialize(line) + "\n";
  stream.expires_after(kAskTime);
  co_await asio::async_write(stream, asio::buffer(bytes), kNoThrow);
}

}  // namespace

json::object status_line(const char* say, const ServedCounts& served) {
  return {{"say", say},
          {"version", base::version()},
          {"sessions", served.sessions},
          {"terminals", served.terminals},
          {"connections", served.connections},
          {"viewers", served.viewers}};
}

Control::Control(asio::any_io_executor executor, std::vector<std::string> arguments,
                 Handlers handlers)
    : executor_(executor),
      arguments_(std::move(arguments)),
      handlers_(std::move(handlers)),
      acceptor_(executor),
      tasks_(executor) {}

base::Status Control::listen(base::Fd socket) {
  boost::system::error_code error;
  acceptor_.assign(Protocol(), socket.get(), error);
  if (error) return base::fail(base::errno_error(error.value(), "accept from the control socket"));
  (void)socket.release();
  tasks_.spawn([this]() -> awaitable<void> { co_await accept(); });
  return {};
}

awaitable<void> Control::stop() {
  tasks_.cancel();
  co_await tasks_.join();
  boost::system::error_code ignored;  // It is closed either way.
  acceptor_.close(ignored);
}

struct Control::Question {
  std::string_view name;
  awaitable<void> (Control::*answer)(Stream stream, Asked asked);
};

const Control::Question Control::kQuestions[] = {
    {"status", &Control::status},
    {"upgrade", &Control::upgrade},
};

awaitable<void> Control::accept() {
  asio::steady_timer pause(executor_);
  while (!successor) {
    auto [error, socket] = co_await acceptor_.async_accept(kNoThrow);
    if (error == asio::error::operation_aborted) co_return;
    if (error) {
      base::log(base::Level::warning, "cannot accept a connection", {{"error", error.message()}});
      pause.expires_after(kAcceptPause);
      if (const auto [stopped] = co_await pause.async_wait(kNoThrow); stopped) co_return;
      continue;
    }
    Stream stream(std::move(socket));
    co_await converse(std::move(stream));
  }
}

awaitable<void> Control::converse(Stream stream) {
  if (!may_ask(stream.socket().native_handle())) co_return;
  std::string received;
  const auto asked = co_await receive(stream, received, kAskTime);
  if (!asked) co_return;
  const std::string what = text_in(*asked, "ask");
  const auto known = std::ranges::find(kQuestions, what, &Question::name);
  if (known != std::end(kQuestions)) {
    auto answered = (this->*known->answer)(std::move(stream),
                                           {.line = *asked, .received = std::move(received)});
    co_return co_await std::move(answered);
  }
  std::string known_ones;
  for (const Question& question : kQuestions)
    (known_ones += known_ones.empty() ? "" : ", ") += question.name;
  json::object line = error_line(
      "error", {.code = base::Code::unsupported,
                .what = "the daemon does not support '" + what + "'",
                .advice = "It is older than this command and supports only: " + known_ones + "."});
  co_await send(stream, std::move(line));
}

awaitable<void> Control::status(Stream stream, Asked) {
  json::object line = status_line("status", handlers_.served());
  co_await send(stream, std::move(line));
}

awaitable<base::Result<std::shared_ptr<base::Program>>> Control::prepare(
    std::filesystem::path path) {
  auto opened = base::Program::open(path);
  if (!opened) co_return base::fail(opened.error());
  auto program = std::make_shared<base::Program>(std::move(*opened));
  std::vector<std::string> arguments = arguments_;
  auto address = co_await try_out(program, std::move(arguments));
  if (!address) co_return base::fail(address.error());
  if (address->empty()) co_return program;  // Older programs print no address.
  const auto prepared = co_await handlers_.prepare(std::move(*address));
  if (!prepared) co_return base::fail(prepared.error());
  co_return program;
}

awaitable<void> Control::upgrade(Stream stream, Asked asked) {
  std::filesystem::path path = text_in(asked.line, "program");
  base::log(base::Level::info, "upgrade requested", {{"program", path.native()}});
  auto program = co_await prepare(std::move(path));
  if (!program) {
    base::log(base::Level::error, "cannot upgrade", {{"error", program.error()}});
    json::object line = error_line("error", program.error());
    co_await send(stream, std::move(line));
    co_return;
  }
  json::object ready = status_line("ready", handlers_.served());
  co_await send(stream, std::move(ready));
  const auto go = co_await receive(stream, asked.received, kGoTime);
  if (!go || text_in(*go, "ask") != "go") {
    base::log(base::Level::warning, "upgrade cancelled by the upgrade command");
    co_return co_await handlers_.give_up();
  }
  boost::system::error_code error;
  base::Fd asker(stream.release_socket().release(error));
  successor = Successor{.program = std::move(*program), .asker = std::move(asker)};
  handlers_.leave();
}

}  // namespace holdfast
