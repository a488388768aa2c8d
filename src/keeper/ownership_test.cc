// Who owns the children, with real processes as daemons.

#include "keeper/ownership.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "keeper/test_loop.h"

namespace keeper {
namespace {

using std::chrono::milliseconds;
using Happened = std::vector<std::string>;
using Takeover = Ownership::Takeover;

constexpr milliseconds kLetGo{5000};

// A process that waits to be killed.
class Daemon {
 public:
  Daemon() : pid_(::fork()) {
    if (pid_ != 0) return;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (;;) ::pause();
  }
  ~Daemon() {
    end();
    ::waitpid(pid_, nullptr, 0);
  }
  Daemon(const Daemon&) = delete;
  Daemon& operator=(const Daemon&) = delete;

  void end() const {
    siginfo_t info{};
    ::kill(pid_, SIGKILL);
    ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOWAIT);
  }
  [[nodiscard]] bool has_ended() const {
    siginfo_t info{};
    ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT);
    return info.si_pid == pid_;
  }
  [[nodiscard]] pid_t pid() const { return pid_; }

 private:
  pid_t pid_;
};

class OwnershipTest : public testing::Test {
 protected:
  // A connection of that process to the keeper.
  const Connection& connect(pid_t pid) {
    std::array<int, 2> ends{};
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends.data()),
              0);
    peers_.emplace_back(ends[1]);
    connections_.push_back(std::make_unique<Connection>(ConnectionId{++last_connection_},
                                                        base::Fd(ends[0]), base::Peer{.pid = pid},
                                                        *loop_, Connection::Handlers{}));
    return *connections_.back();
  }
  const Connection& connect(const Daemon& daemon) { return connect(daemon.pid()); }

  static std::string number(ConnectionId id) {
    return std::to_string(static_cast<std::uint64_t>(id));
  }
  Happened what_happened() { return std::exchange(happened_, {}); }

  TestLoop loop_;
  std::uint64_t last_connection_ = 0;
  std::vector<base::Fd> peers_;
  std::vector<std::unique_ptr<Connection>> connections_;
  Happened happened_;
  std::function<void(ConnectionId)> on_grant_;
  Ownership ownership_{
      *loop_,
      {.let_go = [this](ConnectionId owner,
                        milliseconds) { happened_.push_back("let go " + number(owner)); },
       .granted =
           [this](ConnectionId claimant, std::uint32_t request) {
             happened_.push_back("granted " + number(claimant) + " " + std::to_string(request));
             if (on_grant_) on_grant_(claimant);
           },
       .missing = [this] { happened_.emplace_back("missing"); }}};
};

TEST_F(OwnershipTest, TheFirstIsGrantedTheChildrenAndTheSecondIsToldWhoServes) {
  const Daemon first;
  const Daemon second;
  ASSERT_TRUE(ownership_.claim(connect(first), 7, Takeover::no));
  EXPECT_EQ(what_happened(), Happened{"granted 1 7"});
  EXPECT_EQ(ownership_.pid(), first.pid());
  const auto refused = ownership_.claim(connect(second), 8, Takeover::no);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, base::Code::busy);
  EXPECT_NE(refused.error().what.find(std::to_string(first.pid())), std::string::npos);
  EXPECT_EQ(what_happened(), Happened{}) << "the first notices nothing";
  EXPECT_EQ(ownership_.connection(), ConnectionId{1});
}

TEST_F(OwnershipTest, ATakeoverIsGrantedWhenTheOwnerLetsGo) {
  const Daemon first;
  const Daemon second;
  ASSERT_TRUE(ownership_.claim(connect(first), 1, Takeover::no));
  ASSERT_TRUE(ownership_.claim(connect(second), 2, Takeover::yes));
  EXPECT_EQ(what_happened(), (Happened{"granted 1 1", "let go 1"}));
  EXPECT_TRUE(ownership_.is_changing());
  EXPECT_EQ(ownership_.pid(), first.pid()) << "until it has let go";
  ownership_.yield();
  EXPECT_EQ(what_happened(), Happened{"granted 2 2"});
  EXPECT_EQ(ownership_.pid(), second.pid());
  EXPECT_FALSE(ownership_.is_changing());
  loop_.pass(kLetGo);
  EXPECT_FALSE(first.has_ended()) << "it did as it was told";
}

TEST_F(OwnershipTest, AnOwnerThatDoesNotLetGoIsKilledAndThenReplaced) {
  const Daemon first;
  const Daemon second;
  ASSERT_TRUE(ownership_.claim(connect(first), 1, Takeover::no));
  ASSERT_TRUE(ownership_.claim(connect(second), 2, Takeover::yes));
  loop_.pass(kLetGo - milliseconds(1));
  EXPECT_FALSE(first.has_ended());
  what_happened();
  on_grant_ = [&](ConnectionId) { EXPECT_TRUE(first.has_ended()); };
  loop_.pass(milliseconds(1));
  EXPECT_TRUE(loop_.run_until([&] { return !ownership_.is_changing(); }));
  EXPECT_EQ(what_happened(), Happened{"granted 2 2"});
}

TEST_F(OwnershipTest, ALostConnectionIsNotAnEnd) {
  const Daemon first;
  const Daemon second;
  ASSERT_TRUE(ownership_.claim(connect(first), 1, Takeover::no));
  ownership_.connection_closed(ConnectionId{1});
  EXPECT_EQ(what_happened(), (Happened{"granted 1 1", "missing"}));
  EXPECT_FALSE(ownership_.claim(connect(second), 2, Takeover::no));
  EXPECT_EQ(ownership_.pid(), first.pid());
  ASSERT_TRUE(ownership_.claim(connect(first), 3, Takeover::no)) << "it reconnects";
  EXPECT_EQ(what_happened(), Happened{"granted 3 3"});
}

// What it was told on the connection that is lost may not have reached it.
TEST_F(OwnershipTest, AnOwnerThatReconnectsDuringATakeoverIsToldAgainAndHasNoMoreTime) {
  const Daemon first;
  const Daemon second;
  ASSERT_TRUE(ownership_.claim(connect(first), 1, Takeover::no));
  ownership_.connection_closed(ConnectionId{1});
  ASSERT_TRUE(ownership_.claim(connect(second), 2, Takeover::yes));
  EXPECT_EQ(what_happened(), (Happened{"granted 1 1", "missing"})) << "nobody is there to be told";
  loop_.pass(kLetGo - milliseconds(1));
  ASSERT_TRUE(ownership_.claim(connect(first), 3, Takeover::no));
  EXPECT_EQ(what_happened(), (Happened{"granted 3 3", "let go 3"}));
  loop_.pass(milliseconds(1));
  EXPECT_TRUE(loop_.run_until([&] { return ownership_.pid() == second.pid(); }));
  EXPECT_TRUE(first.has_ended());
}

TEST_F(OwnershipTest, ATakeoverWhoseClaimantLeavesKillsNobody) {
  const Daemon first;
  const Daemon second;
  const Daemon third;
  ASSERT_TRUE(ownership_.claim(connect(first), 1, Takeover::no));
  ASSERT_TRUE(ownership_.claim(connect(second), 2, Takeover::yes));
  const auto refused = ownership_.claim(connect(third), 3, Takeover::yes);
  ASSERT_FALSE(refused) << "one takeover at a time";
  EXPECT_EQ(refused.error().code, base::Code::busy);
  ownership_.connection_closed(ConnectionId{2});
  EXPECT_FALSE(ownership_.is_changing());
  loop_.pass(2 * kLetGo);
  EXPECT_FALSE(first.has_ended());
  EXPECT_EQ(ownership_.pid(), first.pid());
  EXPECT_TRUE(ownership_.claim(connect(third), 4, Takeover::yes)) << "the next may try";
}

TEST_F(OwnershipTest, TheEndOfTheOwnerIsNoticedAlsoBeforeTheLoopTells) {
  const Daemon first;
  const Daemon second;
  ASSERT_TRUE(ownership_.claim(connect(first), 1, Takeover::no));
  first.end();
  ASSERT_TRUE(ownership_.claim(connect(second), 2, Takeover::no)) << "nobody serves any more";
  EXPECT_EQ(what_happened(), (Happened{"granted 1 1", "missing", "granted 2 2"}));
  second.end();
  EXPECT_TRUE(loop_.run_until([&] { return ownership_.pid() == 0; }));
  EXPECT_EQ(what_happened(), Happened{"missing"});
  EXPECT_EQ(ownership_.connection(), ConnectionId::none);
}

TEST_F(OwnershipTest, AClaimantThatHasEndedIsRefused) {
  pid_t pid = 0;
  {
    const Daemon gone;
    pid = gone.pid();
  }
  const auto refused = ownership_.claim(connect(pid), 1, Takeover::no);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, base::Code::not_found);
  EXPECT_FALSE(ownership_.restore(ConnectionId{1}, pid)) << "nor is it the owner after an upgrade";
  EXPECT_EQ(ownership_.pid(), 0);
  EXPECT_EQ(what_happened(), Happened{});
}

TEST_F(OwnershipTest, AfterAnUpgradeTheOwnerIsTheSameAndItsEndIsNoticed) {
  const Daemon first;
  const Daemon second;
  ASSERT_TRUE(ownership_.restore(ConnectionId{4}, first.pid()));
  EXPECT_EQ(ownership_.connection(), ConnectionId{4});
  EXPECT_EQ(what_happened(), Happened{}) << "it was granted the children long ago";
  EXPECT_FALSE(ownership_.claim(connect(second), 1, Takeover::no));
  first.end();
  EXPECT_TRUE(loop_.run_until([&] { return ownership_.pid() == 0; }));
  EXPECT_EQ(what_happened(), Happened{"missing"});
}

// One daemon serves and another takes over, while connections are lost, either of them ends and
// time passes: whatever the order, nobody is granted the children while somebody else may still
// write to them, the keeper always knows whether an owner is connected, and a claim that was
// accepted is granted in the end.
TEST_F(OwnershipTest, InEveryOrder) {
  constexpr int kEvents = 6;
  std::array<int, kEvents> order{};
  for (int i = 0; i < kEvents; ++i) order[static_cast<std::size_t>(i)] = i;
  int orders = 0;
  do {
    const Daemon first;
    const Daemon second;
    const Connection& old = connect(first);
    const Connection& claims = connect(second);
    bool has_yielded = false;
    bool is_accepted = false;
    bool is_granted = false;
    on_grant_ = [&](ConnectionId id) {
      EXPECT_TRUE(id != claims.id() || has_yielded || first.has_ended());
      is_granted = is_granted || id == claims.id();
      has_yielded = false;
    };
    ASSERT_TRUE(ownership_.claim(old, 1, Takeover::no));
    const std::function<void()> events[kEvents] = {
        [&] { is_accepted = ownership_.claim(claims, 2, Takeover::yes).has_value(); },
        [&] { ownership_.connection_closed(old.id()); },
        [&] {
          const auto again = ownership_.claim(connect(first), 3, Takeover::no);
          EXPECT_EQ(again.has_value(), ownership_.pid() == first.pid());
        },
        [&] {
          if (ownership_.connection() == ConnectionId::none || is_granted) return;
          has_yielded = true;
          ownership_.yield();
        },
        [&] { first.end(); },
        [&] { loop_.pass(kLetGo); },
    };
    for (const int event : order) {
      events[event]();
      const bool is_connected = ownership_.connection() != ConnectionId::none;
      ASSERT_EQ(is_connected, happened_.back() != "missing");
      ASSERT_FALSE(is_connected && ownership_.pid() == 0);
    }
    if (ownership_.is_changing()) loop_.pass(kLetGo);
    ASSERT_TRUE(loop_.run_until([&] { return !ownership_.is_changing(); }));
    ASSERT_TRUE(is_accepted);
    ASSERT_TRUE(is_granted);
    ASSERT_EQ(std::ranges::count(happened_, "granted " + number(claims.id()) + " 2"), 1);
    ASSERT_EQ(ownership_.pid(), second.pid());
    on_grant_ = {};
    ownership_.yield();
    happened_.clear();
    connections_.clear();
    peers_.clear();
    ++orders;
  } while (std::ranges::next_permutation(order).found);
  EXPECT_EQ(orders, 720);
}

}  // namespace
}  // namespace keeper
