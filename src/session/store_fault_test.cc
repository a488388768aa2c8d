// The store when things fail: locks, full disks, damaged bytes, kill -9.

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <random>

#include "base/fd.h"
#include "session/store.h"
#include "session/test_files.h"

namespace session {
namespace {

using std::chrono::milliseconds;

class StoreFaultTest : public StoreTest {};

// A child process. Its `work` may write to the pipe that the parent reads.
class Child {
 public:
  explicit Child(const std::function<int(int pipe)>& work) {
    int ends[2];
    EXPECT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    pid_ = ::fork();
    if (pid_ == 0) ::_exit(work(ends[1]));
    ::close(ends[1]);
    from_ = base::Fd(ends[0]);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() { kill(); }

  // The next number it wrote, or none once it has ended.
  [[nodiscard]] std::optional<int> next() const {
    int number = 0;
    if (::read(from_.get(), &number, sizeof number) != sizeof number) return std::nullopt;
    return number;
  }
  void kill() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    (void)wait();
  }
  [[nodiscard]] int wait() {
    int status = -1;
    ::waitpid(std::exchange(pid_, 0), &status, 0);
    return status;
  }

 private:
  pid_t pid_ = 0;
  base::Fd from_;
};

void tell(int pipe, int number) {
  if (::write(pipe, &number, sizeof number) != sizeof number) ::_exit(3);
}

TEST_F(StoreFaultTest, ALockOfAnotherProcessIsBusyAndPasses) {
  auto store = Store::open(path(), {.busy_timeout = milliseconds(20)});
  ASSERT_TRUE(store);
  ASSERT_TRUE(store->ensure_user("ann"));
  {
    Child holder([this](int pipe) {
      auto database = Database::open(path(), milliseconds(1000));
      if (!database->execute("BEGIN EXCLUSIVE")) return 1;
      tell(pipe, 1);
      for (;;) ::pause();
    });
    ASSERT_TRUE(holder.next());
    const auto begin = std::chrono::steady_clock::now();
    const auto refused = store->ensure_user("bob");
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, base::Code::busy);
    EXPECT_NE(refused.error().advice, "");
    EXPECT_TRUE(store->user("ann")) << "reading still works";
  }
  EXPECT_TRUE(store->ensure_user("bob")) << "writing works again once the lock is gone";
}

TEST_F(StoreFaultTest, AFileThatAnotherProcessKeepsToItselfIsBusyAtOpenAndNotDamaged) {
  {
    ASSERT_TRUE(Store::open(path())->ensure_user("ann"));
  }
  {
    Child holder([this](int pipe) {
      auto database = Database::open(path(), milliseconds(1000));
      if (!database->execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE")) return 1;
      tell(pipe, 1);
      for (;;) ::pause();
    });
    ASSERT_TRUE(holder.next());
    EXPECT_EQ(Store::open(path(), {.busy_timeout = milliseconds(5)}).error().code,
              base::Code::busy);
  }
  auto store = Store::open(path());
  ASSERT_TRUE(store) << store.error().message();
  EXPECT_FALSE(store->recovered_from());
  EXPECT_TRUE(store->user("ann"));
}

// Writes until it fails. Returns 0 if it fails as expected, the data can still be read, and writing
// works again after `relief`.
int fill_up(const std::filesystem::path& path, const std::function<void()>& relief) {
  auto store = Store::open(path);
  if (!store || !store->ensure_user("ann")) return 10;
  base::Status written;
  for (int n = 0; n < 100'000 && written; ++n)
    written = store->append_log({.event = std::to_string(n), .detail = std::string(4000, 'x')});
  if (written) return 11;
  if (written.error().what.find("the disk is full") == std::string::npos) return 12;
  if (written.error().advice.empty()) return 13;
  if (!store->user("ann") || store->log()->empty()) return 14;
  relief();
  if (!store->append_log({.event = "relieved"})) return 15;
  const auto again = Store::open(path);
  return again && !again->recovered_from() ? 0 : 16;
}

TEST_F(StoreFaultTest, AFileThatMayNotGrowSaysSoAndStaysReadable) {
  Child child([this](int) {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit narrow{.rlim_cur = 1 << 20, .rlim_max = RLIM_INFINITY};
    const rlimit wide{.rlim_cur = RLIM_INFINITY, .rlim_max = RLIM_INFINITY};
    ::setrlimit(RLIMIT_FSIZE, &narrow);
    return fill_up(path(), [&] { ::setrlimit(RLIMIT_FSIZE, &wide); });
  });
  const int status = child.wait();
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST_F(StoreFaultTest, AFullDiskSaysSoAndStaysReadable) {
  constexpr int kCannotMount = 77;
  Child child([this](int) {
    const auto small = dir() / "small";
    std::filesystem::create_directory(small);
    // In its own mount namespace, so that the mount ends with the process.
    if (::unshare(CLONE_NEWNS) < 0 ||
        ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) < 0 ||
        ::mount("tmpfs", small.c_str(), "tmpfs", 0, "size=1m") < 0)
      return kCannotMount;
    return fill_up(small / "state" / "holdfast.db", [&] {
      if (::mount("tmpfs", small.c_str(), "tmpfs", MS_REMOUNT, "size=16m") < 0) ::_exit(17);
    });
  });
  const int status = child.wait();
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == kCannotMount) GTEST_SKIP() << "mounting needs root";
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

// A database with a few pages of every table.
std::string some_database(const std::filesystem::path& path) {
  {
    auto store = Store::open(path);
    EXPECT_TRUE(store->transaction([&]() -> base::Status {
      const auto user = store->ensure_user("ann");
      const auto session = store->ensure_session(user->id, "work");
      for (int n = 0; n < 100; ++n) {
        (void)store->tokens().add(user->id, *hash_token(std::to_string(n)), "label");
        (void)store->save_terminal({.id = TerminalId("t" + std::to_string(n)),
                                    .session = session->id,
                                    .command = {"/bin/sh", std::string(100, 'x')}});
        (void)store->append_log({.user = user->id, .event = "created"});
      }
      return {};
    }));
  }
  return read_all(path);
}

// Uses everything. Failures must be returned as errors.
void use(Store& store) {
  (void)store.users();
  (void)store.tokens().list();
  (void)store.terminals();
  (void)store.log();
  const auto user = store.ensure_user("ann");
  if (user) (void)store.sessions(user->id);
  if (user) (void)store.ensure_session(user->id, "more");
  (void)store.append_log({.event = "used"});
  (void)store.set_positions(std::vector{std::pair(TerminalId("t1"), 1)});
}

class DamageTest : public StoreFaultTest {
 protected:
  // Opens a file with that content in an empty directory.
  void try_content(const std::string& content) {
    std::filesystem::remove_all(path().parent_path());
    std::filesystem::create_directory(path().parent_path());
    ::chmod(path().parent_path().c_str(), 0700);
    write_all(path(), content);
    auto store = Store::open(path());
    if (!store) {
      // Flips in the header can make it look like a newer version's.
      EXPECT_EQ(store.error().code, base::Code::unsupported) << store.error().message();
      EXPECT_EQ(read_all(path()), content) << "a refused file is not changed";
      ++refused;
      return;
    }
    if (store->recovered_from()) {
      EXPECT_EQ(read_all(*store->recovered_from()), content) << "nothing is thrown away";
      EXPECT_TRUE(store->users()->empty());
      EXPECT_TRUE(store->ensure_user("ann"));
      ++set_aside;
      return;
    }
    use(*store);
    ++used;
  }

  int refused = 0;
  int set_aside = 0;
  int used = 0;
};

TEST_F(DamageTest, ATruncatedFile) {
  const std::string good = some_database(path());
  ASSERT_GT(good.size(), 30'000U);
  std::mt19937 random(1);
  // Start at 2: SQLite treats a file of one byte as empty.
  for (int n = 0; n < 60; ++n)
    try_content(good.substr(0, std::uniform_int_distribution<std::size_t>(2, 8192)(random)));
  for (std::size_t size = 4096; size < good.size(); size += 4096) try_content(good.substr(0, size));
  EXPECT_EQ(refused, 0);
  EXPECT_EQ(used, 0) << "every truncation is noticed";
}

TEST_F(DamageTest, FlippedBytes) {
  const std::string good = some_database(path());
  std::mt19937 random(2);
  const auto any = [&](std::size_t below) {
    return std::uniform_int_distribution<std::size_t>(0, below - 1)(random);
  };
  for (int n = 0; n < 300; ++n) {
    std::string bad = good;
    // Put half of them in the first page, because its header and schema are the most fragile.
    const std::size_t reach = n % 2 == 0 ? 4096 : bad.size();
    for (std::size_t flips = 1 + any(8); flips > 0; --flips)
      bad[any(reach)] = static_cast<char>(any(256));
    try_content(bad);
  }
  EXPECT_GT(set_aside, 0);
  EXPECT_GT(used, 0);
}

TEST_F(DamageTest, OverwrittenPages) {
  const std::string good = some_database(path());
  std::mt19937 random(3);
  for (int n = 0; n < 100; ++n) {
    std::string bad = good;
    const std::size_t page = random() % (good.size() / 4096);
    for (std::size_t at = page * 4096; at < (page + 1) * 4096; ++at)
      bad[at] = n % 2 == 0 ? '\0' : static_cast<char>(random());
    try_content(bad);
  }
  EXPECT_GT(set_aside, 0);
}

// Opening a large file must be fast, so it is not checked completely.
TEST_F(DamageTest, InALargeFile) {
  (void)some_database(path());
  std::int64_t terminals = 0;
  std::int64_t log = 0;
  {
    auto store = Store::open(path());
    ASSERT_TRUE(store->transaction([&]() -> base::Status {
      for (int n = 0; n < 2000; ++n)
        if (auto added = store->append_log({.detail = std::string(4000, 'x')}); !added)
          return added;
      return {};
    }));
    auto database = Database::open(path(), milliseconds(1));
    const std::string_view root = "SELECT rootpage FROM sqlite_schema WHERE name = ?";
    terminals = *database->number(root, {"terminals"});
    log = *database->number(root, {"log"});
  }
  const std::string good = read_all(path());
  ASSERT_GT(good.size(), 5'000'000U);
  const auto damaged = [&](std::int64_t page) {
    return std::string(good).replace((page - 1) * 4096, 4096, std::string(4096, 'x'));
  };
  try_content(damaged(terminals));
  EXPECT_EQ(set_aside, 1);

  try_content(damaged(log));
  EXPECT_EQ(used, 1) << "the tables that matter are intact";
  auto store = Store::open(path());
  EXPECT_EQ(store->terminals()->size(), 100U);
  EXPECT_EQ(store->log().error().code, base::Code::corrupt);
}

// If the file is damaged while the store is open, the operation that finds the damage fails.
TEST_F(DamageTest, UnderAnOpenStore) {
  const std::string good = some_database(path());
  auto store = Store::open(path());
  ASSERT_TRUE(store);
  {
    const base::Fd file(::open(path().c_str(), O_WRONLY | O_CLOEXEC));
    const std::string garbage(good.size() - 4096, '\x55');
    ASSERT_EQ(::pwrite(file.get(), garbage.data(), garbage.size(), 4096),
              static_cast<ssize_t>(garbage.size()));
  }
  // Another connection's write makes the store drop its cached pages.
  ASSERT_TRUE(Database::open(path(), milliseconds(1))->execute("PRAGMA user_version = 1"));
  use(*store);
  const auto log = store->log({.newest = 1000});
  ASSERT_FALSE(log);
  EXPECT_EQ(log.error().code, base::Code::corrupt);
  EXPECT_NE(log.error().advice.find("Restart the daemon"), std::string::npos);
}

// The child reports each transaction after committing it. Every reported transaction must be there,
// and none may be there in part.
TEST_F(StoreFaultTest, KilledWhileItWrites) {
  std::mt19937 random(4);
  int told = 0;
  for (int round = 0; round < 30; ++round) {
    const int first = told;
    Child writer([&](int pipe) {
      auto store = Store::open(path());
      if (!store) return 1;
      const auto user = store->ensure_user("ann");
      const auto session = store->ensure_session(user->id, "work");
      for (int n = first;; ++n) {
        const auto id = TerminalId("t" + std::to_string(n));
        const auto saved = store->transaction([&]() -> base::Status {
          if (auto row = store->save_terminal({.id = id, .session = session->id}); !row) return row;
          return store->append_log({.subject = id.str(), .detail = std::string(2000, 'x')});
        });
        if (!saved) return 2;
        tell(pipe, n + 1);
      }
    });
    for (int wanted = std::uniform_int_distribution<int>(1, 150)(random); wanted > 0; --wanted) {
      const auto number = writer.next();
      ASSERT_TRUE(number) << "the writer ended with status " << writer.wait();
      told = *number;
    }
    writer.kill();
    while (const auto number = writer.next()) told = *number;

    auto store = Store::open(path());
    ASSERT_TRUE(store) << store.error().message();
    ASSERT_FALSE(store->recovered_from());
    const auto terminals = *store->terminals();
    const auto log = *store->log({.newest = 1'000'000});
    ASSERT_EQ(terminals.size(), log.size()) << "each transaction is whole";
    ASSERT_GE(static_cast<int>(terminals.size()), told) << "every committed transaction is there";
    ASSERT_LE(static_cast<int>(terminals.size()), told + 1);
    told = static_cast<int>(terminals.size());
  }
}

}  // namespace
}  // namespace session
