#include "http/api_calls.h"

#include "base/id.h"
#include "base/time_text.h"
#include "operation/describe.h"
#include "wire/json_writer.h"

namespace http::api {

using boost::asio::awaitable;
using operation::Caller;
using operation::Offset;
using operation::Operations;

namespace {

Answer described(const base::Result<operation::TerminalInfo>& terminal) {
  if (!terminal) return base::fail(terminal.error());
  return wire::native::to_json(*terminal);
}

template <class Info>
std::string all_of(std::string_view name, const std::vector<Info>& infos) {
  std::string out = "{\"" + std::string(name) + "\":[";
  for (const Info& info : infos)
    (out += out.ends_with('[') ? "" : ",") += wire::native::to_json(info);
  return out + "]}";
}

std::string_view to_string(operation::Waited::Outcome outcome) {
  using Outcome = operation::Waited::Outcome;
  switch (outcome) {
    case Outcome::matched:
      return "matched";
    case Outcome::prompt:
      return "prompt";
    case Outcome::command_ended:
      return "command_ended";
    case Outcome::exited:
      return "exited";
    case Outcome::quiet:
      return "quiet";
    case Outcome::timed_out:
      return "timed_out";
  }
  return "";
}

Answer last_output(const base::Result<operation::CommandOutput>& output) {
  if (!output) return base::fail(output.error());
  std::string out;
  wire::JsonWriter(out)
      .begin_object()
      .field("offset", output->offset)
      .field("text", output->text)
      .field("missing", output->missing)
      .end_object();
  return out;
}

std::string offset_only(Offset offset) {
  std::string out;
  wire::JsonWriter(out).begin_object().field("offset", offset).end_object();
  return out;
}

std::optional<std::uint16_t> side(const ApiArguments& arguments, std::string_view name) {
  const auto number = arguments.number(name);
  return number ? std::optional(static_cast<std::uint16_t>(*number)) : std::nullopt;
}

base::Error not_a_session_name() {
  return {.code = base::Code::invalid_argument,
          .what = "invalid session name",
          .advice = "Use A-Z a-z 0-9 . _ : - and start with a letter or a digit."};
}

}  // namespace

awaitable<Answer> document(Operations&, Caller, ApiArguments) {
  co_return openapi();
}

awaitable<Answer> list(Operations& operations, Caller caller, ApiArguments arguments) {
  const auto infos =
      co_await operations.terminals().list(std::move(caller), arguments.text("session"));
  if (!infos) co_return base::fail(infos.error());
  co_return all_of("terminals", *infos);
}

awaitable<Answer> show(Operations& operations, Caller caller, ApiArguments arguments) {
  co_return described(operations.terminals().show(caller, *arguments.text("terminal")));
}

session::TerminalSpec terminal_spec(const ApiArguments& arguments, vt::Size otherwise) {
  session::TerminalSpec spec;
  if (const auto name = arguments.text("session")) spec.session = *name;
  spec.size = {.cols = static_cast<int>(arguments.number("cols").value_or(otherwise.cols)),
               .rows = static_cast<int>(arguments.number("rows").value_or(otherwise.rows))};
  spec.name = arguments.text("name");
  spec.work_dir = arguments.text("workDir").value_or("");
  spec.command = arguments.texts("command");
  spec.env = arguments.pairs("env");
  return spec;
}

awaitable<Answer> create(Operations& operations, Caller caller, ApiArguments arguments) {
  auto spec = terminal_spec(arguments, {.cols = 80, .rows = 24});
  if (const auto id = arguments.text("terminalId")) {
    if (!base::is_valid_id(*id))
      co_return base::fail(base::Code::invalid_argument, "invalid terminal id",
                           "Use A-Z a-z 0-9 . _ : - and start with a letter or a digit.");
    spec.id = session::TerminalId(*id);
  }
  const auto made = co_await operations.terminals().create(std::move(caller), std::move(spec));
  co_return described(made);
}

awaitable<Answer> restore(Operations& operations, Caller caller, ApiArguments arguments) {
  const auto restored =
      co_await operations.terminals().restore(std::move(caller), *arguments.text("terminal"),
                                              side(arguments, "rows"), side(arguments, "cols"));
  co_return described(restored);
}

awaitable<Answer> rename(Operations& operations, Caller caller, ApiArguments arguments) {
  co_return described(
      operations.terminals().rename(caller, *arguments.text("terminal"), *arguments.text("name")));
}

awaitable<Answer> resize(Operations& operations, Caller caller, ApiArguments arguments) {
  const vt::Size size{.cols = *side(arguments, "cols"), .rows = *side(arguments, "rows")};
  const auto resized =
      co_await operations.terminals().resize(std::move(caller), *arguments.text("terminal"), size);
  co_return described(resized);
}

awaitable<Answer> notify(Operations& operations, Caller caller, ApiArguments arguments) {
  using Kind = terminal::Report::Kind;
  const auto state = arguments.text("state");
  terminal::Report report{.text = arguments.text("text").value_or("")};
  if (const auto percent = arguments.number("progress"))
    report.progress = static_cast<int>(*percent);
  if (state) {
    static const std::map<std::string_view, Kind> kStates{
        {"working", Kind::working}, {"blocked", Kind::blocked}, {"done", Kind::done}};
    const auto known = kStates.find(*state);
    if (known == kStates.end())
      co_return base::fail(base::Code::invalid_argument, "there is no state " + *state,
                           "Use working, blocked or done.");
    report.kind = known->second;
  }
  co_return described(
      operations.terminals().notify(caller, *arguments.text("terminal"), std::move(report)));
}

awaitable<Answer> close(Operations& operations, Caller caller, ApiArguments arguments) {
  const auto closed =
      co_await operations.terminals().close(std::move(caller), *arguments.text("terminal"));
  if (!closed) co_return base::fail(closed.error());
  std::string out;
  wire::JsonWriter(out)
      .begin_object()
      .field("terminalId", closed->id.str())
      .field("exitCode", closed->exit_code)
      .end_object();
  co_return out;
}

base::Result<operation::SendRequest> send_request(const ApiArguments& arguments) {
  operation::SendRequest request;
  request.enter = arguments.flag("enter");
  const int given = (arguments.has("text") ? 1 : 0) + (arguments.has("paste") ? 1 : 0) +
                    (arguments.has("keys") ? 1 : 0);
  if (given > 1 || (given == 0 && !request.enter))
    return base::fail(base::Code::invalid_argument, "there must be one input",
                      R"(Send one of "text", "paste" and "keys", or only "enter".)");
  if (const auto text = arguments.text("text")) request.input = operation::Text{*text};
  if (const auto text = arguments.text("paste")) request.input = operation::Paste{*text};
  if (arguments.has("keys")) request.input = operation::Keys{arguments.texts("keys")};
  take_conditions(arguments, request);
  return request;
}

awaitable<Answer> send(Operations& operations, Caller caller, ApiArguments arguments) {
  auto request = send_request(arguments);
  if (!request) co_return base::fail(request.error());
  request->key = arguments.text("idempotencyKey").value_or("");
  const auto offset = operations.input().send(caller, *arguments.text("terminal"), *request);
  if (!offset) co_return base::fail(offset.error());
  co_return offset_only(*offset);
}

awaitable<Answer> lease(Operations& operations, Caller caller, ApiArguments arguments) {
  operation::LeaseRequest request;
  if (const auto seconds = arguments.number("seconds"))
    request.time = std::chrono::seconds(*seconds);
  if (auto holder = arguments.text("holder")) request.holder = *std::move(holder);
  request.lease = arguments.text("lease").value_or("");
  const auto lease = operations.input().lease(caller, *arguments.text("terminal"), request);
  if (!lease) co_return base::fail(lease.error());
  std::string out;
  wire::JsonWriter(out)
      .begin_object()
      .field("lease", lease->id)
      .field("holder", lease->holder)
      .field("expiresAt", base::utc_milliseconds(lease->until))
      .end_object();
  co_return out;
}

awaitable<Answer> release(Operations& operations, Caller caller, ApiArguments arguments) {
  const std::string lease = *arguments.text("lease");
  const auto released = operations.input().release(caller, *arguments.text("terminal"), lease);
  if (!released) co_return base::fail(released.error());
  std::string out;
  wire::JsonWriter(out).begin_object().field("lease", lease).end_object();
  co_return out;
}

awaitable<Answer> capture(Operations& operations, Caller caller, ApiArguments arguments) {
  if (arguments.flag("lastCommand"))
    co_return last_output(operations.commands().output(caller, *arguments.text("terminal")));
  operation::CaptureRequest request;
  const std::string format = arguments.text("format").value_or("text");
  if (format == "ansi") request.format = operation::Format::ansi;
  if (format == "json") request.format = operation::Format::json;
  if (format == "html") request.format = operation::Format::html;
  if (format == "svg") request.format = operation::Format::svg;
  request.history = static_cast<std::uint32_t>(arguments.number("history").value_or(0));
  base::Result<operation::Captured> captured;
  if (const auto at = arguments.number("at"))
    captured = co_await operations.output().capture_at(
        std::move(caller), *arguments.text("terminal"), request, static_cast<Offset>(*at));
  else
    captured = operations.output().capture(caller, *arguments.text("terminal"), request);
  if (!captured) co_return base::fail(captured.error());
  std::string out;
  wire::JsonWriter writer(out);
  writer.begin_object().field("offset", captured->offset);
  if (request.format == operation::Format::json)
    writer.raw("screen", captured->content);
  else
    writer.field("text", captured->content);
  writer.end_object();
  co_return out;
}

operation::WaitRequest wait_request(const ApiArguments& arguments) {
  operation::WaitRequest request;
  request.text = arguments.text("text");
  request.exit = arguments.flag("exit");
  request.prompt = arguments.flag("prompt");
  request.command_end = arguments.flag("commandEnd");
  if (const auto quiet = arguments.number("quiet"))
    request.quiet = std::chrono::milliseconds(*quiet);
  if (const auto since = arguments.number("since")) request.since = static_cast<Offset>(*since);
  if (const auto timeout = arguments.number("timeout"))
    request.timeout = std::chrono::milliseconds(*timeout);
  return request;
}

awaitable<Answer> wait(Operations& operations, Caller caller, ApiArguments arguments) {
  const auto waited = co_await operations.output().wait(
      std::move(caller), *arguments.text("terminal"), wait_request(arguments));
  if (!waited) co_return base::fail(waited.error());
  std::string out;
  wire::JsonWriter writer(out);
  writer.begin_object()
      .field("outcome", to_string(waited->outcome))
      .field("offset", waited->offset);
  if (waited->outcome == operation::Waited::Outcome::matched) writer.field("line", waited->line);
  writer.field("exitCode", waited->exit_code).end_object();
  co_return out;
}

awaitable<Answer> events(Operations&, Caller, ApiArguments) {
  co_return base::fail(base::Code::invalid_argument, "events are streamed to a GET without a body");
}

awaitable<Answer> search(Operations& operations, Caller caller, ApiArguments arguments) {
  operation::SearchRequest request{.pattern = *arguments.text("pattern"),
                                   .options = {.ignore_case = arguments.flag("ignoreCase"),
                                               .word = arguments.flag("word"),
                                               .literal = arguments.flag("literal")},
                                   .session = arguments.text("session")};
  if (const auto most = arguments.number("limit")) request.most = static_cast<std::size_t>(*most);
  const auto found = co_await operations.output().search(std::move(caller), std::move(request));
  if (!found) co_return base::fail(found.error());
  co_return wire::native::to_json(operation::describe(*found));
}

awaitable<Answer> sessions(Operations& operations, Caller caller, ApiArguments) {
  co_return all_of("sessions", operations.sessions().list(caller));
}

awaitable<Answer> create_session(Operations& operations, Caller caller, ApiArguments arguments) {
  const std::string name = *arguments.text("name");
  if (!base::is_valid_id(name)) co_return base::fail(not_a_session_name());
  const auto made = operations.sessions().create(caller, {.name = name});
  if (!made) co_return base::fail(made.error());
  co_return wire::native::to_json(*made);
}

awaitable<Answer> rename_session(Operations& operations, Caller caller, ApiArguments arguments) {
  const std::string name = *arguments.text("name");
  if (!base::is_valid_id(name)) co_return base::fail(not_a_session_name());
  const auto renamed = operations.sessions().rename(caller, *arguments.text("session"), name);
  if (!renamed) co_return base::fail(renamed.error());
  std::string out;
  wire::JsonWriter(out).begin_object().field("name", name).end_object();
  co_return out;
}

awaitable<Answer> close_session(Operations& operations, Caller caller, ApiArguments arguments) {
  const std::string name = *arguments.text("session");
  const auto closed = co_await operations.sessions().close(std::move(caller), name);
  if (!closed) co_return base::fail(closed.error());
  std::string out;
  wire::JsonWriter(out).begin_object().field("name", name).end_object();
  co_return out;
}

}  // namespace http::api
