// The records of the resources that extensions hold.

#include "base/log.h"
#include "extension/extensions.h"
#include "extension/params.h"
#include "extension/process_record.h"

namespace extension {

using boost::asio::awaitable;
using session::ResourceRow;
using session::ResourceState;

namespace {

std::string subject_of(const Space::ResourceKey& key) {
  return key.first + "/" + key.second;
}

}  // namespace

void Extensions::note(const Space& space, const std::string& subject, std::string_view event,
                      const std::string& detail) {
  const session::LogEntry entry{.user = space.session.user,
                                .session = space.session.id,
                                .subject = subject,
                                .event = std::string(event),
                                .detail = detail};
  if (auto noted = store_.append_log(entry); !noted)
    base::log(base::Level::warning, "cannot write the lifecycle log",
              {{"subject", subject}, {"event", event}, {"error", noted.error()}});
}

void Extensions::save(const ResourceRow& row) {
  if (auto saved = store_.extensions().save_resource(row); !saved)
    base::log(base::Level::error, "cannot save a resource's record",
              {{"key", row.key}, {"error", saved.error()}});
}

void Extensions::forget(Space& space, const Space::ResourceKey& key, const std::string& why) {
  space.resources.erase(key);
  note(space, subject_of(key), "close", why);
  if (auto removed = store_.extensions().remove_resource(
          {.session = space.session.id, .name = key.first}, key.second);
      !removed)
    base::log(base::Level::error, "cannot remove a resource's record",
              {{"key", key.second}, {"error", removed.error()}});
}

void Extensions::set_state(Space& space, ResourceRow& row, ResourceState state,
                           const std::string& why) {
  if (row.state == state) return;
  row.state = state;
  save(row);
  note(space, subject_of({row.extension, row.key}),
       state == ResourceState::orphan ? "orphan" : "lost", why);
}

void Extensions::resource_changed(const Caller& caller, const Object& message) {
  Params params(message);
  const Space::ResourceKey key(caller.key.name, params.text("key"));
  const std::string action = params.text("action");
  const auto description = params.optional_text("description");
  const auto pids = params.numbers("pids");
  if (!params.fault()) return;
  Space& space = *caller.space;
  if (action == "close") return forget(space, key, "");
  auto& row = space.resources[key];
  if (row.key.empty())
    row = {.session = space.session.id,
           .extension = key.first,
           .key = key.second,
           .created = std::chrono::system_clock::now()};
  if (description) row.description = *description;
  if (message.contains("pids")) {
    row.processes.clear();
    for (const std::int64_t pid : pids)
      if (auto record = record_of(static_cast<pid_t>(pid))) row.processes.push_back(*record);
  }
  row.state = action == "orphan" ? ResourceState::orphan : ResourceState::live;
  save(row);
  note(space, subject_of(key), action, row.description);
}

void Extensions::lose_resources(Space& space, const std::string& why) {
  std::vector<session::ProcessRecord> strays = std::exchange(space.children, {});
  for (auto& [key, row] : space.resources) {
    set_state(space, row, ResourceState::lost, why);
    for (const session::ProcessRecord& named : row.processes) std::erase(strays, named);
  }
  // No record names these, so nobody else would end them.
  if (!strays.empty())
    tasks_.spawn([strays]() -> awaitable<void> { co_await end_processes(strays); });
}

awaitable<base::Status> Extensions::close_resource(SpacePtr space, Space::ResourceKey key) {
  if (!space->resources.contains(key))
    co_return base::fail(base::Code::not_found, "there is no resource " + subject_of(key));
  std::string why;
  if (const auto link = runner_of(*space).link();
      link && space->is_open && space->resources.at(key).state != ResourceState::lost) {
    Object params{
        {"session", space->session.id.str()}, {"extension", key.first}, {"key", key.second}};
    auto closed = co_await link->call("resource.close", std::move(params));
    if (closed && closed->is_object())
      why = Params(closed->get_object()).optional_text("error").value_or("");
  }
  // The runner has reported the close, unless the extension's code failed.
  const auto left = space->resources.find(key);
  if (left == space->resources.end()) co_return base::Status{};
  co_await end_processes(left->second.processes);
  forget(*space, key,
         why.empty() ? "by the daemon" : "by the daemon, because close failed: " + why);
  co_return base::Status{};
}

awaitable<base::Status> Extensions::close_resource(session::SessionRow session,
                                                   std::string extension, std::string key) {
  Space::ResourceKey which(std::move(extension), std::move(key));
  co_return co_await close_resource(space_of(session), std::move(which));
}

std::vector<ResourceRow> Extensions::resources(const session::SessionRow& session) {
  std::vector<ResourceRow> rows;
  for (const auto& [key, row] : space_of(session)->resources) rows.push_back(row);
  return rows;
}

}  // namespace extension
