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
boost::asio::awaitable<Answer> close(operation::Operations& operations, operation::Caller caller,
                                     ApiArguments arguments);
boost::asio::awaitable<Answer> send(operation::Operations& operations, operation::Caller caller,
                                    ApiArguments arguments);
boost::asio::awaitable<Answer> capture(operation::Operations& operations, operation::Caller caller,
                                       ApiArguments arguments);
boost::asio::awaitable<Answer> wait(operation::Operations& operations, operation::Caller caller,
                                    ApiArguments arguments);
boost::asio::awaitable<Answer> sessions(operation::Operations& operations, operation::Caller caller,
                                        ApiArguments arguments);
boost::asio::awaitable<Answer> create_session(operation::Operations& operations,
                                              operation::Caller caller, ApiArguments arguments);
boost::asio::awaitable<Answer> rename_session(operation::Operations& operations,
                                              operation::Caller caller, ApiArguments arguments);
boost::asio::awaitable<Answer> close_session(operation::Operations& operations,
                                             operation::Caller caller, ApiArguments arguments);

}  // namespace http::api
