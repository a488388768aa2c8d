#include "session/sign_in_records.h"

#include "session/store.h"
#include "session/test_files.h"

namespace session {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;

class SignInRecordsTest : public StoreTest {
 protected:
  SignInRecordsTest() {
    clock.jump_wall_to(base::WallTime(milliseconds(1'763'000'000'123)));
    reopen();
    ann = *store->ensure_user("ann");
    bob = *store->ensure_user("bob");
  }
  void reopen() {
    store.reset();
    auto opened = Store::open(path(), {.clock = &clock});
    EXPECT_TRUE(opened) << opened.error().message();
    store.emplace(std::move(*opened));
  }
  [[nodiscard]] SignInRow sign_in(const std::string& cookie, const UserRow& user) const {
    return {.hash = *hash_token(cookie),
            .secret = *hash_token("secret of " + cookie),
            .user = user.id,
            .user_name = user.name,
            .address = "127.0.0.1",
            .browser = "Firefox",
            .created = clock.wall(),
            .expires = clock.wall() + hours(1)};
  }
  [[nodiscard]] CodeRow code(const std::string& text, const UserRow& user) const {
    return {.hash = *hash_token(text),
            .user = user.id,
            .user_name = user.name,
            .expires = clock.wall() + hours(1)};
  }

  base::ManualClock clock;
  std::optional<Store> store;
  UserRow ann;
  UserRow bob;
};

TEST_F(SignInRecordsTest, AreKeptUntilTheyExpireOrAreRemoved) {
  SignInRow first = sign_in("one", ann);
  first.access = Access::view;
  first.token = *hash_token("its token");
  const SignInRow second = sign_in("two", bob);
  ASSERT_TRUE(store->sign_ins().add(first));
  ASSERT_TRUE(store->sign_ins().add(second));
  reopen();
  EXPECT_EQ(*store->sign_ins().find(first.hash), first);
  EXPECT_EQ(*store->sign_ins().list(ann.id), std::vector{first});
  EXPECT_EQ(store->sign_ins().list()->size(), 2U);
  ASSERT_TRUE(store->sign_ins().remove(second.hash));
  EXPECT_EQ(store->sign_ins().find(second.hash).error().code, base::Code::not_found);
  clock.advance(hours(1));
  EXPECT_EQ(store->sign_ins().find(first.hash).error().code, base::Code::not_found);
  EXPECT_TRUE(store->sign_ins().list()->empty());
}

TEST_F(SignInRecordsTest, EndWithTheirToken) {
  const auto token = *hash_token("token");
  ASSERT_TRUE(store->tokens().add(ann.id, token, ""));
  SignInRow row = sign_in("one", ann);
  row.token = token;
  ASSERT_TRUE(store->sign_ins().add(row));
  ASSERT_TRUE(store->tokens().remove(token));
  EXPECT_EQ(store->sign_ins().find(row.hash).error().code, base::Code::not_found);
}

TEST_F(SignInRecordsTest, TheOldestMakeRoomAndOnlyTheUsersOwn) {
  ASSERT_TRUE(store->sign_ins().add(sign_in("bob", bob)));
  for (int i = 0; i <= SignInRecords::kMostSignIns; ++i) {
    clock.advance(milliseconds(1));
    ASSERT_TRUE(store->sign_ins().add(sign_in("ann " + std::to_string(i), ann)));
  }
  EXPECT_EQ(std::ssize(*store->sign_ins().list(ann.id)), SignInRecords::kMostSignIns);
  EXPECT_FALSE(store->sign_ins().find(*hash_token("ann 0")));
  EXPECT_TRUE(store->sign_ins().find(*hash_token("ann 1")));
  EXPECT_TRUE(store->sign_ins().find(*hash_token("bob")));
}

TEST_F(SignInRecordsTest, ACodeIsGivenOutOnce) {
  const CodeRow row = code("one", ann);
  ASSERT_TRUE(store->sign_ins().add_code(row));
  auto other = Store::open(path(), {.clock = &clock});
  ASSERT_TRUE(other);
  EXPECT_EQ(*other->sign_ins().take_code(row.hash), row);
  EXPECT_EQ(store->sign_ins().take_code(row.hash).error().code, base::Code::not_found);
  EXPECT_EQ(other->sign_ins().take_code(row.hash).error().code, base::Code::not_found);
}

TEST_F(SignInRecordsTest, ACodeThatHasExpiredIsNone) {
  const CodeRow row = code("one", ann);
  ASSERT_TRUE(store->sign_ins().add_code(row));
  clock.advance(hours(1));
  EXPECT_EQ(store->sign_ins().take_code(row.hash).error().code, base::Code::not_found);
}

}  // namespace
}  // namespace session
