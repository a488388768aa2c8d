// The law of edits: for every stream, a viewer that gets it with its edits is in the same state as
// one that gets the whole stream and never answers. And nothing that it gets is a query.
//
// Queries were once cut out, which joined what was before and after them: for `ESC ESC[6n c`
// viewers got a full reset, for `ESC]2;x ESC[c text` a title that never ended.

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "vt/screen.h"
#include "vt/snapshot.h"
#include "vt/test_difference.h"
#include "vt/test_edits.h"
#include "vt/test_streams.h"

namespace vt {
namespace {

using namespace std::literals;

std::vector<std::byte> screen_ring(1 << 18);
std::vector<std::byte> viewer_ring(1 << 18);
std::vector<std::byte> late_ring(1 << 20);

// An ESC that interrupts nothing a viewer has is as good as one that does.
std::string without_interruption(std::string unfinished) {
  return unfinished.starts_with("\x1b\x1b") ? unfinished.substr(1) : unfinished;
}

// The difference between the screen and a viewer that got the stream up to settled().
std::string difference(const Screen& screen, const Screen& viewer) {
  const std::string expected = without_interruption(screen.parser().unfinished_settled());
  const std::string actual = without_interruption(viewer.parser().unfinished());
  if (expected != actual) return "unfinished: " + printable(expected) + " and " + printable(actual);
  return describe_difference(screen.state(), viewer.state());
}

// Pieces. Some are whole; most become something else next to another.
std::string nasty_piece(Random& random, Size size) {
  static constexpr std::string_view kBegun[] = {"\x1b",
                                                "\x1b",
                                                "\x1b[",
                                                "\x1b[1",
                                                "\x1b[1;",
                                                "\x1b[?",
                                                "\x1b[6",
                                                "\x1b[?6",
                                                "\x1b[>",
                                                "\x1b[1 ",
                                                "\x1b[?7$",
                                                "\x1b[1?",
                                                "\x1b(",
                                                "\x1b]",
                                                "\x1b]2",
                                                "\x1b]2;x",
                                                "\x1b]11;",
                                                "\x1b]11;?",
                                                "\x1b]4;1;",
                                                "\x1b]4;1;?",
                                                "\x1b]52;c",
                                                "\x1bP",
                                                "\x1bP$",
                                                "\x1bP$q",
                                                "\x1bP$qm",
                                                "\x1bP+q54",
                                                "\x1bPq",
                                                "\x1b_a",
                                                "\x1bXa",
                                                "\xe2",
                                                "\xe2\x82",
                                                "\xf0\x9f",
                                                "\xc2",
                                                "\xc2\x9b",
                                                "\xc2\x9b"
                                                "6",
                                                "\xc2\x9d"
                                                "2;y",
                                                "\xc2\x90$q",
                                                "\xc2\x98",
                                                "\x1b[0?",
                                                "\x1b[999",
                                                "\x1bP0?"};
  static constexpr std::string_view kEnds[] = {
      "n",    "c",      "[6n",      "6n",   "m",    "$p",       "p",    "\x07",
      "\x07", "\x1b\\", "\xc2\x9c", "\x18", "\x1a", "\x82\xac", "\xac", "\x9c",
      "H",    "2;5H",   "5H",       "S",    "b",    "99999S",   "t",    "u",
      ";?",   "?",      ";#abc",    "q",    "\\",   "J",        "1J",   "999999b"};
  static constexpr std::string_view kControls[] = {"\n"sv, "\r"sv,   "\b"sv,       "\t"sv,
                                                   "\0"sv, "\x7f"sv, "\xc2\x84"sv, "\xc2\x85"sv};
  static constexpr std::string_view kQueries[] = {"\x1b[6n",
                                                  "\x1b[c",
                                                  "\x1b[0c",
                                                  "\x1b[>c",
                                                  "\x1b[=c",
                                                  "\x1b[>q",
                                                  "\x1b[5n",
                                                  "\x1b[?6n",
                                                  "\x1b[?7$p",
                                                  "\x1b[4$p",
                                                  "\x1b[18t",
                                                  "\x1b[21t",
                                                  "\xc2\x9b"
                                                  "6n",
                                                  "\x1b]10;?\x07",
                                                  "\x1b]11;?\x1b\\",
                                                  "\x1b]12;?\xc2\x9c",
                                                  "\x1b]4;1;?\x07",
                                                  "\x1b]4;1;?;2;#123456\x07",
                                                  "\x1b]4;3;#abc;1;?\x1b\\",
                                                  "\x1b]10;#fff;?\x07",
                                                  "\x1b]10;?;#fff;?\x07",
                                                  "\x1bP$qm\x1b\\",
                                                  "\x1bP+q544e\xc2\x9c",
                                                  "\xc2\x9d"
                                                  "11;?\x07",
                                                  "\xc2\x90$qr\xc2\x9c",
                                                  "\x1b[6\nn",
                                                  "\x1b\n[c",
                                                  "\x1b[\x7f"
                                                  "6n",
                                                  "\x1b\n]11;?\x07",
                                                  "\x1b]11;\n?\x07",
                                                  "\x1b[6\xe2n"};
  static constexpr std::string_view kMany[] = {"S", "T", "L", "M", "I", "Z", "b"};
  static constexpr std::string_view kMarks[] = {"\u0301", "\u20dd", "\u200d"};
  switch (random.below(9)) {
    case 0:
    case 1:
      return std::string(random.pick(kBegun));
    case 2:
      return std::string(random.pick(kEnds));
    case 3:
    case 4:
      return std::string(random.pick(kQueries));
    case 5:
      return std::string(random.pick(kControls));
    case 6:
      return (random.one_in(2) ? "e" : "") + std::string(random.pick(kMarks));
    case 7:
      if (random.one_in(4)) return "\x1b[999;999H" + (random.one_in(2) ? "x"s : ""s) + "\x1b[1J";
      return "x\x1b[" + std::to_string(random.one_in(3) ? 99999999 : random.between(1, 30)) +
             std::string(random.pick(kMany));
    default:
      return random_piece(random, size);
  }
}

std::string nasty_stream(Random& random, Size size) {
  std::string bytes;
  for (int left = random.between(2, 14); left > 0; --left) {
    std::string piece = nasty_piece(random, size);
    if (random.one_in(12))
      piece.resize(static_cast<std::size_t>(random.below(static_cast<int>(piece.size()) + 1)));
    bytes += piece;
  }
  if (random.one_in(400)) bytes.insert(bytes.size() / 2, Parser::kMaxText, 'z');
  return bytes;
}

// A terminal with a viewer that follows it in slices. The daemon dies once: its successor starts
// from a checkpoint, and the viewer continues with the successor's edits.
class Following {
 public:
  Following(std::uint64_t seed, std::string stream, Size size)
      : random_(seed), stream_(std::move(stream)), size_(size), viewer_(size, &asked_) {
    screen_ = std::make_unique<Screen>(size, &edited_);
    screen_->attach_history(History(screen_ring));
    viewer_.attach_history(History(viewer_ring));
  }

  // What went wrong, or nothing.
  std::string run() {
    const std::size_t death =
        static_cast<std::size_t>(random_.below(static_cast<int>(stream_.size()) + 1));
    while (screen_->position() < stream_.size()) {
      const std::size_t left = stream_.size() - screen_->position();
      const std::size_t most =
          random_.one_in(2) ? left : 1 + static_cast<std::size_t>(random_.below(9));
      screen_->feed(std::string_view(stream_).substr(screen_->position(), std::min(left, most)));
      if (std::string what = follow(); !what.empty()) return what;
      if (screen_->position() >= death && !succeeded_) succeed();
    }
    return "";
  }

  [[nodiscard]] const std::string& sent() const { return sent_; }

 private:
  std::string follow() {
    while (sent_to_ < screen_->settled()) {
      const std::uint64_t left = screen_->settled() - sent_to_;
      std::uint64_t to = sent_to_ + (random_.one_in(2) ? left : 1 + random_.next() % left);
      // No slice ends inside a character.
      if (to < screen_->settled())
        to -= unfinished_suffix(std::string_view(stream_).substr(sent_to_, to - sent_to_));
      if (to == sent_to_) continue;
      const std::string slice = edited_.part(stream_, sent_to_, to);
      // A slice that ends inside an edit has none of it, and the next one has all of it.
      sent_to_ = to;
      viewer_.feed(slice);
      sent_ += slice;
    }
    std::string what = difference(*screen_, viewer_);
    if (what.empty() && asked_.queries() > 0) what = "the viewer was asked something";
    if (what.empty() && !asked_.edits().empty()) what = "what was sent needs an edit";
    if (what.empty()) what = look_late();
    return what;
  }

  // A viewer that attaches now, with a snapshot, equals one that was there the whole time.
  std::string look_late() {
    Screen late(size_);
    late.attach_history(History(late_ring));
    late.feed(snapshot(*screen_, {.unfinished = Unfinished::resend}));
    const std::string what = difference(*screen_, late);
    return what.empty() ? "" : "late: " + what;
  }

  void succeed() {
    succeeded_ = true;
    const std::string checkpoint =
        snapshot(*screen_, {.history_rows = 0, .unfinished = Unfinished::resend});
    const HistoryPosition history = screen_->state().history.position();
    screen_ = std::make_unique<Screen>(size_, std::as_bytes(std::span(checkpoint)),
                                       screen_->settled(), History(screen_ring, history), &edited_);
  }

  Random random_;
  std::string stream_;
  Size size_;
  EditedStream edited_;
  EditedStream asked_;
  std::unique_ptr<Screen> screen_;
  Screen viewer_;
  std::uint64_t sent_to_ = 0;
  std::string sent_;
  bool succeeded_ = false;
};

std::string check_stream(std::uint64_t seed, const std::string& stream, Size size) {
  Following following(seed, stream, size);
  const std::string what = following.run();
  if (what.empty()) return "";
  return what + "\nseed " + std::to_string(seed) + ", " + std::to_string(size.cols) + "x" +
         std::to_string(size.rows) + ": " + printable(stream) +
         "\nsent: " + printable(following.sent());
}

TEST(EditLawTest, TheStreamsThatOnceCameOutWrong) {
  for (const std::string& stream :
       {"abc\x1b\x1b[6nc"s, "abc\x1b]2;x\x1b[ctext"s, "abc\x1b[1;\x1b[6n5H"s,
        "abc\xe2\x1b[6n\x82\xac"s, "abc\x1b[6\nndef"s, "abc\x1b\x1b[6n[6n"s})
    for (std::uint64_t seed = 0; seed < 40; ++seed)
      EXPECT_EQ(check_stream(seed, stream, {.cols = 10, .rows = 4}), "");
}

TEST(EditLawTest, AViewerIsAsIfItHadBeenSentTheWholeStream) {
#if defined(HOLDFAST_SANITIZED)
  constexpr int kCases = 5'000;
#else
  constexpr int kCases = 200'000;
#endif
  const int cases = std::getenv("HOLDFAST_SOAK") != nullptr ? 20 * kCases : kCases;
  for (int i = 0; i < cases; ++i) {
    Random random(static_cast<std::uint64_t>(i));
    const Size size = random_size(random);
    ASSERT_EQ(check_stream(static_cast<std::uint64_t>(i), nasty_stream(random, size), size), "");
  }
}

// Ordinary queries leave nothing behind. What remains of a string query ends joining.
TEST(EditLawTest, AQueryInPlainTextIsLeftOut) {
  for (const auto& [stream, sent] : {std::pair{"a\x1b[6nb"s, "ab"s},
                                     {"a\x1b[c\x1b[>c\x1b[?u\x1b[5nb", "ab"},
                                     {"a\x1b]11;?\x07"
                                      "b",
                                      "a\x1b\\b"},
                                     {"a\x1bP+q544e\x1b\\b", "a\x1b\\\x1b\\b"},
                                     {"a\x1b]4;1;?;2;#abc\x07"
                                      "b",
                                      "a\x1b\\\x1b]4;2;#a0b0c0\x1b\\b"}}) {
    EditedStream edited;
    Screen screen({.cols = 10, .rows = 4}, &edited);
    screen.feed(stream);
    EXPECT_EQ(printable(edited.part(stream, 0, stream.size())), printable(sent));
  }
}

// Counts that keep xterm.js busy for minutes or make it throw are replaced by the screen's own
// limit, with the same effect.
TEST(EditLawTest, CountsAreThoseThatMatter) {
  for (const auto& [stream, sent] : {std::pair{"\x1b[99999999S"s, "\x1b[4S"s},
                                     {"\x1b[5T", "\x1b[4T"},
                                     {"\x1b[4T", "\x1b[4T"},
                                     {"\x1b[2147483647L", "\x1b[4L"},
                                     {"\x1b[77M", "\x1b[4M"},
                                     {"\x1b[11I", "\x1b[10I"},
                                     {"\x1b[9999Z", "\x1b[10Z"},
                                     {"x\x1b[99999999b", "x\x1b[1000b"},
                                     {"\x1b[1\n0000S", "\x1b[1\n00000?m\x1b[4S"},
                                     {"\x1b\x1b[99S", "\x1b\x1b[990?m\x1b[4S"},
                                     {"\x1b[999;999H\x1b[1J", "\x1b[999;999H\x1b[2J"},
                                     {"\x1b[999;999H\x1b[?1J", "\x1b[999;999H\x1b[?2J"},
                                     {"\x1b[3;999H\x1b[1J", "\x1b[3;999H\x1b[1J"}}) {
    EditedStream edited;
    Screen screen({.cols = 10, .rows = 4}, &edited);
    screen.feed(stream);
    EXPECT_EQ(printable(edited.part(stream, 0, stream.size())), printable(sent));
  }
}

// A string that is too long for this screen is dropped for viewers too: they might have room for
// it.
TEST(EditLawTest, AStringThatWasDroppedIsCancelled) {
  const std::string stream = "\x1b]2;" + std::string(Parser::kMaxText + 1, 't');
  for (const auto& [end, sent] : {std::pair{"\x07x"s, "\x18x"s},
                                  {"\xc2\x9cx", "\x18x"},
                                  {"\x1b\\x", "\x18\x1b\\x"},
                                  {"\x1b[6nx", "\x18\x1b[60?mx"}}) {
    EditedStream edited;
    Screen screen({.cols = 10, .rows = 4}, &edited);
    screen.feed(stream + end);
    EXPECT_EQ(printable(edited.part(stream + end, stream.size(), stream.size() + end.size())),
              printable(sent));
  }
}

}  // namespace
}  // namespace vt
