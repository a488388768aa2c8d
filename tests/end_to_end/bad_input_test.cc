// Whatever arrives on the keeper's socket, it answers or hangs up, and goes on.

#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <random>

#include "end_to_end/keeper_fixture.h"

namespace e2e {
namespace {

using keeper::Field;
using keeper::Message;
using keeper::Tag;

class BadInputTest : public KeeperTest {
 protected:
  void TearDown() override {
    EXPECT_TRUE(owner().spawn("after", {"/bin/cat"})) << "the keeper goes on";
    KeeperTest::TearDown();
  }

  base::Fd connect() { return std::move(keeper::connect_to_keeper(dir()).value()); }
  // The next answer; an error `not_found` means that the keeper hung up.
  static base::Result<Message> answer(const base::Fd& socket) {
    base::Result<keeper::Packet> packet;
    EXPECT_TRUE(eventually([&] {
      packet = keeper::receive_packet(socket);
      return packet || !keeper::would_block(packet.error());
    })) << "neither an answer nor a closed connection";
    if (!packet) return base::fail(packet.error());
    return Message::decode(packet->bytes);
  }
  static base::Result<Message> ask(const base::Fd& socket, const Message& message) {
    EXPECT_TRUE(keeper::send_packet(socket, message.encode()));
    return answer(socket);
  }
};

TEST_F(BadInputTest, AShortPacketIsAnsweredAndTheConnectionClosed) {
  for (std::size_t size = 1; size < 8; ++size) {
    const base::Fd socket = connect();
    const std::vector<std::byte> bytes(size, std::byte{1});
    ASSERT_TRUE(keeper::send_packet(socket, bytes));
    const auto message = answer(socket);
    ASSERT_TRUE(message);
    EXPECT_EQ(message->tag(), Tag::error);
    EXPECT_EQ(keeper::error_of(*message).code, base::Code::corrupt);
    EXPECT_FALSE(answer(socket));
  }
}

TEST_F(BadInputTest, AnEmptyPacketClosesTheConnection) {
  const base::Fd socket = connect();
  ASSERT_EQ(::send(socket.get(), "", 0, 0), 0);
  EXPECT_FALSE(answer(socket));
}

TEST_F(BadInputTest, AnOversizedPacketIsAnsweredAndTheConnectionGoesOn) {
  const base::Fd socket = connect();
  const std::vector<char> big(keeper::kMaxPacket + 100, 'x');
  ASSERT_EQ(::send(socket.get(), big.data(), big.size(), 0), static_cast<ssize_t>(big.size()));
  const auto message = answer(socket);
  ASSERT_TRUE(message);
  EXPECT_EQ(keeper::error_of(*message).code, base::Code::too_large);
  EXPECT_EQ(ask(socket, Message(Tag::hello, 4))->tag(), Tag::welcome);
}

TEST_F(BadInputTest, AnUnknownTagIsAnsweredAndTheConnectionGoesOn) {
  const base::Fd socket = connect();
  const auto message = ask(socket, Message(static_cast<Tag>(999), 17));
  ASSERT_TRUE(message);
  EXPECT_EQ(message->request(), 17U);
  EXPECT_EQ(keeper::error_of(*message).code, base::Code::unsupported);
  EXPECT_NE(keeper::error_of(*message).what.find("999"), std::string::npos);
  EXPECT_EQ(ask(socket, Message(Tag::hello, 18))->tag(), Tag::welcome);
}

TEST_F(BadInputTest, UnknownFieldsAreIgnored) {
  Message message(Tag::hello, 1);
  message.add(static_cast<Field>(40'000), "from the future")
      .add(static_cast<Field>(40'001), std::uint64_t{1});
  EXPECT_EQ(ask(connect(), message)->tag(), Tag::welcome);
}

TEST_F(BadInputTest, AnotherVersionIsToldWhichOneIsSpoken) {
  const base::Fd socket = connect();
  auto bytes = Message(Tag::hello, 1).encode();
  bytes[0] = std::byte{2};
  ASSERT_TRUE(keeper::send_packet(socket, bytes));
  const auto message = answer(socket);
  ASSERT_TRUE(message);
  EXPECT_EQ(keeper::error_of(*message).code, base::Code::unsupported);
  EXPECT_NE(keeper::error_of(*message).what.find("needs version 1"), std::string::npos);
}

TEST_F(BadInputTest, AnswersAndEventsAreNotRequests) {
  const base::Fd socket = connect();
  for (const Tag tag : {Tag::error, Tag::done, Tag::granted, Tag::exited, Tag::saved_child})
    EXPECT_EQ(keeper::error_of(*ask(socket, Message(tag, 1))).code, base::Code::unsupported);
}

TEST_F(BadInputTest, WhoIsNotTheOwnerMayOnlyLook) {
  (void)owner();
  const base::Fd socket = connect();
  for (const Tag tag :
       {Tag::attach, Tag::spawn, Tag::close, Tag::listen, Tag::unlisten, Tag::yield}) {
    const auto message = ask(socket, Message(tag, 1));
    ASSERT_TRUE(message);
    EXPECT_EQ(keeper::error_of(*message).code, base::Code::permission_denied);
  }
}

TEST_F(BadInputTest, MissingFieldsOfEveryRequestAreErrors) {
  drop_owner();
  const base::Fd socket = connect();
  ASSERT_EQ(ask(socket, Message(Tag::claim, 1))->tag(), Tag::granted);
  for (const Tag tag : {Tag::attach, Tag::spawn, Tag::close, Tag::listen, Tag::unlisten})
    EXPECT_EQ(ask(socket, Message(tag, 1))->tag(), Tag::error) << static_cast<int>(tag);
}

TEST_F(BadInputTest, DescriptorsThatNobodyAskedForAreClosed) {
  const base::Fd socket = connect();
  ASSERT_TRUE(ask(socket, Message(Tag::hello, 1)));
  const auto before = open_descriptors(keeper_pid());
  const base::Fd null(::open("/dev/null", O_RDWR));
  const std::vector<int> descriptors(keeper::kMaxDescriptors, null.get());
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(keeper::send_packet(socket, Message(Tag::hello, 1).encode(), descriptors));
    ASSERT_TRUE(answer(socket));
  }
  EXPECT_EQ(open_descriptors(keeper_pid()), before);
}

TEST_F(BadInputTest, APeerThatDoesNotReadIsNotReadEither) {
  const base::Fd socket = connect();
  int sent = 0;
  while (sent < 100'000 && keeper::send_packet(socket, Message(Tag::hello, 1).encode())) ++sent;
  EXPECT_LT(sent, 100'000) << "its requests pile up on its own side, not in the keeper";
  EXPECT_EQ(ask(connect(), Message(Tag::hello, 1))->tag(), Tag::welcome);
  int answered = 0;
  while (answered < sent && answer(socket)) ++answered;
  EXPECT_EQ(answered, sent) << "and every one is answered when it reads";
}

TEST_F(BadInputTest, TooManyConnectionsAreTurnedAway) {
  std::vector<base::Fd> sockets;
  for (int i = 0; i < 300; ++i) sockets.push_back(connect());
  EXPECT_EQ(keeper::error_of(*answer(sockets.back())).code, base::Code::busy);
  EXPECT_EQ(ask(sockets.front(), Message(Tag::hello, 1))->tag(), Tag::welcome);
}

// The directory keeps other users out; the credentials are checked all the same, in case it is
// opened up.
TEST_F(BadInputTest, AnotherUsersProcessIsTurnedAway) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root, to become another user";
  ::chmod(dir().c_str(), 0711);
  ::chmod((dir() / "keeper.sock").c_str(), 0777);
  const pid_t child = ::fork();
  if (child == 0) {
    if (::setgroups(0, nullptr) < 0 || ::setgid(65534) < 0 || ::setuid(65534) < 0) ::_exit(2);
    const auto socket = keeper::connect_to_keeper(dir());
    if (!socket) ::_exit(3);
    ::fcntl(socket->get(), F_SETFL, 0);
    (void)keeper::send_packet(*socket, Message(Tag::hello, 1).encode());
    char byte = 0;
    const ssize_t size = ::recv(socket->get(), &byte, 1, 0);
    ::_exit(size > 0 ? 4 : 0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 0);
  ::chmod(dir().c_str(), 0700);
}

// Everything that has a name in keeper_protocol/protocol.h, what lies between, and a few beyond.
constexpr unsigned kTags = 270;
constexpr unsigned kFields = 90;

Message random_message(std::mt19937& random) {
  // Half of them are requests, which get further.
  Message message(static_cast<Tag>(random() % (random() % 2 == 0 ? 20 : kTags)), random());
  for (unsigned n = random() % 6; n > 0; --n) {
    const auto field = static_cast<Field>(random() % kFields);
    switch (random() % 3) {
      case 0:
        message.add(field, std::uint64_t{random()} << random() % 32);
        break;
      case 1:
        message.add(field, std::uint64_t{random() % 4});
        break;
      default:
        message.add(field, std::string(random() % 50, static_cast<char>(random())));
    }
  }
  return message;
}

// From somebody who owns nothing, so that nothing may happen: whatever is asked is answered or
// refused, and what the owner has stays as it is.
TEST_F(BadInputTest, RandomPacketsOfEveryTag) {
  ASSERT_TRUE(owner().spawn("kept", {"/bin/cat"}));
  std::mt19937 random(7);
  std::vector<bool> sent(kTags);
  std::size_t answers = 0;
  for (int round = 0; round < 600; ++round) {
    const base::Fd socket = connect();
    for (int i = 0; i < 20; ++i) {
      const Message message = random_message(random);
      // These would be granted: the owner is asked to leave, or the keeper runs another program.
      if (message.tag() == Tag::claim || message.tag() == Tag::upgrade) continue;
      auto bytes = message.encode();
      if (random() % 4 == 0) bytes[random() % bytes.size()] = static_cast<std::byte>(random());
      if (random() % 4 == 0) bytes.resize(random() % bytes.size() + 1);
      const auto damaged = Message::decode(bytes);
      if (damaged && (damaged->tag() == Tag::claim || damaged->tag() == Tag::upgrade)) continue;
      if (!keeper::send_packet(socket, bytes)) break;
      sent[static_cast<std::size_t>(message.tag())] = true;
      const auto answered = answer(socket);
      if (!answered) break;  // It hung up.
      ++answers;
      EXPECT_TRUE(answered->tag() == Tag::error || answered->tag() == Tag::welcome ||
                  answered->tag() == Tag::child || answered->tag() == Tag::done)
          << static_cast<int>(message.tag()) << " answered " << static_cast<int>(answered->tag());
    }
  }
  EXPECT_GT(answers, 1000U);
  for (unsigned tag = 1; tag < 20; ++tag)
    EXPECT_TRUE(sent[tag] || tag == static_cast<unsigned>(Tag::claim) ||
                tag == static_cast<unsigned>(Tag::upgrade))
        << tag;
  const auto kept = owner().attach("kept");
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->info.state, keeper::State::running);
}

}  // namespace
}  // namespace e2e
