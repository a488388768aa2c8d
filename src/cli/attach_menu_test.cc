#include "cli/attach_menu.h"

#include <gtest/gtest.h>

namespace cli {
namespace {

using Item = AttachMenu::Item;
constexpr Key kOpens{.code = '\\', .is_control = true};
const AttachMenu::Place kPlace{.label = "main:work", .key = "Ctrl-\\", .is_read_only = false};

AttachMenu open_menu() {
  AttachMenu menu(kOpens);
  menu.open();
  return menu;
}

AttachMenu listing(std::size_t count) {
  AttachMenu menu(kOpens);
  std::vector<AttachMenu::Entry> entries;
  for (std::size_t i = 1; i <= count; ++i)
    entries.push_back({.target = {.id = "t" + std::to_string(i),
                                  .session = "main",
                                  .label = "main:t" + std::to_string(i),
                                  .created_at = ""},
                       .program = "bash",
                       .is_current = i == 2});
  menu.show_list(std::move(entries));
  return menu;
}

std::optional<Item> pressed(AttachMenu& menu, std::string keys) {
  const auto item = menu.take(keys);
  EXPECT_EQ(keys, "");
  return item;
}

TEST(AttachMenuTest, EachLetterHasItsItem) {
  for (const auto& [keys, item] :
       {std::pair{"d", Item::detach}, std::pair{"s", Item::list}, std::pair{"l", Item::list},
        std::pair{"n", Item::create}, std::pair{"r", Item::read_only}, std::pair{"q", Item::quote},
        std::pair{"x", Item::close}, std::pair{"\u00e9", Item::close},
        std::pair{"\x1b[A", Item::close},
        std::pair{"\x1b"
                  "d",
                  Item::close}}) {
    AttachMenu menu = open_menu();
    EXPECT_EQ(pressed(menu, keys), item) << keys;
  }
}

TEST(AttachMenuTest, TheKeyThatOpensItDetachesInEveryForm) {
  for (const char* key : {"\x1c", "\x1b[92;5u", "\x1b[27;5;92~"}) {
    AttachMenu menu = open_menu();
    EXPECT_EQ(pressed(menu, key), Item::detach);
    AttachMenu list = listing(3);
    EXPECT_EQ(pressed(list, key), Item::detach);
  }
}

// Kitty's protocol reports that the key which opened the menu is let go.
TEST(AttachMenuTest, WhatIsNoKeyDoesNothing) {
  for (const char* report : {"\x1b[92;5:3u", "\x1b[<0;10;5M", "\x1b[M !!", "\x1b[I", "\x1b[O",
                             "\x1b[?1;2c", "\x1b[200~dnq\x1c\x1b[201~"}) {
    AttachMenu menu = open_menu();
    EXPECT_EQ(pressed(menu, report), std::nullopt) << report;
    EXPECT_TRUE(menu.is_open());
  }
}

TEST(AttachMenuTest, EscapeIsAKeyOnlyIfNothingFollows) {
  AttachMenu menu = open_menu();
  std::string typed = "\x1b";
  EXPECT_EQ(menu.take(typed), std::nullopt);
  EXPECT_EQ(typed, "\x1b");
  EXPECT_EQ(menu.take_rest(typed), Item::close);
  EXPECT_EQ(typed, "");

  AttachMenu list = listing(3);
  typed = "\x1b";
  EXPECT_EQ(list.take(typed), std::nullopt);
  typed += "[B";
  EXPECT_EQ(list.take(typed), std::nullopt);
  EXPECT_EQ(list.chosen().target.id, "t3");
  typed = "\x1b[1;";  // A sequence that broke off.
  EXPECT_EQ(list.take_rest(typed), std::nullopt);
}

TEST(AttachMenuTest, WhatFollowsAnItemIsLeft) {
  AttachMenu menu = open_menu();
  std::string typed = "qls\r";
  EXPECT_EQ(menu.take(typed), Item::quote);
  EXPECT_EQ(typed, "ls\r");
}

TEST(AttachMenuTest, TheListBeginsAtTheCurrentOneAndMoves) {
  AttachMenu menu = listing(30);
  EXPECT_EQ(menu.chosen().target.id, "t2");
  EXPECT_EQ(pressed(menu, "\x1b[A\x1b[A\x1bOA"), std::nullopt);
  EXPECT_EQ(menu.chosen().target.id, "t1");
  EXPECT_EQ(pressed(menu, "jj\x1b[6~"), std::nullopt);
  EXPECT_EQ(menu.chosen().target.id, "t13");
  EXPECT_EQ(pressed(menu, "\x1b[F"), std::nullopt);
  EXPECT_EQ(menu.chosen().target.id, "t30");
  EXPECT_EQ(pressed(menu, "\x1b[Hxyz"), std::nullopt);
  EXPECT_EQ(menu.chosen().target.id, "t1");
  EXPECT_EQ(pressed(menu, "\r"), Item::go);
  EXPECT_EQ(pressed(menu, "q"), Item::close);
}

TEST(AttachMenuTest, NumbersGoWhereNoLongerOneCouldBeMeant) {
  AttachMenu few = listing(9);
  EXPECT_EQ(pressed(few, "7"), Item::go);
  EXPECT_EQ(few.chosen().target.id, "t7");
  AttachMenu many = listing(12);
  EXPECT_EQ(pressed(many, "1"), std::nullopt);
  EXPECT_EQ(many.chosen().target.id, "t1");
  EXPECT_EQ(pressed(many, "2"), Item::go);
  EXPECT_EQ(many.chosen().target.id, "t12");
  AttachMenu none = listing(12);
  EXPECT_EQ(pressed(none, "0"), std::nullopt);
  EXPECT_EQ(pressed(none, "19"), std::nullopt);
  EXPECT_EQ(none.chosen().target.id, "t1");
}

TEST(AttachMenuTest, OneLineSaysWhatThereIs) {
  const Cover cover = open_menu().picture({.cols = 80, .rows = 24}, kPlace);
  ASSERT_EQ(cover.lines.size(), 1U);
  EXPECT_EQ(cover.lines[0],
            "d detach   s switch   n new   r read-only on   q send Ctrl-\\   Esc back   main:work");
}

TEST(AttachMenuTest, ALongListShowsThePartAroundWhatIsSelected) {
  AttachMenu menu = listing(30);
  EXPECT_EQ(pressed(menu, "\x1b[F"), std::nullopt);
  for (const int rows : {1, 2, 5, 24, 100}) {
    const Cover cover = menu.picture({.cols = 80, .rows = rows}, kPlace);
    EXPECT_LE(cover.lines.size(), static_cast<std::size_t>(rows)) << rows;
    ASSERT_TRUE(cover.selected);
    EXPECT_EQ(cover.lines.at(*cover.selected), "30   main:t30  bash");
  }
}

TEST(AttachMenuTest, TextOfProgramsIsEscaped) {
  AttachMenu menu(kOpens);
  menu.show_list(
      {{.target = {.id = "t", .session = "main", .label = "main:\x1b[2J", .created_at = ""},
        .program = "\x1b]0;x\a",
        .is_restorable = true}});
  const Cover cover = menu.picture({.cols = 80, .rows = 24}, kPlace);
  for (const std::string& line : cover.lines) EXPECT_FALSE(line.contains('\x1b')) << line;
  EXPECT_TRUE(cover.lines[0].contains("starts it again"));
}

TEST(AttachMenuTest, AMessageStaysUntilAKey) {
  AttachMenu menu = listing(3);
  menu.say("gone\x1b[2J");
  const Cover cover = menu.picture({.cols = 80, .rows = 24}, kPlace);
  EXPECT_EQ(cover.lines.back(), "gone\\x1b[2J");
  EXPECT_EQ(pressed(menu, "j"), Item::close);
  menu.close();
  EXPECT_FALSE(menu.is_open());
  menu.show_list({});
  EXPECT_TRUE(menu.picture({}, kPlace).lines[0].starts_with("There is no terminal"));
}

}  // namespace
}  // namespace cli
