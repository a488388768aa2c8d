// floor_server PROGRAM [ARGUMENT…]: the least that a terminal server on Asio and Beast can do, as a
// floor to compare the daemon with. It has one terminal for each connection, reads the PTY and
// sends the bytes as binary messages. It keeps nothing and does not parse the output. Prints its
// port.

#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <memory>
#include <vector>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket/stream.hpp>

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
using asio::awaitable;
using asio::ip::tcp;

constexpr auto kNoThrow = asio::as_tuple(asio::use_awaitable);

struct Connection {
  Connection(tcp::socket accepted, int pty)
      : terminal(accepted.get_executor(), pty), socket(std::move(accepted)) {}
  asio::posix::stream_descriptor terminal;
  beast::websocket::stream<tcp::socket> socket;
  std::array<char, 64 * 1024> bytes{};
};

int start_on_pty(char** argv) {
  int master = -1;
  winsize size{.ws_row = 24, .ws_col = 80, .ws_xpixel = 0, .ws_ypixel = 0};
  const pid_t pid = ::forkpty(&master, nullptr, nullptr, &size);
  if (pid == 0) {
    ::execv(argv[0], argv);
    ::_exit(127);
  }
  if (pid < 0) return -1;
  ::fcntl(master, F_SETFD, FD_CLOEXEC);
  ::fcntl(master, F_SETFL, O_NONBLOCK);
  return master;
}

// Reads all that is available, up to the buffer's size: one read returns at most a page.
std::size_t read_what_is_there(Connection& connection) {
  std::size_t size = 0;
  while (size < connection.bytes.size()) {
    const ssize_t count = ::read(connection.terminal.native_handle(), &connection.bytes[size],
                                 connection.bytes.size() - size);
    if (count <= 0) break;
    size += static_cast<std::size_t>(count);
  }
  return size;
}

awaitable<void> carry_output(std::shared_ptr<Connection> connection) {
  for (;;) {
    std::size_t size = read_what_is_there(*connection);
    if (size == 0) {
      const auto [error] = co_await connection->terminal.async_wait(
          asio::posix::stream_descriptor::wait_read, kNoThrow);
      size = error ? 0 : read_what_is_there(*connection);
      if (size == 0) break;
    }
    const auto [error, written] = co_await connection->socket.async_write(
        asio::buffer(connection->bytes.data(), size), kNoThrow);
    if (error) break;
  }
  beast::error_code ignored;  // The connection ends either way.
  connection->socket.next_layer().close(ignored);
}

awaitable<void> carry_input(std::shared_ptr<Connection> connection) {
  beast::flat_buffer buffer;
  for (;;) {
    const auto [error, size] = co_await connection->socket.async_read(buffer, kNoThrow);
    if (error) break;
    if (::write(connection->terminal.native_handle(), buffer.cdata().data(), size) < 0) break;
    buffer.consume(size);
  }
  connection->terminal.close();
}

awaitable<void> serve(std::shared_ptr<Connection> connection) {
  connection->socket.next_layer().set_option(tcp::no_delay(true));
  connection->socket.auto_fragment(false);
  connection->socket.binary(true);
  if (const auto [error] = co_await connection->socket.async_accept(kNoThrow); error) co_return;
  const auto executor = connection->socket.get_executor();
  asio::co_spawn(executor, [connection] { return carry_output(connection); }, asio::detached);
  asio::co_spawn(executor, [connection] { return carry_input(connection); }, asio::detached);
}

awaitable<void> accept(tcp::acceptor& acceptor, char** argv) {
  for (;;) {
    auto socket = co_await acceptor.async_accept(asio::use_awaitable);
    const int pty = start_on_pty(argv);
    if (pty < 0) continue;
    auto connection = std::make_shared<Connection>(std::move(socket), pty);
    asio::co_spawn(
        acceptor.get_executor(), [connection] { return serve(connection); }, asio::detached);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fputs("usage: floor_server PROGRAM [ARGUMENT...]\n", stderr);
    return 2;
  }
  ::signal(SIGCHLD, SIG_IGN);
  asio::io_context io(1);
  tcp::acceptor acceptor(io, {asio::ip::address_v4::loopback(), 0});
  std::printf("%d\n", acceptor.local_endpoint().port());
  std::fflush(stdout);
  asio::co_spawn(io, accept(acceptor, argv + 1), asio::detached);
  io.run();
}
