// Two users of one daemon: neither sees or touches anything of the other's.

#include "end_to_end/protocol_fixture.h"

namespace e2e {
namespace {

class TwoUsersTest : public ProtocolTest {
 protected:
  void SetUp() override {
    ProtocolTest::SetUp();
    serve();
    ada_ = token_of("ada");
    bob_ = token_of("bob");
    owner_ = compatible(ada_);
    create(*owner_, "secret-id");
    owner_->send(message("rename_session", {{"sessionId", "secret-id"}, {"name", "secret-name"}}));
    owner_->expect("session_renamed");
    create(*owner_, "secret-over");
    owner_->send(input("secret-over", "exit 3\r"));
    owner_->expect("session_closed");
  }
  void expect_untouched() {
    type(*owner_, "secret-id", "echo $((6*7))", "42");
    const auto listed = sessions_of(*owner_);
    ASSERT_EQ(listed.size(), 2U);
    EXPECT_EQ(string_at(listed[0], "name"), "secret-name");
    EXPECT_EQ(string_at(listed[1], "status"), "exited");
  }
  std::string ada_;
  std::string bob_;
  std::unique_ptr<WebSocketClient> owner_;
};

TEST_F(TwoUsersTest, TheCompatibleProtocolRefusesEveryMessage) {
  const auto bob = compatible(bob_);
  EXPECT_TRUE(sessions_of(*bob).empty());
  for (const char* id : {"secret-id", "secret-over"}) {
    const std::vector<json::value> requests{
        create_session(id),
        reattach(id),
        reattach(id, 0),
        message("reattach_session", {{"sessionId", id}, {"takeover", true}}),
        input(id, "echo intruder\r"),
        message("rename_session", {{"sessionId", id}, {"name", "mine"}}),
        message("close_session", {{"sessionId", id}})};
    for (const auto& request : requests)
      EXPECT_EQ(refused(*bob, request), (Refusal{"not authorized", ""}))
          << json::serialize(request);
  }
  // Sizes are not answered, whosoever the terminal is.
  bob->send(message("resize", {{"rows", 30}, {"cols", 30}}, "secret-id"));
  bob->send(message("ping", {}, "secret-id"));
  bob->expect("pong");
  EXPECT_TRUE(until_pong(*bob).empty());
  expect_untouched();
}

TEST_F(TwoUsersTest, TheNativeProtocolRefusesEveryMessage) {
  NativePeer bob = native_peer(bob_);
  EXPECT_TRUE(bob.ask("list").at("data").at("terminals").as_array().empty());
  for (const char* id : {"secret-id", "secret-over"}) {
    EXPECT_EQ(bob.refused("create", {{"terminalId", id}}), "permission_denied");
    EXPECT_EQ(bob.refused("attach", {{"terminalId", id}}), "permission_denied");
    EXPECT_EQ(bob.refused("attach", {{"terminalId", id}, {"role", "view"}, {"since", 0}}),
              "permission_denied");
    EXPECT_EQ(bob.refused("attach", {{"terminalId", id}, {"takeover", true}}), "permission_denied");
    EXPECT_EQ(bob.refused("rename", {{"terminalId", id}, {"name", "mine"}}), "permission_denied");
    EXPECT_EQ(bob.refused("reorder", {{"terminalIds", json::array{id}}}), "permission_denied");
    EXPECT_EQ(bob.refused("close", {{"terminalId", id}}), "permission_denied");
  }
  // Channels are each connection's own: a number guessed is a number without a channel.
  NativePeer ada = native_peer(ada_);
  const auto channel = ada.attach("secret-id");
  EXPECT_EQ(bob.refused("detach", {{"channel", channel}}), "not_found");
  EXPECT_EQ(bob.refused("resize", {{"channel", channel}, {"rows", 3}, {"cols", 3}}), "not_found");
  EXPECT_EQ(bob.refused("focus", {{"channel", channel}}), "not_found");
  EXPECT_EQ(bob.refused("role", {{"channel", channel}, {"role", "view"}}), "not_found");
  bob.type(channel, "echo intruder\r");
  EXPECT_EQ(data_text(bob.event("error"), "code"), "not_found");
  bob.ack(channel, 7);
  EXPECT_EQ(data_text(bob.event("error"), "code"), "not_found");
  expect_untouched();
}

TEST_F(TwoUsersTest, NothingOfTheOneIsSeenByTheOther) {
  NativePeer bob = native_peer(bob_);
  const auto bob_too = compatible(bob_);
  NativePeer ada = native_peer(ada_);
  ada.ask("create", {{"terminalId", "secret-more"}, {"name", "secret-name"}});
  ada.ask("rename", {{"terminalId", "secret-more"}, {"name", "secret-other"}});
  ada.ask("reorder", {{"terminalIds", json::array{"secret-more", "secret-id"}}});
  const auto channel = ada.attach("secret-more");
  ada.type(channel, "exit 3\r");
  ada.event("exited");
  ada.ask("close", {{"terminalId", "secret-more"}});
  EXPECT_TRUE(bob.events().empty());
  EXPECT_TRUE(until_pong(*bob_too).empty());
  EXPECT_TRUE(sessions_of(*bob_too).empty());
  EXPECT_EQ(get("/health").body.find("secret"), std::string::npos);
  EXPECT_EQ(get("/metrics", bearer(bob_)).body.find("secret"), std::string::npos);
  EXPECT_EQ(get("/", bearer(bob_)).body.find("secret"), std::string::npos);
  expect_untouched();
}

// The same after a restart: owners come from the keeper and the store.
TEST_F(TwoUsersTest, OwnersOutliveTheDaemon) {
  kill_daemon();
  serve();
  const auto bob = compatible(bob_);
  EXPECT_TRUE(sessions_of(*bob).empty());
  EXPECT_EQ(refused(*bob, reattach("secret-id")), (Refusal{"not authorized", ""}));
  EXPECT_TRUE(sessions_of(*compatible()).empty()) << "the default user is just another one";
  owner_ = compatible(ada_);
  reattached(*owner_, reattach("secret-id"));
  expect_untouched();
}

}  // namespace
}  // namespace e2e
