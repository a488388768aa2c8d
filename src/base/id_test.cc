#include "base/id.h"

#include <gtest/gtest.h>

#include <string>
#include <type_traits>
#include <unordered_set>

namespace base {
namespace {

using TerminalId = Id<struct TerminalTag>;
using SessionId = Id<struct SessionTag>;

static_assert(!std::is_convertible_v<TerminalId, SessionId>);
static_assert(!std::is_constructible_v<TerminalId, SessionId>);

TEST(IdTest, AcceptsWhatClientsChoose) {
  for (const std::string text :
       {"a", "7", "a.b_c-d", "tab.v2:abc-123_DEF", "3f2504e0-4f89-11d3-9a0c-0305e82c3301"})
    EXPECT_TRUE(TerminalId::parse(text)) << text;
  EXPECT_TRUE(TerminalId::parse(std::string(128, 'x')));
}

TEST(IdTest, RefusesWhatIsUnsafeInAPathOrALog) {
  for (const std::string text : {"", ".", ":a", "..", "-rf", "_a", "a/b", "a b", "a\n", "é"})
    EXPECT_FALSE(TerminalId::parse(text)) << text;
  EXPECT_FALSE(TerminalId::parse(std::string(129, 'x')));
  EXPECT_FALSE(TerminalId::parse(std::string("a\0b", 3)));
}

TEST(IdTest, ComparesAndHashesByText) {
  const std::unordered_set<TerminalId> ids{TerminalId("a"), TerminalId("b"), TerminalId("a")};
  EXPECT_EQ(ids.size(), 2U);
  EXPECT_LT(TerminalId("a"), TerminalId("b"));
}

}  // namespace
}  // namespace base
