// sequence_checker RUNTIME_DIR ID: a daemon that consumes one child's output and compares it with
// the known sequence.
//
// It begins where the last one stopped consuming, checks, then consumes: so when many of them are
// killed one after the other, every byte was right or one of them has said where it was not. Exits
// with 0 at the end of the output.

#include <cstdio>
#include <cstdlib>

#include <boost/asio/io_context.hpp>

#include "keeper_client/client.h"
#include "programs/sequence.h"
#include "programs/sleeper.h"

namespace {

namespace asio = boost::asio;

[[noreturn]] void fail(const std::string& why) {
  std::fprintf(stderr, "sequence_checker: %s\n", why.c_str());
  std::exit(1);
}

void check(journal::Consumer& journal) {
  const Sleeper sleeper(journal.data_fd());
  journal::Offset offset = journal.consumed();
  for (;;) {
    const auto bytes = journal.view(offset, 1 << 20);
    if (!bytes) fail(bytes.error().message());
    if (const auto good = sequence::mismatch(*bytes, offset); good != bytes->size())
      fail("wrong byte at offset " + std::to_string(offset + good));
    if (!journal.intact(offset)) fail("overwritten before it was consumed");
    offset += bytes->size();
    if (auto advanced = journal.advance(offset); !advanced) fail(advanced.error().message());
    if (journal.ended() && offset == journal.produced()) return;
    if (journal.sleep(offset)) sleeper.wait();
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) fail("usage: sequence_checker RUNTIME_DIR ID");
  asio::io_context io;
  keeper::KeeperClient keeper(io.get_executor(), argv[1], {});
  std::optional<keeper::AttachedChild> child;
  asio::co_spawn(
      io,
      [&]() -> asio::awaitable<void> {
        auto started = co_await keeper.start(keeper::Takeover::no);
        if (!started) fail(started.error().message());
        keeper::ChildId id(argv[2]);
        auto attached = co_await keeper.attach(std::move(id));
        if (!attached) fail(attached.error().message());
        child.emplace(std::move(*attached));
      },
      [](const std::exception_ptr& error) {
        if (error) std::rethrow_exception(error);
      });
  while (!child) io.run_one();
  check(child->journal);
  std::printf("%llu\n", static_cast<unsigned long long>(child->journal.consumed()));
  std::fflush(stdout);
  std::_Exit(0);  // The connection goes with the process, as a killed one's would.
}
