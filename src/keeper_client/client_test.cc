// The client with a keeper that misbehaves. No real keeper does, so this one is scripted. The tests
// in tests/end_to_end/ cover everything else about the client with the real keeper.

#include "keeper_client/client.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include "base/test_temp_dir.h"
#include "keeper_protocol/runtime_dir.h"

namespace keeper {
namespace {

using boost::asio::awaitable;

// Accepts one connection, grants the claim, and answers every later request with `bytes` and
// `descriptors`.
class ScriptedKeeper {
 public:
  ScriptedKeeper(std::vector<std::byte> (*answer)(std::uint32_t request),
                 std::vector<int> descriptors)
      : answer_(answer), descriptors_(std::move(descriptors)) {
    socket_ = std::move(RuntimeDir::open(dir())->listen("keeper.sock", SOCK_SEQPACKET).value());
    thread_ = std::thread([this] { serve(); });
  }
  ~ScriptedKeeper() { thread_.join(); }
  [[nodiscard]] const std::filesystem::path& dir() const { return dir_.path(); }
  [[nodiscard]] Tag last_asked() const { return last_asked_; }

 private:
  static void wait_readable(const base::Fd& fd) {
    pollfd poll{.fd = fd.get(), .events = POLLIN, .revents = 0};
    ::poll(&poll, 1, 10'000);
  }
  void serve() {
    wait_readable(socket_);
    const base::Fd peer(::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    for (bool granted = false;; granted = true) {
      wait_readable(peer);
      const auto packet = keeper::receive_packet(peer);
      if (!packet) return;
      const auto message = Message::decode(packet->bytes);
      if (!message) return;
      last_asked_ = message->tag();
      const auto bytes = granted ? answer_(message->request())
                                 : Message(Tag::granted, message->request()).encode();
      if (!keeper::send_packet(peer, bytes, granted ? descriptors_ : std::vector<int>{})) return;
    }
  }

  std::vector<std::byte> (*answer_)(std::uint32_t request);
  std::vector<int> descriptors_;
  std::atomic<Tag> last_asked_ = Tag::hello;
  base::TempDir dir_;
  base::Fd socket_;
  std::thread thread_;
};

using Ask = awaitable<base::Result<AttachedChild>>(KeeperClient& client);

awaitable<base::Result<AttachedChild>> attach_to_a(KeeperClient& client) {
  ChildId id("a");
  co_return co_await client.attach(std::move(id));
}

// The error of a request to that keeper; by default, of attaching to a child.
base::Error error_of(const ScriptedKeeper& scripted, Ask& ask = attach_to_a) {
  boost::asio::io_context io;
  KeeperClient client(io.get_executor(), scripted.dir(), {});
  base::Error error;
  boost::asio::co_spawn(
      io,
      [&]() -> awaitable<void> {
        const auto started = co_await client.start(Takeover::no);
        EXPECT_TRUE(started);
        const auto child = co_await ask(client);
        if (!child) error = child.error();
        co_await client.stop();
      },
      [](const std::exception_ptr& thrown) { EXPECT_EQ(thrown, nullptr); });
  io.run();
  return error;
}

TEST(KeeperClientTest, AChildWithoutItsDescriptorsIsAnError) {
  const ScriptedKeeper scripted(
      [](std::uint32_t request) { return Message(Tag::child, request).encode(); }, {});
  EXPECT_EQ(error_of(scripted).code, base::Code::corrupt);
}

TEST(KeeperClientTest, ADescriptorThatIsNoJournalIsAnError) {
  const ScriptedKeeper scripted(
      [](std::uint32_t request) { return Message(Tag::child, request).encode(); }, {0, 0, 0});
  EXPECT_FALSE(error_of(scripted).what.empty());
}

TEST(KeeperClientTest, AnAnswerOfTheWrongKindIsAnError) {
  const ScriptedKeeper scripted(
      [](std::uint32_t request) { return Message(Tag::welcome, request).encode(); }, {});
  EXPECT_EQ(error_of(scripted).code, base::Code::corrupt);
}

TEST(KeeperClientTest, AnErrorComesThrough) {
  const ScriptedKeeper scripted(
      [](std::uint32_t request) {
        return keeper::error_message(
                   request, {.code = base::Code::not_found, .what = "no child", .advice = ""})
            .encode();
      },
      {});
  EXPECT_EQ(error_of(scripted).what, "no child");
}

// An older keeper ignores unknown fields. It would run the program as its own account, root.
TEST(KeeperClientTest, AnAccountIsAskedForInAWayThatAnOlderKeeperRefuses) {
  const ScriptedKeeper older(
      [](std::uint32_t request) {
        return keeper::error_message(
                   request, {.code = base::Code::unsupported, .what = "message 16", .advice = ""})
            .encode();
      },
      {});
  const auto spawn = [](KeeperClient& client) -> awaitable<base::Result<AttachedChild>> {
    SpawnRequest request;
    request.id = ChildId("a");
    request.argv = {"/bin/sh"};
    request.confinement.account.emplace();
    request.confinement.account->uid = 1000;
    co_return co_await client.spawn(std::move(request));
  };
  EXPECT_EQ(error_of(older, *+spawn).code, base::Code::unsupported);
  EXPECT_EQ(older.last_asked(), Tag::spawn_confined);
}

}  // namespace
}  // namespace keeper
