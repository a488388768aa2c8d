// The native protocol's requests about what terminals show.

#include "http/native_client.h"
#include "operation/describe.h"

namespace http {

namespace native = wire::native;
using boost::asio::awaitable;

awaitable<void> NativeClient::handle(Id id, native::CommandOutputOf request) {
  const auto output = operations_.commands().output(
      caller_, operation::Target::exactly(request.terminal_id), request.start);
  if (!output) co_return refuse(output.error(), id);
  send(native::command_output(id, request.terminal_id, request.start, output->text,
                              output->missing));
}

// It may take long; other requests do not wait for it.
awaitable<void> NativeClient::handle(Id id, native::Search request) {
  operation::SearchRequest wanted{.pattern = std::move(request.pattern),
                                  .options = {.ignore_case = request.ignore_case,
                                              .word = request.word,
                                              .literal = request.literal},
                                  .session = std::move(request.session)};
  if (request.limit) wanted.most = *request.limit;
  if (id) wanted.asker = searches_[id->json] = std::make_shared<char>();
  waiting_.spawn([this, id, wanted = std::move(wanted)]() -> awaitable<void> {
    const auto found = co_await operations_.output().search(caller_, wanted);
    if (id) searches_.erase(id->json);
    if (!found) co_return refuse(found.error(), id);
    send(native::found(id, operation::describe(*found)));
  });
  co_return;
}

}  // namespace http
