// What programs type: it arrives whole, once, and only if they may.

#include "operation/test_operations.h"

namespace operation {
namespace {

class SendTest : public OperationsTest {
 protected:
  SendTest() { have("t"); }
  base::Result<Offset> send(SendRequest request) {
    return operations_.input().send(caller(), {"t"}, request);
  }
  base::Error refused(SendRequest request) {
    const auto sent = send(std::move(request));
    EXPECT_FALSE(sent);
    EXPECT_EQ(keeper_.typed("t"), "");
    return sent ? base::Error{} : sent.error();
  }
};

TEST_F(SendTest, TextKeysAndEnterArriveInOrder) {
  ASSERT_TRUE(send({.input = Text{"ls"}, .enter = true}));
  EXPECT_EQ(keeper_.typed("t"), "ls\r");
  ASSERT_TRUE(send({.input = Keys{{"C-c", "Up", "x"}}}));
  EXPECT_EQ(keeper_.typed("t"), "\x03\x1b[Ax");
  ASSERT_TRUE(send({.input = Text{""}, .enter = true}));
  EXPECT_EQ(keeper_.typed("t"), "\r");
}

TEST_F(SendTest, KeysAndPastesAreAsTheProgramAskedFor) {
  prints("t", "\x1b[?1h\x1b[?2004h");
  ASSERT_TRUE(send({.input = Keys{{"Up"}}}));
  EXPECT_EQ(keeper_.typed("t"), "\x1bOA");
  ASSERT_TRUE(send({.input = Paste{"two\nlines"}}));
  EXPECT_EQ(keeper_.typed("t"), "\x1b[200~two\rlines\x1b[201~");
}

TEST_F(SendTest, AnUnknownKeyTypesNothing) {
  EXPECT_EQ(refused({.input = Keys{{"a", "Nonsense"}}}).code, base::Code::invalid_argument);
}

TEST_F(SendTest, TheOffsetIsWhereTheOutputWas) {
  EXPECT_EQ(send({.input = Text{"a"}}).value(), 0U);
  prints("t", "12345");
  EXPECT_EQ(send({.input = Text{"b"}}).value(), 5U);
}

TEST_F(SendTest, ThoseWhoMayNotType) {
  EXPECT_EQ(operations_.input().send(viewer(), {"t"}, {.input = Text{"a"}}).error().code,
            base::Code::permission_denied);
  Caller revoked = caller();
  revoked.permit.withdraw();
  EXPECT_EQ(operations_.input().send(revoked, {"t"}, {.input = Text{"a"}}).error().code,
            base::Code::permission_denied);
  EXPECT_EQ(keeper_.typed("t"), "");
}

TEST_F(SendTest, AnEndedProgramTakesNothing) {
  exits("t", 0);
  EXPECT_EQ(refused({.input = Text{"a"}}).what, "the program in this terminal has ended");
}

TEST_F(SendTest, AProgramWaitsForAPersonToPause) {
  using std::chrono::hours;
  ASSERT_TRUE(send({.input = Text{"a"}, .if_idle = hours(1)})) << "nobody has typed";
  EXPECT_EQ(keeper_.typed("t"), "a");
  ASSERT_TRUE(terminal("t").typing().write("person"));
  EXPECT_EQ(keeper_.typed("t"), "person");
  EXPECT_EQ(refused({.input = Text{"b"}, .if_idle = hours(1)}).code, base::Code::busy);
  EXPECT_TRUE(send({.input = Text{"b"}, .if_idle = std::chrono::milliseconds(0)}));
}

TEST(RepeatedInputTest, TheSameRequestHasItsOffsetAndAnotherIsRefused) {
  const auto digest = journal::digest_of("ls");
  const journal::KeyedInput accepted{.key = "k", .request = digest, .offset = 7};
  EXPECT_EQ(offset_of_repeated(accepted, digest).value(), 7U);
  EXPECT_EQ(offset_of_repeated(accepted, journal::digest_of("rm")).error().code,
            base::Code::mismatch);
}

}  // namespace
}  // namespace operation
