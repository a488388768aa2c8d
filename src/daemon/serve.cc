#include "daemon/serve.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include "base/log.h"
#include "base/process.h"
#include "daemon/accounts.h"
#include "daemon/check.h"
#include "daemon/daemon.h"
#include "daemon/log_file.h"
#include "keeper_client/start.h"
#include "session/store.h"
#include "session/store_path.h"

namespace holdfast {
namespace {

namespace asio = boost::asio;

// Older daemons kept a token in this file and printed it at every start.
void forget_token_file(const std::filesystem::path& state_dir) {
  if (std::error_code error; std::filesystem::remove(state_dir / "token", error))
    base::log(base::Level::warning, "Removed the old token file; its token no longer works",
              {{"advice", "Run `holdfast link` or `holdfast token new`"}});
}

// Returns the successor, if the daemon ended for an upgrade.
base::Result<std::optional<Successor>> run(const ServeOptions& options, Inherited& inherited) {
  const auto& state_dir = options.config.state_dir;
  auto store = session::Store::open(session::store_path(state_dir));
  if (!store) return base::fail(store.error());
  if (store->recovered_from())
    base::log(base::Level::error, "the database was damaged; starting with an empty one",
              {{"damaged", store->recovered_from()->string()}});
  forget_token_file(state_dir);

  asio::io_context io(1);
  Daemon daemon(io, options, inherited, std::move(*store));
  base::Status outcome;
  asio::co_spawn(
      io, [&daemon] { return daemon.run(); },
      [&outcome](const std::exception_ptr& error, base::Status status) {
        if (error) std::rethrow_exception(error);
        outcome = std::move(status);
      });
  io.run();
  if (!outcome) return base::fail(outcome.error());
  return daemon.take_successor();
}

}  // namespace

base::Status serve(const ServeOptions& options, Inherited& inherited) {
  base::close_to_debuggers();
  bound_log_file(options.config.state_dir);
  const auto& runtime_dir = options.config.runtime_dir;
  if (auto can = check_accounts(options.config); !can) return can;
  // Fail before starting a keeper, which would hold sockets for nobody.
  if (auto usable = check_files(options.config); !usable) return usable;
  const auto keeper = options.config.start_keeper
                          ? keeper::ensure_keeper(runtime_dir, keeper::keeper_program())
                          : keeper::await_keeper(runtime_dir);
  if (!keeper) return base::fail(keeper.error());
  auto ended = run(options, inherited);
  if (!ended && *keeper == keeper::Reached::started) keeper::end_idle_keeper(runtime_dir);
  if (!ended) return base::fail(ended.error());
  if (!*ended) return {};
  return base::fail(become(std::move(**ended), options.arguments));
}

}  // namespace holdfast
