// Showing a file runs nothing. A terminal's answers are typed into the shell, and there was one
// that repeated what the query said: `cat` of a file with `ESC P + q CR command CR ESC \` ran the
// command.

#include <filesystem>
#include <fstream>

#include "end_to_end/protocol_fixture.h"

namespace e2e {
namespace {

using Strings = std::vector<std::string>;

// Every string that a terminal may take for a query, in its 7-bit and 8-bit forms.
Strings string_queries() {
  Strings all;
  for (const std::string dcs : {"\x1bP", "\xc2\x90", "\x90"})
    for (const std::string query : {"+q", "+q544e", "+q544e;", "$q", "$qm", "$q\"p", "1$q", "+p"})
      all.push_back(dcs + query);
  for (const std::string osc : {"\x1b]", "\xc2\x9d", "\x9d"})
    for (const std::string query :
         {"4;1;?", "4;1;", "4;",     "10;?", "10;", "11;?", "11;",
          "12;?",  "12;",  "0;",     "1;",   "2;",  "l",    "L",
          "21;",   "50;?", "52;c;?", "52;",  "60",  "99;",  "1337;ReportVariable="})
      all.push_back(osc + query);
  for (const std::string other : {"\x1b_G", "\x1b^", "\x1bX", "\xc2\x9f", "\xc2\x9e", "\xc2\x98"})
    all.push_back(other);
  return all;
}

class ShownFileTest : public ProtocolTest, public testing::WithParamInterface<const char*> {
 protected:
  // A command that leaves a trace, of which there is a new one every time.
  std::string command() {
    return "touch " + (dir() / ("ran" + std::to_string(++commands_))).string();
  }
  [[nodiscard]] Strings traces() const {
    Strings found;
    for (const auto& each : std::filesystem::directory_iterator(dir()))
      if (each.path().filename().string().starts_with("ran"))
        found.push_back(each.path().filename());
    return found;
  }

  std::string strings_with_commands() {
    std::string out;
    for (const std::string& query : string_queries())
      for (const std::string end : {"\x1b\\", "\xc2\x9c", "\x9c", "\x07"})
        for (const std::string control : {"\r", "\n", "\xc2\x85", "\x04", "\x7f\r"}) {
          out += query + control + command() + control + end + "\x1b\\";
          out += query + control + command() + control + "?" + end + "\x1b\\";
        }
    return out;
  }
  // The title is the command, and a report of the title would type it.
  std::string titles() {
    std::string out;
    for (const std::string set : {"\x1b]0;", "\x1b]1;", "\x1b]2;",
                                  "\xc2\x9d"
                                  "2;"})
      for (const std::string report : {"\x1b[20t", "\x1b[21t", "\x1b[22t\x1b[23t\x1b[21t",
                                       "\xc2\x9b"
                                       "21t"})
        out += set + command() + "\x07" + report + set + "\r" + command() + "\r\x07" + report;
    return out;
  }
  std::string controls_inside() {
    std::string out;
    for (const std::string csi : {"\x1b[", "\xc2\x9b"})
      for (const std::string query :
           {"c", ">c", "=c", ">q", "6n", "?6n", "5n", "?1$p", "4$p", "?u", "18t"})
        out += csi + "\r" + query + csi + query.substr(0, query.size() - 1) + "\n" + query.back();
    return out + "\x05";
  }
  std::string write_file() {
    const std::string path = (dir() / "shown").string();
    std::ofstream(path) << strings_with_commands() << titles() << controls_inside()
                        << "\x1b[mthe end\n";
    return path;
  }

 private:
  int commands_ = 0;
};

TEST_P(ShownFileTest, RunsNothingAndTypesNothing) {
  serve();
  NativePeer peer = native_peer();
  peer.ask("create",
           {{"terminalId", "t1"},
            {"command", json::array{"/bin/sh", "-c", "PS1='$ ' exec " + std::string(GetParam())}}});
  const auto channel = peer.attach("t1", {{"since", 0}});
  peer.type(channel, "cat " + write_file() + "\r");
  (void)peer.output_until(channel, "the end\r\n");
  // The answers are typed before this is. Were one left on the line, this would be no command.
  peer.type(channel, "echo \"<$((40 + 2))>\"\r");
  const std::string text = peer.output_until(channel, "<42>");
  EXPECT_EQ(plain(text).find("not found"), std::string::npos) << plain(text);
  EXPECT_EQ(traces(), Strings{});
}

INSTANTIATE_TEST_SUITE_P(Shells, ShownFileTest,
                         testing::Values("dash -i", "bash --norc --noprofile -i"),
                         [](const auto& info) { return std::string(info.param).substr(0, 4); });

}  // namespace
}  // namespace e2e
