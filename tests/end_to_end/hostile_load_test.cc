// Many at once: idle ones, slow ones, ones that come and go, ones that flood. Memory is bounded,
// and who types beside them does not notice.

#include <random>

#include "end_to_end/hostile_fixture.h"
#include "vt/test_slow_inputs.h"

namespace e2e {
namespace {

class HostileLoadTest : public HostileTest {};
class HostileMeasuringTest : public HostileTest {};

const std::vector<std::string> kMany{"--user-connection-limit", "10000",
                                     "--address-connection-limit", "10000"};

TEST_F(HostileMeasuringTest, IdleConnectionsCostLittle) {
  serve(kMany);
  begin_bystander();
  const microseconds quiet = echo_p99();
  const int count = count_of(2000);
  const long before = resident_kib();
  std::vector<RawConnection> idle;
  for (int i = 0; i < count; ++i) idle.push_back(upgraded());
  const long each = (resident_kib() - before) / count;
  const microseconds crowded = echo_p99();
  std::printf("%d idle connections: %ld KiB each; echo p99 %ld us, %ld us before\n", count, each,
              crowded.count(), quiet.count());
  EXPECT_LE(each, 64);
  EXPECT_LE(crowded, most_echo(quiet));
  const std::size_t files = open_descriptors(daemon_pid());
  idle.clear();
  EXPECT_TRUE(eventually(
      [&] { return open_descriptors(daemon_pid()) + static_cast<std::size_t>(count) <= files; }));
  expect_untouched();
}

// With the limits as they are, the 257th connection of a user is told so.
TEST_F(HostileLoadTest, AUserHasAsManyConnectionsAsTheLimitSays) {
  serve();
  begin_bystander();
  std::vector<RawConnection> mine;
  for (int i = 0; i < 255; ++i) mine.push_back(upgraded());
  RawConnection more(port());
  more.send(upgrade_request(port(), "/terminal/ws/multi", token()));
  EXPECT_EQ(more.status(), 429);
  expect_untouched();
}

TEST_F(HostileLoadTest, SlowHandshakesEnd) {
  serve({"--handshake-time-limit", "1"});
  begin_bystander();
  std::vector<RawConnection> slow;
  for (int i = 0; i < 200; ++i) {
    slow.emplace_back(port());
    slow.back().send("GET /health HTTP/1.1\r\nHost: local");
  }
  expect_untouched();
  const auto files = open_descriptors(daemon_pid());
  std::size_t next = 0;
  EXPECT_TRUE(eventually([&] {
    slow[next++ % slow.size()].send("h");  // Some go on dripping.
    return open_descriptors(daemon_pid()) + slow.size() <= files;
  }));
  expect_untouched();
}

TEST_F(HostileMeasuringTest, AStormOfReconnects) {
  std::vector<std::string> options = kMany;
  options.insert(options.end(), {"--request-rate-limit", "50"});
  serve(options);
  begin_bystander();
  const std::size_t files = open_descriptors(daemon_pid());
  const long before = resident_kib();
  expect_unnoticed(2, [this] {
    const auto client = compatible();
    client->send(reattach("bystander"));
    client->expect("scrollback");
    client->drop();
  });
  EXPECT_TRUE(eventually([&] { return open_descriptors(daemon_pid()) <= files; }));
  expect_growth_below(50'000, before);
  EXPECT_TRUE(
      eventually([&] { return get("/health").body.find("\"viewers\":1}") != std::string::npos; }));
}

TEST_F(HostileMeasuringTest, AFloodOfMessages) {
  serve({"--address-connection-limit", "10000"});
  begin_bystander();
  const long before = resident_kib();
  const std::string padding(1000, 'x');
  expect_unnoticed(2, [&] {
    const auto client = compatible();
    for (int i = 0; i < 6000; ++i) client->send(message("list_sessions", {{"x", padding}}));
  });
  expect_growth_below(50'000, before);
}

// A snapshot with 10,000 lines was one turn of several milliseconds.
TEST_F(HostileMeasuringTest, LongHistoriesThatAreShownAgainAndAgain) {
  serve({"--address-connection-limit", "10000"});
  begin_bystander();
  const auto client = compatible();
  create(*client, "long");
  client->send(input("long",
                     "seq -f 'A line of ordinary length, of which there are many: %g' "
                     "10000; echo the-$((1))-end\r"));
  (void)output_until(*client, "the-1-end");
  expect_unnoticed(1, [this] {
    const auto viewer = compatible();
    viewer->send(reattach("long"));
    viewer->expect("scrollback");
    viewer->drop();
  });
}

std::string in_octal(std::string_view bytes) {
  std::string out;
  for (const char c : bytes) {
    char digits[8];
    std::snprintf(digits, sizeof digits, "\\%03o", static_cast<unsigned char>(c));
    out += digits;
  }
  return out;
}

// One program printed what takes a screen long, and every terminal waited for it, up to 24 s.
TEST_F(HostileMeasuringTest, OutputThatIsCostlyToShow) {
  static constexpr std::string_view kWorst[] = {"insert_and_repeat", "selective_erase",
                                                "repeat_joined_wide", "scroll_right"};
  serve();
  begin_bystander();
  const microseconds quiet = echo_p99();
  int number = 0;
  for (const vt::SlowInput& slow : vt::kSlowInputs) {
    if (std::ranges::find(kWorst, slow.name) == std::end(kWorst)) continue;
    for (const int side : {80, 500}) {
      const auto client = compatible();
      const std::string id = "costly" + std::to_string(++number);
      create(*client, id);
      const pid_t shell = number_from(*client, id, "$$");
      client->send(message("resize", {{"rows", side}, {"cols", side}}, id));
      std::string again(slow.again);
      while (again.size() < 500) again += slow.again;
      client->send(input(id, "exec sh -c 'printf \"" + in_octal(slow.once) +
                                 "\"; exec yes \"$(printf \"" + in_octal(again) + "\")\"'\r"));
      ASSERT_TRUE(eventually([&] { return proc_file(shell, "comm") == "yes\n"; }));
      client->drop();
      const microseconds beside = echo_p99();
      std::printf("%s at %dx%d: echo p99 %ld us, %ld us before\n", slow.name.data(), side, side,
                  beside.count(), quiet.count());
      EXPECT_LE(beside, most_echo(quiet)) << slow.name;
      ::kill(shell, SIGKILL);
    }
  }
  expect_untouched();
}

// A mebibyte of nested lists, and of what no parser takes.
TEST_F(HostileLoadTest, AFloodOfLargeMessages) {
  serve({"--address-connection-limit", "10000"});
  begin_bystander();
  const long before = resident_kib();
  std::string lists = R"({"type":"ping","x":[)";
  while (lists.size() < 1'000'000) lists += "[],";
  lists += "[]]}";
  const auto client = compatible();
  client->send_text(lists);
  EXPECT_EQ(data_text(client->expect("error"), "error"), "malformed JSON");
  for (int i = 0; i < count_of(500); ++i) {
    client->send_text(lists);
    client->expect("error");
  }
  expect_growth_below(50'000, before);
  expect_untouched();
}

TEST_F(HostileMeasuringTest, WrongCredentialsAndBrokenFrames) {
  serve({"--address-connection-limit", "10000"});
  begin_bystander();
  const std::string broken = RawFrame{.opcode = 3, .payload = "x"}.bytes();
  expect_unnoticed(2, [&] {
    RawConnection wrong(port());
    wrong.send(upgrade_request(port(), "/ws", "wrong"));
    (void)wrong.status();
    RawConnection right = upgraded();
    right.send(broken);
    (void)right.is_ended();
  });
}

}  // namespace
}  // namespace e2e
