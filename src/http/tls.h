// TLS with a certificate and its key. Changed files are read again, so a renewed certificate needs
// no restart. A new connection checks for changes, at most once a second. Open connections keep the
// certificate they started with.

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
  std::filesystem::path certificate;  // PEM; the server's own first, then its chain.
  std::filesystem::path key;          // PEM, not readable by other accounts.
};

class Tls {
 public:
  [[nodiscard]] static base::Result<std::unique_ptr<Tls>> load(TlsFiles files);

  // For a new connection. Changed files that cannot be used are logged and ignored; perhaps only
  // one of them has been replaced yet.
  [[nodiscard]] boost::asio::ssl::context& context(base::MonotonicTime now);

 private:
  // Tells a file from its previous version.
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
