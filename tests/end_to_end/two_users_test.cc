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
        reattach(id),
        reattach(id, 0),
        message("reattach_session", {{"sessionId", id}, {"takeover", true}}),
        input(id, "echo intruder\r"),
        message("rename_session", {{"sessionId", id}, {"name", "mine"}}),
        message("close_session", {{"sessionId", id}})};
    for (const auto& request : requests)
      EXPECT_EQ(refused(*bob, request), (Refusal{"session not found", ""}))
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
    EXPECT_EQ(bob.refused("attach", {{"terminalId", id}}), "not_found");
    EXPECT_EQ(bob.refused("attach", {{"terminalId", id}, {"role", "view"}, {"since", 0}}),
              "not_found");
    EXPECT_EQ(bob.refused("attach", {{"terminalId", id}, {"takeover", true}}), "not_found");
    EXPECT_EQ(bob.refused("rename", {{"terminalId", id}, {"name", "mine"}}), "not_found");
    EXPECT_EQ(bob.refused("reorder", {{"terminalIds", json::array{id}}}), "not_found");
    EXPECT_EQ(bob.refused("close", {{"terminalId", id}}), "not_found");
    EXPECT_EQ(bob.refused("commands_of", {{"terminalId", id}}), "not_found");
    EXPECT_EQ(bob.refused("command_output", {{"terminalId", id}, {"start", 1}}), "not_found");
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

// Whoever asks for an id cannot tell whether somebody else has it: it is free for them, too.
TEST_F(TwoUsersTest, IdsAreEachUsersOwn) {
  const auto bob = compatible(bob_);
  for (const char* id : {"secret-id", "secret-over"}) {
    create(*bob, id);
    type(*bob, id, "echo bob''s", "bobs");
  }
  EXPECT_EQ(session_ids(*bob), (std::vector<std::string>{"secret-id", "secret-over"}));
  EXPECT_NE(type(*bob, "secret-id", "echo $HOLDFAST_TERMINAL", "secret-id").find("secret-id"),
            std::string::npos);
  expect_untouched();

  kill_daemon();
  serve();
  owner_ = compatible(ada_);
  const auto again = compatible(bob_);
  EXPECT_EQ(session_ids(*again), (std::vector<std::string>{"secret-id", "secret-over"}));
  reattached(*again, reattach("secret-id"));
  reattached(*owner_, reattach("secret-id"));
  type(*again, "secret-id", "echo still bo''bs", "still bobs");
  NativePeer closing = native_peer(bob_);
  (void)closing.ask("rename", {{"terminalId", "secret-over"}, {"name", "mine"}});
  (void)closing.ask("close", {{"terminalId", "secret-id"}});
  EXPECT_EQ(session_ids(*again), std::vector<std::string>{"secret-over"});
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
  EXPECT_EQ(refused(*bob, reattach("secret-id")), (Refusal{"session not found", ""}));
  EXPECT_TRUE(sessions_of(*compatible()).empty()) << "the default user is just another one";
  owner_ = compatible(ada_);
  reattached(*owner_, reattach("secret-id"));
  expect_untouched();
}

}  // namespace
}  // namespace e2e
