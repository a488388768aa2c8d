#include "operation/file_operations.h"

#include <algorithm>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "base/log.h"

namespace operation {

namespace asio = boost::asio;
using asio::awaitable;

namespace {

constexpr std::size_t kRemembered = 1000;

// The same on another thread. The work has a name where it is made: g++ 12 destroys the captures of
// an unnamed one in an awaited expression twice.
template <class Work>
awaitable<std::invoke_result_t<Work>> on(asio::thread_pool& thread, Work work) {
  using Outcome = std::invoke_result_t<Work>;
  auto run = [work = std::move(work)]() mutable -> awaitable<Outcome> { co_return work(); };
  co_return co_await asio::co_spawn(thread, std::move(run), asio::use_awaitable);
}

base::Error too_large(std::uint64_t largest) {
  return {
      .code = base::Code::too_large,
      .what = "the file is larger than " + std::to_string(largest >> 20) + " MiB (file_size_limit)",
      .advice = "Compress or split it."};
}

}  // namespace

base::Result<FileOperations::Place> FileOperations::place_of(const Caller& caller,
                                                             const Target& target) const {
  if (auto allowed = caller.may_change(); !allowed) return base::fail(allowed.error());
  if (!settings_.is_on)
    return base::fail(base::Code::permission_denied, "files are turned off on this daemon",
                      "Start it with --files true.");
  if (settings_.has_accounts)
    return base::fail(base::Code::unsupported,
                      "files cannot be moved while users have their own accounts (user_accounts)",
                      "Use scp or sftp.");
  const auto entry = finder_.find(caller, target);
  if (!entry) return base::fail(entry.error());
  // Other terminals of the session have the same folder.
  if (!caller.reach.has((*entry)->session))
    return base::fail(base::Code::permission_denied, "this credential is bound to some terminals",
                      "Use one that was made without --terminal.");
  Place place{.folder = sessions_.logins().directory_of((*entry)->session), .directory = {}};
  if ((*entry)->is_alive()) place.directory = (*entry)->terminal->working_directory();
  return place;
}

const Received* FileOperations::find_finished(const session::UserId& user,
                                              std::string_view id) const {
  const auto found = std::ranges::find_if(
      finished_, [&](const Finished& each) { return each.user == user && each.id == id; });
  return found == finished_.end() ? nullptr : &found->received;
}

void FileOperations::remember(const Caller& caller, const Upload& upload,
                              const Received& received) {
  base::log(base::Level::info, "a file was uploaded",
            {{"path", received.path}, {"size", upload.size}, {"asker", caller.permit.asker()}});
  if (finished_.size() == kRemembered) finished_.pop_front();
  finished_.push_back({.user = caller.reach.user, .id = upload.id, .received = received});
}

awaitable<base::Result<Received>> FileOperations::add(Caller caller, Target target, Upload upload,
                                                      std::uint64_t offset, std::string piece) {
  const auto place = place_of(caller, target);
  if (!place) co_return base::fail(place.error());
  if (auto good = check_upload_id(upload.id); !good) co_return base::fail(good.error());
  if (auto good = check_file_name(upload.name); !good) co_return base::fail(good.error());
  if (upload.size > settings_.largest) co_return base::fail(too_large(settings_.largest));
  auto work = [this, path = place->folder, caller, upload = std::move(upload), offset,
               piece = std::move(piece)]() -> base::Result<Received> {
    if (const Received* const finished = find_finished(caller.reach.user, upload.id))
      return *finished;
    const auto folder = Folder::open(path);
    if (!folder) return base::fail(folder.error());
    if (offset == 0) folder->tidy();
    const auto received = folder->add(upload, offset, piece);
    if (received && !received->path.empty()) remember(caller, upload, *received);
    return received;
  };
  co_return co_await on(thread_, std::move(work));
}

awaitable<base::Result<Received>> FileOperations::received(Caller caller, Target target,
                                                           std::string id) {
  const auto place = place_of(caller, target);
  if (!place) co_return base::fail(place.error());
  if (auto good = check_upload_id(id); !good) co_return base::fail(good.error());
  auto work = [this, path = place->folder, user = caller.reach.user,
               id = std::move(id)]() -> base::Result<Received> {
    if (const Received* const finished = find_finished(user, id)) return *finished;
    const auto folder = Folder::open(path);
    if (!folder) return base::fail(folder.error());
    return folder->received(id);
  };
  co_return co_await on(thread_, std::move(work));
}

awaitable<base::Status> FileOperations::drop(Caller caller, Target target, std::string id) {
  const auto place = place_of(caller, target);
  if (!place) co_return base::fail(place.error());
  if (auto good = check_upload_id(id); !good) co_return base::fail(good.error());
  auto work = [path = place->folder, id = std::move(id)]() -> base::Status {
    const auto folder = Folder::open(path);
    if (!folder) return base::fail(folder.error());
    return folder->drop(id);
  };
  co_return co_await on(thread_, std::move(work));
}

awaitable<base::Result<std::shared_ptr<FoundFile>>> FileOperations::find(Caller caller,
                                                                         Target target,
                                                                         std::string path) {
  const auto place = place_of(caller, target);
  if (!place) co_return base::fail(place.error());
  auto work = [place = *place, path]() -> base::Result<std::shared_ptr<FoundFile>> {
    const auto folder = Folder::open(place.folder);
    if (!folder) return base::fail(folder.error());
    auto file = folder->find(path, place.directory);
    if (!file) return base::fail(file.error());
    return std::make_shared<FoundFile>(*std::move(file));
  };
  auto found = co_await on(thread_, std::move(work));
  if (found)
    base::log(base::Level::info, "a file is downloaded",
              {{"path", path}, {"size", (*found)->size}, {"asker", caller.permit.asker()}});
  co_return found;
}

awaitable<base::Result<std::string>> FileOperations::read(std::shared_ptr<FoundFile> file,
                                                          std::uint64_t offset, std::size_t most) {
  auto work = [file = std::move(file), offset, most] {
    return read_piece(file->file, offset, most);
  };
  co_return co_await on(thread_, std::move(work));
}

}  // namespace operation
