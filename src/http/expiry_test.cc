#include "http/expiry.h"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>

#include "base/test_clock.h"
#include "base/test_temp_dir.h"
#include "http/token_uses.h"

namespace http {
namespace {

using std::chrono::milliseconds;

class ExpiryTest : public testing::Test {
 protected:
  boost::asio::io_context io_;
  base::ManualClock clock_;
  Expiry expiry_{io_.get_executor(), clock_};
  int calls_ = 0;
};

// The timer goes by the time that passes, but the clock on the wall decides.
TEST_F(ExpiryTest, ItCallsOnceWhenTheClockSaysSo) {
  expiry_.watch(clock_.wall() + milliseconds(1), [&] { ++calls_; });
  EXPECT_EQ(io_.run_one(), 1U);
  EXPECT_EQ(calls_, 0) << "the clock stands still";
  clock_.advance(milliseconds(1));
  io_.run();
  EXPECT_EQ(calls_, 1);
}

TEST_F(ExpiryTest, ATimeThatIsOverCallsAtOnce) {
  expiry_.watch(clock_.wall(), [&] { ++calls_; });
  EXPECT_EQ(calls_, 1);
  EXPECT_EQ(io_.run(), 0U);
}

// A timer that has fired already calls its handler even if it is cancelled then.
TEST_F(ExpiryTest, NothingCallsAfterCancelling) {
  expiry_.watch(clock_.wall() + milliseconds(1), [&] { ++calls_; });
  clock_.advance(milliseconds(1));
  boost::asio::steady_timer later(io_, milliseconds(5));
  later.wait();
  expiry_.cancel();
  io_.run();
  EXPECT_EQ(calls_, 0);
}

TEST(TokenUsesTest, AUseIsWrittenAtMostOnceAMinute) {
  base::TempDir dir;
  base::ManualClock clock;
  clock.advance(std::chrono::hours(1));
  auto store = session::Store::open(dir / "holdfast.db", {.clock = &clock}).value();
  const auto ada = store.ensure_user("ada").value();
  const auto kept = store.tokens().add(ada.id, session::hash_token("t").value(), "").value();
  TokenUses uses(store, clock);
  const auto last = [&] { return store.tokens().find(kept)->last_address; };
  uses.note({.id = ada.id, .name = "ada"}, "nowhere");
  EXPECT_EQ(last(), "") << "it came without a token";
  uses.note({.id = ada.id, .name = "ada", .credential = ByToken{kept}}, "10.0.0.1");
  EXPECT_EQ(last(), "10.0.0.1");
  clock.advance(std::chrono::seconds(59));
  uses.note({.id = ada.id, .name = "ada", .credential = ByToken{kept}}, "10.0.0.2");
  EXPECT_EQ(last(), "10.0.0.1");
  clock.advance(std::chrono::seconds(1));
  uses.note({.id = ada.id, .name = "ada", .credential = BySignIn{{}, kept}}, "10.0.0.3");
  EXPECT_EQ(last(), "10.0.0.3") << "a browser that signed in with it uses it, too";
  EXPECT_EQ(store.tokens().find(kept)->last_used, clock.wall());
}

}  // namespace
}  // namespace http
