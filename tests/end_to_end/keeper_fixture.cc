#include "end_to_end/keeper_fixture.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "keeper/socket.h"

namespace e2e {

bool eventually(const std::function<bool()>& condition, milliseconds deadline) {
  const auto end = std::chrono::steady_clock::now() + deadline;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(milliseconds(1));
  }
  return true;
}

Process::Process(const std::vector<std::string>& argv, const std::vector<std::string>& env) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) < 0) throw std::runtime_error("pipe2");
  output_.reset(ends[0]);
  const base::Fd write_end(ends[1]);
  pid_ = ::fork();
  if (pid_ < 0) throw std::runtime_error("fork");
  if (pid_ > 0) return;
  ::dup2(write_end.get(), 1);
  ::dup2(write_end.get(), 2);
  for (const std::string& entry : env) ::putenv(const_cast<char*>(entry.c_str()));
  std::vector<char*> pointers;
  for (const std::string& argument : argv) pointers.push_back(const_cast<char*>(argument.c_str()));
  pointers.push_back(nullptr);
  ::execvp(pointers[0], pointers.data());
  ::_exit(127);
}

Process::~Process() {
  if (is_running()) {
    signal(SIGKILL);
    wait();
  }
}

void Process::signal(int number) const {
  ::kill(pid_, number);
}

bool Process::is_running() {
  int status = 0;
  if (!status_ && ::waitpid(pid_, &status, WNOHANG) == pid_) status_ = status;
  return !status_;
}

Process::Outcome Process::wait() {
  Outcome outcome;
  char buffer[4096];
  // A grandchild may hold the pipe; what matters is the process.
  while (is_running()) {
    pollfd poll{.fd = output_.get(), .events = POLLIN, .revents = 0};
    if (::poll(&poll, 1, 5) == 1) {
      const ssize_t size = ::read(output_.get(), buffer, sizeof buffer);
      if (size > 0) outcome.output.append(buffer, size);
      if (size <= 0) {
        int status = 0;
        while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
        }
        status_ = status;
      }
    }
  }
  pollfd poll{.fd = output_.get(), .events = POLLIN, .revents = 0};
  while (::poll(&poll, 1, 0) == 1) {
    const ssize_t size = ::read(output_.get(), buffer, sizeof buffer);
    if (size <= 0) break;
    outcome.output.append(buffer, size);
  }
  outcome.status = *status_;
  return outcome;
}

Client::Client(const std::filesystem::path& runtime_dir) {
  keeper_.emplace(
      io_.get_executor(), runtime_dir,
      terminal::KeeperClient::Events{
          .exited = [this](const terminal::ChildId& id,
                           const terminal::ChildExit& exit) { exits_[id.str()] = exit; },
          .let_go = [this](milliseconds) { ++let_go_; },
          .lost = [this](const base::Error&) { ++lost_; },
          .back = [this] { ++back_; },
          .displaced = [this](const base::Error&) { ++displaced_; }});
}

Client::~Client() {
  disconnect();
}

void Client::disconnect() {
  if (!keeper_) return;
  bool stopped = false;
  boost::asio::co_spawn(
      io_, [this] { return keeper_->stop(); }, [&](const std::exception_ptr&) { stopped = true; });
  run_until([&] { return stopped; });
  keeper_.reset();
}

void Client::run_until(const std::function<bool()>& condition, milliseconds deadline) {
  const auto end = std::chrono::steady_clock::now() + deadline;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) throw std::runtime_error("waited too long");
    io_.restart();
    io_.run_one_for(milliseconds(20));
  }
}

base::Result<terminal::AttachedChild> Client::spawn(const std::string& id,
                                                    std::vector<std::string> argv) {
  terminal::SpawnRequest request;
  request.id = terminal::ChildId(id);
  request.argv = std::move(argv);
  return spawn(std::move(request));
}

base::Result<terminal::AttachedChild> Client::spawn(terminal::SpawnRequest request) {
  return wait(keeper().spawn(std::move(request)));
}

base::Result<terminal::AttachedChild> Client::attach(const std::string& id) {
  return wait(keeper().attach(terminal::ChildId(id)));
}

base::Status Client::close(const std::string& id, std::optional<milliseconds> grace) {
  return wait(keeper().close(terminal::ChildId(id), grace));
}

terminal::ChildExit Client::exit_of(const std::string& id) {
  run_until([&] { return exits_.contains(id); });
  return exits_.at(id);
}

void KeeperTest::SetUp() {
  std::string name = "/tmp/holdfast-test-XXXXXX";
  ASSERT_NE(::mkdtemp(name.data()), nullptr);
  dir_ = name;
  keeper_.emplace(std::vector<std::string>{kKeeperProgram, "--runtime-dir", dir_});
  ASSERT_TRUE(eventually([this] { return keeper::connect_to_keeper(dir_).has_value(); }));
}

void KeeperTest::TearDown() {
  owner_.reset();
  if (keeper_ && keeper_->is_running()) {
    keeper_->signal(SIGTERM);
    const auto outcome = keeper_->wait();
    // Nonzero would be a sanitizer's report, or a crash.
    EXPECT_EQ(outcome.status, 0) << outcome.output;
  }
  std::error_code ignored;
  std::filesystem::remove_all(dir_, ignored);
}

Client& KeeperTest::owner() {
  if (!owner_) {
    owner_.emplace(dir_);
    const auto started = owner_->start();
    if (!started) throw std::runtime_error(started.error().message());
  }
  return *owner_;
}

void KeeperTest::yield_owner() {
  const auto yielded = owner().wait(owner().keeper().yield());
  ASSERT_TRUE(yielded) << yielded.error().message();
  drop_owner();
}

std::string output_until(terminal::AttachedChild& child, std::string_view wanted) {
  std::string output;
  const bool found = eventually([&] {
    const auto bytes = child.journal.copy(child.journal.consumed(), 1 << 20);
    if (!bytes) return true;
    output.append(reinterpret_cast<const char*>(bytes->data()), bytes->size());
    if (!child.journal.advance(child.journal.consumed() + bytes->size())) return true;
    return output.find(wanted) != std::string::npos;
  });
  EXPECT_TRUE(found) << "no '" << wanted << "' in: " << output;
  return output;
}

std::string all_output(terminal::AttachedChild& child) {
  EXPECT_TRUE(eventually([&] { return child.journal.ended(); }));
  return output_until(child, "");
}

void type(const terminal::AttachedChild& child, std::string_view text) {
  while (!text.empty()) {
    const ssize_t size = ::write(child.input.get(), text.data(), text.size());
    if (size > 0) text.remove_prefix(static_cast<std::size_t>(size));
    if (size < 0 && errno != EAGAIN) throw std::runtime_error("cannot type");
  }
}

std::size_t open_descriptors(pid_t pid) {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry :
       std::filesystem::directory_iterator("/proc/" + std::to_string(pid) + "/fd"))
    ++count;
  return count;
}

std::string proc_file(pid_t pid, const std::string& name) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/" + name);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

namespace {

// The fields of /proc/PID/stat from the third on: state, parent, …
std::vector<std::string> stat_of(pid_t pid) {
  const std::string line = proc_file(pid, "stat");
  const auto name_end = line.rfind(')');
  if (name_end == std::string::npos) return {};
  std::istringstream text(line.substr(name_end + 1));
  return {std::istream_iterator<std::string>(text), {}};
}

}  // namespace

std::vector<pid_t> children_of(pid_t parent) {
  std::vector<pid_t> children;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    const auto fields = stat_of(std::stoi(name));
    if (fields.size() > 1 && fields[1] == std::to_string(parent))
      children.push_back(std::stoi(name));
  }
  return children;
}

bool exists(pid_t pid) {
  const auto fields = stat_of(pid);
  return !fields.empty() && fields[0] != "Z" && fields[0] != "X";
}

}  // namespace e2e
