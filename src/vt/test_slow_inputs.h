// Output that is expensive for its length: what `./dev slowest` found, and what was slow before it
// was optimized. For benchmarks and tests.

#pragma once

#include <string>
#include <string_view>

namespace vt {

struct SlowInput {
  std::string_view name;
  std::string_view once;
  std::string_view again;  // and again
};

inline constexpr SlowInput kSlowInputs[] = {
    {"insert_and_repeat", "\x1b[4h", "x\x1b[999b"},
    {"repeat", "", "x\x1b[999b"},
    {"repeat_wide", "", "日\x1b[999b"},
    {"repeat_wide_in_colour", "\x1b[4:3;48;5;96m", "日\x1b[999b"},
    {"repeat_wide_link", "\x1b]8;;http://1/\x07", "日\x1b[999b"},
    {"repeat_joined", "", "e\u0301\x1b[999b"},
    {"repeat_joined_wide", "", "日\u0301\x1b[999b"},
    {"insert_and_repeat_joined", "\x1b[4h", "e\u0301\x1b[999b"},
    {"repeat_line_drawing", "\x1b(0", "q\x1b[999b"},
    {"repeat_without_wraparound", "\x1b[?7l", "日\u0301\x1b[999b"},
    {"selective_erase", "", "\x1b[?J"},
    {"selective_erase_of_protected", "\x1b[1\"q\x1b#8", "\x1b[?2J"},
    {"selective_erase_in_two_colours", "\x1b[1\"qx\x1b[0\"q", "\x1b[41m\x1b[?J\x1b[42m\x1b[?J"},
    {"erase", "", "\x1b[2J"},
    {"insert_lines", "\x1b[2;9999r\x1b[2H", "\x1b[12L"},
    {"delete_lines", "\x1b[2;9999r\x1b[2H", "\x1b[12M"},
    {"scroll_in_margins", "\x1b[2;9999r\x1b[9999H", "\n"},
    {"scroll_down_in_margins", "\x1b[2;9999r\x1b[2H", "\x1bM"},
    {"scroll_right", "x\x1b[999b", "\x1b[ A"},
    {"scroll_left_in_two_colours", "", "\x1b[41m\x1b[ @\x1b[42m\x1b[ @"},
    {"insert_columns", "x\x1b[999b", "\x1b['}"},
    {"repeat_link_and_insert_columns", "\x1b]8;;http://1/\x07", "é\x1b[999b\x1b[10'}"},
    {"reset", "",
     "\x1b"
     "c"},
    {"alternate", "", "\x1b[?47h\x1b[?47l"},
    {"tabs", "\x1b[3g", "\r\t"},
    {"newlines_in_colour", "\x1b[44m", "\n"},
};

}  // namespace vt
