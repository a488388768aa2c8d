#include "extension/guards.h"

#include "extension/decisions.h"
#include "extension/extension_fixture.h"

namespace extension {
namespace {

constexpr const char* kEvent = "user_bash";

class GuardsTest : public ExtensionTest {};

TEST_F(GuardsTest, WhatWasDeclaredIsRememberedByTheNextDaemon) {
  const session::SessionRow session = make_session("main");
  Guards(store_, session).declare("vms", {kEvent});
  const Guards later(store_, session);
  EXPECT_TRUE(later.are_known());
  EXPECT_TRUE(later.must_decide("vms", kEvent));
  EXPECT_FALSE(later.must_decide("vms", "session_before_switch"));
  EXPECT_FALSE(later.must_decide("other", kEvent));
  EXPECT_TRUE(later.is_guarded(kEvent));
  EXPECT_TRUE(later.is_guard("vms"));
}

TEST_F(GuardsTest, WhatIsTakenBackIsForgotten) {
  const session::SessionRow session = make_session("main");
  Guards guards(store_, session);
  guards.declare("vms", {kEvent});
  guards.declare("vms", {});
  EXPECT_FALSE(guards.is_guarded(kEvent));
  EXPECT_FALSE(guards.is_guard("vms"));
  EXPECT_FALSE(Guards(store_, session).is_guarded(kEvent));
}

// An extension that never ran has declared nothing, but its text tells what it would decide.
TEST_F(GuardsTest, WhatAFailedOneWouldDeclareCountsUntilItHasDeclaredSomething) {
  const session::SessionRow session = make_session("main");
  Guards guards(store_, session);
  guards.declare_unless_known("vms", {kEvent});
  EXPECT_TRUE(Guards(store_, session).must_decide("vms", kEvent));
  guards.declare("vms", {"session_before_switch"});
  guards.declare_unless_known("vms", {kEvent});
  EXPECT_FALSE(guards.must_decide("vms", kEvent));
  EXPECT_TRUE(guards.must_decide("vms", "session_before_switch"));
}

// What must be decided is not known then, so nobody may do without an answer.
TEST_F(GuardsTest, WithoutTheDatabaseOneThatIsNotRunningRefuses) {
  auto other = session::Database::open(path(), std::chrono::milliseconds(0)).value();
  const session::SessionRow session = make_session("main");
  ASSERT_TRUE(other.execute("ALTER TABLE guards RENAME TO elsewhere"));
  const SessionExtensionsPtr extensions = by_session_.of(session);
  EXPECT_FALSE(extensions->guards.are_known());
  EXPECT_TRUE(all_can_decide(*extensions, kEvent)) << "there is nobody who could decide";
  extensions->instances.replace({{.name = "vms"}});
  const auto refused = all_can_decide(*extensions, kEvent);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().what,
            "vms must decide about this command and gave no answer: it is not running, and what "
            "it must decide is in the database, which cannot be read. The command was not run");
  extensions->guards.declare("vms", {kEvent});
  EXPECT_TRUE(extensions->guards.must_decide("vms", kEvent)) << "in this daemon it counts";

  ASSERT_TRUE(other.execute("ALTER TABLE elsewhere RENAME TO guards"));
  extensions->guards.read();
  EXPECT_TRUE(extensions->guards.are_known());
  EXPECT_TRUE(extensions->guards.must_decide("vms", kEvent));
}

// --- decisions ---

TEST_F(GuardsTest, OneThatIsNotRunningRefuses) {
  const SessionExtensionsPtr extensions = make_extensions("main");
  extensions->guards.declare("vms", {kEvent});
  EXPECT_TRUE(all_can_decide(*extensions, kEvent)) << "an extension that is not there has no say";
  extensions->instances.replace({{.name = "vms", .error = "a.ts: broken"}});
  const auto refused = all_can_decide(*extensions, kEvent);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().what,
            "vms must decide about this command and gave no answer: it is not running (a.ts: "
            "broken). The command was not run");
  EXPECT_TRUE(all_can_decide(*extensions, "session_before_switch"));
  extensions->disabled.turn_off("vms");
  EXPECT_TRUE(all_can_decide(*extensions, kEvent));
}

TEST_F(GuardsTest, WithoutAnAnswerItGoesOnUnlessOneMustDecide) {
  const SessionExtensionsPtr extensions = make_extensions("main");
  extensions->instances.replace({{.name = "vms", .runs = true}});
  const base::Error late{.code = base::Code::timed_out, .what = "too late", .advice = {}};
  EXPECT_TRUE(without_answer(*extensions, kEvent, late));
  extensions->guards.declare("vms", {kEvent});
  const auto refused = without_answer(*extensions, kEvent, late);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, base::Code::cancelled);
}

TEST_F(GuardsTest, ARefusalInTheRunnersAnswerIsARefusal) {
  const SessionExtensionsPtr extensions = make_extensions("main");
  EXPECT_TRUE(as_decision(*extensions, kEvent, nullptr));
  EXPECT_TRUE(as_decision(*extensions, kEvent, json::object{{"argv", json::array{"x"}}}));
  EXPECT_FALSE(as_decision(*extensions, kEvent, json::object{{"refused", 1}}));
  const auto refused =
      as_decision(*extensions, kEvent,
                  json::object{{"refused", {{"extension", "vms"}, {"reason", "it threw"}}}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().advice, "Fix vms and type /reload, or turn it off with /disable vms.");
}

}  // namespace
}  // namespace extension
