// A runner connects: a new one, or one that is older than this daemon and reports what it holds.

#include "base/log.h"
#include "extension/extensions.h"
#include "extension/params.h"
#include "extension/process_record.h"

namespace extension {

using boost::asio::awaitable;
using session::ResourceState;

namespace {

constexpr std::int64_t kProtocol = 1;

std::vector<session::ProcessRecord> records_of(const std::vector<std::int64_t>& pids) {
  std::vector<session::ProcessRecord> records;
  for (const std::int64_t pid : pids)
    if (auto record = record_of(static_cast<pid_t>(pid))) records.push_back(*std::move(record));
  return records;
}

ResourceState state_of(const std::string& text) {
  return text == "orphan" ? ResourceState::orphan : ResourceState::live;
}

}  // namespace

Extensions::Answer Extensions::hello(const std::shared_ptr<Rpc>& link, pid_t peer,
                                     const Object& params) {
  Params hello(params);
  if (const auto protocol = hello.number("protocol", 0); protocol != kProtocol)
    return base::fail(
        base::Code::unsupported,
        "this daemon speaks protocol 1, the runner protocol " + std::to_string(protocol));
  const std::vector<Object> sessions = hello.objects("sessions");
  const std::string only = hello.optional_text("only").value_or("");
  if (auto fault = hello.fault(); !fault) return base::fail(fault.error());
  Runner& runner = runner_for(only);
  // The pid comes from the kernel, not from the peer.
  if (!runner.is(peer)) {
    // The keeper's answer may be on its way; the right runner tries again.
    if (runner.is_starting())
      return base::fail(base::Code::unavailable, "a runner is being started");
    // A runner that the keeper does not hold has outlived its keeper and was replaced.
    tasks_.spawn(
        [strays = records_of({peer})]() -> awaitable<void> { co_await end_processes(strays); });
    return base::fail(base::Code::unavailable, "another runner has taken over");
  }
  std::set<std::string> held;
  for (const Object& what : sessions) {
    const std::string id = Params(what).text("id");
    held.insert(id);
    const SpacePtr space = space_of(id);
    if (space && &runner_of(*space) == &runner)
      announced(space, what);
    else  // The session was closed while no daemon could tell, or has another runner now.
      link->notify("session.kill", {{"session", id}});
  }
  runner.connected(link);
  for (const auto& [id, space] : spaces_)
    if (space->is_open && &runner_of(*space) == &runner && !held.contains(id))
      worker_ended(space, "crashed", "while the runner was not connected");
  return json::object{
      {"settings", {{"memory", settings_.memory}, {"stuckAfter", settings_.stuck_after.count()}}}};
}

void Extensions::announced(const SpacePtr& space, const Object& what) {
  Params params(what);
  space->is_open = true;
  set_were(*space, session::ExtensionsWere::open);
  space->loading = params.value("loading") == Json(true);
  space->changing = space->loading;
  space->instances.clear();
  for (const Object& each : params.objects("extensions")) {
    Params extension(each);
    Instance instance{.name = extension.text("name"),
                      .path = extension.text("path"),
                      .generation = extension.number("generation", 0),
                      .runs = true};
    space->instances.push_back(std::move(instance));
    Object registration = each;
    registration["session"] = space->session.id.str();
    registration["extension"] = space->instances.back().name;
    notified("registered", registration);
  }
  add_absent_guards(*space);
  space->children = records_of(params.numbers("children"));
  std::set<Space::ResourceKey> held;
  for (const Object& each : params.objects("resources")) {
    Params resource(each);
    session::ResourceRow row{.session = space->session.id,
                             .extension = resource.text("extension"),
                             .key = resource.text("key"),
                             .state = state_of(resource.text("state")),
                             .description = resource.optional_text("description").value_or(""),
                             .processes = records_of(resource.numbers("pids")),
                             .created = std::chrono::system_clock::now()};
    const Space::ResourceKey key(row.extension, row.key);
    held.insert(key);
    if (const auto known = space->resources.find(key); known != space->resources.end())
      row.created = known->second.created;
    else
      note(*space, row.extension + "/" + row.key, "create", "while no daemon was running");
    save(row);
    space->resources[key] = std::move(row);
  }
  std::vector<Space::ResourceKey> closed;
  for (const auto& [key, row] : space->resources)
    if (!held.contains(key) && row.state != ResourceState::lost) closed.push_back(key);
  for (const Space::ResourceKey& key : closed) forget(*space, key, "while no daemon was running");
}

}  // namespace extension
