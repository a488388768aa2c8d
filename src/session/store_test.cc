#include "session/store.h"

#include "session/row_values.h"
#include "session/test_files.h"

namespace session {
namespace {

using std::chrono::milliseconds;

class StoreOperationsTest : public StoreTest {
 protected:
  StoreOperationsTest() {
    clock.jump_wall_to(base::WallTime(milliseconds(1'763'000'000'123)));
    auto opened = Store::open(path(), options());
    EXPECT_TRUE(opened) << opened.error().message();
    store.emplace(std::move(*opened));
  }
  [[nodiscard]] StoreOptions options() const { return {.log_limit = 500, .clock = &clock}; }
  void reopen() {
    store.reset();
    store.emplace(*Store::open(path(), options()));
  }
  [[nodiscard]] TerminalRow terminal(const std::string& id, const SessionId& session,
                                     int position = 0) const {
    return {.id = TerminalId(id),
            .session = session,
            .name = "build",
            .position = position,
            .cwd = "/tmp/\xff",
            .command = {"/bin/sh", "-c", "echo \"a b\"\n", "", "\xff\xfe"},
            .rows = 24,
            .cols = 500,
            .created = clock.wall(),
            .last_activity = clock.wall() + milliseconds(5),
            .exit = 137};
  }
  std::vector<std::string> order() {
    const auto rows = store->terminals();
    EXPECT_TRUE(rows);
    std::vector<std::string> ids;
    for (const auto& row : *rows) ids.push_back(row.id.str());
    return ids;
  }

  base::ManualClock clock;
  std::optional<Store> store;
};

TEST_F(StoreOperationsTest, AUserIsMadeOnceAndStays) {
  EXPECT_EQ(store->user("ann").error().code, base::Code::not_found);
  const auto ann = store->ensure_user("ann");
  ASSERT_TRUE(ann) << ann.error().message();
  EXPECT_EQ(ann->name, "ann");
  EXPECT_EQ(ann->created, clock.wall()) << "to the millisecond";
  clock.advance(milliseconds(1));
  EXPECT_EQ(*store->ensure_user("ann"), *ann);
  const auto bob = store->ensure_user("bob");
  ASSERT_TRUE(bob);
  EXPECT_NE(bob->id, ann->id);
  reopen();
  EXPECT_EQ(*store->user("ann"), *ann);
  EXPECT_EQ(*store->users(), (std::vector<UserRow>{*ann, *bob}));
}

TEST_F(StoreOperationsTest, UserNamesAreIds) {
  for (const char* bad : {"", "a b", "-a", "../a", "a\n"}) {
    EXPECT_EQ(store->ensure_user(bad).error().code, base::Code::invalid_argument);
    EXPECT_FALSE(is_valid_user_name(bad));
  }
  EXPECT_TRUE(is_valid_user_name("ann.b-c_1"));
}

TEST_F(StoreOperationsTest, ATokenNamesItsUserUntilItIsRemoved) {
  const auto ann = *store->ensure_user("ann");
  const auto hash = *hash_token("hf_secret");
  ASSERT_TRUE(store->tokens().add(ann.id, hash, "laptop"));
  EXPECT_EQ(store->tokens().add(ann.id, hash, "again").error().code, base::Code::already_exists);
  EXPECT_EQ(store->tokens().add(UserId("nobody"), *hash_token("x"), "").error().code,
            base::Code::not_found);
  reopen();
  EXPECT_EQ(store->tokens().find(hash)->user, ann.id);
  EXPECT_EQ(store->tokens().find(*hash_token("other")).error().code, base::Code::not_found);
  EXPECT_EQ(*store->tokens().list(), (std::vector<TokenRow>{{.hash = hash,
                                                             .user = ann.id,
                                                             .user_name = "ann",
                                                             .label = "laptop",
                                                             .created = clock.wall()}}));
  ASSERT_TRUE(store->tokens().remove(hash));
  EXPECT_EQ(store->tokens().find(hash).error().code, base::Code::not_found);
  EXPECT_TRUE(store->tokens().remove(hash)) << "removing it twice is no error";
}

TEST_F(StoreOperationsTest, ATokenKeepsItsScopeAndItsLastUse) {
  const auto ann = *store->ensure_user("ann");
  const auto hash = *hash_token("hf_secret");
  const Scope scope{.access = Access::view,
                    .bounds = Bounds{.sessions = {SessionId("s")},
                                     .terminals = {TerminalId("a"), TerminalId("b")}}};
  const auto expires = clock.wall() + std::chrono::hours(1);
  const auto kept = store->tokens().add(ann.id, hash, "", scope, expires);
  ASSERT_TRUE(kept) << kept.error().message();
  EXPECT_NE(*kept, hash) << "a daemon that knows no scopes must not find it";
  reopen();
  EXPECT_EQ(store->tokens().find(hash)->hash, *kept);
  EXPECT_EQ(store->tokens().find(*kept)->scope, scope);
  EXPECT_EQ(store->tokens().find(hash)->expires, expires);
  EXPECT_EQ(store->tokens().find(hash)->last_used, std::nullopt);
  clock.advance(std::chrono::minutes(1));
  ASSERT_TRUE(store->tokens().note_use(*kept, "10.0.0.1"));
  EXPECT_EQ(store->tokens().find(hash)->last_used, clock.wall());
  EXPECT_EQ(store->tokens().find(hash)->last_address, "10.0.0.1");
}

TEST_F(StoreOperationsTest, ATokenExpires) {
  const auto ann = *store->ensure_user("ann");
  const auto hash = *hash_token("hf_secret");
  ASSERT_TRUE(store->tokens().add(ann.id, hash, "", {}, clock.wall() + std::chrono::hours(1)));
  clock.advance(std::chrono::minutes(59));
  EXPECT_TRUE(store->tokens().find(hash));
  clock.advance(std::chrono::minutes(1));
  EXPECT_EQ(store->tokens().find(hash).error().code, base::Code::not_found);
  EXPECT_EQ(store->tokens().list()->size(), 1U) << "it is still listed";
  ASSERT_TRUE(store->tokens().add(ann.id, *hash_token("next"), ""));
  EXPECT_EQ(store->tokens().list()->size(), 1U) << "and removed when there is a new one";
}

TEST_F(StoreOperationsTest, ARemovedTokenTakesItsLinksAlong) {
  const auto ann = *store->ensure_user("ann");
  const auto kept = *store->tokens().add(ann.id, *hash_token("t"), "", {.bounds = Bounds{}});
  const auto expires = clock.wall() + std::chrono::hours(1);
  const auto code = [&](const char* text, std::optional<TokenHash> token) {
    return store->sign_ins().add_code(
        {.hash = *hash_token(text), .user = ann.id, .token = token, .expires = expires});
  };
  ASSERT_TRUE(code("bound", kept));
  ASSERT_TRUE(code("taken", kept));
  ASSERT_TRUE(code("free", {}));
  EXPECT_EQ(store->sign_ins().take_code(*hash_token("taken"))->token, kept);
  ASSERT_TRUE(store->tokens().remove(kept));
  EXPECT_FALSE(store->sign_ins().take_code(*hash_token("bound")));
  EXPECT_EQ(store->sign_ins().take_code(*hash_token("free"))->token, std::nullopt);
}

// A damaged row must not grant more than it did.
TEST(BoundsTest, UnreadableBoundsAreTheNarrowest) {
  const std::optional<Bounds> bounds =
      Bounds{.sessions = {SessionId("s")}, .terminals = {TerminalId("t")}};
  EXPECT_EQ(bounds_from_json(bounds_to_json(bounds)), bounds);
  EXPECT_EQ(bounds_to_json(std::nullopt), "");
  EXPECT_EQ(bounds_from_json(""), std::nullopt);
  for (const char* text : {"{", "[]", "7", R"({"sessions":7})", R"({"terminals":[7]})", " "})
    EXPECT_EQ(bounds_from_json(text), Bounds{}) << text;
}

TEST_F(StoreOperationsTest, ASessionIsItsUsersAndHasItsName) {
  const auto ann = *store->ensure_user("ann");
  const auto bob = *store->ensure_user("bob");
  const auto work = store->ensure_session(ann.id, "work");
  ASSERT_TRUE(work) << work.error().message();
  EXPECT_EQ(work->kind, SessionKind::interactive);
  EXPECT_EQ(*store->ensure_session(ann.id, "work", SessionKind::background), *work);
  const auto job = *store->ensure_session(ann.id, "job", SessionKind::background);
  EXPECT_EQ(job.kind, SessionKind::background);
  EXPECT_NE(store->ensure_session(bob.id, "work")->id, work->id);
  EXPECT_EQ(work->isolation, std::nullopt);
  EXPECT_EQ(store->ensure_session(bob.id, "apart", {}, {}, Isolation::process)->isolation,
            Isolation::process);
  EXPECT_EQ(store->ensure_session(UserId("nobody"), "x").error().code, base::Code::not_found);

  EXPECT_EQ(store->rename_session(job.id, "work").error().code, base::Code::already_exists);
  EXPECT_EQ(store->rename_session(SessionId("none"), "x").error().code, base::Code::not_found);
  ASSERT_TRUE(store->rename_session(job.id, "night job \xc3\xa4"));
  reopen();
  const auto sessions = *store->sessions(ann.id);
  ASSERT_EQ(sessions.size(), 2U);
  EXPECT_EQ(sessions[0].name, "night job \xc3\xa4");
  EXPECT_EQ(sessions[1], *work);
}

TEST_F(StoreOperationsTest, ASessionTakesItsTerminalsAlong) {
  const auto ann = *store->ensure_user("ann");
  const auto work = *store->ensure_session(ann.id, "work");
  const auto play = *store->ensure_session(ann.id, "play");
  ASSERT_TRUE(store->save_terminal(terminal("a", work.id)));
  ASSERT_TRUE(store->save_terminal(terminal("b", play.id)));
  ASSERT_TRUE(store->remove_session(work.id));
  EXPECT_EQ(order(), std::vector<std::string>{"b"});
  EXPECT_TRUE(store->remove_session(work.id));
}

TEST_F(StoreOperationsTest, ATerminalComesBackAsItWasSaved) {
  const auto session = *store->ensure_session(store->ensure_user("ann")->id, "work");
  TerminalRow row = terminal("a", session.id);
  ASSERT_TRUE(store->save_terminal(row));
  reopen();
  EXPECT_EQ(*store->terminals(), std::vector{row});

  row.name.reset();
  row.exit.reset();
  row.command.clear();
  row.cols = 1;
  ASSERT_TRUE(store->save_terminal(row));
  EXPECT_EQ(*store->terminals(), std::vector{row}) << "saved again, it is replaced";

  EXPECT_EQ(store->save_terminal(terminal("b", SessionId("none"))).error().code,
            base::Code::not_found);
  ASSERT_TRUE(store->remove_terminal(row.id));
  EXPECT_TRUE(store->remove_terminal(row.id));
  EXPECT_TRUE(store->terminals()->empty());
}

TEST_F(StoreOperationsTest, PositionsAreSetTogether) {
  const auto ann = *store->ensure_user("ann");
  const auto session = *store->ensure_session(ann.id, "work");
  int position = 0;
  for (const char* id : {"a", "b", "c", "d"})
    ASSERT_TRUE(store->save_terminal(terminal(id, session.id, position++)));
  const std::vector<std::pair<TerminalId, int>> wanted{
      {TerminalId("d"), 0}, {TerminalId("gone"), 7}, {TerminalId("a"), 3}};
  ASSERT_TRUE(store->set_positions(wanted));
  reopen();
  EXPECT_EQ(order(), (std::vector<std::string>{"d", "b", "c", "a"}));
}

TEST_F(StoreOperationsTest, SeveralWritesAreOneTransaction) {
  EXPECT_FALSE(store->transaction([&]() -> base::Status {
    EXPECT_TRUE(store->ensure_user("ann"));
    EXPECT_TRUE(store->append_log({.event = "made"}));
    return base::fail(base::Code::io, "no");
  }));
  EXPECT_TRUE(store->users()->empty());
  EXPECT_TRUE(store->log()->empty());
}

TEST_F(StoreOperationsTest, TheLogIsAskedByUserAndSession) {
  const auto add = [&](const char* user, const char* session, const char* event) {
    clock.advance(milliseconds(1));
    ASSERT_TRUE(store->append_log({.user = UserId(user),
                                   .session = SessionId(session),
                                   .subject = "t1",
                                   .event = event,
                                   .detail = "because"}));
  };
  add("ann", "work", "1");
  add("ann", "play", "2");
  add("bob", "work", "3");
  add("ann", "work", "4");
  reopen();
  const auto events = [&](const LogQuery& query) {
    std::string text;
    const auto entries = *store->log(query);
    for (const auto& entry : entries) text += entry.event;
    return text;
  };
  const UserId ann("ann");
  const SessionId work("work");
  EXPECT_EQ(events({}), "4321");
  EXPECT_EQ(events({.user = ann}), "421");
  EXPECT_EQ(events({.session = work}), "431");
  EXPECT_EQ(events({.user = ann, .session = work}), "41");
  EXPECT_EQ(events({.newest = 2}), "43");
  const auto newest = store->log({.newest = 1})->front();
  EXPECT_EQ(newest.time, clock.wall());
  EXPECT_EQ(newest.subject, "t1");
  EXPECT_EQ(newest.detail, "because");
  EXPECT_EQ(events({.newest = 2, .before = newest.id}), "32") << "the next page";
}

TEST_F(StoreOperationsTest, TheLogIsBounded) {
  const UserId quiet("quiet");
  ASSERT_TRUE(store->append_log({.user = quiet, .event = "first"}));
  ASSERT_TRUE(store->transaction([&]() -> base::Status {
    for (int n = 0; n < 2000; ++n)
      if (auto added = store->append_log({.event = std::to_string(n)}); !added) return added;
    return {};
  }));
  const auto kept = *store->log({.newest = 10'000});
  EXPECT_GE(kept.size(), 500U);
  EXPECT_LT(kept.size(), 500U + 256U);
  EXPECT_EQ(store->log({.user = quiet})->size(), 1U) << "nobody's entries push out another's";
  EXPECT_EQ(kept.front().event, "1999");

  const std::string wide = std::string(4095, 'a') + "\xc3\xa4" + std::string(100'000, 'b');
  ASSERT_TRUE(store->append_log({.detail = wide}));
  EXPECT_EQ(store->log({.newest = 1})->front().detail, std::string(4095, 'a'))
      << "cut before the character that does not fit";
}

TEST_F(StoreOperationsTest, TheWriteAheadLogIsMovedIntoTheFileMeanwhile) {
  const std::string wide(4000, 'a');
  constexpr std::uint64_t kEntries = 4'000;
  for (std::uint64_t n = 0; n < kEntries; ++n)
    ASSERT_TRUE(store->append_log({.event = std::to_string(n), .detail = wide}));
  const auto log = path().native() + "-wal";
  EXPECT_LT(std::filesystem::file_size(log), 64U << 20) << "twice that was written";
  EXPECT_EQ(store->log({.newest = 1})->front().event, std::to_string(kEntries - 1));
}

}  // namespace
}  // namespace session
