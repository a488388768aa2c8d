#include "access/access_table.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace ways_in {
namespace {

constexpr Gets no = Gets::no;
constexpr Gets own = Gets::own;
constexpr Gets yes = Gets::yes;

}  // namespace

const std::vector<Row>& rows() {
  static const std::vector<Row> kRows{
      {"HTTP", "GET /health", yes, yes, yes, yes, yes, yes},
      {"HTTP", "GET /metrics", no, yes, yes, no, no, yes},
      {"HTTP", "POST /sign-in", no, own, yes, own, own, yes},
      {"HTTP", "GET /sign-in", no, own, yes, own, own, yes},
      {"HTTP", "POST /sign-out", no, own, yes, own, own, yes},
      {"HTTP", "GET /sign-ins", no, own, yes, no, no, yes},
      {"HTTP", "DELETE /sign-ins", no, own, no, no, no, yes},
      {"HTTP", "DELETE /sign-ins/", no, no, no, no, no, yes},
      {"HTTP", "POST /link", no, no, no, no, no, no},
      {"HTTP", "POST /mcp", no, own, yes, own, own, yes},
      {"HTTP", "PUT /files/", no, no, no, no, yes, yes},
      {"HTTP", "GET /files/", no, no, no, no, yes, yes},
      {"HTTP", "DELETE /files/", no, no, no, no, yes, yes},
      {"HTTP", "GET /files", no, no, no, no, yes, yes},
      {"HTTP", "GET /", no, yes, yes, yes, yes, yes},

      {"HTTP API", "GET /openapi.json", no, yes, yes, yes, yes, yes},
      {"HTTP API", "GET /terminals", no, own, yes, own, own, yes},
      {"HTTP API", "POST /terminals", no, own, no, no, own, yes},
      {"HTTP API", "GET /terminals/{terminal}", no, no, yes, yes, yes, yes},
      {"HTTP API", "PATCH /terminals/{terminal}", no, no, no, no, yes, yes},
      {"HTTP API", "DELETE /terminals/{terminal}", no, no, no, no, yes, yes},
      {"HTTP API", "POST /terminals/{terminal}/restore", no, no, no, no, yes, yes},
      {"HTTP API", "POST /terminals/{terminal}/resize", no, no, no, no, yes, yes},
      {"HTTP API", "POST /terminals/{terminal}/send", no, no, no, no, yes, yes},
      {"HTTP API", "POST /terminals/{terminal}/notify", no, no, no, no, yes, yes},
      {"HTTP API", "POST /terminals/{terminal}/lease", no, no, no, no, yes, yes},
      {"HTTP API", "DELETE /terminals/{terminal}/lease", no, no, no, no, yes, yes},
      {"HTTP API", "GET /terminals/{terminal}/capture", no, no, yes, yes, yes, yes},
      {"HTTP API", "GET /terminals/{terminal}/wait", no, no, yes, yes, yes, yes},
      {"HTTP API", "GET /search", no, own, yes, own, own, yes},
      {"HTTP API", "GET /terminals/{terminal}/commands", no, no, yes, yes, yes, yes},
      {"HTTP API", "POST /terminals/{terminal}/exec", no, no, no, no, yes, yes},
      {"HTTP API", "GET /terminals/{terminal}/exec", no, no, yes, yes, yes, yes},
      {"HTTP API", "GET /events", no, own, yes, own, own, yes},
      {"HTTP API", "GET /sessions", no, own, yes, own, own, yes},
      {"HTTP API", "POST /sessions", no, own, no, no, no, yes},
      {"HTTP API", "PATCH /sessions/{session}", no, no, no, no, yes, yes},
      {"HTTP API", "DELETE /sessions/{session}", no, no, no, no, yes, yes},
      {"HTTP API", "POST /sessions/{session}/run", no, no, no, no, yes, yes},
      {"HTTP API", "GET /sessions/{session}/tools", no, no, yes, no, yes, yes},
      {"HTTP API", "POST /sessions/{session}/tools/{tool}", no, no, no, no, yes, yes},
      {"HTTP API", "GET /sessions/{session}/resources", no, no, yes, no, yes, yes},

      {"MCP", "terminal_list", no, own, yes, own, own, yes},
      {"MCP", "terminal_create", no, own, no, no, own, yes},
      {"MCP", "terminal_send", no, no, no, no, yes, yes},
      {"MCP", "terminal_read", no, no, yes, yes, yes, yes},
      {"MCP", "terminal_wait", no, no, yes, yes, yes, yes},
      {"MCP", "terminal_run", no, no, no, no, yes, yes},
      {"MCP", "terminal_close", no, no, no, no, yes, yes},
      {"MCP", "commands", no, no, yes, yes, yes, yes},
      {"MCP", "search", no, own, yes, own, own, yes},

      {"WebSocket", "/ws", no, own, yes, own, own, yes},
      {"WebSocket", "/terminal/ws/multi", no, own, yes, own, own, yes},
      {"WebSocket", "/terminal/ws", no, own, no, no, own, yes},

      {"native protocol", "list", no, own, yes, own, own, yes},
      {"native protocol", "sessions", no, own, yes, own, own, yes},
      {"native protocol", "ping", no, yes, yes, yes, yes, yes},
      {"native protocol", "attach", no, no, yes, yes, yes, yes},
      {"native protocol", "detach", no, no, yes, yes, yes, yes},
      {"native protocol", "resize", no, no, yes, yes, yes, yes},
      {"native protocol", "focus", no, no, yes, yes, yes, yes},
      {"native protocol", "hide", no, no, yes, yes, yes, yes},
      {"native protocol", "show", no, no, yes, yes, yes, yes},
      {"native protocol", "role", no, no, no, no, yes, yes},
      {"native protocol", "theme", no, own, yes, own, own, yes},
      {"native protocol", "create", no, own, no, no, own, yes},
      {"native protocol", "restore", no, no, no, no, yes, yes},
      {"native protocol", "rename", no, no, no, no, yes, yes},
      {"native protocol", "send", no, no, no, no, yes, yes},
      {"native protocol", "lease", no, no, no, no, yes, yes},
      {"native protocol", "release", no, no, no, no, yes, yes},
      {"native protocol", "reorder", no, no, no, no, yes, yes},
      {"native protocol", "close", no, no, no, no, yes, yes},
      {"native protocol", "commands_of", no, no, yes, yes, yes, yes},
      {"native protocol", "command_output", no, no, yes, yes, yes, yes},
      {"native protocol", "search", no, own, yes, own, own, yes},
      {"native protocol", "notices", no, own, yes, own, own, yes},
      {"native protocol", "overview", no, own, yes, own, own, yes},
      {"native protocol", "session_create", no, own, no, no, no, yes},
      {"native protocol", "session_rename", no, no, no, no, yes, yes},
      {"native protocol", "session_close", no, no, no, no, yes, yes},
      {"native protocol", "session_switch", no, no, no, no, yes, yes},
      {"native protocol", "commands", no, no, yes, no, yes, yes},
      {"native protocol", "run", no, no, no, no, yes, yes},
      {"native protocol", "tools", no, no, yes, no, yes, yes},
      {"native protocol", "tool", no, no, no, no, yes, yes},
      {"native protocol", "cancel", no, own, yes, yes, yes, yes},
      {"native protocol", "ui_answer", no, own, no, no, yes, yes},
      {"native protocol", "resources", no, no, yes, no, yes, yes},
      {"native protocol", "resource_close", no, no, no, no, yes, yes},
      {"native protocol", "preferences", no, no, yes, no, yes, yes},
      {"native protocol", "preference_set", no, no, no, no, yes, yes},
      {"native protocol", "agent_attach", no, no, no, no, yes, yes},
      {"native protocol", "agent_state", no, no, no, no, yes, yes},
      {"native protocol", "agent_event", no, no, no, no, yes, yes},
      {"native protocol", "agent_result", no, no, no, no, yes, yes},
      {"native protocol", "agent_detach", no, no, no, no, yes, yes},
      {"native protocol", "frame 3, input", no, no, no, no, yes, yes},
      {"native protocol", "frame 4, ack", no, no, yes, yes, yes, yes},
      {"native protocol", "frame 5, paste", no, no, no, no, yes, yes},

      {"compatible protocol", "list_sessions", no, own, yes, own, own, yes},
      {"compatible protocol", "ping", no, yes, yes, yes, yes, yes},
      {"compatible protocol", "reattach_session", no, no, yes, yes, yes, yes},
      {"compatible protocol", "input", no, no, no, no, yes, yes},
      {"compatible protocol", "resize", no, no, no, no, yes, yes},
      {"compatible protocol", "create_session", no, own, no, no, own, yes},
      {"compatible protocol", "rename_session", no, no, no, no, yes, yes},
      {"compatible protocol", "close_session", no, no, no, no, yes, yes},

      {"single protocol", "input", no, own, no, no, own, yes},
      {"single protocol", "resize", no, own, no, no, own, yes},
      {"single protocol", "ping", no, own, no, no, own, yes},

      {"socket", "daemon.sock", no, no, no, no, no, yes},
      {"socket", "control.sock", no, no, no, no, no, yes},
      {"socket", "runner.sock", no, no, no, no, no, yes},
      {"socket", "keeper.sock", no, no, no, no, no, yes},

      {"control socket", "status", no, no, no, no, no, yes},
      {"control socket", "upgrade", no, no, no, no, no, yes},

      {"command", "ls", no, no, no, no, no, yes},
      {"command", "new", no, no, no, no, no, yes},
      {"command", "send", no, no, no, no, no, yes},
      {"command", "lease", no, no, no, no, no, yes},
      {"command", "events", no, no, no, no, no, yes},
      {"command", "capture", no, no, no, no, no, yes},
      {"command", "wait", no, no, no, no, no, yes},
      {"command", "exec", no, no, no, no, no, yes},
      {"command", "commands", no, no, no, no, no, yes},
      {"command", "notify", no, no, no, no, no, yes},
      {"command", "rename", no, no, no, no, no, yes},
      {"command", "resize", no, no, no, no, no, yes},
      {"command", "restore", no, no, no, no, no, yes},
      {"command", "kill", no, no, no, no, no, yes},
      {"command", "sessions", no, no, no, no, no, yes},
      {"command", "mcp", no, no, no, no, no, yes},
      {"command", "share", no, no, no, no, no, yes},
      {"command", "login", no, no, no, no, no, yes},
      {"command", "logout", no, no, no, no, no, yes},
      {"command", "serve", no, no, no, no, no, yes},
      {"command", "config", no, no, no, no, no, yes},
      {"command", "link", no, no, no, no, no, yes},
      {"command", "sign-ins", no, no, no, no, no, yes},
      {"command", "token", no, no, no, no, no, yes},
      {"command", "trust", no, no, no, no, no, yes},
      {"command", "stop", no, no, no, no, no, yes},
      {"command", "upgrade", no, no, no, no, no, yes},
      {"command", "run", no, no, no, no, no, yes},
      {"command", "attach", no, no, no, no, no, yes},
      {"command", "env", no, no, no, no, no, yes},
      {"command", "record", no, no, no, no, no, yes},
      {"command", "play", no, no, no, no, no, yes},
      {"command", "search", no, no, no, no, no, yes},
      {"command", "status", no, no, no, no, no, yes},
      {"command", "doctor", no, no, no, no, no, yes},
      {"command", "logs", no, no, no, no, no, yes},
      {"command", "resources", no, no, no, no, no, yes},
      {"command", "reload", no, no, no, no, no, yes},
      {"command", "extension", no, no, no, no, no, yes},
      {"command", "skill", yes, yes, yes, yes, yes, yes},
      {"command", "completions", yes, yes, yes, yes, yes, yes},
      {"command", "man", yes, yes, yes, yes, yes, yes},
      {"command", "help", yes, yes, yes, yes, yes, yes},
  };
  return kRows;
}

std::vector<Row> rows_of(std::string_view where) {
  std::vector<Row> found;
  for (const Row& row : rows())
    if (row.where == where) found.push_back(row);
  return found;
}

void expect_rows(std::string_view where, std::vector<std::string> names) {
  std::vector<std::string> in_table;
  for (const Row& row : rows_of(where)) in_table.push_back(row.what);
  std::ranges::sort(names);
  std::ranges::sort(in_table);
  EXPECT_EQ(names, in_table) << where << ": each needs a row in tests/access/access_table.cc";
}

std::string_view to_string(Gets gets) {
  switch (gets) {
    case Gets::no:
      return "no";
    case Gets::own:
      return "their own";
    case Gets::yes:
      return "yes";
  }
  return "no";
}

constexpr std::string_view kIntroduction = R"(# Every way in

What each kind of asker gets, wherever it asks. The table is made from
`tests/access/access_table.cc`, and the tests beside it ask a running daemon for every row in every
column. A route, message, command or socket without a row fails them.

- *Nobody* has no credential; at sockets and commands it is another account of the machine.
- *Another user* has a credential of their own.
- *View* is a view-only token of the owner's.
- *Terminal* is a view-only token of the owner's that is bound to the terminal in question, and
  *session* is a token that is bound to its session. Bound to another one, each gets at most what
  another user gets.
- An expired or revoked token gets what nobody gets.
- "their own" means that it works, with the asker's own things alone; "no" means that it is refused,
  or told that there is no such thing.

The keeper's socket and the runner's have messages of their own. Only the daemon that owns the
children may send the keeper anything but `hello`, `list` and `upgrade`, and only the process that
the keeper started as a runner may ask the daemon for anything. `POST /link` answers on the daemon's
socket alone.
)";

std::string as_document() {
  std::string text(kIntroduction);
  std::string_view where;
  for (const Row& row : rows()) {
    if (row.where != where) {
      where = row.where;
      text += "\n## " + row.where +
              "\n\n| | nobody | another user | view | terminal | session | owner "
              "|\n|---|---|---|---|---|---|---|\n";
    }
    text += "| `" + row.what + "` |";
    for (const Gets gets : {row.nobody, row.other, row.view, row.terminal, row.session, row.owner})
      text += " " + std::string(to_string(gets)) + " |";
    text += "\n";
  }
  return text;
}

}  // namespace ways_in
