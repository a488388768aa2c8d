// The native protocol's requests about terminals and sessions.

#include "http/native_client.h"
#include "operation/describe.h"

namespace http {

namespace asio = boost::asio;
namespace native = wire::native;
using asio::awaitable;

namespace {

constexpr vt::Size kFallback{.cols = 80, .rows = 24};

terminal::Role role_of(native::Role role) {
  return role == native::Role::view ? terminal::Role::view : terminal::Role::control;
}

std::uint32_t rgb(const native::Colour& colour) {
  return static_cast<std::uint32_t>(colour.red) << 16 |
         static_cast<std::uint32_t>(colour.green) << 8 | colour.blue;
}

}  // namespace

awaitable<void> NativeClient::handle(Id id, native::List request) {
  if (request.session)
    if (auto known = sessions_.names().find_or_default(user_.id, *request.session); !known) {
      refuse(known.error(), id);
      co_return;
    }
  const auto doings = co_await sessions_.terminals().doings(user_.id, request.session);
  // No awaits from here on: the answer must not be older than the events sent before it.
  std::vector<native::TerminalInfo> infos;
  for (const session::TerminalEntry* entry : sessions_.terminals().listed(user_.id))
    if (!request.session || *request.session == entry->session.name)
      infos.push_back(operation::describe(*entry, doings));
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
  auto entry = co_await sessions_.launcher().create(user_.id, std::move(spec));
  if (entry)
    send(native::created(id, operation::describe(**entry)));
  else
    refuse(entry.error(), id);
}

awaitable<void> NativeClient::handle(Id id, native::Restore request) {
  auto entry = co_await sessions_.launcher().restore(user_.id, std::move(request.terminal_id),
                                                     request.rows, request.cols, this, permit_);
  if (entry)
    send(native::created(id, operation::describe(**entry)));
  else
    refuse(entry.error(), id);
}

awaitable<void> NativeClient::handle(Id id, native::Attach request) {
  auto entry = sessions_.terminals().find(user_.id, request.terminal_id);
  if (!entry) {
    refuse(entry.error(), id);
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
  terminal::Terminal& terminal = *(*entry)->terminal;
  terminal::ViewerOptions options;
  options.role = role_of(request.role);
  options.loss = request.lossless ? terminal::Loss::never : terminal::Loss::resync;
  const vt::Size now = terminal.screen().size();
  if (request.rows || request.cols)
    options.size = vt::Size{.cols = request.cols.value_or(operation::narrow(now.cols)),
                            .rows = request.rows.value_or(operation::narrow(now.rows))};
  options.since = request.since;
  options.window = request.window;
  Attachment& attachment = attach(**entry, options);
  if (request.takeover)
    terminal.detach_viewers(terminal::Detached::takeover, attachment.viewer.get());
  const native::TerminalInfo info = operation::describe(**entry);
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
  send(native::reordered(id, operation::ids_of(sessions_.terminals().listed(user_.id))));
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
    infos.push_back(operation::describe(row, living, restorable));
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

}  // namespace http
