// Every message of the compatible and the single protocol, sent by everybody who is let in. Whoever
// has no credential is not: http_access_test.cc.

#include "access/message_access_fixture.h"
#include "wire/compatible.h"
#include "wire/single.h"

namespace ways_in {
namespace {

// --- the compatible protocol

class CompatibleAccessTest : public MessageAccessTest {
 protected:
  static json::value request(const std::string& what, const Things& things) {
    const std::string& id = things.terminal;
    if (what == "input") return input(id, "echo intruder\r");
    if (what == "resize") return message("resize", {{"rows", 30}, {"cols", 90}}, id);
    if (what == "create_session") return create_session("made");
    if (what == "rename_session") return message(what, {{"sessionId", id}, {"name", "intruder"}});
    if (what == "reattach_session" || what == "close_session")
      return message(what, {{"sessionId", id}});
    return message(what);
  }
  Heard send(const std::string& token, const std::string& what, const Things& things) {
    const auto client = compatible(token);
    client->send(request(what, things));
    client->send(message("ping", {}, "marker"));
    Heard all;
    while (auto frame = client->receive()) {
      const json::object each = frame->object();
      all.is_refused = all.is_refused || refuses(each);
      if (string_at(each, "type") == "pong" && string_at(each, "sessionId") == "marker") return all;
      all.text += frame->data + "\n";
    }
    return all;
  }
};

TEST_F(CompatibleAccessTest, EveryMessage) {
  std::vector<std::string> names;
  for (const std::string_view type : wire::compatible::types()) names.emplace_back(type);
  expect_rows("compatible protocol", names);
  for (const Row& row : rows_of("compatible protocol")) {
    EXPECT_EQ(row.nobody, Gets::no);
    Things things = make_things();
    const auto expect = [&](const std::string& token, Gets gets, const char* who) {
      const Heard heard = send(token, row.what, things);
      // The size of a terminal that is not there is nothing to tell of: clients send one too many.
      if (row.what != "resize" || (token != other_ && token != beyond_.session)) {
        EXPECT_EQ(heard.is_refused, gets == Gets::no)
            << row.what << ", " << who << ": " << heard.text;
      }
      return heard.text;
    };
    const std::string told = expect(other_, row.other, "another user");
    EXPECT_EQ(told.find("untouched"), std::string::npos) << row.what << ": " << told;
    expect(view_, row.view, "view");
    expect_scopes(row, things, expect);
    things = make_things();
    expect(owner_, row.owner, "the owner");
  }
}

// --- the single protocol

// Its connection is its terminal, so nobody can name another's.
TEST_F(MessageAccessTest, EveryMessageOfTheSingleProtocol) {
  std::vector<std::string> names;
  for (const std::string_view type : wire::single::types()) names.emplace_back(type);
  expect_rows("single protocol", names);
  for (const Row& row : rows_of("single protocol")) {
    EXPECT_EQ(row.nobody, Gets::no);
    EXPECT_EQ(row.view, Gets::no);
    EXPECT_EQ(row.terminal, Gets::no);
    EXPECT_EQ(row.session, Gets::own);
    EXPECT_EQ(upgrade_status(port(), "/terminal/ws", bearer(view_)), 403);
    const Things things = make_things();
    const Bound bound = bound_to(things);
    EXPECT_EQ(upgrade_status(port(), "/terminal/ws", bearer(bound.terminal)), 403);
    for (const std::string& token : {other_, bound.session, owner_}) {
      const auto client = single({}, token);
      const auto data = row.what == "input" ? json::object{{"data", "echo $((6*7))\r"}}
                                            : json::object{{"rows", 30}, {"cols", 90}};
      client->send(message(row.what, data, things.terminal));
      if (row.what == "input") (void)output_until(*client, "42");
      client->send(message("ping"));
      client->expect("pong");
    }
    expect_untouched(things, row.what);
  }
}

}  // namespace
}  // namespace ways_in
