#include "extension/session_extensions.h"

#include "base/log.h"
#include "extension/built_ins.h"
#include "extension/lifecycle_note.h"

namespace extension {

SessionExtensions::SessionExtensions(boost::asio::any_io_executor executor, session::Store& records,
                                     const base::Clock& clock, session::SessionRow row)
    : store(records),
      session(std::move(row)),
      resources(store, session, clock),
      display(session),
      questions(executor, display),
      guards(store, session),
      disabled(clock),
      agent(std::move(executor)) {}

// An extension that must decide and does not run is asked about, too: that is refused.
AgentOffer SessionExtensions::offer() const {
  AgentOffer offer{.tools = instances.tools(), .events = instances.events()};
  for (const Instance& instance : instances.all())
    for (const std::string& event : guards.of(instance.name)) offer.events.insert(event);
  return offer;
}

void SessionExtensions::show_offer() {
  display.show_commands(all_commands(instances));
  if (AgentClient* const client = agent.client()) client->agent_offer(session.name, offer());
}

void SessionExtensions::show_agent() {
  std::optional<std::string> text;
  if (agent.client() != nullptr) text = "agent: " + agent.name();
  display.set_status(std::string(kOwnName), "agent", text);
}

void SessionExtensions::drop_shown() {
  questions.close_all();
  display.drop_status();
  if (agent.client() != nullptr) show_agent();
}

void SessionExtensions::note(const std::string& subject, std::string_view event,
                             const std::string& detail) const {
  extension::note(store, session, subject, event, detail);
}

void SessionExtensions::record(session::ExtensionsWere what) const {
  if (auto set = store.extensions().set_were(session.id, what); !set)
    base::log(base::Level::warning, "cannot record the state of a session's extensions",
              {{"session", session.name}, {"error", set.error()}});
}

}  // namespace extension
