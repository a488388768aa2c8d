// Who decides a terminal's size and colours.

#include "terminal/audience.h"

#include <algorithm>

#include "terminal/test_viewer.h"

namespace terminal {
namespace {

constexpr vt::Size kSmall{.cols = 8, .rows = 4};
constexpr vt::Size kLarge{.cols = 20, .rows = 6};

std::string background_of(TestTerminal& terminal) {
  terminal.print("\x1b]11;?\x07");
  return terminal.typed();
}

vt::Theme red() {
  vt::Theme theme;
  theme.background = 0xff0000;
  return theme;
}
vt::Theme green() {
  vt::Theme theme;
  theme.background = 0x00ff00;
  return theme;
}
constexpr std::string_view kRed = "\x1b]11;rgb:ffff/0000/0000\x1b\\";
constexpr std::string_view kGreen = "\x1b]11;rgb:0000/ffff/0000\x1b\\";

TEST(AudienceTest, WhoDidSomethingLastDecidesTheSize) {
  TestTerminal terminal;
  TestViewer small(terminal, {.size = kSmall});
  EXPECT_EQ(terminal->screen().size(), kSmall) << "at once: its snapshot has to fit";
  TestViewer large(terminal, {.size = kLarge});
  EXPECT_EQ(terminal->screen().size(), kLarge);
  small->became_active();
  terminal.run();
  EXPECT_EQ(terminal->screen().size(), kSmall);
  small.leave();
  terminal.run();
  EXPECT_EQ(terminal->screen().size(), kLarge) << "the one that is left";
  large->resize({.cols = 21, .rows = 6});
  terminal.run();
  EXPECT_EQ(terminal->screen().size().cols, 21);
}

TEST(AudienceTest, WhoOnlyLooksOrShowsNoneDecidesNothing) {
  TestTerminal terminal;
  TestViewer small(terminal, {.size = kSmall});
  TestViewer looks(terminal, {.role = Role::view, .size = kLarge});
  TestViewer hidden(terminal, {});
  looks->became_active();
  hidden->became_active();
  terminal.run();
  EXPECT_EQ(terminal->screen().size(), kSmall);
  looks->set_role(Role::control);
  terminal.run();
  EXPECT_EQ(terminal->screen().size(), kLarge);
  looks->out_of_sight();
  small->became_active();
  terminal.run();
  EXPECT_EQ(terminal->screen().size(), kSmall);
}

TEST(AudienceTest, AWindowThatIsDraggedResizesOnceATurn) {
  TestTerminal terminal;
  TestViewer viewer(terminal, {.size = kSmall});
  TestViewer other(terminal);
  other.pull();
  for (int cols = 9; cols < 30; ++cols) viewer->resize({.cols = cols, .rows = 4});
  terminal.run();
  EXPECT_EQ(other.pull(), std::vector<std::string>{"resized 29x4"});
}

TEST(AudienceTest, TheSameOneDecidesTheColours) {
  TestTerminal terminal;
  TestViewer one(terminal, {.theme = red()});
  EXPECT_EQ(background_of(terminal), kRed);
  TestViewer other(terminal, {.theme = green()});
  EXPECT_EQ(background_of(terminal), kGreen);
  one->became_active();
  EXPECT_EQ(background_of(terminal), kRed);
  other->set_theme(green());
  EXPECT_EQ(background_of(terminal), kRed) << "it is not in control";
  TestViewer looks(terminal, {.role = Role::view, .theme = green()});
  looks->became_active();
  EXPECT_EQ(background_of(terminal), kRed);
  one->set_theme(green());
  EXPECT_EQ(background_of(terminal), kGreen);
}

TEST(AudienceTest, OfThoseWhoOnlyLookNobodyDecidesTheColours) {
  TestTerminal terminal;
  const std::string before = background_of(terminal);
  TestViewer looks(terminal, {.role = Role::view, .theme = red()});
  looks->set_theme(red());
  EXPECT_EQ(background_of(terminal), before);
}

TEST(AudienceTest, TheFirstAndTheLastAreTold) {
  TestTerminal terminal;
  terminal.happened.clear();
  {
    TestViewer one(terminal);
    TestViewer other(terminal);
    EXPECT_EQ(terminal.happened, std::vector<std::string>{"attached"});
  }
  EXPECT_EQ(terminal.happened, (std::vector<std::string>{"attached", "orphaned"}));
}

TEST(AudienceTest, ALosslessViewerKeepsTheProgramWaiting) {
  TestTerminal terminal;
  TestViewer viewer(terminal, {.loss = Loss::never});
  viewer.pull();
  EXPECT_EQ(terminal->audience().needed_from(), viewer->offset());
  viewer.leave();
  EXPECT_EQ(terminal->audience().needed_from(), std::nullopt);
}

// A browser has a viewer for each of its tabs, and shows one of them.
TEST(AudienceTest, WhoIsHiddenDecidesNothing) {
  TestTerminal terminal;
  TestViewer small(terminal, {.size = kSmall, .theme = red()});
  TestViewer hidden(terminal, {.size = kLarge, .theme = green(), .hidden = true});
  EXPECT_EQ(terminal->screen().size(), kSmall);
  hidden->became_active();
  hidden->resize({.cols = 21, .rows = 6});
  terminal.run();
  EXPECT_EQ(terminal->screen().size(), kSmall);
  EXPECT_EQ(background_of(terminal), kRed);
  hidden->show();
  EXPECT_EQ(terminal->screen().size().cols, 21) << "at once: its output has to fit";
  EXPECT_EQ(background_of(terminal), kGreen);
  hidden->hide();
  terminal.run();
  EXPECT_EQ(terminal->screen().size(), kSmall) << "the one that still shows it";
  EXPECT_EQ(terminal->audience().size(), 2U);
}

TEST(AudienceTest, IfAllAreHiddenTheSizeStays) {
  TestTerminal terminal;
  TestViewer only(terminal, {.size = kLarge});
  only->hide();
  only->resize(kSmall);
  terminal.run();
  EXPECT_EQ(terminal->screen().size(), kLarge);
  EXPECT_EQ(std::ranges::count(terminal.happened, "orphaned"), 0);
}

}  // namespace
}  // namespace terminal
