// The servers that are one process with one terminal for each connection: the floor, and node-pty
// behind ws.

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "bench/contestant.h"
#include "bench/raw_websocket.h"
#include "end_to_end/process.h"

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

// A server that prints its port.
class Server final : public Contestant {
 public:
  Server(std::string name, const std::vector<std::string>& command, Form form)
      : Contestant(std::move(name)), form_(form) {
    std::string file = "/tmp/holdfast-bench-XXXXXX";
    const int fd = ::mkstemp(file.data());
    if (fd < 0) throw std::runtime_error("mkstemp");
    ::close(fd);
    std::vector<std::string> argv{"/bin/sh", "-c", "exec \"$@\" >" + file, "sh"};
    argv.insert(argv.end(), command.begin(), command.end());
    process_ = std::make_unique<e2e::Process>(argv);
    const bool serves = e2e::eventually([&] {
      std::ifstream output(file);
      return !process_->is_running() || (output >> port_ && output.get() == '\n');
    });
    std::filesystem::remove(file);
    if (!serves || port_ == 0) throw std::runtime_error(this->name() + " does not serve");
  }

  std::unique_ptr<Session> open() override {
    auto session = std::make_unique<PlainSession>(port_, form_);
    session->wait_for("READY");
    return session;
  }
  [[nodiscard]] std::vector<pid_t> processes() const override { return {process_->pid()}; }

 private:
  Form form_;
  std::unique_ptr<e2e::Process> process_;
  int port_ = 0;
};

}  // namespace

std::unique_ptr<Contestant> floor_server() {
  return std::make_unique<Server>("floor", std::vector<std::string>{FLOOR_SERVER, TALKER},
                                  Form::binary);
}

std::unique_ptr<Contestant> node_server(Form form) {
  if (!std::filesystem::exists(BENCH_PEERS "/node_modules/node-pty")) {
    std::fputs("skipped: node-pty and ws are not installed in bench/peers\n", stderr);
    return nullptr;
  }
  const bool binary = form == Form::binary;
  return std::make_unique<Server>(binary ? "node-pty + ws, binary" : "node-pty + ws, JSON",
                                  std::vector<std::string>{"node", BENCH_PEERS "/server.mjs",
                                                           binary ? "binary" : "json", TALKER},
                                  form);
}

}  // namespace bench
