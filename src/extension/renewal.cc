#include "extension/renewal.h"

#include <algorithm>
#include <deque>

#include "base/log.h"

namespace extension {

using boost::asio::awaitable;

namespace {

std::string would_lose(const std::vector<SessionExtensionsPtr>& sessions) {
  std::string text;
  for (const SessionExtensionsPtr& extensions : sessions)
    for (const std::string& what : extensions->resources.would_be_lost())
      text += (text.empty() ? "" : ", ") + what + " of session " + extensions->session.name;
  return text;
}

}  // namespace

std::vector<SessionExtensionsPtr> Renewal::sessions_of(const Runner& runner) const {
  std::vector<SessionExtensionsPtr> sessions;
  for (const auto& [id, extensions] : by_session_.all())
    if (runners_.is_for(runner, extensions->session)) sessions.push_back(extensions);
  return sessions;
}

void Renewal::remark(Runner& runner, const std::string& text) {
  runner.remark = text;
  base::log(base::Level::warning, "not replacing the extension runner", {{"reason", text}});
  for (const SessionExtensionsPtr& extensions : sessions_of(runner))
    if (extensions->is_open) extensions->display.notify("warning", text);
}

// Why the runner cannot be replaced by one on this Node; none if it can.
std::optional<std::string> Renewal::keeps_runner(const Runner& runner,
                                                 const base::Result<Node>& node) const {
  const std::string present = runner.running_node();
  if (!node)
    return "Extensions still run on " + present +
           ", the previous setting. The Node that is set now does not work: " +
           node.error().message();
  const std::string lost = would_lose(sessions_of(runner));
  if (lost.empty()) return std::nullopt;
  return "Extensions still run on " + present + "; " + node->path +
         " is set now. Switching would lose " + lost +
         ". Close what you can spare (see /resources), then type /reload.";
}

awaitable<std::vector<SessionExtensionsPtr>> Renewal::renew(Runner& runner) {
  std::vector<SessionExtensionsPtr> closed;
  if (!runner.has_other_node()) co_return closed;
  const auto node = co_await runner.look_at_node();
  if (!runner.has_other_node()) co_return closed;  // It has exited meanwhile.
  if (node && node->path == runner.running_node()) {
    runner.accept_node();
    co_return closed;
  }
  if (!std::ranges::all_of(sessions_of(runner), [](const SessionExtensionsPtr& extensions) {
        return extensions->is_settled();
      }))
    co_return closed;
  if (const auto text = keeps_runner(runner, node)) {
    remark(runner, *text);
    co_return closed;
  }
  base::log(base::Level::info, "replacing the extension runner",
            {{"from", runner.running_node()}, {"to", node->path}});
  co_return co_await close_for_replacement(runner);
}

awaitable<std::vector<SessionExtensionsPtr>> Renewal::close_for_replacement(Runner& runner) {
  std::vector<SessionExtensionsPtr> closed;
  std::deque<Change> changes;  // All at once: none may be opened in a runner that is going to end.
  const std::vector<SessionExtensionsPtr> sessions = sessions_of(runner);
  for (const SessionExtensionsPtr& extensions : sessions)
    changes.emplace_back(by_session_, extensions);
  for (const SessionExtensionsPtr& extensions : sessions) {
    const auto connection = runner.connection();
    if (!extensions->is_open || !connection) continue;
    json::object params{{"session", extensions->session.id.str()}, {"reason", "quit"}};
    auto told = co_await connection->call("session.close", std::move(params));
    if (!told)
      base::log(base::Level::warning, "a session's extensions did not close cleanly",
                {{"session", extensions->session.name}, {"error", told.error()}});
    closed.push_back(extensions);
    extensions->is_open = false;
    extensions->drop_shown();
    extensions->record(session::ExtensionsWere::closed);
    extensions->instances.ended("the runner is being replaced");
  }
  co_await runner.kill();
  co_return closed;
}

}  // namespace extension
