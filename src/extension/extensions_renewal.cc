// The daemon was restarted with another `node` setting. The previous daemon's runner is replaced by
// one on the new Node, unless something would be lost.

#include <algorithm>

#include "base/log.h"
#include "extension/extensions.h"

namespace extension {

using boost::asio::awaitable;

std::vector<Extensions::SpacePtr> Extensions::spaces_in(const Runner& runner) {
  std::vector<SpacePtr> spaces;
  for (const auto& [id, space] : spaces_)
    if (&runner_of(*space) == &runner) spaces.push_back(space);
  return spaces;
}

std::string Extensions::would_lose(const std::vector<SpacePtr>& spaces) const {
  std::string text;
  const auto add = [&](const Space& space, const std::string& what) {
    text += (text.empty() ? "" : ", ") + what + " of session " + space.session.name;
  };
  for (const SpacePtr& space : spaces) {
    for (const auto& [key, row] : space->resources)
      if (row.state != session::ResourceState::lost) add(*space, key.first + "/" + key.second);
    if (!space->children.empty())
      add(*space, std::to_string(space->children.size()) + " running program(s)");
  }
  return text;
}

void Extensions::remark(Runner& runner, const std::string& text) {
  runner.remark = text;
  base::log(base::Level::warning, "not replacing the extension runner", {{"reason", text}});
  for (const SpacePtr& space : spaces_in(runner))
    if (space->is_open) notify(*space, "warning", text);
}

// Why the runner cannot be replaced by one on this Node; none if it can.
std::optional<std::string> Extensions::keeps_runner(const Runner& runner,
                                                    const base::Result<Node>& node) {
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

// Returns the sessions that it closed; they must be opened again.
awaitable<std::vector<Extensions::SpacePtr>> Extensions::renew(Runner& runner) {
  std::vector<SpacePtr> closed;
  if (!runner.has_other_node()) co_return closed;
  const auto node = co_await runner.look_at_node();
  if (!runner.has_other_node()) co_return closed;  // It has exited meanwhile.
  if (node && node->path == runner.running_node()) {
    runner.accept_node();
    co_return closed;
  }
  const std::vector<SpacePtr> spaces = spaces_in(runner);
  const auto is_moving = [](const SpacePtr& space) { return space->changing || space->recovering; };
  if (std::ranges::any_of(spaces, is_moving)) co_return closed;
  if (const auto text = keeps_runner(runner, node)) {
    remark(runner, *text);
    co_return closed;
  }
  base::log(base::Level::info, "replacing the extension runner",
            {{"from", runner.running_node()}, {"to", node->path}});
  for (const SpacePtr& space : spaces) space->changing = true;
  for (const SpacePtr& space : spaces) {
    const auto link = runner.link();
    if (!space->is_open || !link) continue;
    Object params{{"session", space->session.id.str()}, {"reason", "quit"}};
    auto told = co_await link->call("session.close", std::move(params));
    if (!told)
      base::log(base::Level::warning, "a session's extensions did not close cleanly",
                {{"session", space->session.name}, {"error", told.error()}});
    closed.push_back(space);
    space->is_open = false;
    drop_shown(*space);
    set_were(*space, session::ExtensionsWere::closed);
    for (Instance& instance : space->instances)
      if (!instance.disabled)
        instance = {.name = instance.name, .error = "the runner is being replaced"};
  }
  co_await runner.kill();
  for (const SpacePtr& space : spaces) space->changing = false;
  settled_.cancel();
  co_return closed;
}

}  // namespace extension
