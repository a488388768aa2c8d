// Values that an extension keeps in the store.

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "extension/params.h"
#include "extension/rpc.h"
#include "extension/runner_methods.h"

namespace extension {

using boost::asio::awaitable;

namespace {

awaitable<MethodAnswer> get(MethodParts parts, Caller caller, json::object message) {
  Params params(message);
  const std::string key = params.text("key");
  if (auto fault = params.fault(); !fault) co_return base::fail(fault.error());
  auto value = parts.store.extensions().state(caller.key, key);
  if (!value) co_return base::fail(value.error());
  if (!*value) co_return json::value(nullptr);
  boost::system::error_code error;
  json::value parsed = json::parse(**value, error, {}, kDeepNesting);
  if (error)
    co_return base::fail(base::Code::corrupt, "the stored value of " + key + " is damaged");
  co_return parsed;
}

awaitable<MethodAnswer> set(MethodParts parts, Caller caller, json::object message) {
  Params params(message);
  const std::string key = params.text("key");
  if (auto fault = params.fault(); !fault) co_return base::fail(fault.error());
  if (auto set = parts.store.extensions().set_state(caller.key, key,
                                                    json::serialize(params.value("value")));
      !set)
    co_return base::fail(set.error());
  co_return json::value(nullptr);
}

awaitable<MethodAnswer> remove(MethodParts parts, Caller caller, json::object message) {
  Params params(message);
  const std::string key = params.text("key");
  if (auto fault = params.fault(); !fault) co_return base::fail(fault.error());
  if (auto removed = parts.store.extensions().remove_state(caller.key, key); !removed)
    co_return base::fail(removed.error());
  co_return json::value(nullptr);
}

awaitable<MethodAnswer> keys(MethodParts parts, Caller caller, json::object) {
  auto keys = parts.store.extensions().state_keys(caller.key);
  if (!keys) co_return base::fail(keys.error());
  json::array list;
  for (const std::string& key : *keys) list.emplace_back(key);
  co_return json::value(std::move(list));
}

}  // namespace

std::vector<Method> state_methods() {
  return {{"state.get", get}, {"state.set", set}, {"state.delete", remove}, {"state.keys", keys}};
}

}  // namespace extension
