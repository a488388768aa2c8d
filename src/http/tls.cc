#include "http/tls.h"

#include <openssl/err.h>
#include <openssl/ssl.h>

#include "base/log.h"

namespace http {

namespace {

namespace ssl = boost::asio::ssl;

constexpr std::chrono::seconds kLookAgain{1};

base::Error tls_error(const std::string& tried, const std::string& advice) {
  std::array<char, 256> reason{};
  ::ERR_error_string_n(::ERR_get_error(), reason.data(), reason.size());
  ::ERR_clear_error();
  return {
      .code = base::Code::invalid_argument, .what = tried + ": " + reason.data(), .advice = advice};
}

base::Status check_key_file(const std::filesystem::path& path) {
  struct stat info{};
  if (::stat(path.c_str(), &info) < 0)
    return base::fail(base::errno_error(errno, "read the TLS key " + path.string()));
  if ((info.st_mode & S_IRWXO) != 0)
    return base::fail(base::Code::permission_denied,
                      "other accounts can read the TLS key " + path.string(),
                      "Make a new key, and chmod 600 the file.");
  return {};
}

// TLS 1.2 with forward secrecy and authenticated encryption, or TLS 1.3.
void use_modern_settings(SSL_CTX* context) {
  ::SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  ::SSL_CTX_set_cipher_list(context, "ECDHE+AESGCM:ECDHE+CHACHA20");
  ::SSL_CTX_set_options(
      context, SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION | SSL_OP_CIPHER_SERVER_PREFERENCE);
  // Idle connections free their buffers.
  ::SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
}

}  // namespace

base::Result<std::unique_ptr<Tls>> Tls::load(TlsFiles files) {
  std::unique_ptr<Tls> tls(new Tls(std::move(files)));
  tls->stamps_ = tls->stamps();
  if (auto read = tls->read(); !read) return base::fail(read.error());
  return tls;
}

Tls::Stamps Tls::stamps() const {
  Stamps stamps{};
  const std::array paths{&files_.certificate, &files_.key};
  for (std::size_t i = 0; i < paths.size(); ++i)
    if (struct stat info{}; ::stat(paths.at(i)->c_str(), &info) == 0)
      stamps.at(i) = {.inode = info.st_ino, .size = info.st_size, .changed = info.st_mtim};
  return stamps;
}

base::Status Tls::read() {
  if (auto checked = check_key_file(files_.key); !checked) return checked;
  auto context = std::make_unique<ssl::context>(ssl::context::tls_server);
  SSL_CTX* raw = context->native_handle();
  use_modern_settings(raw);
  const std::string certificate = files_.certificate.string();
  const std::string key = files_.key.string();
  if (::SSL_CTX_use_certificate_chain_file(raw, certificate.c_str()) != 1)
    return base::fail(
        tls_error("read the TLS certificate " + certificate,
                  "tls_certificate must be a PEM file with the server's certificate first."));
  if (::SSL_CTX_use_PrivateKey_file(raw, key.c_str(), SSL_FILETYPE_PEM) != 1)
    return base::fail(tls_error("use the TLS key " + key,
                                "tls_key must be a PEM file with the key of that certificate."));
  context_ = std::move(context);
  return {};
}

ssl::context& Tls::context(base::MonotonicTime now) {
  if (now - looked_ < kLookAgain) return *context_;
  looked_ = now;
  const Stamps found = stamps();
  if (found == stamps_) return *context_;
  stamps_ = found;
  if (auto read = this->read(); read)
    base::log(base::Level::info, "reloaded the TLS certificate",
              {{"file", files_.certificate.string()}});
  else
    base::log(base::Level::error, "cannot use the new TLS certificate; keeping the old one",
              {{"error", read.error()}});
  return *context_;
}

}  // namespace http
