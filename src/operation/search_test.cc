// Looking through the lines of all terminals: which of them count, and where they are.

#include <gtest/gtest.h>

#include "operation/test_operations.h"

namespace operation {
namespace {

class SearchTest : public OperationsTest {
 protected:
  base::Result<Found> search(SearchRequest request) {
    return answer(start(operations_.output().search(caller(), std::move(request))));
  }
  static std::vector<std::string> texts(const Found& found) {
    std::vector<std::string> all;
    for (const Match& match : found.matches) all.push_back(match.terminal_id + " " + match.text);
    return all;
  }
};

using Texts = std::vector<std::string>;

TEST_F(SearchTest, ALineHasAPlaceFromTheBeginningAndFromTheEnd) {
  have_named("a", "build");
  prints("a", "one\r\nfound\r\ntwo\r\n");
  const auto found = search({.pattern = "^found$"});
  ASSERT_EQ(found->matches.size(), 1U);
  const Match& match = found->matches[0];
  EXPECT_EQ(match.name, "build");
  EXPECT_EQ(match.line, 2U);
  EXPECT_EQ(match.line + match.from_end,
            static_cast<std::uint64_t>(terminal("a").screen().size().rows));
  EXPECT_TRUE(match.offset);
}

TEST_F(SearchTest, CaseWordsAndPlainText) {
  have_named("a", "a");
  prints("a", "Fail.\r\nfailed\r\n");
  EXPECT_EQ(texts(*search({.pattern = "fail."})), Texts{"a failed"});
  EXPECT_EQ(texts(*search({.pattern = "fail.", .options = {.ignore_case = true, .literal = true}})),
            Texts{"a Fail."});
  EXPECT_EQ(texts(*search({.pattern = "fail", .options = {.ignore_case = true, .word = true}})),
            Texts{"a Fail."});
  EXPECT_EQ(search({.pattern = "("}).error().code, base::Code::invalid_argument);
}

TEST_F(SearchTest, ATerminalThatComesFirstLeavesRoomForTheOthers) {
  have_named("a", "a");
  have_named("b", "b");
  for (int i = 1; i <= 5; ++i) prints("a", "x" + std::to_string(i) + "\r\n");
  prints("b", "x\r\n");
  const auto found = search({.pattern = "x", .most = 3});
  EXPECT_EQ(texts(*found), (Texts{"a x4", "a x5", "b x"}));
  EXPECT_EQ(found->left_out, 3U);
}

TEST_F(SearchTest, ItEndsWhenNobodyWantsItAnyMore) {
  have_named("a", "a");
  auto asker = std::make_shared<const char>();
  SearchRequest request{.pattern = "x"};
  request.asker = std::weak_ptr<const void>(asker);
  EXPECT_TRUE(search(request));
  asker.reset();
  EXPECT_EQ(search(request).error().code, base::Code::cancelled);
}

}  // namespace
}  // namespace operation
