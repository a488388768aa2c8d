// The API's operations about the extensions of a session.

#include <boost/json.hpp>

#include "base/time_text.h"
#include "http/api_calls.h"

namespace http::api {

namespace json = boost::json;
using boost::asio::awaitable;
using operation::Caller;
using operation::Operations;

namespace {

json::object described(const operation::ExtensionOperations::OfferedTool& offered) {
  const auto& [extension, tool] = offered;
  json::object about{
      {"name", tool.name}, {"extension", extension}, {"parameters", tool.parameters}};
  if (tool.description) about["description"] = *tool.description;
  return about;
}

json::object described(const operation::ResourceInfo& resource) {
  return {{"extension", resource.extension},
          {"key", resource.key},
          {"state", resource.state},
          {"description", resource.description},
          {"pids", json::value_from(resource.pids)},
          {"createdAt", base::utc_milliseconds(resource.created_at)}};
}

template <class Thing>
Answer all_of(const char* name, const base::Result<std::vector<Thing>>& things) {
  if (!things) return base::fail(things.error());
  json::array all;
  for (const Thing& thing : *things) all.push_back(described(thing));
  return json::serialize(json::object{{name, std::move(all)}});
}

}  // namespace

awaitable<Answer> tools(Operations& operations, Caller caller, ApiArguments arguments) {
  co_return all_of("tools", operations.extensions().tools(caller, *arguments.text("session")));
}

awaitable<Answer> resources(Operations& operations, Caller caller, ApiArguments arguments) {
  co_return all_of("resources",
                   operations.extensions().resources(caller, *arguments.text("session")));
}

awaitable<Answer> call_tool(Operations& operations, Caller caller, ApiArguments arguments) {
  auto& extensions = operations.extensions();
  auto given = arguments.object("arguments");
  const auto result =
      co_await extensions.call_tool(caller, *arguments.text("session"), *arguments.text("tool"),
                                    std::move(given), extensions.begin(caller));
  if (!result && result.error().code != base::Code::io) co_return base::fail(result.error());
  // The tool has thrown: the daemon did what it was asked to.
  if (!result) co_return json::serialize(json::object{{"error", result.error().message()}});
  co_return json::serialize(json::object{{"result", *result}});
}

awaitable<Answer> run(Operations& operations, Caller caller, ApiArguments arguments) {
  auto& extensions = operations.extensions();
  const auto outcome = co_await extensions.run(caller, *arguments.text("session"),
                                               *arguments.text("line"), extensions.begin(caller));
  if (!outcome && outcome.error().code != base::Code::io) co_return base::fail(outcome.error());
  if (!outcome) co_return json::serialize(json::object{{"error", outcome.error().message()}});
  json::object answer;
  if (outcome->text) answer["text"] = *outcome->text;
  if (outcome->exit_code) answer["exitCode"] = *outcome->exit_code;
  if (outcome->session) answer["session"] = *outcome->session;
  co_return json::serialize(answer);
}

}  // namespace http::api
