#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <deque>
#include <fstream>

#include "base/fd.h"
#include "base/printable.h"
#include "cli/command.h"
#include "config/load.h"
#include "daemon/log_file.h"

namespace cli {
namespace {

void print(const std::string& line) {
  const bool is_terminal = ::isatty(STDOUT_FILENO) == 1;
  std::printf("%s\n", (is_terminal ? base::printable(line) : line).c_str());
}

// The lines of a file that others append to, and replace by another one.
class LogReader {
 public:
  explicit LogReader(std::string path) : path_(std::move(path)) {}

  // The next whole line. None if there is none yet.
  bool next(std::string& line) {
    while (!take(line)) {
      const bool was_replaced = is_replaced();
      const std::size_t size = buffer_.size();
      read_more();
      if (buffer_.size() != size) continue;
      if (!was_replaced) return false;
      file_ = std::ifstream(path_);
      inode_ = inode();
    }
    return true;
  }

 private:
  bool take(std::string& line) {
    const auto end = buffer_.find('\n');
    if (end == std::string::npos) return false;
    line = buffer_.substr(0, end);
    buffer_.erase(0, end + 1);
    return true;
  }
  void read_more() {
    char bytes[16 * 1024];
    file_.clear();
    file_.read(bytes, sizeof bytes);
    buffer_.append(bytes, static_cast<std::size_t>(file_.gcount()));
  }
  [[nodiscard]] ino_t inode() const {
    struct stat found{};
    return ::stat(path_.c_str(), &found) == 0 ? found.st_ino : 0;
  }
  [[nodiscard]] bool is_replaced() const { return inode() != inode_; }

  std::string path_;
  std::ifstream file_;
  ino_t inode_ = 0;
  std::string buffer_;
};

class LogsCommand final : public Command {
 public:
  explicit LogsCommand(const Arguments& holdfast)
      : Command(holdfast, "logs", "Print the log of a daemon that was started in the background",
                Where::here) {
    command().add_flag("-f,--follow", follow_, "Wait for more, and print that too");
    command()
        .add_option("-n,--lines", lines_, "How many of the last lines; 50 by default")
        .at_least(0);
    explain(command(), {"holdfast logs -n 200", "holdfast logs -f"},
            "A daemon that runs in a terminal or as a service logs there; see: journalctl -u "
            "holdfast. At 4 MB a new file is started, and the previous one is kept.");
  }

  base::Result<int> run() override {
    const auto config = config::load({}, config::process_surroundings());
    if (!config) return base::fail(config.error());
    const std::string path = holdfast::log_file(config->state_dir);
    if (::access(path.c_str(), R_OK) != 0)
      return base::fail(base::Code::not_found, "cannot read " + path,
                        "Only daemons that commands start in the background log there.");
    const base::Fd changes(::inotify_init1(IN_CLOEXEC));
    if (follow_ && (!changes || ::inotify_add_watch(changes.get(), config->state_dir.c_str(),
                                                    IN_MODIFY | IN_CREATE | IN_MOVED_TO) < 0))
      return base::fail(base::errno_error(errno, "watch " + path));
    LogReader log(path);
    print_last(path + ".1", log);
    while (follow_) {
      std::fflush(stdout);
      char events[4096];
      if (::read(changes.get(), events, sizeof events) < 0 && errno != EINTR)
        return base::fail(base::errno_error(errno, "watch " + path));
      for (std::string line; log.next(line);) print(line);
    }
    return 0;
  }

 private:
  void print_last(const std::string& previous, LogReader& log) const {
    std::deque<std::string> last;
    const auto keep = [&](std::string line) {
      last.push_back(std::move(line));
      if (last.size() > lines_) last.pop_front();
    };
    std::ifstream file(previous);
    for (std::string line; std::getline(file, line);) keep(line);
    for (std::string line; log.next(line);) keep(line);
    for (const std::string& line : last) print(line);
  }

  bool follow_ = false;
  std::size_t lines_ = 50;
};

}  // namespace

std::unique_ptr<Command> make_logs_command(const Arguments& holdfast) {
  return std::make_unique<LogsCommand>(holdfast);
}

}  // namespace cli
