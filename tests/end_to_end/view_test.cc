// A view-only credential: the role is its bound, whatever is asked for.

#include "end_to_end/protocol_fixture.h"

namespace e2e {
namespace {

class ViewTest : public ProtocolTest {
 protected:
  void SetUp() override {
    ProtocolTest::SetUp();
    serve();
    owner_ = token_of("ada");
    const auto made = run({"token", "new", "--user", "ada", "--view"});
    viewer_ = made.output.substr(0, made.output.size() - 1);
    owner_client_ = compatible(owner_);
    create(*owner_client_, "a1");
  }
  std::string owner_;
  std::string viewer_;
  std::unique_ptr<WebSocketClient> owner_client_;
};

TEST_F(ViewTest, TheNativeProtocolLetsItLookAndNothingElse) {
  NativePeer viewer = native_peer(viewer_);
  EXPECT_EQ(viewer.ask("list").at("data").at("terminals").as_array().size(), 1U);
  EXPECT_EQ(string_at(viewer.ask("search", {{"pattern", "x"}}), "type"), "found");
  EXPECT_EQ(string_at(viewer.ask("commands_of", {{"terminalId", "a1"}}), "type"), "commands_of");
  EXPECT_EQ(string_at(viewer.ask("preferences"), "type"), "preferences");
  const auto channel = viewer.attach("a1");
  EXPECT_EQ(data_text(viewer.attached(), "role"), "view") << "control was asked for";
  EXPECT_EQ(viewer.refused("role", {{"channel", channel}, {"role", "control"}}),
            "permission_denied");
  for (const char* wish : {"takeover", "lossless"})
    EXPECT_EQ(viewer.refused("attach", {{"terminalId", "a1"}, {wish, true}}), "permission_denied")
        << wish;
  viewer.type(channel, "echo intruder\r");
  EXPECT_EQ(data_text(viewer.event("error"), "code"), "permission_denied");
  const std::vector<std::pair<const char*, json::object>> changes{
      {"create", {{"terminalId", "a2"}}},
      {"restore", {{"terminalId", "a1"}}},
      {"rename", {{"terminalId", "a1"}, {"name", "x"}}},
      {"reorder", {{"terminalIds", json::array{"a1"}}}},
      {"close", {{"terminalId", "a1"}}},
      {"session_create", {{"name", "x"}}},
      {"session_rename", {{"name", "main"}, {"newName", "x"}}},
      {"session_close", {{"name", "main"}}},
      {"session_switch", {{"from", "main"}, {"to", "main"}}},
      {"run", {{"session", "main"}, {"line", "! true"}}},
      {"tool", {{"session", "main"}, {"name", "x"}}},
      {"preference_set", {{"name", "x"}, {"value", 1}}},
      {"resource_close", {{"session", "main"}, {"extension", "x"}, {"key", "y"}}}};
  for (const auto& [type, data] : changes)
    EXPECT_EQ(viewer.refused(type, data), "permission_denied") << type;
  type(*owner_client_, "a1", "echo $((6*7))", "42");
  EXPECT_NE(viewer.output_until(channel, "42").find("42"), std::string::npos);
}

// Whoever may control may promote a viewer of their own; while it is view-only it does no more.
TEST_F(ViewTest, AnOwnersViewerOnlyLooksWhileItIsOne) {
  NativePeer owner = native_peer(owner_);
  for (const char* wish : {"takeover", "lossless"})
    EXPECT_EQ(owner.refused("attach", {{"terminalId", "a1"}, {"role", "view"}, {wish, true}}),
              "permission_denied")
        << wish;
  const auto channel = owner.attach("a1", {{"role", "view"}});
  (void)owner.ask("role", {{"channel", channel}, {"role", "control"}});
  owner.type(channel, "echo $((6*7))\r");
  EXPECT_NE(owner.output_until(channel, "42").find("42"), std::string::npos);
}

TEST_F(ViewTest, TheCompatibleProtocolToo) {
  const auto viewer = compatible(viewer_);
  EXPECT_EQ(session_ids(*viewer), std::vector<std::string>{"a1"});
  reattached(*viewer, reattach("a1"));
  for (const auto& request :
       {create_session("a2"), input("a1", "echo intruder\r"),
        message("resize", {{"rows", 3}, {"cols", 3}}, "a1"),
        message("rename_session", {{"sessionId", "a1"}, {"name", "x"}}),
        message("close_session", {{"sessionId", "a1"}}),
        message("reattach_session", {{"sessionId", "a1"}, {"takeover", true}})})
    EXPECT_EQ(refused(*viewer, request).error, "not authorized") << json::serialize(request);
  type(*owner_client_, "a1", "echo $((6*7))", "42");
  EXPECT_NE(output_until(*viewer, "42").find("42"), std::string::npos);
}

TEST_F(ViewTest, TheSingleProtocolIsNotForIt) {
  EXPECT_EQ(upgrade_status(port(), "/terminal/ws", bearer(viewer_)), 403);
}

TEST_F(ViewTest, ABrowserThatSignsInWithItOnlyLooks) {
  const Headers own{{"Origin", "http://127.0.0.1:" + std::to_string(port())}};
  const auto answer = http_request(port(), "POST", "/sign-in", own,
                                   json::serialize(json::object{{"token", viewer_}}));
  ASSERT_EQ(answer.status, 200);
  std::string cookie = answer.header("Set-Cookie");
  cookie = cookie.substr(0, cookie.find(';'));
  const std::string secret = string_at(json::parse(answer.body).as_object(), "secret");
  NativePeer viewer(std::make_unique<WebSocketClient>(port(), "/ws", Headers{{"Cookie", cookie}},
                                                      "holdfast.v1, holdfast.secret." + secret));
  EXPECT_EQ(viewer.refused("create", {{"terminalId", "a2"}}), "permission_denied");
  EXPECT_EQ(http_request(port(), "DELETE", "/sign-ins",
                         {{"Cookie", cookie}, {"X-Holdfast-Secret", secret}})
                .status,
            403);
}

}  // namespace
}  // namespace e2e
