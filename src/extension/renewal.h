// The daemon was restarted with another `node` setting. The previous daemon's runner is replaced by
// one on the new Node, unless something would be lost.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "extension/extensions_by_session.h"
#include "extension/runners.h"

namespace extension {

class Renewal {
 public:
  Renewal(ExtensionsBySession& by_session, Runners& runners)
      : by_session_(by_session), runners_(runners) {}

  // Returns the sessions that it closed; they must be opened again.
  boost::asio::awaitable<std::vector<SessionExtensionsPtr>> renew(Runner& runner);

 private:
  [[nodiscard]] std::vector<SessionExtensionsPtr> sessions_of(const Runner& runner) const;
  [[nodiscard]] std::optional<std::string> keeps_runner(const Runner& runner,
                                                        const base::Result<Node>& node) const;
  void remark(Runner& runner, const std::string& text);
  boost::asio::awaitable<std::vector<SessionExtensionsPtr>> close_for_replacement(Runner& runner);

  ExtensionsBySession& by_session_;
  Runners& runners_;
};

}  // namespace extension
