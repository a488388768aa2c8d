// A user who has as many sessions and terminals as the limits allow: whatever they ask for, others
// do not wait for it.

#include <algorithm>
#include <atomic>
#include <thread>

#include "end_to_end/native_fixture.h"

namespace e2e {
namespace {

using std::chrono::microseconds;
using std::chrono::steady_clock;

constexpr int kSessions = 1000;
constexpr int kTerminals = 1000;
// No message may have the loop for itself for longer. A ping waits for a few turns of the loop, and
// for the machine, so it has room; what this is about took hundreds of milliseconds.
constexpr microseconds kMost{2000};
constexpr int kRoom = 3;

class AtTheLimitsMeasuringTest : public NativeTest {
 protected:
  // What a client sends, and what its answer contains. Texts, so that nothing is left to be made
  // or read while others are measured.
  struct Question {
    WebSocketClient* client = nullptr;
    std::string text;
    std::string answer;
  };

  void SetUp() override {
    NativeTest::SetUp();
    serve({"--message-rate-limit", "100000", "--message-burst-limit", "100000"});
    rich_ = native(token_of("rich"));
    other_ = native(token_of("other"));
    for (int i = 1; i < kSessions; ++i)
      ask(question("session_create", {{"name", "s" + std::to_string(i)}}));
    for (int i = 0; i < kTerminals; ++i) {
      json::object wanted = terminal("t" + std::to_string(i), {"/bin/cat"});
      if (i % 2 == 1) wanted["session"] = "s" + std::to_string(i);
      ask(question("create", std::move(wanted)));
    }
  }

  Question question(std::string_view type, json::object data = {}) {
    json::object request = message(type, std::move(data)).as_object();
    request["request"] = ++request_;
    return {.client = rich_.get(),
            .text = json::serialize(request),
            .answer = "\"request\":" + std::to_string(request_) + ","};
  }

  std::string answer_to(const Question& asked) {
    asked.client->send_text(asked.text);
    while (auto frame = asked.client->receive())
      if (!frame->binary && frame->data.substr(0, 100).find(asked.answer) != std::string::npos)
        return frame->data;
    return "no answer";
  }

  void ask(const Question& asked) {
    const std::string answer = answer_to(asked);
    EXPECT_EQ(answer.find(R"("type":"error")"), std::string::npos) << answer.substr(0, 300);
  }

  microseconds ping() {
    const auto begin = steady_clock::now();
    other_->send(message("ping"));
    other_->expect("pong");
    return std::chrono::ceil<microseconds>(steady_clock::now() - begin);
  }

  // How long the other user's slowest ping took while these were asked and answered: one that keeps
  // the loop to itself shows in it with all its time.
  microseconds slowest_ping(const std::vector<Question>& questions) {
    std::atomic<bool> is_done = false;
    std::vector<std::string> answers;
    std::thread asking([&] {
      for (const Question& each : questions) answers.push_back(answer_to(each));
      is_done = true;
    });
    microseconds slowest{0};
    do {
      slowest = std::max(slowest, ping());
    } while (!is_done);
    asking.join();
    for (const std::string& answer : answers) last_answer_ = answer.substr(0, 300);
    return slowest;
  }

  // The median over some rounds: another process's turn is in a few of them, the message's cost in
  // all.
  microseconds cost(const std::function<std::vector<Question>(int round)>& make) {
    constexpr int kRounds = 15;
    std::vector<microseconds> rounds;
    for (int round = 0; round < kRounds; ++round) rounds.push_back(slowest_ping(make(round)));
    std::ranges::nth_element(rounds, rounds.begin() + kRounds / 2);
    return rounds[kRounds / 2];
  }

  static json::array ids(bool is_reversed) {
    json::array all;
    for (int i = 0; i < kTerminals; ++i)
      all.emplace_back("t" + std::to_string(is_reversed ? kTerminals - 1 - i : i));
    return all;
  }

  std::unique_ptr<WebSocketClient> rich_;
  std::unique_ptr<WebSocketClient> other_;
  std::int64_t request_ = 0;
  std::string last_answer_;
};

TEST_F(AtTheLimitsMeasuringTest, NoMessageKeepsOthersWaiting) {
  const auto client = compatible(token_of("rich"));
  const auto one = [&](std::string_view type, json::object data = {}) {
    return std::vector{question(type, std::move(data))};
  };
  const auto line = [&](const std::string& text) {
    return [one, text](int) { return one("run", {{"session", "main"}, {"line", text}}); };
  };
  const auto name = [](int n) { return n == 0 ? "s9" : "renamed" + std::to_string(n); };
  struct Message {
    std::string name;
    std::function<std::vector<Question>(int round)> make;
    bool is_refused = false;
  };
  const std::vector<Message> messages{
      {"nothing", [](int) { return std::vector<Question>{}; }},
      {"list", [&](int) { return one("list"); }},
      {"list of a session", [&](int) { return one("list", {{"session", "s1"}}); }},
      {"sessions", [&](int) { return one("sessions"); }},
      {"reorder", [&](int n) { return one("reorder", {{"terminalIds", ids(n % 2 == 0)}}); }},
      {"rename",
       [&](int n) { return one("rename", {{"terminalId", "t7"}, {"name", std::to_string(n)}}); }},
      {"session_rename",
       [&](int n) { return one("session_rename", {{"name", name(n)}, {"newName", name(n + 1)}}); }},
      {"session_create, refused", [&](int) { return one("session_create", {{"name", "more"}}); },
       true},
      {"create, refused", [&](int) { return one("create", terminal("more")); }, true},
      {"close and create",
       [&](int) {
         return std::vector{question("close", {{"terminalId", "t999"}}),
                            question("create", terminal("t999", {"/bin/cat"}))};
       }},
      {"/resources log", line("/resources log")},
      {"/help", line("/help")},
      {"commands", [&](int) { return one("commands", {{"session", "main"}}); }},
      {"resources", [&](int) { return one("resources", {{"session", "main"}}); }},
      {"preference_set",
       [&](int n) {
         return one("preference_set",
                    {{"name", "p" + std::to_string(n % 15)},
                     {"value", std::string(64 * 1024 - 2, static_cast<char>('a' + n % 26))}});
       }},
      {"preferences", [&](int) { return one("preferences"); }},
      {"list_sessions of the compatible protocol",
       [&](int) {
         return std::vector{Question{.client = client.get(),
                                     .text = json::serialize(message("list_sessions")),
                                     .answer = R"("type":"session_list")"}};
       }},
  };
  const microseconds quiet = cost(messages.front().make);
  for (const Message& each : messages) {
    const microseconds slowest = cost(each.make);
    std::printf("%-42s another user's slowest ping %5ld us\n", each.name.c_str(), slowest.count());
    EXPECT_LE(slowest, quiet + kRoom * kMost) << each.name;
    EXPECT_EQ(last_answer_.find(R"("type":"error")") != std::string::npos, each.is_refused)
        << each.name << ": " << last_answer_;
  }
}

}  // namespace
}  // namespace e2e
