// The native protocol's extension messages.

#include <boost/json/serialize.hpp>

#include "http/described_tools.h"
#include "http/native_client.h"
#include "operation/describe.h"

namespace http {

namespace asio = boost::asio;
namespace json = boost::json;
namespace native = wire::native;
using asio::awaitable;

namespace {

std::vector<native::CommandInfo> described(const std::vector<extension::CommandInfo>& commands) {
  std::vector<native::CommandInfo> infos;
  for (const extension::CommandInfo& each : commands)
    infos.push_back(
        {.name = each.name, .extension = each.extension, .description = each.description});
  return infos;
}

const char* kind_of(extension::QuestionKind kind) {
  switch (kind) {
    case extension::QuestionKind::confirm:
      return "confirm";
    case extension::QuestionKind::select:
      return "select";
    case extension::QuestionKind::input:
      break;
  }
  return "input";
}

}  // namespace

NativeClient::NativeClient(asio::any_io_executor executor, std::unique_ptr<WebSocket> socket,
                           session::Sessions& sessions, operation::Operations& operations,
                           User user, extension::Extensions& extensions)
    : Client(executor, std::move(socket), sessions, operations, std::move(user)),
      extensions_(extensions),
      waiting_(executor),
      overview_(executor, [this] { has_more(); }) {}

NativeClient::~NativeClient() {
  extensions_.hide(*this);
  extensions_.agents().leave(*this);
}

// Requests in progress continue, but nothing waits for their answers.
awaitable<void> NativeClient::finish() {
  extensions_.hide(*this);
  extensions_.agents().leave(*this);
  overview_.show({});
  waiting_.cancel();
  co_await waiting_.join();
}

std::optional<session::SessionRow> NativeClient::session_of(const std::string& name, const Id& id) {
  auto session = operations_.extensions().session(caller_, name);
  if (session) return *session;
  refuse(session.error(), id);
  return std::nullopt;
}

// Progress may arrive when the client is gone.
extension::Call NativeClient::begin_call(const Id& id) {
  if (!id) return operations_.extensions().begin(caller_);
  auto call = operations_.extensions().begin(
      caller_, [id = *id, self = std::weak_ptr(self_)](std::string_view text) {
        if (const auto client = self.lock()) (*client)->send(native::progress(id, text));
      });
  calls_[id->json] = call.id;
  return call;
}

// --- requests ---

awaitable<void> NativeClient::handle(Id id, native::SwitchSession request) {
  const auto from = session_of(request.from, id);
  if (!from) co_return;
  waiting_.spawn([this, id, from = *from, to = request.to]() -> awaitable<void> {
    auto switched = co_await extensions_.switch_session(from, to, caller_.reach.scope);
    if (switched)
      send(native::session_switched(id, from.name, to));
    else
      refuse(switched.error(), id);
  });
}

awaitable<void> NativeClient::handle(Id id, native::ListCommands request) {
  if (const auto session = session_of(request.session, id)) {
    send(native::commands(id, session->name, described(extensions_.commands(*session))));
    // A view-only client gets no questions.
    if (caller_.may_change()) extensions_.show(*this, *session);
  }
  co_return;
}

awaitable<void> NativeClient::handle(Id id, native::Run request) {
  const auto session = session_of(request.session, id);
  if (!session) co_return;
  waiting_.spawn([this, id, session = session->name, line = request.line,
                  call = begin_call(id)]() -> awaitable<void> {
    auto outcome = co_await operations_.extensions().run(caller_, session, line, call);
    if (id) calls_.erase(id->json);
    native::Result result;
    if (outcome)
      result = {.text = std::move(outcome->text),
                .error = {},
                .exit_code = outcome->exit_code,
                .session = std::move(outcome->session)};
    else
      result.error = outcome.error().message();
    send(native::result(id, result));
  });
}

awaitable<void> NativeClient::handle(Id id, native::ListTools request) {
  const auto tools = operations_.extensions().tools(caller_, request.session);
  if (!tools) co_return refuse(tools.error(), id);
  send(native::tools(id, request.session, described_tools(*tools)));
}

awaitable<void> NativeClient::handle(Id id, native::CallTool request) {
  const auto session = session_of(request.session, id);
  if (!session) co_return;
  waiting_.spawn(
      [this, id, request = std::move(request), call = begin_call(id)]() -> awaitable<void> {
        auto result = co_await operations_.extensions().call_tool(
            caller_, request.session, request.name, request.arguments, call);
        if (id) calls_.erase(id->json);
        if (result)
          send(native::tool_result(id, json::serialize(*result)));
        else
          refuse(result.error(), id);
      });
}

awaitable<void> NativeClient::handle(Id, native::Cancel request) {
  if (const auto call = calls_.find(request.which.json); call != calls_.end())
    extensions_.cancel(call->second);
  searches_.erase(request.which.json);
  co_return;
}

// A late or second answer changes nothing.
awaitable<void> NativeClient::handle(Id, native::AnswerQuestion request) {
  (void)extensions_.answer(caller_.reach, request.id, std::move(request.value));
  co_return;
}

awaitable<void> NativeClient::handle(Id id, native::ListResources request) {
  const auto resources = operations_.extensions().resources(caller_, request.session);
  if (!resources) co_return refuse(resources.error(), id);
  send(native::resources(id, request.session, *resources));
}

awaitable<void> NativeClient::handle(Id id, native::CloseResource request) {
  tasks_.spawn([this, id, request = std::move(request)]() -> awaitable<void> {
    auto closed = co_await operations_.extensions().close_resource(caller_, request.session,
                                                                   request.extension, request.key);
    if (closed)
      send(native::resource_closed(id, request.session, request.extension, request.key));
    else
      refuse(closed.error(), id);
  });
  co_return;
}

// --- what extensions show ---

void NativeClient::show_commands(const std::string& session,
                                 const std::vector<extension::CommandInfo>& commands) {
  send(native::commands({}, session, described(commands)));
}

void NativeClient::show_notification(const std::string& session, const std::string& level,
                                     const std::string& text) {
  send(native::notify(session, level, text));
}

void NativeClient::show_question(const std::string& session,
                                 const extension::QuestionInfo& question) {
  send(native::ui_request({.session = session,
                           .id = question.id,
                           .extension = question.extension,
                           .kind = kind_of(question.kind),
                           .title = question.title,
                           .message = question.message,
                           .options = question.options,
                           .placeholder = question.placeholder,
                           .timeout_ms = question.timeout.count()}));
}

void NativeClient::hide_question(const std::string& id) {
  send(native::ui_closed(id));
}

void NativeClient::show_status(const std::string& session, const std::string& key,
                               const std::optional<std::string>& text) {
  send(native::status(session, key, text));
}

}  // namespace http
