// Every socket and every command, tried by another account of the machine; and what the sockets are
// asked, by processes of the right account that are not who they should be.

#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <functional>
#include <set>
#include <sstream>

#include "access/access_table.h"
#include "attacks/attacks_fixture.h"
#include "base/fd.h"
#include "end_to_end/protocol_fixture.h"
#include "extension/runner_methods.h"
#include "keeper_protocol/protocol.h"
#include "keeper_protocol/socket.h"

namespace ways_in {
namespace {

using namespace e2e;

class LocalAccessTest : public ProtocolTest {
 protected:
  void SetUp() override {
    ProtocolTest::SetUp();
    serve();
  }

  [[nodiscard]] static base::Fd connected(const std::filesystem::path& path, int type) {
    base::Fd socket(::socket(AF_UNIX, type | SOCK_CLOEXEC, 0));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
    if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) < 0)
      return base::Fd();
    return socket;
  }
  // Whether it can be connected to, as that account.
  [[nodiscard]] static bool is_open_to(uid_t uid, const std::filesystem::path& path) {
    const pid_t child = ::fork();
    if (child == 0) {
      if (uid != ::geteuid() && (::setgid(uid) < 0 || ::setuid(uid) < 0)) ::_exit(2);
      const bool works =
          connected(path, SOCK_STREAM).valid() || connected(path, SOCK_SEQPACKET).valid();
      ::_exit(works ? 0 : 1);
    }
    int status = 0;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) < 2);
    return WEXITSTATUS(status) == 0;
  }
  // Sends a line and returns what is answered until the other side hangs up or has said one.
  [[nodiscard]] static std::string answer(const base::Fd& socket, const std::string& line) {
    EXPECT_EQ(::send(socket.get(), line.data(), line.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(line.size()));
    std::string said;
    char byte = 0;
    while (said.find('\n') == std::string::npos && ::recv(socket.get(), &byte, 1, 0) == 1)
      said += byte;
    return said;
  }
};

TEST_F(LocalAccessTest, EverySocket) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(runtime_dir()))
    if (entry.is_socket()) names.push_back(entry.path().filename());
  expect_rows("socket", names);
  for (const std::string& name : names) {
    EXPECT_TRUE(is_open_to(::geteuid(), runtime_dir() / name)) << name;
    if (attacks::has_second_account()) {
      EXPECT_FALSE(is_open_to(attacks::kMallory, runtime_dir() / name)) << name;
    }
  }
}

// Whoever gets past the directory is turned away by who it is.
TEST_F(LocalAccessTest, EverySocketBehindAnOpenDirectory) {
  if (!attacks::has_second_account()) GTEST_SKIP() << "there is no second account without root";
  namespace fs = std::filesystem;
  for (auto path = runtime_dir(); path != "/tmp"; path = path.parent_path())
    fs::permissions(path, fs::perms(0755));
  for (const auto& entry : fs::directory_iterator(runtime_dir()))
    if (entry.is_socket()) fs::permissions(entry.path(), fs::perms(0777));
  const auto asked = [&](const std::string& name, int type, const std::string& bytes) {
    int told[2] = {-1, -1};
    EXPECT_EQ(::pipe(told), 0);
    const pid_t child = ::fork();
    if (child == 0) {
      if (::setgid(attacks::kMallory) < 0 || ::setuid(attacks::kMallory) < 0) ::_exit(2);
      const base::Fd socket = connected(runtime_dir() / name, type);
      const timeval patience{.tv_sec = 20, .tv_usec = 0};
      ::setsockopt(socket.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
      ::send(socket.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
      char reply[4096];
      const ssize_t size = ::recv(socket.get(), reply, sizeof reply, 0);
      if (size > 0 && ::write(told[1], reply, static_cast<std::size_t>(size)) < 0) ::_exit(2);
      ::_exit(size < 0 && errno == EAGAIN ? 2 : 0);
    }
    ::close(told[1]);
    const base::Fd reader(told[0]);
    std::string reply(4096, '\0');
    const ssize_t size = ::read(reader.get(), reply.data(), reply.size());
    int status = 0;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0) << name << " neither answers nor hangs up";
    reply.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
    return reply;
  };
  EXPECT_EQ(asked("control.sock", SOCK_STREAM, "{\"ask\":\"status\"}\n"), "");
  EXPECT_EQ(asked("runner.sock", SOCK_STREAM,
                  R"({"jsonrpc":"2.0","id":1,"method":"hello","params":{"protocol":1}})"
                  "\n"),
            "");
  const auto hello = keeper::Message(keeper::Tag::hello, 1).encode();
  EXPECT_EQ(asked("keeper.sock", SOCK_SEQPACKET,
                  std::string(reinterpret_cast<const char*>(hello.data()), hello.size())),
            "");
  EXPECT_NE(asked("daemon.sock", SOCK_STREAM, "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")
                .find(" 401 "),
            std::string::npos);
}

TEST_F(LocalAccessTest, EveryQuestionOfTheControlSocket) {
  const auto ask = [&](const std::string& what) {
    return answer(connected(runtime_dir() / "control.sock", SOCK_STREAM),
                  json::serialize(json::object{{"ask", what}, {"program", "/nowhere"}}) + "\n");
  };
  const std::string unknown = ask("nothing");
  const std::string begin = "supports only: ";
  const auto known = unknown.find(begin);
  ASSERT_NE(known, std::string::npos) << unknown;
  std::istringstream words(unknown.substr(known + begin.size()));
  std::vector<std::string> names;
  for (std::string word; words >> word && names.size() < 20;) {
    const bool is_last = word.find('.') != std::string::npos;
    names.push_back(word.substr(0, word.find_first_of(",.")));
    if (is_last) break;
  }
  expect_rows("control socket", names);
  for (const std::string& name : names)
    EXPECT_EQ(ask(name).find("does not support"), std::string::npos) << name;
}

// A process of the right account that is not the owner of the keeper's children.
TEST_F(LocalAccessTest, TheKeeperAnswersOnlyItsOwner) {
  const std::set<keeper::Tag> kOpen{keeper::Tag::hello, keeper::Tag::list};
  const auto kUpgrade = keeper::Tag::upgrade;  // It is the account's command that asks for one.
  const base::Fd socket = std::move(keeper::connect_to_keeper(runtime_dir()).value());
  for (std::uint16_t tag = 0; tag < 512; ++tag) {
    const auto asked = static_cast<keeper::Tag>(tag);
    if (asked == kUpgrade) continue;
    ASSERT_TRUE(keeper::send_packet(socket, keeper::Message(asked, tag + 1U).encode()));
    base::Result<keeper::Packet> packet;
    ASSERT_TRUE(eventually([&] {
      packet = keeper::receive_packet(socket);
      return packet || !keeper::would_block(packet.error());
    })) << tag;
    ASSERT_TRUE(packet) << tag;
    const auto said = keeper::Message::decode(packet->bytes);
    ASSERT_TRUE(said) << tag;
    EXPECT_EQ(said->tag() == keeper::Tag::error, !kOpen.contains(asked)) << tag;
  }
  EXPECT_EQ(get("/health").status, 200);
}

// One that is not the runner, with the runner's words.
TEST_F(LocalAccessTest, TheDaemonAnswersOnlyItsRunner) {
  const auto ask = [&](std::string_view method) {
    const base::Fd socket = connected(runtime_dir() / "runner.sock", SOCK_STREAM);
    const json::object params{{"protocol", 1},
                              {"sessions", json::array{}},
                              {"session", "main"},
                              {"extension", "x"},
                              {"generation", 0},
                              {"key", "k"},
                              {"terminalId", "none"},
                              {"id", "none"},
                              {"command", json::array{"/bin/true"}}};
    const json::object request{{"jsonrpc", "2.0"},
                               {"id", 1},
                               {"method", json::string_view(method.data(), method.size())},
                               {"params", params}};
    return answer(socket, json::serialize(request) + "\n");
  };
  for (const auto& [method, handle] : extension::methods()) {
    const std::string said = ask(method);
    EXPECT_NE(said.find("only the extension runner may call this"), std::string::npos)
        << method << ": " << said;
  }
  // Whoever says that it is one and is not is taken for one that was left over, and ended.
  const pid_t impostor = ::fork();
  if (impostor == 0) ::_exit(ask("hello").find("\"result\"") == std::string::npos ? 0 : 1);
  int status = 0;
  EXPECT_EQ(::waitpid(impostor, &status, 0), impostor);
  EXPECT_TRUE(status == 0 || WIFSIGNALED(status)) << status;
}

TEST_F(LocalAccessTest, EveryCommand) {
  const std::string help = run({"--help"}).output;
  std::istringstream lines(help.substr(help.find("Subcommands:")));
  std::vector<std::string> names;
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("  ") && line.size() > 2 && line[2] != ' ')
      names.push_back(line.substr(2, line.find_first_of(", ", 2) - 2));
  expect_rows("command", names);
  if (!attacks::has_second_account()) return;
  const std::map<std::string, std::vector<std::string>> more{
      {"sign-ins", {"list"}},
      {"token", {"list"}},
      {"trust", {"/tmp"}},
      {"stop", {"--yes"}},
      {"run", {"! echo done"}},
      {"send", {"t", "x"}},
      {"capture", {"t"}},
      {"wait", {"t", "--exit"}},
      {"rename", {"t", "x"}},
      {"resize", {"t", "80", "24"}},
      {"restore", {"t"}},
      {"kill", {"t"}},
      {"share", {"t"}},
      {"lease", {"t"}},
      {"exec", {"t", "true"}},
      {"commands", {"t"}},
      {"search", {"x"}},
      {"record", {"t", "/nowhere/x"}},
      {"play", {"/dev/null"}},
      {"completions", {"bash"}},
      {"extension", {"test", "/nowhere"}},
      {"notify", {"--terminal", "t", "x"}},
  };
  for (const Row& row : rows_of("command")) {
    std::vector<std::string> argv{kDaemonProgram, row.what};
    if (const auto found = more.find(row.what); found != more.end())
      argv.insert(argv.end(), found->second.begin(), found->second.end());
    const auto outcome = Process(attacks::as(attacks::kMallory, argv), environment()).wait();
    EXPECT_EQ(outcome.status == 0, row.nobody != Gets::no) << row.what << ": " << outcome.output;
    EXPECT_EQ(get("/health").status, 200) << row.what;
  }
}

}  // namespace
}  // namespace ways_in
