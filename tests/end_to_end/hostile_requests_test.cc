// Requests that no honest client sends: each is refused clearly, and never answered twice.

#include "end_to_end/hostile_fixture.h"

namespace e2e {
namespace {

class HostileRequestsTest : public HostileTest {
 protected:
  [[nodiscard]] std::string host() const {
    return "Host: 127.0.0.1:" + std::to_string(port()) + "\r\n";
  }
  [[nodiscard]] std::string authorization() const {
    return "Authorization: Bearer " + token() + "\r\n";
  }
  // Everything that comes back until the server ends the connection.
  std::string answers(const std::string& request) {
    RawConnection connection(port());
    connection.send(request);
    EXPECT_TRUE(connection.is_ended(seconds(5))) << request.substr(0, 200);
    return connection.receive_until("");
  }
  static int count(const std::string& text, const std::string& part) {
    int found = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
  }
};

TEST_F(HostileRequestsTest, PathsLeadNowhereElse) {
  serve();
  const std::vector<std::string> paths{"/../../../../etc/passwd",
                                       "/..%2f..%2f..%2fetc%2fpasswd",
                                       "/%2e%2e/%2e%2e/etc/passwd",
                                       "/assets/../../../etc/passwd",
                                       "/assets/..%5c..%5cetc%5cpasswd",
                                       "//etc/passwd",
                                       "/etc/passwd%00.html",
                                       "/./././etc/passwd",
                                       "/\\..\\..\\etc\\passwd",
                                       "/assets/%252e%252e/x",
                                       "file:///etc/passwd"};
  for (const std::string& path : paths) {
    const std::string answer = answers("GET " + path + " HTTP/1.1\r\n" + host() + authorization() +
                                       "Connection: close\r\n\r\n");
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 404") || answer.starts_with("HTTP/1.1 400"))
        << path << " " << answer.substr(0, 40);
    EXPECT_EQ(answer.find("root:"), std::string::npos) << path;
  }
}

// Where two readers of one request could disagree about where it ends, or whom it is for.
TEST_F(HostileRequestsTest, AmbiguousRequestsAreBad) {
  serve();
  begin_bystander();
  const std::string inner = "GET /metrics HTTP/1.1\r\n" + host() + authorization() + "\r\n";
  const std::string begin = "GET /metrics HTTP/1.1\r\n" + host() + authorization();
  const std::vector<std::pair<std::string, std::string>> bad{
      {"two lengths", begin + "Content-Length: 5\r\nContent-Length: 50\r\n\r\n" + inner},
      {"two equal lengths", begin + "Content-Length: 5\r\nContent-Length: 5\r\n\r\n" + inner},
      {"a list of lengths", begin + "Content-Length: 5, 5\r\n\r\n" + inner},
      {"an unknown coding", begin + "Transfer-Encoding: xchunked\r\n\r\n" + inner},
      {"a coding before chunks", begin + "Transfer-Encoding: gzip, chunked\r\n\r\n" + inner},
      {"chunks twice",
       begin + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n" + inner},
      {"length and chunks",
       begin + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + inner},
      {"chunks and length",
       begin + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n" + inner},
      {"a negative length", begin + "Content-Length: -1\r\n\r\n" + inner},
      {"a length that is none", begin + "Content-Length: 5x\r\n\r\n" + inner},
      {"a length beyond numbers", begin + "Content-Length: 99999999999999999999\r\n\r\n" + inner},
      {"a space before the colon", begin + "Content-Length : 5\r\n\r\n" + inner},
      {"two hosts", "GET /metrics HTTP/1.1\r\n" + host() + "Host: evil\r\n" + authorization() +
                        "Connection: close\r\n\r\n"},
      {"two credentials", begin + "Authorization: Bearer wrong\r\nConnection: close\r\n\r\n"},
      {"a NUL", begin + std::string("X: a\0b\r\n\r\n", 10) + inner},
      {"a bare CR", begin + "X: a\rY: b\r\n\r\n" + inner},
      {"a field without a name", begin + ": x\r\n\r\n" + inner},
      {"no method", "/metrics HTTP/1.1\r\n" + host() + "\r\n" + inner},
      {"no version", "GET /metrics\r\n" + host() + "\r\n" + inner},
      {"another version", "GET /metrics HTTP/3.7\r\n" + host() + "\r\n" + inner},
      {"TLS", std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11) + inner}};
  for (const auto& [what, request] : bad) {
    const std::string answer = answers(request);
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 400")) << what << ": " << answer.substr(0, 60);
    EXPECT_EQ(count(answer, "HTTP/1.1 "), 1) << what;
    EXPECT_EQ(answer.find("holdfast_terminals"), std::string::npos) << what;
  }
  expect_untouched();
}

TEST_F(HostileRequestsTest, WhatIsTooLargeIsToldSo) {
  serve();
  begin_bystander();
  const long before = resident_kib();
  EXPECT_TRUE(answers("GET / HTTP/1.1\r\n" + host() + "X: " + std::string(20'000, 'x'))
                  .starts_with("HTTP/1.1 431"));
  EXPECT_TRUE(answers("GET /" + std::string(20'000, 'x')).starts_with("HTTP/1.1 431"));
  const std::string own = "Origin: http://127.0.0.1:" + std::to_string(port()) + "\r\n";
  for (const char* length : {"Content-Length: 4097", "Transfer-Encoding: chunked"})
    EXPECT_TRUE(answers("POST /sign-in HTTP/1.1\r\n" + host() + own + length + "\r\n\r\nx")
                    .starts_with("HTTP/1.1 413"));
  expect_growth_below(20'000, before);
  expect_untouched();
}

// Bodies of 1 MiB used to be read before anything was judged: 1,500 connections cost 1.4 GiB.
TEST_F(HostileRequestsTest, ABodyIsNotReadForWhoeverIsRefused) {
  serve();
  begin_bystander();
  const long before = resident_kib();
  std::vector<RawConnection> senders;
  for (int i = 0; i < 200; ++i) {
    senders.emplace_back(port());
    senders.back().send("POST /metrics HTTP/1.1\r\n" + host() + "Content-Length: 1000000\r\n\r\n" +
                        std::string(4096, 'x'));
  }
  for (RawConnection& sender : senders) {
    EXPECT_EQ(sender.status(), 401) << "before the body is there";
    EXPECT_TRUE(sender.is_ended());
  }
  expect_growth_below(20'000, before);
  expect_untouched();
}

// A body that is not asked for is not read; nor is it the next request.
TEST_F(HostileRequestsTest, ABodyIsNoRequest) {
  serve();
  const std::string inner = "GET /metrics HTTP/1.1\r\n" + host() + authorization() + "\r\n";
  const std::string answer =
      answers("GET /health HTTP/1.1\r\n" + host() + "Connection: close\r\nContent-Length: " +
              std::to_string(inner.size()) + "\r\n\r\n" + inner);
  EXPECT_EQ(count(answer, "HTTP/1.1 200"), 1);
  EXPECT_EQ(answer.find("holdfast_terminals"), std::string::npos);
}

TEST_F(HostileRequestsTest, UpgradesThatAreNone) {
  serve();
  begin_bystander();
  const std::string good = upgrade_request(port(), "/terminal/ws/multi", token());
  const auto without = [&](const std::string& part, const std::string& instead) {
    std::string request = good;
    request.replace(request.find(part), part.size(), instead);
    return request;
  };
  for (const std::string& request :
       {without("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n", ""),
        without("Version: 13", "Version: 8"), without("Upgrade: websocket\r\n", ""),
        without("GET ", "POST ")}) {
    RawConnection connection(port());
    connection.send(request);
    const int status = connection.status();
    EXPECT_TRUE(status >= 400 && status < 500) << status << "\n" << request;
  }
  expect_untouched();
}

}  // namespace
}  // namespace e2e
