#include "bench/holdfast_contestant.h"

#include <cstring>
#include <stdexcept>

namespace bench {
namespace {

bool has(std::string_view text, std::string_view wanted) {
  return text.find(wanted) != std::string_view::npos;
}

std::string since_field(const std::optional<std::uint64_t>& since) {
  return since ? ",\"since\":" + std::to_string(*since) : "";
}

// Records when it requested its terminal.
class Attached : public Session {
 public:
  [[nodiscard]] std::chrono::steady_clock::time_point sent() const { return sent_; }

 protected:
  std::chrono::steady_clock::time_point sent_;
};

class NativeSession final : public Attached {
 public:
  NativeSession(const RawWebSocket::Target& target, const std::string& id, bool lossless,
                const std::optional<std::uint64_t>& since)
      : socket_(target) {
    while (!has(socket_.receive(), "\"welcome\"")) {
    }
    sent_ = std::chrono::steady_clock::now();
    socket_.send_text(R"({"type":"attach","data":{"terminalId":")" + id + "\"" +
                      since_field(since) + (lossless ? ",\"lossless\":true}}" : "}}"));
  }

  void type(std::string_view keys) override {
    std::string frame{"\x03\x01\0\0\0\0\0\0\0\0\0\0\0",
                      13};  // Input on the connection's first channel.
    socket_.send_binary(frame += keys);
  }
  Piece receive() override {
    for (;;) {
      const std::string_view message = socket_.receive();
      if (!socket_.was_binary()) {
        if (has(message, "\"error\"")) throw std::runtime_error(std::string(message));
        continue;
      }
      Piece piece{.bytes = message.substr(13), .is_snapshot = message[0] == 2};
      std::memcpy(&piece.offset, message.data() + 5, 8);
      return piece;
    }
  }

 private:
  RawWebSocket socket_;
};

class CompatibleSession final : public Attached {
 public:
  CompatibleSession(const RawWebSocket::Target& target, const std::string& id,
                    const std::optional<std::uint64_t>& since)
      : socket_(target), id_(id) {
    sent_ = std::chrono::steady_clock::now();
    socket_.send_text(R"({"type":"reattach_session","data":{"sessionId":")" + id + "\"" +
                      since_field(since) + "}}");
  }

  void type(std::string_view keys) override {
    socket_.send_text(R"({"type":"input","sessionId":")" + id_ + R"(","data":{"data":")" +
                      std::string(keys) + "\"}}");
  }
  Piece receive() override {
    for (;;) {
      const std::string_view message = socket_.receive();
      if (message.starts_with(R"({"type":"error")")) throw std::runtime_error(std::string(message));
      const bool is_output = message.starts_with(R"({"type":"output")");
      if (!is_output && !message.starts_with(R"({"type":"scrollback")")) continue;
      const auto offset = message.rfind("\"offset\":");
      const std::string_view start = message.substr(0, 128);
      return {.bytes = message,
              .offset = std::strtoull(message.data() + offset + 9, nullptr, 10),
              .is_snapshot = has(start, R"("data":"\u001bc)")};
    }
  }

 private:
  RawWebSocket socket_;
  std::string id_;
};

class Speaking final : public Contestant {
 public:
  Speaking(std::string name, Holdfast& holdfast, Holdfast::Protocol protocol)
      : Contestant(std::move(name)), holdfast_(holdfast), protocol_(protocol) {}

  std::unique_ptr<Session> open() override;
  [[nodiscard]] std::vector<pid_t> processes() const override {
    return {holdfast_.daemon(), holdfast_.keeper()};
  }

 private:
  Holdfast& holdfast_;
  Holdfast::Protocol protocol_;
};

// Closes its terminal at the end.
class OwnTerminal final : public Session {
 public:
  OwnTerminal(Holdfast& holdfast, Holdfast::Protocol protocol)
      : holdfast_(holdfast), id_(holdfast.create()), session_(holdfast.attach(protocol, id_)) {
    session_->wait_for("READY");
  }
  ~OwnTerminal() override {
    session_.reset();
    holdfast_.close(id_);
  }
  void type(std::string_view keys) override { session_->type(keys); }
  Piece receive() override { return session_->receive(); }

 private:
  Holdfast& holdfast_;
  std::string id_;
  std::unique_ptr<Session> session_;
};

std::unique_ptr<Session> Speaking::open() {
  return std::make_unique<OwnTerminal>(holdfast_, protocol_);
}

}  // namespace

Holdfast::Holdfast(const std::vector<std::string>& options) {
  SetUp();
  start(options);
}

Holdfast::~Holdfast() {
  control_.reset();
  TearDown();
}

RawWebSocket::Target Holdfast::native_target() const {
  return {.port = port(), .path = "/ws", .token = token(), .subprotocol = "holdfast.v1"};
}

RawWebSocket::Target Holdfast::compatible_target() const {
  return {.port = port(), .path = "/terminal/ws/multi", .token = token(), .subprotocol = {}};
}

std::unique_ptr<Contestant> Holdfast::speaking(Protocol protocol) {
  const char* name = protocol == Protocol::native     ? "Holdfast native"
                     : protocol == Protocol::lossless ? "Holdfast native, lossless"
                                                      : "Holdfast compatible";
  return std::make_unique<Speaking>(name, *this, protocol);
}

// Connects only when needed: every further client costs the daemon something.
void Holdfast::ask(const std::string& message, std::string_view answer) {
  if (!control_) control_ = std::make_unique<RawWebSocket>(native_target());
  control_->send_text(message);
  for (;;) {
    const std::string_view said = control_->receive();
    if (said.starts_with(R"({"type":"error")")) throw std::runtime_error(std::string(said));
    if (said.starts_with("{\"type\":\"" + std::string(answer)) && has(said, "\"request\"")) return;
  }
}

std::string Holdfast::create() {
  const std::string id = "t" + std::to_string(++count_);
  ask(R"({"type":"create","request":1,"data":{"terminalId":")" + id +
          R"(","command":[")" TALKER R"("]}})",
      "created");
  return id;
}

void Holdfast::close(const std::string& id) {
  ask(R"({"type":"close","request":2,"data":{"terminalId":")" + id + "\"}}", "closed");
}

std::unique_ptr<Session> Holdfast::attach(Protocol protocol, const std::string& id,
                                          std::optional<std::uint64_t> since) {
  std::unique_ptr<Attached> session;
  if (protocol == Protocol::compatible)
    session = std::make_unique<CompatibleSession>(compatible_target(), id, since);
  else
    session =
        std::make_unique<NativeSession>(native_target(), id, protocol == Protocol::lossless, since);
  attach_sent_ = session->sent();
  return session;
}

}  // namespace bench
