#include "http/native_client.h"

#include <cstring>
#include <span>

#include "base/version.h"
#include "operation/describe.h"
#include "session/row_values.h"

namespace http {

namespace asio = boost::asio;
namespace native = wire::native;
using asio::awaitable;

namespace {

constexpr std::size_t kSlice = 64 * 1024;

// The requests that a view-only credential may make. All others are refused.
template <class Operation>
constexpr bool kViewOnly =
    std::is_same_v<Operation, native::List> || std::is_same_v<Operation, native::Attach> ||
    std::is_same_v<Operation, native::Detach> || std::is_same_v<Operation, native::Resize> ||
    std::is_same_v<Operation, native::Focus> || std::is_same_v<Operation, native::Hide> ||
    std::is_same_v<Operation, native::Show> || std::is_same_v<Operation, native::ChangeRole> ||
    std::is_same_v<Operation, native::Theme> || std::is_same_v<Operation, native::Ping> ||
    std::is_same_v<Operation, native::ListSessions> ||
    std::is_same_v<Operation, native::CommandsOf> || std::is_same_v<Operation, native::Search> ||
    std::is_same_v<Operation, native::CommandOutputOf> ||
    std::is_same_v<Operation, native::Cancel> || std::is_same_v<Operation, native::ListCommands> ||
    std::is_same_v<Operation, native::ListNotices> ||
    std::is_same_v<Operation, native::ShowOverview> ||
    std::is_same_v<Operation, native::ListTools> ||
    std::is_same_v<Operation, native::ListResources> ||
    std::is_same_v<Operation, native::ListPreferences>;

}  // namespace

awaitable<void> NativeClient::begin() {
  native::Welcome welcome{.version = std::string(base::version()),
                          .user = user_.name,
                          .session = sessions_.names().home(caller_.reach)};
  if (!caller_.may_change()) welcome.access = session::to_string(session::Access::view);
  if (caller_.reach.scope.bounds)
    welcome.bounds = caller_.reach.may_create_terminals() ? "sessions" : "terminals";
  send(native::welcome(welcome));
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
          if (auto allowed = caller_.may_change(); !allowed)
            return refused(allowed.error(), request->id);
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
  if (auto written = counted(attachment.viewer->terminal().typing().write(bytes)); !written)
    refuse(written.error(), {});
}

void NativeClient::paste(Attachment& attachment, std::string_view piece, std::uint64_t following) {
  if (!may_type(attachment)) return;
  const auto text = paste_.add(attachment.channel, piece, following);
  if (!text) return refuse(text.error(), {});
  if (!*text) return;
  terminal::Terminal& terminal = attachment.viewer->terminal();
  const std::string bytes =
      terminal::pasted(**text, terminal.screen().state().modes.bracketed_paste);
  if (auto written = counted(terminal.typing().write(bytes)); !written) refuse(written.error(), {});
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
    out = native::resized(attachment.channel, operation::narrow(slice->size.rows),
                          operation::narrow(slice->size.cols), slice->offset);
    return Taken::message;
  }
  if (slice->kind == Kind::exited) {  // The terminal and its viewer stay.
    out = native::exited(attachment.terminal_id,
                         terminal::exit_code(*attachment.viewer->terminal().exit()));
    return Taken::message;
  }
  if (slice->kind == Kind::marked) {
    out = native::marked(attachment.channel, slice->offset, operation::describe(*slice->command));
    return Taken::message;
  }
  if (slice->kind == Kind::activity) {
    out = native::activity(
        attachment.channel, slice->offset, slice->rang,
        slice->titled ? std::optional(attachment.viewer->terminal().screen().state().titles.title)
                      : std::nullopt);
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

// --- events ---

void NativeClient::terminal_created(const session::TerminalEntry& entry) {
  send(native::created({}, operation::describe(entry)));
}

void NativeClient::terminal_renamed(const session::TerminalEntry& entry) {
  send(native::renamed({}, entry.id.str(), entry.name.value_or("")));
}

void NativeClient::terminals_reordered(const std::vector<const session::TerminalEntry*>& order) {
  send(native::reordered({}, operation::ids_of(order)));
}

void NativeClient::terminal_exited(const session::TerminalEntry& entry) {
  // A viewer reports it after the last output.
  if (attachment_of(entry.id.str()) == nullptr)
    send(native::exited(entry.id.str(), *entry.exit_code));
}

void NativeClient::terminal_closed(const session::TerminalEntry& entry,
                                   session::CloseReason reason) {
  overview_.forget(entry.id.str());
  // Its creation was not announced either.
  if (entry.lifetime == session::Lifetime::connection) return;
  send(native::closed({}, entry.id.str(), wire_reason(reason), entry.exit_code));
}

void NativeClient::terminal_restorable(const session::TerminalEntry& entry) {
  overview_.forget(entry.id.str());
  send(native::restorable(operation::describe(entry)));
}

void NativeClient::terminal_changed(const session::TerminalEntry& entry) {
  send(native::changed(entry.id.str(), operation::describe(entry.terminal->states().state())));
}

void NativeClient::terminal_noticed(const session::TerminalEntry& entry,
                                    const terminal::Notice& notice) {
  send(native::notice(operation::describe(entry, notice)));
}

void NativeClient::session_created(const session::SessionRow& session) {
  send(native::session_created({}, operation::describe(session, 0, 0)));
}

void NativeClient::session_renamed(const session::SessionRow& session,
                                   const std::string& old_name) {
  send(native::session_renamed({}, old_name, session.name));
}

void NativeClient::session_closed(const session::SessionRow& session) {
  send(native::session_closed({}, session.name));
}

void NativeClient::preference_changed(const session::PreferenceRow& preference) {
  std::optional<std::string> session;
  if (preference.session) session = sessions_.names().find_session(*preference.session)->name;
  send(native::preference_set({}, session, operation::describe(preference)));
}

}  // namespace http
