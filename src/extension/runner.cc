#include "extension/runner.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "base/log.h"

namespace extension {

namespace asio = boost::asio;
using asio::awaitable;

namespace {

constexpr auto kNoThrow = asio::as_tuple(asio::use_awaitable);
constexpr std::chrono::seconds kTimeToConnect{20};
constexpr std::chrono::seconds kTimeToSayWhich{20};
constexpr int kEndedBySignal = 128;
constexpr std::size_t kReason = 400;  // How much of its last output an error shows.

constexpr std::chrono::milliseconds kPause{100};
constexpr int kTriesToStart = 200;

// Logs the output of a runner and the programs it started: a limited amount per interval, and how
// much was left out.
class OutputLog {
 public:
  void operator()(std::string_view text) {
    const auto now = std::chrono::steady_clock::now();
    if (now - since_ > kWhile) {
      if (left_out_ > 0)
        base::log(base::Level::warning, "runner output left out", {{"bytes", left_out_}});
      since_ = now;
      left_out_ = 0;
      said_ = 0;
    }
    const std::string_view shown = text.substr(0, kMostSaid - said_);
    said_ += shown.size();
    left_out_ += text.size() - shown.size();
    if (!shown.empty()) base::log(base::Level::warning, "runner output", {{"text", shown}});
  }

 private:
  static constexpr std::chrono::seconds kWhile{10};
  static constexpr std::size_t kMostSaid = 64 * 1024;

  std::chrono::steady_clock::time_point since_{};
  std::size_t said_ = 0;
  std::size_t left_out_ = 0;
};

bool is_keeper_lost(const base::Error& error) {
  return error.code == base::Code::unavailable;
}

std::string last_words(std::string output) {
  while (!output.empty() && (output.back() == '\n' || output.back() == '\r')) output.pop_back();
  if (output.size() > kReason) output.erase(0, output.size() - kReason);
  return output;
}

}  // namespace

std::filesystem::path runner_script() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path() / "runner/runner.mjs";
}

Runner::Runner(asio::any_io_executor executor, Processes& processes, RunnerSettings settings,
               std::string only, std::function<void(Runner&)> started)
    : executor_(executor),
      processes_(processes),
      settings_(std::move(settings)),
      only_(std::move(only)),
      started_(std::move(started)),
      changed_(executor) {}

std::string Runner::process_name(const std::string& only) {
  return only.empty() ? "runner" : "runner " + only;
}

void Runner::adopt(const ProcessInfo& process) {
  process_ = process.id;
  node_ = process.program;
}

void Runner::connected(std::shared_ptr<Rpc> connection) {
  if (connection_) connection_->close();
  connection_ = std::move(connection);
  changed_.notify();
}

void Runner::disconnected(const Rpc* connection) {
  if (connection_.get() == connection) connection_.reset();
}

bool Runner::has_pid(pid_t pid) const {
  const ProcessInfo* const process = processes_.find(process_);
  return process != nullptr && process->pid == pid;
}

// Nothing starts without a keeper, so retry while a lost one is being replaced.
awaitable<base::Result<ProcessInfo>> Runner::start_process(ProcessSpec spec) {
  auto started = co_await processes_.start(spec);
  for (int tries = 0; !started && is_keeper_lost(started.error()) && tries < kTriesToStart;
       ++tries) {
    asio::steady_timer pause(executor_, kPause);
    co_await pause.async_wait(kNoThrow);
    started = co_await processes_.start(spec);
  }
  if (started) co_return started;
  base::Error error = started.error();
  error.what = "extensions are off: " + error.what;
  if (!is_keeper_lost(error)) error.advice = kNodeAdvice;
  co_return base::fail(std::move(error));
}

awaitable<base::Result<Node>> Runner::look_at_node() {
  using namespace boost::asio::experimental::awaitable_operators;
  // A named variable, because g++ 12 destroys a temporary inside a co_await twice.
  ProcessSpec spec{.owner = {},
                   .name = "node",
                   .argv = node_version_command(settings_.node),
                   .env = settings_.environment,
                   .cwd = settings_.directory,
                   .on_output = {}};
  auto asked = co_await start_process(std::move(spec));
  if (!asked) co_return base::fail(asked.error());
  asio::steady_timer deadline(executor_, kTimeToSayWhich);
  auto waiting = processes_.wait(asked->id);
  const auto outcome = co_await (std::move(waiting) || deadline.async_wait(kNoThrow));
  const std::string said = processes_.output(asked->id);
  if (auto closed = co_await processes_.close(asked->id);
      !closed && closed.error().code != base::Code::not_found)
    base::log(base::Level::warning, "cannot close a process", {{"error", closed.error()}});
  if (outcome.index() == 1)
    co_return base::fail(
        base::Code::timed_out,
        "extensions are off: " + settings_.node + " did not print its version in time",
        std::string(kNodeAdvice));
  const auto& code = std::get<0>(outcome);
  if (!code && is_keeper_lost(code.error())) co_return base::fail(code.error());
  co_return parse_node(settings_.node, said);
}

std::string Runner::running_node() const {
  const ProcessInfo* const process = processes_.find(process_);
  if (process == nullptr) return {};
  std::error_code error;
  std::string path =
      std::filesystem::read_symlink("/proc/" + std::to_string(process->pid) + "/exe", error);
  constexpr std::string_view kReplaced = " (deleted)";
  if (path.ends_with(kReplaced)) path.erase(path.size() - kReplaced.size());
  return path;
}

awaitable<base::Status> Runner::start() {
  if (auto node = co_await look_at_node(); !node) co_return base::fail(node.error());
  ProcessSpec spec{
      .owner = {},
      .name = process_name(only_),
      .argv = {settings_.node, settings_.script.string(), "--socket", settings_.socket.string()},
      .env = settings_.environment,
      .cwd = settings_.directory,
      .on_output = OutputLog()};
  if (!only_.empty()) spec.argv.insert(spec.argv.end(), {"--only", only_});
  auto started = co_await start_process(std::move(spec));
  if (!started) co_return base::fail(started.error());
  process_ = started->id;
  node_ = settings_.node;
  remark.clear();
  started_(*this);
  co_return base::Status{};
}

awaitable<base::Result<std::shared_ptr<Rpc>>> Runner::ready() {
  if (!connection_ && process_.empty() && !starting_) {
    starting_ = true;
    failed_.reset();
    if (auto started = co_await start(); !started) failed_ = started.error();
    starting_ = false;
    changed_.notify();
  }
  asio::steady_timer deadline(executor_, kTimeToConnect);
  while (!connection_ && !failed_) {
    using namespace boost::asio::experimental::awaitable_operators;
    const auto outcome = co_await (changed_.wait() || deadline.async_wait(kNoThrow));
    if (outcome.index() == 1)
      co_return base::fail(base::Code::timed_out, "the extension runner does not answer");
  }
  if (connection_) co_return connection_;
  co_return base::fail(*failed_);
}

awaitable<std::string> Runner::ended(std::function<void()> exited) {
  const std::string id = process_;
  const auto code = co_await processes_.wait(id);
  if (!code && code.error().code == base::Code::unavailable) co_return code.error().what;
  std::string why = code ? "it exited with " + std::to_string(*code) : code.error().what;
  if (const std::string words = last_words(processes_.output(id)); !words.empty())
    why += ": " + words;
  if (process_ != id) co_return why;
  process_.clear();
  exited();
  // Its record is no longer needed. Closing it also ends the programs that it left behind.
  if (auto closed = co_await processes_.close(id);
      !closed && closed.error().code != base::Code::not_found)
    base::log(base::Level::warning, "cannot release the runner's record",
              {{"error", closed.error()}});
  // A runner that exits by itself would do so again.
  const bool gave_up = code && *code < kEndedBySignal;
  if (!connection_)
    failed_ = base::Error{.code = gave_up ? base::Code::unsupported : base::Code::unavailable,
                          .what = "the extension runner exited: " + why,
                          .advice = gave_up ? std::string(kNodeAdvice) : ""};
  changed_.notify();
  co_return why;
}

awaitable<void> Runner::kill() {
  const std::string id = std::exchange(process_, {});
  if (id.empty()) co_return;
  if (connection_) std::exchange(connection_, {})->close();
  if (auto closed = co_await processes_.close(id); !closed)
    base::log(base::Level::warning, "cannot end the runner", {{"error", closed.error()}});
}

}  // namespace extension
