// The transitions of the parser: for every state and character class the action to take and the
// next state.

#pragma once

#include <array>
#include <cstdint>

#include "vt/parser.h"

namespace vt {

enum Action : std::uint8_t {
  kIgnore,
  kPrint,
  kExecute,
  kOscStart,
  kOscPut,
  kOscEnd,
  kCsiDispatch,
  kParam,
  kCollect,
  kEscDispatch,
  kClear,
  kDcsHook,
  kDcsPut,
  kDcsUnhook,
};

// The column of a code point: itself up to U+009F, one column for everything printable above.
inline constexpr std::size_t kColumns = 0xa1;
constexpr std::size_t column_of(char32_t code) {
  return code < 0xa0 ? code : 0xa0;
}

struct Transition {
  Action action = kIgnore;
  Parser::State next = Parser::kGround;
};

using TransitionTable = std::array<std::array<Transition, kColumns>, Parser::kDcsPassthrough + 1>;
extern const TransitionTable transitions;

}  // namespace vt
