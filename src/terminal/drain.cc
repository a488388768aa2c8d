#include "terminal/drain.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "base/log.h"

namespace terminal {

namespace asio = boost::asio;

asio::awaitable<void> drain(std::shared_ptr<AttachedChild> child) {
  journal::Consumer& journal = child->journal;
  auto data = base::duplicate(journal.data_fd());
  if (!data) {
    base::log(base::Level::error, "a journal cannot be watched", {{"error", data.error()}});
    co_return;
  }
  asio::posix::stream_descriptor wakeup(co_await asio::this_coro::executor, data->release());
  for (;;) {
    const journal::Offset produced = journal.produced();
    if (auto advanced = journal.advance(produced); !advanced) {
      base::log(base::Level::error, "a journal cannot be consumed", {{"error", advanced.error()}});
      co_return;
    }
    if (journal.ended() && produced == journal.produced()) co_return;
    if (!journal.sleep(produced)) continue;
    // Read, not only waited for: Asio looks again whenever it is asked to wait, and would find the
    // old count.
    std::uint64_t count = 0;
    const auto [error, size] = co_await wakeup.async_read_some(asio::buffer(&count, sizeof count),
                                                               asio::as_tuple(asio::use_awaitable));
    if (error) co_return;
  }
}

}  // namespace terminal
