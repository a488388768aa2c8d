// What a user's pages keep in the daemon (docs/protocol.md, "Preferences").

#include "end_to_end/native_fixture.h"

namespace e2e {
namespace {

class NativePreferencesTest : public NativeTest {
 protected:
  static std::int64_t set(NativePeer& peer, json::object data) {
    return revision_of(peer.ask("preference_set", std::move(data)));
  }
  static std::int64_t revision_of(const json::object& message) {
    return message.at("data").at("revision").to_number<std::int64_t>();
  }
  static json::value kept(NativePeer& peer, const std::string& name, json::object whose = {}) {
    const auto answer = peer.ask("preferences", std::move(whose));
    const json::object& values = answer.at("data").at("values").as_object();
    return values.contains(name) ? values.at(name).at("value") : json::value("none");
  }
};

TEST_F(NativePreferencesTest, SurviveKillAndAreToldToTheOthers) {
  serve();
  const json::value layout{{"tabs", {1, nullptr, "\u00e9"}}};
  {
    NativePeer peer = native_peer();
    NativePeer other = native_peer();
    peer.ask("session_create", {{"name", "ops"}});
    const auto revision = set(peer, {{"session", "ops"}, {"name", "layout"}, {"value", layout}});
    const auto told = other.event("preference_set");
    EXPECT_EQ(told.at("data").at("value"), layout);
    EXPECT_EQ(data_text(told, "session"), "ops");
    EXPECT_EQ(revision_of(told), revision);
    set(peer, {{"name", "theme"}, {"value", "dark"}});
    EXPECT_FALSE(other.event("preference_set").at("data").as_object().contains("session"));
  }
  kill_daemon();
  serve();
  NativePeer peer = native_peer();
  EXPECT_EQ(kept(peer, "layout", {{"session", "ops"}}), layout);
  EXPECT_EQ(kept(peer, "theme"), "dark");
  EXPECT_EQ(kept(peer, "theme", {{"session", "main"}}), "none");
  peer.ask("session_rename", {{"name", "ops"}, {"newName", "deploy"}});
  EXPECT_EQ(kept(peer, "layout", {{"session", "deploy"}}), layout);
  EXPECT_EQ(peer.refused("preferences", {{"session", "ops"}}), "not_found");
}

// Two windows change one value: the second is told, and merges.
TEST_F(NativePreferencesTest, ALostRaceIsNoticed) {
  serve();
  NativePeer one = native_peer();
  NativePeer two = native_peer();
  const auto seen = set(one, {{"name", "a"}, {"value", 1}, {"revision", 0}});
  const auto changed = set(two, {{"name", "a"}, {"value", 2}, {"revision", seen}});
  EXPECT_EQ(one.refused("preference_set", {{"name", "a"}, {"value", 3}, {"revision", seen}}),
            "mismatch");
  EXPECT_EQ(kept(one, "a"), 2);
  EXPECT_EQ(set(one, {{"name", "a"}, {"revision", changed}}), 0);
  EXPECT_EQ(kept(two, "a"), "none");
  EXPECT_EQ(two.event("preference_set").at("data").at("value"), 1);
  EXPECT_TRUE(two.event("preference_set").at("data").at("value").is_null());
}

TEST_F(NativePreferencesTest, AreAUsersOwn) {
  serve();
  NativePeer ada = native_peer(token_of("ada"));
  NativePeer bob = native_peer(token_of("bob"));
  set(ada, {{"name", "a"}, {"value", "secret"}});
  set(ada, {{"session", "main"}, {"name", "a"}, {"value", "secret"}});
  EXPECT_EQ(kept(bob, "a"), "none");
  EXPECT_EQ(kept(bob, "a", {{"session", "main"}}), "none");
  set(bob, {{"name", "a"}, {"value", "mine"}, {"revision", 0}});
  EXPECT_EQ(kept(ada, "a"), "secret");
  // His own session, whose first use was the question about it. Nothing of hers.
  EXPECT_EQ(event_types(bob), Strings{"session_created"});
}

}  // namespace
}  // namespace e2e
