#include "http/gate.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "base/test_temp_dir.h"
#include "session/token.h"

namespace http {
namespace {

namespace beast = boost::beast;

class GateTest : public testing::Test {
 protected:
  Gate gate(GateSettings settings = {}) {
    if (settings.listening.empty()) settings.listening = "127.0.0.1:7420";
    settings.default_user = {.id = session::UserId("u1"), .name = "default"};
    return Gate(std::move(settings), store_);
  }

  static User user_by(const session::UserRow& row, Credential credential) {
    User user;
    user.id = row.id;
    user.name = row.name;
    user.credential = std::move(credential);
    return user;
  }
  // The user of a request with that header; empty: nobody.
  static std::string user_of(const Gate& gate, beast::http::field header, const std::string& value,
                             const std::string& target = "/", const Peer& peer = {}) {
    Request request(beast::http::verb::get, target, 11);
    if (!value.empty()) request.set(header, value);
    const auto user = gate.user_of(request, peer);
    return user.value().has_value() ? user.value()->name : "";
  }

  base::TempDir dir_;
  session::Store store_ = session::Store::open(dir_ / "holdfast.db").value();
};

TEST_F(GateTest, TheNamesOfTheListeningAddressAreRight) {
  const Gate gate = this->gate();
  for (const char* host : {"127.0.0.1:7420", "localhost:7420", "LOCALHOST:7420", "[::1]:7420"})
    EXPECT_TRUE(gate.host_is_right(host, {})) << host;
  for (const char* host : {"", "127.0.0.1", "localhost:80", "evil.example:7420",
                           "localhost:7420.evil.example", "127.0.0.1:7420@evil.example"})
    EXPECT_FALSE(gate.host_is_right(host, {})) << host;
}

TEST_F(GateTest, ConfiguredNamesAreRightWithAnyPortOrTheirOwn) {
  const Gate gate = this->gate({.listening = {},
                                .allowed_hosts = {"dev.example", "other.example:8443"},
                                .allowed_origins = {},
                                .default_token = {},
                                .default_user = {}});
  EXPECT_TRUE(gate.host_is_right("dev.example", {}));
  EXPECT_TRUE(gate.host_is_right("Dev.Example:9999", {}));
  EXPECT_TRUE(gate.host_is_right("other.example:8443", {}));
  EXPECT_FALSE(gate.host_is_right("other.example:1", {}));
  EXPECT_FALSE(gate.host_is_right("sub.dev.example", {}));
}

// `ssh -L 8101:localhost:7420`, and the page is opened at http://localhost:8101.
TEST_F(GateTest, ThroughATunnelLoopbackNamesAreRightWithAnyPort) {
  const Gate gate = this->gate();
  const Peer local{.user = {}, .address = "127.0.0.1", .is_loopback = true};
  for (const char* host :
       {"localhost:8101", "LocalHost:8101", "127.0.0.1:1", "[::1]:8101", "localhost"}) {
    EXPECT_TRUE(gate.host_is_right(host, local)) << host;
    EXPECT_FALSE(gate.host_is_right(host, {})) << host << " from elsewhere";
  }
  for (const char* host :
       {"evil.example:8101", "localhost.evil.example:8101", "localhost:8101.evil.example",
        "localhost:8101@evil.example", "127.0.0.1.evil.example", "127.0.0.2:8101", "[::1", "",
        "localhost:123456", "localhost:x", "[::1]x:8101"})
    EXPECT_FALSE(gate.host_is_right(host, local)) << host;
  // A page of a server on another port may not use this one.
  EXPECT_TRUE(gate.origin_is_right("http://localhost:8101", "localhost:8101", local));
  EXPECT_FALSE(gate.origin_is_right("http://localhost:8102", "localhost:8101", local));
  EXPECT_FALSE(gate.origin_is_right("http://localhost:8102", "localhost:7420", local));
}

TEST_F(GateTest, WhoeverAProxySpeaksForIsNotLocal) {
  Request request(beast::http::verb::get, "/", 11);
  const Peer proxy{.user = {}, .address = "127.0.0.1", .is_loopback = true};
  EXPECT_TRUE(forwarded(request, proxy).is_loopback);
  request.insert("X-Forwarded-For", "127.0.0.1");
  EXPECT_FALSE(forwarded(request, proxy).is_loopback);
}

// The browser sends all cookies of localhost through each tunnel.
TEST_F(GateTest, EachTunnelHasACookieOfItsOwn) {
  const Gate gate = this->gate();
  const auto name = [&](const char* host) {
    Request request(beast::http::verb::get, "/", 11);
    request.set(beast::http::field::host, host);
    return gate.cookie_name(request, {});
  };
  EXPECT_EQ(name("localhost:7420"), "holdfast-7420");
  EXPECT_EQ(name("localhost:8101"), "holdfast-8101");
  EXPECT_EQ(name("[::1]:8102"), "holdfast-8102");
  EXPECT_EQ(name("dev.example:8443"), "holdfast-7420");
}

TEST_F(GateTest, OriginIsThePageItself) {
  const Gate gate = this->gate({.listening = {},
                                .allowed_hosts = {},
                                .allowed_origins = {"https://panel.example"},
                                .default_token = {},
                                .default_user = {}});
  const std::string_view host = "localhost:7420";
  EXPECT_TRUE(gate.origin_is_right("", host, {})) << "not a browser";
  EXPECT_TRUE(gate.origin_is_right("http://localhost:7420", host, {}));
  EXPECT_TRUE(gate.origin_is_right("https://panel.example", host, {}));
  for (const char* origin :
       {"null", "http://localhost", "https://localhost:7420", "http://127.0.0.1:7420",
        "http://localhost:7420.evil.example", "http://panel.example", "file://"})
    EXPECT_FALSE(gate.origin_is_right(origin, host, {})) << origin;
}

TEST_F(GateTest, OverTlsThePageItselfIsHttps) {
  const Gate gate = this->gate();
  const std::string_view host = "localhost:7420";
  const Peer secure{.user = {}, .address = {}, .is_secure = true};
  EXPECT_TRUE(gate.origin_is_right("https://localhost:7420", host, secure));
  EXPECT_FALSE(gate.origin_is_right("http://localhost:7420", host, secure));
}

TEST_F(GateTest, AProxysLastWordCounts) {
  Request request(beast::http::verb::get, "/", 11);
  const Peer proxy{.user = {}, .address = "127.0.0.1"};
  EXPECT_EQ(forwarded(request, proxy).address, "127.0.0.1");
  EXPECT_TRUE(forwarded(request, proxy).is_secure) << "a proxy is assumed to use TLS";
  request.insert("X-Forwarded-For", "6.6.6.6");
  request.insert("X-Forwarded-For", "7.7.7.7, 10.0.0.9");
  request.insert("X-Forwarded-Proto", "https, http");
  EXPECT_EQ(forwarded(request, proxy).address, "10.0.0.9");
  EXPECT_FALSE(forwarded(request, proxy).is_secure);
}

TEST_F(GateTest, ATokenTellsItsUser) {
  const auto ada = store_.ensure_user("ada").value();
  const std::string token = session::new_token().value();
  ASSERT_TRUE(store_.tokens().add(ada.id, session::hash_token(token).value(), ""));
  const Gate gate = this->gate();
  using beast::http::field;
  EXPECT_EQ(user_of(gate, field::authorization, "Bearer " + token), "ada");
  EXPECT_EQ(user_of(gate, field::authorization, "bearer   " + token), "ada");
  EXPECT_EQ(user_of(gate, field::authorization, "Basic " + token), "");
  EXPECT_EQ(user_of(gate, field::authorization, token), "");
  EXPECT_EQ(user_of(gate, field::authorization, "Bearer " + token + "x"), "");
  EXPECT_EQ(user_of(gate, field::cookie, "holdfast-7420=" + token), "")
      << "a token is not a cookie";
  EXPECT_EQ(user_of(gate, field::cookie, "", "/ws?a=1&token=" + token), "ada");
  EXPECT_EQ(user_of(gate, field::cookie, "", "/?token=" + token), "")
      << "only in a WebSocket address";
  EXPECT_EQ(user_of(gate, field::cookie, "", "/metrics?token=" + token), "");
  EXPECT_EQ(user_of(gate, field::cookie, ""), "");
}

TEST_F(GateTest, ASignInNeedsBothHalvesOfTheRightKind) {
  const auto ada = store_.ensure_user("ada").value();
  const Gate gate = this->gate();
  const auto sign_in = gate.sign_ins()
                           .begin({.id = ada.id, .name = "ada"}, "127.0.0.1", "a browser\n",
                                  std::chrono::system_clock::now() + std::chrono::hours(1))
                           .value();
  const auto who = [&](const std::string& cookie, const std::string& secret, bool is_secure) {
    Request request(beast::http::verb::get, "/metrics", 11);
    request.set(beast::http::field::cookie, "a=b; " + cookie + "; c=d");
    if (!secret.empty()) request.set("X-Holdfast-Secret", secret);
    const auto user = gate.user_of(request, {.user = {}, .is_secure = is_secure});
    return user.value().has_value() ? user.value()->name : "";
  };
  const std::string plain = "holdfast-7420=" + sign_in.cookie;
  EXPECT_EQ(who(plain, sign_in.secret, false), "ada");
  EXPECT_EQ(who(plain, "", false), "");
  EXPECT_EQ(who(plain, sign_in.cookie, false), "");
  EXPECT_EQ(who("holdfast-7421=" + sign_in.cookie, sign_in.secret, false), "");
  EXPECT_EQ(who("holdfast-7420=" + sign_in.secret, sign_in.cookie, false), "") << "halves swapped";
  EXPECT_EQ(who(plain, sign_in.secret, true), "") << "could have been set without TLS";
  EXPECT_EQ(who("__Host-" + plain, sign_in.secret, true), "ada");
  EXPECT_EQ(store_.sign_ins().list()->front().browser, "a browser\\x0a");
}

TEST_F(GateTest, WhatLetSomebodyInCanBeWithdrawn) {
  const auto ada = store_.ensure_user("ada").value();
  const auto token = session::hash_token("token").value();
  ASSERT_TRUE(store_.tokens().add(ada.id, token, ""));
  const auto settings = [](const std::string& fixed, const std::string& secret) {
    return GateSettings{.listening = "127.0.0.1:7420",
                        .allowed_hosts = {},
                        .allowed_origins = {},
                        .default_token = fixed,
                        .default_user = {},
                        .user_header = "X-User",
                        .proxy_secret = secret};
  };
  Gate gate = this->gate(settings("fixed", "proxy"));
  const auto fixed = session::hash_token("fixed").value();
  const User user = user_by(ada, ByToken{token});
  const User by_fixed = user_by(ada, ByToken{fixed});
  const User by_proxy = user_by(ada, ByProxy{session::hash_token("proxy").value()});
  for (const User* each : {&user, &by_fixed, &by_proxy}) EXPECT_TRUE(gate.still_lets_in(*each));
  gate.change(settings("another", "another"));
  EXPECT_TRUE(gate.still_lets_in(user));
  EXPECT_FALSE(gate.still_lets_in(by_fixed));
  EXPECT_FALSE(gate.still_lets_in(by_proxy));
  ASSERT_TRUE(store_.tokens().remove(token));
  EXPECT_FALSE(gate.still_lets_in(user));
}

// A sign-in may never do more than the token that it was made with.
TEST_F(GateTest, ASignInHasTheScopeOfItsToken) {
  const auto ada = store_.ensure_user("ada").value();
  const session::Scope scope{
      .access = session::Access::view,
      .bounds = session::Bounds{.sessions = {}, .terminals = {session::TerminalId("t")}}};
  const auto now = std::chrono::system_clock::now();
  const auto kept = store_.tokens().add(ada.id, session::hash_token("token").value(), "", scope,
                                        now + std::chrono::hours(1));
  const Gate gate = this->gate();
  const auto code = gate.sign_ins().new_code(user_by(ada, ByToken{kept.value()}));
  const auto user = gate.user_of_code(code.value());
  ASSERT_TRUE(user && *user);
  EXPECT_EQ((*user)->scope, scope);
  EXPECT_FALSE(gate.user_of_code(code.value()).value()) << "once";
  const auto sign_in =
      gate.sign_ins().begin(**user, "127.0.0.1", "", now + std::chrono::hours(100)).value();
  EXPECT_LE(sign_in.expires, now + std::chrono::hours(1));
  Request request(beast::http::verb::get, "/metrics", 11);
  request.set(beast::http::field::cookie, "holdfast-7420=" + sign_in.cookie);
  request.set("X-Holdfast-Secret", sign_in.secret);
  EXPECT_EQ(gate.user_of(request, {}).value()->scope, scope);
  ASSERT_TRUE(store_.tokens().remove(*kept));
  EXPECT_FALSE(gate.user_of(request, {}).value());
}

TEST_F(GateTest, OnlyItsOwnPageIsItsOwn) {
  const Gate gate = this->gate();
  const auto is_own = [&](const char* origin, const char* site) {
    Request request(beast::http::verb::post, "/sign-in", 11);
    request.set(beast::http::field::host, "localhost:7420");
    if (*origin != 0) request.set(beast::http::field::origin, origin);
    if (*site != 0) request.set("Sec-Fetch-Site", site);
    return gate.is_from_own_page(request, {});
  };
  EXPECT_TRUE(is_own("http://localhost:7420", ""));
  EXPECT_TRUE(is_own("http://localhost:7420", "same-origin"));
  EXPECT_FALSE(is_own("", ""));
  EXPECT_FALSE(is_own("http://localhost:7421", ""));
  EXPECT_FALSE(is_own("https://localhost:7420", ""));
  EXPECT_FALSE(is_own("http://localhost:7420", "same-site"));
}

TEST_F(GateTest, TheConfiguredTokenIsTheDefaultUsers) {
  const Gate gate = this->gate({.listening = {},
                                .allowed_hosts = {},
                                .allowed_origins = {},
                                .default_token = "from-the-environment",
                                .default_user = {}});
  using beast::http::field;
  EXPECT_EQ(user_of(gate, field::authorization, "Bearer from-the-environment"), "default");
  EXPECT_EQ(user_of(gate, field::authorization, "Bearer from-the-environmen"), "");
}

TEST_F(GateTest, AUnixSocketTellsItsUser) {
  const Gate gate = this->gate();
  using beast::http::field;
  EXPECT_EQ(user_of(gate, field::cookie, "", "/", {.user = ::geteuid()}), "default");
  EXPECT_EQ(user_of(gate, field::cookie, "", "/", {.user = 1}), "") << "accounts are not users";
  EXPECT_EQ(user_of(gate, field::cookie, "", "/", {.user = 54321}), "");
}

TEST(AddressTest, ParametersAreDecoded) {
  EXPECT_EQ(query_parameter("/x?token=a%2Bb&c=1", "token"), "a+b");
  EXPECT_EQ(query_parameter("/x?c=1#token=2", "token"), std::nullopt);
  EXPECT_EQ(query_parameter("/x?token", "token"), "");
  EXPECT_EQ(query_parameter("/x", "token"), std::nullopt);
  EXPECT_EQ(path_of("/x?y"), "/x");
}

}  // namespace
}  // namespace http
