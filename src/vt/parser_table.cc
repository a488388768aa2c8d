#include "vt/parser_table.h"

namespace vt {
namespace {

struct Rule {
  unsigned first;
  unsigned last;
  Parser::State state;
  Action action;
  Parser::State next;
};

constexpr unsigned kUnicode = 0xa0;
using P = Parser;

// Rules for every state; the ones below refine them. A character without a rule is dropped and
// returns to the ground state.
constexpr Rule kAnywhere[] = {
    {0x18, 0x18, P::kGround, kExecute, P::kGround},
    {0x1a, 0x1a, P::kGround, kExecute, P::kGround},
    {0x1b, 0x1b, P::kGround, kClear, P::kEscape},
    {0x80, 0x8f, P::kGround, kExecute, P::kGround},
    {0x90, 0x90, P::kGround, kClear, P::kDcsEntry},
    {0x91, 0x97, P::kGround, kExecute, P::kGround},
    {0x98, 0x98, P::kGround, kIgnore, P::kSosPmApcString},
    {0x99, 0x9a, P::kGround, kExecute, P::kGround},
    {0x9b, 0x9b, P::kGround, kClear, P::kCsiEntry},
    {0x9c, 0x9c, P::kGround, kIgnore, P::kGround},
    {0x9d, 0x9d, P::kGround, kOscStart, P::kOscString},
    {0x9e, 0x9f, P::kGround, kIgnore, P::kSosPmApcString},
};

// C0 controls other than CAN, SUB and ESC, by state.
struct Controls {
  Parser::State state;
  Action action;
};
constexpr Controls kControls[] = {
    {P::kGround, kExecute},        {P::kEscape, kExecute},
    {P::kCsiEntry, kExecute},      {P::kCsiParam, kExecute},
    {P::kCsiIgnore, kExecute},     {P::kCsiIntermediate, kExecute},
    {P::kOscString, kIgnore},      {P::kEscapeIntermediate, kExecute},
    {P::kDcsEntry, kIgnore},       {P::kDcsIgnore, kIgnore},
    {P::kDcsParam, kIgnore},       {P::kDcsIntermediate, kIgnore},
    {P::kDcsPassthrough, kDcsPut}, {P::kSosPmApcString, kIgnore},
};

constexpr Rule kRules[] = {
    {0x20, 0x7e, P::kGround, kPrint, P::kGround},
    {kUnicode, kUnicode, P::kGround, kPrint, P::kGround},

    {0x20, 0x2f, P::kEscape, kCollect, P::kEscapeIntermediate},
    {0x30, 0x7e, P::kEscape, kEscDispatch, P::kGround},
    {0x50, 0x50, P::kEscape, kClear, P::kDcsEntry},
    {0x58, 0x58, P::kEscape, kIgnore, P::kSosPmApcString},
    {0x5b, 0x5b, P::kEscape, kClear, P::kCsiEntry},
    {0x5d, 0x5d, P::kEscape, kOscStart, P::kOscString},
    {0x5e, 0x5f, P::kEscape, kIgnore, P::kSosPmApcString},
    {0x7f, 0x7f, P::kEscape, kIgnore, P::kEscape},

    {0x20, 0x2f, P::kEscapeIntermediate, kCollect, P::kEscapeIntermediate},
    {0x30, 0x7e, P::kEscapeIntermediate, kEscDispatch, P::kGround},
    {0x7f, 0x7f, P::kEscapeIntermediate, kIgnore, P::kEscapeIntermediate},

    {0x20, 0x2f, P::kCsiEntry, kCollect, P::kCsiIntermediate},
    {0x30, 0x3b, P::kCsiEntry, kParam, P::kCsiParam},
    {0x3c, 0x3f, P::kCsiEntry, kCollect, P::kCsiParam},
    {0x40, 0x7e, P::kCsiEntry, kCsiDispatch, P::kGround},
    {0x7f, 0x7f, P::kCsiEntry, kIgnore, P::kCsiEntry},

    {0x20, 0x2f, P::kCsiParam, kCollect, P::kCsiIntermediate},
    {0x30, 0x3b, P::kCsiParam, kParam, P::kCsiParam},
    {0x3c, 0x3f, P::kCsiParam, kIgnore, P::kCsiIgnore},
    {0x40, 0x7e, P::kCsiParam, kCsiDispatch, P::kGround},
    {0x7f, 0x7f, P::kCsiParam, kIgnore, P::kCsiParam},

    {0x20, 0x2f, P::kCsiIntermediate, kCollect, P::kCsiIntermediate},
    {0x30, 0x3f, P::kCsiIntermediate, kIgnore, P::kCsiIgnore},
    {0x40, 0x7e, P::kCsiIntermediate, kCsiDispatch, P::kGround},
    {0x7f, 0x7f, P::kCsiIntermediate, kIgnore, P::kCsiIntermediate},

    {0x20, 0x3f, P::kCsiIgnore, kIgnore, P::kCsiIgnore},
    {0x40, 0x7e, P::kCsiIgnore, kIgnore, P::kGround},
    {0x7f, 0x7f, P::kCsiIgnore, kIgnore, P::kCsiIgnore},
    {kUnicode, kUnicode, P::kCsiIgnore, kIgnore, P::kCsiIgnore},

    {0x20, 0x7f, P::kSosPmApcString, kIgnore, P::kSosPmApcString},

    {0x20, 0x7f, P::kOscString, kOscPut, P::kOscString},
    {kUnicode, kUnicode, P::kOscString, kOscPut, P::kOscString},
    {0x07, 0x07, P::kOscString, kOscEnd, P::kGround},
    {0x18, 0x18, P::kOscString, kOscEnd, P::kGround},
    {0x1a, 0x1a, P::kOscString, kOscEnd, P::kGround},
    {0x1b, 0x1b, P::kOscString, kOscEnd, P::kEscape},
    {0x9c, 0x9c, P::kOscString, kOscEnd, P::kGround},

    {0x20, 0x2f, P::kDcsEntry, kCollect, P::kDcsIntermediate},
    {0x30, 0x3b, P::kDcsEntry, kParam, P::kDcsParam},
    {0x3c, 0x3f, P::kDcsEntry, kCollect, P::kDcsParam},
    {0x40, 0x7e, P::kDcsEntry, kDcsHook, P::kDcsPassthrough},
    {0x7f, 0x7f, P::kDcsEntry, kIgnore, P::kDcsEntry},

    {0x20, 0x2f, P::kDcsParam, kCollect, P::kDcsIntermediate},
    {0x30, 0x3b, P::kDcsParam, kParam, P::kDcsParam},
    {0x3c, 0x3f, P::kDcsParam, kIgnore, P::kDcsIgnore},
    {0x40, 0x7e, P::kDcsParam, kDcsHook, P::kDcsPassthrough},
    {0x7f, 0x7f, P::kDcsParam, kIgnore, P::kDcsParam},

    {0x20, 0x2f, P::kDcsIntermediate, kCollect, P::kDcsIntermediate},
    {0x30, 0x3f, P::kDcsIntermediate, kIgnore, P::kDcsIgnore},
    {0x40, 0x7e, P::kDcsIntermediate, kDcsHook, P::kDcsPassthrough},
    {0x7f, 0x7f, P::kDcsIntermediate, kIgnore, P::kDcsIntermediate},

    {0x20, 0x7f, P::kDcsIgnore, kIgnore, P::kDcsIgnore},
    {kUnicode, kUnicode, P::kDcsIgnore, kIgnore, P::kDcsIgnore},

    {0x20, 0x7e, P::kDcsPassthrough, kDcsPut, P::kDcsPassthrough},
    {0x7f, 0x7f, P::kDcsPassthrough, kIgnore, P::kDcsPassthrough},
    {kUnicode, kUnicode, P::kDcsPassthrough, kDcsPut, P::kDcsPassthrough},
    {0x18, 0x18, P::kDcsPassthrough, kDcsUnhook, P::kGround},
    {0x1a, 0x1a, P::kDcsPassthrough, kDcsUnhook, P::kGround},
    {0x1b, 0x1b, P::kDcsPassthrough, kDcsUnhook, P::kEscape},
    {0x9c, 0x9c, P::kDcsPassthrough, kDcsUnhook, P::kGround},
};

constexpr TransitionTable build() {
  TransitionTable table{};
  for (auto& state : table)
    for (const Rule& rule : kAnywhere)
      for (unsigned c = rule.first; c <= rule.last; ++c) state[c] = {rule.action, rule.next};
  for (const Controls& controls : kControls)
    for (unsigned c = 0; c < 0x20; ++c)
      if (c != 0x18 && c != 0x1a && c != 0x1b)
        table[controls.state][c] = {controls.action, controls.state};
  for (const Rule& rule : kRules)
    for (unsigned c = rule.first; c <= rule.last; ++c)
      table[rule.state][c] = {rule.action, rule.next};
  return table;
}

}  // namespace

constinit const TransitionTable transitions = build();

}  // namespace vt
