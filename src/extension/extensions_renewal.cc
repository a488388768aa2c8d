// The daemon was restarted with another setting `node`: the runner of its predecessor makes way for
// one on that Node, unless something would be lost by it.

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
  base::log(base::Level::warning, "the extension runner is not replaced", {{"reason", text}});
  for (const SpacePtr& space : spaces_in(runner))
    if (space->is_open) notify(*space, "warning", text);
}

// What keeps it from making way for this Node; none if nothing does.
std::optional<std::string> Extensions::keeps_runner(const Runner& runner,
                                                    const base::Result<Node>& node) {
  const std::string present = runner.running_node();
  if (!node)
    return "Extensions still run on " + present +
           ", which was set before. The Node that is set now cannot be used: " +
           node.error().message();
  const std::string lost = would_lose(spaces_in(runner));
  if (lost.empty()) return std::nullopt;
  return "Extensions still run on " + present + "; " + node->path +
         " is set now. Changing to it would lose " + lost +
         ". Close what you can spare (/resources lists it), then type /reload.";
}

// The sessions that it has closed for that; they are to be opened again.
awaitable<std::vector<Extensions::SpacePtr>> Extensions::renew(Runner& runner) {
  std::vector<SpacePtr> closed;
  if (!runner.has_other_node()) co_return closed;
  const auto node = co_await runner.look_at_node();
  if (!runner.has_other_node()) co_return closed;  // It has ended meanwhile.
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
  base::log(base::Level::info, "the extension runner is replaced",
            {{"from", runner.running_node()}, {"to", node->path}});
  for (const SpacePtr& space : spaces) space->changing = true;
  for (const SpacePtr& space : spaces) {
    const auto link = runner.link();
    if (!space->is_open || !link) continue;
    Object params{{"session", space->session.id.str()}, {"reason", "quit"}};
    auto told = co_await link->call("session.close", std::move(params));
    if (!told)
      base::log(base::Level::warning, "a session's extensions could not be closed in order",
                {{"session", space->session.name}, {"error", told.error()}});
    closed.push_back(space);
    space->is_open = false;
    drop_shown(*space);
    set_were(*space, session::ExtensionsWere::closed);
    for (Instance& instance : space->instances)
      if (!instance.disabled) instance = {.name = instance.name, .error = "Node is being changed"};
  }
  co_await runner.kill();
  for (const SpacePtr& space : spaces) space->changing = false;
  settled_.cancel();
  co_return closed;
}

}  // namespace extension
