// Opening the store: preparing and checking the file, and setting it aside if it is damaged.

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>

#include "base/log.h"
#include "base/time_text.h"
#include "session/private_files.h"
#include "session/schema.h"
#include "session/store.h"

namespace session {
namespace {

// Files that SQLite may put beside a database. They must move with it.
constexpr std::array kCompanions{"-wal", "-shm", "-journal"};

// Files up to this size are checked whole, which takes some ten milliseconds. A larger file is
// nearly all log, so only the other tables are checked.
constexpr std::int64_t kCheckedBytes = 4LL * 1024 * 1024;
constexpr std::array kSmallTables{"users", "tokens", "sign_ins", "codes", "sessions", "terminals"};

std::filesystem::path with_suffix(const std::filesystem::path& path, std::string_view suffix) {
  return path.native() + std::string(suffix);
}

base::Status quick_check(Database& database, const std::string& pragma) {
  const auto found = database.rows(pragma, {}, [](const Statement& row) { return row.text(0); });
  if (!found) return base::fail(found.error());
  if (found->size() == 1 && found->front() == "ok") return {};
  return base::fail(base::Code::corrupt,
                    "the database is damaged (" + (found->empty() ? "" : found->front()) + ")",
                    std::string(kDamageAdvice));
}

base::Status check_content(Database& database) {
  const auto pages = database.number("PRAGMA page_count");
  if (!pages) return base::fail(pages.error());
  const auto page_size = database.number("PRAGMA page_size");
  if (!page_size) return base::fail(page_size.error());
  if (*pages <= kCheckedBytes / *page_size) return quick_check(database, "PRAGMA quick_check(1)");
  for (const char* table : kSmallTables)
    if (auto whole = quick_check(database, std::string("PRAGMA quick_check(") + table + ")");
        !whole)
      return whole;
  return {};
}

base::Status configure(Database& database) {
  // Nothing may change the file until we know that it is ours and intact. Not even closing the last
  // connection.
  database.set_on_close(Database::OnClose::leave);
  if (auto set = database.execute("PRAGMA cell_size_check = ON"); !set) return set;
  if (auto ours = check_schema(database); !ours) return ours;
  if (auto whole = check_content(database); !whole) return whole;
  // Truncate the log after a checkpoint, so that one burst of writes does not take up the disk
  // forever.
  if (auto set = database.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"
                                  "PRAGMA journal_size_limit = 4194304");
      !set)
    return set;
  if (auto migrated = migrate(database); !migrated) return migrated;
  database.set_on_close(Database::OnClose::checkpoint);
  database.keep_log_file();
  return database.execute("PRAGMA foreign_keys = ON");
}

base::Result<Database> open_database(const std::filesystem::path& path,
                                     std::chrono::milliseconds busy_timeout) {
  for (const char* suffix : kCompanions)
    if (const auto beside = with_suffix(path, suffix); ::access(beside.c_str(), F_OK) == 0)
      if (auto prepared = prepare_private_file(beside); !prepared)
        return base::fail(prepared.error());
  if (auto prepared = prepare_private_file(path); !prepared) return base::fail(prepared.error());
  auto database = Database::open(path, busy_timeout);
  if (!database) return database;
  if (auto configured = configure(*database); !configured) return base::fail(configured.error());
  return database;
}

// An unused name beside the file.
std::filesystem::path name_aside(const std::filesystem::path& path, base::WallTime time) {
  const auto wanted = with_suffix(path, ".corrupt-" + base::utc_compact(time));
  auto name = wanted;
  for (int n = 2; ::access(name.c_str(), F_OK) == 0; ++n)
    name = with_suffix(wanted, "-" + std::to_string(n));
  return name;
}

// The database goes first. A crash in between then leaves a log without its database, which SQLite
// drops, and never a database that silently lacks its newest content.
base::Result<std::filesystem::path> set_aside(const std::filesystem::path& path,
                                              base::WallTime time) {
  auto aside = name_aside(path, time);
  if (std::rename(path.c_str(), aside.c_str()) != 0)
    return base::fail(
        base::errno_error(errno, "rename the damaged " + path.native(), "Move it away yourself."));
  for (const char* suffix : kCompanions)
    if (std::rename(with_suffix(path, suffix).c_str(), with_suffix(aside, suffix).c_str()) != 0 &&
        errno != ENOENT)
      return base::fail(base::errno_error(errno, "rename " + with_suffix(path, suffix).native(),
                                          "Move it away yourself."));
  return aside;
}

}  // namespace

base::Status Store::check(const std::filesystem::path& path,
                          std::chrono::milliseconds busy_timeout) {
  if (::access(path.c_str(), F_OK) != 0) return {};
  auto database = Database::open(path, busy_timeout);
  if (!database) return base::fail(database.error());
  database->set_on_close(Database::OnClose::leave);
  return check_schema(*database);
}

base::Result<Store> Store::open(const std::filesystem::path& path, const StoreOptions& options) {
  static const base::SystemClock system_clock;
  StoreOptions chosen = options;
  if (chosen.clock == nullptr) chosen.clock = &system_clock;
  if (auto prepared = prepare_private_directory(path.parent_path()); !prepared)
    return base::fail(prepared.error());

  auto database = open_database(path, chosen.busy_timeout);
  if (database) return Store(path, std::move(*database), chosen);
  const base::Error error = database.error();
  if (error.code != base::Code::corrupt || chosen.on_corrupt == OnCorrupt::fail)
    return base::fail(error);

  auto aside = set_aside(path, chosen.clock->wall());
  if (!aside) return base::fail(aside.error());
  base::log(base::Level::error, "the database was damaged; set it aside and starting a new one",
            {{"error", error.what}, {"aside", aside->native()}});
  auto fresh = open_database(path, chosen.busy_timeout);
  if (!fresh) return base::fail(fresh.error());
  Store store(path, std::move(*fresh), chosen);
  store.recovered_from_ = std::move(*aside);
  return store;
}

std::optional<Store::FileId> Store::file_at(const std::filesystem::path& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return FileId(status.st_dev, status.st_ino);
}

base::Result<bool> Store::restore_file() {
  const auto there = file_at(path_);
  const auto log_there = file_at(with_suffix(path_, "-wal"));
  if (!log_file_) log_file_ = log_there;
  if (there == file_ && log_there == log_file_) return false;
  if (there && there != file_)
    return base::fail(base::Code::already_exists,
                      path_.native() + " was replaced while the daemon is using it",
                      "Restart the daemon to use the new file, or remove the new file to keep the "
                      "daemon's data.");
  if (auto prepared = prepare_private_directory(path_.parent_path()); !prepared)
    return base::fail(prepared.error());
  // Write it completely, then rename it: others find no file or a complete one.
  const auto fresh = with_suffix(path_, ".new");
  for (const auto& leftover : {fresh, with_suffix(fresh, "-journal")})
    if (::unlink(leftover.c_str()) != 0 && errno != ENOENT)
      return base::fail(base::errno_error(errno, "remove " + leftover.native()));
  if (auto prepared = prepare_private_file(fresh); !prepared) return base::fail(prepared.error());
  if (auto written = database_.run("VACUUM INTO ?", {std::string_view(fresh.native())}); !written)
    return base::fail(written.error());
  // The old file's companions must not be mistaken for the new file's, and closing the old database
  // must not touch the new ones.
  database_.set_on_close(Database::OnClose::leave);
  for (const char* suffix : kCompanions)
    if (const auto beside = with_suffix(path_, suffix);
        ::unlink(beside.c_str()) != 0 && errno != ENOENT)
      return base::fail(base::errno_error(errno, "remove " + beside.native()));
  if (std::rename(fresh.c_str(), path_.c_str()) != 0)
    return base::fail(base::errno_error(errno, "rewrite " + path_.native()));
  auto database = open_database(path_, options_.busy_timeout);
  if (!database) return base::fail(database.error());
  database_ = std::move(*database);
  leave_log_to_mover();
  file_ = file_at(path_);
  log_file_ = file_at(with_suffix(path_, "-wal"));
  return true;
}

}  // namespace session
