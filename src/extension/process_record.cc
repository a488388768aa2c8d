#include "extension/process_record.h"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <sstream>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "base/fd.h"
#include "base/log.h"

namespace extension {

namespace asio = boost::asio;
using asio::awaitable;
using session::ProcessRecord;

namespace {

constexpr std::chrono::seconds kGrace{2};

std::string boot() {
  std::string id;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> id;
  return id;
}

// The boot id and start time of a process that is alive. The state and start time are fields 3 and
// 22 of /proc/PID/stat, after a name in parentheses that may contain anything.
std::optional<std::string> start_of(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  if (!std::getline(file, line)) return std::nullopt;
  const std::size_t after_name = line.rfind(')');
  if (after_name == std::string::npos) return std::nullopt;
  std::istringstream fields(line.substr(after_name + 1));
  std::string state;
  std::string field;
  fields >> state;
  for (int number = 4; number <= 22; ++number) fields >> field;
  if (state == "Z" || state == "X" || !fields) return std::nullopt;
  static const std::string this_boot = boot();
  return this_boot + ":" + field;
}

base::Fd open_process(const ProcessRecord& process) {
  base::Fd handle(static_cast<int>(::syscall(SYS_pidfd_open, static_cast<pid_t>(process.pid), 0)));
  // Checked after opening: from here on, the handle is that process or none.
  if (handle && !is_running(process)) handle.reset();
  return handle;
}

void send_signal(const base::Fd& handle, int number) {
  ::syscall(SYS_pidfd_send_signal, handle.get(), number, nullptr, 0);
}

// Whether it ended within that time.
awaitable<bool> ends(const base::Fd& handle, std::chrono::milliseconds within) {
  using namespace boost::asio::experimental::awaitable_operators;
  auto copy = base::duplicate(handle);
  if (!copy) co_return false;
  const auto executor = co_await asio::this_coro::executor;
  asio::posix::stream_descriptor ended(executor, copy->release());
  asio::steady_timer deadline(executor, within);
  const auto outcome = co_await (ended.async_wait(asio::posix::stream_descriptor::wait_read,
                                                  asio::as_tuple(asio::use_awaitable)) ||
                                 deadline.async_wait(asio::as_tuple(asio::use_awaitable)));
  co_return outcome.index() == 0;
}

}  // namespace

std::optional<ProcessRecord> record_of(pid_t pid) {
  auto start = start_of(pid);
  if (!start) return std::nullopt;
  return ProcessRecord{.pid = pid, .started = *std::move(start)};
}

std::vector<ProcessRecord> records_of(const std::vector<std::int64_t>& pids) {
  std::vector<ProcessRecord> records;
  for (const std::int64_t pid : pids)
    if (auto record = record_of(static_cast<pid_t>(pid))) records.push_back(*std::move(record));
  return records;
}

bool is_running(const ProcessRecord& process) {
  return process.pid > 1 && record_of(static_cast<pid_t>(process.pid)) == process;
}

awaitable<void> end_processes(std::vector<ProcessRecord> processes) {
  for (const ProcessRecord& process : processes) {
    const base::Fd handle = open_process(process);
    if (!handle) continue;
    send_signal(handle, SIGTERM);
    if (co_await ends(handle, kGrace)) continue;
    send_signal(handle, SIGKILL);
    if (!co_await ends(handle, kGrace))
      base::log(base::Level::error, "cannot end a process", {{"pid", process.pid}});
  }
}

}  // namespace extension
