// TLS by a certificate and its key. Both are read again when their files have changed, which is
// looked at when a connection comes, once a second at most: a renewed certificate needs no restart,
// and connections that are open go on with the one they began with.

#pragma once

#include <sys/stat.h>

#include <array>
#include <filesystem>
#include <memory>

#include <boost/asio/ssl/context.hpp>

#include "base/clock.h"
#include "base/result.h"

namespace http {

struct TlsFiles {
  std::filesystem::path certificate;  // PEM; the server's own first, then those that vouch for it.
  std::filesystem::path key;          // PEM, not readable by everybody.
};

class Tls {
 public:
  [[nodiscard]] static base::Result<std::unique_ptr<Tls>> load(TlsFiles files);

  // For a connection that comes now. Files that have changed and cannot be used, because only one
  // of them is there yet, say, are logged and change nothing.
  [[nodiscard]] boost::asio::ssl::context& context(base::MonotonicTime now);

 private:
  // What tells a file from the one that was there before.
  struct Stamp {
    ino_t inode = 0;
    off_t size = 0;
    timespec changed{};
    friend bool operator==(const Stamp& one, const Stamp& other) {
      return one.inode == other.inode && one.size == other.size &&
             one.changed.tv_sec == other.changed.tv_sec &&
             one.changed.tv_nsec == other.changed.tv_nsec;
    }
  };
  using Stamps = std::array<Stamp, 2>;

  explicit Tls(TlsFiles files) : files_(std::move(files)) {}
  [[nodiscard]] Stamps stamps() const;
  [[nodiscard]] base::Status read();

  TlsFiles files_;
  Stamps stamps_{};
  base::MonotonicTime looked_{};
  std::unique_ptr<boost::asio::ssl::context> context_;
};

}  // namespace http
