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
  held.saved.reset();
  terminals_.enter(held, Stage::running);
  histories_.changed(held.key.str());
}

void Follower::tell_early_exit(Held& held) {
  if (const auto exit = std::exchange(held.untold_exit, std::nullopt))
    held.terminal->process_exited(*exit);
  if (held.terminal->exit()) exited(*held.terminal);
}

void Follower::take_over_exit(Held& held) {
  if (const auto exit = std::exchange(held.untold_exit, std::nullopt))
    held.terminal->process_exited(*exit);
  if (!held.terminal->exit() || held.exit_code) return;
  held.exit_code = terminal::exit_code(*held.terminal->exit());
  terminals_.enter(held, Stage::exited);
}

void Follower::child_exited(const terminal::ChildId& id, const terminal::ChildExit& exit) {
  Held* const held = terminals_.find(id.str());
  if (held == nullptr) return;
  if (held->is_alive()) return held->terminal->process_exited(exit);
  held->untold_exit = exit;
  // Watchers are told that it was closed, and how it ended.
  if (held->stage() == Stage::closing) held->exit_code = terminal::exit_code(exit.status);
}

void Follower::exited(const terminal::Terminal& terminal) {
  Held* const found = terminals_.find(terminal.id().str());
  if (found == nullptr || found->terminal.get() != &terminal || found->exit_code) return;
  Held& held = *found;
  held.exit_code = terminal::exit_code(*terminal.exit());
  if (held.stage() == Stage::running) terminals_.enter(held, Stage::exited);
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
  if (held.lifetime == Lifetime::connection || !held.is_alive()) return;
  watchers_.tell(held.user, nullptr, [&](Watcher& watcher) {
    if (terminal.viewers() > 0)
      watcher.terminal_attached(held);
    else
      watcher.terminal_orphaned(held);
  });
}

}  // namespace session
