#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/json.hpp>

#include "base/fd.h"
#include "base/percent.h"
#include "cli/attach_target.h"
#include "cli/cast.h"
#include "cli/command.h"
#include "cli/connect.h"
#include "cli/native_connection.h"
#include "cli/request.h"
#include "daemon/control_connection.h"

namespace cli {
namespace {

namespace asio = boost::asio;
namespace json = boost::json;
using holdfast::count_in;
using holdfast::text_in;
using std::chrono::steady_clock;
using wire::native::FrameKind;
template <class T = void>
using Task = asio::awaitable<T>;

constexpr auto kNoThrow = asio::as_tuple(asio::use_awaitable);
constexpr std::chrono::milliseconds kPause{100};

vt::Size size_in(const json::object& data) {
  return {.cols = static_cast<int>(count_in(data, "cols")),
          .rows = static_cast<int>(count_in(data, "rows"))};
}

// Writes what a terminal prints until it ends. It attaches as a lossless viewer, so that nothing is
// left out, and goes on at its offset when the daemon comes back.
class Recording {
 public:
  Recording(AttachTarget terminal, base::Fd file, std::optional<std::uint64_t> since)
      : terminal_(std::move(terminal)),
        file_(std::move(file)),
        offset_(since),
        has_since_(since.has_value()) {}

  base::Status run() {
    asio::co_spawn(io_, watch_signals(), asio::detached);
    asio::co_spawn(io_, record(), [](const std::exception_ptr& error) {
      if (error) std::rethrow_exception(error);
    });
    io_.run();
    return ended_;
  }

 private:
  Task<> watch_signals() {
    asio::signal_set signals(io_, SIGINT, SIGTERM, SIGHUP);
    const auto [error, number] = co_await signals.async_wait(kNoThrow);
    if (!error) end({});
  }

  void end(base::Status status) {
    ended_ = std::move(status);
    io_.stop();
  }

  Task<> record() {
    for (;;) {
      const base::Error why = co_await converse();
      if (why.code != base::Code::unavailable) co_return end(base::fail(why));
      if (is_nothing_held()) co_return end({});
      start_if_none();
      asio::steady_timer pause(io_, kPause);
      (void)co_await pause.async_wait(kNoThrow);
    }
  }

  // Returns why the connection ended.
  Task<base::Error> converse() {
    const auto connection = std::make_shared<NativeConnection>(io_.get_executor());
    if (auto opened = co_await connection->open(); !opened) co_return opened.error();
    json::object data{{"terminalId", terminal_.id}, {"role", "control"}, {"lossless", true}};
    if (offset_) data["since"] = *offset_;
    connection->send("attach", std::move(data), 1);
    for (;;) {
      auto message = co_await connection->receive();
      if (!message) co_return message.error();
      if (auto handled = handle(*message); !handled) co_return handled.error();
      if (end_offset_ && offset_ && *offset_ >= *end_offset_) end({});
    }
  }

  base::Status handle(const NativeConnection::Message& message) {
    const bool is_ours = text_in(message.data, "terminalId") == terminal_.id;
    if (message.type.empty()) return frame(message);
    if (message.type == "attached") return attached(message.data);
    if (message.type == "resized") return resized(size_in(message.data));
    if (message.type == "error")
      return base::fail(base::Code::invalid_argument, text_in(message.data, "error"),
                        text_in(message.data, "details"));
    if (message.type == "exited" && is_ours) return exited();
    if (message.type == "closed" && is_ours) end({});
    return {};
  }

  base::Status attached(const json::object& data) {
    const json::value* const resumed = data.if_contains("resumed");
    const bool goes_on = resumed != nullptr && resumed->is_bool() && resumed->get_bool();
    if (has_since_ && !has_begun_ && !goes_on)
      return base::fail(base::Code::not_found,
                        "cannot begin at offset " + std::to_string(*offset_) +
                            ": that output is no longer there, or the terminal was resized since",
                        "Leave out --since to record from now on.");
    if (!has_begun_) {
      size_ = size_in(data);
      if (auto written = write(cast_header(size_, terminal_.label)); !written) return written;
      has_begun_ = true;
    }
    if (auto written = resized(size_in(data)); !written) return written;
    return text_in(data, "status") == "exited" ? exited() : base::Status{};
  }

  base::Status frame(const NativeConnection::Message& message) {
    if (message.header.kind != FrameKind::output && message.header.kind != FrameKind::snapshot)
      return {};
    offset_ = message.header.offset;
    if (message.payload.empty()) return {};
    return write(to_line(
        {.time = now(), .kind = CastEvent::Kind::output, .output = std::string(message.payload)}));
  }

  base::Status resized(vt::Size size) {
    if (size == size_ || size.cols == 0 || size.rows == 0) return {};
    size_ = size;
    return write(to_line({.time = now(), .kind = CastEvent::Kind::resize, .size = size}));
  }

  // The last output may still be on its way.
  base::Status exited() {
    const auto captured =
        call("GET", "/terminals/" + base::encode_percents(terminal_.id) + "/capture");
    if (!captured) return base::fail(captured.error());
    end_offset_ = count_in(*captured, "offset");
    return {};
  }

  [[nodiscard]] std::chrono::microseconds now() const {
    return std::chrono::duration_cast<std::chrono::microseconds>(steady_clock::now() - began_);
  }

  // A line at a time, so that the file is a whole recording whenever it ends.
  base::Status write(std::string line) {
    line += '\n';
    for (std::string_view rest = line; !rest.empty();) {
      const ssize_t written = ::write(file_.get(), rest.data(), rest.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return base::fail(base::errno_error(errno, "write the recording"));
      rest.remove_prefix(static_cast<std::size_t>(written));
    }
    return {};
  }

  asio::io_context io_;
  AttachTarget terminal_;
  base::Fd file_;
  std::optional<std::uint64_t> offset_;
  bool has_since_;
  bool has_begun_ = false;
  vt::Size size_{.cols = 0, .rows = 0};
  std::optional<std::uint64_t> end_offset_;  // Once the program has ended.
  steady_clock::time_point began_ = steady_clock::now();
  base::Status ended_;
};

class RecordCommand final : public Command {
 public:
  explicit RecordCommand(const Arguments& holdfast)
      : Command(holdfast, "record", "Record what a terminal prints, as asciicast v2") {
    takes_target(target_);
    command().add_option("file", file_, "The file to write; it must not exist yet").required();
    command().add_option("--since", since_, "Begin with the output after this offset");
    explain(command(), {"holdfast record build build.cast", "holdfast play build.cast"},
            "It begins with what the terminal shows and ends with its program or with Ctrl-C. If "
            "the daemon is killed or upgraded, it goes on; if the terminal was resized meanwhile, "
            "with a new picture. The program waits if the file cannot be written fast enough.");
  }

  base::Result<int> run() override {
    const auto found = call("GET", "/terminals/" + base::encode_percents(target_));
    if (!found) return base::fail(found.error());
    base::Fd file(::open(file_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (!file && errno == EEXIST)
      return base::fail(base::Code::already_exists, file_ + " exists already",
                        "Choose another name, or remove it.");
    if (!file) return base::fail(base::errno_error(errno, "write " + file_));
    Recording recording(described(*found), std::move(file), since_);
    if (auto ended = recording.run(); !ended) return base::fail(ended.error());
    return 0;
  }

 private:
  std::string target_;
  std::string file_;
  std::optional<std::uint64_t> since_;
};

}  // namespace

std::unique_ptr<Command> make_record_command(const Arguments& holdfast) {
  return std::make_unique<RecordCommand>(holdfast);
}

}  // namespace cli
