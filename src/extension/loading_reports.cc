// What runners report: which sessions an older one holds, and what their code offers.

#include <set>

#include "extension/built_ins.h"
#include "extension/loading.h"
#include "extension/params.h"

namespace extension {

using Object = json::object;

void Loading::hello(Runner& runner, const std::shared_ptr<Rpc>& link,
                    const std::vector<Object>& sessions) {
  std::set<std::string> held;
  for (const Object& what : sessions) {
    const std::string id = Params(what).text("id");
    held.insert(id);
    const SpacePtr space = spaces_.of(id);
    if (space && runners_.is_for(runner, space->session))
      announced(*space, what);
    else  // The session was closed while no daemon could tell, or has another runner now.
      link->notify("session.kill", {{"session", id}});
  }
  runner.connected(link);
  for (const auto& [id, space] : spaces_.all())
    if (space->is_open && runners_.is_for(runner, space->session) && !held.contains(id))
      worker_ended(space, "crashed", "while the runner was not connected");
}

void Loading::announced(Space& space, const Object& what) {
  Params params(what);
  space.is_open = true;
  space.record(session::ExtensionsWere::open);
  space.loading = params.value("loading") == json::value(true);
  space.instances.replace({});
  for (const Object& each : params.objects("extensions")) {
    Params extension(each);
    Instance& instance = space.instances.add({.name = extension.text("name"),
                                              .path = extension.text("path"),
                                              .generation = extension.number("generation", 0),
                                              .runs = true});
    registered(space, instance, each);
  }
  code_.add_absent_guards(space);
  space.resources.set_children(params.numbers("children"));
  space.resources.announced(params.objects("resources"));
}

void Loading::loaded(Space& space, const Object& message) {
  if (!space.loading) return;
  std::set<std::string> wanted;
  for (const Object& outcome : Params(message).objects("extensions"))
    wanted.insert(Params(outcome).text("name"));
  for (const std::string& name : wanted)
    if (space.instances.find(name) == nullptr) space.instances.add({.name = name});
  const std::string trouble = space.instances.take_outcomes(message);
  space.instances.keep_only(wanted);
  code_.add_absent_guards(space);
  space.loading = false;
  spaces_.wake();
  space.display.show_commands(all_commands(space.instances));
  if (!trouble.empty()) space.display.notify("error", trouble);
}

void Loading::registered(Space& space, Instance& instance, const Object& message) {
  instance.offers = read_registration(message, instance.name);
  const auto must_decide = Params(message).texts("mustDecide");
  space.guards.declare(instance.name, {must_decide.begin(), must_decide.end()});
  if (!space.changing && !space.loading) space.display.show_commands(all_commands(space.instances));
}

}  // namespace extension
