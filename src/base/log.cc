#include "base/log.h"

#include <poll.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <iterator>
#include <memory>
#include <mutex>

#include "base/log_bound.h"
#include "base/printable.h"

namespace base {
namespace {

spdlog::level::level_enum spdlog_level(Level level) {
  switch (level) {
    case Level::debug:
      return spdlog::level::debug;
    case Level::info:
      return spdlog::level::info;
    case Level::warning:
      return spdlog::level::warn;
    case Level::error:
      return spdlog::level::err;
  }
  return spdlog::level::info;
}

// Writes to standard error unless that would block: no terminal may hang because nobody reads the
// log. Dropped lines are counted, and the count is logged when there is room again.
class StderrSink final : public spdlog::sinks::base_sink<std::mutex> {
 protected:
  void sink_it_(const spdlog::details::log_msg& message) override {
    pollfd poll{.fd = STDERR_FILENO, .events = POLLOUT, .revents = 0};
    if (::poll(&poll, 1, 0) != 1 || (poll.revents & POLLOUT) == 0) {
      ++left_out_;
      return;
    }
    spdlog::memory_buf_t line;
    formatter_->format(message, line);
    if (left_out_ > 0)
      fmt::format_to(std::back_inserter(line), "({} log lines dropped)\n", left_out_);
    left_out_ = 0;
    // A pipe that polls as writable accepts this much without blocking.
    const std::size_t size = std::min<std::size_t>(line.size(), PIPE_BUF);
    // There is nowhere to report a failed log write.
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line.data(), size);
    if (!full_) return;
    grown_ += size;
    if (grown_ < bound_) return;
    grown_ = 0;
    full_();
  }
  void flush_() override {}

 public:
  void bound(std::size_t bytes, std::function<void()> full) {
    const std::lock_guard lock(mutex_);
    bound_ = bytes;
    full_ = std::move(full);
  }

 private:
  std::size_t left_out_ = 0;
  std::size_t grown_ = 0;
  std::size_t bound_ = 0;
  std::function<void()> full_;
};

const std::shared_ptr<StderrSink>& sink() {
  static const auto instance = std::make_shared<StderrSink>();
  return instance;
}

spdlog::logger& logger() {
  static const std::shared_ptr<spdlog::logger> instance = [] {
    auto made = std::make_shared<spdlog::logger>("holdfast", sink());
    made->set_formatter(std::make_unique<spdlog::pattern_formatter>(
        "%Y-%m-%dT%H:%M:%S.%eZ %-7l %v", spdlog::pattern_time_type::utc));
    return made;
  }();
  return *instance;
}

bool needs_quotes(std::string_view value) {
  return value.empty() || value.find_first_of(" \"\\=") != std::string_view::npos ||
         printable(value) != value;
}

void append_quoted(std::string& line, std::string_view value) {
  std::string quoted;
  for (const char c : value) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  line += '"' + printable(quoted) + '"';
}

}  // namespace

void set_log_level(Level level) {
  logger().set_level(spdlog_level(level));
}

void bound_log(std::size_t bytes, std::function<void()> full) {
  sink()->bound(bytes, std::move(full));
}

void log(Level level, std::string_view message, std::initializer_list<Field> fields) {
  if (!logger().should_log(spdlog_level(level))) return;
  logger().log(spdlog_level(level), format_log_line(message, fields));
}

std::string format_log_line(std::string_view message, std::initializer_list<Field> fields) {
  std::string line(message);
  for (const Field& field : fields) {
    line += ' ';
    line += field.key;
    line += '=';
    if (needs_quotes(field.value))
      append_quoted(line, field.value);
    else
      line += field.value;
  }
  return line;
}

}  // namespace base
