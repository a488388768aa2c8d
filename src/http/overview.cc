#include "http/overview.h"

#include <algorithm>
#include <set>

#include "wire/native_state.h"

namespace http {

using std::chrono::steady_clock;

Overview::Watched::Watched(Overview& overview, std::string id,
                           std::shared_ptr<terminal::Terminal> terminal)
    : overview(overview), id(std::move(id)), terminal(std::move(terminal)) {
  this->terminal->audience().add(*this);
  has_changed();
}

Overview::Watched::~Watched() {
  terminal->audience().remove(*this);
  if (is_due) std::erase(overview.due_, this);
}

void Overview::Watched::has_changed() {
  if (std::exchange(is_due, true)) return;
  overview.due_.push_back(this);
  (*overview.ready_)();
}

void Overview::show(const std::vector<const session::TerminalEntry*>& shown) {
  std::set<std::string> ids;
  for (const session::TerminalEntry* entry : shown) {
    const std::string id = entry->id.str();
    ids.insert(id);
    const auto known = watched_.find(id);
    if (known != watched_.end() && known->second.terminal == entry->terminal) continue;
    watched_.erase(id);
    watched_.try_emplace(id, *this, id, entry->terminal);
  }
  std::erase_if(watched_, [&](const auto& each) { return !ids.contains(each.first); });
}

void Overview::forget(const std::string& terminal_id) {
  watched_.erase(terminal_id);
}

bool Overview::must_wait() {
  const auto at = paid_until_ - kAhead;
  if (at <= steady_clock::now()) return false;
  pause_.expires_at(at);
  pause_.async_wait([weak = std::weak_ptr(ready_)](const boost::system::error_code& error) {
    if (const auto ready = weak.lock(); ready && !error) (*ready)();
  });
  return true;
}

bool Overview::take(std::string& out) {
  while (!due_.empty()) {
    if (must_wait()) return false;
    Watched& next = *due_.front();
    due_.pop_front();
    next.is_due = false;
    auto change = next.sketch.take(next.terminal->screen());
    if (!change) continue;
    out = wire::native::sketch({.terminal_id = next.id,
                                .rows = change->rows,
                                .cols = change->cols,
                                .cursor = change->cursor,
                                .lines = std::move(change->lines)});
    const std::chrono::duration<double> cost(static_cast<double>(out.size()) / kRate);
    paid_until_ = std::max(paid_until_, steady_clock::now()) +
                  std::chrono::duration_cast<steady_clock::duration>(cost);
    return true;
  }
  return false;
}

}  // namespace http
