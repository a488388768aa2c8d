// The API's operations about the commands of shells.

#include "http/api_calls.h"
#include "operation/describe.h"
#include "wire/json_writer.h"

namespace http::api {

using boost::asio::awaitable;
using operation::Caller;
using operation::Offset;
using operation::Operations;
using std::chrono::milliseconds;

namespace {

std::string_view to_string(operation::Execution::Outcome outcome) {
  using Outcome = operation::Execution::Outcome;
  switch (outcome) {
    case Outcome::ended:
      return "ended";
    case Outcome::running:
      return "running";
    case Outcome::refused:
      return "refused";
    case Outcome::incomplete:
      return "incomplete";
    case Outcome::exited:
      return "exited";
  }
  return "";
}

Answer encoded(const base::Result<operation::Execution>& execution) {
  if (!execution) return base::fail(execution.error());
  std::string out;
  wire::JsonWriter(out)
      .begin_object()
      .field("outcome", to_string(execution->outcome))
      .field("offset", execution->offset)
      .field("next", execution->next)
      .field("exitCode", execution->exit_code)
      .field("output", execution->output)
      .field("leftOut", execution->left_out)
      .end_object();
  return out;
}

}  // namespace

awaitable<Answer> commands(Operations& operations, Caller caller, ApiArguments arguments) {
  operation::CommandsRequest request;
  if (const auto since = arguments.number("since")) request.since = static_cast<Offset>(*since);
  if (const auto limit = arguments.number("limit"))
    request.limit = static_cast<std::size_t>(*limit);
  const auto list =
      co_await operations.commands().list(std::move(caller), *arguments.text("terminal"), request);
  if (!list) co_return base::fail(list.error());
  co_return wire::native::to_json(operation::describe(*list));
}

awaitable<Answer> exec(Operations& operations, Caller caller, ApiArguments arguments) {
  operation::ExecRequest request{.command = *arguments.text("text")};
  if (const auto timeout = arguments.number("timeout")) request.timeout = milliseconds(*timeout);
  request.key = arguments.text("idempotencyKey").value_or("");
  request.until_output = arguments.flag("untilOutput");
  take_conditions(arguments, request);
  const auto execution = co_await operations.commands().exec(
      std::move(caller), *arguments.text("terminal"), std::move(request));
  co_return encoded(execution);
}

awaitable<Answer> follow(Operations& operations, Caller caller, ApiArguments arguments) {
  constexpr std::int64_t kStandard = 30'000;
  const milliseconds timeout(arguments.number("timeout").value_or(kStandard));
  operation::FollowRequest request{.since = static_cast<Offset>(*arguments.number("since")),
                                   .until = std::chrono::steady_clock::now() + timeout};
  if (const auto from = arguments.number("from")) request.from = static_cast<Offset>(*from);
  const auto execution = co_await operations.commands().follow(
      std::move(caller), *arguments.text("terminal"), request);
  co_return encoded(execution);
}

}  // namespace http::api
