// What the outer terminal answers, taken out of what is typed: its colours, which `ask_colours` asks
// for, and answers to whatever else a program's output may have asked it.
//
// Invariants
// 1. No answer is typed, however late it comes and however it is split. What a program asked for
//    with a mode (mouse, focus, pastes, sizes, the colour scheme) is typed.
// 2. What a person types is not held back for longer than `give_up` is put off, and after the answer
//    to the last question a lone Escape is not held back at all.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <boost/json/object.hpp>

namespace cli {

class OuterAnswers {
 public:
  // Takes what came from the terminal, and returns what was typed of it.
  [[nodiscard]] std::string take(std::string_view bytes);
  // Whether something is held back that may be the beginning of an answer, or a key.
  [[nodiscard]] bool is_waiting() const { return released_ < held_.size() && !is_certain(); }
  // Nothing more came, so it was a key. If the rest of an answer comes after all, that is not typed.
  [[nodiscard]] std::string give_up();
  // Whether every answer has come: the last question is one that every terminal answers.
  [[nodiscard]] bool is_answered() const { return is_answered_; }

  // Those known so far, as in the native protocol's `theme`.
  [[nodiscard]] const boost::json::object& theme() const { return theme_; }

 private:
  // Of `certain` an answer has begun that is no key.
  enum class Match : std::uint8_t { none, begun, certain, whole };
  [[nodiscard]] Match match() const;
  [[nodiscard]] static Match control_sequence(std::string_view text);
  [[nodiscard]] bool is_certain() const { return matched_ == Match::certain; }
  void understand();

  // What has come of an answer; the first so many bytes of it were given up and typed.
  std::string held_;
  Match matched_ = Match::none;
  std::size_t released_ = 0;
  bool is_answered_ = false;
  boost::json::object theme_;
};

}  // namespace cli
