#include "http/native_client.h"

#include <cstring>
#include <span>

#include "base/version.h"
#include "http/native_describe.h"

namespace http {

namespace asio = boost::asio;
namespace native = wire::native;
using asio::awaitable;

namespace {

constexpr vt::Size kFallback{.cols = 80, .rows = 24};
constexpr std::size_t kSlice = 64 * 1024;

std::uint16_t narrow(int side) {
  return static_cast<std::uint16_t>(side);
}

// The requests that a view-only credential may make. All others are refused.
template <class Operation>
constexpr bool kViewOnly =
    std::is_same_v<Operation, native::List> || std::is_same_v<Operation, native::Attach> ||
    std::is_same_v<Operation, native::Detach> || std::is_same_v<Operation, native::Resize> ||
    std::is_same_v<Operation, native::Focus> || std::is_same_v<Operation, native::ChangeRole> ||
    std::is_same_v<Operation, native::Theme> || std::is_same_v<Operation, native::Ping> ||
    std::is_same_v<Operation, native::ListSessions> ||
    std::is_same_v<Operation, native::ListCommands> ||
    std::is_same_v<Operation, native::ListTools> ||
    std::is_same_v<Operation, native::ListResources>;

terminal::Role role_of(native::Role role) {
  return role == native::Role::view ? terminal::Role::view : terminal::Role::control;
}

std::uint32_t rgb(const native::Colour& colour) {
  return static_cast<std::uint32_t>(colour.red) << 16 |
         static_cast<std::uint32_t>(colour.green) << 8 | colour.blue;
}

std::vector<std::string> ids_of(const std::vector<const session::TerminalEntry*>& terminals) {
  std::vector<std::string> ids;
  for (const session::TerminalEntry* held : terminals) ids.push_back(held->id.str());
  return ids;
}

}  // namespace

awaitable<void> NativeClient::begin() {
  send(native::welcome({.version = std::string(base::version()),
                        .user = user_.name,
                        .session = std::string(session::kDefaultSession)}));
  co_return;
}

awaitable<void> NativeClient::handle(Message message) {
  if (message.kind == MessageKind::binary) {
    handle_frame(std::as_bytes(std::span(message.data)));
    co_return;
  }
  auto request = native::parse(message.data);
  if (!request) {
    send(native::error(request.error()));
    co_return;
  }
  auto handled = std::visit(
      [&](auto& operation) -> awaitable<void> {
        if (!kViewOnly<std::decay_t<decltype(operation)>>)
          if (auto allowed = may_change(); !allowed) return refused(allowed.error(), request->id);
        return handle(std::move(request->id), std::move(operation));
      },
      request->operation);
  co_await std::move(handled);
}

awaitable<void> NativeClient::refused(base::Error error, Id id) {
  refuse(error, id);
  co_return;
}

void NativeClient::refuse(const base::Error& error, const Id& id) {
  send(native::error(native::refusal(error, id)));
}

Client::Attachment* NativeClient::channel(std::uint32_t number, const Id& id) {
  Attachment* attachment = attachment_of(number);
  if (attachment == nullptr)
    refuse({.code = base::Code::not_found,
            .what = "there is no channel " + std::to_string(number),
            .advice = {}},
           id);
  return attachment;
}

// --- frames ---

void NativeClient::handle_frame(std::span<const std::byte> bytes) {
  const auto frame = native::parse_client_frame(bytes);
  if (!frame) return send(native::error(frame.error()));
  Attachment* attachment = channel(frame->header.channel, {});
  if (attachment == nullptr) return;
  if (frame->header.kind == native::FrameKind::ack)
    return attachment->viewer->acknowledge(frame->header.offset);
  const std::string_view payload(reinterpret_cast<const char*>(frame->payload.data()),
                                 frame->payload.size());
  if (frame->header.kind == native::FrameKind::paste)
    return paste(*attachment, payload, frame->header.offset);
  type(*attachment, payload);
}

bool NativeClient::may_type(Attachment& attachment) {
  terminal::Viewer& viewer = *attachment.viewer;
  if (viewer.role() == terminal::Role::view) {
    refuse({.code = base::Code::permission_denied,
            .what = "this viewer is view-only",
            .advice = "Ask for the role `control` first."},
           {});
    return false;
  }
  if (viewer.terminal().exit()) {
    refuse({.code = base::Code::unavailable,
            .what = "the terminal's program has exited",
            .advice = {}},
           {});
    return false;
  }
  viewer.became_active();
  return true;
}

void NativeClient::type(Attachment& attachment, std::string_view bytes) {
  if (!may_type(attachment)) return;
  if (auto written = counted(attachment.viewer->terminal().write(bytes)); !written)
    refuse(written.error(), {});
}

void NativeClient::paste(Attachment& attachment, std::string_view piece, std::uint64_t following) {
  if (!may_type(attachment)) return;
  const auto text = paste_.add(attachment.channel, piece, following);
  if (!text) return refuse(text.error(), {});
  if (!*text) return;
  if (auto written = counted(attachment.viewer->terminal().paste(**text)); !written)
    refuse(written.error(), {});
}

Client::Taken NativeClient::take(Attachment& attachment, std::string& out, MessageKind& kind) {
  using Kind = terminal::Slice::Kind;
  out.resize(native::kFrameHeaderSize);
  const auto slice = attachment.viewer->next(out, kSlice);
  if (!slice) {
    out.clear();
    return Taken::nothing;
  }
  if (slice->kind == Kind::resized) {
    out = native::resized(attachment.channel, narrow(slice->size.rows), narrow(slice->size.cols),
                          slice->offset);
    return Taken::message;
  }
  if (slice->kind == Kind::exited) {  // The terminal and its viewer stay.
    out = native::exited(attachment.terminal_id,
                         terminal::exit_code(*attachment.viewer->terminal().exit()));
    return Taken::message;
  }
  kind = MessageKind::binary;
  const auto header =
      native::encode_header({.kind = slice->kind == Kind::snapshot ? native::FrameKind::snapshot
                                                                   : native::FrameKind::output,
                             .channel = attachment.channel,
                             .offset = slice->offset});
  std::memcpy(out.data(), header.data(), header.size());
  return Taken::message;
}

void NativeClient::detached(Attachment& attachment, terminal::Detached why) {
  send(native::detached({}, attachment.channel, attachment.terminal_id,
                        why == terminal::Detached::takeover ? native::DetachReason::takeover
                                                            : native::DetachReason::closed));
  Client::detach(attachment);
}

// --- requests ---

awaitable<void> NativeClient::handle(Id id, native::List request) {
  if (request.session)
    if (auto known = sessions_.names().find_or_default(user_.id, *request.session); !known) {
      refuse(known.error(), id);
      co_return;
    }
  const auto doings = co_await sessions_.terminals().doings(user_.id, request.session);
  // No awaits from here on: the answer must not be older than the events sent before it.
  std::vector<native::TerminalInfo> infos;
  for (const session::TerminalEntry* held : sessions_.terminals().listed(user_.id))
    if (!request.session || *request.session == held->session.name)
      infos.push_back(describe(*held, doings));
  send(native::terminals(id, infos));
}

awaitable<void> NativeClient::handle(Id id, native::Create request) {
  session::TerminalSpec spec;
  if (request.terminal_id) spec.id = session::TerminalId(*request.terminal_id);
  if (request.session) spec.session = *request.session;
  spec.size = {.cols = request.cols.value_or(kFallback.cols),
               .rows = request.rows.value_or(kFallback.rows)};
  spec.name = std::move(request.name);
  spec.work_dir = request.work_dir.value_or("");
  spec.command = std::move(request.command);
  spec.env = std::move(request.env);
  spec.asker = this;
  spec.permit = permit_;
  auto held = co_await sessions_.launcher().create(user_.id, std::move(spec));
  if (held)
    send(native::created(id, describe(**held)));
  else
    refuse(held.error(), id);
}

awaitable<void> NativeClient::handle(Id id, native::Restore request) {
  auto held = co_await sessions_.launcher().restore(user_.id, std::move(request.terminal_id),
                                                    request.rows, request.cols, this, permit_);
  if (held)
    send(native::created(id, describe(**held)));
  else
    refuse(held.error(), id);
}

awaitable<void> NativeClient::handle(Id id, native::Attach request) {
  auto held = sessions_.terminals().find(user_.id, request.terminal_id);
  if (!held) {
    refuse(held.error(), id);
    co_return;
  }
  if (auto allowed = may_attach(); !allowed) co_return refuse(allowed.error(), id);
  // The credential limits the role, whatever was requested.
  if (!may_change()) request.role = native::Role::view;
  if (request.role == native::Role::view && (request.takeover || request.lossless))
    co_return refuse({.code = base::Code::permission_denied,
                      .what = "a view-only viewer cannot take over or be lossless",
                      .advice = "Attach with the role `control`."},
                     id);
  terminal::Terminal& terminal = *(*held)->terminal;
  terminal::ViewerOptions options;
  options.role = role_of(request.role);
  options.loss = request.lossless ? terminal::Loss::never : terminal::Loss::resync;
  const vt::Size now = terminal.screen().size();
  if (request.rows || request.cols)
    options.size = vt::Size{.cols = request.cols.value_or(narrow(now.cols)),
                            .rows = request.rows.value_or(narrow(now.rows))};
  options.since = request.since;
  options.window = request.window;
  Attachment& attachment = attach(**held, options);
  if (request.takeover)
    terminal.detach_viewers(terminal::Detached::takeover, attachment.viewer.get());
  const native::TerminalInfo info = describe(**held);
  send(native::attached(id, {.terminal_id = info.terminal_id,
                             .channel = attachment.channel,
                             .offset = attachment.viewer->offset(),
                             .rows = info.rows,
                             .cols = info.cols,
                             .role = request.role,
                             .lossless = request.lossless,
                             .window = attachment.viewer->window(),
                             .resumed = attachment.viewer->resumed(),
                             .status = info.status,
                             .exit_code = info.exit_code,
                             .working_directory = info.working_directory,
                             .title = info.title}));
}

awaitable<void> NativeClient::handle(Id id, native::Detach request) {
  if (Attachment* attachment = channel(request.channel, id)) {
    send(native::detached(id, attachment->channel, attachment->terminal_id,
                          native::DetachReason::requested));
    Client::detach(*attachment);
  }
  co_return;
}

awaitable<void> NativeClient::handle(Id id, native::Resize request) {
  if (Attachment* attachment = channel(request.channel, id))
    attachment->viewer->resize({.cols = request.cols, .rows = request.rows});
  co_return;
}

awaitable<void> NativeClient::handle(Id id, native::Focus request) {
  if (Attachment* attachment = channel(request.channel, id)) attachment->viewer->became_active();
  co_return;
}

awaitable<void> NativeClient::handle(Id id, native::ChangeRole request) {
  if (auto allowed = may_change(); !allowed && request.role == native::Role::control)
    co_return refuse(allowed.error(), id);
  if (Attachment* attachment = channel(request.channel, id)) {
    attachment->viewer->set_role(role_of(request.role));
    send(native::role(id, request.channel, request.role));
  }
  co_return;
}

awaitable<void> NativeClient::handle(Id, native::Theme request) {
  vt::Theme theme = theme_.value_or(vt::Theme());
  if (request.foreground) theme.foreground = rgb(*request.foreground);
  if (request.background) theme.background = rgb(*request.background);
  if (request.cursor) theme.cursor = rgb(*request.cursor);
  if (request.palette)
    for (std::size_t i = 0; i < theme.ansi.size(); ++i) theme.ansi[i] = rgb((*request.palette)[i]);
  set_theme(theme);
  for (const Attachment& attachment : attachments_) attachment.viewer->set_theme(theme);
  co_return;
}

awaitable<void> NativeClient::handle(Id id, native::Rename request) {
  auto renamed = sessions_.names().rename(user_.id, request.terminal_id, request.name, this);
  if (!renamed) co_return refuse(renamed.error(), id);
  send(native::renamed(id, (*renamed)->id.str(), (*renamed)->name.value_or("")));
}

awaitable<void> NativeClient::handle(Id id, native::Reorder request) {
  auto done = co_await sessions_.names().reorder(user_.id, std::move(request.terminal_ids), this);
  if (!done) co_return refuse(done.error(), id);
  send(native::reordered(id, ids_of(sessions_.terminals().listed(user_.id))));
}

// Ending a program may take a while; other requests do not wait for it.
awaitable<void> NativeClient::handle(Id id, native::Close request) {
  tasks_.spawn([this, id, terminal = request.terminal_id]() -> awaitable<void> {
    const auto reason = session::CloseReason::user_requested;
    auto closed = co_await sessions_.closer().close(user_.id, terminal, reason, this, permit_);
    if (!closed) co_return refuse(closed.error(), id);
    send(native::closed(id, closed->id.str(), wire_reason(reason), closed->exit_code));
  });
  co_return;
}

awaitable<void> NativeClient::handle(Id id, native::Ping) {
  send(native::pong(id));
  co_return;
}

awaitable<void> NativeClient::handle(Id id, native::ListSessions) {
  auto counts = sessions_.terminals().count(user_.id);
  std::vector<native::SessionInfo> infos;
  for (const session::SessionRow& row : sessions_.names().sessions(user_.id)) {
    const auto [living, restorable] = counts[row.id];
    infos.push_back(describe(row, living, restorable));
  }
  send(native::sessions(id, infos));
  co_return;
}

awaitable<void> NativeClient::handle(Id id, native::RenameSession request) {
  auto renamed = sessions_.names().rename_session(user_.id, request.name, request.new_name, this);
  if (!renamed) co_return refuse(renamed.error(), id);
  send(native::session_renamed(id, request.name, request.new_name));
}

awaitable<void> NativeClient::handle(Id id, native::CloseSession request) {
  tasks_.spawn([this, id, name = request.name]() -> awaitable<void> {
    auto closed = co_await sessions_.close_session(user_.id, name, this, permit_);
    if (!closed) co_return refuse(closed.error(), id);
    send(native::session_closed(id, name));
  });
  co_return;
}

// --- events ---

void NativeClient::terminal_created(const session::TerminalEntry& held) {
  send(native::created({}, describe(held)));
}

void NativeClient::terminal_renamed(const session::TerminalEntry& held) {
  send(native::renamed({}, held.id.str(), held.name.value_or("")));
}

void NativeClient::terminals_reordered(const std::vector<const session::TerminalEntry*>& order) {
  send(native::reordered({}, ids_of(order)));
}

void NativeClient::terminal_exited(const session::TerminalEntry& held) {
  // A viewer reports it after the last output.
  if (attachment_of(held.id.str()) == nullptr) send(native::exited(held.id.str(), *held.exit_code));
}

void NativeClient::terminal_closed(const session::TerminalEntry& held,
                                   session::CloseReason reason) {
  // Its creation was not announced either.
  if (held.lifetime == session::Lifetime::connection) return;
  send(native::closed({}, held.id.str(), wire_reason(reason), held.exit_code));
}

void NativeClient::terminal_restorable(const session::TerminalEntry& held) {
  send(native::restorable(describe(held)));
}

void NativeClient::session_created(const session::SessionRow& session) {
  send(native::session_created({}, describe(session, 0, 0)));
}

void NativeClient::session_renamed(const session::SessionRow& session,
                                   const std::string& old_name) {
  send(native::session_renamed({}, old_name, session.name));
}

void NativeClient::session_closed(const session::SessionRow& session) {
  send(native::session_closed({}, session.name));
}

}  // namespace http
