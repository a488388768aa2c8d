#include "operation/folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <memory>

#include "base/printable.h"
#include "base/utf8.h"

namespace operation {
namespace {

constexpr std::string_view kHidden = ".holdfast-upload-";
constexpr std::size_t kShortestId = 16;
constexpr std::size_t kLongestId = 64;
constexpr std::size_t kLongestEnding = 16;
constexpr int kMostOfOneName = 1000;
constexpr std::chrono::hours kKept{24};
constexpr std::string_view kMakeRoom = "Free some disk space, then send the rest.";

std::string hidden_name(std::string_view id) {
  return std::string(kHidden).append(id);
}

bool is_letter_or_digit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

base::Result<struct stat> status_of(const base::Fd& file, const std::string& name) {
  struct stat status{};
  if (::fstat(file.get(), &status) == 0) return status;
  return base::fail(base::errno_error(errno, "look at " + name));
}

base::Status write_all(const base::Fd& file, std::uint64_t offset, std::string_view bytes,
                       const std::string& name) {
  while (!bytes.empty()) {
    const ssize_t written =
        ::pwrite(file.get(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return base::fail(base::errno_error(errno, "write " + name, kMakeRoom));
    bytes.remove_prefix(static_cast<std::size_t>(written));
    offset += static_cast<std::uint64_t>(written);
  }
  return {};
}

// "name.png" becomes "name-2.png".
std::string numbered(const std::string& name, int number) {
  if (number == 1) return name;
  std::size_t dot = name.rfind('.');
  if (dot == std::string::npos || dot == 0 || name.size() - dot > kLongestEnding) dot = name.size();
  const std::string ending = "-" + std::to_string(number) + name.substr(dot);
  return std::string(base::cut_utf8(name.substr(0, dot), NAME_MAX - ending.size())) + ending;
}

// Renames, but replaces nothing. Some file systems, such as NFS, can do that only with links.
bool rename_to_free(const base::Fd& dir, const std::string& from, const std::string& to) {
  if (::renameat2(dir.get(), from.c_str(), dir.get(), to.c_str(), RENAME_NOREPLACE) == 0)
    return true;
  if (errno != EINVAL) return false;
  if (::linkat(dir.get(), from.c_str(), dir.get(), to.c_str(), 0) < 0) return false;
  ::unlinkat(dir.get(), from.c_str(), 0);  // If this fails, `tidy` does it.
  return true;
}

base::Error elsewhere(std::string_view path, const std::string& folder) {
  return {.code = base::Code::permission_denied,
          .what = base::printable(path) + " is not in " + base::printable(folder),
          .advice = "Only files in the session's folder can be downloaded."};
}

base::Error cannot_open(int error, std::string_view path, const std::string& folder) {
  if (error == EXDEV || error == ELOOP) return elsewhere(path, folder);
  base::Error why = base::errno_error(error, "open " + base::printable(path));
  if (error == ENOENT || error == ENOTDIR) why.code = base::Code::not_found;
  if (error == EACCES) why.code = base::Code::permission_denied;
  if (error == ENAMETOOLONG) why.code = base::Code::invalid_argument;
  return why;
}

// Where the descriptor is.
base::Result<std::string> path_of(int fd) {
  std::array<char, PATH_MAX> path{};
  const ssize_t size =
      ::readlink(("/proc/self/fd/" + std::to_string(fd)).c_str(), path.data(), path.size());
  if (size < 0) return base::fail(base::errno_error(errno, "find a folder's path"));
  return std::string(path.data(), static_cast<std::size_t>(size));
}

bool can_be_typed(std::string_view text) {
  return base::printable(text) == text && text.find('\\') == std::string_view::npos;
}

std::string version_of(const struct stat& status) {
  return std::to_string(status.st_ino) + "-" + std::to_string(status.st_size) + "-" +
         std::to_string(status.st_mtim.tv_sec) + "." + std::to_string(status.st_mtim.tv_nsec);
}

}  // namespace

base::Status check_upload_id(std::string_view id) {
  if (id.size() >= kShortestId && id.size() <= kLongestId &&
      std::ranges::all_of(id, is_letter_or_digit))
    return {};
  return base::fail(base::Code::invalid_argument, "invalid upload id",
                    "Use 16 to 64 letters and digits, at random.");
}

base::Status check_file_name(std::string_view name) {
  constexpr const char* kRename = "Rename the file and try again.";
  if (name.empty() || name.size() > NAME_MAX || name.find('/') != std::string_view::npos ||
      !can_be_typed(name))
    return base::fail(
        base::Code::invalid_argument,
        "the file's name is empty, longer than 255 bytes, or has a slash, a backslash "
        "or a character that cannot be shown",
        kRename);
  // A shell runs some of them when it starts. The page that a file was dragged from named it.
  if (name.starts_with('.'))
    return base::fail(base::Code::invalid_argument, "the file's name begins with a dot", kRename);
  return {};
}

base::Result<Folder> Folder::open(const std::string& path) {
  base::Fd dir(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!dir)
    return base::fail(
        base::errno_error(errno, "open the session's folder " + base::printable(path)));
  auto found = path_of(dir.get());
  if (!found) return base::fail(found.error());
  return Folder(std::move(dir), *std::move(found));
}

base::Result<base::Fd> Folder::open_upload(const std::string& id, int flags) const {
  const std::string name = hidden_name(id);
  base::Fd file(::openat(dir_.get(), name.c_str(),
                         flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0600));
  if (!file && errno == ENOENT)
    return base::fail(base::Code::not_found, "this upload is not known here", "Start it again.");
  if (!file) return base::fail(base::errno_error(errno, "open " + name));
  const auto status = status_of(file, name);
  if (!status) return base::fail(status.error());
  // Somebody else who may write into the folder can have made it.
  if (!S_ISREG(status->st_mode) || status->st_uid != ::geteuid() || status->st_nlink != 1)
    return base::fail(base::Code::permission_denied, name + " is not an upload",
                      "Remove it, or start the upload again.");
  return file;
}

base::Result<Received> Folder::add(const Upload& upload, std::uint64_t offset,
                                   std::string_view piece) const {
  if (!can_be_typed(path_))
    return base::fail(base::Code::unsupported,
                      "the path of the session's folder has a backslash or a character that cannot "
                      "be shown",
                      "Use a session in another folder.");
  if (offset > upload.size || piece.size() > upload.size - offset)
    return base::fail(base::Code::invalid_argument, "the file is longer than it was said to be",
                      "Start the upload again.");
  const auto file = open_upload(upload.id, offset == 0 ? O_WRONLY | O_CREAT : O_WRONLY);
  if (!file) return base::fail(file.error());
  const auto status = status_of(*file, upload.name);
  if (!status) return base::fail(status.error());
  if (static_cast<std::uint64_t>(status->st_size) != offset)
    return base::fail(base::Code::mismatch,
                      "the upload has " + std::to_string(status->st_size) + " bytes",
                      "Go on from there.");
  // A full disk is noticed before the first byte, where the file system can do that.
  if (offset == 0 && upload.size > 0 &&
      ::fallocate(file->get(), FALLOC_FL_KEEP_SIZE, 0, static_cast<off_t>(upload.size)) < 0 &&
      (errno == ENOSPC || errno == EDQUOT || errno == EFBIG)) {
    const base::Error full = base::errno_error(errno, "make room for " + upload.name,
                                               "Free some disk space and try again.");
    ::unlinkat(dir_.get(), hidden_name(upload.id).c_str(), 0);
    return base::fail(full);
  }
  if (auto written = write_all(*file, offset, piece, upload.name); !written)
    return base::fail(written.error());
  Received received{.offset = offset + piece.size(), .path = {}};
  if (received.offset < upload.size) return received;
  if (::fdatasync(file->get()) < 0)
    return base::fail(base::errno_error(errno, "flush " + upload.name, kMakeRoom));
  auto name = finish(upload);
  if (!name) return base::fail(name.error());
  received.path = (path_ == "/" ? "" : path_) + "/" + *name;
  return received;
}

base::Result<std::string> Folder::finish(const Upload& upload) const {
  for (int number = 1; number <= kMostOfOneName; ++number) {
    std::string name = numbered(upload.name, number);
    if (rename_to_free(dir_, hidden_name(upload.id), name)) return name;
    if (errno != EEXIST) return base::fail(base::errno_error(errno, "create " + name));
  }
  return base::fail(base::Code::already_exists,
                    "there are " + std::to_string(kMostOfOneName) + " files like " + upload.name,
                    "Rename the file and try again.");
}

base::Result<Received> Folder::received(const std::string& id) const {
  const auto file = open_upload(id, O_RDONLY);
  if (!file && file.error().code == base::Code::not_found) return Received();
  if (!file) return base::fail(file.error());
  const auto status = status_of(*file, id);
  if (!status) return base::fail(status.error());
  return Received{.offset = static_cast<std::uint64_t>(status->st_size), .path = {}};
}

base::Status Folder::drop(const std::string& id) const {
  const auto file = open_upload(id, O_RDONLY);  // Nothing else is removed.
  if (!file && file.error().code == base::Code::not_found) return {};
  if (!file) return base::fail(file.error());
  if (::unlinkat(dir_.get(), hidden_name(id).c_str(), 0) < 0 && errno != ENOENT)
    return base::fail(base::errno_error(errno, "remove " + hidden_name(id)));
  return {};
}

void Folder::tidy() const {
  const int again = ::openat(dir_.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(again < 0 ? nullptr : ::fdopendir(again),
                                                    &::closedir);
  if (!entries) return;
  const auto oldest =
      std::chrono::system_clock::to_time_t(std::chrono::system_clock::now() - kKept);
  while (const dirent* const entry = ::readdir(entries.get())) {
    const std::string_view name(entry->d_name);
    if (!name.starts_with(kHidden) || !check_upload_id(name.substr(kHidden.size()))) continue;
    struct stat status{};
    if (::fstatat(dir_.get(), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
        S_ISREG(status.st_mode) && status.st_uid == ::geteuid() && status.st_mtime < oldest)
      ::unlinkat(dir_.get(), entry->d_name, 0);
  }
}

base::Result<std::string> Folder::beneath(std::string_view path, std::string_view from) const {
  const std::string here = path_ == "/" ? "/" : path_ + "/";
  if (path.empty() || path.find('\0') != std::string_view::npos)
    return base::fail(base::Code::invalid_argument, "the path is empty or has a NUL",
                      "Name a file in the session's folder.");
  if (path.starts_with('/')) {
    if (!path.starts_with(here)) return base::fail(elsewhere(path, path_));
    return std::string(path.substr(here.size()));
  }
  if (!from.starts_with(here)) return std::string(path);
  return std::string(from.substr(here.size())).append("/").append(path);
}

base::Result<FoundFile> Folder::find(std::string_view path, std::string_view from) const {
  const auto inside = beneath(path, from);
  if (!inside) return base::fail(inside.error());
  open_how how{};
  how.flags = O_PATH | O_CLOEXEC;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
  // Opened as a path first: to open a device or a FIFO can already do something.
  const base::Fd place(
      static_cast<int>(::syscall(SYS_openat2, dir_.get(), inside->c_str(), &how, sizeof how)));
  if (!place) return base::fail(cannot_open(errno, path, path_));
  const auto status = status_of(place, base::printable(path));
  if (!status) return base::fail(status.error());
  if (!S_ISREG(status->st_mode))
    return base::fail(base::Code::invalid_argument, base::printable(path) + " is not a file",
                      "Put a folder into an archive first.");
  base::Fd file(
      ::open(("/proc/self/fd/" + std::to_string(place.get())).c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) return base::fail(cannot_open(errno, path, path_));
  return FoundFile{.file = std::move(file),
                   .size = static_cast<std::uint64_t>(status->st_size),
                   .version = version_of(*status)};
}

base::Result<std::string> read_piece(const base::Fd& file, std::uint64_t offset, std::size_t most) {
  std::string bytes(most, '\0');
  std::size_t size = 0;
  while (size < most) {
    const ssize_t got =
        ::pread(file.get(), bytes.data() + size, most - size, static_cast<off_t>(offset + size));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return base::fail(base::errno_error(errno, "read a file"));
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  bytes.resize(size);
  return bytes;
}

}  // namespace operation
