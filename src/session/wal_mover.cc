#include "session/wal_mover.h"

#include "base/log.h"
#include "session/sqlite.h"

namespace session {
namespace {

constexpr int kManyPages = 1000;     // As many as SQLite waits for by itself.
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

// Passive: it takes no lock that a reader or a writer would wait for. What it could not move, the
// next one does.
void WalMover::move() const {
  auto database = Database::open(file_, std::chrono::milliseconds(0));
  if (!database) {
    base::log(base::Level::warning, "The database's log cannot be moved into its file",
              {{"error", database.error()}});
    return;
  }
  database->set_on_close(Database::OnClose::leave);
  const auto moved = database->number("PRAGMA wal_checkpoint(PASSIVE)");
  if (!moved)
    base::log(base::Level::warning, "The database's log cannot be moved into its file",
              {{"error", moved.error()}});
}

}  // namespace session
