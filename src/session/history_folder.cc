#include "session/history_folder.h"

#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "base/fd.h"
#include "base/log.h"
#include "session/private_files.h"

namespace session {

namespace asio = boost::asio;
namespace fs = std::filesystem;
using asio::awaitable;

namespace {

constexpr std::string_view kWhole = ".rows";
constexpr std::string_view kUnfinished = ".rows.new";
constexpr std::string_view kCorrupt = ".rows.corrupt";
// More than a header and incompressible rows.
constexpr std::size_t kLargestFile = 2 * kMostSavedRows;

fs::path path_of(const fs::path& dir, const std::string& id, std::string_view suffix) {
  return dir / std::string(id).append(suffix);
}

std::chrono::nanoseconds thread_time() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

base::Status write_all(const base::Fd& file, std::string_view bytes, const fs::path& path) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file.get(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0)
      return base::fail(base::errno_error(errno, "write " + path.native(),
                                          "Free some disk space, or turn save_history off."));
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

// Writes the file under its unfinished name and starts flushing it.
base::Result<base::Fd> write_beside(const fs::path& dir, const std::string& id,
                                    const SavedHistory& history) {
  const auto bytes = encode_history(history);
  if (!bytes) return base::fail(bytes.error());
  const fs::path beside = path_of(dir, id, kUnfinished);
  base::Fd file(
      ::open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file) return base::fail(base::errno_error(errno, "create " + beside.native()));
  if (auto written = write_all(file, *bytes, beside); !written) return base::fail(written.error());
  ::sync_file_range(file.get(), 0, 0, SYNC_FILE_RANGE_WRITE);  // Only a hint.
  return file;
}

base::Status put_in_place(const fs::path& dir, const std::string& id, const base::Fd& file) {
  const fs::path beside = path_of(dir, id, kUnfinished);
  if (::fdatasync(file.get()) < 0)
    return base::fail(base::errno_error(errno, "flush " + beside.native()));
  if (::rename(beside.c_str(), path_of(dir, id, kWhole).c_str()) < 0)
    return base::fail(base::errno_error(errno, "rename " + beside.native()));
  return {};
}

base::Status flush_folder(const fs::path& dir) {
  const base::Fd folder(::open(dir.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder && ::fsync(folder.get()) == 0) return {};
  return base::fail(base::errno_error(errno, "flush " + dir.native()));
}

HistoryFolder::Outcome save_all(const fs::path& dir, std::vector<HistoryFolder::Entry> entries) {
  const auto began = thread_time();
  HistoryFolder::Outcome outcome;
  const auto fail = [&](const TerminalId& id, const base::Error& error) {
    outcome.failed.push_back(id);
    if (!outcome.error) outcome.error = error;
  };
  const auto ready = prepare_private_directory(dir);
  std::vector<std::pair<TerminalId, base::Fd>> written;
  for (const HistoryFolder::Entry& entry : entries) {
    auto file =
        ready ? write_beside(dir, entry.id.str(), entry.history) : base::fail(ready.error());
    if (file)
      written.emplace_back(entry.id, std::move(*file));
    else
      fail(entry.id, file.error());
  }
  for (const auto& [id, file] : written)
    if (auto placed = put_in_place(dir, id.str(), file); !placed) fail(id, placed.error());
  if (auto flushed = flush_folder(dir); !flushed && !outcome.error)
    for (const auto& [id, file] : written) fail(id, flushed.error());
  outcome.work = thread_time() - began;
  return outcome;
}

base::Result<std::optional<std::string>> read_file(const fs::path& path) {
  const base::Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  if (!file && errno == ENOENT) return std::nullopt;
  if (!file) return base::fail(base::errno_error(errno, "open " + path.native()));
  std::string bytes(kLargestFile, '\0');
  std::size_t size = 0;
  while (size < bytes.size()) {
    const ssize_t got = ::read(file.get(), bytes.data() + size, bytes.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return base::fail(base::errno_error(errno, "read " + path.native()));
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  bytes.resize(size);
  return bytes;
}

void move_aside(const fs::path& dir, const std::string& id, const base::Error& why) {
  const fs::path aside = path_of(dir, id, kCorrupt);
  const bool moved = ::rename(path_of(dir, id, kWhole).c_str(), aside.c_str()) == 0;
  base::log(base::Level::error, "a saved history is damaged and was set aside",
            {{"terminal", id}, {"error", why}, {"path", moved ? aside.native() : ""}});
}

void remove_file(const fs::path& path) {
  if (::unlink(path.c_str()) < 0 && errno != ENOENT)
    base::log(base::Level::error, "cannot remove a saved history",
              {{"error", base::errno_error(errno, "remove " + path.native())}});
}

// The id of the terminal that a file belongs to. Empty for an unfinished file.
std::string id_of(const std::string& name) {
  for (const std::string_view suffix : {kWhole, kCorrupt})
    if (name.ends_with(suffix)) return name.substr(0, name.size() - suffix.size());
  return {};
}

}  // namespace

awaitable<HistoryFolder::Outcome> HistoryFolder::save(std::vector<Entry> entries) {
  auto work = [dir = dir_, entries = std::move(entries)]() mutable -> awaitable<Outcome> {
    co_return save_all(dir, std::move(entries));
  };
  co_return co_await asio::co_spawn(thread_, std::move(work), asio::use_awaitable);
}

awaitable<base::Result<std::optional<SavedHistory>>> HistoryFolder::load(TerminalId id) {
  using Outcome = base::Result<std::optional<SavedHistory>>;
  auto work = [dir = dir_, id = id.str()]() -> awaitable<Outcome> {
    auto bytes = read_file(path_of(dir, id, kWhole));
    if (!bytes) co_return base::fail(bytes.error());
    if (!*bytes) co_return std::nullopt;
    auto history = decode_history(**bytes);
    if (!history) {
      move_aside(dir, id, history.error());
      co_return std::nullopt;
    }
    co_return std::optional(*std::move(history));
  };
  co_return co_await asio::co_spawn(thread_, std::move(work), asio::use_awaitable);
}

void HistoryFolder::set_aside(const TerminalId& id) {
  asio::post(thread_, [dir = dir_, id = id.str()] {
    move_aside(dir, id, {.code = base::Code::corrupt, .what = "invalid rows", .advice = {}});
  });
}

void HistoryFolder::remove(const TerminalId& id) {
  asio::post(thread_, [dir = dir_, id = id.str()] {
    for (const std::string_view suffix : {kWhole, kUnfinished, kCorrupt})
      remove_file(path_of(dir, id, suffix));
  });
}

void HistoryFolder::keep_only(std::set<std::string> ids) {
  asio::post(thread_, [dir = dir_, ids = std::move(ids)] {
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(dir, error))
      if (!ids.contains(id_of(entry.path().filename()))) remove_file(entry.path());
  });
}

}  // namespace session
