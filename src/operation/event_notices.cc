// Notices in the log: what people may want to hear of.

#include <algorithm>

#include "operation/describe.h"
#include "operation/event_log.h"

namespace operation {

void EventLog::terminal_noticed(const Entry& entry, const terminal::Notice& notice) {
  if (entry.lifetime == session::Lifetime::connection) return;
  const wire::native::NoticeInfo info = describe(entry, notice);
  ToldTerminal terminal = told_now(entry);
  terminal.noticed = std::max(terminal.noticed, notice.offset);
  add({.type = "terminal_notice",
       .key = entry.key.str(),
       .at = info.at,
       .terminal = std::move(terminal),
       .notice = ToldNotice{.kind = info.kind,
                            .command = info.command,
                            .text = info.text,
                            .exit_code = info.exit_code,
                            .duration = info.duration,
                            .watched = info.watched}});
}

void EventLog::add_early_notices() {
  for (auto& [key, entry] : sessions_.terminals()) {
    if (!session::is_listed(entry) || !entry.terminal) continue;
    const std::uint64_t noticed = told_now(entry).noticed;
    for (const terminal::Notice& notice : entry.terminal->states().take_early())
      if (notice.offset > noticed) terminal_noticed(entry, notice);
  }
}

std::vector<wire::native::NoticeInfo> EventLog::notices(const session::Reach& reach) const {
  std::vector<wire::native::NoticeInfo> found;
  for (auto each = history_.events.rbegin();
       each != history_.events.rend() && found.size() < kMostNotices; ++each) {
    if (!each->notice || !can_reach(reach, *each->terminal)) continue;
    const ToldTerminal& terminal = *each->terminal;
    found.push_back({.at = each->at,
                     .terminal_id = terminal.terminal_id,
                     .session = terminal.session,
                     .name = terminal.name ? terminal.name : terminal.title,
                     .kind = each->notice->kind,
                     .command = each->notice->command,
                     .text = each->notice->text,
                     .exit_code = each->notice->exit_code,
                     .duration = each->notice->duration,
                     .watched = each->notice->watched});
  }
  std::ranges::reverse(found);
  return found;
}

}  // namespace operation
