// `holdfast share`: a link for somebody else, to one terminal alone. What the page does with it is
// in tests/browser.

#include "end_to_end/native_fixture.h"

namespace e2e {
namespace {

class ShareTest : public NativeTest {
 protected:
  void SetUp() override {
    NativeTest::SetUp();
    serve();
    NativePeer owner = native_peer();
    owner.ask("create", terminal("shown"));
    owner.ask("create", terminal("hidden"));
  }
  std::string share(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "share");
    const auto outcome = run(arguments);
    EXPECT_EQ(outcome.status, 0) << outcome.output;
    return outcome.output.substr(0, outcome.output.find('\n'));
  }
  // What the page does with a link; empty if it is refused.
  Headers opened(const std::string& link) {
    const std::string origin = "http://127.0.0.1:" + std::to_string(port());
    const std::string code = link.substr(link.find("#code=") + 6);
    const auto answer = http_request(port(), "POST", "/sign-in",
                                     {{"Origin", origin}, {"Sec-Fetch-Site", "same-origin"}},
                                     json::serialize(json::object{{"code", code}}));
    if (answer.status != 200) return {};
    const std::string cookie = answer.header("Set-Cookie");
    return {{"Origin", origin},
            {"Cookie", cookie.substr(0, cookie.find(';'))},
            {"X-Holdfast-Secret", string_at(json::parse(answer.body).as_object(), "secret")}};
  }
  HttpResponse ask(const std::string& method, const std::string& target, Headers headers,
                   const std::string& body = {}) {
    headers.emplace_back("Content-Type", "application/json");
    return http_request(port(), method, "/api/v1" + target, headers, body);
  }
  json::object listed_share() {
    const auto list = json::parse(run({"token", "ls", "--json"}).output).at("tokens");
    for (const json::value& each : list.as_array())
      if (string_at(each.as_object(), "name") == "share") return each.as_object();
    return {};
  }
};

TEST_F(ShareTest, ALinkShowsOneTerminalOnceAndNothingElse) {
  const std::string link = share({"shown"});
  EXPECT_TRUE(link.starts_with("http://127.0.0.1:" + std::to_string(port()) + "/#code=")) << link;
  const Headers guest = opened(link);
  ASSERT_FALSE(guest.empty());
  EXPECT_TRUE(opened(link).empty()) << "it works once";
  const auto list = ask("GET", "/terminals", guest);
  EXPECT_NE(list.body.find("shown"), std::string::npos) << list.body;
  EXPECT_EQ(list.body.find("hidden"), std::string::npos) << list.body;
  EXPECT_EQ(ask("GET", "/terminals/shown/capture", guest).status, 200);
  EXPECT_EQ(ask("GET", "/terminals/hidden/capture", guest).status, 404);
  EXPECT_EQ(ask("POST", "/terminals/shown/send", guest, R"({"enter":true})").status, 403);
  EXPECT_EQ(http_request(port(), "POST", "/link", guest).status, 403);
}

TEST_F(ShareTest, ControlTypesButMakesNothing) {
  const Headers guest = opened(share({"shown", "--control", "--for", "10m"}));
  ASSERT_FALSE(guest.empty());
  EXPECT_EQ(ask("POST", "/terminals/shown/send", guest, R"({"enter":true})").status, 200);
  EXPECT_EQ(ask("POST", "/terminals/hidden/send", guest, R"({"enter":true})").status, 404);
  EXPECT_EQ(ask("POST", "/terminals", guest).status, 403);
}

TEST_F(ShareTest, ItIsListedWithItsLastUseAndRevokedLikeAToken) {
  const std::string unused = share({"shown"});
  const std::string id = string_at(listed_share(), "id");
  EXPECT_FALSE(listed_share().contains("lastUsed"));
  ASSERT_EQ(run({"token", "revoke", id}).status, 0);
  EXPECT_TRUE(opened(unused).empty()) << "an unused link ends, too";

  const Headers guest = opened(share({"shown"}));
  WebSocketClient connection(port(), "/terminal/ws/multi", guest);
  EXPECT_EQ(string_at(listed_share(), "lastAddress"), "127.0.0.1");
  ASSERT_EQ(run({"token", "revoke", string_at(listed_share(), "id")}).status, 0);
  EXPECT_EQ(connection.close_code(seconds(5)), 1008);
  EXPECT_EQ(ask("GET", "/terminals", guest).status, 401);
}

TEST_F(ShareTest, ItExpires) {
  const Headers guest = opened(share({"shown", "--for", "2s"}));
  WebSocketClient connection(port(), "/terminal/ws/multi", guest);
  EXPECT_EQ(connection.close_code(seconds(10)), 1008);
  EXPECT_EQ(ask("GET", "/terminals", guest).status, 401);
}

TEST_F(ShareTest, WhatCannotBeSharedIsSaid) {
  for (const std::vector<std::string>& wrong :
       {std::vector<std::string>{"share", "none"}, {"share", "shown", "--for", "0"}}) {
    const auto refused = run(wrong);
    EXPECT_NE(refused.status, 0);
    EXPECT_EQ(refused.output.find("#code="), std::string::npos) << refused.output;
  }
  EXPECT_TRUE(listed_share().empty());
}

}  // namespace
}  // namespace e2e
