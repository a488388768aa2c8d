// TLS: with whom it is spoken, and that a renewed certificate needs no restart.

#include <openssl/ssl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "end_to_end/protocol_fixture.h"
#include "end_to_end/raw_connection.h"
#include "end_to_end/tls_fixture.h"

namespace e2e {
namespace {

class TlsTest : public ProtocolTest {
 protected:
  [[nodiscard]] std::filesystem::path certificate() const { return dir() / "c.pem"; }
  [[nodiscard]] std::filesystem::path key() const { return dir() / "k.pem"; }
  void write(const std::string& common_name) {
    const auto made = make_certificate(common_name);
    write_private(certificate(), made.certificate);
    write_private(key(), made.key);
  }
  [[nodiscard]] std::vector<std::string> options() const {
    return {"--tls-certificate", certificate(), "--tls-key", key()};
  }
  [[nodiscard]] Headers bearer() const { return {{"Authorization", "Bearer " + token()}}; }
  // Starts the daemon where that must fail; returns what it said.
  std::string refused_to_start(std::vector<std::string> options) {
    options.insert(options.begin(), {"serve", "--config", "/dev/null", "--env-file", "/dev/null"});
    const auto outcome = run(options);
    EXPECT_TRUE(WIFEXITED(outcome.status) && WEXITSTATUS(outcome.status) == 1) << outcome.output;
    return outcome.output;
  }
};

TEST_F(TlsTest, PagesAndWebSocketsOverTls) {
  write("first");
  serve(options());
  EXPECT_EQ(said(), "https://127.0.0.1:" + std::to_string(port()) + "/");
  TlsConnection pages(port());
  EXPECT_EQ(pages.get("/health").status, 200);
  EXPECT_EQ(pages.get("/metrics").status, 401);
  EXPECT_EQ(pages.get("/metrics", bearer()).status, 200) << "on the same connection";
  EXPECT_EQ(pages.get("/health").header("Strict-Transport-Security"), "max-age=31536000");

  TlsConnection client(port());
  client.upgrade("/terminal/ws/multi", bearer());
  client.send(create_session("a1"));
  client.expect("session_created");
  client.send(input("a1", "echo $((6*7))\r"));
  std::string text;
  while (text.find("42") == std::string::npos) text += text_of(client.expect("output"));
}

TEST_F(TlsTest, ThePageItselfIsHttps) {
  write("first");
  serve(options());
  const std::string own = "127.0.0.1:" + std::to_string(port());
  Headers headers = bearer();
  headers.emplace_back("Origin", "http://" + own);
  EXPECT_EQ(TlsConnection(port()).get("/metrics", headers).status, 403);
  headers.back().second = "https://" + own;
  EXPECT_EQ(TlsConnection(port()).get("/metrics", headers).status, 200);
}

TEST_F(TlsTest, ARenewedCertificateIsUsedAndOpenConnectionsGoOn) {
  write("first");
  serve(options());
  TlsConnection old(port());
  EXPECT_EQ(old.common_name(), "first");
  old.upgrade("/terminal/ws/multi", bearer());
  write("second");
  EXPECT_TRUE(eventually([&] { return TlsConnection(port()).common_name() == "second"; }));
  old.send(message("ping"));
  old.expect("pong");
}

// A renewal that goes wrong, or is half done, leaves the daemon with what it has.
TEST_F(TlsTest, ACertificateThatCannotBeUsedChangesNothing) {
  write("first");
  serve(options());
  write_private(certificate(), make_certificate("other").certificate);
  EXPECT_TRUE(eventually([&] {
    EXPECT_EQ(TlsConnection(port()).common_name(), "first");
    return log().find("cannot use the new TLS certificate") != std::string::npos;
  }));
  write_private(certificate(), "no certificate");
  EXPECT_EQ(TlsConnection(port()).common_name(), "first");
  write("third");
  EXPECT_TRUE(eventually([&] { return TlsConnection(port()).common_name() == "third"; }));
}

TEST_F(TlsTest, OldVersionsAreRefused) {
  write("first");
  serve(options());
  EXPECT_THROW(TlsConnection(port(), TLS1_VERSION), std::exception);
  EXPECT_THROW(TlsConnection(port(), TLS1_1_VERSION), std::exception);
  EXPECT_NO_THROW(TlsConnection(port(), TLS1_2_VERSION));
  EXPECT_NO_THROW(TlsConnection(port(), TLS1_3_VERSION));
}

TEST_F(TlsTest, WhoSpeaksNoTlsIsSentAwayAndASlowHandshakeEnds) {
  write("first");
  auto with_time = options();
  with_time.insert(with_time.end(), {"--handshake-time-limit", "0.3"});
  serve(with_time);
  RawConnection plain(port());
  plain.send("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_TRUE(plain.is_ended());
  RawConnection silent(port());
  EXPECT_TRUE(silent.is_ended());
  EXPECT_EQ(TlsConnection(port()).get("/health").status, 200);
}

TEST_F(TlsTest, WhatIsWrongWithTheFilesIsSaid) {
  write("first");
  EXPECT_NE(refused_to_start({"--tls-key", key()}).find("only one of"), std::string::npos);
  EXPECT_NE(
      refused_to_start({"--tls-certificate", "/nowhere", "--tls-key", key()}).find("/nowhere"),
      std::string::npos);
  ::chmod(key().c_str(), 0644);
  const auto said = refused_to_start(options());
  EXPECT_NE(said.find("other accounts can read the TLS key"), std::string::npos) << said;
}

// --- addresses that others can reach

TEST_F(TlsTest, AnOpenAddressWithoutTlsIsRefusedWithAdvice) {
  const auto said = refused_to_start({"--listen", "0.0.0.0:0"});
  EXPECT_NE(said.find("other machines can reach 0.0.0.0:0"), std::string::npos) << said;
  for (const char* advice : {"tls_certificate", "SSH tunnel", "--behind-proxy"})
    EXPECT_NE(said.find(advice), std::string::npos) << said;
}

TEST_F(TlsTest, BehindAProxyItsClientsAreToldApart) {
  serve({"--behind-proxy", "--address-connection-limit", "2", "--failed-sign-in-limit", "2",
         "--listen", "127.0.0.1:0"});
  const auto from = [&](const std::string& address, const std::string& token) {
    return Headers{{"Authorization", "Bearer " + token},
                   {"X-Forwarded-For", "6.6.6.6, " + address}};
  };
  const std::string path = "/terminal/ws/multi";
  std::vector<std::unique_ptr<WebSocketClient>> clients;
  for (int i = 0; i < 2; ++i)
    clients.push_back(std::make_unique<WebSocketClient>(port(), path, from("10.0.0.1", token())));
  EXPECT_EQ(upgrade_status(port(), path, from("10.0.0.1", token())), 429);
  EXPECT_EQ(upgrade_status(port(), path, from("10.0.0.2", token())), 101);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(get("/metrics", from("10.0.0.3", "wrong")).status, 401);
  EXPECT_EQ(get("/metrics", from("10.0.0.3", "wrong")).status, 429);
  EXPECT_EQ(get("/metrics", from("10.0.0.4", "wrong")).status, 401);
  const auto signed_in = http_request(port(), "POST", "/sign-in",
                                      {{"Origin", "https://127.0.0.1:" + std::to_string(port())}},
                                      json::serialize(json::object{{"token", token()}}));
  const std::string cookie = signed_in.header("Set-Cookie");
  EXPECT_TRUE(cookie.starts_with("__Host-holdfast-")) << cookie;
  EXPECT_NE(cookie.find("; Secure"), std::string::npos) << cookie;
  EXPECT_EQ(signed_in.header("Strict-Transport-Security"), "max-age=31536000");
}

}  // namespace
}  // namespace e2e
