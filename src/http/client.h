// One WebSocket client: what all protocols share. Messages are handled in order. One writer sends
// the queue, then takes the next slice of each viewer in turn, so terminal output never waits here
// in memory.
//
// Invariants
// 1. Only `run` reads, only `write` writes, and both have ended when `run` returns.
// 2. While a client does not read its answers, its messages are not read either.
// 3. When the connection ends, its viewers end too. The terminals stay.

#pragma once

#include <cstdint>
#include <deque>
#include <list>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>

#include "base/event.h"
#include "base/task_scope.h"
#include "http/expiry.h"
#include "http/limits.h"
#include "http/token_bucket.h"
#include "http/user.h"
#include "http/websocket.h"
#include "operation/operations.h"
#include "session/sessions.h"
#include "terminal/viewer.h"
#include "wire/status.h"

namespace http {

[[nodiscard]] wire::CloseReason wire_reason(session::CloseReason reason);

class Client : public session::Watcher {
 public:
  Client(boost::asio::any_io_executor executor, std::unique_ptr<WebSocket> socket,
         session::Sessions& sessions, operation::Operations& operations, User user);
  virtual ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // Serves until the connection ends, within these limits. `address` is the client's.
  boost::asio::awaitable<void> run(Limiter& limiter, std::string address);
  // Ends the connection with this code; `run` returns soon after.
  void end(CloseCode code, std::string reason);
  // The credential is no longer valid: ends the connection. Requests that have not started yet
  // never do.
  void withdraw();
  // The colours reported to programs that ask, in terminals that this client controls.
  void set_theme(const vt::Theme& theme) { theme_ = theme; }
  [[nodiscard]] const User& user() const { return user_; }
  // Sends a ping, or drops a client that has been silent for longer than `limit`.
  void check(base::MonotonicTime now, std::chrono::milliseconds limit);

 protected:
  // A viewer of this client.
  struct Attachment final : terminal::ViewerEvents {
    Attachment(Client& client, std::uint32_t channel, std::string terminal_id)
        : client(client), channel(channel), terminal_id(std::move(terminal_id)) {}
    void viewer_ready(terminal::Viewer&) override { client.enqueue(*this); }
    void viewer_detached(terminal::Viewer&, terminal::Detached why) override {
      client.detached(*this, why);
    }

    Client& client;
    std::uint32_t channel;
    std::string terminal_id;
    bool queued = false;
    // For the compatible protocol: the first slice after a reattach is due, and a size that takes
    // effect only when this client types there.
    bool scrollback_due = false;
    std::optional<vt::Size> size_if_typed;
    std::unique_ptr<terminal::Viewer> viewer;
  };
  enum class Taken {
    nothing,  // Until the viewer is ready again.
    message,
    last,  // The attachment is gone; its last message is in `out` or in the queue.
  };

  // Runs before the first message.
  virtual boost::asio::awaitable<void> begin() { co_return; }
  virtual boost::asio::awaitable<void> handle(Message message) = 0;
  // Another message, if there is nothing else to send. False if there is none.
  virtual bool take_more(std::string& /*out*/) { return false; }
  // Turns the attachment's next slice into a message.
  virtual Taken take(Attachment& attachment, std::string& out, MessageKind& kind) = 0;
  // The message for a client that sent too many; `limit` states the limit.
  [[nodiscard]] virtual std::string too_many_messages(const std::string& limit) const = 0;
  // The terminal detached the attachment's viewer; drop the attachment.
  virtual void detached(Attachment& attachment, terminal::Detached why) = 0;
  // Cleans up after the connection has ended.
  virtual boost::asio::awaitable<void> finish() { co_return; }

  void send(std::string text);
  // `take_more` has a message.
  void has_more() { wake_.notify(); }
  // Ends the connection once the queue has been sent.
  void end_when_sent(CloseCode code);
  // Counts input that was refused because too much is queued already.
  [[nodiscard]] base::Status counted(base::Status written);
  // Records who used which terminal from where, once per terminal; never what is typed.
  void audit(const session::TerminalEntry& entry, std::string_view event);
  // An error if the connection has reached its viewer limit.
  [[nodiscard]] base::Status may_attach();
  Attachment& attach(const session::TerminalEntry& entry, terminal::ViewerOptions options);
  void detach(Attachment& attachment);
  [[nodiscard]] Attachment* attachment_of(std::string_view terminal_id);
  [[nodiscard]] Attachment* attachment_of(std::uint32_t channel);

  boost::asio::any_io_executor executor_;
  session::Sessions& sessions_;
  operation::Operations& operations_;
  User user_;
  operation::Caller caller_;
  std::optional<vt::Theme> theme_;
  Limiter* limiter_ = nullptr;  // Set by `run`.
  std::list<Attachment> attachments_;
  base::TaskScope tasks_;  // Slow requests, and the writer.

 private:
  boost::asio::awaitable<void> write();
  bool next(std::string& out, MessageKind& kind);
  void enqueue(Attachment& attachment);
  // Counts frames, including those of an incomplete message. Too many end the connection.
  void count_frames(std::size_t frames);

  std::unique_ptr<WebSocket> socket_;
  std::deque<std::string> queue_;
  std::size_t queued_bytes_ = 0;
  std::deque<Attachment*> ready_;
  std::uint32_t last_channel_ = 0;
  bool ending_ = false;
  std::optional<CloseCode> last_words_;
  TokenBucket frames_;
  std::string address_;
  std::set<std::string> audited_;
  base::Event wake_;     // The writer has something to do.
  base::Event drained_;  // The reader may continue.
  boost::asio::steady_timer deadline_;
  Expiry expiry_;  // Of the user's credential.
};

}  // namespace http
