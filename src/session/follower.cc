#include "session/follower.h"

namespace session {

void Follower::follow(TerminalEntry& entry, keeper::AttachedChild child,
                      std::optional<terminal::Preamble> preamble) {
  entry.terminal = terminal::Terminal::start(
      executor_, std::move(child), settings_.terminal,
      {.exited = [this](terminal::Terminal& terminal) { exited(terminal); },
       .grace_over =
           [this](terminal::Terminal& terminal) {
             if (const TerminalEntry* entry = terminals_.find(terminal.info().id.str()))
               closer_.start_close(*entry, CloseReason::idle_timeout);
           },
       .attached = [this](terminal::Terminal& terminal) { looked_at(terminal); },
       .orphaned = [this](terminal::Terminal& terminal) { looked_at(terminal); },
       .printed =
           [this](terminal::Terminal& terminal) { histories_.changed(terminal.info().id.str()); },
       .resized =
           [this](terminal::Terminal& terminal) { tell(terminal, &Watcher::terminal_resized); },
       .titled =
           [this](terminal::Terminal& terminal) { tell(terminal, &Watcher::terminal_titled); },
       .changed =
           [this](terminal::Terminal& terminal) { tell(terminal, &Watcher::terminal_changed); },
       .noticed = [this](terminal::Terminal& terminal,
                         const terminal::Notice& notice) { noticed(terminal, notice); }},
      std::move(preamble));
  entry.saved.reset();
  terminals_.enter(entry, Stage::running);
  histories_.changed(entry.key.str());
}

void Follower::tell_early_exit(TerminalEntry& entry) {
  if (const auto exit = std::exchange(entry.untold_exit, std::nullopt))
    entry.terminal->process_exited(*exit);
  if (entry.terminal->exit()) exited(*entry.terminal);
}

void Follower::take_over_exit(TerminalEntry& entry) {
  if (const auto exit = std::exchange(entry.untold_exit, std::nullopt))
    entry.terminal->process_exited(*exit);
  if (!entry.terminal->exit() || entry.exit_code) return;
  entry.exit_code = terminal::exit_code(*entry.terminal->exit());
  terminals_.enter(entry, Stage::exited);
}

void Follower::child_exited(const keeper::ChildId& id, const keeper::ChildExit& exit) {
  TerminalEntry* const entry = terminals_.find(id.str());
  if (entry == nullptr) return;
  if (entry->is_alive()) return entry->terminal->process_exited(exit);
  entry->untold_exit = exit;
  // Watchers learn that it was closed, and how it ended.
  if (entry->stage() == Stage::closing) entry->exit_code = terminal::exit_code(exit.status);
}

void Follower::exited(const terminal::Terminal& terminal) {
  TerminalEntry* const found = terminals_.find(terminal.info().id.str());
  if (found == nullptr || found->terminal.get() != &terminal || found->exit_code) return;
  TerminalEntry& entry = *found;
  entry.exit_code = terminal::exit_code(*terminal.exit());
  if (entry.stage() == Stage::running) terminals_.enter(entry, Stage::exited);
  rows_.save(entry.key.str());
  rows_.note(entry, "exited", std::to_string(*entry.exit_code));
  if (entry.lifetime == Lifetime::kept)
    watchers_.tell(entry, nullptr, [&](Watcher& watcher) { watcher.terminal_exited(entry); });
  closer_.drop_oldest_exited(entry.user);
}

void Follower::looked_at(terminal::Terminal& terminal) {
  tell(terminal,
       terminal.audience().size() > 0 ? &Watcher::terminal_attached : &Watcher::terminal_orphaned);
}

const TerminalEntry* Follower::told_of(const terminal::Terminal& terminal) const {
  const TerminalEntry* const found = terminals_.find(terminal.info().id.str());
  if (found == nullptr || found->terminal.get() != &terminal) return nullptr;
  return found->lifetime == Lifetime::kept && found->is_alive() ? found : nullptr;
}

void Follower::noticed(const terminal::Terminal& terminal, const terminal::Notice& notice) {
  if (const TerminalEntry* const entry = told_of(terminal))
    watchers_.tell(*entry, nullptr,
                   [&](Watcher& watcher) { watcher.terminal_noticed(*entry, notice); });
}

void Follower::tell(const terminal::Terminal& terminal,
                    void (Watcher::*what)(const TerminalEntry&)) {
  if (const TerminalEntry* const entry = told_of(terminal))
    watchers_.tell(*entry, nullptr, [&](Watcher& watcher) { (watcher.*what)(*entry); });
}

}  // namespace session
