#include "session/follower.h"

namespace session {

void Follower::follow(Held& held, terminal::AttachedChild child,
                      std::optional<terminal::Preamble> preamble) {
  held.terminal = terminal::Terminal::start(
      executor_, std::move(child), settings_.terminal,
      {.exited = [this](terminal::Terminal& terminal) { exited(terminal); },
       .grace_over =
           [this](terminal::Terminal& terminal) {
             if (const Held* held = terminals_.find(terminal.id().str()))
               closer_.start_close(*held, CloseReason::idle_timeout);
           },
       .attached = [this](terminal::Terminal& terminal) { looked_at(terminal); },
       .orphaned = [this](terminal::Terminal& terminal) { looked_at(terminal); },
       .printed =
           [this](terminal::Terminal& terminal) { histories_.changed(terminal.id().str()); }},
      std::move(preamble));
  histories_.changed(held.key.str());
}

void Follower::tell_early_exit(Held& held) {
  if (held.early_exit) held.terminal->process_exited(*held.early_exit);
  if (held.terminal->exit()) exited(*held.terminal);
}

void Follower::child_exited(const terminal::ChildId& id, const terminal::ChildExit& exit) {
  Held* const held = terminals_.find(id.str());
  if (held == nullptr) return;
  if (!held->terminal)
    held->early_exit = exit;
  else if (held->closing)  // Watchers are told that it was closed.
    held->exit_code = terminal::exit_code(exit.status);
  else
    held->terminal->process_exited(exit);
}

void Follower::exited(const terminal::Terminal& terminal) {
  Held* const found = terminals_.find(terminal.id().str());
  if (found == nullptr || found->terminal.get() != &terminal || found->exit_code) return;
  Held& held = *found;
  held.exit_code = terminal::exit_code(*terminal.exit());
  rows_.save(held.key.str());
  rows_.note(held, "exited", std::to_string(*held.exit_code));
  if (held.lifetime == Lifetime::kept)
    watchers_.tell(held.user, nullptr, [&](Watcher& watcher) { watcher.terminal_exited(held); });
  closer_.drop_oldest_exited(held.user);
}

void Follower::looked_at(const terminal::Terminal& terminal) {
  const Held* const found = terminals_.find(terminal.id().str());
  if (found == nullptr || found->terminal.get() != &terminal) return;
  const Held& held = *found;
  if (held.lifetime == Lifetime::connection || held.closing) return;
  watchers_.tell(held.user, nullptr, [&](Watcher& watcher) {
    if (terminal.viewers() > 0)
      watcher.terminal_attached(held);
    else
      watcher.terminal_orphaned(held);
  });
}

}  // namespace session
