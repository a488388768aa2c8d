// Contestants without a network: the bare PTY, and programs that keep terminals for people, seen
// through an attached client on its own PTY.

#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "base/test_temp_dir.h"
#include "bench/bare_pty.h"
#include "bench/contestant.h"
#include "end_to_end/process.h"

namespace bench {
namespace {

constexpr int kPatience = 30'000;

class PtySession : public Session {
 public:
  explicit PtySession(const std::vector<std::string>& argv) : pty_(start_on_pty(argv)) {
    const winsize size{.ws_row = 24, .ws_col = 80, .ws_xpixel = 0, .ws_ypixel = 0};
    ::ioctl(pty_.master.get(), TIOCSWINSZ, &size);
  }
  ~PtySession() override {
    ::kill(pty_.pid, SIGKILL);
    ::waitpid(pty_.pid, nullptr, 0);
  }

  void type(std::string_view keys) override {
    if (::write(pty_.master.get(), keys.data(), keys.size()) < 0) throw std::runtime_error("write");
  }
  Piece receive() override {
    pollfd poll{.fd = pty_.master.get(), .events = POLLIN, .revents = 0};
    if (::poll(&poll, 1, kPatience) != 1) throw std::runtime_error("no output");
    const ssize_t size = ::read(pty_.master.get(), buffer_.data(), buffer_.size());
    if (size <= 0) throw std::runtime_error("the program has ended");
    return {.bytes = {buffer_.data(), static_cast<std::size_t>(size)}};
  }

 protected:
  [[nodiscard]] pid_t client() const { return pty_.pid; }

 private:
  BarePty pty_;
  std::array<char, 64 * 1024> buffer_{};
};

class Bare final : public Contestant {
 public:
  Bare() : Contestant("bare PTY") {}
  std::unique_ptr<Session> open() override {
    auto session = std::make_unique<PtySession>(std::vector<std::string>{TALKER});
    session->wait_for("READY");
    return session;
  }
};

class DtachSession final : public PtySession {
 public:
  explicit DtachSession(const std::string& socket)
      : PtySession({"/usr/bin/dtach", "-c", socket, "-E", "-z", "-r", "none", TALKER}) {
    wait_for("READY");
    const auto children = e2e::children_of(client());
    if (children.empty()) throw std::runtime_error("dtach's own process is missing");
    server_ = children.front();
  }
  ~DtachSession() override { ::kill(server_, SIGTERM); }
  [[nodiscard]] std::vector<pid_t> processes() const override { return {client(), server_}; }

 private:
  pid_t server_ = 0;
};

class Dtach final : public Contestant {
 public:
  Dtach() : Contestant("dtach") {}
  std::unique_ptr<Session> open() override {
    return std::make_unique<DtachSession>(dir_ / std::to_string(++count_));
  }

 private:
  base::TempDir dir_;
  int count_ = 0;
};

class TmuxSession final : public PtySession {
 public:
  TmuxSession(const std::string& socket, const std::string& config)
      : PtySession({"/usr/bin/env", "-u", "TMUX", "TERM=xterm-256color", "tmux", "-S", socket, "-f",
                    config, "new-session", TALKER}),
        socket_(socket) {
    wait_for("READY");
    const auto said =
        e2e::Process({"tmux", "-S", socket, "display-message", "-p", "#{pid}"}).wait();
    server_ = std::stoi(said.output);
  }
  ~TmuxSession() override { (void)e2e::Process({"tmux", "-S", socket_, "kill-server"}).wait(); }
  [[nodiscard]] std::vector<pid_t> processes() const override { return {client(), server_}; }

 private:
  std::string socket_;
  pid_t server_ = 0;
};

class Tmux final : public Contestant {
 public:
  Tmux() : Contestant("tmux") {
    std::ofstream(dir_ / "config")
        << "set -g status off\nset -g set-titles off\nset -s escape-time 0\n";
  }
  std::unique_ptr<Session> open() override {
    return std::make_unique<TmuxSession>(dir_ / std::to_string(++count_), dir_ / "config");
  }

 private:
  base::TempDir dir_;
  int count_ = 0;
};

template <class Kind>
std::unique_ptr<Contestant> if_installed(const char* program) {
  if (std::filesystem::exists(program)) return std::make_unique<Kind>();
  std::fprintf(stderr, "skipped: %s is not installed\n", program);
  return nullptr;
}

}  // namespace

std::unique_ptr<Session> session_on_pty(const std::vector<std::string>& argv) {
  return std::make_unique<PtySession>(argv);
}
std::unique_ptr<Contestant> bare_terminal() {
  return std::make_unique<Bare>();
}
std::unique_ptr<Contestant> tmux() {
  return if_installed<Tmux>("/usr/bin/tmux");
}
std::unique_ptr<Contestant> dtach() {
  return if_installed<Dtach>("/usr/bin/dtach");
}

}  // namespace bench
