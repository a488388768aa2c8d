// What somebody without any credential did to the daemon, and cannot do now.

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "end_to_end/protocol_fixture.h"
#include "end_to_end/raw_connection.h"

namespace e2e {
namespace {

class HttpAttackTest : public ProtocolTest {
 protected:
  int limited(const std::string& limit) {
    const std::string metrics = get("/metrics", bearer(token())).body;
    const std::string sample = "\nholdfast_limited_total{limit=\"" + limit + "\"} ";
    const auto found = metrics.find(sample);
    return found == std::string::npos ? -1 : std::stoi(metrics.substr(found + sample.size()));
  }
  // The status of a request from another address of this machine.
  [[nodiscard]] int status_from(const std::string& address, const std::string& secret) const {
    const base::Fd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in from{.sin_family = AF_INET, .sin_port = 0, .sin_addr = {}, .sin_zero = {}};
    ::inet_pton(AF_INET, address.c_str(), &from.sin_addr);
    sockaddr_in to{.sin_family = AF_INET,
                   .sin_port = htons(static_cast<std::uint16_t>(port())),
                   .sin_addr = {},
                   .sin_zero = {}};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::bind(socket.get(), reinterpret_cast<sockaddr*>(&from), sizeof from) < 0 ||
        ::connect(socket.get(), reinterpret_cast<sockaddr*>(&to), sizeof to) < 0)
      return 0;
    const std::string request =
        "GET /metrics HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port()) +
        "\r\nAuthorization: Bearer " + secret + "\r\nConnection: close\r\n\r\n";
    if (::send(socket.get(), request.data(), request.size(), MSG_NOSIGNAL) < 0) return 0;
    char answer[16] = {};
    return ::recv(socket.get(), answer, 12, MSG_WAITALL) == 12 ? std::atoi(answer + 9) : 0;
  }
};

// 1,100 silent connections of one process used to be all that its address could have.
TEST_F(HttpAttackTest, SilentConnectionsLockNobodyOut) {
  serve({"--waiting-connection-limit", "50", "--address-connection-limit", "50"});
  const auto working = compatible();
  create(*working, "a1");
  std::vector<RawConnection> silent;
  for (int i = 0; i < 200; ++i) {
    silent.emplace_back(port());
    if (i % 2 == 0) silent.back().send("GET /health HTTP/1.1\r\nHost: ");
  }
  EXPECT_EQ(get("/metrics", bearer(token())).status, 200);
  NativePeer owner = native_peer();
  EXPECT_EQ(owner.ask("list").at("data").at("terminals").as_array().size(), 1U);
  type(*working, "a1", "echo $((6*7))", "42");
  EXPECT_TRUE(silent.front().is_ended()) << "the oldest make room";
  EXPECT_GE(limited("waiting_connection"), 100);
}

// Every address of 127.0.0.0/8 used to have its own count of failures.
TEST_F(HttpAttackTest, AnotherLoopbackAddressIsNoOther) {
  serve({"--failed-sign-in-limit", "5"});
  for (int i = 2; i < 7; ++i)
    EXPECT_EQ(status_from("127.0.0." + std::to_string(i), "wrong"), 401) << i;
  for (int i = 7; i < 12; ++i)
    EXPECT_EQ(status_from("127.1.2." + std::to_string(i), "wrong"), 429) << i;
  EXPECT_EQ(status_from("127.9.9.9", token()), 200);
}

// A HOLDFAST_TOKEN of four digits fell in a second.
TEST_F(HttpAttackTest, ASecretThatCanBeGuessedIsRefusedAtTheStart) {
  for (const std::string& variable :
       {std::string("HOLDFAST_TOKEN=4711"), "HOLDFAST_TOKEN=" + std::string(31, 'x'),
        std::string("HOLDFAST_PROXY_SECRET=4711")}) {
    auto env = environment();
    env.push_back(variable);
    const auto outcome = Process({kDaemonProgram, "serve", "--config", "/dev/null", "--env-file",
                                  "/dev/null", "--listen", "127.0.0.1:0"},
                                 env)
                             .wait();
    EXPECT_TRUE(WIFEXITED(outcome.status) && WEXITSTATUS(outcome.status) == 1);
    EXPECT_NE(outcome.output.find("at least 32"), std::string::npos) << outcome.output;
    EXPECT_EQ(outcome.output.find("4711"), std::string::npos) << outcome.output;
  }
}

TEST_F(HttpAttackTest, AHeaderThatTricklesInHasTheSameDeadline) {
  serve({"--handshake-time-limit", "0.5"});
  RawConnection slow(port());
  slow.send("GET /health HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port()) + "\r\nX: ");
  const auto begun = std::chrono::steady_clock::now();
  EXPECT_TRUE(eventually([&] {
    slow.send("x");
    return slow.is_ended(milliseconds(20));
  }));
  EXPECT_LT(std::chrono::steady_clock::now() - begun, seconds(10));
}

TEST_F(HttpAttackTest, ABodyThatTricklesInHasTheSameDeadline) {
  serve({"--handshake-time-limit", "0.5"});
  const std::string own = "127.0.0.1:" + std::to_string(port());
  RawConnection slow(port());
  slow.send("POST /sign-in HTTP/1.1\r\nHost: " + own + "\r\nOrigin: http://" + own +
            "\r\nContent-Length: 4000\r\n\r\n{");
  EXPECT_TRUE(eventually([&] {
    slow.send(" ");
    return slow.is_ended(milliseconds(20));
  }));
}

// A message of endless empty frames is never whole, so it was never counted.
TEST_F(HttpAttackTest, EmptyFramesCount) {
  serve({"--message-rate-limit", "10", "--message-burst-limit", "100"});
  for (const char* path : {"/terminal/ws/multi", "/ws", "/terminal/ws"}) {
    RawConnection client(port());
    client.send(upgrade_request(port(), path, token()));
    (void)client.receive_until("\r\n\r\n");
    client.send(RawFrame{.opcode = 1, .payload = "{", .is_last = false}.bytes());
    const std::string empty = RawFrame{.opcode = 0, .payload = "", .is_last = false}.bytes();
    EXPECT_TRUE(eventually([&] {
      client.send(empty);
      return client.is_ended(milliseconds(10));
    })) << path;
  }
  EXPECT_EQ(limited("message_rate"), 3);
}

}  // namespace
}  // namespace e2e
