#include "http/client.h"

#include <algorithm>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "base/log.h"

namespace http {

namespace asio = boost::asio;
using asio::awaitable;

namespace {

constexpr auto kNoThrow = asio::as_tuple(asio::use_awaitable);
constexpr std::size_t kMostQueued = 1024 * 1024;
constexpr std::size_t kKeptCapacity = 256 * 1024;
constexpr std::chrono::seconds kGoodbye{1};
constexpr std::chrono::seconds kLastWords{5};

}  // namespace

wire::CloseReason wire_reason(session::CloseReason reason) {
  switch (reason) {
    case session::CloseReason::user_requested:
      return wire::CloseReason::user_requested;
    case session::CloseReason::process_exit:
      return wire::CloseReason::process_exit;
    case session::CloseReason::idle_timeout:
      return wire::CloseReason::idle_timeout;
    case session::CloseReason::error:
      break;
  }
  return wire::CloseReason::error;
}

Client::Client(asio::any_io_executor executor, std::unique_ptr<WebSocket> socket,
               session::Sessions& sessions, operation::Operations& operations, User user)
    : executor_(executor),
      sessions_(sessions),
      operations_(operations),
      user_(std::move(user)),
      caller_({.reach = {user_.id, user_.scope}, .watcher = this}),
      tasks_(executor),
      socket_(std::move(socket)),
      wake_(executor),
      drained_(executor),
      deadline_(executor),
      expiry_(executor, base::system_clock()) {}

Client::~Client() = default;

awaitable<void> Client::run(Limiter& limiter, std::string address) {
  limiter_ = &limiter;
  address_ = std::move(address);
  caller_.permit = session::Permit("from " + address_);
  socket_->on_frames([this](std::size_t frames) { count_frames(frames); });
  sessions_.watchers().add(caller_.reach, *this);
  if (user_.until) expiry_.watch(*user_.until, [this] { withdraw(); });
  tasks_.spawn([this]() -> awaitable<void> { co_await write(); });
  co_await begin();
  while (const auto message = co_await socket_->read()) {
    // Ignore messages while waiting for the other side to close.
    if (ending_ || last_words_) continue;
    co_await handle(*message);
    while (queued_bytes_ > kMostQueued && !ending_) co_await drained_.wait();
  }
  if (socket_->was_too_large()) limiter.met(Limit::message_size);
  ending_ = true;
  sessions_.watchers().remove(*this);
  ready_.clear();
  attachments_.clear();
  wake_.notify();
  deadline_.cancel();
  expiry_.cancel();
  socket_->abort();
  co_await finish();
  co_await tasks_.join();
}

void Client::count_frames(std::size_t frames) {
  const Limits& limits = limiter_->limits;
  if (ending_ || last_words_ ||
      frames_.take(std::chrono::steady_clock::now(), static_cast<double>(limits.message_rate),
                   static_cast<double>(limits.message_burst), static_cast<double>(frames)))
    return;
  limiter_->met(Limit::message_rate);
  base::log(base::Level::warning, "A client sent too many messages", {{"user", user_.name}});
  send(too_many_messages(std::to_string(limits.message_rate) + " messages per second, " +
                         std::to_string(limits.message_burst) + " at once"));
  end_when_sent(CloseCode::policy);
}

base::Status Client::counted(base::Status written) {
  if (!written && written.error().code == base::Code::too_large) limiter_->met(Limit::input);
  return written;
}

void Client::audit(const session::TerminalEntry& entry, std::string_view event) {
  if (!audited_.insert(entry.id.str()).second) return;
  base::log(base::Level::info, "terminal used",
            {{"user", user_.name},
             {"event", event},
             {"terminal", entry.id.str()},
             {"address", address_}});
  sessions_.rows().note(entry, event, caller_.permit.asker());
}

base::Status Client::may_attach() {
  if (std::ssize(attachments_) < limiter_->limits.viewers) return {};
  limiter_->met(Limit::viewer);
  return base::fail(base::Code::too_large,
                    "this connection has " + std::to_string(attachments_.size()) +
                        " viewers, the maximum (viewer_limit)",
                    "Detach from a terminal first.");
}

void Client::end(CloseCode code, std::string reason) {
  if (ending_) return;
  ending_ = true;
  wake_.notify();
  drained_.notify();
  tasks_.spawn([this, code, reason = std::move(reason)]() -> awaitable<void> {
    // Do not wait for a client that does not answer the close frame.
    auto deadline = std::make_shared<asio::steady_timer>(executor_, kGoodbye);
    deadline->async_wait([this, deadline](const boost::system::error_code& error) {
      if (!error) socket_->abort();
    });
    co_await socket_->close(code, reason);
    deadline->cancel();
    socket_->abort();
  });
}

void Client::withdraw() {
  caller_.permit.withdraw();
  end(CloseCode::policy, "the credential was revoked or has expired");
}

void Client::check(base::MonotonicTime now, std::chrono::milliseconds limit) {
  if (now - socket_->last_heard() < limit) return socket_->ping();
  base::log(base::Level::info, "a client stopped responding", {{"user", user_.name}});
  socket_->abort();
}

void Client::send(std::string text) {
  if (ending_) return;
  if (queued_bytes_ + text.size() > limiter_->limits.send) {
    limiter_->met(Limit::send);
    base::log(base::Level::warning, "a client does not read its messages", {{"user", user_.name}});
    return end(CloseCode::policy, "too much unread output (send_limit)");
  }
  queued_bytes_ += text.size();
  queue_.push_back(std::move(text));
  wake_.notify();
}

void Client::end_when_sent(CloseCode code) {
  last_words_ = code;
  wake_.notify();
  // A client that is being dropped must not stay connected by not reading.
  if (code != CloseCode::policy) return;
  deadline_.expires_after(kLastWords);
  deadline_.async_wait([this](const boost::system::error_code& error) {
    if (!error) socket_->abort();
  });
}

awaitable<void> Client::write() {
  std::string out;
  while (!ending_) {
    MessageKind kind = MessageKind::text;
    if (out.capacity() > kKeptCapacity) out = {};  // Free a snapshot's memory.
    out.clear();
    if (!next(out, kind)) {
      if (last_words_) {
        end(*last_words_, "");
        co_return;
      }
      co_await wake_.wait();
      continue;
    }
    if (!co_await socket_->write(kind, out)) {
      socket_->abort();
      co_return;
    }
    if (queued_bytes_ <= kMostQueued) drained_.notify();
  }
}

bool Client::next(std::string& out, MessageKind& kind) {
  if (!queue_.empty()) {
    out.swap(queue_.front());
    queued_bytes_ -= out.size();
    queue_.pop_front();
    return true;
  }
  while (!ready_.empty()) {
    Attachment& attachment = *ready_.front();
    ready_.pop_front();
    attachment.queued = false;
    const Taken taken = take(attachment, out, kind);
    if (taken == Taken::message) enqueue(attachment);
    if (taken != Taken::nothing) return out.empty() ? next(out, kind) : true;
  }
  return take_more(out);
}

void Client::enqueue(Attachment& attachment) {
  if (attachment.queued || ending_) return;
  attachment.queued = true;
  ready_.push_back(&attachment);
  wake_.notify();
}

Client::Attachment& Client::attach(const session::TerminalEntry& entry,
                                   terminal::ViewerOptions options) {
  options.theme = theme_;
  audit(entry, "attached");
  Attachment& attachment = attachments_.emplace_back(*this, ++last_channel_, entry.id.str());
  attachment.viewer = std::make_unique<terminal::Viewer>(entry.terminal, options, attachment);
  enqueue(attachment);
  return attachment;
}

void Client::detach(Attachment& attachment) {
  std::erase(ready_, &attachment);
  attachments_.remove_if([&](const Attachment& each) { return &each == &attachment; });
}

Client::Attachment* Client::attachment_of(std::string_view terminal_id) {
  const auto found = std::ranges::find(attachments_, terminal_id, &Attachment::terminal_id);
  return found == attachments_.end() ? nullptr : &*found;
}

Client::Attachment* Client::attachment_of(std::uint32_t channel) {
  const auto found = std::ranges::find(attachments_, channel, &Attachment::channel);
  return found == attachments_.end() ? nullptr : &*found;
}

}  // namespace http
