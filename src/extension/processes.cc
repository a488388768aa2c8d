#include "extension/processes.h"

#include <set>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "base/event.h"
#include "base/log.h"
#include "extension/process_record.h"
#include "session/random.h"
#include "terminal/terminal.h"

namespace extension {

namespace asio = boost::asio;
namespace json = boost::json;
using asio::awaitable;

namespace {

constexpr auto kNoThrow = asio::as_tuple(asio::use_awaitable);
constexpr std::string_view kPrefix = "process-";  // Of their ids in the keeper.
constexpr std::size_t kOutputKept = 256 * 1024;
constexpr std::size_t kSlice = 64 * 1024;

std::string to_label(const ProcessSpec& spec) {
  return json::serialize(json::object{
      {"session", spec.owner.session.str()}, {"extension", spec.owner.name}, {"name", spec.name}});
}

std::string text_in(const json::value& label, const char* key) {
  const json::value* const found =
      label.is_object() ? label.get_object().if_contains(key) : nullptr;
  return found != nullptr && found->is_string() ? std::string(found->get_string()) : "";
}

std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

struct Processes::Process {
  Process(const asio::any_io_executor& executor, ProcessInfo about)
      : info(std::move(about)), ended(executor) {}

  ProcessInfo info;
  std::optional<session::ProcessRecord> record;  // Identifies it without the keeper.
  std::optional<keeper::AttachedChild> child;
  std::function<void(std::string_view)> on_output;
  std::optional<keeper::ChildExit> exit;
  base::Event ended;  // And all its output was read.
};

awaitable<bool> Processes::adopt(keeper::ChildInfo info) {
  const std::string id = info.id.str();
  if (info.kind != keeper::Kind::process || !id.starts_with(kPrefix)) co_return false;
  boost::system::error_code error;
  const json::value label = json::parse(info.label, error);
  ProcessInfo about{.id = id,
                    .owner = {.session = session::SessionId(text_in(label, "session")),
                              .name = text_in(label, "extension")},
                    .name = text_in(label, "name"),
                    .program = info.argv.empty() ? "" : info.argv.front(),
                    .pid = info.pid,
                    .exit_code = {}};
  const auto process = std::make_shared<Process>(executor_, std::move(about));
  process->exit = info.exit;
  if (info.exit) process->info.exit_code = terminal::exit_code(info.exit->status);
  processes_[id] = process;
  auto child = co_await keeper_.attach(info.id);
  if (child)
    follow(process, std::move(*child));
  else
    base::log(base::Level::error, "cannot adopt a process",
              {{"process", id}, {"error", child.error()}});
  co_return true;
}

awaitable<void> Processes::stop() {
  tasks_.cancel();
  co_await tasks_.join();
  processes_.clear();
}

void Processes::child_exited(const keeper::ChildId& id, const keeper::ChildExit& exit) {
  const auto found = processes_.find(id.str());
  if (found == processes_.end()) return;
  const Pointer process = found->second;
  process->exit = exit;
  // Earlier output is in the journal and is read before the exit is reported.
  if (process->child && process->child->journal.consumed() < exit.offset) return;
  process->info.exit_code = terminal::exit_code(exit.status);
  process->ended.notify();
}

awaitable<void> Processes::look_again() {
  auto children = co_await keeper_.list();
  if (!children) co_return;
  std::set<std::string> in_keeper;
  for (const keeper::ChildInfo& info : *children) {
    in_keeper.insert(info.id.str());
    if (info.exit) child_exited(info.id, *info.exit);
  }
  std::vector<Pointer> lost;
  for (const auto& [id, process] : processes_)
    if (process->child && !in_keeper.contains(id)) lost.push_back(process);
  for (const Pointer& process : lost) {
    base::log(base::Level::error, "a process was lost with its keeper",
              {{"process", process->info.id}, {"name", process->info.name}});
    processes_.erase(process->info.id);
    process->ended.notify();
    // Nobody can read its output or close it any more, so end it.
    if (process->record)
      tasks_.spawn([process]() -> awaitable<void> {
        std::vector<session::ProcessRecord> left{*process->record};
        co_await end_processes(std::move(left));
      });
  }
}

awaitable<base::Result<ProcessInfo>> Processes::start(ProcessSpec spec) {
  auto number = session::random_id();
  if (!number) co_return base::fail(number.error());
  const std::string id = std::string(kPrefix) + *number;
  ProcessInfo about{.id = id, .owner = spec.owner, .name = spec.name, .pid = 0, .exit_code = {}};
  const auto process = std::make_shared<Process>(executor_, std::move(about));
  process->on_output = std::move(spec.on_output);
  processes_[id] = process;  // It may exit before the keeper answers.
  keeper::SpawnRequest request{.id = keeper::ChildId(id),
                               .kind = keeper::Kind::process,
                               .argv = spec.argv,
                               .env = spec.env,
                               .cwd = spec.cwd,
                               .label = to_label(spec),
                               .replay = kOutputKept,
                               .history = keeper::HistorySpace{},
                               .confinement = spec.confinement};
  auto child = co_await keeper_.spawn(std::move(request));
  if (!child) {
    processes_.erase(id);
    co_return base::fail(child.error());
  }
  process->info.pid = child->info.pid;
  follow(process, std::move(*child));
  co_return process->info;
}

void Processes::follow(Pointer process, keeper::AttachedChild child) {
  process->child = std::move(child);
  process->record = record_of(process->info.pid);
  tasks_.spawn([this, process]() -> awaitable<void> { co_await read(process); });
}

awaitable<void> Processes::read(Pointer process) {
  journal::Consumer& journal = process->child->journal;
  auto data = base::duplicate(journal.data_fd());
  if (!data)
    co_return base::log(base::Level::error, "cannot watch a journal", {{"error", data.error()}});
  asio::posix::stream_descriptor wakeup(executor_, data->release());
  for (;;) {
    const journal::Offset from = std::max(journal.consumed(), journal.tail());
    auto bytes = journal.view(from, kSlice);
    if (!bytes)
      co_return base::log(base::Level::error, "cannot read a process's output",
                          {{"process", process->info.id}, {"error", bytes.error()}});
    if (!bytes->empty() && process->on_output) process->on_output(as_text(*bytes));
    if (auto advanced = journal.advance(from + bytes->size()); !advanced)
      co_return base::log(base::Level::error, "cannot consume a journal",
                          {{"error", advanced.error()}});
    if (process->exit) child_exited(keeper::ChildId(process->info.id), *process->exit);
    if (!bytes->empty()) continue;
    if (journal.ended()) co_return;
    if (!journal.sleep(from)) continue;
    std::uint64_t count = 0;
    const auto [error, size] =
        co_await wakeup.async_read_some(asio::buffer(&count, sizeof count), kNoThrow);
    if (error) co_return;
  }
}

const ProcessInfo* Processes::find(std::string_view id) const {
  const auto found = processes_.find(id);
  return found == processes_.end() ? nullptr : &found->second->info;
}

std::vector<ProcessInfo> Processes::all() const {
  std::vector<ProcessInfo> infos;
  for (const auto& [id, process] : processes_) infos.push_back(process->info);
  return infos;
}

std::vector<ProcessInfo> Processes::of(const session::ExtensionKey& owner) const {
  std::vector<ProcessInfo> infos;
  for (const auto& [id, process] : processes_)
    if (process->info.owner == owner) infos.push_back(process->info);
  return infos;
}

std::string Processes::output(std::string_view id) const {
  const auto found = processes_.find(id);
  if (found == processes_.end() || !found->second->child) return {};
  const journal::Consumer& journal = found->second->child->journal;
  const journal::Offset end = journal.consumed();
  const journal::Offset oldest =
      std::max(journal.tail(), end - std::min(end, journal::Offset{kOutputKept}));
  auto bytes = journal.copy(oldest, end - oldest);
  return bytes ? std::string(as_text(*bytes)) : std::string();
}

awaitable<base::Result<int>> Processes::wait(std::string id) {
  const auto found = processes_.find(id);
  if (found == processes_.end())
    co_return base::fail(base::Code::not_found, "there is no process " + id);
  const Pointer process = found->second;
  while (!process->info.exit_code) {
    co_await process->ended.wait();
    const auto state = co_await asio::this_coro::cancellation_state;
    if (state.cancelled() != asio::cancellation_type::none)
      co_return base::fail(base::Code::unavailable, "the daemon is stopping");
    if (!processes_.contains(id))
      co_return base::fail(base::Code::not_found, "the process " + id + " was closed");
  }
  co_return *process->info.exit_code;
}

awaitable<base::Status> Processes::close(std::string id) {
  if (!processes_.contains(id))
    co_return base::fail(base::Code::not_found, "there is no process " + id);
  auto closed = co_await keeper_.close(keeper::ChildId(id));
  if (!closed && closed.error().code != base::Code::not_found) co_return closed;
  const auto found = processes_.find(id);
  if (found == processes_.end()) co_return base::Status{};
  const Pointer process = found->second;
  processes_.erase(found);
  process->ended.notify();
  co_return base::Status{};
}

awaitable<void> Processes::close_all(session::SessionId session) {
  std::vector<std::string> ids;
  for (const auto& [id, process] : processes_)
    if (process->info.owner.session == session) ids.push_back(id);
  for (const std::string& id : ids)
    if (auto closed = co_await close(id); !closed)
      base::log(base::Level::warning, "cannot close a process",
                {{"process", id}, {"error", closed.error()}});
}

void Processes::close_soon(std::string id) {
  tasks_.spawn([this, id]() -> awaitable<void> {
    (void)co_await close(id);  // It may be gone already.
  });
}

void Processes::close_when_ended(std::string id) {
  tasks_.spawn([this, id]() -> awaitable<void> {
    (void)co_await wait(id);
    (void)co_await close(id);  // It may be gone already.
  });
}

}  // namespace extension
