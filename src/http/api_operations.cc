// The table of the API's operations.

#include "http/api.h"
#include "http/api_calls.h"
#include "http/api_parameters.h"

namespace http {

using boost::beast::http::status;
using boost::beast::http::verb;

namespace {

using namespace api;

std::vector<ApiParameter> for_create() {
  return {session_in(In::body, "The session to create it in. By default: main."),
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

std::vector<ApiParameter> for_notify() {
  ApiParameter progress = in_body("progress", Kind::number, "How far it is, in percent.",
                                  terminal::State::kMostProgress);
  return {target(),
          in_body("state", Kind::text,
                  "working, blocked (it waits for a person), or done. Without one, the text is "
                  "only shown."),
          std::move(progress), in_body("text", Kind::text, "What to show.", vt::Notice::kMaxText)};
}

std::vector<ApiParameter> for_send() {
  return {target(),
          in_body("text", Kind::text, "Text to type, as it is."),
          in_body("paste", Kind::text,
                  "Text to paste: without control characters, and in brackets if the program asked "
                  "for that."),
          in_body("keys", Kind::texts, "Keys by name, such as Enter, Up, F5, C-c or M-x.", 4096),
          in_body("enter", Kind::flag, "Press Enter afterwards."),
          in_body("idempotencyKey", Kind::text,
                  "Any text. Input that is sent again with the same key is not typed again; the "
                  "answer is the first one's.",
                  terminal::kLongestKey),
          held_lease(),
          if_idle()};
}

std::vector<ApiParameter> for_lease() {
  ApiParameter seconds = in_body("seconds", Kind::number,
                                 "How many seconds, from now. By default: 30.", kLongestLeaseTime);
  seconds.least = 1;
  return {
      target(), seconds,
      in_body("holder", Kind::text, "Your name, which others are shown while they are refused.",
              terminal::kLongestHolder),
      in_body("lease", Kind::text, "Renew this lease instead of taking a new one.", kLongestLease)};
}

std::vector<ApiParameter> for_release() {
  return {target(),
          required(in_query("lease", Kind::text, "The lease to release.", kLongestLease))};
}

std::vector<ApiParameter> for_capture() {
  ApiParameter format = in_query("format", Kind::text, "By default: text.", 10);
  format.values = {"text", "ansi", "json", "html", "svg"};
  return {
      target(), format,
      in_query("history", Kind::number, "How many rows of history to put before the screen.",
               kMostHistory),
      in_query("at", Kind::number, "The screen as it was at this offset. By default: as it is now.",
               kLargestOffset),
      in_query("lastCommand", Kind::flag,
               "Not the screen, but what the shell's last command printed, as text.")};
}

std::vector<ApiParameter> for_commands() {
  ApiParameter limit =
      in_query("limit", Kind::number, "At most that many: the newest.", terminal::Commands::kMost);
  limit.least = 1;
  return {
      target(),
      in_query("since", Kind::number, "Only commands that ran after this offset.", kLargestOffset),
      limit};
}

std::vector<ApiParameter> for_exec() {
  return {target(),
          required(in_body("text", Kind::text, "The command, in one line or several.")),
          in_body("timeout", Kind::number,
                  "How many milliseconds to wait for its end. By default: 30,000.", kLongestWait),
          in_body("idempotencyKey", Kind::text,
                  "Any text. A command that is sent again with the same key is not typed again.",
                  terminal::kLongestKey),
          held_lease(),
          if_idle(),
          in_body("untilOutput", Kind::flag,
                  "Answer once the command has printed something, not only at its end.")};
}

std::vector<ApiParameter> for_follow() {
  return {
      target(),
      required(
          in_query("since", Kind::number, "The offset that `exec` answered with.", kLargestOffset)),
      in_query("from", Kind::number,
               "Where the output goes on: `next` of the last answer. By default: its beginning.",
               kLargestOffset),
      in_query("timeout", Kind::number, "How many milliseconds to wait. By default: 30,000.",
               kLongestWait)};
}

std::vector<ApiParameter> for_wait() {
  ApiParameter quiet =
      in_query("quiet", Kind::number, "Wait until nothing was printed for that many milliseconds.",
               kLongestWait);
  quiet.least = 1;
  return {
      target(),
      in_query("text", Kind::text,
               "Wait until a line of the output matches this regular expression (RE2).", 1000),
      in_query("exit", Kind::flag, "Wait until the program ends."),
      in_query("prompt", Kind::flag, "Wait until the shell shows a prompt."),
      in_query("commandEnd", Kind::flag, "Wait until a command of the shell ends."),
      quiet,
      in_query("since", Kind::number,
               "Look at the output after this offset. By default: from now on.", kLargestOffset),
      in_query("timeout", Kind::number, "How many milliseconds to wait. By default: 30,000.",
               kLongestWait)};
}

std::vector<ApiParameter> for_events() {
  ApiParameter last{.name = "Last-Event-ID",
                    .in = In::header,
                    .kind = Kind::text,
                    .is_required = false,
                    .meaning = "Resume after the event with this id.",
                    .most = 64};
  return {last, in_query("past", Kind::flag, "Begin with the oldest event that is kept."),
          in_query("follow", Kind::flag, "By default: true. If false, end after the last event.")};
}

std::vector<ApiParameter> for_search() {
  ApiParameter limit =
      in_query("limit", Kind::number, "How many lines to answer with. By default: 100.", 1000);
  limit.least = 1;
  return {required(in_query("pattern", Kind::text,
                            "A regular expression (RE2) that lines must match.", 1000)),
          session_in(In::query, "Only the terminals of this session."),
          limit,
          in_query("ignoreCase", Kind::flag, "Capital and small letters are the same."),
          in_query("word", Kind::flag, "The pattern must not be a part of a longer word."),
          in_query("literal", Kind::flag, "The pattern is plain text.")};
}

std::vector<ApiParameter> for_run() {
  ApiParameter line =
      in_body("line", Kind::text, "`/command arguments`, such as /reload, or `! shell command`.");
  line.is_required = true;
  return {in_path("session", "The session."), line};
}

std::vector<ApiParameter> for_call_tool() {
  return {in_path("session", "The session."), in_path("tool", "The tool's name."),
          in_body("arguments", Kind::object, "What the tool's schema asks for.")};
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
       api::document},
      {"listTerminals",
       verb::get,
       "/terminals",
       "List terminals",
       {session_in(In::query, "Only the terminals of this session.")},
       status::ok,
       "Terminals",
       api::list},
      {"createTerminal", verb::post, "/terminals", "Create a terminal", for_create(),
       status::created, "Terminal", api::create},
      {"getTerminal",
       verb::get,
       "/terminals/{terminal}",
       "Describe a terminal",
       {target()},
       status::ok,
       "Terminal",
       api::show},
      {"renameTerminal",
       verb::patch,
       "/terminals/{terminal}",
       "Rename a terminal",
       {target(), name_for(true, "The new name. An empty one removes the name.")},
       status::ok,
       "Terminal",
       api::rename},
      {"closeTerminal",
       verb::delete_,
       "/terminals/{terminal}",
       "End the program, and close the terminal",
       {target()},
       status::ok,
       "Closed",
       api::close},
      {"restoreTerminal",
       verb::post,
       "/terminals/{terminal}/restore",
       "Start a restorable terminal again",
       {target(), side_of("rows", false, "By default: as before."),
        side_of("cols", false, "By default: as before.")},
       status::ok,
       "Terminal",
       api::restore},
      {"resizeTerminal",
       verb::post,
       "/terminals/{terminal}/resize",
       "Resize a terminal",
       {target(), side_of("rows", true, "The new height."),
        side_of("cols", true, "The new width.")},
       status::ok,
       "Terminal",
       api::resize},
      {"send", verb::post, "/terminals/{terminal}/send",
       "Type into a terminal. Answers with the offset at which the input was taken", for_send(),
       status::ok, "Offset", api::send},
      {"notify", verb::post, "/terminals/{terminal}/notify",
       "Tell people what the program in a terminal does", for_notify(), status::ok, "Terminal",
       api::notify},
      {"lease", verb::post, "/terminals/{terminal}/lease",
       "Hold the keyboard: other programs' input is refused until the lease ends. A person who "
       "types ends it",
       for_lease(), status::ok, "Lease", api::lease},
      {"releaseLease", verb::delete_, "/terminals/{terminal}/lease", "Release the keyboard",
       for_release(), status::ok, "Released", api::release},
      {"capture", verb::get, "/terminals/{terminal}/capture", "Read the screen", for_capture(),
       status::ok, "Capture", api::capture},
      {"wait", verb::get, "/terminals/{terminal}/wait",
       "Wait for output, for quiet, or for the end of the program", for_wait(), status::ok,
       "Waited", api::wait, true},
      {"events", verb::get, "/events",
       "Follow what happens to terminals and sessions, as server-sent events", for_events(),
       status::ok, "Events", api::events, true, "text/event-stream"},
      {"listCommands", verb::get, "/terminals/{terminal}/commands",
       "List the commands that the shell ran", for_commands(), status::ok, "Commands",
       api::commands},
      {"exec", verb::post, "/terminals/{terminal}/exec",
       "Run a command at the shell's prompt, and wait for its end", for_exec(), status::ok,
       "Execution", api::exec, true},
      {"followExec", verb::get, "/terminals/{terminal}/exec",
       "Wait for more output of such a command, or for its end", for_follow(), status::ok,
       "Execution", api::follow, true},
      {"search", verb::get, "/search", "Find lines in screens and histories", for_search(),
       status::ok, "Found", api::search, true},
      {"listSessions",
       verb::get,
       "/sessions",
       "List sessions",
       {},
       status::ok,
       "Sessions",
       api::sessions},
      {"createSession",
       verb::post,
       "/sessions",
       "Create a session",
       {name_for(true, "The name of the session.")},
       status::created,
       "Session",
       api::create_session},
      {"renameSession",
       verb::patch,
       "/sessions/{session}",
       "Rename a session",
       {in_path("session", "The session."), name_for(true, "The new name.")},
       status::ok,
       "Name",
       api::rename_session},
      {"closeSession",
       verb::delete_,
       "/sessions/{session}",
       "Close a session and all its terminals",
       {in_path("session", "The session.")},
       status::ok,
       "Name",
       api::close_session},
      {"run", verb::post, "/sessions/{session}/run",
       "Run a command of an extension or a shell command in a session, and wait for its end",
       for_run(), status::ok, "RunResult", api::run, true},
      {"listTools",
       verb::get,
       "/sessions/{session}/tools",
       "List the tools that the session's extensions offer",
       {in_path("session", "The session.")},
       status::ok,
       "Tools",
       api::tools},
      {"callTool", verb::post, "/sessions/{session}/tools/{tool}", "Call a tool of an extension",
       for_call_tool(), status::ok, "ToolResult", api::call_tool, true},
      {"listResources",
       verb::get,
       "/sessions/{session}/resources",
       "List what the session's extensions hold",
       {in_path("session", "The session.")},
       status::ok,
       "Resources",
       api::resources},
  };
}

}  // namespace

const std::vector<ApiOperation>& api_operations() {
  static const std::vector<ApiOperation> kOperations = table();
  return kOperations;
}

}  // namespace http
