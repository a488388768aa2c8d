// Listening sockets that outlive the daemon.

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <fstream>

#include "end_to_end/keeper_fixture.h"

namespace e2e {
namespace {

class ListenerTest : public KeeperTest {
 protected:
  base::Result<keeper::ListeningSocket> listen(const std::string& address) {
    return owner().wait(owner().keeper().listen(address));
  }
  static std::uint16_t port_of(const std::string& address) {
    return static_cast<std::uint16_t>(std::stoi(address.substr(address.rfind(':') + 1)));
  }
  static base::Fd connect_to(std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    base::Fd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (::connect(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) < 0)
      return {};
    return socket;
  }
};

TEST_F(ListenerTest, AConnectionWaitsWhileNoDaemonIsThere) {
  const auto first = listen("127.0.0.1:0");
  ASSERT_TRUE(first) << first.error().message();
  EXPECT_NE(port_of(first->address), 0);
  drop_owner();
  const base::Fd client = connect_to(port_of(first->address));
  ASSERT_TRUE(client) << "refused";
  ASSERT_EQ(::write(client.get(), "hello", 5), 5);
  const auto second = listen("127.0.0.1:0");
  ASSERT_TRUE(second);
  EXPECT_EQ(second->address, first->address) << "port 0 means the port that was chosen then";
  const base::Fd served(::accept(second->socket.get(), nullptr, nullptr));
  ASSERT_TRUE(served);
  char buffer[5];
  EXPECT_EQ(::read(served.get(), buffer, 5), 5);
  const auto third = listen(first->address);
  ASSERT_TRUE(third) << "and the chosen port by its number is the same socket";
}

TEST_F(ListenerTest, Ipv6AndUnixSockets) {
  const auto v6 = listen("[::1]:0");
  ASSERT_TRUE(v6) << v6.error().message();
  EXPECT_EQ(v6->address.rfind("[::1]:", 0), 0U) << v6->address;
  const std::string path = dir() / "api.sock";
  const auto local = listen("unix:" + path);
  ASSERT_TRUE(local) << local.error().message();
  struct stat status{};
  ASSERT_EQ(::stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600U);
}

TEST_F(ListenerTest, AnAddressInUseIsAClearError) {
  const auto first = listen("127.0.0.1:0");
  ASSERT_TRUE(first);
  Process other({kKeeperProgram, "--runtime-dir", dir() / "other"});
  Client client(dir() / "other");
  ASSERT_TRUE(eventually([&] { return client.start().has_value(); }));
  const auto refused = client.wait(client.keeper().listen(first->address));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, base::Code::busy);
  EXPECT_NE(refused.error().message().find("Address already in use"), std::string::npos);
}

TEST_F(ListenerTest, BadAddressesSayHowToWriteThem) {
  for (const std::string address :
       {"", "nonsense", "127.0.0.1", "example.org:80", "127.0.0.1:notaport", "unix:relative"}) {
    const auto refused = listen(address);
    ASSERT_FALSE(refused) << address;
    EXPECT_EQ(refused.error().code, base::Code::invalid_argument) << address;
    EXPECT_NE(refused.error().advice.find("127.0.0.1:7420"), std::string::npos)
        << refused.error().message();
  }
}

TEST_F(ListenerTest, AFileThatIsNoSocketIsNotReplaced) {
  const auto path = dir() / "precious";
  std::ofstream(path) << "data";
  EXPECT_EQ(listen("unix:" + path.native()).error().code, base::Code::already_exists);
  EXPECT_TRUE(std::filesystem::is_regular_file(path));
}

TEST_F(ListenerTest, UnlistenClosesIt) {
  auto first = listen("127.0.0.1:0");
  ASSERT_TRUE(first);
  const auto port = port_of(first->address);
  ASSERT_TRUE(owner().wait(owner().keeper().unlisten(first->address)));
  EXPECT_EQ(owner().wait(owner().keeper().unlisten(first->address)).error().code,
            base::Code::not_found);
  // The copy in this process goes with `first`, and then nobody listens.
  first->socket.reset();
  EXPECT_FALSE(connect_to(port));
}

}  // namespace
}  // namespace e2e
