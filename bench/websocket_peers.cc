// Servers that are one process, with one terminal for each connection: the floor, and node-pty
// behind ws.

#include <cstdio>
#include <filesystem>

#include "bench/contestant.h"
#include "bench/port_server.h"
#include "bench/raw_websocket.h"

namespace bench {
namespace {

class PlainSession final : public Session {
 public:
  PlainSession(int port, Form form)
      : socket_({.port = port, .path = "/", .token = {}, .subprotocol = {}}), form_(form) {}

  void type(std::string_view keys) override {
    if (form_ == Form::binary) return socket_.send_binary(keys);
    socket_.send_text(R"({"type":"input","sessionId":"t","data":{"data":")" + std::string(keys) +
                      "\"}}");
  }
  Piece receive() override { return {.bytes = socket_.receive()}; }

 private:
  RawWebSocket socket_;
  Form form_;
};

class Server final : public Contestant {
 public:
  Server(std::string name, const std::vector<std::string>& command, Form form)
      : Contestant(std::move(name)), form_(form), server_(command) {}

  std::unique_ptr<Session> open() override {
    auto session = std::make_unique<PlainSession>(server_.port(), form_);
    session->wait_for("READY");
    return session;
  }
  [[nodiscard]] std::vector<pid_t> processes() const override { return {server_.pid()}; }

 private:
  Form form_;
  PortServer server_;
};

}  // namespace

std::unique_ptr<Contestant> floor_server() {
  return std::make_unique<Server>("floor", std::vector<std::string>{FLOOR_SERVER, TALKER},
                                  Form::binary);
}

std::unique_ptr<Contestant> node_server(Form form) {
  if (!std::filesystem::exists(BENCH_PEERS "/node_modules/node-pty")) {
    std::fputs("skipped: node-pty and ws are not installed in bench/peers (run npm ci there)\n",
               stderr);
    return nullptr;
  }
  const bool binary = form == Form::binary;
  return std::make_unique<Server>(binary ? "node-pty + ws, binary" : "node-pty + ws, JSON",
                                  std::vector<std::string>{"node", BENCH_PEERS "/server.mjs",
                                                           binary ? "binary" : "json", TALKER},
                                  form);
}

}  // namespace bench
