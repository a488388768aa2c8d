#include "vt/parser.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "vt/test_streams.h"

namespace vt {
namespace {

// Records events as words.
class Recorder : public ParserEvents {
 public:
  void print_ascii(std::string_view text) override { text_ += text; }
  void print(std::span<const char32_t> text) override {
    for (const char32_t code : text) append_utf8(text_, code);
  }
  std::size_t print_text(std::string_view utf8) override {
    const auto* const begin = reinterpret_cast<const unsigned char*>(utf8.data());
    char32_t code = 0;
    std::size_t taken = 0;
    while (taken < utf8.size()) {
      const std::size_t length = decode_printable(begin + taken, begin + utf8.size(), code);
      if (length == 0) break;
      append_utf8(text_, code);
      taken += length;
    }
    return taken;
  }
  void sgr(const SgrBytes& bytes) override {
    Params params;
    const auto* const begin = reinterpret_cast<const unsigned char*>(bytes.data());
    params.parse(begin, begin + bytes.size());
    csi_dispatch(identifier("m"), params);
  }
  void execute(unsigned control) override { word("C" + std::to_string(control)); }
  void esc_dispatch(Identifier id) override { word("ESC" + name(id)); }
  void csi_dispatch(Identifier id, const Params& params) override {
    std::string numbers;
    params.append_to(numbers);
    word("CSI" + name(id) + "(" + numbers + ")");
  }
  [[nodiscard]] bool wants_osc(int command) const override { return command == 2; }
  [[nodiscard]] bool wants_dcs(Identifier id) const override { return id == identifier("$q"); }
  void osc_dispatch(int command, std::string_view text) override {
    word("OSC" + std::to_string(command) + "(" + std::string(text) + ")");
  }
  void dcs_dispatch(Identifier id, const Params& params, std::string_view text) override {
    std::string numbers;
    params.append_to(numbers);
    word("DCS" + name(id) + "(" + numbers + "," + std::string(text) + ")");
  }
  void string_ignored() override { word("ignored"); }
  void string_dropped() override { word("dropped"); }

  std::string take() {
    word("");
    return std::exchange(words_, "");
  }

 private:
  static std::string name(Identifier id) {
    std::string out;
    for (int shift = 24; shift >= 0; shift -= 8)
      if (const char c = static_cast<char>(id >> shift); c != 0) out += c;
    return out;
  }
  void word(const std::string& word) {
    for (const std::string& next : {std::exchange(text_, ""), word})
      if (!next.empty()) words_ += (words_.empty() ? "" : " ") + next;
  }

  std::string text_;
  std::string words_;
};

std::string parse(std::string_view bytes) {
  Parser parser;
  Recorder recorder;
  parser.feed(std::as_bytes(std::span(bytes)), recorder);
  return recorder.take();
}

TEST(ParserTest, TextControlsAndSequences) {
  EXPECT_EQ(parse("ab\ncd"), "ab C10 cd");
  EXPECT_EQ(parse("\x1b[1;2mx"), "CSIm(1;2) x");
  EXPECT_EQ(parse("\x1b[?25h"), "CSI?h(25)");
  EXPECT_EQ(parse("\x1b[4:3;38:2::1m"), "CSIm(4:3;38:2::1)");
  EXPECT_EQ(parse("\x1b[3 q\x1b[!p"), "CSI q(3) CSI!p(0)");
  EXPECT_EQ(parse("\x1b(0\x1b"
                  "7"),
            "ESC(0 ESC7");
  EXPECT_EQ(parse("\x1b]2;t\x07x"), "OSC2(t) x");
  EXPECT_EQ(parse("\x1b]2;t\x1b\\x"), "OSC2(t) ESC\\ x");
  EXPECT_EQ(parse("\x1b]2\x07"), "OSC2()");
  EXPECT_EQ(parse("\x1bP1$qm\x1b\\"), "DCS$q(1,m) ESC\\");
  EXPECT_EQ(parse("\x1b_apc\x1b\\\x1b^pm\x1b\\\x1bXsos\x1b\\x"), "ESC\\ ESC\\ ESC\\ x");
}

TEST(ParserTest, C1ControlsAreCodePoints) {
  EXPECT_EQ(parse("\u009b1m\u009d2;t\u009cx\u0090$qm\u009c\u0084\u0085"),
            "CSIm(1) OSC2(t) x DCS$q(0,m) C132 C133");
  EXPECT_EQ(parse("a\x9b"
                  "1mb"),
            "a\ufffd1mb")
      << "alone they are malformed UTF-8";
}

TEST(ParserTest, ControlsWithinASequenceAreExecuted) {
  EXPECT_EQ(parse("\x1b[1\n;2mx"), "C10 CSIm(1;2) x");
  EXPECT_EQ(parse("\x1b(\r0"), "C13 ESC(0");
}

TEST(ParserTest, SequencesAreCancelledAndRestarted) {
  EXPECT_EQ(parse("\x1b[1\x18x"), "C24 x");
  EXPECT_EQ(parse("\x1b[1\x1b[2mx"), "CSIm(2) x");
  EXPECT_EQ(parse("\x1b]2;a\x1b[1mx"), "OSC2(a) CSIm(1) x");
  EXPECT_EQ(parse("\x1b]2;a\x18x"), "ignored x");
  EXPECT_EQ(parse("\x1bP$qa\x1ax"), "ignored x");
}

TEST(ParserTest, MalformedSequencesAreSkippedToTheirEnd) {
  EXPECT_EQ(parse("\x1b[1?2mx"), "x");
  EXPECT_EQ(parse("\x1b[1 2mx"), "x");
  EXPECT_EQ(parse("\x1bP0?zz\x1b\\x"), "ESC\\ x");
  EXPECT_EQ(parse("\x1b[1\xc3\xa9mx"), "mx");
  EXPECT_EQ(parse("\x1b[1\xe9mx"), "mx");
}

TEST(ParserTest, UnwantedStringsAreSkipped) {
  EXPECT_EQ(parse("\x1b]52;c;zzz\x07x"), "ignored x");
  EXPECT_EQ(parse("\x1b]nonsense\x07x"), "ignored x");
  EXPECT_EQ(parse("\x1bPq#0~~\x1b\\x"), "ignored ESC\\ x");
}

TEST(ParserTest, NumbersAndTheirCountAreBounded) {
  EXPECT_EQ(parse("\x1b[99999999999m"), "CSIm(2147483647)");
  std::string many = "\x1b[1";
  for (int i = 2; i <= 40; ++i) many += ";" + std::to_string(i);
  const std::string words = parse(many + "m");
  EXPECT_NE(words.find(";32;)"), std::string::npos) << words;
  EXPECT_EQ(words.find("33"), std::string::npos) << words;
}

TEST(ParserTest, TextIsBounded) {
  Parser parser;
  Recorder recorder;
  const std::string chunk(1 << 16, 'x');
  parser.feed(std::as_bytes(std::span(std::string_view("\x1b]2;"))), recorder);
  for (int i = 0; i < 100; ++i) parser.feed(std::as_bytes(std::span(chunk)), recorder);
  EXPECT_LE(parser.memory(), 64U);
  EXPECT_LE(parser.unfinished().size(), 16U);
  parser.feed(std::as_bytes(std::span(std::string_view("\x07y"))), recorder);
  EXPECT_EQ(recorder.take(), "dropped y");
}

// The property that lets a snapshot be taken anywhere.
TEST(ParserTest, UnfinishedBytesBringAFreshParserIntoTheSameState) {
  const std::string_view streams[] = {"\x1b",           "\x1b(",     "\x1b[",     "\x1b[?",
                                      "\x1b[?12;3",     "\x1b[1:2:", "\x1b[1 ",   "\x1b[1?",
                                      "\x1b]",          "\x1b]2",    "\x1b]2;ab", "\x1b]52;x",
                                      "\x1bP",          "\x1bP1;2",  "\x1bP$",    "\x1bP$qab",
                                      "\x1bPqab",       "\x1bP0?",   "\x1b_ab",   "\xe6\x97",
                                      "\x1b]2;\xf0\x9f"};
  const std::string_view rests[] = {"",      "m",       "5;6m", "q",     "\x07x", "\x1b\\x",
                                    "\xa5x", "2;t\x07", "$p",   "\x18x", ":3m",   "0x"};
  for (const std::string_view stream : streams) {
    for (const std::string_view rest : rests) {
      Parser original;
      Parser fresh;
      Recorder recorder;
      original.feed(std::as_bytes(std::span(stream)), recorder);
      const std::string unfinished = original.unfinished();
      fresh.feed(std::as_bytes(std::span(unfinished)), recorder);
      recorder.take();
      EXPECT_EQ(fresh.unfinished(), unfinished);
      original.feed(std::as_bytes(std::span(rest)), recorder);
      const std::string expected = recorder.take();
      fresh.feed(std::as_bytes(std::span(rest)), recorder);
      EXPECT_EQ(recorder.take(), expected) << printable(stream) << " then " << printable(rest);
    }
  }
}

TEST(ParserTest, OverfullParametersStayOverfull) {
  std::string many = "\x1b[1";
  for (int i = 2; i <= 40; ++i) many += ";" + std::to_string(i);
  std::string subs = "\x1b[1";
  for (int i = 2; i <= 40; ++i) subs += ":" + std::to_string(i);
  for (const std::string& bytes : {many, subs, subs + ";7:1"}) {
    Parser original;
    Parser fresh;
    Recorder recorder;
    original.feed(std::as_bytes(std::span(bytes)), recorder);
    const std::string unfinished = original.unfinished();
    fresh.feed(std::as_bytes(std::span(unfinished)), recorder);
    const std::string_view rest = "99m";
    original.feed(std::as_bytes(std::span(rest)), recorder);
    const std::string expected = recorder.take();
    fresh.feed(std::as_bytes(std::span(rest)), recorder);
    EXPECT_EQ(recorder.take(), expected);
  }
}

}  // namespace
}  // namespace vt
