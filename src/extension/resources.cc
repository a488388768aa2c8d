#include "extension/resources.h"

#include <set>

#include "base/log.h"
#include "extension/lifecycle_note.h"
#include "extension/params.h"
#include "extension/process_record.h"

namespace extension {

using boost::asio::awaitable;
using session::ProcessRecord;
using session::ResourceRow;
using session::ResourceState;

namespace {

std::string subject_of(const Resources::Key& key) {
  return key.first + "/" + key.second;
}

}  // namespace

Resources::Resources(session::Store& store, const session::SessionRow& session,
                     const base::Clock& clock)
    : store_(store), session_(session), clock_(clock) {
  if (auto rows = store_.extensions().resources(session.id))
    for (ResourceRow& row : *rows) put(std::move(row));
}

std::vector<std::string> Resources::would_be_lost() const {
  std::vector<std::string> list;
  for (const auto& [key, row] : rows_)
    if (row.state != ResourceState::lost) list.push_back(subject_of(key));
  if (!children_.empty()) list.push_back(std::to_string(children_.size()) + " running program(s)");
  return list;
}

void Resources::note(const Key& key, std::string_view event, const std::string& detail) {
  extension::note(store_, session_, subject_of(key), event, detail);
}

void Resources::save(const ResourceRow& row) {
  if (auto saved = store_.extensions().save_resource(row); !saved)
    base::log(base::Level::error, "cannot save a resource's record",
              {{"key", row.key}, {"error", saved.error()}});
}

void Resources::forget(const Key& key, const std::string& why) {
  rows_.erase(key);
  note(key, "close", why);
  if (auto removed = store_.extensions().remove_resource(
          {.session = session_.id, .name = key.first}, key.second);
      !removed)
    base::log(base::Level::error, "cannot remove a resource's record",
              {{"key", key.second}, {"error", removed.error()}});
}

void Resources::put(ResourceRow row) {
  Key key(row.extension, row.key);
  rows_[std::move(key)] = std::move(row);
}

void Resources::changed(const std::string& extension, const json::object& message) {
  Params params(message);
  const Key key(extension, params.text("key"));
  const std::string action = params.text("action");
  const auto description = params.optional_text("description");
  const auto pids = params.numbers("pids");
  if (!params.fault()) return;
  if (action == "close") return forget(key, "");
  auto& row = rows_[key];
  if (row.key.empty())
    row = {.session = session_.id,
           .extension = key.first,
           .key = key.second,
           .created = clock_.wall()};
  if (description) row.description = *description;
  if (message.contains("pids")) row.processes = records_of(pids);
  row.state = action == "orphan" ? ResourceState::orphan : ResourceState::live;
  save(row);
  note(key, action, row.description);
}

void Resources::set_children(const std::vector<std::int64_t>& pids) {
  children_ = records_of(pids);
}

void Resources::announced(const std::vector<json::object>& all) {
  constexpr const char* kMeanwhile = "while no daemon was running";
  std::set<Key> named;
  for (const json::object& each : all) {
    Params params(each);
    ResourceRow row{
        .session = session_.id,
        .extension = params.text("extension"),
        .key = params.text("key"),
        .state = params.text("state") == "orphan" ? ResourceState::orphan : ResourceState::live,
        .description = params.optional_text("description").value_or(""),
        .processes = records_of(params.numbers("pids")),
        .created = clock_.wall()};
    const Key key(row.extension, row.key);
    named.insert(key);
    if (const auto known = rows_.find(key); known != rows_.end())
      row.created = known->second.created;
    else
      note(key, "create", kMeanwhile);
    save(row);
    put(std::move(row));
  }
  std::vector<Key> closed;
  for (const auto& [key, row] : rows_)
    if (!named.contains(key) && row.state != ResourceState::lost) closed.push_back(key);
  for (const Key& key : closed) forget(key, kMeanwhile);
}

std::vector<ProcessRecord> Resources::lose(const std::string& why) {
  std::vector<ProcessRecord> strays = std::exchange(children_, {});
  for (auto& [key, row] : rows_) {
    for (const ProcessRecord& named : row.processes) std::erase(strays, named);
    if (row.state == ResourceState::lost) continue;
    row.state = ResourceState::lost;
    save(row);
    note(key, "lost", why);
  }
  return strays;
}

awaitable<base::Result<std::string>> Resources::close(Key key, std::shared_ptr<Rpc> connection) {
  if (!contains(key))
    co_return base::fail(base::Code::not_found, "there is no resource " + subject_of(key));
  std::string why;
  if (connection && rows_.at(key).state != ResourceState::lost) {
    json::object params{
        {"session", session_.id.str()}, {"extension", key.first}, {"key", key.second}};
    auto closed = co_await connection->call("resource.close", std::move(params));
    if (!closed)
      why = closed.error().what;
    else if (closed->is_object())
      why = Params(closed->get_object()).optional_text("error").value_or("");
  }
  // The runner has reported the close, unless the extension's code failed.
  const auto left = rows_.find(key);
  if (left == rows_.end()) co_return why;
  co_await end_processes(left->second.processes);
  forget(key, why.empty() ? "by the daemon" : "by the daemon, because close failed: " + why);
  co_return why;
}

}  // namespace extension
