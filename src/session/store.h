// The store: what must outlive the machine, in one SQLite file. docs/store.md describes it.
//
// When an operation returns, its effect survives the end of this process. If it returns an error,
// it changed nothing. Removing what does not exist is not an error.
//
// The daemon calls the store from its only loop. So an operation waits at most `busy_timeout` for
// another process's lock and then fails with `busy`.

#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "session/extension_records.h"
#include "session/preference_records.h"
#include "session/rows.h"
#include "session/sign_in_records.h"
#include "session/sqlite.h"
#include "session/token_records.h"
#include "session/wal_mover.h"

namespace session {

// What to do with a damaged file. Only the daemon sets it aside: a command must not, because a
// daemon may be using it.
enum class OnCorrupt { fail, set_aside };

struct StoreOptions {
  std::chrono::milliseconds busy_timeout{100};
  OnCorrupt on_corrupt = OnCorrupt::set_aside;
  std::int64_t log_limit = 20'000;     // Entries kept per user, give or take a few hundred.
  const base::Clock* clock = nullptr;  // Null: the system clock.
};

class Store {
 public:
  // Creates the directory and the file if needed. A file from a newer version is `unsupported` and
  // is not touched.
  [[nodiscard]] static base::Result<Store> open(const std::filesystem::path& path,
                                                const StoreOptions& options = {});

  // Whether `open` supports the file's schema. Changes nothing.
  [[nodiscard]] static base::Status check(const std::filesystem::path& path,
                                          std::chrono::milliseconds busy_timeout);

  // Where `open` moved a damaged file, if there was one.
  [[nodiscard]] const std::optional<std::filesystem::path>& recovered_from() const {
    return recovered_from_;
  }

  // Whether another process has changed the store since the last call.
  [[nodiscard]] base::Result<bool> was_changed_elsewhere();

  // Rewrites the file if another process removed it, or its write-ahead log: SQLite still has
  // everything that was in them. Returns true if it did. Fails with `already_exists` if another
  // file has taken its place.
  [[nodiscard]] base::Result<bool> restore_file();

  // Commits everything that `work` writes, or nothing if it returns an error. May be nested.
  [[nodiscard]] base::Status transaction(const std::function<base::Status()>& work);

  [[nodiscard]] base::Result<UserRow> ensure_user(std::string_view name);
  [[nodiscard]] base::Result<UserRow> user(std::string_view name);
  [[nodiscard]] base::Result<std::vector<UserRow>> users();

  // The user's session of that name. If there is none, creates it with the other arguments.
  [[nodiscard]] base::Result<SessionRow> ensure_session(const UserId& user, std::string_view name,
                                                        SessionKind kind = SessionKind::interactive,
                                                        std::string_view cwd = {},
                                                        std::optional<Isolation> isolation = {});
  [[nodiscard]] base::Result<std::vector<SessionRow>> sessions(const UserId& user);
  [[nodiscard]] base::Status rename_session(const SessionId& id, std::string_view name);
  // Also removes its terminals' rows.
  [[nodiscard]] base::Status remove_session(const SessionId& id);

  // Inserts the row, or replaces the one with its id.
  [[nodiscard]] base::Status save_terminal(const TerminalRow& row);
  [[nodiscard]] base::Status remove_terminal(const TerminalId& id);
  // Sorted by session and position.
  [[nodiscard]] base::Result<std::vector<TerminalRow>> terminals();
  // Sets all of them or none. Skips unknown ids.
  [[nodiscard]] base::Status set_positions(std::span<const std::pair<TerminalId, int>> positions);

  [[nodiscard]] TokenRecords tokens() { return {database_, options_.clock->wall()}; }
  [[nodiscard]] ExtensionRecords extensions() { return ExtensionRecords(database_); }
  [[nodiscard]] PreferenceRecords preferences() { return {database_, options_.clock->wall()}; }
  [[nodiscard]] SignInRecords sign_ins() { return {database_, options_.clock->wall()}; }

  // The store sets its id and time. Long texts are cut, so that the limit on entries also limits
  // bytes.
  [[nodiscard]] base::Status append_log(const LogEntry& entry);
  // Newest first.
  [[nodiscard]] base::Result<std::vector<LogEntry>> log(const LogQuery& query = {});

 private:
  // Device and inode.
  using FileId = std::pair<std::uint64_t, std::uint64_t>;
  [[nodiscard]] static std::optional<FileId> file_at(const std::filesystem::path& path);

  Store(std::filesystem::path path, Database database, const StoreOptions& options)
      : path_(std::move(path)),
        file_(file_at(path_)),
        options_(options),
        log_mover_(std::make_unique<WalMover>(path_)),
        database_(std::move(database)) {
    leave_log_to_mover();
  }
  void leave_log_to_mover() {
    database_.set_on_commit(
        [mover = log_mover_.get()](int pages) { return mover->committed(pages); });
  }
  [[nodiscard]] std::int64_t now() const;

  std::filesystem::path path_;
  std::optional<FileId> file_;
  std::optional<FileId> log_file_;  // None until it is first seen.
  StoreOptions options_;
  std::unique_ptr<WalMover> log_mover_;
  Database database_;
  std::optional<std::filesystem::path> recovered_from_;
  std::int64_t data_version_ = 0;
};

}  // namespace session
