// What the machine may deny: descriptors, PTYs, processes, memory, a steady clock. Each gives a
// clear message, costs nobody a terminal, and passes without a restart.

#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "end_to_end/protocol_fixture.h"
#include "end_to_end/raw_connection.h"

namespace e2e {
namespace {

// A limit of running processes, which is theirs again at the end.
class Squeeze {
 public:
  Squeeze(pid_t pid, __rlimit_resource what, rlim_t limit) : pid_(pid), what_(what) {
    rlimit now{};
    if (::prlimit(pid_, what_, nullptr, &before_) != 0) throw std::runtime_error("prlimit");
    now = before_;
    now.rlim_cur = limit;
    if (::prlimit(pid_, what_, &now, nullptr) != 0) throw std::runtime_error("prlimit");
  }
  ~Squeeze() { ::prlimit(pid_, what_, &before_, nullptr); }
  Squeeze(const Squeeze&) = delete;
  Squeeze& operator=(const Squeeze&) = delete;

 private:
  pid_t pid_;
  __rlimit_resource what_;
  rlimit before_{};
};

// Bytes of address space.
rlim_t address_space(pid_t pid) {
  rlim_t pages = 0;
  std::ifstream("/proc/" + std::to_string(pid) + "/statm") >> pages;
  return pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE));
}

// Seconds of processor time so far.
double processor_time(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string text((std::istreambuf_iterator<char>(file)), {});
  std::istringstream fields(text.substr(text.rfind(')') + 2));
  std::string skipped;
  for (int i = 0; i < 11; ++i) fields >> skipped;
  double user = 0;
  double system = 0;
  fields >> user >> system;
  return (user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

// Sanitizers need descriptors and address space for themselves, and to be loaded first.
bool is_sanitized() {
  return std::getenv("HOLDFAST_BINARIES") != nullptr;
}

class FaultsTest : public ProtocolTest {
 protected:
  // Creates terminals until one is refused.
  Refusal fill(WebSocketClient& client, int most) {
    for (int i = 0; i < most; ++i) {
      client.send(create_session("fill" + std::to_string(i)));
      const auto answer = client.expect([](const json::object& each) {
        const std::string type = string_at(each, "type");
        return type == "session_created" || type == "error";
      });
      if (string_at(answer, "type") == "error")
        return {.error = data_text(answer, "error"), .details = data_text(answer, "details")};
    }
    return {};
  }

  // How many programs the keeper holds.
  std::size_t keeper_children() {
    const auto told =
        Process({kKeeperProgram, "--runtime-dir", runtime_dir(), "--status", "--json"})
            .wait()
            .output;
    return json::parse(told).at("children").as_array().size();
  }

  void expect_alive(WebSocketClient& client, std::string_view id) {
    static int count = 0;
    const int number = ++count;
    type(client, id, "echo alive$((" + std::to_string(number) + "))x",
         "alive" + std::to_string(number) + "x\r\n");
  }

  // What `list_sessions` tells of a terminal.
  std::string data_of(WebSocketClient& client, std::string_view id, std::string_view key) {
    for (const json::object& each : sessions_of(client))
      if (string_at(each, "sessionId") == id) return string_at(each, key);
    return {};
  }

  void expect_created(WebSocketClient& client, const std::string& id) {
    EXPECT_TRUE(eventually([&] {
      client.send(create_session(id));
      return string_at(client.expect([](const json::object& each) {
               const std::string type = string_at(each, "type");
               return type == "session_created" || type == "error";
             }),
                       "type") == "session_created";
    }));
    expect_alive(client, id);
  }
};

TEST_F(FaultsTest, TheDaemonIsOutOfDescriptors) {
  if (is_sanitized()) GTEST_SKIP();
  serve();
  const auto client = compatible();
  create(*client, "first");
  {
    const Squeeze squeeze(daemon_pid(), RLIMIT_NOFILE, open_descriptors(daemon_pid()) + 8);
    const Refusal refusal = fill(*client, 20);
    EXPECT_NE(refusal.error + refusal.details, "") << "the limit was never met";
    EXPECT_NE((refusal.error + refusal.details).find("open files"), std::string::npos) << refusal;
    expect_alive(*client, "first");
    // More connections than there is room for: they wait, and the daemon does not spin.
    std::vector<std::unique_ptr<RawConnection>> waiting;
    for (int i = 0; i < 20; ++i) waiting.push_back(std::make_unique<RawConnection>(port()));
    const double before = processor_time(daemon_pid());
    EXPECT_TRUE(logged("cannot accept a connection"));
    for (int i = 0; i < 5; ++i) expect_alive(*client, "first");
    EXPECT_LT(processor_time(daemon_pid()) - before, 1.0);
  }
  expect_created(*client, "after");
  const auto another = compatible();
  (void)reattached(*another, reattach("first"));
  expect_alive(*another, "first");
  EXPECT_EQ(keeper_children(), session_ids(*another).size()) << "what was refused runs on";
}

TEST_F(FaultsTest, TheKeeperIsOutOfDescriptors) {
  serve();
  const auto client = compatible();
  create(*client, "first");
  {
    const Squeeze squeeze(keeper_pid(), RLIMIT_NOFILE, open_descriptors(keeper_pid()) + 8);
    const Refusal refusal = fill(*client, 20);
    EXPECT_NE((refusal.error + refusal.details).find("open files"), std::string::npos) << refusal;
    expect_alive(*client, "first");
  }
  expect_created(*client, "after");
}

TEST_F(FaultsTest, NoPtyIsLeft) {
  start_under({"/usr/bin/unshare", "--mount", "/bin/sh", "-c",
               "mount -t devpts -o newinstance,ptmxmode=0666,max=3 devpts /dev/pts && "
               "mount --bind /dev/pts/ptmx /dev/ptmx && exec \"$@\"",
               "sh"});
  try {
    serve();
  } catch (const std::exception& error) {
    GTEST_SKIP() << "a file system of PTYs cannot be mounted here: " << error.what();
  }
  const auto client = compatible();
  create(*client, "first");
  const Refusal refusal = fill(*client, 20);
  EXPECT_NE((refusal.error + refusal.details).find("pseudo-terminal"), std::string::npos)
      << refusal;
  expect_alive(*client, "first");
  client->send(message("close_session", {{"sessionId", "fill0"}}));
  client->expect("session_closed");
  expect_created(*client, "after");
}

// Root has no limit of processes, so the daemon is somebody else here.
TEST_F(FaultsTest, NoProcessCanBeStarted) {
  constexpr int kNobodyElse = 64123;
  if (::getuid() != 0) GTEST_SKIP() << "needs root, to be a user that has no other processes";
  const std::string id = std::to_string(kNobodyElse);
  const std::vector<std::string> as{"/usr/bin/setpriv", "--reuid", id,
                                    "--regid",          id,        "--clear-groups"};
  std::vector<std::string> help = as;
  help.insert(help.end(), {kDaemonProgram, "--help"});
  if (Process(help).wait().status != 0) GTEST_SKIP() << "another user may not run the programs";
  for (const auto& path : {dir(), home()}) ASSERT_EQ(::chown(path.c_str(), kNobodyElse, -1), 0);
  start_under(as);
  serve();
  const auto client = compatible();
  create(*client, "first");
  const auto limit_keeper = [&](const std::string& limit) {
    std::vector<std::string> prlimit = as;
    prlimit.insert(prlimit.end(), {"/usr/bin/prlimit", "--pid", std::to_string(keeper_pid()),
                                   "--nproc=" + limit + ":"});
    ASSERT_EQ(Process(prlimit).wait().status, 0);
  };
  {
    limit_keeper("2");
    const Refusal refusal = refused(*client, create_session("denied"));
    EXPECT_NE((refusal.error + refusal.details).find("process"), std::string::npos) << refusal;
    // The shell's own limit is another one: that terminal works as before.
    expect_alive(*client, "first");
    limit_keeper("1000");
  }
  expect_created(*client, "after");
}

TEST_F(FaultsTest, TheDaemonMayTakeNoMoreMemory) {
  if (is_sanitized()) GTEST_SKIP();
  serve();
  const auto client = compatible();
  create(*client, "first");
  {
    const Squeeze squeeze(daemon_pid(), RLIMIT_AS, address_space(daemon_pid()) + (16 << 20));
    const Refusal refusal = fill(*client, 200);
    EXPECT_NE((refusal.error + refusal.details).find("memory"), std::string::npos) << refusal;
    expect_alive(*client, "first");
  }
  expect_created(*client, "after");
  EXPECT_EQ(keeper_children(), session_ids(*client).size()) << "what was refused runs on";
}

TEST_F(FaultsTest, TheKeeperMayTakeNoMoreMemory) {
  if (is_sanitized()) GTEST_SKIP();
  serve();
  const auto client = compatible();
  create(*client, "first");
  {
    const Squeeze squeeze(keeper_pid(), RLIMIT_AS, address_space(keeper_pid()) + (16 << 20));
    const Refusal refusal = fill(*client, 200);
    EXPECT_NE((refusal.error + refusal.details).find("memory"), std::string::npos) << refusal;
    expect_alive(*client, "first");
  }
  expect_created(*client, "after");
}

// Periods are measured by a clock that nobody sets; only what is told as a time of day follows.
TEST_F(FaultsTest, TheClockJumps) {
  if (is_sanitized()) GTEST_SKIP();
  const auto clock = dir() / "clock";
  const auto set_clock = [&](std::chrono::days offset) {
    const std::int64_t seconds = std::chrono::seconds(offset).count();
    std::fstream(clock, std::ios::in | std::ios::out)
        .write(reinterpret_cast<const char*>(&seconds), sizeof(seconds));
  };
  std::ofstream(clock) << std::string(sizeof(std::int64_t), '\0');
  serve({"--orphan-grace-period", "1"},
        {"LD_PRELOAD=" SETTABLE_CLOCK, "SETTABLE_CLOCK=" + clock.string()});
  const auto client = compatible();
  create(*client, "first");
  const auto days_from_today = [&] {
    std::tm told{};
    ::strptime(data_of(*client, "first", "lastActivityAt").c_str(), "%FT%T", &told);
    return std::difftime(::timegm(&told), std::time(nullptr)) / (24 * 60 * 60);
  };
  for (const int days : {400, -400, 0}) {
    {
      const auto visitor = compatible();
      create(*visitor, "orphan");
      set_clock(std::chrono::days(days));
      expect_alive(*visitor, "orphan");
    }
    expect_alive(*client, "first");
    EXPECT_NEAR(days_from_today(), days, 0.1);
    EXPECT_LT(health().at("uptimeSeconds").to_number<double>(), 60);
    EXPECT_TRUE(eventually([&] {
      return session_ids(*client) == std::vector<std::string>{"first"};
    })) << "an orphan outlives its period";
  }
}

}  // namespace
}  // namespace e2e
