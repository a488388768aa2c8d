#include "vt/parser.h"

#include <algorithm>

#include "vt/parser_table.h"
#include "vt/scan.h"

namespace vt {
namespace {

constexpr unsigned char kEsc = 0x1b;
constexpr std::int32_t kMaxCommand = 1'000'000;

std::string_view text_of(const unsigned char* begin, const unsigned char* end) {
  return {reinterpret_cast<const char*>(begin), reinterpret_cast<const char*>(end)};
}

constexpr bool is_cancel(char32_t code) {
  return code == 0x18 || code == 0x1a;
}

}  // namespace

std::size_t Parser::feed(std::span<const std::byte> bytes, ParserEvents& events) {
  const auto* p = reinterpret_cast<const Byte*>(bytes.data());
  const Byte* const end = p + bytes.size();
  origin_ = p;
  while (p < end && !events.wants_pause()) {
    if (!utf8_.idle() || *p >= 0x80) {
      const std::size_t printed =
          state_ == kGround && utf8_.idle() ? events.print_text(text_of(p, end)) : 0;
      p = printed > 0 ? p + printed : one_byte(p, events);
    } else if (state_ == kGround) {
      p = ground(p, end, events);
    } else if (state_ == kCsiEntry || state_ == kCsiParam) {
      p = csi(p, end, events);
    } else {
      const Byte* const after = skip_text(p, end);
      p = after > p ? after : one_byte(p, events);
    }
  }
  const auto taken = static_cast<std::size_t>(p - origin_);
  position_ += taken;
  origin_ = nullptr;
  return taken;
}

// Text and controls up to the first byte that is not ASCII or starts a sequence.
const Parser::Byte* Parser::ground(const Byte* p, const Byte* end, ParserEvents& events) {
  while (p < end && *p < 0x80 && !events.wants_pause()) {
    if (const std::size_t length = printable_prefix(p, end); length > 0) {
      events.print_ascii(text_of(p, p + length));
      p += length;
      continue;
    }
    if (*p == kEsc) {
      if (const Byte* const after = sgr(p, end, events); after > p) {
        p = after;
        continue;
      }
      clear();
      inside_ = Inside::nothing;
      sequence_begin_ = absolute(p++);
      interrupts_ = false;
      state_ = p < end && *p == '[' ? kCsiEntry : kEscape;
      if (state_ == kEscape) return p;
      p = csi(p + 1, end, events);
      if (state_ != kGround) return p;
      continue;
    }
    if (*p != 0x7f) events.execute(*p);
    ++p;
  }
  return p;
}

// A whole CSI m with at most 15 bytes between CSI and m. Returns its end, or `p` if there is none.
const Parser::Byte* Parser::sgr(const Byte* p, const Byte* end, ParserEvents& events) {
  constexpr std::size_t kIntroducer = 2;
  SgrBytes bytes;
  if (static_cast<std::size_t>(end - p) < kIntroducer + bytes.size() || p[1] != '[') return p;
  const std::size_t length = params_prefix(p + kIntroducer);
  if (length >= bytes.size() || p[kIntroducer + length] != 'm') return p;
  copy_prefix(p + kIntroducer, length, bytes);
  events.sgr(bytes);
  return p + kIntroducer + length + 1;
}

const Parser::Byte* Parser::one_byte(const Byte* p, ParserEvents& events) {
  constexpr char32_t kReplacement = 0xfffd;
  if (utf8_.idle()) character_begin_ = absolute(p);
  switch (utf8_.feed(*p)) {
    case Utf8Decoder::Step::character:
      sequence_end_ = absolute(p) + 1;
      character(utf8_.code(), events);
      return p + 1;
    case Utf8Decoder::Step::malformed:
      character(kReplacement, events);
      return p + 1;
    case Utf8Decoder::Step::broken:
      character(kReplacement, events);
      return p;
    case Utf8Decoder::Step::need_more:
    case Utf8Decoder::Step::dropped:
      return p + 1;
  }
  return p + 1;
}

// The parameters and the final byte of an ordinary control sequence, without the table.
const Parser::Byte* Parser::csi(const Byte* p, const Byte* end, ParserEvents& events) {
  const Byte* const begin = p;
  p = params_.parse(p, end);
  if (p > begin) state_ = kCsiParam;
  if (p == end || *p >= 0x80) return p;
  if (*p < 0x40 || *p == 0x7f) return one_byte(p, events);
  state_ = kGround;
  sequence_end_ = absolute(p) + 1;
  events.csi_dispatch(collected_ << 8 | *p, params_);
  return p + 1;
}

// The bulk of a string: bytes that do not end it and need no decision.
const Parser::Byte* Parser::skip_text(const Byte* p, const Byte* end) {
  const bool kept = text_fate_ == Text::kept;
  const bool osc_text = state_ == kOscString && (!kept || osc_part_ == OscPart::text);
  if (!osc_text && state_ != kSosPmApcString && state_ != kDcsPassthrough) return p;
  const std::size_t length = printable_prefix(p, end);
  if (state_ != kSosPmApcString && kept) {
    text_.append(reinterpret_cast<const char*>(p), std::min(length, kMaxText + 1 - text_.size()));
    if (text_.size() > kMaxText) forget_text(Text::dropped);
  }
  return p + length;
}

void Parser::character(char32_t code, ParserEvents& events) {
  const Transition transition = transitions[state_][column_of(code)];
  const bool introduces = code == kEsc || (code >= 0x80 && code < 0xa0);
  if (transition.next == state_) note_control(code, transition.action);
  // An introducer that ends a string is not part of it; it starts the next sequence.
  if (introduces && transition.next == kEscape) sequence_end_ = character_begin_;
  act(transition.action, code, events);
  if (introduces) {
    sequence_begin_ = character_begin_;
    interrupts_ = state_ != kGround;
    inside_ = Inside::nothing;
  }
  state_ = transition.next;
}

// Called for characters that do not change the state.
void Parser::note_control(char32_t code, unsigned action) {
  if (state_ == kGround || (code >= 0x20 && code != 0x7f)) return;
  inside_ =
      action == kExecute ? Inside::executed_control : std::max(inside_, Inside::ignored_control);
}

void Parser::act(unsigned action, char32_t code, ParserEvents& events) {
  switch (action) {
    case kPrint:
      return events.print({&code, 1});
    case kExecute:
      return events.execute(code);
    case kParam:
      return param(code);
    case kCollect:
      collected_ = collected_ << 8 | code;
      return;
    case kClear:
      return clear();
    case kEscDispatch:
      return events.esc_dispatch(collected_ << 8 | code);
    case kCsiDispatch:
      return events.csi_dispatch(collected_ << 8 | code, params_);
    case kOscStart:
      return begin_osc();
    case kOscPut:
      return put_osc(code, events);
    case kOscEnd:
      return end_osc(code, events);
    case kDcsHook:
      dcs_id_ = collected_ << 8 | code;
      forget_text(dcs_id_ == kDroppedDcs      ? Text::dropped
                  : events.wants_dcs(dcs_id_) ? Text::kept
                                              : Text::ignored);
      return;
    case kDcsPut:
      return put_text(code);
    case kDcsUnhook:
      return unhook(code, events);
    default:
      return;
  }
}

void Parser::param(char32_t code) {
  if (code == ';') {
    params_.add_param();
  } else if (code == ':') {
    params_.add_subparam();
  } else {
    params_.add_digit(static_cast<int>(code - '0'));
  }
}

void Parser::begin_osc() {
  forget_text(Text::kept);
  osc_part_ = OscPart::command;
  osc_command_ = -1;
}

void Parser::put_osc(char32_t code, const ParserEvents& events) {
  if (text_fate_ != Text::kept) return;
  if (osc_part_ == OscPart::text) {
    put_text(code);
  } else if (code == ';') {
    osc_part_ = OscPart::text;
    if (!events.wants_osc(osc_command_)) text_fate_ = Text::ignored;
  } else if (code >= '0' && code <= '9') {
    osc_command_ =
        std::min(std::max(osc_command_, 0) * 10 + static_cast<int>(code - '0'), kMaxCommand);
  } else {
    text_fate_ = code == kDroppedOsc ? Text::dropped : Text::ignored;
  }
}

void Parser::end_osc(char32_t code, ParserEvents& events) {
  const bool kept = text_fate_ == Text::kept && events.wants_osc(osc_command_);
  if (kept && !is_cancel(code)) {
    events.osc_dispatch(osc_command_, text_);
  } else {
    skip_string(code, events);
  }
  forget_text(Text::ignored);
  clear();
}

void Parser::unhook(char32_t code, ParserEvents& events) {
  if (text_fate_ == Text::kept && !is_cancel(code)) {
    events.dcs_dispatch(dcs_id_, params_, text_);
  } else {
    skip_string(code, events);
  }
  forget_text(Text::ignored);
  clear();
}

void Parser::skip_string(char32_t code, ParserEvents& events) {
  if (text_fate_ == Text::dropped && !is_cancel(code)) {
    events.string_dropped();
  } else {
    events.string_ignored();
  }
}

void Parser::put_text(char32_t code) {
  if (text_fate_ != Text::kept) return;
  append_utf8(text_, code);
  if (text_.size() > kMaxText) forget_text(Text::dropped);
}

// Releases the memory of a string that has ended or is too long.
void Parser::forget_text(Text fate) {
  std::string().swap(text_);
  text_fate_ = fate;
}

void Parser::clear() {
  params_.reset();
  collected_ = 0;
}

void Parser::reset() {
  state_ = kGround;
  inside_ = Inside::nothing;
  interrupts_ = false;
  utf8_.reset();
  forget_text(Text::ignored);
  clear();
}

}  // namespace vt
