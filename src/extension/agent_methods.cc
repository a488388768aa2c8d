// What extensions ask of the session's agent.

#include "extension/params.h"
#include "extension/runner_methods.h"

namespace extension {

namespace json = boost::json;
using boost::asio::awaitable;

namespace {

awaitable<MethodAnswer> call(MethodParts, Caller caller, json::object message) {
  Params params(message);
  const std::string name = params.text("name");
  if (auto fault = params.fault(); !fault) co_return base::fail(fault.error());
  const json::value given = params.value("params");
  json::object to_pass = given.is_object() ? given.get_object() : json::object();
  co_return co_await caller.extensions->agent.call(caller.extensions->session.name, name,
                                                   std::move(to_pass));
}

}  // namespace

std::vector<Method> agent_methods() {
  return {{"agent.call", call}};
}

}  // namespace extension
