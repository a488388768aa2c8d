// A thousand terminals at once, and nothing left of them.

#include <fstream>

#include "end_to_end/keeper_fixture.h"

namespace e2e {
namespace {

class ManyTerminalsTest : public KeeperTest {
 protected:
  std::size_t mappings() const {
    const std::string maps = proc_file(keeper_pid(), "maps");
    std::size_t count = 0;
    for (auto at = maps.find("holdfast-journal"); at != std::string::npos;
         at = maps.find("holdfast-journal", at + 1))
      ++count;
    return count;
  }
};

TEST_F(ManyTerminalsTest, AThousandComeAndGo) {
  constexpr int kCount = 1000;
  Client& client = owner();
  ASSERT_TRUE(client.wait(client.keeper().hello()));
  const auto before = open_descriptors(keeper_pid());
  std::vector<keeper::AttachedChild> children;
  for (int i = 0; i < kCount; ++i) {
    auto child = client.spawn("t" + std::to_string(i), {"/bin/cat"});
    ASSERT_TRUE(child) << i << ": " << child.error().message();
    children.push_back(std::move(*child));
  }
  EXPECT_EQ(client.wait(client.keeper().list())->size(), static_cast<std::size_t>(kCount));
  EXPECT_EQ(children_of(keeper_pid()).size(), static_cast<std::size_t>(kCount));
  for (int i = 0; i < kCount; ++i) type(children[i], std::to_string(i) + "\n");
  for (int i = 0; i < kCount; ++i) {
    const std::string number = std::to_string(i);
    EXPECT_EQ(output_until(children[i], number + "\r\n" + number + "\r\n").size(),
              2 * number.size() + 4);
  }

  std::vector<pid_t> pids;
  for (const auto& child : children) pids.push_back(child.info.pid);
  children.clear();
  int closed = 0;
  const auto close_all = [&]() -> boost::asio::awaitable<bool> {
    const auto executor = co_await boost::asio::this_coro::executor;
    for (int i = 0; i < kCount; ++i)
      boost::asio::co_spawn(
          executor,
          [&client, i] { return client.keeper().close(keeper::ChildId("t" + std::to_string(i))); },
          [&closed](const std::exception_ptr&, const base::Status& status) {
            closed += status.has_value();
          });
    co_return true;
  };
  client.wait(close_all());
  client.run_until([&] { return closed == kCount; });

  for (const pid_t pid : pids) EXPECT_FALSE(exists(pid));
  EXPECT_TRUE(client.wait(client.keeper().list())->empty());
  EXPECT_TRUE(children_of(keeper_pid()).empty()) << "no zombie";
  EXPECT_TRUE(eventually([&] { return open_descriptors(keeper_pid()) == before; }))
      << "no descriptor, so no memfd either";
  EXPECT_TRUE(eventually([&] { return mappings() == 0; }));
}

}  // namespace
}  // namespace e2e
