#include "operation/extension_operations.h"

#include "extension/process_record.h"
#include "session/row_values.h"

namespace operation {

namespace json = boost::json;
using boost::asio::awaitable;

namespace {

ResourceInfo described(const session::ResourceRow& row) {
  ResourceInfo info{.extension = row.extension,
                    .key = row.key,
                    .state = std::string(session::to_string(row.state)),
                    .description = row.description,
                    .pids = {},
                    .created_at = row.created};
  for (const session::ProcessRecord& process : row.processes)
    if (extension::is_running(process)) info.pids.push_back(process.pid);
  return info;
}

}  // namespace

base::Result<session::SessionRow> ExtensionOperations::session(const Caller& caller,
                                                               const std::string& name) const {
  return sessions_.names().find_or_default(caller.reach, name);
}

base::Result<std::vector<extension::CommandInfo>> ExtensionOperations::commands(
    const Caller& caller, const std::string& session) const {
  const auto row = this->session(caller, session);
  if (!row) return base::fail(row.error());
  return extensions_.commands(*row);
}

base::Result<std::vector<ExtensionOperations::OfferedTool>> ExtensionOperations::tools(
    const Caller& caller, const std::string& session) const {
  const auto row = this->session(caller, session);
  if (!row) return base::fail(row.error());
  return extensions_.tools(*row);
}

base::Result<std::vector<ResourceInfo>> ExtensionOperations::resources(
    const Caller& caller, const std::string& session) const {
  const auto row = this->session(caller, session);
  if (!row) return base::fail(row.error());
  std::vector<ResourceInfo> infos;
  for (const session::ResourceRow& each : extensions_.resources(*row))
    infos.push_back(described(each));
  return infos;
}

extension::Call ExtensionOperations::begin(const Caller& caller, Progress progress) const {
  return {.id = extensions_.next_call(),
          .progress = std::move(progress),
          .permit = caller.permit,
          .scope = caller.reach.scope};
}

awaitable<base::Result<extension::RunResult>> ExtensionOperations::run(Caller caller,
                                                                       std::string session,
                                                                       std::string line,
                                                                       extension::Call call) {
  if (auto allowed = caller.may_change(); !allowed) co_return base::fail(allowed.error());
  const auto row = this->session(caller, session);
  if (!row) co_return base::fail(row.error());
  co_return co_await extensions_.run(*row, std::move(line), std::move(call));
}

awaitable<base::Result<json::value>> ExtensionOperations::call_tool(Caller caller,
                                                                    std::string session,
                                                                    std::string tool,
                                                                    json::value arguments,
                                                                    extension::Call call) {
  if (auto allowed = caller.may_change(); !allowed) co_return base::fail(allowed.error());
  const auto row = this->session(caller, session);
  if (!row) co_return base::fail(row.error());
  co_return co_await extensions_.call_tool(*row, std::move(tool), std::move(arguments),
                                           std::move(call));
}

awaitable<base::Status> ExtensionOperations::close_resource(Caller caller, std::string session,
                                                            std::string extension,
                                                            std::string key) {
  if (auto allowed = caller.may_change(); !allowed) co_return base::fail(allowed.error());
  const auto row = this->session(caller, session);
  if (!row) co_return base::fail(row.error());
  co_return co_await extensions_.close_resource(*row, std::move(extension), std::move(key));
}

}  // namespace operation
