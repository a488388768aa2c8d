#include "extension/renewal.h"

#include <algorithm>
#include <deque>

#include "base/log.h"

namespace extension {

using boost::asio::awaitable;

namespace {

std::string would_lose(const std::vector<SpacePtr>& spaces) {
  std::string text;
  for (const SpacePtr& space : spaces)
    for (const std::string& what : space->resources.would_be_lost())
      text += (text.empty() ? "" : ", ") + what + " of session " + space->session.name;
  return text;
}

}  // namespace

std::vector<SpacePtr> Renewal::spaces_in(const Runner& runner) const {
  std::vector<SpacePtr> spaces;
  for (const auto& [id, space] : spaces_.all())
    if (runners_.is_for(runner, space->session)) spaces.push_back(space);
  return spaces;
}

void Renewal::remark(Runner& runner, const std::string& text) {
  runner.remark = text;
  base::log(base::Level::warning, "not replacing the extension runner", {{"reason", text}});
  for (const SpacePtr& space : spaces_in(runner))
    if (space->is_open) space->display.notify("warning", text);
}

// Why the runner cannot be replaced by one on this Node; none if it can.
std::optional<std::string> Renewal::keeps_runner(const Runner& runner,
                                                 const base::Result<Node>& node) const {
  const std::string present = runner.running_node();
  if (!node)
    return "Extensions still run on " + present +
           ", the previous setting. The Node that is set now does not work: " +
           node.error().message();
  const std::string lost = would_lose(spaces_in(runner));
  if (lost.empty()) return std::nullopt;
  return "Extensions still run on " + present + "; " + node->path +
         " is set now. Switching would lose " + lost +
         ". Close what you can spare (see /resources), then type /reload.";
}

awaitable<std::vector<SpacePtr>> Renewal::renew(Runner& runner) {
  std::vector<SpacePtr> closed;
  if (!runner.has_other_node()) co_return closed;
  const auto node = co_await runner.look_at_node();
  if (!runner.has_other_node()) co_return closed;  // It has exited meanwhile.
  if (node && node->path == runner.running_node()) {
    runner.accept_node();
    co_return closed;
  }
  if (!std::ranges::all_of(spaces_in(runner),
                           [](const SpacePtr& space) { return space->is_settled(); }))
    co_return closed;
  if (const auto text = keeps_runner(runner, node)) {
    remark(runner, *text);
    co_return closed;
  }
  base::log(base::Level::info, "replacing the extension runner",
            {{"from", runner.running_node()}, {"to", node->path}});
  co_return co_await close_for_replacement(runner);
}

awaitable<std::vector<SpacePtr>> Renewal::close_for_replacement(Runner& runner) {
  std::vector<SpacePtr> closed;
  std::deque<Change> changes;  // All at once: none may be opened in a runner that is going to end.
  const std::vector<SpacePtr> spaces = spaces_in(runner);
  for (const SpacePtr& space : spaces) changes.emplace_back(spaces_, space);
  for (const SpacePtr& space : spaces) {
    const auto link = runner.link();
    if (!space->is_open || !link) continue;
    json::object params{{"session", space->session.id.str()}, {"reason", "quit"}};
    auto told = co_await link->call("session.close", std::move(params));
    if (!told)
      base::log(base::Level::warning, "a session's extensions did not close cleanly",
                {{"session", space->session.name}, {"error", told.error()}});
    closed.push_back(space);
    space->is_open = false;
    space->drop_shown();
    space->record(session::ExtensionsWere::closed);
    space->instances.ended("the runner is being replaced");
  }
  co_await runner.kill();
  co_return closed;
}

}  // namespace extension
