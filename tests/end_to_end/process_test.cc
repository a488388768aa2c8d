// Plain processes: no terminal, their output in a journal all the same.

#include "end_to_end/keeper_fixture.h"
#include "programs/sequence.h"

namespace e2e {
namespace {

class ProcessTest : public KeeperTest {
 protected:
  base::Result<keeper::AttachedChild> spawn(const std::string& id, std::vector<std::string> argv) {
    keeper::SpawnRequest request;
    request.id = keeper::ChildId(id);
    request.kind = keeper::Kind::process;
    request.argv = std::move(argv);
    return owner().spawn(request);
  }
};

TEST_F(ProcessTest, BothOutputsAreCapturedInOrder) {
  auto child = spawn("p", {"/bin/sh", "-c", "echo out; echo err >&2; echo out again; exit 6"});
  ASSERT_TRUE(child) << child.error().message();
  EXPECT_EQ(all_output(*child), "out\nerr\nout again\n");
  EXPECT_EQ(owner().exit_of("p").status.code, 6);
}

TEST_F(ProcessTest, ItHasNoTerminalAndNoInput) {
  auto child = spawn("p", {"/bin/sh", "-c",
                           "tty; cat; cut -d' ' -f7 /proc/$$/stat; ls /proc/$$/fd; "
                           "env | grep -c '^TERM='"});
  ASSERT_TRUE(child);
  EXPECT_EQ(all_output(*child), "not a tty\n0\n0\n1\n2\n0\n");
  EXPECT_FALSE(child->input.valid());
}

TEST_F(ProcessTest, AFloodIsHeldBackAndArrivesWhole) {
  auto child = spawn("p", {SEQUENCE_WRITER, "10000000", "0"});
  ASSERT_TRUE(child);
  journal::Offset offset = 0;
  while (offset < 10'000'000) {
    ASSERT_TRUE(eventually([&] { return child->journal.produced() > offset; }));
    const auto bytes = child->journal.copy(offset, 1 << 20);
    ASSERT_TRUE(bytes);
    ASSERT_EQ(sequence::mismatch(*bytes, offset), bytes->size());
    offset += bytes->size();
    ASSERT_TRUE(child->journal.advance(offset));
  }
  EXPECT_EQ(owner().exit_of("p").status.code, 0);
}

TEST_F(ProcessTest, ClosingEndsItsWholeSession) {
  auto child = spawn("p", {"/bin/sh", "-c",
                           "trap '' TERM; sleep 1000 & echo pid=$!; while :; do sleep 0.01; done"});
  ASSERT_TRUE(child);
  const std::string output = output_until(*child, "\n");
  const pid_t grandchild = std::stoi(output.substr(4));
  ASSERT_TRUE(owner().close("p", milliseconds(50)));
  EXPECT_FALSE(exists(child->info.pid));
  EXPECT_FALSE(exists(grandchild));
}

TEST_F(ProcessTest, APoliteOneEndsByTerm) {
  auto child = spawn(
      "p",
      {"/bin/sh", "-c", "trap 'echo bye; exit 4' TERM; echo ready; while :; do sleep 0.01; done"});
  ASSERT_TRUE(child);
  (void)output_until(*child, "ready");
  ASSERT_TRUE(owner().close("p", seconds(30)));
  EXPECT_EQ(owner().exit_of("p").status.code, 4);
}

}  // namespace
}  // namespace e2e
