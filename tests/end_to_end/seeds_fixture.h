// What the tests share that the task list of the session persistence names.

#pragma once

#include "end_to_end/protocol_fixture.h"

namespace e2e {

using std::chrono::steady_clock;

class SeedsTest : public ProtocolTest {
 protected:
  // Prints `count` lines of 16 bytes, the n-th with the number n, and then a mark.
  static std::string lines(int from, int count) {
    return "stty -echo; seq -f %014.0f " + std::to_string(from) + " " +
           std::to_string(from + count - 1) + "; echo ma''rk" + std::to_string(from);
  }
  static std::string line(int number) {
    std::string digits = std::to_string(number);
    return std::string(14 - digits.size(), '0') + digits + "\r\n";
  }
  static std::string mark(int from) { return "mark" + std::to_string(from) + "\r\n"; }

  std::string status_of(WebSocketClient& client, std::string_view id) {
    for (const auto& each : sessions_of(client))
      if (string_at(each, "sessionId") == id) return string_at(each, "status");
    return "gone";
  }
  std::int64_t count(const char* what) { return health().at("terminals").at(what).as_int64(); }

  // Waits until the terminal is closed; how long that took since `from`.
  milliseconds closed_after(steady_clock::time_point from) {
    EXPECT_TRUE(eventually([&] { return count("orphaned") == 0; }));
    return std::chrono::duration_cast<milliseconds>(steady_clock::now() - from);
  }
  void expect_closed_on_time() {
    auto client = compatible();
    create(*client, "a1");
    const pid_t shell = number_from(*client, "a1", "$$");
    client->drop();
    const auto dropped = steady_clock::now();
    const auto after = closed_after(dropped);
    EXPECT_GE(after, milliseconds(480));
    EXPECT_LT(after, milliseconds(1500));
    EXPECT_TRUE(eventually([&] { return !exists(shell); }));
    client = compatible();
    EXPECT_EQ(status_of(*client, "a1"), "gone");
    EXPECT_EQ(refused(*client, reattach("a1")).error, "session not found");
  }
};

}  // namespace e2e
