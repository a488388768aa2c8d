// What each operation of the API does with its arguments: calls the operation, and encodes the
// answer as JSON.

#pragma once

#include <string>

#include <boost/asio/awaitable.hpp>

#include "base/result.h"
#include "http/api.h"

namespace http::api {

using Answer = base::Result<std::string>;

boost::asio::awaitable<Answer> document(operation::Operations& operations, operation::Caller caller,
                                        ApiArguments arguments);
boost::asio::awaitable<Answer> list(operation::Operations& operations, operation::Caller caller,
                                    ApiArguments arguments);
boost::asio::awaitable<Answer> show(operation::Operations& operations, operation::Caller caller,
                                    ApiArguments arguments);
boost::asio::awaitable<Answer> create(operation::Operations& operations, operation::Caller caller,
                                      ApiArguments arguments);
boost::asio::awaitable<Answer> restore(operation::Operations& operations, operation::Caller caller,
                                       ApiArguments arguments);
boost::asio::awaitable<Answer> rename(operation::Operations& operations, operation::Caller caller,
                                      ApiArguments arguments);
boost::asio::awaitable<Answer> resize(operation::Operations& operations, operation::Caller caller,
                                      ApiArguments arguments);
boost::asio::awaitable<Answer> notify(operation::Operations& operations, operation::Caller caller,
                                      ApiArguments arguments);
boost::asio::awaitable<Answer> close(operation::Operations& operations, operation::Caller caller,
                                     ApiArguments arguments);
boost::asio::awaitable<Answer> send(operation::Operations& operations, operation::Caller caller,
                                    ApiArguments arguments);
boost::asio::awaitable<Answer> lease(operation::Operations& operations, operation::Caller caller,
                                     ApiArguments arguments);
boost::asio::awaitable<Answer> release(operation::Operations& operations, operation::Caller caller,
                                       ApiArguments arguments);
boost::asio::awaitable<Answer> capture(operation::Operations& operations, operation::Caller caller,
                                       ApiArguments arguments);
boost::asio::awaitable<Answer> wait(operation::Operations& operations, operation::Caller caller,
                                    ApiArguments arguments);
boost::asio::awaitable<Answer> search(operation::Operations& operations, operation::Caller caller,
                                      ApiArguments arguments);
boost::asio::awaitable<Answer> commands(operation::Operations& operations, operation::Caller caller,
                                        ApiArguments arguments);
boost::asio::awaitable<Answer> exec(operation::Operations& operations, operation::Caller caller,
                                    ApiArguments arguments);
boost::asio::awaitable<Answer> follow(operation::Operations& operations, operation::Caller caller,
                                      ApiArguments arguments);
// For requests that cannot be answered with a stream.
boost::asio::awaitable<Answer> events(operation::Operations& operations, operation::Caller caller,
                                      ApiArguments arguments);
boost::asio::awaitable<Answer> sessions(operation::Operations& operations, operation::Caller caller,
                                        ApiArguments arguments);
boost::asio::awaitable<Answer> create_session(operation::Operations& operations,
                                              operation::Caller caller, ApiArguments arguments);
boost::asio::awaitable<Answer> rename_session(operation::Operations& operations,
                                              operation::Caller caller, ApiArguments arguments);
boost::asio::awaitable<Answer> close_session(operation::Operations& operations,
                                             operation::Caller caller, ApiArguments arguments);
boost::asio::awaitable<Answer> tools(operation::Operations& operations, operation::Caller caller,
                                     ApiArguments arguments);
boost::asio::awaitable<Answer> call_tool(operation::Operations& operations,
                                         operation::Caller caller, ApiArguments arguments);
boost::asio::awaitable<Answer> resources(operation::Operations& operations,
                                         operation::Caller caller, ApiArguments arguments);
boost::asio::awaitable<Answer> run(operation::Operations& operations, operation::Caller caller,
                                   ApiArguments arguments);

// Requests whose arguments the API and MCP have in common. A terminal whose size is not given has
// the other one.
[[nodiscard]] session::TerminalSpec terminal_spec(const ApiArguments& arguments,
                                                  vt::Size otherwise);
[[nodiscard]] base::Result<operation::SendRequest> send_request(const ApiArguments& arguments);
// When input of any kind is refused.
template <class Request>
void take_conditions(const ApiArguments& arguments, Request& request) {
  request.lease = arguments.text("lease").value_or("");
  if (const auto idle = arguments.number("ifIdle"))
    request.if_idle = std::chrono::milliseconds(*idle);
}
[[nodiscard]] operation::WaitRequest wait_request(const ApiArguments& arguments);

}  // namespace http::api
