// Nothing that was printed is typed. The answer to XTGETTCAP once repeated the requested name
// verbatim: `cat` of a file with `ESC P + q CR command CR ESC \` ran the command.

#include "vt/reply.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <type_traits>

#include "vt/snapshot.h"
#include "vt/test_reply_grammar.h"
#include "vt/test_screen.h"
#include "vt/test_streams.h"

namespace vt {
namespace {

// A reply accepts only text that was known at compile time.
static_assert(!std::is_constructible_v<Reply::Word, std::string>);
static_assert(!std::is_constructible_v<Reply::Word, std::string_view>);
static_assert(!std::is_constructible_v<Reply, std::string>);

TEST(ReplyTest, IsWordsNumbersAndDigits) {
  Reply reply;
  reply.word("\x1b[").number(7).word(";").number(-1).word("R");
  EXPECT_EQ(reply.text(), "\x1b[7;0R");
  reply.clear();
  EXPECT_EQ(reply.hex("\r\x1b\xff").text(), "0D1BFF");
  reply.clear();
  EXPECT_EQ(reply.color(0x12abef).text(), "rgb:1212/abab/efef");
  reply.clear();
  Style bold;
  bold.flags = Style::kBold;
  EXPECT_EQ(reply.style(bold).text(), "0;1");
}

TEST(ReplyTest, TheGrammarOfTheTestsTellsRepliesFromText) {
  for (const std::string_view good : {"\x1b[0n", "\x1b[1;2R\x1b[0n", "\x1bP0+r\x1b\\"})
    EXPECT_TRUE(is_replies(good)) << printable(good);
  for (const std::string_view bad : {"x", "\x1b[0", "\x1b[;2R", "\x1b[0n\r", "\x1bP0+r\rls\r\x1b\\",
                                     "\x1bP0+r414\x1b\\", "\x1bP1$rxm\x1b\\", "\x1b]2;t\x1b\\"})
    EXPECT_FALSE(is_replies(bad)) << printable(bad);
}

// Not answered, and not sent to viewers either.
TEST(ReplyTest, AStringWithAControlIsNotAnswered) {
  for (const std::string query : {"\x1bP+q\rtouch x\r", "\xc2\x90+q\rtouch x\r", "\x1bP+q544e\r",
                                  "\x1bP+q54\x7f"
                                  "4e",
                                  "\x1bP\r+q544e", "\x1bP+\nq544e", "\x1bP$q\rm", "\x1bP$qm\n",
                                  "\x1b]11;\r?", "\x1b]4;1;?\r", "\x1b]\n10;?", "\x1b\x7f]10;?",
                                  "\xc2\x9d"
                                  "12;?\x01"})
    for (const std::string end : {"\x1b\\", "\xc2\x9c"}) {
      TestScreen t;
      t.feed(query + end + "x");
      ASSERT_EQ(t.queries().size(), 1U) << printable(query);
      EXPECT_EQ(t.reply(), "") << printable(query);
      EXPECT_EQ(t.queries()[0].span.begin, 0U);
      EXPECT_EQ(t.row(0), "x");
    }
}

// The control is executed and viewers get it, but the query is not answered and does nothing.
TEST(ReplyTest, ASequenceWithAControlIsNotAnswered) {
  for (const std::string query : {"\x1b[\r6n", "\x1b\r[6n", "\x1b[6\rn", "\x1b\r]11;?\x1b\\",
                                  "\x1b\rP$qm\x1b\\", "\xc2\x9b\r6n"}) {
    TestScreen t;
    t.feed("ab" + query + "x");
    ASSERT_EQ(t.queries().size(), 1U) << printable(query);
    EXPECT_EQ(t.reply(), "") << printable(query);
    EXPECT_EQ(t.row(0), "xb") << printable(query);
  }
}

TEST(ReplyTest, AC1ControlEndsAStringWithoutAnAnswer) {
  for (const std::string query : {"\x1bP+q544e\xc2\x85ls\xc2\x85\x1b\\", "\x1bP$qm\xc2\x84\x1b\\",
                                  "\x1b]11;?\xc2\x85\x07", "\x1bP+q544e\x18", "\x1b]11;?\x1a"}) {
    TestScreen t;
    t.feed(query);
    EXPECT_EQ(t.reply(), "") << printable(query);
  }
}

TEST(ReplyTest, AControlCountsAfterASnapshotToo) {
  for (const std::string begin :
       {"\x1bP+q54\r", "\x1bP\r+q54", "\x1b]11;\r", "\x1b\r]11;", "\x1b[\r6"})
    for (const std::string end : {"4e\x1b\\", "?\x1b\\", "n"}) {
      TestScreen original;
      original.feed(begin);
      TestScreen copy;
      copy.feed(snapshot(original.screen()));
      copy.feed(end);
      EXPECT_EQ(copy.reply(), "") << printable(begin + end);
    }
}

TEST(ReplyTest, ATitleIsNotReported) {
  TestScreen t;
  t.feed("\x1b]0;touch x\x07\x1b[20t\x1b[21t\x1b[22t\x1b[23t\x1b[21t\x05\x1b]52;c;?\x07");
  for (const TestScreen::Query& query : t.queries()) EXPECT_EQ(query.reply, "");
  EXPECT_EQ(t.queries().size(), 3U) << "viewers, which may report it, do not get the question";
}

constexpr std::string_view kIntroducers[] = {"\x1b[",    "\x1bP", "\x1b]", "\xc2\x9b", "\xc2\x90",
                                             "\xc2\x9d", "\x1b_", "\x90",  "\x9d"};
constexpr std::string_view kTerminators[] = {"\x1b\\", "\xc2\x9c", "\x07", "\x1b\\",
                                             "\x18",   "\x1b[m",   "\x9c", ""};
constexpr std::string_view kCsiQueries[] = {"c",   ">c",  "=c",  ">q",  "5n",   "6n",
                                            "?6n", "$p",  "?$p", "?u",  "14t",  "16t",
                                            "18t", "19t", "20t", "21t", "14;2t"};
constexpr std::string_view kDcsQueries[] = {"$qm",  "$qr",   "$q\"p",    "$q\"q",  "$q q",
                                            "$q",   "$qls",  "+q",       "+q544e", "+q436F;524742",
                                            "+q7g", "+q414", "+q6c73;;", "1$qm"};
constexpr std::string_view kOscQueries[] = {"4;",     "4;1;?", "4;255;?;300;?;7;?", "10;?",
                                            "11;?",   "12;?",  "10;?;?;?",          "4;1;#123;1;?",
                                            "52;c;?", "2;ls",  "11;rgb:1/2/3"};
constexpr std::string_view kNoise[] = {
    "\r",   "\n",   "\rls\r", "ls", ";",  "?",           "\x7f", "\xc2\x85", "\x1b", "\x05",
    "\xff", "\xc2", "é",      ":",  "-1", "99999999999", "0",    "\x03",     "\x04", "$(ls)"};

// A query; every other one contains something that does not belong there.
std::string random_query(Random& random) {
  const int kind = random.below(3);
  const std::string_view introducer = kIntroducers[kind + 3 * random.below(2)];
  std::string query(kind == 0   ? random.pick(kCsiQueries)
                    : kind == 1 ? random.pick(kDcsQueries)
                                : random.pick(kOscQueries));
  if (kind == 0 && query.back() == 'p')
    query.insert(query[0] == '?' ? 1 : 0, std::to_string(random.below(3000)));
  query.insert(0, introducer);
  if (kind > 0) query += random.pick(kTerminators);
  while (random.one_in(2))
    query.insert(static_cast<std::size_t>(random.below(static_cast<int>(query.size()) + 1)),
                 random.pick(kNoise));
  return query;
}

std::string random_bytes(Random& random) {
  std::string bytes;
  for (int n = random.below(40); n > 0; --n) {
    switch (random.below(6)) {
      case 0:
        bytes += random.pick(kIntroducers);
        break;
      case 1:
        bytes += random.pick(kTerminators);
        break;
      case 2:
        bytes += random.pick(kNoise);
        break;
      default:
        bytes += static_cast<char>(random.below(256));
    }
  }
  return bytes;
}

std::string random_stream(Random& random) {
  std::string stream;
  for (int n = random.between(1, 12); n > 0; --n) {
    const int kind = random.below(4);
    if (kind == 0) stream += random_bytes(random);
    if (kind == 1) stream += random_piece(random, {.cols = 10, .rows = 4});
    if (kind > 1) stream += random_query(random);
  }
  return stream;
}

// Between the introducer and the terminator.
bool has_control(std::string_view query) {
  if (query.ends_with('\x07')) query.remove_suffix(1);
  query.remove_prefix(1);
  return std::ranges::any_of(query, [](char c) { return (c >= 0 && c < ' ') || c == '\x7f'; });
}

// The number of streams is for a bounded run.
TEST(ReplyTest, WhateverIsPrintedRepliesKeepToTheGrammar) {
  constexpr int kStreams = 40'000;
  std::array<int, kReplyGrammar.size()> seen{};
  for (int seed = 0; seed < kStreams; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const std::string stream = random_stream(random);
    TestScreen t;
    const auto cut = static_cast<std::size_t>(random.below(static_cast<int>(stream.size()) + 1));
    t.feed(stream.substr(0, cut)).feed(stream.substr(cut));
    for (const auto& [span, reply] : t.queries()) {
      const std::string query = stream.substr(span.begin, span.end - span.begin);
      ASSERT_TRUE(reply.empty() || !has_control(query))
          << printable(query) << " answered " << printable(reply);
      for (std::string_view rest = reply; !rest.empty();) {
        const std::size_t rule = take_reply(rest);
        ASSERT_LT(rule, seen.size()) << printable(query) << " answered " << printable(reply);
        ++seen[rule];
      }
    }
  }
  for (std::size_t rule = 0; rule < seen.size(); ++rule)
    EXPECT_GT(seen[rule], 50) << printable(kReplyGrammar[rule]);
}

}  // namespace
}  // namespace vt
