// The grammar of replies, written independently of the code, for tests and the fuzzer: whatever was
// printed, what is typed in answer is a sequence of these and nothing else.

#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace vt {

// Capitals: N is a decimal number, L digits with `;` and `:`, C four lowercase hex digits, X any
// number of pairs of uppercase ones, V a version. Everything else, including R and P, is literal.
inline constexpr std::array<std::string_view, 23> kReplyGrammar{
    "\x1b[?1;2c",
    "\x1b[>0;276;0c",
    "\x1bP!|00000000\x1b\\",
    "\x1bP>|holdfast V\x1b\\",
    "\x1b[0n",
    "\x1b[N;NR",
    "\x1b[?N;NR",
    "\x1b[N;N$y",
    "\x1b[?N;N$y",
    "\x1b[8;N;Nt",
    "\x1b[9;N;Nt",
    "\x1b]4;N;rgb:C/C/C\x1b\\",
    "\x1b]10;rgb:C/C/C\x1b\\",
    "\x1b]11;rgb:C/C/C\x1b\\",
    "\x1b]12;rgb:C/C/C\x1b\\",
    "\x1bP0$r\x1b\\",
    "\x1bP1$rLm\x1b\\",
    "\x1bP1$rN;Nr\x1b\\",
    "\x1bP1$r61;1\"p\x1b\\",
    "\x1bP1$rN\"q\x1b\\",
    "\x1bP1$rN q\x1b\\",
    "\x1bP0+rX\x1b\\",
    "\x1bP1+rX=X\x1b\\",
};

// The length of the leading run of these characters.
inline std::size_t run_of(std::string_view text, std::string_view characters) {
  return std::min(text.find_first_not_of(characters), text.size());
}

// How many leading characters a capital of the grammar matches, or npos.
inline std::size_t match_variable(char variable, std::string_view text) {
  constexpr std::string_view kDecimal = "0123456789";
  const auto at_least_one = [](std::size_t n) { return n > 0 ? n : std::string_view::npos; };
  switch (variable) {
    case 'N':
      return at_least_one(run_of(text, kDecimal));
    case 'L':
      return at_least_one(run_of(text, "0123456789;:"));
    case 'C':
      return run_of(text.substr(0, 4), "0123456789abcdef") == 4 ? 4 : std::string_view::npos;
    case 'X':
      return run_of(text, "0123456789ABCDEF") / 2 * 2;
    case 'V':
      return at_least_one(run_of(text, "0123456789abcdefghijklmnopqrstuvwxyz.+-"));
    default:
      return text.starts_with(variable) ? 1 : std::string_view::npos;
  }
}

// Removes the rule's form from the front of the text, if it matches.
inline bool take_reply(std::string_view rule, std::string_view& text) {
  std::string_view rest = text;
  for (const char c : rule) {
    const std::size_t length = match_variable(c, rest);
    if (length == std::string_view::npos) return false;
    rest.remove_prefix(length);
  }
  text = rest;
  return true;
}

// Removes one reply from the front of the text. Returns its rule, or kReplyGrammar.size().
inline std::size_t take_reply(std::string_view& text) {
  const auto* const rule = std::ranges::find_if(
      kReplyGrammar, [&text](std::string_view each) { return take_reply(each, text); });
  return static_cast<std::size_t>(rule - kReplyGrammar.begin());
}

inline bool is_replies(std::string_view text) {
  while (!text.empty())
    if (take_reply(text) == kReplyGrammar.size()) return false;
  return true;
}

}  // namespace vt
