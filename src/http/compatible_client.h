// A client of the compatible protocol (docs/protocol.md): many terminals over one connection, which
// it calls sessions.

#pragma once

#include "http/client.h"
#include "wire/compatible.h"

namespace http {

class CompatibleClient final : public Client {
 public:
  // `session`: the one in which it makes terminals, and whose terminals it lists; none: it makes
  // them in the first one, and lists all.
  CompatibleClient(boost::asio::any_io_executor executor, std::unique_ptr<WebSocket> socket,
                   session::Sessions& sessions, User user, std::optional<std::string> session)
      : Client(executor, std::move(socket), sessions, std::move(user)),
        session_(std::move(session)) {}

  void terminal_created(const session::Held&) override {}
  void terminal_renamed(const session::Held& held) override;
  void terminals_reordered(const std::vector<const session::Held*>&) override {}
  void terminal_exited(const session::Held&) override {
  }  // The viewer tells, after the last output.
  void terminal_closed(const session::Held& held, session::CloseReason reason) override;
  void session_created(const session::SessionRow&) override {}
  void session_renamed(const session::SessionRow&, const std::string&) override {}
  void session_closed(const session::SessionRow&) override {}

 private:
  boost::asio::awaitable<void> handle(Message message) override;
  Taken take(Attachment& attachment, std::string& out, MessageKind& kind) override;
  void detached(Attachment& attachment, terminal::Detached why) override;
  [[nodiscard]] std::string too_many_messages(const std::string& limit) const override;

  boost::asio::awaitable<void> handle(wire::compatible::CreateSession request);
  boost::asio::awaitable<void> handle(wire::compatible::ListSessions request);
  boost::asio::awaitable<void> handle(wire::compatible::ReattachSession request);
  boost::asio::awaitable<void> handle(wire::compatible::Input request);
  boost::asio::awaitable<void> handle(wire::compatible::Resize request);
  boost::asio::awaitable<void> handle(wire::compatible::RenameSession request);
  boost::asio::awaitable<void> handle(wire::compatible::CloseSession request);
  boost::asio::awaitable<void> handle(wire::compatible::Ping request);

  // The terminal that `input` or `resize` is for; an error was sent if there is none that takes it.
  [[nodiscard]] session::Held* addressed(const std::optional<std::string>& id);
  // Whether the user has it; an error was sent otherwise.
  [[nodiscard]] bool is_there(const std::string& id);
  [[nodiscard]] session::Held* running(const std::string& id);
  void refuse(const base::Error& error, const std::string& id);
  void refuse(std::string_view error, std::string details, std::optional<std::string> id = {});

  std::optional<std::string> session_;
  std::string scratch_;
  std::set<std::string> closing_;  // What this client asked to close, attached or not.
  std::set<std::string> renaming_;
};

}  // namespace http
