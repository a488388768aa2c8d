#include "session/wal_mover.h"

#include "base/log.h"
#include "session/sqlite.h"

namespace session {
namespace {

constexpr int kManyPages = 1000;     // SQLite's own default.
constexpr int kTooManyPages = 8000;  // 32 MiB.

}  // namespace

bool WalMover::committed(int pages) {
  if (pages >= kTooManyPages) return true;
  if (pages < kManyPages || is_moving_.exchange(true)) return false;
  thread_ = std::jthread([this] {
    move();
    is_moving_ = false;
  });
  return false;
}

// A passive checkpoint takes no lock that readers or writers would wait for. The next one moves
// what this one could not.
void WalMover::move() const {
  auto database = Database::open(file_, std::chrono::milliseconds(0));
  if (!database) {
    base::log(base::Level::warning, "Cannot checkpoint the database's write-ahead log",
              {{"error", database.error()}});
    return;
  }
  database->set_on_close(Database::OnClose::leave);
  const auto moved = database->number("PRAGMA wal_checkpoint(PASSIVE)");
  if (!moved)
    base::log(base::Level::warning, "Cannot checkpoint the database's write-ahead log",
              {{"error", moved.error()}});
}

}  // namespace session
