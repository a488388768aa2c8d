// Every route and every WebSocket, asked for by everybody.

#include <map>

#include "access/access_table.h"
#include "end_to_end/protocol_fixture.h"
#include "http/api.h"
#include "http/mcp.h"
#include "http/routes.h"
#include "http/server.h"

namespace ways_in {
namespace {

using namespace e2e;

class HttpAccessTest : public ProtocolTest {
 protected:
  void SetUp() override {
    ProtocolTest::SetUp();
    serve({"--failed-sign-in-limit", "10000"});
    other_ = token_of("bob");
    owner_ = token_of("ada");
    view_ = token_with({"--view"});
    make("beyond");
    beyond_ = {.terminal = token_with({"--view", "--terminal", "beyond"}),
               .session = token_with({"--session", "beyond"})};
    expired_ = token_with({"--expires", "1s"});
    revoked_ = token_with({"--name", "revoked"});
    const auto listed = json::parse(run({"token", "ls", "--json"}).output).at("tokens");
    for (const json::value& each : listed.as_array())
      if (string_at(each.as_object(), "name") == "revoked") {
        EXPECT_EQ(run({"token", "revoke", string_at(each.as_object(), "id")}).status, 0);
      }
    for (const std::string& token : {expired_, revoked_})
      EXPECT_TRUE(eventually([&] { return ask("GET", "/sign-in", bearer(token)).status == 401; }));
  }

  // One of the owner's, with less scope.
  std::string token_with(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"token", "new", "--user", "ada"});
    const auto made = run(arguments);
    EXPECT_EQ(made.status, 0) << made.output;
    return made.output.substr(0, made.output.size() - 1);
  }
  // Makes a session and in it a terminal of that name, if they are not there.
  void make(const std::string& name) {
    Headers owner = bearer(owner_);
    owner.emplace_back("Content-Type", "application/json");
    (void)ask("POST", "/api/v1/sessions", owner, json::serialize(json::object{{"name", name}}));
    (void)ask("POST", "/api/v1/terminals", owner,
              json::serialize(
                  json::object{{"terminalId", name}, {"session", name}, {"command", {"cat"}}}));
  }

  [[nodiscard]] HttpResponse ask(const std::string& method, const std::string& target,
                                 const Headers& headers, const std::string& body = {}) const {
    return http_request(port(), method, target, headers, body);
  }
  [[nodiscard]] Headers own_page(Headers headers = {}) const {
    headers.emplace_back("Origin", "http://127.0.0.1:" + std::to_string(port()));
    headers.emplace_back("Sec-Fetch-Site", "same-origin");
    return headers;
  }
  // A browser that signed in with that token.
  [[nodiscard]] Headers browser(const std::string& token) const {
    const auto answer =
        ask("POST", "/sign-in", own_page(), json::serialize(json::object{{"token", token}}));
    if (answer.status != 200) return {};
    const std::string cookie = answer.header("Set-Cookie");
    return own_page(
        {{"Cookie", cookie.substr(0, cookie.find(';'))},
         {"X-Holdfast-Secret", string_at(json::parse(answer.body).as_object(), "secret")}});
  }
  [[nodiscard]] std::vector<std::string> sign_ins_of(const std::string& token) const {
    std::vector<std::string> ids;
    const auto listed = json::parse(ask("GET", "/sign-ins", bearer(token)).body);
    for (const json::value& each : listed.as_array())
      ids.push_back(string_at(each.as_object(), "id"));
    return ids;
  }
  // In the folder of the session that one of the tokens is bound to.
  [[nodiscard]] HttpResponse ask_for_file(const std::string& method, std::string target,
                                          const std::string& token) const {
    if (target == "/files/")
      target += "0123456789abcdef?terminal=beyond&name=file&size=0&offset=0";
    else
      target += "?terminal=beyond&path=file";
    return ask(method, target, token.empty() ? Headers{} : bearer(token));
  }
  // What is sent for a row: most are what they are called.
  [[nodiscard]] HttpResponse ask_for(const std::string& what, const std::string& token) const {
    const std::string method = what.substr(0, what.find(' '));
    std::string target = what.substr(method.size() + 1);
    if (what == "POST /sign-in")
      return ask(method, target, own_page(), json::serialize(json::object{{"token", token}}));
    if (what == "POST /mcp")
      return ask(method, target, token.empty() ? Headers{} : bearer(token),
                 R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})");
    if (what == "POST /sign-out") return ask(method, target, browser(token));
    if (target.starts_with("/files")) return ask_for_file(method, target, token);
    if (what == "DELETE /sign-ins/") target += sign_ins_of(owner_).front();
    return ask(method, target, token.empty() ? Headers{} : bearer(token));
  }

  std::string other_;
  std::string owner_;
  std::string view_;
  std::string expired_;
  std::string revoked_;
  struct {
    std::string terminal;  // View-only.
    std::string session;
  } beyond_;  // Bound to the terminal and the session "beyond".
};

TEST_F(HttpAccessTest, EveryRoute) {
  std::vector<std::string> names{"GET /"};
  for (const http::RouteName& route : http::Server::routes())
    names.push_back(route.method + " " + route.path);
  expect_rows("HTTP", names);
  for (const Row& row : rows_of("HTTP")) {
    const Headers owners_browser = browser(owner_);
    const auto sign_ins = sign_ins_of(owner_);
    const auto expect = [&](const std::string& token, Gets gets, const char* who) {
      const HttpResponse answer = ask_for(row.what, token);
      EXPECT_EQ(answer.status / 100 == 2, gets != Gets::no)
          << row.what << ", " << who << ": " << answer.status << " " << answer.body;
      if (gets != Gets::own) return;
      for (const std::string& id : sign_ins)
        EXPECT_EQ(answer.body.find(id), std::string::npos) << row.what << ", " << who;
    };
    expect("", row.nobody, "nobody");
    expect(other_, row.other, "another user");
    expect(view_, row.view, "view");
    expect(expired_, row.nobody, "expired");
    expect(revoked_, row.nobody, "revoked");
    expect(beyond_.terminal, row.terminal, "bound to a terminal");
    expect(beyond_.session, row.session, "bound to a session");
    // Whatever the others did, the owner's browser is still signed in.
    EXPECT_EQ(ask("GET", "/sign-in", owners_browser).status, 200) << row.what;
    expect(owner_, row.owner, "the owner");
  }
}

// What an operation of the API is sent, besides its path.
std::string body_for(const std::string& what) {
  static const std::map<std::string, std::string> kBodies{
      {"PATCH /terminals/{terminal}", R"({"name":"named"})"},
      {"POST /terminals/{terminal}/resize", R"({"rows":24,"cols":80})"},
      {"POST /terminals/{terminal}/send", R"({"enter":true})"},
      {"POST /terminals/{terminal}/notify", R"({"text":"hello"})"},
      {"POST /terminals/{terminal}/exec", R"({"text":"true","timeout":0})"},
      {"POST /sessions", R"({"name":"another"})"},
      {"PATCH /sessions/{session}", R"({"name":"renamed"})"},
      {"POST /sessions/{session}/run", R"({"line":"! true"})"},
  };
  const auto found = kBodies.find(what);
  return found == kBodies.end() ? "" : found->second;
}

std::string replaced(std::string text, const std::string& part, const std::string& by) {
  if (const auto at = text.find(part); at != std::string::npos) text.replace(at, part.size(), by);
  return text;
}

TEST_F(HttpAccessTest, EveryOperationOfTheApi) {
  std::vector<std::string> names;
  for (const http::ApiOperation& operation : http::api_operations())
    names.push_back(std::string(operation.name_of_method()) + " " + std::string(operation.path));
  expect_rows("HTTP API", names);
  const auto call = [&](const std::string& what, const std::string& token) {
    const std::string method = what.substr(0, what.find(' '));
    std::string path = replaced(what.substr(method.size() + 1), "{terminal}", "adas");
    path = "/api/v1" + replaced(replaced(path, "{session}", "adas"), "{tool}", "none");
    if (what.starts_with("GET") && path.ends_with("/exec")) path += "?since=0&timeout=0";
    if (path.ends_with("/wait")) path += "?exit=true&timeout=0";
    if (path.ends_with("/events")) path += "?follow=false";
    if (what.starts_with("DELETE") && path.ends_with("/lease")) path += "?lease=none";
    if (path.ends_with("/search")) path += "?pattern=x";
    Headers headers = token.empty() ? Headers{} : bearer(token);
    headers.emplace_back("Content-Type", "application/json");
    return ask(method, path, headers, body_for(what));
  };
  for (const Row& row : rows_of("HTTP API")) {
    make("adas");  // Each row finds both, whatever the rows before it did.
    // `hidden` is what must not show where the asker gets its own.
    const auto expect = [&](const std::string& token, Gets gets, const char* who,
                            const std::string& hidden = "adas") {
      const HttpResponse answer = call(row.what, token);
      // A terminal that runs cannot be restored, and there are no tools; whoever learns that was
      // let in.
      const bool is_in = answer.status / 100 == 2 || answer.status == 409 ||
                         answer.body.find("there is no tool none") != std::string::npos;
      EXPECT_EQ(is_in, gets != Gets::no)
          << row.what << ", " << who << ": " << answer.status << " " << answer.body;
      if (gets != Gets::own) return;
      EXPECT_EQ(answer.body.find(hidden), std::string::npos) << row.what << ", " << who;
    };
    expect("", row.nobody, "nobody");
    expect(expired_, row.nobody, "expired");
    expect(revoked_, row.nobody, "revoked");
    expect(other_, row.other, "another user");
    expect(view_, row.view, "view");
    expect(beyond_.terminal, elsewhere(row.terminal, row), "bound to another terminal");
    expect(beyond_.session, elsewhere(row.session, row), "bound to another session");
    expect(token_with({"--view", "--terminal", "adas"}), row.terminal, "bound to the terminal",
           "beyond");
    expect(token_with({"--session", "adas"}), row.session, "bound to the session", "beyond");
    (void)ask("DELETE", "/api/v1/sessions/renamed", bearer(owner_));
    make("adas");
    expect(owner_, row.owner, "the owner");
    (void)ask("DELETE", "/api/v1/sessions/renamed", bearer(owner_));
  }
}

TEST_F(HttpAccessTest, EveryTool) {
  static const std::map<std::string, std::string> kArguments{
      {"terminal_list", "{}"},
      {"terminal_create", "{}"},
      {"terminal_send", R"({"terminal":"adas","enter":true})"},
      {"terminal_wait", R"({"terminal":"adas","exit":true,"timeout":0})"},
      {"terminal_run", R"({"terminal":"adas","command":"true"})"},
      {"search", R"({"pattern":"adas"})"},
  };
  std::vector<std::string> names;
  for (const http::mcp::Tool& tool : http::mcp::tools()) names.emplace_back(tool.name);
  expect_rows("MCP", names);
  for (const Row& row : rows_of("MCP")) {
    make("adas");
    const auto arguments = kArguments.find(row.what);
    const std::string body =
        R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":")" + row.what +
        R"(","arguments":)" +
        (arguments == kArguments.end() ? R"({"terminal":"adas"})" : arguments->second) + "}}";
    const auto expect = [&](const std::string& token, Gets gets, const char* who,
                            const std::string& hidden = "adas") {
      const HttpResponse answer =
          ask("POST", "/mcp", token.empty() ? Headers{} : bearer(token), body);
      // Nothing can be run in cat; whoever learns that was let in.
      const bool is_in = answer.status == 200 &&
                         (answer.body.find(R"("isError":false)") != std::string::npos ||
                          answer.body.find("does not mark its prompts") != std::string::npos);
      EXPECT_EQ(is_in, gets != Gets::no)
          << row.what << ", " << who << ": " << answer.status << " " << answer.body;
      if (gets != Gets::own) return;
      EXPECT_EQ(answer.body.find(hidden), std::string::npos) << row.what << ", " << who;
    };
    expect("", row.nobody, "nobody");
    expect(expired_, row.nobody, "expired");
    expect(revoked_, row.nobody, "revoked");
    expect(other_, row.other, "another user");
    expect(view_, row.view, "view");
    expect(beyond_.terminal, elsewhere(row.terminal, row), "bound to another terminal");
    expect(beyond_.session, elsewhere(row.session, row), "bound to another session");
    expect(token_with({"--view", "--terminal", "adas"}), row.terminal, "bound to the terminal",
           "beyond");
    expect(token_with({"--session", "adas"}), row.session, "bound to the session", "beyond");
    make("adas");
    expect(owner_, row.owner, "the owner");
  }
}

TEST_F(HttpAccessTest, EveryWebSocket) {
  expect_rows("WebSocket", {std::string(http::kNativePath), std::string(http::kCompatiblePath),
                            std::string(http::kSinglePath)});
  for (const Row& row : rows_of("WebSocket")) {
    const auto expect = [&](const Headers& headers, Gets gets, const char* who) {
      const int status =
          upgrade_status(port(), row.what, headers, row.what == "/ws" ? "holdfast.v1" : "");
      EXPECT_EQ(status == 101, gets != Gets::no) << row.what << ", " << who << ": " << status;
    };
    expect({}, row.nobody, "nobody");
    expect(bearer(other_), row.other, "another user");
    expect(bearer(view_), row.view, "view");
    expect(bearer(expired_), row.nobody, "expired");
    expect(bearer(revoked_), row.nobody, "revoked");
    expect(bearer(beyond_.terminal), row.terminal, "bound to a terminal");
    expect(bearer(beyond_.session), row.session, "bound to a session");
    expect(bearer(owner_), row.owner, "the owner");
  }
}

}  // namespace
}  // namespace ways_in
