#include "session/token.h"

#include <fcntl.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include "base/fd.h"
#include "session/private_files.h"
#include "session/random.h"

namespace session {
namespace {

constexpr std::string_view kPrefix = "hf_";
constexpr std::size_t kRandomBytes = 32;
constexpr std::size_t kEncodedLength = 43;  // Of 32 bytes in base64, without padding.

bool is_base64url(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-' ||
         c == '_';
}

std::string base64url(const std::array<std::uint8_t, kRandomBytes>& bytes) {
  std::array<unsigned char, 4 * ((kRandomBytes + 2) / 3) + 1> encoded{};
  EVP_EncodeBlock(encoded.data(), bytes.data(), kRandomBytes);
  std::string text(encoded.begin(), encoded.begin() + kEncodedLength);
  std::replace(text.begin(), text.end(), '+', '-');
  std::replace(text.begin(), text.end(), '/', '_');
  return text;
}

base::Status check_is_private(const base::Fd& file, const std::filesystem::path& path) {
  struct stat status{};
  if (::fstat(file.get(), &status) < 0)
    return base::fail(base::errno_error(errno, "look at " + path.native()));
  if (!S_ISREG(status.st_mode))
    return base::fail(base::Code::invalid_argument, path.native() + " is not a plain file",
                      "Move it away.");
  if ((status.st_uid == ::geteuid() || ::geteuid() == 0) && (status.st_mode & 0077) == 0) return {};
  return base::fail(
      base::Code::permission_denied, "others may have read the token in " + path.native(),
      "Remove the file to get a new token, or, if you trust them: chmod 600 " + path.native());
}

base::Result<std::string> read_token_file(const base::Fd& file, const std::filesystem::path& path) {
  if (auto is_private = check_is_private(file, path); !is_private)
    return base::fail(is_private.error());
  std::array<char, 256> content{};
  const ssize_t size = ::pread(file.get(), content.data(), content.size(), 0);
  if (size < 0) return base::fail(base::errno_error(errno, "read " + path.native()));
  std::string_view text(content.data(), static_cast<std::size_t>(size));
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
  if (!is_token(text))
    return base::fail(base::Code::corrupt, "there is no token in " + path.native(),
                      "Remove the file to get a new one.");
  return std::string(text);
}

base::Status write_whole(const std::filesystem::path& path, std::string_view content) {
  const base::Fd file(
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file) return base::fail(base::errno_error(errno, "make " + path.native()));
  errno = ENOSPC;  // What a write that is cut short does not say.
  const ssize_t written = ::write(file.get(), content.data(), content.size());
  if (written == static_cast<ssize_t>(content.size()) && ::fsync(file.get()) == 0) return {};
  const int error = errno;
  ::unlink(path.c_str());
  return base::fail(base::errno_error(error, "write " + path.native()));
}

// Gives the file its name, unless something has that name already. Some file systems cannot do that
// in one step; there the last of two that start at the same moment wins.
base::Status rename_new(const std::filesystem::path& from, const std::filesystem::path& to) {
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return {};
  if ((errno == EINVAL || errno == ENOSYS) && std::rename(from.c_str(), to.c_str()) == 0) return {};
  const int error = errno;
  ::unlink(from.c_str());
  return base::fail(base::errno_error(error, "make " + to.native()));
}

base::Status create_token_file(const std::filesystem::path& path) {
  if (auto prepared = prepare_private_directory(path.parent_path()); !prepared) return prepared;
  const auto token = new_token();
  if (!token) return base::fail(token.error());
  const auto id = random_id();
  if (!id) return base::fail(id.error());
  const std::filesystem::path temporary = path.native() + ".new-" + *id;
  if (auto written = write_whole(temporary, *token + "\n"); !written) return written;
  if (auto renamed = rename_new(temporary, path); !renamed) return renamed;
  const base::Fd dir(::open(path.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (dir) ::fsync(dir.get());
  return {};
}

}  // namespace

base::Result<std::string> new_token() {
  std::array<std::uint8_t, kRandomBytes> bytes{};
  if (auto filled = fill_random(bytes); !filled) return base::fail(filled.error());
  return std::string(kPrefix) + base64url(bytes);
}

bool is_token(std::string_view text) {
  return text.starts_with(kPrefix) && text.size() == kPrefix.size() + kEncodedLength &&
         std::all_of(text.begin(), text.end(), is_base64url);
}

base::Result<TokenHash> hash_token(std::string_view text) {
  TokenHash hash{};
  if (EVP_Digest(text.data(), text.size(), hash.data(), nullptr, EVP_sha256(), nullptr) != 1)
    return base::fail(base::Code::unavailable, "SHA-256 is not available",
                      "Check the installation of OpenSSL.");
  return hash;
}

bool same_token(std::string_view one, std::string_view other) {
  return one.size() == other.size() && CRYPTO_memcmp(one.data(), other.data(), one.size()) == 0;
}

base::Result<std::string> load_or_create_token_file(const std::filesystem::path& path) {
  // Twice, for another process may make the file between the look and the making.
  for (int attempt = 0; attempt < 2; ++attempt) {
    const base::Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    if (file) return read_token_file(file, path);
    if (errno != ENOENT) return base::fail(base::errno_error(errno, "open " + path.native()));
    auto created = create_token_file(path);
    if (!created && created.error().code != base::Code::already_exists)
      return base::fail(created.error());
  }
  const base::Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (!file) return base::fail(base::errno_error(errno, "open " + path.native()));
  return read_token_file(file, path);
}

}  // namespace session
