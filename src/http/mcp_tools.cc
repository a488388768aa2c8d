// The daemon's tools for language models. Their results are made to be read by one: plain text,
// short, with the offset to go on from.

#include <boost/json.hpp>

#include "base/id.h"
#include "http/api_calls.h"
#include "http/mcp.h"
#include "http/mcp_words.h"
#include "wire/limits.h"

namespace http::mcp {

namespace json = boost::json;
using boost::asio::awaitable;
using operation::Caller;
using operation::Offset;
using operation::Operations;
using In = ApiParameter::In;
using Kind = ApiParameter::Kind;
using Text = base::Result<std::string>;

namespace {

constexpr std::int64_t kLongestTarget = 256;
constexpr std::int64_t kLargestOffset = (std::int64_t{1} << 53) - 1;  // What JavaScript can count.
constexpr auto kMostRead = static_cast<std::int64_t>(kMostText);
constexpr std::int64_t kMostHistory = 2000;  // Rows.
constexpr std::int64_t kLongestWait = std::chrono::milliseconds(operation::kLongestWait).count();

// --- parameters ---

ApiParameter parameter(std::string_view name, Kind kind, std::string_view meaning,
                       std::int64_t most, std::int64_t least = 0) {
  return {.name = name,
          .in = In::body,
          .kind = kind,
          .is_required = false,
          .meaning = meaning,
          .least = least,
          .most = most};
}

ApiParameter required(ApiParameter parameter) {
  parameter.is_required = true;
  return parameter;
}

ApiParameter target() {
  return required(parameter("terminal", Kind::text,
                            "The terminal: its id, SESSION:NAME, its name, or the start of its id.",
                            kLongestTarget));
}

ApiParameter since(std::string_view meaning) {
  return parameter("since", Kind::number, meaning, kLargestOffset);
}

ApiParameter timeout() {
  return parameter("timeout", Kind::number,
                   "How many milliseconds to wait at most. By default: 30000.", kLongestWait);
}

ApiParameter key() {
  return parameter("key", Kind::text,
                   "Any text. Input that is sent again with the same key is not typed again.", 128);
}

ApiParameter lease() {
  return parameter("lease", Kind::text, "The lease on the keyboard that you hold, if you hold one.",
                   64);
}

ApiParameter if_idle() {
  return parameter("ifIdle", Kind::number,
                   "Refuse if a person typed there within that many milliseconds.", kLongestWait);
}

// --- calls ---

awaitable<Text> list(Operations& operations, Caller caller, ApiArguments arguments) {
  const auto infos =
      co_await operations.terminals().list(std::move(caller), arguments.text("session"));
  if (!infos) co_return base::fail(infos.error());
  std::string all;
  for (const operation::TerminalInfo& info : *infos) all += in_words(info);
  co_return all.empty() ? "There are no terminals. Create one with terminal_create.\n" : all;
}

awaitable<Text> create(Operations& operations, Caller caller, ApiArguments arguments) {
  auto spec = api::terminal_spec(arguments, {.cols = 120, .rows = 40});
  const auto made = co_await operations.terminals().create(std::move(caller), std::move(spec));
  if (!made) co_return base::fail(made.error());
  co_return "Created terminal " + made->terminal_id + "\n" + at(0);
}

awaitable<Text> send(Operations& operations, Caller caller, ApiArguments arguments) {
  auto request = api::send_request(arguments);
  if (!request) co_return base::fail(request.error());
  request->key = arguments.text("key").value_or("");
  const auto offset = operations.input().send(caller, *arguments.text("terminal"), *request);
  if (!offset) co_return base::fail(offset.error());
  co_return "Sent. The reaction to it is printed after this offset.\n" + at(*offset);
}

awaitable<Text> read(Operations& operations, Caller caller, ApiArguments arguments) {
  const std::string terminal = *arguments.text("terminal");
  if (const auto from = arguments.number("since")) {
    operation::ReadRequest request{.since = static_cast<Offset>(*from)};
    if (const auto most = arguments.number("most")) request.most = static_cast<std::size_t>(*most);
    const auto printed = co_await operations.output().read(std::move(caller), terminal, request);
    if (!printed) co_return base::fail(printed.error());
    std::string head = at(printed->offset);
    if (printed->end > printed->offset)
      head += std::to_string(printed->end - printed->offset) +
              " bytes of output follow: read on from that offset.\n";
    co_return head + "\n" + printed->text;
  }
  operation::CaptureRequest request;
  request.history = static_cast<std::uint32_t>(arguments.number("history").value_or(0));
  auto captured = operations.output().capture(caller, terminal, request);
  if (!captured) co_return base::fail(captured.error());
  std::uint64_t left_out = 0;
  const std::string text = newest(std::move(captured->content), left_out);
  std::string head = at(captured->offset);
  if (left_out > 0)
    head +=
        std::to_string(left_out) + " bytes at the beginning were left out: ask for less history.\n";
  co_return head + "\n" + text;
}

awaitable<Text> wait(Operations& operations, Caller caller, ApiArguments arguments) {
  const auto waited = co_await operations.output().wait(
      std::move(caller), *arguments.text("terminal"), api::wait_request(arguments));
  if (!waited) co_return base::fail(waited.error());
  co_return in_words(*waited);
}

awaitable<Text> run(Operations& operations, Caller caller, ApiArguments arguments) {
  operation::ExecRequest request{.command = *arguments.text("command")};
  request.key = arguments.text("key").value_or("");
  api::take_conditions(arguments, request);
  if (const auto most = arguments.number("timeout"))
    request.timeout = std::chrono::milliseconds(*most);
  const std::string terminal = *arguments.text("terminal");
  auto ran = co_await operations.commands().exec(std::move(caller), terminal, std::move(request));
  if (!ran) co_return base::fail(ran.error());
  co_return in_words(*std::move(ran));
}

awaitable<Text> commands(Operations& operations, Caller caller, ApiArguments arguments) {
  operation::CommandsRequest request{
      .limit = static_cast<std::size_t>(arguments.number("limit").value_or(20))};
  if (const auto from = arguments.number("since")) request.since = static_cast<Offset>(*from);
  const auto list =
      co_await operations.commands().list(std::move(caller), *arguments.text("terminal"), request);
  if (!list) co_return base::fail(list.error());
  std::string all;
  for (const terminal::Command& command : list->commands) all += in_words(command);
  co_return all.empty() ? "The shell has run no commands, or does not report them.\n" : all;
}

awaitable<Text> search(Operations& operations, Caller caller, ApiArguments arguments) {
  operation::SearchRequest request{
      .pattern = *arguments.text("pattern"), .session = arguments.text("session"), .most = 50};
  const auto found = co_await operations.output().search(std::move(caller), std::move(request));
  if (!found) co_return base::fail(found.error());
  std::string all;
  for (const operation::Match& match : found->matches) {
    all += match.terminal_id;
    if (match.offset) all += " offset " + std::to_string(*match.offset);
    all += ": " + escaped(match.text) + "\n";
  }
  if (found->left_out > 0)
    all += std::to_string(found->left_out) + " more lines match: use a narrower pattern.\n";
  for (const std::string& id : found->skipped)
    all += id + " was not searched, because it was resized all the time: try again.\n";
  co_return all.empty() ? "No line matches.\n" : all;
}

awaitable<Text> close(Operations& operations, Caller caller, ApiArguments arguments) {
  const auto closed =
      co_await operations.terminals().close(std::move(caller), *arguments.text("terminal"));
  if (!closed) co_return base::fail(closed.error());
  co_return "Closed terminal " + closed->id.str() + "\n";
}

// --- the table ---

std::vector<Tool> table() {
  return {
      {.name = "terminal_list",
       .description = "List the terminals: id, session and name, state, size, program, directory.",
       .parameters = {parameter("session", Kind::text, "Only the terminals of this session.",
                                kLongestTarget)},
       .only_reads = true,
       .run = list},
      {.name = "terminal_create",
       .description =
           "Create a terminal. It keeps running when you disconnect. By default it runs a shell.",
       .parameters =
           {parameter("session", Kind::text, "The session. By default: main.", kLongestTarget),
            parameter("name", Kind::text, "A name to find it by.", 4 * wire::kMaxNameCharacters),
            parameter("command", Kind::texts,
                      "The program and its arguments. By default: the shell.",
                      wire::kMaxCommandBytes),
            parameter("workDir", Kind::text,
                      "The directory to start in. By default: the home directory.", wire::kMaxPath),
            parameter("env", Kind::pairs, "Environment variables.", wire::kMaxEnvBytes),
            parameter("rows", Kind::number, "By default: 40.", wire::kMaxRows, 1),
            parameter("cols", Kind::number, "By default: 120.", wire::kMaxRows, 1)},
       .only_reads = false,
       .run = create},
      {.name = "terminal_send",
       .description = "Type into a terminal. The answer has the offset after which the reaction to "
                      "it is printed: give it to terminal_wait and terminal_read as since.",
       .parameters = {target(), parameter("text", Kind::text, "Text to type, as it is.", 1 << 20),
                      parameter("paste", Kind::text,
                                "Text to paste: its line ends run nothing in programs that tell "
                                "pasted text from typed text.",
                                1 << 20),
                      parameter("keys", Kind::texts,
                                "Keys by name, such as Enter, Up, F5, C-c or M-x.", 4096),
                      parameter("enter", Kind::flag, "Press Enter afterwards.", 0), key(), lease(),
                      if_idle()},
       .only_reads = false,
       .run = send},
      {.name = "terminal_read",
       .description = "Read a terminal. Without since: the screen as a person sees it. With since: "
                      "what was printed after that offset, as plain text.",
       .parameters = {target(), since("Read what was printed after this offset."),
                      parameter("most", Kind::number,
                                "With since: how many bytes of output to read. By default: 16384.",
                                kMostRead, 1),
                      parameter("history", Kind::number,
                                "Without since: how many rows that scrolled off the screen to put "
                                "before it.",
                                kMostHistory)},
       .only_reads = true,
       .run = read},
      {.name = "terminal_wait",
       .description = "Wait until a line of the output matches, the program ends, or there is no "
                      "output for a while: whichever comes first.",
       .parameters = {target(),
                      parameter("text", Kind::text,
                                "Wait until a line matches this regular expression (RE2).", 1000),
                      parameter("exit", Kind::flag, "Wait until the program ends.", 0),
                      parameter("prompt", Kind::flag, "Wait until the shell shows its prompt.", 0),
                      parameter("commandEnd", Kind::flag,
                                "Wait until a command that the shell runs ends.", 0),
                      parameter("quiet", Kind::number,
                                "Wait until nothing was printed for that many milliseconds.",
                                kLongestWait, 1),
                      since("Look at the output after this offset. By default: from now on."),
                      timeout()},
       .only_reads = true,
       .run = wait},
      {.name = "terminal_run",
       .description =
           "Run a command in a terminal's shell, and wait for its end. The answer has its "
           "exit code and its output as plain text.",
       .parameters = {target(),
                      required(parameter("command", Kind::text,
                                         "The command, as you would type it.", 32 * 1024)),
                      timeout(), key(), lease(), if_idle()},
       .only_reads = false,
       .run = run},
      {.name = "terminal_close",
       .description = "End the program in a terminal, and close the terminal.",
       .parameters = {target()},
       .only_reads = false,
       .run = close},
      {.name = "commands",
       .description = "List the commands that a terminal's shell ran, with exit codes and offsets.",
       .parameters = {target(), since("Only commands that ran after this offset."),
                      parameter("limit", Kind::number,
                                "At most that many: the newest. By default: 20.",
                                terminal::Commands::kMost, 1)},
       .only_reads = true,
       .run = commands},
      {.name = "search",
       .description = "Find lines in what all terminals show and remember.",
       .parameters = {required(parameter("pattern", Kind::text,
                                         "A regular expression (RE2) that lines must match.",
                                         1000)),
                      parameter("session", Kind::text, "Only the terminals of this session.",
                                kLongestTarget)},
       .only_reads = true,
       .run = search},
  };
}

}  // namespace

const std::vector<Tool>& tools() {
  static const std::vector<Tool> kTools = table();
  return kTools;
}

awaitable<ToolResult> call_tool(const Tool& tool, Operations& operations, Caller caller,
                                json::object arguments) {
  auto good = checked(tool.parameters, std::move(arguments));
  if (!good) co_return ToolResult{.text = good.error().message(), .is_error = true};
  auto text = co_await tool.run(operations, std::move(caller), *std::move(good));
  if (!text) co_return ToolResult{.text = text.error().message(), .is_error = true};
  co_return ToolResult{.text = *std::move(text)};
}

}  // namespace http::mcp
