#include "end_to_end/tls_fixture.h"

#include <fcntl.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <unistd.h>

#include <array>
#include <stdexcept>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <boost/beast/websocket/ssl.hpp>

namespace e2e {

namespace asio = boost::asio;
namespace beast = boost::beast;
using asio::ip::tcp;

namespace {

template <class Write>
std::string pem(Write write) {
  const std::unique_ptr<BIO, decltype(&::BIO_free)> out(::BIO_new(::BIO_s_mem()), &::BIO_free);
  write(out.get());
  char* text = nullptr;
  const auto size = BIO_get_mem_data(out.get(), &text);
  return {text, static_cast<std::size_t>(size)};
}

}  // namespace

TestCertificate make_certificate(const std::string& common_name) {
  const std::unique_ptr<EVP_PKEY, decltype(&::EVP_PKEY_free)> key(EVP_EC_gen("P-256"),
                                                                  &::EVP_PKEY_free);
  const std::unique_ptr<X509, decltype(&::X509_free)> certificate(::X509_new(), &::X509_free);
  ::X509_set_version(certificate.get(), 2);
  ::ASN1_INTEGER_set(::X509_get_serialNumber(certificate.get()), 1);
  ::X509_gmtime_adj(::X509_getm_notBefore(certificate.get()), -60);
  ::X509_gmtime_adj(::X509_getm_notAfter(certificate.get()), 3600);
  X509_NAME* name = ::X509_get_subject_name(certificate.get());
  ::X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
                               reinterpret_cast<const unsigned char*>(common_name.c_str()), -1, -1,
                               0);
  ::X509_set_issuer_name(certificate.get(), name);
  ::X509_set_pubkey(certificate.get(), key.get());
  const std::unique_ptr<X509_EXTENSION, decltype(&::X509_EXTENSION_free)> addresses(
      ::X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, "IP:127.0.0.1"),
      &::X509_EXTENSION_free);
  ::X509_add_ext(certificate.get(), addresses.get(), -1);
  ::X509_sign(certificate.get(), key.get(), ::EVP_sha256());
  return {.certificate = pem([&](BIO* out) { ::PEM_write_bio_X509(out, certificate.get()); }),
          .key = pem([&](BIO* out) {
            ::PEM_write_bio_PrivateKey(out, key.get(), nullptr, nullptr, 0, nullptr, nullptr);
          })};
}

void write_private(const std::filesystem::path& path, const std::string& text) {
  const std::string fresh = path.string() + ".new";
  const base::Fd file(::open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  if (::write(file.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()))
    throw std::runtime_error("cannot write " + fresh);
  std::filesystem::rename(fresh, path);
}

struct TlsConnection::Impl {
  using Stream = asio::ssl::stream<tcp::socket>;
  asio::io_context io;
  asio::ssl::context context{asio::ssl::context::tls_client};
  beast::websocket::stream<Stream> stream{io, context};
  beast::flat_buffer buffer;
  std::string host;
};

TlsConnection::TlsConnection(int port, int newest) : impl_(std::make_unique<Impl>()) {
  if (newest != 0) {
    // Debian's own configuration would refuse old versions before the server could.
    ::SSL_set_security_level(impl_->stream.next_layer().native_handle(), 0);
    ::SSL_set_min_proto_version(impl_->stream.next_layer().native_handle(), TLS1_VERSION);
    ::SSL_set_max_proto_version(impl_->stream.next_layer().native_handle(), newest);
  }
  impl_->host = "127.0.0.1:" + std::to_string(port);
  tcp::socket& socket = impl_->stream.next_layer().next_layer();
  socket.connect({asio::ip::address_v4::loopback(), static_cast<std::uint16_t>(port)});
  impl_->stream.next_layer().handshake(asio::ssl::stream_base::client);
}

TlsConnection::~TlsConnection() = default;

std::string TlsConnection::common_name() const {
  const std::unique_ptr<X509, decltype(&::X509_free)> certificate(
      ::SSL_get1_peer_certificate(impl_->stream.next_layer().native_handle()), &::X509_free);
  std::array<char, 256> name{};
  ::X509_NAME_get_text_by_NID(::X509_get_subject_name(certificate.get()), NID_commonName,
                              name.data(), name.size());
  return name.data();
}

HttpResponse TlsConnection::get(const std::string& target, const Headers& headers) {
  beast::http::request<beast::http::empty_body> request(beast::http::verb::get, target, 11);
  request.set(beast::http::field::host, impl_->host);
  for (const auto& [name, value] : headers) request.set(name, value);
  beast::http::write(impl_->stream.next_layer(), request);
  beast::http::response<beast::http::string_body> response;
  beast::http::read(impl_->stream.next_layer(), impl_->buffer, response);
  HttpResponse result{
      .status = static_cast<int>(response.result_int()), .body = response.body(), .headers = {}};
  for (const auto& field : response)
    result.headers.emplace_back(field.name_string(), field.value());
  return result;
}

void TlsConnection::upgrade(const std::string& target, const Headers& headers) {
  impl_->stream.set_option(
      beast::websocket::stream_base::decorator([&](beast::websocket::request_type& request) {
        for (const auto& [name, value] : headers) request.set(name, value);
      }));
  impl_->stream.handshake(impl_->host, target);
}

void TlsConnection::send(const json::value& message) {
  impl_->stream.write(asio::buffer(json::serialize(message)));
}

json::object TlsConnection::expect(std::string_view type) {
  for (;;) {
    impl_->buffer.consume(impl_->buffer.size());
    impl_->stream.read(impl_->buffer);
    auto message = json::parse(beast::buffers_to_string(impl_->buffer.data())).as_object();
    if (std::string_view(message.at("type").as_string()) == type) return message;
  }
}

}  // namespace e2e
