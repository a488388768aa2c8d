// The table of the API's operations.

#include "http/api.h"
#include "http/api_calls.h"
#include "wire/limits.h"

namespace http {

using boost::beast::http::status;
using boost::beast::http::verb;
using In = ApiParameter::In;
using Kind = ApiParameter::Kind;

namespace {

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
       api::document},
      {"listTerminals",
       verb::get,
       "/terminals",
       "List terminals",
       {session_in(In::query, false, "Only the terminals of this session.")},
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
       {target(), name_for(true, "The new name. An empty one takes the name away.")},
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
      {"capture", verb::get, "/terminals/{terminal}/capture", "Read the screen", for_capture(),
       status::ok, "Capture", api::capture},
      {"wait", verb::get, "/terminals/{terminal}/wait",
       "Wait for output, for quiet, or for the end of the program", for_wait(), status::ok,
       "Waited", api::wait, true},
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
       {session_in(In::path, true, "The session."), name_for(true, "The new name.")},
       status::ok,
       "Name",
       api::rename_session},
      {"closeSession",
       verb::delete_,
       "/sessions/{session}",
       "Close a session and all its terminals",
       {session_in(In::path, true, "The session.")},
       status::ok,
       "Name",
       api::close_session},
  };
}

}  // namespace

const std::vector<ApiOperation>& api_operations() {
  static const std::vector<ApiOperation> kOperations = table();
  return kOperations;
}

}  // namespace http
