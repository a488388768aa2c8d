// A daemon and a keeper of different revisions of their protocol work together: the old one's part
// is played from its recorded bytes.

#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <set>
#include <thread>

#include "end_to_end/golden_keeper.h"
#include "end_to_end/keeper_fixture.h"
#include "journal/memory.h"
#include "keeper_protocol/runtime_dir.h"

namespace e2e {
namespace {

using keeper::Field;
using keeper::Message;
using keeper::Tag;

class KeeperRevisionsTest : public KeeperTest {};

// What differs from run to run, and words, which are for people.
const std::set<Field> kVaries{Field::pid,     Field::owner,   Field::created,
                              Field::address, Field::version, Field::produced,
                              Field::offset,  Field::what,    Field::advice};

// Every field of `expected` stands in `actual`, in the same order; what is new there is passed
// over.
std::string missing_in(const std::vector<std::byte>& actual,
                       const std::vector<std::byte>& expected) {
  const auto there = golden::fields_of(actual);
  auto at = there.begin();
  for (const auto& [field, value] : golden::fields_of(expected)) {
    at = std::find_if(at, there.end(), [&](const auto& each) { return each.first == field; });
    const std::string name = "field " + std::to_string(static_cast<int>(field));
    if (at == there.end()) return name + " is not there";
    if (!kVaries.contains(field) && at->second != value) return name + " has another value";
    ++at;
  }
  return "";
}

// Another daemon, in a process of its own that ends with 0 once it was granted the children.
pid_t take_over_from_elsewhere(const std::filesystem::path& dir) {
  const pid_t pid = ::fork();
  if (pid > 0) return pid;
  const auto socket = keeper::connect_to_keeper(dir);
  Message claim(Tag::claim, 1);
  claim.add(Field::takeover, std::uint64_t{1});
  base::Result<keeper::Packet> answer;
  if (!socket || !keeper::send_packet(*socket, claim.encode()) || !eventually([&] {
        answer = keeper::receive_packet(*socket);
        return answer.has_value();
      }))
    ::_exit(1);
  const auto message = Message::decode(answer->bytes);
  ::_exit(message && message->tag() == Tag::granted ? 0 : 2);
}

TEST_F(KeeperRevisionsTest, AnOldDaemonWorksWithTodaysKeeper) {
  const auto socket = keeper::connect_to_keeper(dir());
  ASSERT_TRUE(socket);
  base::Fd terminal;
  pid_t other_daemon = 0;
  const auto conversation = golden::packets("conversation");
  ASSERT_GT(conversation.size(), 30U);
  for (std::size_t i = 0; i < conversation.size(); ++i) {
    const auto& packet = conversation[i];
    const std::string where = std::to_string(i) + ", " + packet.name;
    if (packet.from_daemon) {
      ASSERT_TRUE(keeper::send_packet(*socket, packet.bytes)) << where;
      continue;
    }
    if (packet.name == "exited" && terminal) {
      ASSERT_EQ(::write(terminal.get(), "it\n", 3), 3);
      terminal.reset();
    }
    if (packet.name == "let go") other_daemon = take_over_from_elsewhere(dir());
    base::Result<keeper::Packet> answer;
    ASSERT_TRUE(eventually([&] {
      answer = keeper::receive_packet(*socket);
      return answer.has_value();
    })) << where;
    const auto message = Message::decode(answer->bytes);
    const auto expected = Message::decode(packet.bytes);
    ASSERT_TRUE(message && expected) << where;
    ASSERT_EQ(message->tag(), expected->tag()) << where;
    EXPECT_EQ(message->request(), expected->request()) << where;
    EXPECT_EQ(answer->descriptors.size(), packet.descriptors) << where;
    EXPECT_EQ(missing_in(answer->bytes, packet.bytes), "") << where;
    if (packet.name == "child" && packet.descriptors == 4)
      terminal = std::move(answer->descriptors[3]);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(other_daemon, &status, 0), other_daemon);
  EXPECT_EQ(status, 0) << "what the old one let go of, the next has";
}

// A keeper of revision 0, as far as its conversation was recorded.
class OldKeeper {
 public:
  explicit OldKeeper(const std::filesystem::path& dir)
      : socket_(std::move(
            keeper::RuntimeDir::open(dir)->listen("keeper.sock", SOCK_SEQPACKET).value())),
        thread_([this] { serve(); }) {}
  ~OldKeeper() { thread_.join(); }

 private:
  static bool wait_readable(const base::Fd& fd) {
    pollfd poll{.fd = fd.get(), .events = POLLIN, .revents = 0};
    return ::poll(&poll, 1, 10'000) == 1;
  }
  void serve() {
    ASSERT_TRUE(wait_readable(socket_));
    const base::Fd peer(::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    for (const auto& packet : golden::packets("conversation")) {
      if (packet.from_daemon) {
        ASSERT_TRUE(wait_readable(peer)) << "waiting for " << packet.name;
        const auto asked = keeper::receive_packet(peer);
        ASSERT_TRUE(asked) << packet.name;
        ASSERT_EQ(Message::decode(asked->bytes)->tag(), Message::decode(packet.bytes)->tag());
        // An old keeper looks for these, and passes over everything else.
        EXPECT_EQ(missing_in(asked->bytes, packet.bytes), "") << packet.name;
        continue;
      }
      std::vector<int> descriptors;
      if (packet.descriptors == 1) descriptors = {socket_.get()};
      if (packet.descriptors >= 3) descriptors = {memory_.get(), data_.get(), space_.get()};
      if (packet.descriptors == 4) descriptors.push_back(space_.get());
      ASSERT_TRUE(keeper::send_packet(peer, packet.bytes, descriptors)) << packet.name;
    }
    (void)wait_readable(peer);  // Until the daemon has gone.
  }

  base::Fd socket_;
  base::Fd memory_ = std::move(journal::create_memory({}).value());
  base::Fd data_{::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
  base::Fd space_{::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
  std::thread thread_;
};

TEST_F(KeeperRevisionsTest, TodaysDaemonWorksWithAnOldKeeper) {
  const auto old_dir = dir() / "old";
  std::filesystem::create_directory(old_dir);
  std::filesystem::permissions(old_dir, std::filesystem::perms(0700));
  const OldKeeper old(old_dir);
  Client client(old_dir);
  auto& keeper = client.keeper();
  ASSERT_TRUE(client.start());
  const auto welcome = client.wait(keeper.hello());
  ASSERT_TRUE(welcome);
  EXPECT_EQ(welcome->version, "0.1.0");
  EXPECT_EQ(welcome->revision, 0U);
  EXPECT_TRUE(client.wait(keeper.list())->empty());
  EXPECT_TRUE(client.wait(keeper.listen("127.0.0.1:0"))->address.starts_with("127.0.0.1:"));

  keeper::SpawnRequest shell;
  shell.id = keeper::ChildId("t1");
  shell.argv = {"/bin/sh", "-c", "read x; echo got $x; exit 7"};
  shell.env = {"PATH=/usr/bin:/bin", "HOME=/"};
  shell.rows = 30;
  shell.cols = 100;
  shell.label = "u1 main t1";
  shell.replay = 262144;
  shell.history = keeper::HistorySpace{.ring = 65536};
  const auto terminal = client.spawn(shell);
  ASSERT_TRUE(terminal) << terminal.error().message();
  EXPECT_EQ(terminal->info.label, "u1 main t1");
  EXPECT_EQ(terminal->info.rows, 30);
  keeper::SpawnRequest process;
  process.id = keeper::ChildId("p1");
  process.kind = keeper::Kind::process;
  process.argv = {"/bin/sleep", "1000"};
  process.env = {"PATH=/usr/bin:/bin"};
  ASSERT_TRUE(client.spawn(process));
  const auto bad = client.spawn("bad", {"/no/such/program"});
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().sys_errno, ENOENT);
  EXPECT_EQ(client.wait(keeper.list())->size(), 2U);
  EXPECT_TRUE(client.attach("t1"));
  EXPECT_EQ(client.attach("none").error().code, base::Code::not_found);
  EXPECT_EQ(client.exit_of("t1").status.code, 7);
  const auto children = client.wait(keeper.list());
  ASSERT_EQ(children->size(), 2U);
  EXPECT_TRUE(std::ranges::any_of(
      *children, [](const auto& child) { return child.exit && child.exit->status.code == 7; }));
  EXPECT_TRUE(client.wait(keeper.upgrade({})));
  EXPECT_FALSE(client.wait(keeper.upgrade("/no/such/keeper")));
  EXPECT_TRUE(client.close("p1", milliseconds(1000)));
  EXPECT_TRUE(client.close("t1"));
  EXPECT_TRUE(client.wait(keeper.unlisten("127.0.0.1:0")));
  client.run_until([&] { return client.let_go_count() == 1; });
  EXPECT_TRUE(client.wait(keeper.yield()));
}

}  // namespace
}  // namespace e2e
