// What the parser knows about an unfinished sequence.

#include <algorithm>

#include "vt/parser.h"

namespace vt {

void Parser::set_position(std::uint64_t position) {
  position_ = position;
  sequence_begin_ = position - std::min<std::uint64_t>(position, unfinished().size());
  character_begin_ = position - std::min<std::uint64_t>(position, utf8_.pending().size());
}

bool Parser::is_held() const {
  const bool never_edited = state_ == kGround || state_ == kSosPmApcString ||
                            state_ == kCsiIgnore || state_ == kDcsIgnore ||
                            (is_string() && text_fate_ != Text::kept);
  return !never_edited && !interrupts_ && inside_ != Inside::executed_control;
}

std::uint64_t Parser::settled() const {
  if (is_held()) return sequence_begin_;
  return utf8_.idle() ? position_ : character_begin_;
}

std::string Parser::unfinished() const {
  return unfinished_sequence() + std::string(utf8_.pending());
}

std::string Parser::unfinished_settled() const {
  return is_held() ? std::string() : unfinished_sequence();
}

// After ESC, a NUL is executed and does nothing; a DEL is ignored. A leading ESC is the sequence
// that was interrupted.
std::string Parser::unfinished_sequence() const {
  std::string out = unfinished_without_control();
  if (state_ == kGround) return out;
  if (inside_ != Inside::nothing)
    out.insert(1, 1, inside_ == Inside::executed_control ? '\0' : '\x7f');
  if (interrupts_) out.insert(0, 1, '\x1b');
  return out;
}

// Viewers already have all but the last byte of a sequence that was not held back. Turn it into one
// that every terminal ignores: end the parameters of a control sequence wrongly, or cancel a
// string.
Edit Parser::instead(std::string_view text) const {
  const bool whole = inside_ != Inside::executed_control && !interrupts_ &&
                     !(is_string() && text_fate_ == Text::dropped);
  if (whole) return {.span = sequence(), .text = std::string(text)};
  if (!is_string())
    return {.span = {sequence_end_ - 1, sequence_end_}, .text = "0?m" + std::string(text)};
  Edit edit{.span = {character_begin_, sequence_end_}, .text = "\x18" + std::string(text)};
  if (sequence_end_ > character_begin_) return edit;
  // It ended with the ESC of what follows.
  ++edit.span.end;
  edit.text += '\x1b';
  return edit;
}

std::string Parser::unfinished_without_control() const {
  std::string prefix;
  std::string intermediates;
  for (int shift = 24; shift >= 0; shift -= 8) {
    const Identifier bytes = state_ == kDcsPassthrough ? dcs_id_ : collected_;
    const auto c = static_cast<char>(bytes >> shift & 0xff);
    if (c != 0) (c >= '<' && c <= '?' ? prefix : intermediates) += c;
  }
  std::string out;
  switch (state_) {
    case kGround:
      break;
    case kEscape:
      out = "\x1b";
      break;
    case kEscapeIntermediate:
      (out = "\x1b") += intermediates;
      break;
    case kCsiEntry:
      out = "\x1b[";
      break;
    case kCsiIgnore:
      out = "\x1b[0?";
      break;
    case kSosPmApcString:
      out = "\x1b_";
      break;
    case kOscString:
      out = unfinished_osc();
      break;
    case kDcsEntry:
      out = "\x1bP";
      break;
    case kDcsIgnore:
      out = "\x1bP0?";
      break;
    case kCsiParam:
    case kCsiIntermediate:
    case kDcsParam:
    case kDcsIntermediate:
    case kDcsPassthrough:
      if (state_ == kDcsPassthrough && text_fate_ != Text::kept) {
        out = text_fate_ == Text::dropped ? "\x1bP}" : "\x1bP~";
        break;
      }
      out = state_ == kCsiParam || state_ == kCsiIntermediate ? "\x1b[" : "\x1bP";
      out += prefix;
      params_.append_to(out);
      out += intermediates;
      if (state_ == kDcsPassthrough) out += text_;
      break;
  }
  return out;
}

std::string Parser::unfinished_osc() const {
  // No command is named x or z, so a parser that sees it skips the rest.
  if (text_fate_ != Text::kept) return text_fate_ == Text::dropped ? "\x1b]z" : "\x1b]x";
  std::string out = "\x1b]";
  if (osc_command_ >= 0) out += std::to_string(osc_command_);
  if (osc_part_ == OscPart::text) (out += ';') += text_;
  return out;
}

}  // namespace vt
