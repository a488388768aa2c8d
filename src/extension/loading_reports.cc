// What runners report: which sessions an older one holds, and what their code offers.

#include <set>

#include "extension/loading.h"
#include "extension/params.h"

namespace extension {

using Object = json::object;

void Loading::hello(Runner& runner, const std::shared_ptr<Rpc>& connection,
                    const std::vector<Object>& sessions) {
  std::set<std::string> reported;
  for (const Object& what : sessions) {
    const std::string id = Params(what).text("id");
    reported.insert(id);
    const SessionExtensionsPtr extensions = by_session_.of(id);
    if (extensions && runners_.is_for(runner, extensions->session))
      announced(*extensions, connection, what);
    else  // The session was closed while no daemon could tell, or has another runner now.
      connection->notify("session.kill", {{"session", id}});
  }
  runner.connected(connection);
  for (const auto& [id, extensions] : by_session_.all())
    if (extensions->is_open && runners_.is_for(runner, extensions->session) &&
        !reported.contains(id))
      worker_ended(extensions, "crashed", "while the runner was not connected");
}

void Loading::announced(SessionExtensions& extensions, const std::shared_ptr<Rpc>& connection,
                        const Object& what) {
  Params params(what);
  extensions.is_open = true;
  extensions.record(session::ExtensionsWere::open);
  extensions.loading = params.value("loading") == json::value(true);
  extensions.instances.replace({});
  for (const Object& each : params.objects("extensions")) {
    Params extension(each);
    Instance& instance = extensions.instances.add({.name = extension.text("name"),
                                                   .path = extension.text("path"),
                                                   .generation = extension.number("generation", 0),
                                                   .runs = true});
    registered(extensions, instance, each);
  }
  code_.add_absent_guards(extensions);
  extensions.resources.set_children(params.numbers("children"));
  extensions.resources.announced(params.objects("resources"));
  if (extensions.agent.client() == nullptr) return;
  connection->notify(
      "agent", {{"session", extensions.session.id.str()}, {"agent", extensions.agent.describe()}});
}

void Loading::loaded(SessionExtensions& extensions, const Object& message) {
  if (!extensions.loading) return;
  std::set<std::string> wanted;
  for (const Object& outcome : Params(message).objects("extensions"))
    wanted.insert(Params(outcome).text("name"));
  for (const std::string& name : wanted)
    if (extensions.instances.find(name) == nullptr) extensions.instances.add({.name = name});
  const std::string trouble = extensions.instances.take_outcomes(message);
  extensions.instances.keep_only(wanted);
  code_.add_absent_guards(extensions);
  extensions.loading = false;
  by_session_.wake();
  extensions.show_offer();
  if (!trouble.empty()) extensions.display.notify("error", trouble);
}

void Loading::registered(SessionExtensions& extensions, Instance& instance, const Object& message) {
  const auto texts = Params(message).texts("mustDecide");
  session::EventNames must_decide{texts.begin(), texts.end()};
  if (Params(message).value("failed") == json::value(true))
    return extensions.guards.declare_unless_known(instance.name, std::move(must_decide));
  instance.offers = read_registration(message, instance.name);
  extensions.guards.declare(instance.name, std::move(must_decide));
  if (!extensions.changing && !extensions.loading) extensions.show_offer();
}

}  // namespace extension
