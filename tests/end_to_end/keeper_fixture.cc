#include "end_to_end/keeper_fixture.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "keeper_protocol/socket.h"

namespace e2e {

Client::Client(const std::filesystem::path& runtime_dir) {
  keeper_.emplace(io_.get_executor(), runtime_dir,
                  keeper::KeeperClient::Events{
                      .exited = [this](const keeper::ChildId& id,
                                       const keeper::ChildExit& exit) { exits_[id.str()] = exit; },
                      .let_go = [this](milliseconds) { ++let_go_; },
                      .lost = [this](const base::Error&) { ++lost_; },
                      .unreachable = {},
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

base::Result<keeper::AttachedChild> Client::spawn(const std::string& id,
                                                  std::vector<std::string> argv) {
  keeper::SpawnRequest request;
  request.id = keeper::ChildId(id);
  request.argv = std::move(argv);
  return spawn(std::move(request));
}

base::Result<keeper::AttachedChild> Client::spawn(keeper::SpawnRequest request) {
  return wait(keeper().spawn(std::move(request)));
}

base::Result<keeper::AttachedChild> Client::attach(const std::string& id) {
  return wait(keeper().attach(keeper::ChildId(id)));
}

base::Status Client::close(const std::string& id, std::optional<milliseconds> grace) {
  return wait(keeper().close(keeper::ChildId(id), grace));
}

keeper::ChildExit Client::exit_of(const std::string& id) {
  run_until([&] { return exits_.contains(id); });
  return exits_.at(id);
}

void KeeperTest::SetUp() {
  keeper_.emplace(std::vector<std::string>{kKeeperProgram, "--runtime-dir", dir()});
  ASSERT_TRUE(eventually([this] { return keeper::connect_to_keeper(dir()).has_value(); }));
}

void KeeperTest::TearDown() {
  owner_.reset();
  if (keeper_ && keeper_->is_running()) {
    keeper_->signal(SIGTERM);
    const auto outcome = keeper_->wait();
    // Nonzero would be a sanitizer's report, or a crash.
    EXPECT_EQ(outcome.status, 0) << outcome.output;
  }
}

Client& KeeperTest::owner() {
  if (!owner_) {
    owner_.emplace(dir());
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

std::string output_until(keeper::AttachedChild& child, std::string_view wanted) {
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

std::string all_output(keeper::AttachedChild& child) {
  EXPECT_TRUE(eventually([&] { return child.journal.ended(); }));
  return output_until(child, "");
}

void type(const keeper::AttachedChild& child, std::string_view text) {
  while (!text.empty()) {
    const ssize_t size = ::write(child.input.get(), text.data(), text.size());
    if (size > 0) text.remove_prefix(static_cast<std::size_t>(size));
    if (size < 0 && errno != EAGAIN) throw std::runtime_error("cannot type");
  }
}

}  // namespace e2e
