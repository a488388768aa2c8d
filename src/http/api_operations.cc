// The table of the API's operations, and what each does with its parameters.

#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "base/id.h"
#include "http/api.h"
#include "wire/json_writer.h"
#include "wire/limits.h"

namespace http {

namespace json = boost::json;
using boost::asio::awaitable;
using boost::beast::http::status;
using boost::beast::http::verb;
using operation::Caller;
using operation::Offset;
using operation::Operations;
using In = ApiParameter::In;
using Kind = ApiParameter::Kind;
using Answer = base::Result<std::string>;

namespace {

// --- answers ---

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
    case Outcome::exited:
      return "exited";
    case Outcome::quiet:
      return "quiet";
    case Outcome::timed_out:
      return "timed_out";
  }
  return "";
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

// --- operations ---

awaitable<Answer> document(Operations&, Caller, ApiArguments) {
  co_return openapi();
}

awaitable<Answer> list(Operations& operations, Caller caller, ApiArguments arguments) {
  const auto infos = co_await operations.list(std::move(caller), arguments.text("session"));
  if (!infos) co_return base::fail(infos.error());
  co_return all_of("terminals", *infos);
}

awaitable<Answer> show(Operations& operations, Caller caller, ApiArguments arguments) {
  co_return described(operations.show(caller, *arguments.text("terminal")));
}

awaitable<Answer> create(Operations& operations, Caller caller, ApiArguments arguments) {
  constexpr std::uint16_t kCols = 80;
  constexpr std::uint16_t kRows = 24;
  session::TerminalSpec spec;
  if (const auto id = arguments.text("terminalId")) {
    if (!base::is_valid_id(*id))
      co_return base::fail(base::Code::invalid_argument, "invalid terminal id",
                           "Use A-Z a-z 0-9 . _ : - and start with a letter or a digit.");
    spec.id = session::TerminalId(*id);
  }
  if (const auto name = arguments.text("session")) spec.session = *name;
  spec.size = {.cols = side(arguments, "cols").value_or(kCols),
               .rows = side(arguments, "rows").value_or(kRows)};
  spec.name = arguments.text("name");
  spec.work_dir = arguments.text("workDir").value_or("");
  spec.command = arguments.texts("command");
  spec.env = arguments.pairs("env");
  const auto made = co_await operations.create(std::move(caller), std::move(spec));
  co_return described(made);
}

awaitable<Answer> restore(Operations& operations, Caller caller, ApiArguments arguments) {
  const auto restored =
      co_await operations.restore(std::move(caller), *arguments.text("terminal"),
                                  side(arguments, "rows"), side(arguments, "cols"));
  co_return described(restored);
}

awaitable<Answer> rename(Operations& operations, Caller caller, ApiArguments arguments) {
  co_return described(
      operations.rename(caller, *arguments.text("terminal"), *arguments.text("name")));
}

awaitable<Answer> resize(Operations& operations, Caller caller, ApiArguments arguments) {
  const vt::Size size{.cols = *side(arguments, "cols"), .rows = *side(arguments, "rows")};
  const auto resized =
      co_await operations.resize(std::move(caller), *arguments.text("terminal"), size);
  co_return described(resized);
}

awaitable<Answer> close(Operations& operations, Caller caller, ApiArguments arguments) {
  const auto closed = co_await operations.close(std::move(caller), *arguments.text("terminal"));
  if (!closed) co_return base::fail(closed.error());
  std::string out;
  wire::JsonWriter(out)
      .begin_object()
      .field("terminalId", closed->id.str())
      .field("exitCode", closed->exit_code)
      .end_object();
  co_return out;
}

awaitable<Answer> send(Operations& operations, Caller caller, ApiArguments arguments) {
  operation::SendRequest request;
  request.enter = arguments.flag("enter");
  const int given = (arguments.has("text") ? 1 : 0) + (arguments.has("paste") ? 1 : 0) +
                    (arguments.has("keys") ? 1 : 0);
  if (given > 1 || (given == 0 && !request.enter))
    co_return base::fail(base::Code::invalid_argument, "there must be one input",
                         R"(Send one of "text", "paste" and "keys", or only "enter".)");
  if (const auto text = arguments.text("text")) request.input = operation::Text{*text};
  if (const auto text = arguments.text("paste")) request.input = operation::Paste{*text};
  if (arguments.has("keys")) request.input = operation::Keys{arguments.texts("keys")};
  const auto offset = operations.send(caller, *arguments.text("terminal"), request);
  if (!offset) co_return base::fail(offset.error());
  co_return offset_only(*offset);
}

awaitable<Answer> capture(Operations& operations, Caller caller, ApiArguments arguments) {
  operation::CaptureRequest request;
  const std::string format = arguments.text("format").value_or("text");
  if (format == "ansi") request.format = operation::Format::ansi;
  if (format == "json") request.format = operation::Format::json;
  request.history = static_cast<std::uint32_t>(arguments.number("history").value_or(0));
  const auto captured = operations.capture(caller, *arguments.text("terminal"), request);
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

awaitable<Answer> wait(Operations& operations, Caller caller, ApiArguments arguments) {
  operation::WaitRequest request;
  request.text = arguments.text("text");
  request.exit = arguments.flag("exit");
  if (const auto quiet = arguments.number("quiet"))
    request.quiet = std::chrono::milliseconds(*quiet);
  if (const auto since = arguments.number("since")) request.since = static_cast<Offset>(*since);
  if (const auto timeout = arguments.number("timeout"))
    request.timeout = std::chrono::milliseconds(*timeout);
  const auto waited =
      co_await operations.wait(std::move(caller), *arguments.text("terminal"), std::move(request));
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

awaitable<Answer> sessions(Operations& operations, Caller caller, ApiArguments) {
  co_return all_of("sessions", operations.sessions(caller));
}

awaitable<Answer> create_session(Operations& operations, Caller caller, ApiArguments arguments) {
  const std::string name = *arguments.text("name");
  if (!base::is_valid_id(name)) co_return base::fail(not_a_session_name());
  const auto made = operations.create_session(caller, name);
  if (!made) co_return base::fail(made.error());
  co_return wire::native::to_json(*made);
}

awaitable<Answer> rename_session(Operations& operations, Caller caller, ApiArguments arguments) {
  const std::string name = *arguments.text("name");
  if (!base::is_valid_id(name)) co_return base::fail(not_a_session_name());
  const auto renamed = operations.rename_session(caller, *arguments.text("session"), name);
  if (!renamed) co_return base::fail(renamed.error());
  std::string out;
  wire::JsonWriter(out).begin_object().field("name", name).end_object();
  co_return out;
}

awaitable<Answer> close_session(Operations& operations, Caller caller, ApiArguments arguments) {
  const std::string name = *arguments.text("session");
  const auto closed = co_await operations.close_session(std::move(caller), name);
  if (!closed) co_return base::fail(closed.error());
  std::string out;
  wire::JsonWriter(out).begin_object().field("name", name).end_object();
  co_return out;
}

// --- parameters that several have ---

constexpr std::int64_t kLongestTarget = 256;
constexpr std::int64_t kMostHistory = 1'000'000;
constexpr std::int64_t kLargestOffset = (std::int64_t{1} << 53) - 1;  // What JavaScript can count.
constexpr std::int64_t kLongestWait =
    std::chrono::milliseconds(operation::Operations::kLongestWait).count();

ApiParameter target() {
  return {.name = "terminal",
          .in = In::path,
          .kind = Kind::text,
          .is_required = true,
          .meaning =
              "The terminal: its id, SESSION:NAME, its name, or the start of its id, where "
              "those are unique.",
          .least = 1,
          .most = kLongestTarget};
}

ApiParameter session_in(In in, bool is_required, std::string_view meaning) {
  return {.name = "session",
          .in = in,
          .kind = Kind::text,
          .is_required = is_required,
          .meaning = meaning,
          .most = kLongestTarget};
}

ApiParameter side_of(std::string_view name, bool is_required, std::string_view meaning) {
  return {.name = name,
          .in = In::body,
          .kind = Kind::number,
          .is_required = is_required,
          .meaning = meaning,
          .least = 1,
          .most = wire::kMaxRows};
}

ApiParameter name_for(bool is_required, std::string_view meaning) {
  return {.name = "name",
          .in = In::body,
          .kind = Kind::text,
          .is_required = is_required,
          .meaning = meaning,
          .most = 4 * wire::kMaxNameCharacters};
}

ApiParameter in_body(std::string_view name, Kind kind, std::string_view meaning,
                     std::int64_t most = 1 << 20) {
  return {.name = name,
          .in = In::body,
          .kind = kind,
          .is_required = false,
          .meaning = meaning,
          .most = most};
}

ApiParameter in_query(std::string_view name, Kind kind, std::string_view meaning,
                      std::int64_t most = 0) {
  return {.name = name,
          .in = In::query,
          .kind = kind,
          .is_required = false,
          .meaning = meaning,
          .most = most};
}

std::vector<ApiParameter> for_create() {
  return {session_in(In::body, false, "The session to create it in. By default: main."),
          name_for(false, "A name for people."),
          in_body("terminalId", Kind::text, "An id of your choice. By default: a random one.",
                  kLongestTarget),
          in_body("command", Kind::texts, "The program and its arguments. By default: the shell.",
                  wire::kMaxCommandBytes),
          in_body("workDir", Kind::text,
                  "The directory to start in. By default: the home directory.", wire::kMaxPath),
          in_body("env", Kind::pairs, "Environment variables.", wire::kMaxEnvBytes),
          side_of("rows", false, "By default: 24."),
          side_of("cols", false, "By default: 80.")};
}

std::vector<ApiParameter> for_send() {
  return {target(), in_body("text", Kind::text, "Text to type, as it is."),
          in_body("paste", Kind::text,
                  "Text to paste: without control characters, and in brackets if the program asked "
                  "for that."),
          in_body("keys", Kind::texts, "Keys by name, such as Enter, Up, F5, C-c or M-x.", 4096),
          in_body("enter", Kind::flag, "Press Enter afterwards.")};
}

std::vector<ApiParameter> for_capture() {
  ApiParameter format = in_query("format", Kind::text, "By default: text.", 10);
  format.values = {"text", "ansi", "json"};
  return {target(), format,
          in_query("history", Kind::number, "How many rows of history to put before the screen.",
                   kMostHistory)};
}

std::vector<ApiParameter> for_wait() {
  ApiParameter quiet =
      in_query("quiet", Kind::number, "Wait until there was no output for so many milliseconds.",
               kLongestWait);
  quiet.least = 1;
  return {
      target(),
      in_query("text", Kind::text,
               "Wait until a line of the output matches this regular expression (RE2).", 1000),
      in_query("exit", Kind::flag, "Wait until the program ends."),
      quiet,
      in_query("since", Kind::number,
               "Look at the output after this offset. By default: from now on.", kLargestOffset),
      in_query("timeout", Kind::number, "How many milliseconds to wait. By default: 30,000.",
               kLongestWait)};
}

std::vector<ApiOperation> table() {
  return {
      {"openapi",
       verb::get,
       "/openapi.json",
       "This document",
       {},
       status::ok,
       "Document",
       document},
      {"listTerminals",
       verb::get,
       "/terminals",
       "List terminals",
       {session_in(In::query, false, "Only the terminals of this session.")},
       status::ok,
       "Terminals",
       list},
      {"createTerminal", verb::post, "/terminals", "Create a terminal", for_create(),
       status::created, "Terminal", create},
      {"getTerminal",
       verb::get,
       "/terminals/{terminal}",
       "Describe a terminal",
       {target()},
       status::ok,
       "Terminal",
       show},
      {"renameTerminal",
       verb::patch,
       "/terminals/{terminal}",
       "Rename a terminal",
       {target(), name_for(true, "The new name. An empty one takes the name away.")},
       status::ok,
       "Terminal",
       rename},
      {"closeTerminal",
       verb::delete_,
       "/terminals/{terminal}",
       "End the program, and close the terminal",
       {target()},
       status::ok,
       "Closed",
       close},
      {"restoreTerminal",
       verb::post,
       "/terminals/{terminal}/restore",
       "Start a restorable terminal again",
       {target(), side_of("rows", false, "By default: as before."),
        side_of("cols", false, "By default: as before.")},
       status::ok,
       "Terminal",
       restore},
      {"resizeTerminal",
       verb::post,
       "/terminals/{terminal}/resize",
       "Resize a terminal",
       {target(), side_of("rows", true, "The new height."),
        side_of("cols", true, "The new width.")},
       status::ok,
       "Terminal",
       resize},
      {"send", verb::post, "/terminals/{terminal}/send",
       "Type into a terminal. Answers with the offset at which the input was taken", for_send(),
       status::ok, "Offset", send},
      {"capture", verb::get, "/terminals/{terminal}/capture", "Read the screen", for_capture(),
       status::ok, "Capture", capture},
      {"wait", verb::get, "/terminals/{terminal}/wait",
       "Wait for output, for quiet, or for the end of the program", for_wait(), status::ok,
       "Waited", wait, true},
      {"listSessions",
       verb::get,
       "/sessions",
       "List sessions",
       {},
       status::ok,
       "Sessions",
       sessions},
      {"createSession",
       verb::post,
       "/sessions",
       "Create a session",
       {name_for(true, "The name of the session.")},
       status::created,
       "Session",
       create_session},
      {"renameSession",
       verb::patch,
       "/sessions/{session}",
       "Rename a session",
       {session_in(In::path, true, "The session."), name_for(true, "The new name.")},
       status::ok,
       "Name",
       rename_session},
      {"closeSession",
       verb::delete_,
       "/sessions/{session}",
       "Close a session and all its terminals",
       {session_in(In::path, true, "The session.")},
       status::ok,
       "Name",
       close_session},
  };
}

}  // namespace

const std::vector<ApiOperation>& api_operations() {
  static const std::vector<ApiOperation> kOperations = table();
  return kOperations;
}

}  // namespace http
