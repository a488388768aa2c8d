#include "cli/open_store.h"

#include "session/store_path.h"

namespace cli {

base::Result<session::Store> open_store(const std::filesystem::path& state_dir) {
  return session::Store::open(
      session::store_path(std::filesystem::absolute(state_dir)),
      {.busy_timeout = std::chrono::seconds(5), .on_corrupt = session::OnCorrupt::fail});
}

}  // namespace cli
