// The daemon was restarted with another `node` setting. The previous daemon's runner is replaced by
// one on the new Node, unless something would be lost.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "extension/runners.h"
#include "extension/spaces.h"

namespace extension {

class Renewal {
 public:
  Renewal(Spaces& spaces, Runners& runners) : spaces_(spaces), runners_(runners) {}

  // Returns the sessions that it closed; they must be opened again.
  boost::asio::awaitable<std::vector<SpacePtr>> renew(Runner& runner);

 private:
  [[nodiscard]] std::vector<SpacePtr> spaces_in(const Runner& runner) const;
  [[nodiscard]] std::optional<std::string> keeps_runner(const Runner& runner,
                                                        const base::Result<Node>& node) const;
  void remark(Runner& runner, const std::string& text);
  boost::asio::awaitable<std::vector<SpacePtr>> close_for_replacement(Runner& runner);

  Spaces& spaces_;
  Runners& runners_;
};

}  // namespace extension
