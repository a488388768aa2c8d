// The escape sequence parser: Paul Williams' state machine for DEC's VT500 series
// (https://vt100.net/emu/dec_ansi_parser) with xterm.js's extensions: UTF-8 is decoded first, C1
// controls are the code points U+0080 to U+009F,
// `:` separates subparameters, OSC may end with BEL. It knows events, not screens.
//
// Bounded: at most 32 parameters and 32 subparameters, 4 intermediates, and kMaxText bytes of an
// OSC or DCS string; a longer string is dropped whole. Input may be split anywhere.

#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>

#include "vt/utf8.h"

namespace vt {

// The numbers of a control sequence. A parameter that was left out is 0, a subparameter -1.
class Params {
 public:
  static constexpr int kMax = 32;

  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): see below.
  Params() { reset(); }
  void reset() {
    count_ = 1;
    values_[0] = 0;
    sub_count_ = sub_begin_[0] = sub_end_[0] = 0;
    in_sub_ = full_ = sub_full_ = false;
  }
  void add_param();
  void add_subparam();
  void add_digit(int digit) {
    if (full_ || (in_sub_ && sub_full_)) return;
    std::int32_t& value = in_sub_ ? subs_[sub_count_ - 1U] : values_[count_ - 1U];
    constexpr std::int64_t kLargest = std::numeric_limits<std::int32_t>::max();
    const std::int64_t longer = value < 0 ? digit : std::int64_t{value} * 10 + digit;
    value = static_cast<std::int32_t>(std::min(longer, kLargest));
  }

  [[nodiscard]] int size() const { return count_; }
  [[nodiscard]] int operator[](int i) const { return i < count_ ? values_[i] : 0; }
  // The parameter, or 1 if it is absent or 0, as most sequences need it.
  [[nodiscard]] int count_at(int i) const { return (*this)[i] == 0 ? 1 : (*this)[i]; }
  [[nodiscard]] std::span<const std::int32_t> sub(int i) const {
    return {subs_.data() + sub_begin_[i], subs_.data() + sub_end_[i]};
  }
  // Reads digits and separators from [p, end) and returns the end of them.
  const unsigned char* parse(const unsigned char* p, const unsigned char* end);
  // The bytes that would produce these parameters again.
  void append_to(std::string& out) const;

 private:
  // Entries beyond the counts were never set.
  std::array<std::int32_t, kMax> values_;
  std::array<std::int32_t, kMax> subs_;
  std::array<std::uint8_t, kMax> sub_begin_;
  std::array<std::uint8_t, kMax> sub_end_;
  std::uint8_t count_;
  std::uint8_t sub_count_;
  bool in_sub_;
  bool full_;
  bool sub_full_;
};

// The raw parameters of a control sequence, followed by zeros.
using SgrBytes = std::array<char, 16>;

// Identifies a sequence: its private prefix and intermediates, oldest first, then the final byte.
using Identifier = std::uint32_t;

consteval Identifier identifier(std::string_view bytes) {
  Identifier id = 0;
  for (const char c : bytes) id = id << 8 | static_cast<unsigned char>(c);
  return id;
}

// `begin` and `end` are absolute positions in the stream; `end` is one past the last byte that
// belongs to the sequence (the ESC of a string terminator does not).
struct ByteSpan {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  friend bool operator==(const ByteSpan&, const ByteSpan&) = default;
};

// What viewers get instead of a piece of the stream. It brings them to the state that the piece
// would have, without making them answer.
struct Edit {
  ByteSpan span;  // never empty
  std::string text;
  friend bool operator==(const Edit&, const Edit&) = default;
};

class ParserEvents {
 public:
  virtual ~ParserEvents() = default;
  // Checked after each event: if true, the parser stops and leaves the rest of its input.
  [[nodiscard]] bool wants_pause() const { return wants_pause_; }
  virtual void print_ascii(std::string_view text) = 0;  // 0x20 to 0x7e
  virtual void print(std::span<const char32_t> text) = 0;
  // Text that starts with a non-ASCII character. Takes leading characters that decode_printable
  // accepts, or some of them, and returns their size in bytes. The rest is presented again.
  virtual std::size_t print_text(std::string_view utf8) = 0;
  virtual void execute(unsigned control) = 0;
  // CSI m with these parameters. Most sequences are that, and most repeat. Used only where it is
  // faster.
  virtual void sgr(const SgrBytes& bytes) = 0;
  virtual void esc_dispatch(Identifier id) = 0;
  virtual void csi_dispatch(Identifier id, const Params& params) = 0;
  // Whether to keep the string that starts here; otherwise it is skipped.
  [[nodiscard]] virtual bool wants_osc(int command) const = 0;
  [[nodiscard]] virtual bool wants_dcs(Identifier id) const = 0;
  virtual void osc_dispatch(int command, std::string_view text) = 0;
  virtual void dcs_dispatch(Identifier id, const Params& params, std::string_view text) = 0;
  // A string ended that was not kept or was cancelled.
  virtual void string_ignored() = 0;
  // A string ended that was to be kept but was too long.
  virtual void string_dropped() = 0;

 protected:
  bool wants_pause_ = false;
};

class Parser {
 public:
  static constexpr std::size_t kMaxText = 8192;

  enum State : std::uint8_t {
    kGround,
    kEscape,
    kEscapeIntermediate,
    kCsiEntry,
    kCsiParam,
    kCsiIntermediate,
    kCsiIgnore,
    kSosPmApcString,
    kOscString,
    kDcsEntry,
    kDcsParam,
    kDcsIgnore,
    kDcsIntermediate,
    kDcsPassthrough,
  };

  // Whether a C0 control or DEL inside a sequence is ignored, as in strings, or executed.
  enum class Inside : std::uint8_t { nothing, ignored_control, executed_control };

  // Returns how many bytes were taken: all, or those up to where an event asked to pause.
  std::size_t feed(std::span<const std::byte> bytes, ParserEvents& events);
  // Drops an unfinished sequence; the position stays.
  void reset();

  // Absolute position: how many bytes were fed.
  [[nodiscard]] std::uint64_t position() const { return position_; }
  // Continues counting at `position`. An unfinished sequence is assumed to end there.
  void set_position(std::uint64_t position);
  // How far the stream may be sent to viewers: up to an unfinished character or a sequence that is
  // held back.
  [[nodiscard]] std::uint64_t settled() const;
  // The span of the current sequence. Only valid during an event.
  [[nodiscard]] ByteSpan sequence() const { return {sequence_begin_, sequence_end_}; }
  // Which controls came inside the unfinished or current sequence.
  [[nodiscard]] Inside inside() const { return inside_; }
  // During an event: viewers get `text`, made of whole sequences, instead of the current one. If
  // that interrupted another sequence, it still does.
  [[nodiscard]] Edit instead(std::string_view text) const;

  // The shortest bytes that bring a new parser into this state, or into the state at settled().
  // Empty in the ground state.
  [[nodiscard]] std::string unfinished() const;
  [[nodiscard]] std::string unfinished_settled() const;
  [[nodiscard]] std::size_t memory() const { return text_.capacity(); }

 private:
  // Unknown to every terminal: they represent a dropped string in unfinished().
  static constexpr char32_t kDroppedOsc = 'z';
  static constexpr Identifier kDroppedDcs = '}';

  enum class OscPart : std::uint8_t { command, text };
  // What happens to a string's text. Dropped: it was kept but got too long.
  enum class Text : std::uint8_t { kept, ignored, dropped };

  using Byte = unsigned char;
  const Byte* ground(const Byte* p, const Byte* end, ParserEvents& events);
  const Byte* one_byte(const Byte* p, ParserEvents& events);
  static const Byte* sgr(const Byte* p, const Byte* end, ParserEvents& events);
  const Byte* csi(const Byte* p, const Byte* end, ParserEvents& events);
  const Byte* skip_text(const Byte* p, const Byte* end);
  void character(char32_t code, ParserEvents& events);
  void note_control(char32_t code, unsigned action);
  void act(unsigned action, char32_t code, ParserEvents& events);
  void param(char32_t code);
  void begin_osc();
  void put_osc(char32_t code, const ParserEvents& events);
  void end_osc(char32_t code, ParserEvents& events);
  void unhook(char32_t code, ParserEvents& events);
  void put_text(char32_t code);
  void forget_text(Text fate);
  void skip_string(char32_t code, ParserEvents& events);
  void clear();
  [[nodiscard]] bool is_string() const { return state_ == kOscString || state_ == kDcsPassthrough; }
  // Whether the unfinished sequence is held back from viewers, so that all of it can be replaced.
  // Not if it cannot have an edit, if part of it had an effect, or if its start had one by
  // interrupting another sequence.
  [[nodiscard]] bool is_held() const;
  [[nodiscard]] std::string unfinished_sequence() const;
  [[nodiscard]] std::string unfinished_without_control() const;
  [[nodiscard]] std::string unfinished_osc() const;
  [[nodiscard]] std::uint64_t absolute(const Byte* p) const {
    return position_ + static_cast<std::uint64_t>(p - origin_);
  }

  Params params_;
  std::string text_;
  std::uint64_t position_ = 0;        // while feeding: of the feed's first byte
  std::uint64_t sequence_begin_ = 0;  // of the unfinished sequence
  std::uint64_t sequence_end_ = 0;
  std::uint64_t character_begin_ = 0;
  std::uint32_t collected_ = 0;
  Identifier dcs_id_ = 0;
  std::int32_t osc_command_ = -1;
  const Byte* origin_ = nullptr;  // while feeding: the byte at position_
  Utf8Decoder utf8_;
  State state_ = kGround;
  OscPart osc_part_ = OscPart::command;
  Text text_fate_ = Text::ignored;
  Inside inside_ = Inside::nothing;
  bool interrupts_ = false;  // the unfinished sequence started inside another
};

}  // namespace vt
