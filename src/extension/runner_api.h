// What a runner may ask of the daemon, and what it may tell it (docs/extensions.md). Runners has
// made sure that the other side is a runner.
//
// Invariants
// 1. A call from code of an old generation is refused and has no effect.
// 2. A handler touches nothing of another session, and no process of another extension.

#pragma once

#include <string>
#include <string_view>

#include <boost/asio/awaitable.hpp>
#include <boost/json/object.hpp>

#include "extension/calls.h"
#include "extension/extensions_by_session.h"
#include "extension/loading.h"
#include "extension/runner_methods.h"

namespace extension {

class RunnerApi {
 public:
  // All of them outlive it.
  RunnerApi(ExtensionsBySession& by_session, Loading& loading, Calls& calls, MethodParts parts)
      : by_session_(by_session), loading_(loading), calls_(calls), parts_(parts) {}

  boost::asio::awaitable<MethodAnswer> request(std::string method, boost::json::object params);
  void notified(std::string_view method, const boost::json::object& params);

 private:
  using Notification = void (RunnerApi::*)(const SessionExtensionsPtr& extensions,
                                           const boost::json::object& params);
  struct Notice;
  static const Notice kNotices[];

  [[nodiscard]] base::Result<Caller> caller_of(const boost::json::object& params);
  boost::asio::awaitable<MethodAnswer> reload(SessionExtensionsPtr extensions);
  void worker_ended(const SessionExtensionsPtr& extensions, const boost::json::object& params);
  void children(const SessionExtensionsPtr& extensions, const boost::json::object& params);
  void log(const SessionExtensionsPtr& extensions, const boost::json::object& params);
  void withdraw(const SessionExtensionsPtr& extensions, const boost::json::object& params);
  void loaded(const SessionExtensionsPtr& extensions, const boost::json::object& params);
  void resource(const SessionExtensionsPtr& extensions, const boost::json::object& params);
  void registered(const SessionExtensionsPtr& extensions, const boost::json::object& params);

  ExtensionsBySession& by_session_;
  Loading& loading_;
  Calls& calls_;
  MethodParts parts_;
};

}  // namespace extension
