// Commands of shells, from their marks: the list of them, their output, and running one.

#include "operation/command_operations.h"

#include "operation/test_operations.h"

namespace operation {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using Outcome = Execution::Outcome;

class CommandOperationsTest : public OperationsTest {
 protected:
  CommandOperationsTest() { have("t"); }
  CommandOperations& commands() { return operations_.commands(); }

  void shows_prompt() { prints("t", mark("A") + "$ " + mark("B")); }
  void begins(const std::string& text) { prints("t", mark("C;cmdline_url=" + text)); }
  void ends(int status) { prints("t", mark("D;" + std::to_string(status))); }
  void runs(const std::string& text, const std::string& output, int status = 0) {
    shows_prompt();
    begins(text);
    prints("t", output);
    ends(status);
  }
  Answer<base::Result<Execution>> exec(const std::string& command,
                                       milliseconds timeout = hours(1)) {
    return start(
        commands().exec(caller(), {"t"}, {.command = command, .timeout = timeout, .key = {}}));
  }
  base::Error refused(const Answer<base::Result<Execution>>& executed) {
    const auto result = answer(executed);
    EXPECT_FALSE(result);
    return result ? base::Error{} : result.error();
  }
  // The command has been typed, and the shell has read it.
  void is_typed(const std::string& text) {
    std::string typed;
    run_until([&] { return (typed += keeper_.typed("t")).ends_with('\r'); });
    EXPECT_EQ(typed, "\x1b[133;133~" + text + "\r");
  }
};

TEST_F(CommandOperationsTest, TheListHasTheNewestAndThoseAfterAnOffset) {
  runs("one", "1\r\n");
  const Offset between = terminal("t").mark();
  runs("two", "2\r\n", 1);
  runs("three", "3\r\n");
  const auto texts = [&](CommandsRequest request) {
    std::string all;
    for (const auto& each : answer(start(commands().list(caller(), {"t"}, request)))->commands)
      all += each.text + " ";
    return all;
  };
  EXPECT_EQ(texts({}), "one two three ");
  EXPECT_EQ(texts({.limit = 2}), "two three ");
  EXPECT_EQ(texts({.since = between}), "two three ");
}

TEST_F(CommandOperationsTest, TheLastCommandsOutputIsPlainText) {
  EXPECT_EQ(commands().output(caller(), {"t"}).error().code, base::Code::not_found);
  runs("old", "old output\r\n");
  shows_prompt();
  begins("new");
  prints("t", "\x1b[1mnew\x1b[m output\r\n");
  EXPECT_EQ(commands().output(caller(), {"t"})->text, "new output\n") << "while it runs";
  ends(0);
  shows_prompt();
  const auto output = commands().output(caller(), {"t"});
  ASSERT_TRUE(output);
  EXPECT_EQ(output->text, "new output\n");
  EXPECT_EQ(output->missing, 0U);
}

TEST_F(CommandOperationsTest, TheOutputOfAnyCommandIsFoundByItsStart) {
  runs("old", "old output\r\n");
  runs("new", "new output\r\n");
  const auto start = terminal("t").commands().all().front().start;
  EXPECT_EQ(commands().output(caller(), {"t"}, start)->text, "old output\n");
  EXPECT_EQ(commands().output(caller(), {"t"}, start + 1).error().what,
            "this command is no longer known");
}

TEST_F(CommandOperationsTest, ACommandIsTypedAtThePromptAndItsEndIsTheAnswer) {
  shows_prompt();
  const auto executed = exec("make test");
  is_typed("make test");
  begins("make%20test");
  prints("t", "3 tests failed\r\n");
  EXPECT_FALSE(executed->has_value());
  ends(2);
  const auto result = answer(executed);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->outcome, Outcome::ended);
  EXPECT_EQ(result->exit_code, 2);
  EXPECT_EQ(result->output, "3 tests failed\n");
}

TEST_F(CommandOperationsTest, AShellThatHasJustStartedIsWaitedFor) {
  prints("t", mark("A"));
  const auto executed = exec("ls");
  EXPECT_EQ(keeper_.typed("t"), "");
  prints("t", "$ " + mark("B"));
  is_typed("ls");
  begins("ls");
  ends(0);
  EXPECT_EQ(answer(executed)->outcome, Outcome::ended);
}

TEST_F(CommandOperationsTest, ATimeoutLeavesItRunningAndItCanBeFollowed) {
  shows_prompt();
  const auto executed = exec("slow", milliseconds(1));
  is_typed("slow");
  const auto running = answer(executed);
  ASSERT_TRUE(running);
  EXPECT_EQ(running->outcome, Outcome::running);
  begins("slow");
  prints("t", "half\r\n");
  const auto follow = [&](std::optional<Offset> from) {
    return start(commands().follow(caller(), {"t"},
                                   {.since = running->offset,
                                    .from = from,
                                    .until = std::chrono::steady_clock::now() + hours(1)}));
  };
  const auto first = answer(follow(std::nullopt));
  ASSERT_TRUE(first);
  EXPECT_EQ(first->output, "half\n");
  const auto second = follow(first->next);
  EXPECT_FALSE(second->has_value()) << "there is nothing new";
  prints("t", "rest\r\n");
  EXPECT_EQ(answer(second)->output, "rest\n");
  const auto last = follow(answer(second)->next);
  ends(0);
  EXPECT_EQ(answer(last)->outcome, Outcome::ended);
}

TEST_F(CommandOperationsTest, AShellThatDoesNotUnderstandItRefuses) {
  shows_prompt();
  const auto executed = exec("if");
  is_typed("if");
  prints("t", "syntax error\r\n" + mark("D;2"));
  shows_prompt();
  const auto result = answer(executed);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->outcome, Outcome::refused);
  EXPECT_EQ(result->exit_code, 2);
}

TEST_F(CommandOperationsTest, AnIncompleteCommandIsCancelled) {
  shows_prompt();
  const auto executed = exec("for x in");
  is_typed("for x in");
  prints("t", mark("A;k=s") + "> ");
  std::string typed;
  run_until([&] { return (typed += keeper_.typed("t")).contains('\x03'); });
  shows_prompt();
  EXPECT_EQ(answer(executed)->outcome, Outcome::incomplete);
}

TEST_F(CommandOperationsTest, AProgramThatEndsEndsTheCommand) {
  shows_prompt();
  const auto executed = exec("exit 4");
  is_typed("exit 4");
  begins("exit%204");
  exits("t", 4);
  EXPECT_EQ(answer(executed)->outcome, Outcome::exited);
  EXPECT_EQ(answer(executed)->exit_code, 4);
}

TEST_F(CommandOperationsTest, WhenNothingIsTyped) {
  EXPECT_EQ(refused(exec("ls")).what, not_integrated().what) << "no marks";
  shows_prompt();
  EXPECT_EQ(refused(exec(" \t")).what, "there is no command to run");
  EXPECT_EQ(refused(exec("two\nlines")).code, base::Code::unsupported) << "bracketed paste is off";
  EXPECT_EQ(refused(start(commands().exec(viewer(), {"t"}, {.command = "ls"}))).code,
            base::Code::permission_denied);
  begins("vim");
  EXPECT_EQ(refused(exec("ls")).what, "the shell is not at its prompt; it runs: vim");
  ends(0);
  prints("t", mark("A;k=s") + "> ");
  EXPECT_EQ(refused(exec("ls")).what,
            "the shell is not at its prompt; it waits for the rest of a command");
  exits("t", 0);
  EXPECT_EQ(refused(exec("ls")).what, "the program in this terminal has ended");
  EXPECT_EQ(keeper_.typed("t"), "");
}

TEST_F(CommandOperationsTest, SeveralLinesArePastedWhereTheShellTakesThem) {
  prints("t", "\x1b[?2004h");
  shows_prompt();
  const auto executed = exec("one\ntwo", milliseconds(1));
  is_typed("\x1b[200~one\rtwo\x1b[201~");
  EXPECT_EQ(answer(executed)->outcome, Outcome::running);
}

}  // namespace
}  // namespace operation
