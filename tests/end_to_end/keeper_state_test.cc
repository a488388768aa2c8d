// Today's keeper goes on from the state of an older one, and of a newer one that says more.

#include <fcntl.h>
#include <netinet/in.h>
#include <pty.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utmp.h>

#include <cstdlib>

#include "base/test_temp_dir.h"
#include "end_to_end/golden_keeper.h"
#include "end_to_end/keeper_fixture.h"
#include "journal/memory.h"
#include "keeper_protocol/runtime_dir.h"

namespace e2e {
namespace {

using keeper::Field;
using keeper::Message;
using keeper::Tag;

enum class Future { no, yes };

void append(std::vector<std::byte>& bytes, const void* data, std::size_t size) {
  const auto* begin = static_cast<const std::byte*>(data);
  bytes.insert(bytes.end(), begin, begin + size);
}

// The numbers of descriptors and processes are those of the moment; nothing else is changed.
std::vector<std::byte> with(std::vector<std::byte> packet,
                            const std::map<Field, std::uint64_t>& numbers) {
  std::size_t at = 8;
  for (const auto& [field, value] : golden::fields_of(packet)) {
    if (const auto found = numbers.find(field); found != numbers.end())
      std::memcpy(packet.data() + at + 8, &found->second, sizeof found->second);
    at += 8 + value.size();
  }
  return packet;
}

class KeeperStateTest : public testing::Test {
 protected:
  void SetUp() override {
    lock_.reset(::open((dir_ / "keeper.lock").c_str(), O_RDWR | O_CREAT, 0600));
    ASSERT_EQ(::flock(lock_.get(), LOCK_EX), 0);
    socket_ = std::move(
        keeper::RuntimeDir::open(dir_.path())->listen("keeper.sock", SOCK_SEQPACKET).value());
    listener_.reset(::socket(AF_INET, SOCK_STREAM, 0));
    ASSERT_EQ(::listen(listener_.get(), 5), 0);
    int ends[2];
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, ends), 0);
    keepers_end_.reset(ends[0]);
    owners_end_.reset(ends[1]);
    int master = -1;
    int slave = -1;
    const winsize size{.ws_row = 30, .ws_col = 100, .ws_xpixel = 0, .ws_ypixel = 0};
    ASSERT_EQ(::openpty(&master, &slave, nullptr, nullptr, &size), 0);
    master_.reset(master);
    slave_.reset(slave);
    ASSERT_TRUE(base::set_nonblocking(master_));
    ASSERT_EQ(::pipe2(ends, O_NONBLOCK), 0);
    pipe_.reset(ends[0]);
    pipes_other_end_.reset(ends[1]);
    for (Journal& journal : journals_) {
      journal.memory = std::move(journal::create_memory({.rows = 30, .cols = 100}).value());
      journal.data.reset(::eventfd(0, EFD_NONBLOCK));
      journal.space.reset(::eventfd(0, EFD_NONBLOCK));
    }
  }
  void TearDown() override {
    if (keeper_ > 0) {
      ::kill(keeper_, SIGTERM);
      int status = -1;
      EXPECT_EQ(::waitpid(keeper_, &status, 0), keeper_);
      EXPECT_EQ(status, 0);
    }
  }

  // A process that was a keeper of revision 0 becomes today's.
  void resume(Future future) {
    const pid_t test = ::getpid();
    keeper_ = ::fork();
    if (keeper_ != 0) return;
    const pid_t cat = ::fork();
    if (cat == 0) {
      ::login_tty(slave_.get());
      ::close_range(3, ~0U, 0);
      ::execl("/bin/cat", "cat", nullptr);
      ::_exit(127);
    }
    const pid_t sleep = ::fork();
    if (sleep == 0) {
      ::setsid();
      ::close_range(3, ~0U, 0);
      ::execl("/bin/sleep", "sleep", "1000", nullptr);
      ::_exit(127);
    }
    const base::Fd state(::memfd_create("state", 0));
    const auto bytes = state_bytes(future, test, cat, sleep);
    if (::write(state.get(), bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size()))
      ::_exit(126);
    for (const base::Fd* fd :
         {&lock_, &socket_, &listener_, &keepers_end_, &master_, &slave_, &pipe_})
      ::fcntl(fd->get(), F_SETFD, 0);
    for (const Journal& journal : journals_) ::fcntl(journal.memory.get(), F_SETFD, 0);
    ::fcntl(owners_end_.get(), F_SETFD, FD_CLOEXEC);
    ::execl(kKeeperProgram.c_str(), kKeeperProgram.c_str(), "--runtime-dir", dir_.path().c_str(),
            "--resume", std::to_string(state.get()).c_str(), nullptr);
    ::_exit(127);
  }

  std::vector<std::byte> state_bytes(Future future, pid_t owner, pid_t cat, pid_t sleep) const {
    const auto number = [](const base::Fd& fd) { return static_cast<std::uint64_t>(fd.get()); };
    std::vector<std::byte> bytes;
    std::size_t children = 0;
    for (const auto& packet : golden::packets("state")) {
      std::map<Field, std::uint64_t> numbers;
      if (packet.name == "saved keeper")
        numbers = {{Field::fd_lock, number(lock_)},
                   {Field::fd_socket, number(socket_)},
                   {Field::owner, static_cast<std::uint64_t>(owner)}};
      if (packet.name == "saved connection") numbers = {{Field::fd_socket, number(keepers_end_)}};
      if (packet.name == "saved listener") numbers = {{Field::fd_listener, number(listener_)}};
      if (packet.name == "saved child") {
        const Journal& journal = journals_.at(children++);
        numbers = {{Field::fd_memory, number(journal.memory)},
                   {Field::fd_data, number(journal.data)},
                   {Field::fd_space, number(journal.space)}};
        const std::string id = Message::decode(packet.bytes)->text(Field::id);
        if (id == "t1") {
          numbers[Field::fd_output] = number(master_);
          numbers[Field::fd_slave] = number(slave_);
          numbers[Field::pid] = static_cast<std::uint64_t>(cat);
        }
        if (id == "p1") {
          numbers[Field::fd_output] = number(pipe_);
          numbers[Field::pid] = static_cast<std::uint64_t>(sleep);
        }
      }
      auto patched = with(packet.bytes, numbers);
      if (future == Future::yes) add_unknown_field(patched);
      add(bytes, patched);
      if (future == Future::yes) add(bytes, Message(static_cast<Tag>(300), 1).encode());
    }
    return bytes;
  }
  static void add_unknown_field(std::vector<std::byte>& packet) {
    Message unknown(Tag::saved_child);
    unknown.add(static_cast<Field>(5000), "from the future");
    const auto encoded = unknown.encode();
    append(packet, encoded.data() + 8, encoded.size() - 8);
  }
  static void add(std::vector<std::byte>& bytes, const std::vector<std::byte>& packet) {
    const auto length = static_cast<std::uint32_t>(packet.size());
    append(bytes, &length, sizeof length);
    append(bytes, packet.data(), packet.size());
  }

  void expect_everything_goes_on() {
    base::Result<keeper::Packet> packet;
    ASSERT_TRUE(eventually([&] {
      packet = keeper::receive_packet(owners_end_);
      return packet.has_value();
    }));
    const auto welcome = Message::decode(packet->bytes);
    ASSERT_EQ(welcome->tag(), Tag::welcome) << "whoever asked for the upgrade is answered";
    EXPECT_EQ(welcome->request(), 6U);
    EXPECT_EQ(welcome->number(Field::count), 3U);

    Client client(dir_.path());
    ASSERT_TRUE(client.start());
    auto terminal = client.attach("t1");
    ASSERT_TRUE(terminal) << terminal.error().message();
    EXPECT_EQ(terminal->info.label, "u1 main t1");
    EXPECT_EQ(terminal->info.cols, 100);
    EXPECT_EQ(terminal->journal.produced(), 16U) << "offsets go on";
    type(*terminal, "alive\n");
    EXPECT_NE(output_until(*terminal, "alive\r\nalive"), "");
    auto gone = client.attach("x1");
    ASSERT_TRUE(gone);
    ASSERT_TRUE(gone->info.exit);
    EXPECT_EQ(gone->info.exit->status.code, 42);
    const auto listening = client.wait(client.keeper().listen("127.0.0.1:0"));
    ASSERT_TRUE(listening);
    EXPECT_EQ(listening->address, "127.0.0.1:46451") << "as the old one has told it";
    ASSERT_TRUE(client.spawn("new", {"/bin/sh", "-c", "exit 3"}));
    EXPECT_EQ(client.exit_of("new").status.code, 3);
    for (const char* id : {"t1", "x1", "new"}) EXPECT_TRUE(client.close(id)) << id;
  }

 private:
  struct Journal {
    base::Fd memory;
    base::Fd data;
    base::Fd space;
  };
  base::TempDir dir_;
  pid_t keeper_ = 0;
  base::Fd lock_, socket_, listener_, keepers_end_, owners_end_, master_, slave_, pipe_,
      pipes_other_end_;
  std::array<Journal, 3> journals_;
};

TEST_F(KeeperStateTest, AnOldStateIsGoneOnFrom) {
  resume(Future::no);
  expect_everything_goes_on();
}

TEST_F(KeeperStateTest, WhatANewerStateSaysBesidesIsPassedOver) {
  resume(Future::yes);
  expect_everything_goes_on();
}

}  // namespace
}  // namespace e2e
