// Certificates that a test makes for itself, and a client that speaks TLS.

#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "end_to_end/daemon_fixture.h"

namespace e2e {

// A key and a certificate for 127.0.0.1 with that common name, both PEM, signed by itself.
struct TestCertificate {
  std::string certificate;
  std::string key;
};
[[nodiscard]] TestCertificate make_certificate(const std::string& common_name);

// Writes a file that only its owner can read, as a renewal does: it replaces the old one at once.
void write_private(const std::filesystem::path& path, const std::string& text);

// One TLS connection; throws std::runtime_error when the handshake is refused.
class TlsConnection {
 public:
  // `newest`: the newest version that the client knows, as OpenSSL numbers it; 0 for any.
  explicit TlsConnection(int port, int newest = 0);
  ~TlsConnection();
  TlsConnection(const TlsConnection&) = delete;
  TlsConnection& operator=(const TlsConnection&) = delete;

  // The common name of the server's certificate.
  [[nodiscard]] std::string common_name() const;
  HttpResponse get(const std::string& target, const Headers& headers = {});
  // From here on it is a WebSocket.
  void upgrade(const std::string& target, const Headers& headers);
  void send(const json::value& message);
  json::object expect(std::string_view type);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace e2e
