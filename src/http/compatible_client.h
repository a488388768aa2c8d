// A client of the compatible protocol (docs/protocol.md): many terminals over one connection. The
// protocol calls them sessions.

#pragma once

#include <map>

#include "http/client.h"
#include "wire/compatible.h"

namespace http {

class CompatibleClient final : public Client {
 public:
  // `session`: where it creates terminals, and whose terminals it lists. None: it creates them in
  // the default session, and lists all.
  CompatibleClient(boost::asio::any_io_executor executor, std::unique_ptr<WebSocket> socket,
                   session::Sessions& sessions, operation::Operations& operations, User user,
                   std::optional<std::string> session)
      : Client(executor, std::move(socket), sessions, operations, std::move(user)),
        session_(std::move(session)) {}

  // The viewer reports an exit, after the last output.
  void terminal_renamed(const session::TerminalEntry& entry) override;
  void terminal_closed(const session::TerminalEntry& entry, session::CloseReason reason) override;
  void terminal_restorable(const session::TerminalEntry& entry) override;

 private:
  // Errors after which a client may drop the terminal, and errors after which it must not.
  static constexpr auto kGivenUp = wire::compatible::Naming::top;
  static constexpr auto kGoesOn = wire::compatible::Naming::data;

  boost::asio::awaitable<void> handle(Message message) override;
  Taken take(Attachment& attachment, std::string& out, MessageKind& kind) override;
  void detached(Attachment& attachment, terminal::Detached why) override;
  [[nodiscard]] std::string too_many_messages(const std::string& limit) const override;

  boost::asio::awaitable<void> not_authorized();
  boost::asio::awaitable<void> handle(wire::compatible::CreateSession request);
  // Creates the session that the connection was opened for, unless it exists.
  [[nodiscard]] base::Status ensure_session();
  void cannot_create(const base::Error& error, const std::string& id);
  boost::asio::awaitable<void> handle(wire::compatible::ListSessions request);
  boost::asio::awaitable<void> handle(wire::compatible::ReattachSession request);
  boost::asio::awaitable<void> handle(wire::compatible::Input request);
  boost::asio::awaitable<void> handle(wire::compatible::Resize request);
  boost::asio::awaitable<void> handle(wire::compatible::RenameSession request);
  boost::asio::awaitable<void> handle(wire::compatible::CloseSession request);
  boost::asio::awaitable<void> handle(wire::compatible::Ping request);

  // A reattach that waits for the client's size, and the timer that limits the wait.
  struct Unsized {
    wire::compatible::ReattachSession request;
    std::shared_ptr<boost::asio::steady_timer> timer;
  };
  // When the terminal takes the client's size.
  enum class Counts { now, if_typed };
  void await_size(wire::compatible::ReattachSession request);
  // Performs the reattach that waited for the size, if any.
  void size_is_known(const std::string& id, vt::Size size, Counts counts);
  void reattach(session::TerminalEntry& entry, const wire::compatible::ReattachSession& request,
                vt::Size size, Counts counts);
  void typed(Attachment& attachment, std::string_view data);

  // The terminal that `input` or `resize` is for: the one with that id, or the only attached one.
  // Sends an error if that is ambiguous.
  [[nodiscard]] std::optional<std::string> addressed(const std::optional<std::string>& id);
  // Whether the user has it; sends an error if not.
  [[nodiscard]] bool is_there(const std::string& id);
  [[nodiscard]] session::TerminalEntry* running(const std::string& id,
                                                wire::compatible::Naming naming = kGivenUp);
  void refuse(const base::Error& error, const std::string& id,
              wire::compatible::Naming naming = kGivenUp);
  void refuse(std::string_view error, std::string details, std::optional<std::string> id = {},
              wire::compatible::Naming naming = kGivenUp);

  std::optional<std::string> session_;
  std::string scratch_;
  std::set<std::string> detached_;  // Terminals that are ending; an event or an answer says why.
  std::map<std::string, Unsized> unsized_;
  bool recreates_ = false;  // It saw that nothing runs, and creates its terminals again.
};

}  // namespace http
