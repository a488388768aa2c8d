#include "http/compatible_client.h"

#include <algorithm>
#include <limits>
#include <span>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace http {

namespace asio = boost::asio;
namespace compatible = wire::compatible;
using asio::awaitable;
using operation::Target;

namespace {

// What clients report before they know their size.
constexpr vt::Size kFallback{.cols = 80, .rows = 24};
// How long such a client has to lay out its page and report its size.
constexpr std::chrono::milliseconds kLayout{300};
constexpr std::size_t kSlice = 64 * 1024;
constexpr std::size_t kKeptCapacity = 256 * 1024;
constexpr std::size_t kWhole = std::numeric_limits<std::size_t>::max();

// The requests that a view-only credential may make.
template <class Request>
constexpr bool kViewOnly = std::is_same_v<Request, compatible::ListSessions> ||
                           std::is_same_v<Request, compatible::ReattachSession> ||
                           std::is_same_v<Request, compatible::Ping>;

vt::Size size_or(const std::optional<std::uint16_t>& rows, const std::optional<std::uint16_t>& cols,
                 vt::Size otherwise) {
  return {.cols = cols.value_or(static_cast<std::uint16_t>(otherwise.cols)),
          .rows = rows.value_or(static_cast<std::uint16_t>(otherwise.rows))};
}

// Clients compute some small size for a terminal that is not visible.
bool is_cramped(vt::Size size) {
  return size.cols <= 20 && size.rows <= 10;
}

std::optional<std::string> if_any(std::string text) {
  return text.empty() ? std::nullopt : std::optional(std::move(text));
}

compatible::Opened opened(const session::TerminalEntry& entry) {
  return {.session_id = entry.id.str(),
          .working_directory = if_any(entry.terminal->working_directory()),
          .shell = entry.command.front()};
}

std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text));
}

}  // namespace

awaitable<void> CompatibleClient::handle(Message message) {
  if (message.kind != MessageKind::text) {
    refuse(compatible::kInvalidMessage, "messages must be text frames");
    co_return;
  }
  auto request = compatible::parse(message.data);
  if (!request) {
    send(compatible::error(request.error()));
    co_return;
  }
  auto handled = std::visit(
      [this](auto& each) -> awaitable<void> {
        if (!kViewOnly<std::decay_t<decltype(each)>> && !caller_.may_change())
          return not_authorized();
        return handle(std::move(each));
      },
      *request);
  co_await std::move(handled);
}

awaitable<void> CompatibleClient::not_authorized() {
  refuse(compatible::kNotAuthorized, "this credential is view-only");
  co_return;
}

// --- errors ---

void CompatibleClient::refuse(std::string_view error, std::string details,
                              std::optional<std::string> id, compatible::Naming naming) {
  send(compatible::error({.error = std::string(error),
                          .details = std::move(details),
                          .session_id = std::move(id),
                          .naming = naming}));
}

void CompatibleClient::refuse(const base::Error& error, const std::string& id,
                              compatible::Naming naming) {
  switch (error.code) {
    case base::Code::not_found:
      return refuse(compatible::kSessionNotFound, "", id, naming);
    case base::Code::permission_denied:
      return refuse(compatible::kNotAuthorized, "", id, naming);
    case base::Code::already_exists:
      return refuse(compatible::kSessionExists, "", id, naming);
    case base::Code::too_large:
      return refuse(compatible::kInputRefused, error.message(), id, naming);
    default:
      return refuse(compatible::kUnavailable, error.message(), id, naming);
  }
}

// This protocol has no restorable terminals.
bool CompatibleClient::is_there(const std::string& id) {
  const auto entry = sessions_.terminals().find(caller_.reach, id);
  if (!entry) refuse(entry.error(), id);
  return entry.has_value();
}

session::TerminalEntry* CompatibleClient::running(const std::string& id,
                                                  compatible::Naming naming) {
  auto entry = sessions_.terminals().find(caller_.reach, id);
  if (!entry) {
    refuse(entry.error(), id, naming);
    return nullptr;
  }
  if ((*entry)->exit_code) {
    refuse(compatible::kSessionExited, std::to_string(*(*entry)->exit_code), id, naming);
    return nullptr;
  }
  return *entry;
}

std::optional<std::string> CompatibleClient::addressed(const std::optional<std::string>& id) {
  if (id) return id;
  if (attachments_.size() == 1) return attachments_.front().terminal_id;
  refuse(compatible::kSessionIdRequired,
         std::to_string(attachments_.size()) + " sessions are attached");
  return std::nullopt;
}

std::string CompatibleClient::too_many_messages(const std::string& limit) const {
  return compatible::error(
      {.error = std::string(compatible::kTooManyMessages), .details = limit, .session_id = {}});
}

// --- requests ---

// This protocol has no other way to create a session.
base::Status CompatibleClient::ensure_session() {
  if (!session_ || sessions_.names().find_or_default(caller_.reach, *session_)) return {};
  const auto made = operations_.sessions().create(caller_, {.name = *session_});
  if (!made) return base::fail(made.error());
  return {};
}

void CompatibleClient::cannot_create(const base::Error& error, const std::string& id) {
  if (error.code == base::Code::already_exists)
    refuse(error, id);
  else if (error.code == base::Code::too_large)
    refuse(compatible::kTooManySessions, error.message(), id);
  else
    refuse(compatible::kCannotCreate, error.message(), id);
}

awaitable<void> CompatibleClient::handle(compatible::CreateSession request) {
  const vt::Size size = size_or(request.rows, request.cols, kFallback);
  session::TerminalSpec spec;
  spec.id = session::TerminalId(request.session_id);
  spec.size = size;
  spec.name = std::move(request.name);
  spec.work_dir = request.work_dir.value_or("");
  spec.session = session_.value_or(sessions_.names().home(caller_.reach));
  if (recreates_)
    spec.replaces = sessions_.launcher().left_behind(caller_.reach, spec.session,
                                                     request.session_id, spec.name);
  if (auto there = ensure_session(); !there)
    co_return cannot_create(there.error(), request.session_id);
  const auto made = co_await operations_.terminals().create(caller_, std::move(spec));
  if (!made) co_return cannot_create(made.error(), request.session_id);
  const auto entry = sessions_.terminals().find(caller_.reach, made->terminal_id);
  if (!entry) co_return refuse(entry.error(), request.session_id);
  send(compatible::session_created(opened(**entry)));
  terminal::ViewerOptions options;
  options.size = size;
  options.sizing = terminal::Sizing::own;
  options.since = 0;  // Show a new terminal from its first byte.
  attach(**entry, options);
}

awaitable<void> CompatibleClient::handle(compatible::ListSessions) {
  auto terminals = co_await operations_.terminals().list(caller_, session_);
  // A session that is not there yet has no terminals.
  if (!terminals && terminals.error().code != base::Code::not_found)
    co_return refuse(compatible::kUnavailable, terminals.error().message());
  std::vector<compatible::SessionInfo> infos;
  if (terminals)
    for (operation::TerminalInfo& terminal : *terminals)
      if (terminal.status != wire::Status::restorable)
        infos.push_back({.session_id = std::move(terminal.terminal_id),
                         .name = std::move(terminal.name),
                         .status = terminal.status,
                         .created_at = terminal.created_at,
                         .last_activity_at = terminal.last_activity_at,
                         .working_directory = std::move(terminal.working_directory),
                         .exit_code = terminal.exit_code});
  recreates_ = std::ranges::none_of(
      infos, [](const auto& info) { return info.status == wire::Status::running; });
  send(compatible::session_list(infos));
}

awaitable<void> CompatibleClient::handle(compatible::ReattachSession request) {
  session::TerminalEntry* entry = running(request.session_id);
  if (entry == nullptr) co_return;
  if (request.takeover && !caller_.may_change()) co_return co_await not_authorized();
  const vt::Size now = entry->terminal->screen().size();
  const vt::Size size = size_or(request.rows, request.cols, now);
  if (size == kFallback && size != now)
    await_size(std::move(request));
  else
    reattach(*entry, request, size, is_cramped(size) ? Counts::if_typed : Counts::now);
}

// A page that was just opened reattaches before it is laid out, and reports 24x80 for every
// terminal. If we believed it, each program would redraw twice, and the snapshot would be for a
// size that is out of date when it arrives.
void CompatibleClient::await_size(compatible::ReattachSession request) {
  const std::string id = request.session_id;
  auto timer = std::make_shared<asio::steady_timer>(executor_, kLayout);
  if (const auto old = unsized_.find(id); old != unsized_.end()) old->second.timer->cancel();
  unsized_.insert_or_assign(id, Unsized{.request = std::move(request), .timer = timer});
  tasks_.spawn([this, id, timer]() -> awaitable<void> {
    const auto [error] = co_await timer->async_wait(asio::as_tuple(asio::use_awaitable));
    if (!error) size_is_known(id, kFallback, Counts::if_typed);
  });
}

void CompatibleClient::size_is_known(const std::string& id, vt::Size size, Counts counts) {
  const auto waiting = unsized_.extract(id);
  if (waiting.empty()) return;
  waiting.mapped().timer->cancel();
  if (session::TerminalEntry* entry = running(id))
    reattach(*entry, waiting.mapped().request, size, counts);
}

void CompatibleClient::reattach(session::TerminalEntry& entry,
                                const compatible::ReattachSession& request, vt::Size size,
                                Counts counts) {
  if (Attachment* old = attachment_of(request.session_id)) Client::detach(*old);
  terminal::ViewerOptions options;
  if (!caller_.may_change()) options.role = terminal::Role::view;
  if (counts == Counts::now) options.size = size;
  options.sizing = terminal::Sizing::own;
  options.since = request.since;
  send(compatible::session_reattached(opened(entry)));
  Attachment& attachment = attach(entry, options);
  attachment.scrollback_due = true;
  if (counts == Counts::if_typed) attachment.size_if_typed = size;
  if (request.takeover)
    entry.terminal->audience().let_go_all(terminal::Detached::takeover, attachment.viewer.get());
}

awaitable<void> CompatibleClient::handle(compatible::Input request) {
  const auto id = addressed(request.session_id);
  if (!id) co_return;
  size_is_known(*id, kFallback, Counts::if_typed);
  session::TerminalEntry* entry = running(*id, kGoesOn);
  if (entry == nullptr) co_return;
  if (Attachment* attachment = attachment_of(*id)) typed(*attachment, request.data);
  audit(*entry, "typed");  // Typing does not require an attachment.
  if (auto written = counted(entry->terminal->typing().write(request.data)); !written)
    refuse(written.error(), *id, kGoesOn);
}

void CompatibleClient::typed(Attachment& attachment, std::string_view data) {
  if (terminal::is_focus_report(data)) return;
  if (const auto size = std::exchange(attachment.size_if_typed, std::nullopt))
    attachment.viewer->resize(*size);
  else
    attachment.viewer->became_active();
}

// Pages report sizes for all their terminals whenever they draw, including terminals that have
// exited or are no longer theirs. That is not an error.
awaitable<void> CompatibleClient::handle(compatible::Resize request) {
  const auto id = addressed(request.session_id);
  if (!id) co_return;
  const auto entry = sessions_.terminals().find(caller_.reach, *id);
  if (!entry || (*entry)->exit_code) co_return;
  const vt::Size size = size_or(request.rows, request.cols, kFallback);
  const bool cramped = is_cramped(size);
  size_is_known(*id, size, cramped ? Counts::if_typed : Counts::now);
  Attachment* attachment = attachment_of(*id);
  if (attachment == nullptr) {
    if (!cramped) (*entry)->terminal->resize(size);
  } else if (cramped) {
    attachment->size_if_typed = size;
    attachment->viewer->out_of_sight();
  } else {
    attachment->size_if_typed.reset();
    attachment->viewer->resize(size);
  }
}

awaitable<void> CompatibleClient::handle(compatible::RenameSession request) {
  if (!is_there(request.session_id)) co_return;
  const auto renamed =
      operations_.terminals().rename(caller_, Target::exactly(request.session_id), request.name);
  if (!renamed) co_return refuse(renamed.error(), request.session_id);
  send(compatible::session_renamed(renamed->terminal_id, renamed->name.value_or("")));
}

// Ending a program may take a while; other requests do not wait for it.
awaitable<void> CompatibleClient::handle(compatible::CloseSession request) {
  if (!is_there(request.session_id)) co_return;
  tasks_.spawn([this, id = request.session_id]() -> awaitable<void> {
    const auto closed = co_await operations_.terminals().close(caller_, Target::exactly(id));
    if (!closed) co_return refuse(closed.error(), id);
    detached_.erase(closed->id.str());
    send(compatible::session_closed(closed->id.str(), wire::CloseReason::user_requested,
                                    closed->exit_code));
  });
  co_return;
}

awaitable<void> CompatibleClient::handle(compatible::Ping request) {
  send(compatible::pong(request.session_id));
  co_return;
}

// --- what is sent ---

Client::Taken CompatibleClient::take(Attachment& attachment, std::string& out, MessageKind&) {
  using Kind = terminal::Slice::Kind;
  for (;;) {
    if (scratch_.capacity() > kKeptCapacity) scratch_ = {};
    scratch_.clear();
    // Missed output goes into a single message.
    const auto slice =
        attachment.viewer->next(scratch_, attachment.scrollback_due ? kWhole : kSlice);
    if (!slice && attachment.viewer->waits_for_snapshot()) return Taken::nothing;
    if (attachment.scrollback_due && (!slice || slice->kind != Kind::resized)) {
      // Even if nothing was missed: exactly one follows each reattach.
      attachment.scrollback_due = false;
      compatible::append_scrollback(
          out, attachment.terminal_id, bytes_of(scratch_), attachment.viewer->offset(),
          slice && slice->kind == Kind::snapshot ? compatible::Replay::snapshot
                                                 : compatible::Replay::resumed);
      if (!slice || slice->kind != Kind::exited) return Taken::message;
    }
    if (!slice) return Taken::nothing;
    if (slice->kind == Kind::resized) continue;
    if (slice->kind == Kind::exited) {
      send(compatible::session_closed(attachment.terminal_id, wire::CloseReason::process_exit,
                                      terminal::exit_code(*attachment.viewer->terminal().exit())));
      Client::detach(attachment);
      return Taken::last;
    }
    compatible::append_output(out, attachment.terminal_id, bytes_of(scratch_), slice->offset);
    return Taken::message;
  }
}

void CompatibleClient::detached(Attachment& attachment, terminal::Detached why) {
  if (why == terminal::Detached::takeover)
    send(compatible::session_detached(attachment.terminal_id));
  else
    detached_.insert(attachment.terminal_id);
  Client::detach(attachment);
}

void CompatibleClient::terminal_renamed(const session::TerminalEntry& entry) {
  if (attachment_of(entry.id.str()) != nullptr)
    send(compatible::session_renamed(entry.id.str(), entry.name.value_or("")));
}

// The terminal was lost with its keeper. If the client learned that, it would forget the terminal
// and its name. A client that loses its connection lists the terminals and creates its own again.
void CompatibleClient::terminal_restorable(const session::TerminalEntry& entry) {
  if (detached_.erase(entry.id.str()) > 0) end_when_sent(CloseCode::restart);
}

void CompatibleClient::terminal_closed(const session::TerminalEntry& entry,
                                       session::CloseReason reason) {
  if (detached_.erase(entry.id.str()) > 0)
    send(compatible::session_closed(entry.id.str(), wire_reason(reason), entry.exit_code));
}

}  // namespace http
