// What can be asked about terminals as a whole.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "base/result.h"
#include "operation/target.h"
#include "session/sessions.h"
#include "wire/native_events.h"

namespace operation {

using wire::native::TerminalInfo;

class TerminalOperations {
 public:
  TerminalOperations(boost::asio::any_io_executor executor, session::Sessions& sessions,
                     const Finder& finder)
      : executor_(executor), sessions_(sessions), finder_(finder) {}

  boost::asio::awaitable<base::Result<std::vector<TerminalInfo>>> list(
      Caller caller, std::optional<std::string> session);
  [[nodiscard]] base::Result<TerminalInfo> show(const Caller& caller, const Target& target);
  boost::asio::awaitable<base::Result<TerminalInfo>> create(Caller caller,
                                                            session::TerminalSpec spec);
  boost::asio::awaitable<base::Result<TerminalInfo>> restore(Caller caller, Target target,
                                                             std::optional<std::uint16_t> rows,
                                                             std::optional<std::uint16_t> cols);
  // An empty name takes it away.
  [[nodiscard]] base::Result<TerminalInfo> rename(const Caller& caller, const Target& target,
                                                  std::string name);
  // Puts these first. Returns the ids of all in their new order.
  boost::asio::awaitable<base::Result<std::vector<std::string>>> reorder(
      Caller caller, std::vector<std::string> ids);
  boost::asio::awaitable<base::Result<TerminalInfo>> resize(Caller caller, Target target,
                                                            vt::Size size);
  // What the program in the terminal says of itself (notify.cc).
  [[nodiscard]] base::Result<TerminalInfo> notify(const Caller& caller, const Target& target,
                                                  terminal::Report report);
  boost::asio::awaitable<base::Result<session::Closed>> close(Caller caller, Target target);

 private:
  boost::asio::any_io_executor executor_;
  session::Sessions& sessions_;
  const Finder& finder_;
};

}  // namespace operation
