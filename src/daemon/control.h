// The daemon's end of the control socket: whoever is the same user, or root, asks how things are,
// or for an upgrade. daemon/line.h has the words.

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

// What a daemon has, in numbers.
struct Facts {
  std::size_t sessions = 0;
  std::size_t terminals = 0;
  std::size_t connections = 0;
};
[[nodiscard]] boost::json::object facts_line(const char* say, const Facts& facts);

class Control {
 public:
  struct Handlers {
    std::function<Facts()> facts;
    // Has the keeper listen where the successor will: if it cannot, better now than then.
    std::function<boost::asio::awaitable<base::Status>(std::string address)> prepare;
    // No successor comes after all.
    std::function<boost::asio::awaitable<void>()> give_up;
    std::function<void()> leave;  // Called once, when `successor` is there.
  };

  // `arguments` are those of this process.
  Control(boost::asio::any_io_executor executor, std::vector<std::string> arguments,
          Handlers handlers);

  [[nodiscard]] base::Status listen(base::Fd socket);
  boost::asio::awaitable<void> stop();
  // Set when everything was tried out and agreed on.
  std::optional<Successor> successor;

 private:
  using Protocol = boost::asio::local::stream_protocol;
  using Stream = boost::beast::basic_stream<Protocol>;

  // One after the other: nobody asks for an upgrade while one is under way.
  boost::asio::awaitable<void> accept();
  boost::asio::awaitable<void> converse(Stream stream);
  // What was asked, and what came behind it.
  struct Asked {
    boost::json::object line;
    std::string received;
  };
  struct Question;
  static const Question kQuestions[];
  boost::asio::awaitable<void> status(Stream stream, Asked asked);
  // Opens the program that is asked for and tries it out.
  boost::asio::awaitable<base::Result<std::shared_ptr<keeper::Program>>> prepare(
      std::filesystem::path path);
  boost::asio::awaitable<void> upgrade(Stream stream, Asked asked);

  boost::asio::any_io_executor executor_;
  std::vector<std::string> arguments_;
  Handlers handlers_;
  Protocol::acceptor acceptor_;
  base::TaskScope tasks_;
};

}  // namespace holdfast
