// A client of the compatible protocol (docs/protocol.md): many terminals over one connection, which
// it calls sessions.

#pragma once

#include <map>

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
  void terminal_restorable(const session::Held& held) override;
  void session_created(const session::SessionRow&) override {}
  void session_renamed(const session::SessionRow&, const std::string&) override {}
  void session_closed(const session::SessionRow&) override {}

 private:
  // Errors after which a client may give the terminal up, and those after which it must not.
  static constexpr auto kGivenUp = wire::compatible::Naming::top;
  static constexpr auto kGoesOn = wire::compatible::Naming::data;

  boost::asio::awaitable<void> handle(Message message) override;
  Taken take(Attachment& attachment, std::string& out, MessageKind& kind) override;
  void detached(Attachment& attachment, terminal::Detached why) override;
  [[nodiscard]] std::string too_many_messages(const std::string& limit) const override;

  boost::asio::awaitable<void> not_authorized();
  boost::asio::awaitable<void> handle(wire::compatible::CreateSession request);
  // Makes the session that the connection was opened for, if it is not there.
  [[nodiscard]] base::Status ensure_session();
  void cannot_create(const base::Error& error, const std::string& id);
  boost::asio::awaitable<void> handle(wire::compatible::ListSessions request);
  boost::asio::awaitable<void> handle(wire::compatible::ReattachSession request);
  boost::asio::awaitable<void> handle(wire::compatible::Input request);
  boost::asio::awaitable<void> handle(wire::compatible::Resize request);
  boost::asio::awaitable<void> handle(wire::compatible::RenameSession request);
  boost::asio::awaitable<void> handle(wire::compatible::CloseSession request);
  boost::asio::awaitable<void> handle(wire::compatible::Ping request);

  // A reattach that does not tell the client's size yet, and the timer that waits for it.
  struct Unsized {
    wire::compatible::ReattachSession request;
    std::shared_ptr<boost::asio::steady_timer> timer;
  };
  // When the terminal takes the size that a client says.
  enum class Counts { now, if_typed };
  void await_size(wire::compatible::ReattachSession request);
  // Does what was waiting for the size, if anything was.
  void size_is_known(const std::string& id, vt::Size size, Counts counts);
  void reattach(session::Held& held, const wire::compatible::ReattachSession& request,
                vt::Size size, Counts counts);
  void typed(Attachment& attachment, std::string_view data);

  // The terminal that `input` or `resize` is for: the one of that id, else the only one that is
  // attached; an error was sent if that cannot be told.
  [[nodiscard]] std::optional<std::string> addressed(const std::optional<std::string>& id);
  // Whether the user has it; an error was sent otherwise.
  [[nodiscard]] bool is_there(const std::string& id);
  [[nodiscard]] session::Held* running(const std::string& id,
                                       wire::compatible::Naming naming = kGivenUp);
  void refuse(const base::Error& error, const std::string& id,
              wire::compatible::Naming naming = kGivenUp);
  void refuse(std::string_view error, std::string details, std::optional<std::string> id = {},
              wire::compatible::Naming naming = kGivenUp);

  std::optional<std::string> session_;
  std::string scratch_;
  std::set<std::string> closing_;  // What this client asked to close, attached or not.
  std::set<std::string> renaming_;
  std::map<std::string, Unsized> unsized_;
  bool recreates_ = false;  // It was told that nothing runs, and makes its terminals again.
};

}  // namespace http
