#include "session/row_saver.h"

#include <algorithm>
#include <span>

#include "base/log.h"
#include "base/turn.h"

namespace session {

namespace asio = boost::asio;
using asio::awaitable;

namespace {

constexpr std::chrono::milliseconds kFirstRetry{1000};
constexpr std::chrono::milliseconds kLongestRetry{60'000};

base::Status locked() {
  return base::fail(base::Code::busy, "the database is locked");
}

}  // namespace

TerminalRow row_of(const TerminalEntry& entry) {
  TerminalRow row = entry.saved.value_or(TerminalRow());
  row.id = entry.key;
  row.session = entry.session.id;
  row.name = entry.name;
  row.position = entry.position;
  if (!entry.terminal) return row;
  const vt::Size size = entry.terminal->screen().size();
  row.cwd = entry.terminal->working_directory();
  if (row.cwd.empty()) row.cwd = entry.saved_directory;  // Unknown once the process has ended.
  row.command = entry.command;
  row.rows = static_cast<std::uint16_t>(size.rows);
  row.cols = static_cast<std::uint16_t>(size.cols);
  row.created = entry.created;
  row.last_activity = entry.terminal->last_activity();
  row.exit = entry.exit_code;
  return row;
}

RowSaver::RowSaver(asio::any_io_executor executor, Store& store, Terminals& terminals,
                   std::filesystem::path unsaved_file)
    : executor_(executor),
      store_(store),
      terminals_(terminals),
      unsaved_file_(std::move(unsaved_file)),
      retry_(executor) {}

void RowSaver::learn_unsaved(std::map<std::string, TerminalRow>& rows) {
  auto unsaved = unsaved_file_.read();
  if (!unsaved)
    return base::log(base::Level::error, "Cannot read the last daemon's unsaved changes",
                     {{"error", unsaved.error()}});
  for (TerminalRow& row : unsaved->rows) {
    unsaved_.insert(row.id.str());
    rows.insert_or_assign(row.id.str(), std::move(row));
  }
  for (const TerminalId& id : unsaved->removed) {
    unsaved_.insert(id.str());
    rows.erase(id.str());
  }
}

void RowSaver::begin() {
  has_begun_ = true;
  if (!unsaved_.empty()) save_later(std::string(*unsaved_.begin()));
}

void RowSaver::save(const std::string& key) {
  if (store_is_locked_ || !try_to_save(key)) return save_later(key);
  if (unsaved_.erase(key) > 0) keep_unsaved();
}

void RowSaver::save_later(const std::string& key) {
  unsaved_.insert(key);
  keep_unsaved();
  if (retry_pause_.count() != 0) return;
  retry_pause_ = kFirstRetry;
  retry();
}

void RowSaver::retry() {
  retry_.expires_after(retry_pause_);
  retry_.async_wait([this](const boost::system::error_code& error) {
    if (error) return;
    save_unsaved();
    retry_pause_ =
        unsaved_.empty() ? std::chrono::milliseconds(0) : std::min(2 * retry_pause_, kLongestRetry);
    if (!unsaved_.empty()) retry();
  });
}

bool RowSaver::try_to_save(const std::string& key) {
  const base::Status saved = seen(write_row(key));
  if (!saved)
    base::log(base::Level::error, "cannot save a terminal's name and position; will retry",
              {{"terminal", key}, {"error", saved.error()}});
  return saved.has_value();
}

base::Status RowSaver::write_row(const std::string& key) {
  TerminalEntry* const found = terminals_.find(key);
  if (found == nullptr) return store_.remove_terminal(TerminalId(key));
  TerminalEntry& entry = *found;
  if (entry.lifetime == Lifetime::connection || entry.stage() == Stage::starting) return {};
  const TerminalRow row = row_of(entry);
  entry.saved_directory = row.cwd;
  return store_.save_terminal(row);
}

base::Status RowSaver::seen(base::Status status) {
  store_is_locked_ = !status && status.error().code == base::Code::busy;
  return status;
}

awaitable<void> RowSaver::save_positions(std::vector<TerminalId> moved) {
  constexpr std::size_t kAtOnce = 5;
  base::Turn turn(executor_);
  for (std::span left(moved); !left.empty();) {
    co_await turn.next();
    const auto some = left.first(std::min(kAtOnce, left.size()));
    left = left.subspan(some.size());
    std::vector<std::pair<TerminalId, int>> positions;
    for (const TerminalId& key : some)
      if (const TerminalEntry* entry = terminals_.find(key.str()))
        positions.emplace_back(key, entry->position);
    const base::Status saved = seen(store_is_locked_ ? locked() : store_.set_positions(positions));
    if (saved) continue;
    for (const auto& [key, position] : positions) save_later(key.str());
  }
}

void RowSaver::save_unsaved() {
  store_is_locked_ = false;
  for (const std::string& key : std::set<std::string>(unsaved_)) {
    if (try_to_save(key)) unsaved_.erase(key);
    if (store_is_locked_) break;
  }
  keep_unsaved();
}

void RowSaver::keep_unsaved() {
  if (!has_begun_) return;
  Unsaved unsaved;
  for (const std::string& key : unsaved_) {
    const TerminalEntry* const entry = terminals_.find(key);
    if (entry == nullptr)
      unsaved.removed.emplace_back(key);
    else if (is_listed(*entry))
      unsaved.rows.push_back(row_of(*entry));
  }
  if (auto kept = unsaved_file_.write(unsaved); !kept)
    base::log(base::Level::error, "Cannot write unsaved changes; they are lost if the daemon ends",
              {{"error", kept.error()}});
}

void RowSaver::save_all() {
  for (const auto& [key, entry] : terminals_) unsaved_.insert(key);
  save_unsaved();
}

void RowSaver::note(const TerminalEntry& entry, std::string_view event, std::string detail) {
  const LogEntry line{.user = entry.user,
                      .session = entry.session.id,
                      .subject = entry.id.str(),
                      .event = std::string(event),
                      .detail = std::move(detail)};
  const base::Status noted = seen(store_is_locked_ ? locked() : store_.append_log(line));
  if (noted) return;
  base::log(base::Level::warning, "cannot write the lifecycle log",
            {{"terminal", entry.id.str()}, {"event", event}, {"error", noted.error()}});
}

}  // namespace session
