// What the tests of the protocols' messages share: who asks, what for, and what it must not change.

#pragma once

#include <string>
#include <utility>
#include <vector>

#include "access/access_table.h"
#include "end_to_end/native_fixture.h"

namespace ways_in {

using namespace e2e;

class MessageAccessTest : public NativeTest {
 protected:
  void SetUp() override {
    NativeTest::SetUp();
    serve();
    other_ = token_of("bob");
    owner_ = token_of("ada");
    view_ = token_with({"--view"});
    elsewhere_ = make_things("beyond");
    beyond_ = bound_to(elsewhere_);
  }

  // One of the owner's, with less scope.
  std::string token_with(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"token", "new", "--user", "ada"});
    const auto made = run(arguments);
    EXPECT_EQ(made.status, 0) << made.output;
    return made.output.substr(0, made.output.size() - 1);
  }
  // Tokens that are bound to those things.
  struct Bound {
    std::string terminal;  // View-only.
    std::string session;
  };

  // The owner's things that a row is about. They are made anew for each.
  struct Things {
    std::string session;
    std::string terminal;
  };
  Things make_things(const std::string& kind = "secret") {
    const std::string number = std::to_string(++things_);
    Things things{.session = kind + "-session-" + number, .terminal = kind + "-terminal-" + number};
    NativePeer owner = native_peer(owner_);
    owner.ask("session_create", {{"name", things.session}});
    json::object wanted = terminal(things.terminal);
    wanted["session"] = things.session;
    owner.ask("create", std::move(wanted));
    owner.ask("rename", {{"terminalId", things.terminal}, {"name", "untouched"}});
    return things;
  }
  void expect_untouched(const Things& things, const std::string& what) {
    NativePeer owner = native_peer(owner_);
    const auto listed = owner.ask("list", {{"session", things.session}});
    EXPECT_EQ(string_at(listed, "type"), "terminals") << what;
    const std::string text = json::serialize(listed);
    EXPECT_NE(text.find(things.terminal), std::string::npos) << what << ": " << text;
    EXPECT_NE(text.find("untouched"), std::string::npos) << what << ": " << text;
    EXPECT_NE(text.find(R"("status":"running")"), std::string::npos) << what << ": " << text;
    EXPECT_NE(text.find(R"("rows":24,"cols":80)"), std::string::npos) << what << ": " << text;
    EXPECT_EQ(screen_of(owner, things).find("intruder"), std::string::npos) << what;
  }
  Bound bound_to(const Things& things) {
    return {.terminal = token_with({"--view", "--terminal", things.terminal}),
            .session = token_with({"--session", things.session})};
  }
  // What bound tokens get, at what they are bound to and beyond. `expect` asks for the row, and
  // returns what was heard.
  template <class Expect>
  void expect_scopes(const Row& row, const Things& things, const Expect& expect) {
    for (const auto& [token, gets] :
         {std::pair(beyond_.terminal, row.terminal), std::pair(beyond_.session, row.session)}) {
      const std::string heard = expect(token, elsewhere(gets, row), "bound to something else");
      // A refusal repeats what was asked for.
      EXPECT_TRUE(row.other == Gets::no || heard.find("secret") == std::string::npos) << heard;
    }
    const Bound bound = bound_to(things);
    const std::string seen = expect(bound.terminal, row.terminal, "bound to the terminal");
    EXPECT_EQ(seen.find("beyond"), std::string::npos) << row.what << ": " << seen;
    expect_untouched(things, row.what);
    const std::string done = expect(bound.session, row.session, "bound to the session");
    EXPECT_EQ(done.find("beyond"), std::string::npos) << row.what << ": " << done;
    if (row.session == Gets::no) expect_untouched(things, row.what);
    expect_untouched(elsewhere_, row.what);
  }
  static std::string screen_of(NativePeer& owner, const Things& things) {
    const auto channel = owner.attach(things.terminal);
    const auto snapshot = owner.next(channel);
    return snapshot ? snapshot->bytes : "";
  }

  std::string other_;
  std::string owner_;
  std::string view_;
  Things elsewhere_;  // The owner's, too.
  Bound beyond_;      // Bound to that.
  int things_ = 0;
};

// What was heard after a message, until the answer to a ping that was sent after it.
struct Heard {
  std::string text;
  bool is_refused = false;
};

// Whether the error says that it is not for the asker. Any other is about what was asked.
inline bool refuses(const json::object& message) {
  if (string_at(message, "type") != "error") return false;
  const std::string code = data_text(message, "code");
  const std::string error = data_text(message, "error");
  return code == "permission_denied" || code == "not_found" || error == "not authorized" ||
         error == "session not found";
}

}  // namespace ways_in
