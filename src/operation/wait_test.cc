// Waiting: what comes first ends it, nothing is missed, and nothing waits for what cannot come.

#include "operation/test_operations.h"

namespace operation {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using Outcome = Waited::Outcome;

class WaitTest : public OperationsTest {
 protected:
  WaitTest() { have("t"); }
  Answer<base::Result<Waited>> wait(WaitRequest request) { return wait(caller(), request); }
  Answer<base::Result<Waited>> wait(Caller by, WaitRequest request) {
    return start(operations_.output().wait(std::move(by), {"t"}, std::move(request)));
  }
  base::Error refused(WaitRequest request) {
    const auto waited = answer(wait(std::move(request)));
    EXPECT_FALSE(waited);
    return waited ? base::Error{} : waited.error();
  }
};

TEST_F(WaitTest, TextThatComesInPiecesIsFoundWhole) {
  const auto waited = wait({.text = "rea.y", .timeout = hours(1)});
  prints("t", "not yet\r\nit is re");
  EXPECT_FALSE(waited->has_value());
  prints("t", "ady now\r\n");
  const auto found = answer(waited);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->outcome, Outcome::matched);
  EXPECT_EQ(found->offset, std::string("not yet\r\nit is ready").size());
}

TEST_F(WaitTest, WhatWasPrintedBeforeCountsOnlyWithAnOffset) {
  prints("t", "done\r\n");
  const auto late = wait({.text = "done", .timeout = milliseconds(0)});
  EXPECT_EQ(answer(late)->outcome, Outcome::timed_out);
  const auto early = wait({.text = "done", .since = 0, .timeout = milliseconds(0)});
  EXPECT_EQ(answer(early)->outcome, Outcome::matched);
  EXPECT_EQ(answer(early)->line, "done");
}

TEST_F(WaitTest, AfterATimeoutAnotherSearchFindsWhatHadBegun) {
  const auto first = wait({.text = "ready", .timeout = milliseconds(0)});
  const Offset resume = answer(first)->offset;
  prints("t", "it is rea");
  const auto second = wait({.text = "ready", .since = resume, .timeout = milliseconds(0)});
  ASSERT_EQ(answer(second)->outcome, Outcome::timed_out);
  prints("t", "dy");
  const auto third =
      wait({.text = "ready", .since = answer(second)->offset, .timeout = milliseconds(0)});
  EXPECT_EQ(answer(third)->outcome, Outcome::matched);
}

TEST_F(WaitTest, AnExitEndsEveryWait) {
  const auto for_text = wait({.text = "never", .timeout = hours(1)});
  const auto for_exit = wait({.exit = true, .timeout = hours(1)});
  exits("t", 3);
  for (const auto& waited : {for_text, for_exit}) {
    EXPECT_EQ(answer(waited)->outcome, Outcome::exited);
    EXPECT_EQ(answer(waited)->exit_code, 3);
  }
}

TEST_F(WaitTest, QuietIsWhenNothingWasPrintedForThatLong) {
  const auto waited = wait({.quiet = milliseconds(20), .timeout = hours(1)});
  prints("t", "a");
  EXPECT_EQ(answer(waited)->outcome, Outcome::quiet);
  EXPECT_EQ(answer(waited)->offset, 1U);
}

TEST_F(WaitTest, APromptAndTheEndOfACommand) {
  prints("t", mark("A") + "$ " + mark("B"));
  const auto ended = wait({.command_end = true, .timeout = hours(1)});
  const auto prompt = wait({.prompt = true, .timeout = hours(1)});
  prints("t", "make\r\n" + mark("C;cmdline_url=make") + "output\r\n" + mark("D;2"));
  EXPECT_EQ(answer(ended)->outcome, Outcome::command_ended);
  EXPECT_EQ(answer(ended)->exit_code, 2);
  EXPECT_FALSE(prompt->has_value()) << "the old prompt does not count";
  prints("t", mark("A") + "$ " + mark("B"));
  EXPECT_EQ(answer(prompt)->outcome, Outcome::prompt);
}

TEST_F(WaitTest, WhatCannotBeWaitedFor) {
  EXPECT_EQ(refused({}).what, "there is nothing to wait for");
  EXPECT_EQ(refused({.text = "("}).code, base::Code::invalid_argument);
  EXPECT_EQ(refused({.text = "a", .since = 1}).code, base::Code::invalid_argument)
      << "the output has not come that far";
  EXPECT_EQ(refused({.prompt = true}).what, not_integrated().what);
}

TEST_F(WaitTest, ItEndsWithTheDaemonTheTerminalAndTheCredential) {
  const Caller by = caller();
  const auto revoked = wait(by, {.text = "never", .timeout = hours(1)});
  session::Permit permit = by.permit;
  permit.withdraw();
  operations_.waiting().check_permits();
  EXPECT_EQ(answer(revoked).error().code, base::Code::permission_denied);

  const auto closed = wait({.text = "never", .timeout = hours(1)});
  const auto closing = close("t");
  keeper_.done(asked(keeper::Tag::close));
  EXPECT_EQ(answer(closed).error().what, "the terminal was closed");
  EXPECT_TRUE(answer(closing));

  have("t");
  const auto stopped = wait({.text = "never", .timeout = hours(1)});
  operations_.waiting().stop();
  EXPECT_EQ(answer(stopped).error().code, base::Code::unavailable);
  EXPECT_TRUE(operations_.waiting().is_stopping());
}

TEST_F(WaitTest, OutputThatIsGoneIsNotSearched) {
  const std::string line(1024, 'x');
  const std::size_t many = 2 * 512;  // Twice what the journal keeps and may have in flight.
  for (std::size_t n = 0; n < many; ++n) prints("t", line);
  EXPECT_EQ(refused({.text = "x", .since = 0}).code, base::Code::not_found);
}

}  // namespace
}  // namespace operation
