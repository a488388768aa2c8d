// A large paste into a program that reads slowly, and one that is too large.

#include <cstdio>
#include <fstream>

#include "end_to_end/survival_fixture.h"
#include "programs/checksum.h"
#include "programs/sequence.h"

namespace e2e {
namespace {

// Printable, and without a period.
std::string paste(std::size_t size, std::uint64_t from = 0) {
  std::string text(size, ' ');
  for (std::size_t i = 0; i < size; ++i)
    text[i] = static_cast<char>(' ' + std::to_integer<unsigned>(sequence::at(from + i)) % 95);
  return text;
}

std::string verdict(const std::string& text) {
  char line[64];
  std::snprintf(line, sizeof line, "got %zu %016llx.", text.size(),
                static_cast<unsigned long long>(checksum::add(checksum::kStart, text)));
  return line;
}

class LargeInputTest : public SurvivalTest {
 protected:
  void SetUp() override {
    SurvivalTest::SetUp();
    go_ = dir() / "go";
  }
  std::unique_ptr<WebSocketClient> reader() {
    create("slow", {SLOW_READER, go_.string()});
    auto client = compatible();
    client->send(reattach("slow"));
    (void)output_until(*client, "ready");
    return client;
  }
  void let_it_read() const { std::ofstream(go_).flush(); }
  // Whether the input was taken: the answer to a ping comes after the error, if there is one.
  static bool taken(WebSocketClient& client, std::string_view bytes) {
    client.send(input("slow", bytes));
    client.send(message("ping"));
    bool refused = false;
    client.expect([&](const json::object& answer) {
      const auto& type = answer.at("type").as_string();
      if (type == "error") refused = answer.at("data").at("error").as_string() == "input refused";
      return type == "pong";
    });
    return !refused;
  }

  std::filesystem::path go_;
};

TEST_F(LargeInputTest, FiveMegabytesArriveWholeAndOthersTypeOnMeanwhile) {
  start();
  const auto client = reader();
  create("quiet", {"/bin/cat"});
  Seat quiet("quiet");
  quiet.sit(native(), Wire::native, Begin::anew);
  quiet.pull_until([&] { return quiet.snapshots() > 0; });

  const std::string text = paste(5'000'000);
  let_it_read();
  for (std::size_t at = 0; at < text.size(); at += 100'000) {
    client->send(input("slow", std::string_view(text).substr(at, 100'000)));
    const auto before = quiet.offset();
    quiet.type("x");
    quiet.pull_until([&] { return quiet.offset() > before; }, seconds(5));
  }
  client->send(input("slow", "\x04"));
  EXPECT_NE(output_until(*client, verdict(text), seconds(60)), "");
}

TEST_F(LargeInputTest, WhatIsTooMuchIsRefusedWholeAndTheRestArrives) {
  start({"--input-limit", "300000"});
  const auto client = reader();
  std::string accepted;
  int refused = 0;
  for (std::uint64_t i = 0; i < 20; ++i) {
    const std::string text = paste(50'000, i * 50'000);
    if (taken(*client, text))
      accepted += text;
    else
      ++refused;
  }
  EXPECT_GT(refused, 10);
  EXPECT_GT(accepted.size(), 250'000U);
  let_it_read();
  // There is room again when the program has read some.
  ASSERT_TRUE(eventually([&] { return taken(*client, "the end\x04"); }));
  EXPECT_NE(output_until(*client, verdict(accepted + "the end"), seconds(60)), "");
}

}  // namespace
}  // namespace e2e
