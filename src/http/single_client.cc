#include "http/single_client.h"

#include <span>

namespace http {

namespace asio = boost::asio;
namespace single = wire::single;
using asio::awaitable;

namespace {

constexpr std::size_t kSlice = 64 * 1024;

}  // namespace

awaitable<void> SingleClient::begin() {
  session::TerminalSpec spec;
  spec.lifetime = session::Lifetime::connection;
  spec.size = size_;
  const auto made = co_await operations_.terminals().create(caller_, std::move(spec));
  const auto entry = made ? sessions_.terminals().find(caller_.reach, made->terminal_id)
                          : base::fail(made.error());
  if (!entry) {
    send(single::error({.error = std::string(wire::compatible::kCannotCreate),
                        .details = entry.error().message(),
                        .session_id = {}}));
    end_when_sent(CloseCode::normal);
    co_return;
  }
  terminal_id_ = made->terminal_id;
  send(single::session(terminal_id_));
  terminal::ViewerOptions options;
  options.size = size_;
  options.since = 0;
  attach(**entry, options);
}

awaitable<void> SingleClient::handle(Message message) {
  auto request = single::parse(message.kind == MessageKind::text ? message.data : "");
  if (!request)
    send(single::error(request.error()));
  else if (!attachments_.empty())
    std::visit([this](const auto& each) { handle(each); }, *request);
  co_return;
}

std::string SingleClient::too_many_messages(const std::string& limit) const {
  return single::error({.error = std::string(wire::compatible::kTooManyMessages),
                        .details = limit,
                        .session_id = {}});
}

void SingleClient::handle(const single::Input& request) {
  auto entry = sessions_.terminals().find(caller_.reach, terminal_id_);
  const base::Status written =
      entry ? counted((*entry)->terminal->typing().write(request.data)) : base::fail(entry.error());
  if (!written)
    send(single::error({.error = std::string(wire::compatible::kInputRefused),
                        .details = written.error().message(),
                        .session_id = {}}));
}

void SingleClient::handle(const single::Resize& request) {
  size_ = {.cols = request.cols.value_or(80), .rows = request.rows.value_or(24)};
  attachments_.front().viewer->resize(size_);
}

void SingleClient::handle(const single::Ping&) {
  send(single::pong());
}

Client::Taken SingleClient::take(Attachment& attachment, std::string& out, MessageKind&) {
  using Kind = terminal::Slice::Kind;
  for (;;) {
    scratch_.clear();
    const auto slice = attachment.viewer->next(scratch_, kSlice);
    if (!slice) return Taken::nothing;
    if (slice->kind == Kind::resized) continue;
    if (slice->kind == Kind::exited) {
      send(single::session_closed(terminal_id_, wire::CloseReason::process_exit,
                                  terminal::exit_code(*attachment.viewer->terminal().exit())));
      Client::detach(attachment);
      end_when_sent(CloseCode::normal);
      return Taken::last;
    }
    single::append_output(out, std::as_bytes(std::span(scratch_)));
    return Taken::message;
  }
}

void SingleClient::detached(Attachment& attachment, terminal::Detached) {
  Client::detach(attachment);
  end_when_sent(CloseCode::normal);
}

awaitable<void> SingleClient::finish() {
  if (auto entry = sessions_.terminals().find(caller_.reach, terminal_id_))
    sessions_.closer().start_close(**entry, session::CloseReason::user_requested);
  co_return;
}

}  // namespace http
