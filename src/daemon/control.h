// The daemon's end of the control socket. The same user, or root, asks for its status or for an
// upgrade. daemon/control_connection.h lists the messages.

#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/beast/core/basic_stream.hpp>
#include <boost/json/object.hpp>

#include "base/fd.h"
#include "base/result.h"
#include "base/task_scope.h"
#include "daemon/become.h"

namespace holdfast {

// How much the daemon serves.
struct ServedCounts {
  std::size_t sessions = 0;
  std::size_t terminals = 0;
  std::size_t connections = 0;
  std::size_t viewers = 0;
};
[[nodiscard]] boost::json::object status_line(const char* say, const ServedCounts& served);

class Control {
 public:
  struct Handlers {
    std::function<ServedCounts()> served;
    // Has the keeper listen on the successor's address, so that a failure shows before the upgrade.
    std::function<boost::asio::awaitable<base::Status>(std::string address)> prepare;
    // The upgrade was cancelled.
    std::function<boost::asio::awaitable<void>()> give_up;
    std::function<void()> leave;  // Called once, when `successor` is set.
  };

  // `arguments` are those of this process.
  Control(boost::asio::any_io_executor executor, std::vector<std::string> arguments,
          Handlers handlers);

  [[nodiscard]] base::Status listen(base::Fd socket);
  boost::asio::awaitable<void> stop();
  // Set once the program passed its trial and the command said `go`.
  std::optional<Successor> successor;

 private:
  using Protocol = boost::asio::local::stream_protocol;
  using Stream = boost::beast::basic_stream<Protocol>;

  // Serves one connection at a time, so there is only ever one upgrade.
  boost::asio::awaitable<void> accept();
  boost::asio::awaitable<void> converse(Stream stream);
  // A question, and the bytes received after it.
  struct Asked {
    boost::json::object line;
    std::string received;
  };
  struct Question;
  static const Question kQuestions[];
  boost::asio::awaitable<void> status(Stream stream, Asked asked);
  // Opens the program and tries it out.
  boost::asio::awaitable<base::Result<std::shared_ptr<base::Program>>> prepare(
      std::filesystem::path path);
  boost::asio::awaitable<void> upgrade(Stream stream, Asked asked);

  boost::asio::any_io_executor executor_;
  std::vector<std::string> arguments_;
  Handlers handlers_;
  Protocol::acceptor acceptor_;
  base::TaskScope tasks_;
};

}  // namespace holdfast
