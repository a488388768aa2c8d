#include "end_to_end/daemon_fixture.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>

namespace e2e {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace websocket = beast::websocket;
using asio::ip::tcp;

namespace {

tcp::endpoint local(int port) {
  return {asio::ip::address_v4::loopback(), static_cast<std::uint16_t>(port)};
}

std::string host_of(int port, const Headers& headers) {
  for (const auto& [name, value] : headers)
    if (beast::iequals(name, "Host")) return value;
  return "127.0.0.1:" + std::to_string(port);
}

}  // namespace

std::string HttpResponse::header(std::string_view name) const {
  for (const auto& [key, value] : headers)
    if (beast::iequals(key, name)) return value;
  return {};
}

HttpResponse http_get(int port, const std::string& target, const Headers& headers) {
  asio::io_context io;
  tcp::socket socket(io);
  socket.connect(local(port));
  beast::http::request<beast::http::empty_body> request(beast::http::verb::get, target, 11);
  request.set(beast::http::field::host, host_of(port, headers));
  for (const auto& [name, value] : headers) request.set(name, value);
  request.set(beast::http::field::connection, "close");
  beast::http::write(socket, request);
  beast::flat_buffer buffer;
  beast::http::response<beast::http::string_body> response;
  beast::http::read(socket, buffer, response);
  HttpResponse result{
      .status = static_cast<int>(response.result_int()), .body = response.body(), .headers = {}};
  for (const auto& field : response)
    result.headers.emplace_back(field.name_string(), field.value());
  return result;
}

int upgrade_status(int port, const std::string& target, const Headers& headers,
                   const std::string& subprotocol) {
  Headers all = headers;
  all.insert(all.end(), {{"Upgrade", "websocket"},
                         {"Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="},
                         {"Sec-WebSocket-Version", "13"}});
  if (!subprotocol.empty()) all.emplace_back("Sec-WebSocket-Protocol", subprotocol);
  asio::io_context io;
  tcp::socket socket(io);
  socket.connect(local(port));
  beast::http::request<beast::http::empty_body> request(beast::http::verb::get, target, 11);
  request.set(beast::http::field::host, host_of(port, headers));
  for (const auto& [name, value] : all) request.set(name, value);
  request.set(beast::http::field::connection, "Upgrade");
  beast::http::write(socket, request);
  beast::flat_buffer buffer;
  beast::http::response_parser<beast::http::string_body> parser;
  beast::http::read_header(socket, buffer, parser);
  return static_cast<int>(parser.get().result_int());
}

// --- WebSocket ---

struct WebSocketClient::Impl {
  asio::io_context io;
  websocket::stream<tcp::socket> stream{io};
  beast::flat_buffer buffer;
  bool reading = false;
  bool closed = false;
  std::deque<Frame> frames;

  void run(milliseconds deadline, const std::function<bool()>& done, const char* what) {
    const auto end = std::chrono::steady_clock::now() + deadline;
    while (!done()) {
      const auto left = end - std::chrono::steady_clock::now();
      if (left.count() <= 0) throw std::runtime_error(std::string("waited too long for ") + what);
      io.restart();
      io.run_one_for(left);
    }
  }

  void read() {
    if (reading || closed) return;
    reading = true;
    stream.async_read(buffer, [this](const beast::error_code& error, std::size_t) {
      reading = false;
      if (error) {
        closed = true;
        return;
      }
      frames.push_back(
          {.binary = stream.got_binary(), .data = beast::buffers_to_string(buffer.data())});
      buffer.consume(buffer.size());
    });
  }

  void write(std::string_view data, bool binary) {
    bool done = false;
    beast::error_code failure;
    stream.binary(binary);
    stream.async_write(asio::buffer(data.data(), data.size()),
                       [&](const beast::error_code& error, std::size_t) {
                         failure = error;
                         done = true;
                       });
    // A server that writes while it is written to must be listened to, or both wait.
    run(
        seconds(60),
        [&] {
          read();
          return done;
        },
        "a write");
    if (failure) throw std::runtime_error("cannot write: " + failure.message());
  }
};

WebSocketClient::WebSocketClient(int port, const std::string& target, const Headers& headers,
                                 const std::string& subprotocol)
    : impl_(std::make_unique<Impl>()) {
  impl_->stream.next_layer().connect(local(port));
  impl_->stream.next_layer().set_option(tcp::no_delay(true));
  impl_->stream.read_message_max(0);
  impl_->stream.set_option(websocket::stream_base::decorator([&](websocket::request_type& request) {
    for (const auto& [name, value] : headers) request.set(name, value);
    if (!subprotocol.empty()) request.set(beast::http::field::sec_websocket_protocol, subprotocol);
  }));
  websocket::response_type response;
  beast::error_code error;
  impl_->stream.handshake(response, host_of(port, headers), target, error);
  if (error)
    throw std::runtime_error("the upgrade was answered with " +
                             std::to_string(response.result_int()) + ": " + error.message());
}

WebSocketClient::~WebSocketClient() = default;

void WebSocketClient::send(const json::value& message) {
  send_text(json::serialize(message));
}
void WebSocketClient::send_text(std::string_view text) {
  impl_->write(text, false);
}
void WebSocketClient::send_binary(std::string_view bytes) {
  impl_->write(bytes, true);
}

std::optional<WebSocketClient::Frame> WebSocketClient::poll() {
  impl_->read();
  impl_->io.restart();
  impl_->io.poll();
  if (impl_->frames.empty()) return std::nullopt;
  Frame frame = std::move(impl_->frames.front());
  impl_->frames.pop_front();
  return frame;
}

std::optional<WebSocketClient::Frame> WebSocketClient::receive(milliseconds deadline) {
  impl_->run(
      deadline,
      [&] {
        if (!impl_->frames.empty() || impl_->closed) return true;
        impl_->read();
        return false;
      },
      "a message");
  if (impl_->frames.empty()) return std::nullopt;
  Frame frame = std::move(impl_->frames.front());
  impl_->frames.pop_front();
  return frame;
}

json::object WebSocketClient::expect(const std::function<bool(const json::object&)>& wanted,
                                     milliseconds deadline) {
  const auto end = std::chrono::steady_clock::now() + deadline;
  for (;;) {
    const auto left =
        std::chrono::duration_cast<milliseconds>(end - std::chrono::steady_clock::now());
    auto frame = receive(std::max(left, milliseconds(0)));
    if (!frame) throw std::runtime_error("the connection was closed");
    if (frame->binary) continue;
    if (json::object message = frame->object(); wanted(message)) return message;
  }
}

json::object WebSocketClient::expect(std::string_view type, milliseconds deadline) {
  std::string seen;
  try {
    return expect(
        [&](const json::object& message) {
          seen += json::serialize(message).substr(0, 300) + "\n";
          return message.at("type").as_string() == json::string_view(type.data(), type.size());
        },
        deadline);
  } catch (const std::exception& error) {
    throw std::runtime_error(std::string(error.what()) + ", waiting for " + std::string(type) +
                             "; came: " + seen);
  }
}

int WebSocketClient::close_code(milliseconds deadline) {
  impl_->run(
      deadline,
      [&] {
        if (impl_->closed) return true;
        impl_->read();
        return false;
      },
      "the end of the connection");
  return impl_->stream.reason().code;
}

bool WebSocketClient::is_closed() const {
  return impl_->closed;
}

void WebSocketClient::close() {
  bool done = false;
  impl_->stream.async_close(websocket::close_code::normal,
                            [&](const beast::error_code&) { done = true; });
  impl_->run(seconds(20), [&] { return done; }, "the goodbye");
}

void WebSocketClient::drop() {
  impl_->stream.next_layer().close();
  impl_->closed = true;
}

int WebSocketClient::native_handle() const {
  return impl_->stream.next_layer().native_handle();
}

// --- the daemon ---

void DaemonTest::SetUp() {
  std::string name = (std::filesystem::temp_directory_path() / "holdfast-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp");
  dir_ = name;
  std::filesystem::create_directory(home());
}

void DaemonTest::TearDown() {
  if (HasFailure()) std::fprintf(stderr, "--- the daemon's log\n%s---\n", log().c_str());
  daemon_.reset();
  if (const pid_t keeper = keeper_pid(); keeper > 0) {
    ::kill(keeper, SIGTERM);
    EXPECT_TRUE(eventually([&] { return !exists(keeper); }));
  }
  std::filesystem::remove_all(dir_);
}

pid_t DaemonTest::keeper_pid() const {
  pid_t pid = 0;
  std::ifstream(runtime_dir() / "keeper.lock") >> pid;
  return pid;
}

std::string DaemonTest::log() const {
  std::stringstream text;
  text << std::ifstream(dir_ / "daemon.log").rdbuf();
  return text.str();
}

// A shell of the tests' own choice that reads nobody's dotfiles: those may be slow, ask something,
// or leave a lock behind when they are killed.
std::vector<std::string> DaemonTest::environment() const {
  return {"HOME=" + home().string(), "SHELL=/bin/bash",
          "HOLDFAST_STATE_DIR=" + state_dir().string(),
          "HOLDFAST_RUNTIME_DIR=" + runtime_dir().string()};
}

void DaemonTest::start(const std::vector<std::string>& options,
                       const std::vector<std::string>& env) {
  const auto out = dir_ / "daemon.out";
  std::ofstream(out, std::ios::trunc).flush();
  std::string command = "exec \"$@\" >" + out.string() + " 2>>" + (dir_ / "daemon.log").string();
  std::vector<std::string> argv{"/bin/sh", "-c", command, "sh"};
  std::vector<std::string> all = options;
  if (port_ != 0 && std::ranges::find(options, "--listen") == options.end())
    all.insert(all.end(), {"--listen", "127.0.0.1:" + std::to_string(port_)});
  const auto serve = serve_command(state_dir(), runtime_dir(), all);
  argv.insert(argv.end(), serve.begin(), serve.end());
  std::vector<std::string> around = environment();
  around.insert(around.end(), env.begin(), env.end());
  daemon_ = std::make_unique<Process>(argv, around);
  std::string line;
  const bool served = eventually([&] {
    std::ifstream file(out);
    return !daemon_->is_running() || (std::getline(file, line) && !file.eof());
  });
  if (!served || line.empty()) throw std::runtime_error("the daemon does not serve: " + log());
  link_ = line;
  port_ = std::stoi(line.substr(line.rfind(':') + 1));
  token_ = line.substr(line.find("token=") + 6);
}

int DaemonTest::take_over(std::vector<std::string> options) {
  std::unique_ptr<Process> old = std::move(daemon_);
  options.emplace_back("--takeover");
  start(options);
  return old->wait().status;
}

void DaemonTest::kill_daemon() {
  daemon_->signal(SIGKILL);
  daemon_->wait();
}

int DaemonTest::stop_daemon() {
  daemon_->signal(SIGTERM);
  return daemon_->wait().status;
}

Process::Outcome DaemonTest::run(const std::vector<std::string>& arguments) {
  std::vector<std::string> argv{kDaemonProgram};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  return Process(argv, environment()).wait();
}

std::string DaemonTest::token_of(const std::string& user) {
  const auto made = run({"token", "new", "--user", user});
  if (made.status != 0) throw std::runtime_error("token new: " + made.output);
  return made.output.substr(0, made.output.find('\n'));
}

std::unique_ptr<WebSocketClient> DaemonTest::compatible(const std::string& token) {
  return std::make_unique<WebSocketClient>(
      port_, "/terminal/ws/multi",
      Headers{{"Authorization", "Bearer " + (token.empty() ? token_ : token)}});
}

std::unique_ptr<WebSocketClient> DaemonTest::single(const std::string& query,
                                                    const std::string& token) {
  return std::make_unique<WebSocketClient>(
      port_, "/terminal/ws" + query,
      Headers{{"Authorization", "Bearer " + (token.empty() ? token_ : token)}});
}

std::unique_ptr<WebSocketClient> DaemonTest::native(const std::string& token) {
  return std::make_unique<WebSocketClient>(
      port_, "/ws", Headers{{"Authorization", "Bearer " + (token.empty() ? token_ : token)}},
      "holdfast.v1");
}

HttpResponse DaemonTest::get(const std::string& target, Headers headers) {
  return http_get(port_, target, headers);
}

// --- messages ---

json::value message(std::string_view type, json::object data, std::string_view session_id) {
  json::object message{{"type", json::string_view(type.data(), type.size())}};
  if (!session_id.empty())
    message["sessionId"] = json::string_view(session_id.data(), session_id.size());
  if (!data.empty()) message["data"] = std::move(data);
  return message;
}

json::value create_session(std::string_view id, int rows, int cols) {
  return message(
      "create_session",
      {{"sessionId", json::string_view(id.data(), id.size())}, {"rows", rows}, {"cols", cols}});
}

json::value input(std::string_view id, std::string_view data) {
  return message("input", {{"data", json::string_view(data.data(), data.size())}}, id);
}

json::value reattach(std::string_view id, std::optional<std::uint64_t> since, int rows, int cols) {
  json::object data{
      {"sessionId", json::string_view(id.data(), id.size())}, {"rows", rows}, {"cols", cols}};
  if (since) data["since"] = *since;
  return message("reattach_session", std::move(data));
}

std::string text_of(const json::object& message) {
  return std::string(message.at("data").as_object().at("data").as_string());
}

std::string output_until(WebSocketClient& client, std::string_view wanted, milliseconds deadline) {
  std::string text;
  try {
    client.expect(
        [&](const json::object& message) {
          const auto& type = message.at("type").as_string();
          if (type == "output" || type == "scrollback") text += text_of(message);
          return text.find(wanted) != std::string::npos;
        },
        deadline);
  } catch (const std::exception& error) {
    throw std::runtime_error(std::string(error.what()) + ", waiting for the output \"" +
                             std::string(wanted) + "\"; came: " + text);
  }
  return text;
}

NativeFrame native_frame(const std::string& bytes) {
  NativeFrame frame;
  if (bytes.size() < 13) throw std::runtime_error("a frame without a whole header");
  frame.kind = static_cast<unsigned char>(bytes[0]);
  std::memcpy(&frame.channel, bytes.data() + 1, 4);
  std::memcpy(&frame.offset, bytes.data() + 5, 8);
  frame.payload = std::string_view(bytes).substr(13);
  return frame;
}

namespace {

std::string frame_of(char kind, std::uint32_t channel, std::uint64_t offset,
                     std::string_view payload) {
  std::string frame(13, kind);
  std::memcpy(frame.data() + 1, &channel, 4);
  std::memcpy(frame.data() + 5, &offset, 8);
  return frame += payload;
}

}  // namespace

std::string input_frame(std::uint32_t channel, std::string_view bytes) {
  return frame_of(3, channel, 0, bytes);
}

std::string ack_frame(std::uint32_t channel, std::uint64_t offset) {
  return frame_of(4, channel, offset, {});
}

}  // namespace e2e
