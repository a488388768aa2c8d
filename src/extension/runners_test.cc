#include "extension/runners.h"

#include <sys/resource.h>

#include "extension/extension_fixture.h"
#include "keeper_protocol/runtime_dir.h"

namespace extension {
namespace {

class RunnersTest : public ExtensionTest {
 protected:
  static std::string error_of(const json::value& answer) {
    const json::value* const error =
        answer.is_object() ? answer.get_object().if_contains("error") : nullptr;
    return error == nullptr ? "" : std::string(error->at("message").as_string());
  }
};

TEST_F(RunnersTest, WhoHasNotSaidHelloMayCallNothing) {
  PlayedRunner stranger(io_, runners_, ::getpid());
  for (const Method& method : methods())
    EXPECT_EQ(error_of(stranger.ask(method.name, {})), "only the extension runner may call this");
  const SessionExtensionsPtr extensions = make_extensions("main");
  stranger.notify("log",
                  {{"session", extensions->session.id.str()}, {"text", "hi"}, {"level", "info"}});
  EXPECT_TRUE(store_.log({.session = extensions->session.id, .newest = 1}).value().empty());
}

TEST_F(RunnersTest, ARunnerIsKnownByThePidThatTheKernelNames) {
  PlayedRunner impostor(io_, runners_, 0);
  const json::object hello{{"protocol", 1}, {"sessions", json::array{}}};
  EXPECT_EQ(error_of(impostor.ask("hello", hello)), "another runner has taken over");
  EXPECT_EQ(error_of(impostor.ask("state.keys", {})), "only the extension runner may call this");
}

TEST_F(RunnersTest, AnotherProtocolIsRefused) {
  PlayedRunner newer(io_, runners_, ::getpid());
  EXPECT_EQ(error_of(newer.ask("hello", {{"protocol", 2}, {"sessions", json::array{}}})),
            "this daemon speaks protocol 1, the runner protocol 2");
}

TEST_F(RunnersTest, TheLastConnectionOfARunnerCounts) {
  const auto first = connect();
  const auto second = connect();
  const std::shared_ptr<Rpc> connection = runners_.of(make_session("main")).connection();
  ASSERT_TRUE(connection);
  EXPECT_NE(error_of(second->ask("state.keys", {})), "only the extension runner may call this");
  second->close();
  EXPECT_FALSE(runners_.of(make_session("other")).connection());
}

TEST_F(RunnersTest, ASessionWithItsOwnRunnerDoesNotUseTheSharedOne) {
  session::SessionRow shared = make_session("shared");
  session::SessionRow alone = make_session("alone");
  alone.isolation = Isolation::process;
  Runner& runner = runners_.of(shared);
  EXPECT_TRUE(runners_.is_for(runner, shared));
  EXPECT_FALSE(runners_.is_for(runner, alone));
  EXPECT_EQ(runners_.find(alone), nullptr);
  EXPECT_EQ(runners_.of(alone).only(), alone.id.str());
  EXPECT_EQ(runners_.find(alone), &runners_.of(alone));
}

TEST_F(RunnersTest, WhenItExitsItsLinkIsGone) {
  const auto runner = connect();
  Runner& shared = runners_.of(make_session("main"));
  ASSERT_TRUE(shared.connection() && shared.is_running());
  processes_.child_exited(keeper::ChildId("process-runner"), {});
  run();
  EXPECT_FALSE(shared.connection());
  EXPECT_FALSE(shared.is_running());
}

// Lets no new descriptor be opened.
class NoDescriptors {
 public:
  NoDescriptors() {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    const int next = ::dup(0);
    ::close(next);
    const rlimit none{.rlim_cur = static_cast<rlim_t>(next), .rlim_max = before_.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &none);
  }
  ~NoDescriptors() { ::setrlimit(RLIMIT_NOFILE, &before_); }

 private:
  rlimit before_{};
};

TEST_F(RunnersTest, WithoutDescriptorsItWaitsBeforeItAcceptsAgain) {
  runners_.accept_at(
      keeper::RuntimeDir::open(dir()).value().listen("runner.sock", SOCK_STREAM).value());
  run();
  asio::local::stream_protocol::socket socket(io_);
  socket.connect({(dir() / "runner.sock").string()});
  {
    const NoDescriptors none;
    io_.restart();
    int steps = 0;
    while (steps < 1000 && io_.poll_one() > 0) ++steps;
    EXPECT_LT(steps, 100) << "it spins";
  }
  // The connection was not lost.
  asio::write(socket, asio::buffer(std::string(R"({"id":1,"method":"state.keys"})"
                                               "\n")));
  std::string answer(512, '\0');
  socket.async_read_some(asio::buffer(answer), [](auto, auto) {});
  io_.restart();
  while (answer[0] == '\0' && io_.run_one_for(std::chrono::seconds(10)) > 0) {
  }
  EXPECT_NE(answer.find("only the extension runner may call this"), std::string::npos);
}

}  // namespace
}  // namespace extension
