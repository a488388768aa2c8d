#include "session/label.h"

#include <gtest/gtest.h>

namespace session {
namespace {

TEST(LabelTest, WhatIsWrittenIsRead) {
  for (const Lifetime lifetime : {Lifetime::kept, Lifetime::connection}) {
    const auto label = parse_label(to_text({.user = UserId("u1"),
                                            .user_name = "ada",
                                            .session = SessionId("s1"),
                                            .session_name = "main",
                                            .lifetime = lifetime}));
    ASSERT_TRUE(label);
    EXPECT_EQ(label->user.str(), "u1");
    EXPECT_EQ(label->user_name, "ada");
    EXPECT_EQ(label->session.str(), "s1");
    EXPECT_EQ(label->session_name, "main");
    EXPECT_EQ(label->lifetime, lifetime);
  }
}

TEST(LabelTest, WhatIsNoLabelIsNone) {
  for (const char* text : {"", "1", "1 u1", "1 u1 s1 kept", "2 u1 s1 kept main",
                           "1 !! s1 kept main", "1  s1 kept main"})
    EXPECT_FALSE(parse_label(text)) << text;
}

// An older daemon treats it as a kept terminal.
TEST(LabelTest, TellsThatATerminalWasRestored) {
  const Label label{.user = UserId("u1"),
                    .user_name = "ann",
                    .session = SessionId("s1"),
                    .session_name = "work",
                    .lifetime = Lifetime::kept,
                    .origin = Origin::restored};
  const auto parsed = parse_label(to_text(label));
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->origin, Origin::restored);
  EXPECT_EQ(parsed->lifetime, Lifetime::kept);
}

}  // namespace
}  // namespace session
