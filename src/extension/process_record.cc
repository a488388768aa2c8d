#include "extension/process_record.h"

#include <signal.h>

#include <chrono>
#include <fstream>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "base/fd.h"
#include "base/log.h"
#include "base/process.h"

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

// The boot id and start time of a process that is alive.
std::optional<std::string> start_of(pid_t pid) {
  const auto stat = base::stat_of(pid);
  if (!stat || stat->is_zombie()) return std::nullopt;
  static const std::string this_boot = boot();
  return this_boot + ":" + stat->started;
}

// Whether it ended within that time.
awaitable<bool> ends(const base::Process& process, std::chrono::milliseconds within) {
  using namespace boost::asio::experimental::awaitable_operators;
  auto copy = base::duplicate(process.descriptor());
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
  for (const ProcessRecord& record : processes) {
    const auto process = base::Process::open(static_cast<pid_t>(record.pid));
    // Checked after opening: from here on, it is that process or none.
    if (!process || !is_running(record)) continue;
    (void)process->signal(SIGTERM);  // Whether that worked shows in whether it ends.
    if (co_await ends(*process, kGrace)) continue;
    (void)process->signal(SIGKILL);
    if (!co_await ends(*process, kGrace))
      base::log(base::Level::error, "cannot end a process", {{"pid", record.pid}});
  }
}

}  // namespace extension
