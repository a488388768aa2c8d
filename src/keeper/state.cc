#include "keeper/state.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/log.h"
#include "journal/memory.h"

namespace keeper {

base::Result<base::Fd> write_state(const std::vector<Message>& messages) {
  base::Fd state(::memfd_create("holdfast-keeper-state", MFD_CLOEXEC));
  if (!state) return base::fail(base::errno_error(errno, "create a file for the keeper's state"));
  std::vector<std::byte> bytes;
  for (const Message& message : messages) {
    const auto encoded = message.encode();
    const auto length = static_cast<std::uint32_t>(encoded.size());
    const auto* begin = reinterpret_cast<const std::byte*>(&length);
    bytes.insert(bytes.end(), begin, begin + sizeof length);
    bytes.insert(bytes.end(), encoded.begin(), encoded.end());
  }
  if (::write(state.get(), bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size()))
    return base::fail(base::errno_error(errno, "write the keeper's state"));
  return state;
}

base::Result<std::vector<Message>> read_state(const base::Fd& state) {
  struct stat status{};
  if (::fstat(state.get(), &status) < 0)
    return base::fail(base::errno_error(errno, "check the keeper's state"));
  std::vector<std::byte> bytes(static_cast<std::size_t>(status.st_size));
  if (::pread(state.get(), bytes.data(), bytes.size(), 0) != status.st_size)
    return base::fail(base::errno_error(errno, "read the keeper's state"));
  std::vector<Message> messages;
  for (std::span<const std::byte> rest = bytes; !rest.empty();) {
    std::uint32_t length = 0;
    if (rest.size() < sizeof length)
      return base::fail(base::Code::corrupt, "the keeper's state is truncated");
    std::memcpy(&length, rest.data(), sizeof length);
    rest = rest.subspan(sizeof length);
    if (length > rest.size())
      return base::fail(base::Code::corrupt, "the keeper's state is truncated");
    auto message = Message::decode(rest.first(length));
    if (!message) return base::fail(message.error());
    messages.push_back(std::move(*message));
    rest = rest.subspan(length);
  }
  if (messages.empty() || messages.front().tag() != Tag::saved_keeper)
    return base::fail(base::Code::corrupt,
                      "the keeper's state does not start with the keeper's own record");
  return messages;
}

base::Status check_state(const std::vector<Message>& saved) {
  for (const Message& message : saved) {
    if (message.tag() != Tag::saved_child) continue;
    const std::string id = message.text(Field::id);
    if (message.number_or(Field::kind, 0) > static_cast<std::uint64_t>(Kind::process))
      return base::fail(base::Code::unsupported,
                        "this keeper does not support the kind of the child '" + id + "'");
    const auto number = message.number(Field::fd_memory);
    if (!number || ::fcntl(static_cast<int>(*number), F_GETFD) < 0) continue;
    const base::Fd journal(static_cast<int>(*number));
    if (auto known = journal::check_memory(journal); !known)
      return base::fail(known.error().code, "the journal of '" + id + "': " + known.error().what);
  }
  return {};
}

base::Fd adopt(const Message& saved, Field field) {
  const auto number = saved.number(field);
  if (!number) return {};
  base::Fd fd(static_cast<int>(*number));
  if (auto set = base::set_on_exec(fd, base::OnExec::close); !set) {
    base::log(base::Level::error, "lost a descriptor in the upgrade", {{"fd", *number}});
    (void)fd.release();
    return {};
  }
  return fd;
}

}  // namespace keeper
