// The keeper when the system gives it no more: a clear error, nothing lost, and it goes on when
// there is room again.

#include <signal.h>

#include "end_to_end/keeper_fixture.h"

namespace e2e {
namespace {

class ExhaustionTest : public KeeperTest {
 protected:
  // A keeper under a limit that the shell sets, in a directory of its own.
  std::vector<std::string> keeper_under(const std::string& limit) const {
    return {"/bin/sh", "-c",
            limit + "; exec " + kKeeperProgram.native() + " --runtime-dir " + inner().native()};
  }
  std::filesystem::path inner() const { return dir() / "inner"; }
};

TEST_F(ExhaustionTest, TheLimitOnOpenFiles) {
  Process process(keeper_under("ulimit -n 100"));
  Client client(inner());
  ASSERT_TRUE(eventually([&] { return client.start().has_value(); }));
  std::vector<keeper::AttachedChild> children;
  base::Error error;
  for (int i = 0; error.what.empty(); ++i) {
    ASSERT_LT(i, 100) << "the limit was never met";
    auto child = client.spawn("t" + std::to_string(i), {"/bin/cat"});
    if (child)
      children.push_back(std::move(*child));
    else
      error = child.error();
  }
  EXPECT_EQ(error.sys_errno, EMFILE) << error.message();
  EXPECT_GE(children.size(), 10U);
  const auto full = open_descriptors(process.pid());

  type(children.front(), "alive\n");
  EXPECT_NE(output_until(children.front(), "alive\r\nalive").size(), 0U);
  for (int i = 0; i < 20; ++i) EXPECT_FALSE(client.spawn("more", {"/bin/cat"}));
  EXPECT_EQ(open_descriptors(process.pid()), full) << "a spawn that fails leaves nothing open";
  // A connection that cannot be accepted waits; it is not lost, and the keeper does not spin
  // meanwhile.
  std::vector<base::Fd> waiting;
  for (int i = 0; i < 20; ++i)
    waiting.push_back(std::move(keeper::connect_to_keeper(inner()).value()));

  EXPECT_TRUE(client.close("t0"));
  EXPECT_TRUE(client.close("t1"));
  EXPECT_TRUE(client.close("t2"));
  waiting.clear();
  EXPECT_TRUE(eventually([&] { return client.spawn("again", {"/bin/cat"}).has_value(); }));
  process.signal(SIGTERM);
  const auto outcome = process.wait();
  EXPECT_EQ(outcome.status, 0) << outcome.output;
}

TEST_F(ExhaustionTest, AStateThatCannotBeSavedStopsAnUpgradeAndNothingElse) {
  Process process(keeper_under("ulimit -n 64"));
  Client client(inner());
  ASSERT_TRUE(eventually([&] { return client.start().has_value(); }));
  int count = 0;
  while (client.spawn("t" + std::to_string(count), {"/bin/cat"})) ++count;
  std::vector<base::Fd> rest;  // What is left of the descriptors goes into connections.
  for (int i = 0; i < 10; ++i) {
    rest.push_back(std::move(keeper::connect_to_keeper(inner()).value()));
  }
  const auto upgraded = client.wait(client.keeper().upgrade({}));
  if (!upgraded) {
    EXPECT_NE(upgraded.error().message().find("Too many open files"), std::string::npos)
        << upgraded.error().message();
  }
  rest.clear();
  ASSERT_TRUE(client.close("t0"));
  EXPECT_TRUE(eventually([&] { return client.wait(client.keeper().upgrade({})).has_value(); }));
  EXPECT_EQ(client.wait(client.keeper().list())->size(), static_cast<std::size_t>(count - 1));
  process.signal(SIGTERM);
  const auto outcome = process.wait();
  EXPECT_EQ(outcome.status, 0) << outcome.output;
}

}  // namespace
}  // namespace e2e
