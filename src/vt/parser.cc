#include "vt/parser.h"

#include <algorithm>

#include "vt/parser_table.h"
#include "vt/scan.h"

namespace vt {
namespace {

constexpr unsigned char kEsc = 0x1b;
constexpr std::int32_t kMaxCommand = 1'000'000;

constexpr bool is_cancel(char32_t code) {
  return code == 0x18 || code == 0x1a;
}

// The length of the well-formed character at `p`, or 0 if it is cut, malformed or dropped.
inline std::size_t decode_character(const unsigned char* p, const unsigned char* end,
                                    char32_t& code) {
  const auto tail = [p](int i) -> char32_t { return p[i] & 0x3f; };
  const auto is_tail = [p](int i) { return (p[i] & 0xc0) == 0x80; };
  if (*p < 0xe0) {
    if (*p < 0xc2 || end - p < 2 || !is_tail(1)) return 0;
    code = (*p & 0x1f) << 6 | tail(1);
    return 2;
  }
  if (*p < 0xf0) {
    if (end - p < 3 || !is_tail(1) || !is_tail(2)) return 0;
    code = (*p & 0x0f) << 12 | tail(1) << 6 | tail(2);
    const bool surrogate = code >= 0xd800 && code <= 0xdfff;
    return code < 0x800 || surrogate || code == 0xfeff ? 0 : 3;
  }
  if (*p >= 0xf8 || end - p < 4 || !is_tail(1) || !is_tail(2) || !is_tail(3)) return 0;
  code = (*p & 0x07) << 18 | tail(1) << 12 | tail(2) << 6 | tail(3);
  return code < 0x10000 || code > 0x10ffff ? 0 : 4;
}

}  // namespace

void Parser::feed(std::span<const std::byte> bytes, ParserEvents& events) {
  const auto* p = reinterpret_cast<const Byte*>(bytes.data());
  const Byte* const end = p + bytes.size();
  origin_ = p;
  while (p < end) {
    if (!utf8_.idle() || *p >= 0x80) {
      p = state_ == kGround && utf8_.idle() ? decode_run(p, end, events) : one_byte(p, events);
    } else if (state_ == kGround) {
      p = ground(p, end, events);
    } else if (state_ == kCsiEntry || state_ == kCsiParam) {
      p = csi(p, end, events);
    } else {
      const Byte* const after = skip_text(p, end);
      p = after > p ? after : one_byte(p, events);
    }
  }
  position_ += bytes.size();
  origin_ = nullptr;
}

// Text and controls up to the first byte that is not ASCII or begins a sequence.
const Parser::Byte* Parser::ground(const Byte* p, const Byte* end, ParserEvents& events) {
  while (p < end && *p < 0x80) {
    if (const std::size_t length = printable_prefix(p, end); length > 0) {
      events.print_ascii({reinterpret_cast<const char*>(p), length});
      p += length;
      continue;
    }
    if (*p == kEsc) {
      clear();
      sequence_begin_ = absolute(p++);
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

// Decodes text that is not ASCII, with single ASCII characters between, into blocks.
const Parser::Byte* Parser::decode_run(const Byte* p, const Byte* end, ParserEvents& events) {
  constexpr std::size_t kBlock = 256;
  constexpr int kLongAscii = 16;
  std::array<char32_t, kBlock> block;
  std::size_t count = 0;
  int ascii = 0;
  while (p < end && count < kBlock) {
    char32_t code = *p;
    std::size_t length = 1;
    if (code < 0x80) {
      if (code < 0x20 || code == 0x7f || ++ascii == kLongAscii) break;
    } else {
      ascii = 0;
      length = decode_character(p, end, code);
      if (length == 0 || code < 0xa0) break;
    }
    block[count++] = code;
    p += length;
  }
  if (count > 0) {
    events.print({block.data(), count});
    return p;
  }
  return one_byte(p, events);
}

const Parser::Byte* Parser::one_byte(const Byte* p, ParserEvents& events) {
  if (utf8_.idle()) character_begin_ = absolute(p);
  switch (utf8_.feed(*p)) {
    case Utf8Decoder::Step::retry:
      return p;
    case Utf8Decoder::Step::character:
      sequence_end_ = absolute(p) + 1;
      character(utf8_.code(), events);
      return p + 1;
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

// Bulk of a string: what neither ends it nor needs a decision.
const Parser::Byte* Parser::skip_text(const Byte* p, const Byte* end) {
  const bool osc_text = state_ == kOscString && (text_ignored_ || osc_part_ == OscPart::text);
  if (!osc_text && state_ != kSosPmApcString && state_ != kDcsPassthrough) return p;
  const std::size_t length = printable_prefix(p, end);
  if (state_ != kSosPmApcString && !text_ignored_) {
    text_.append(reinterpret_cast<const char*>(p), std::min(length, kMaxText + 1 - text_.size()));
    if (text_.size() > kMaxText) drop_text();
  }
  return p + length;
}

void Parser::character(char32_t code, ParserEvents& events) {
  const Transition transition = kTransitions[state_][column_of(code)];
  const bool introduces = code == kEsc || (code >= 0x80 && code < 0xa0);
  if (state_ != kGround && transition.action == kExecute && transition.next == state_)
    control_inside_ = true;
  // An introducer that ends a string is not part of it, and begins the next sequence.
  if (introduces && transition.next == kEscape) sequence_end_ = character_begin_;
  act(transition.action, code, events);
  if (introduces) sequence_begin_ = character_begin_;
  state_ = transition.next;
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
      drop_text();
      text_ignored_ = !events.wants_dcs(dcs_id_);
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
  drop_text();
  osc_part_ = OscPart::command;
  osc_command_ = -1;
  text_ignored_ = false;
}

void Parser::put_osc(char32_t code, const ParserEvents& events) {
  if (text_ignored_) return;
  if (osc_part_ == OscPart::text) {
    put_text(code);
  } else if (code == ';') {
    osc_part_ = OscPart::text;
    text_ignored_ = !events.wants_osc(osc_command_);
  } else if (code >= '0' && code <= '9') {
    osc_command_ =
        std::min(std::max(osc_command_, 0) * 10 + static_cast<int>(code - '0'), kMaxCommand);
  } else {
    text_ignored_ = true;
  }
}

void Parser::end_osc(char32_t code, ParserEvents& events) {
  if (text_ignored_ || is_cancel(code) || !events.wants_osc(osc_command_)) {
    events.string_ignored();
  } else {
    events.osc_dispatch(osc_command_, text_);
  }
  drop_text();
  clear();
}

void Parser::unhook(char32_t code, ParserEvents& events) {
  if (text_ignored_ || is_cancel(code)) {
    events.string_ignored();
  } else {
    events.dcs_dispatch(dcs_id_, params_, text_);
  }
  drop_text();
  clear();
}

void Parser::put_text(char32_t code) {
  if (text_ignored_) return;
  append_utf8(text_, code);
  if (text_.size() > kMaxText) drop_text();
}

// A string that is over or too long gives its memory back.
void Parser::drop_text() {
  std::string().swap(text_);
  text_ignored_ = true;
}

void Parser::clear() {
  params_.reset();
  collected_ = 0;
  control_inside_ = false;
}

void Parser::reset() {
  state_ = kGround;
  utf8_.reset();
  drop_text();
  clear();
}

void Parser::set_position(std::uint64_t position) {
  position_ = position;
  sequence_begin_ = position - std::min<std::uint64_t>(position, unfinished().size());
  character_begin_ = position - std::min<std::uint64_t>(position, utf8_.pending().size());
}

bool Parser::cannot_be_query() const {
  const bool in_string = state_ == kOscString || state_ == kDcsPassthrough;
  return state_ == kGround || state_ == kSosPmApcString || state_ == kCsiIgnore ||
         state_ == kDcsIgnore || (in_string && text_ignored_) || control_inside_;
}

std::uint64_t Parser::settled() const {
  if (!cannot_be_query()) return sequence_begin_;
  return utf8_.idle() ? position_ : character_begin_;
}

std::string Parser::unfinished() const {
  return unfinished_sequence() + std::string(utf8_.pending());
}

std::string Parser::unfinished_settled() const {
  return cannot_be_query() ? unfinished_sequence() : std::string();
}

std::string Parser::unfinished_sequence() const {
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
      out = "\x1b" + intermediates;
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
      if (state_ == kDcsPassthrough && text_ignored_) {
        out = "\x1bP~";
        break;
      }
      out = (state_ == kCsiParam || state_ == kCsiIntermediate ? "\x1b[" : "\x1bP") + prefix;
      params_.append_to(out);
      out += intermediates;
      if (state_ == kDcsPassthrough) out += text_;
      break;
  }
  return out;
}

std::string Parser::unfinished_osc() const {
  // No command is called x, so a parser that sees it skips the rest.
  if (text_ignored_) return "\x1b]x";
  std::string out = "\x1b]";
  if (osc_command_ >= 0) out += std::to_string(osc_command_);
  if (osc_part_ == OscPart::text) out += ';' + text_;
  return out;
}

}  // namespace vt
