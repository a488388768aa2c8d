// The native protocol's requests about terminals and sessions.

#include "http/native_client.h"
#include "operation/describe.h"

namespace http {

namespace asio = boost::asio;
namespace native = wire::native;
using asio::awaitable;
using operation::Target;

namespace {

constexpr vt::Size kFallback{.cols = 80, .rows = 24};

terminal::Role role_of(native::Role role) {
  return role == native::Role::view ? terminal::Role::view : terminal::Role::control;
}

base::Error lossless_and_hidden() {
  return {.code = base::Code::invalid_argument,
          .what = "a lossless viewer cannot be hidden",
          .advice = "Attach without `lossless`, or detach."};
}

std::uint32_t rgb(const native::Colour& colour) {
  return static_cast<std::uint32_t>(colour.red) << 16 |
         static_cast<std::uint32_t>(colour.green) << 8 | colour.blue;
}

}  // namespace

awaitable<void> NativeClient::handle(Id id, native::List request) {
  const auto infos = co_await operations_.terminals().list(caller_, std::move(request.session));
  if (!infos) co_return refuse(infos.error(), id);
  send(native::terminals(id, *infos));
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
  const auto made = co_await operations_.terminals().create(caller_, std::move(spec));
  if (!made) co_return refuse(made.error(), id);
  send(native::created(id, *made));
}

awaitable<void> NativeClient::handle(Id id, native::Restore request) {
  const auto restored = co_await operations_.terminals().restore(
      caller_, Target::exactly(std::move(request.terminal_id)), request.rows, request.cols);
  if (!restored) co_return refuse(restored.error(), id);
  send(native::created(id, *restored));
}

awaitable<void> NativeClient::handle(Id id, native::Attach request) {
  auto entry = sessions_.terminals().find(caller_.reach, request.terminal_id);
  if (!entry) {
    refuse(entry.error(), id);
    co_return;
  }
  if (auto allowed = may_attach(); !allowed) co_return refuse(allowed.error(), id);
  // The credential limits the role, whatever was requested.
  if (!caller_.may_change()) request.role = native::Role::view;
  if (request.role == native::Role::view && (request.takeover || request.lossless))
    co_return refuse({.code = base::Code::permission_denied,
                      .what = "a view-only viewer cannot take over or be lossless",
                      .advice = "Attach with the role `control`."},
                     id);
  if (request.hidden && request.lossless) co_return refuse(lossless_and_hidden(), id);
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
  options.hidden = request.hidden;
  options.marks = request.marks;
  Attachment& attachment = attach(**entry, options);
  if (request.takeover)
    terminal.audience().let_go_all(terminal::Detached::takeover, attachment.viewer.get());
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
                             .hidden = request.hidden,
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

awaitable<void> NativeClient::handle(Id id, native::Hide request) {
  Attachment* const attachment = channel(request.channel, id);
  if (attachment == nullptr) co_return;
  if (attachment->viewer->loss() == terminal::Loss::never)
    co_return refuse(lossless_and_hidden(), id);
  attachment->viewer->hide();
}

awaitable<void> NativeClient::handle(Id id, native::Show request) {
  if (Attachment* attachment = channel(request.channel, id)) attachment->viewer->show();
  co_return;
}

awaitable<void> NativeClient::handle(Id id, native::ChangeRole request) {
  if (auto allowed = caller_.may_change(); !allowed && request.role == native::Role::control)
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
  const auto renamed = operations_.terminals().rename(caller_, Target::exactly(request.terminal_id),
                                                      std::move(request.name));
  if (!renamed) co_return refuse(renamed.error(), id);
  send(native::renamed(id, renamed->terminal_id, renamed->name.value_or("")));
}

awaitable<void> NativeClient::handle(Id id, native::Reorder request) {
  const auto order =
      co_await operations_.terminals().reorder(caller_, std::move(request.terminal_ids));
  if (!order) co_return refuse(order.error(), id);
  send(native::reordered(id, *order));
}

// Ending a program may take a while; other requests do not wait for it.
awaitable<void> NativeClient::handle(Id id, native::Close request) {
  tasks_.spawn([this, id, target = Target::exactly(request.terminal_id)]() -> awaitable<void> {
    const auto closed = co_await operations_.terminals().close(caller_, target);
    if (!closed) co_return refuse(closed.error(), id);
    send(
        native::closed(id, closed->id.str(), wire::CloseReason::user_requested, closed->exit_code));
  });
  co_return;
}

awaitable<void> NativeClient::handle(Id id, native::Send request) {
  operation::SendRequest input;
  input.enter = request.enter;
  input.key = request.idempotency_key.value_or("");
  input.lease = request.lease.value_or("");
  if (request.text) input.input = operation::Text{*std::move(request.text)};
  if (request.paste) input.input = operation::Paste{*std::move(request.paste)};
  if (!request.keys.empty()) input.input = operation::Keys{std::move(request.keys)};
  if (request.if_idle) input.if_idle = std::chrono::milliseconds(*request.if_idle);
  const auto offset = operations_.input().send(caller_, request.terminal_id, input);
  if (!offset) co_return refuse(offset.error(), id);
  send(native::sent(id, request.terminal_id, *offset));
}

awaitable<void> NativeClient::handle(Id id, native::TakeLease request) {
  operation::LeaseRequest wanted;
  if (request.seconds) wanted.time = std::chrono::seconds(*request.seconds);
  if (request.holder) wanted.holder = *std::move(request.holder);
  wanted.lease = request.lease.value_or("");
  const auto lease = operations_.input().lease(caller_, request.terminal_id, wanted);
  if (!lease) co_return refuse(lease.error(), id);
  send(native::leased(id, request.terminal_id, lease->id, lease->holder, lease->until));
}

awaitable<void> NativeClient::handle(Id id, native::ReleaseLease request) {
  const auto released = operations_.input().release(caller_, request.terminal_id, request.lease);
  if (!released) co_return refuse(released.error(), id);
  send(native::released(id, request.terminal_id, request.lease));
}

awaitable<void> NativeClient::handle(Id id, native::CommandsOf request) {
  operation::CommandsRequest wanted{.since = request.since};
  if (request.limit) wanted.limit = *request.limit;
  const auto list =
      co_await operations_.commands().list(caller_, Target::exactly(request.terminal_id), wanted);
  if (!list) co_return refuse(list.error(), id);
  send(native::commands_of(id, request.terminal_id, operation::describe(*list)));
}

awaitable<void> NativeClient::handle(Id id, native::ListNotices) {
  send(native::notices(id, operations_.events().notices(caller_.reach)));
  co_return;
}

// One that is gone meanwhile is no error: the client is told of that anyway.
awaitable<void> NativeClient::handle(Id, native::ShowOverview request) {
  std::vector<const session::TerminalEntry*> shown;
  for (const std::string& id : request.terminal_ids)
    if (const auto entry = sessions_.terminals().find(caller_.reach, id)) shown.push_back(*entry);
  overview_.show(shown);
  co_return;
}

awaitable<void> NativeClient::handle(Id id, native::Ping) {
  send(native::pong(id));
  co_return;
}

awaitable<void> NativeClient::handle(Id id, native::ListSessions) {
  send(native::sessions(id, operations_.sessions().list(caller_)));
  co_return;
}

awaitable<void> NativeClient::handle(Id id, native::CreateSession request) {
  operation::NewSession wanted{.name = std::move(request.name),
                               .work_dir = request.work_dir.value_or("")};
  if (request.kind == native::SessionKind::background)
    wanted.kind = session::SessionKind::background;
  wanted.isolation = request.isolation.transform([](native::Isolation isolation) {
    return isolation == native::Isolation::process ? session::Isolation::process
                                                   : session::Isolation::thread;
  });
  const auto made = operations_.sessions().create(caller_, wanted);
  if (!made) co_return refuse(made.error(), id);
  send(native::session_created(id, *made));
}

awaitable<void> NativeClient::handle(Id id, native::RenameSession request) {
  const auto renamed = operations_.sessions().rename(caller_, request.name, request.new_name);
  if (!renamed) co_return refuse(renamed.error(), id);
  send(native::session_renamed(id, request.name, request.new_name));
}

awaitable<void> NativeClient::handle(Id id, native::CloseSession request) {
  tasks_.spawn([this, id, name = request.name]() -> awaitable<void> {
    const auto closed = co_await operations_.sessions().close(caller_, name);
    if (!closed) co_return refuse(closed.error(), id);
    send(native::session_closed(id, name));
  });
  co_return;
}

awaitable<void> NativeClient::handle(Id id, native::ListPreferences request) {
  const auto list = operations_.preferences().list(caller_, request.session);
  if (!list) co_return refuse(list.error(), id);
  send(native::preferences(id, request.session, *list));
}

awaitable<void> NativeClient::handle(Id id, native::SetPreference request) {
  operation::SetPreference wanted{.session = request.session,
                                  .name = std::move(request.name),
                                  .value = std::move(request.value),
                                  .revision = request.revision};
  const auto kept = operations_.preferences().set(caller_, wanted);
  if (!kept) co_return refuse(kept.error(), id);
  send(native::preference_set(id, request.session, *kept));
}

}  // namespace http
