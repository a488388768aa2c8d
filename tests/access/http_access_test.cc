// Every route and every WebSocket, asked for by everybody.

#include <map>

#include "access/access_table.h"
#include "end_to_end/protocol_fixture.h"
#include "http/api.h"
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
    const auto made = run({"token", "new", "--user", "ada", "--view"});
    view_ = made.output.substr(0, made.output.size() - 1);
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
  // What is sent for a row: most are what they are called.
  [[nodiscard]] HttpResponse ask_for(const std::string& what, const std::string& token) const {
    const std::string method = what.substr(0, what.find(' '));
    std::string target = what.substr(method.size() + 1);
    if (what == "POST /sign-in")
      return ask(method, target, own_page(), json::serialize(json::object{{"token", token}}));
    if (what == "POST /sign-out") return ask(method, target, browser(token));
    if (what == "DELETE /sign-ins/") target += sign_ins_of(owner_).front();
    return ask(method, target, token.empty() ? Headers{} : bearer(token));
  }

  std::string other_;
  std::string owner_;
  std::string view_;
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
      {"POST /sessions", R"({"name":"another"})"},
      {"PATCH /sessions/{session}", R"({"name":"renamed"})"},
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
    path = "/api/v1" + replaced(path, "{session}", "adas");
    if (path.ends_with("/wait")) path += "?exit=true&timeout=0";
    Headers headers = token.empty() ? Headers{} : bearer(token);
    headers.emplace_back("Content-Type", "application/json");
    return ask(method, path, headers, body_for(what));
  };
  for (const Row& row : rows_of("HTTP API")) {
    // Each row finds both, whatever the rows before it did.
    Headers owner = bearer(owner_);
    owner.emplace_back("Content-Type", "application/json");
    (void)ask("POST", "/api/v1/terminals", owner, R"({"terminalId":"adas","command":["cat"]})");
    (void)ask("POST", "/api/v1/sessions", owner, R"({"name":"adas"})");
    const auto expect = [&](const std::string& token, Gets gets, const char* who) {
      const HttpResponse answer = call(row.what, token);
      // A terminal that runs cannot be restored; whoever learns that was let in.
      const bool is_in = answer.status / 100 == 2 || answer.status == 409;
      EXPECT_EQ(is_in, gets != Gets::no)
          << row.what << ", " << who << ": " << answer.status << " " << answer.body;
      if (gets != Gets::own) return;
      EXPECT_EQ(answer.body.find("adas"), std::string::npos) << row.what << ", " << who;
    };
    expect("", row.nobody, "nobody");
    expect(other_, row.other, "another user");
    expect(view_, row.view, "view");
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
    expect(bearer(owner_), row.owner, "the owner");
  }
}

}  // namespace
}  // namespace ways_in
