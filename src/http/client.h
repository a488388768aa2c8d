// One WebSocket client: what all protocols share. Messages are dealt with in the order they came;
// one writer sends what is queued, then takes the next slice of each viewer in turn, so that
// nothing of a terminal's output ever waits here in memory.
//
// Invariants
// 1. Only `run` reads, only `write` writes, and both have ended when `run` returns.
// 2. A client that does not read what it asked for is not listened to until it does.
// 3. When the connection ends its viewers are gone, and the terminals stay.

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

#include "base/task_scope.h"
#include "http/limits.h"
#include "http/token_bucket.h"
#include "http/user.h"
#include "http/websocket.h"
#include "session/sessions.h"
#include "terminal/viewer.h"
#include "wire/status.h"

namespace http {

[[nodiscard]] wire::CloseReason wire_reason(session::CloseReason reason);

class Client : public session::Watcher {
 public:
  Client(boost::asio::any_io_executor executor, std::unique_ptr<WebSocket> socket,
         session::Sessions& sessions, User user);
  virtual ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // Serves until the connection ends, within these limits; `address` is where it comes from.
  boost::asio::awaitable<void> run(Limiter& limiter, std::string address);
  // Ends the connection with that code; `run` returns soon after.
  void end(CloseCode code, std::string reason);
  // The credential no longer counts: ends the connection, and what it has asked for does not begin.
  void withdraw();
  // The colours that programs are told which ask, in terminals that this client controls.
  void set_theme(const vt::Theme& theme) { theme_ = theme; }
  [[nodiscard]] const User& user() const { return user_; }
  // Sends a ping, or gives up a client that has been silent for longer than `limit`.
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
    // The compatible protocol's: its first slice after a reattach is due, and a size that counts
    // only if somebody types there.
    bool scrollback_due = false;
    std::optional<vt::Size> size_if_typed;
    std::unique_ptr<terminal::Viewer> viewer;
  };
  enum class Taken {
    nothing,  // Until the viewer is ready again.
    message,
    last,  // The attachment is no more; its last words are in the queue, if they are not in `out`.
  };

  // Before the first message.
  virtual boost::asio::awaitable<void> begin() { co_return; }
  virtual boost::asio::awaitable<void> handle(Message message) = 0;
  // Turns the attachment's next slice into a message.
  virtual Taken take(Attachment& attachment, std::string& out, MessageKind& kind) = 0;
  // The message that says that there were too many; `limit` says how many there may be.
  [[nodiscard]] virtual std::string too_many_messages(const std::string& limit) const = 0;
  // The terminal let go of the attachment's viewer, which has to be given up.
  virtual void detached(Attachment& attachment, terminal::Detached why) = 0;
  // What is left to do when the connection has ended.
  virtual boost::asio::awaitable<void> finish() { co_return; }

  void send(std::string text);
  // An error if the credential only allows looking.
  [[nodiscard]] base::Status may_change() const;
  // Ends the connection once everything that was queued has been sent.
  void end_when_sent(CloseCode code);
  // Counts input that was refused because too much of it waits already.
  [[nodiscard]] base::Status counted(base::Status written);
  // Notes who reaches which terminal from where, once for each of them; never what is typed.
  void audit(const session::Held& held, std::string_view event);
  // An error if the connection has as many viewers as it may.
  [[nodiscard]] base::Status may_attach();
  Attachment& attach(const session::Held& held, const terminal::ViewerOptions& options);
  void detach(Attachment& attachment);
  void apply_theme(const terminal::Viewer& viewer) const;
  [[nodiscard]] Attachment* attachment_of(std::string_view terminal_id);
  [[nodiscard]] Attachment* attachment_of(std::uint32_t channel);

  boost::asio::any_io_executor executor_;
  session::Sessions& sessions_;
  User user_;
  session::Permit permit_;
  std::optional<vt::Theme> theme_;
  Limiter* limiter_ = nullptr;  // Set by `run`.
  std::list<Attachment> attachments_;
  base::TaskScope tasks_;  // Requests that take their time, and the writer.

 private:
  boost::asio::awaitable<void> write();
  bool next(std::string& out, MessageKind& kind);
  void enqueue(Attachment& attachment);
  // Counts frames, those of a message that is not whole too. Too many are the end of the
  // connection.
  void count_frames(std::size_t frames);
  // Ends the connection when the user's credential has expired.
  void watch_expiry();

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
  boost::asio::steady_timer wake_;     // Never expire: cancelling them wakes
  boost::asio::steady_timer drained_;  // the writer, and the reader that waits for it.
  boost::asio::steady_timer deadline_;
  boost::asio::steady_timer expiry_;
};

}  // namespace http
