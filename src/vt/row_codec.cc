#include "vt/row_codec.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "vt/cell_run.h"
#include "vt/width.h"

namespace vt {
namespace {

enum Token : char {
  kEmptyCells = 1,
  kSetStyle = 2,
  kDefaultStyle = 3,
  kGraphemeCell = 4,
};

enum StylePart : std::uint8_t { kFg = 1, kBg = 2, kUnderlineColor = 4, kFlags = 8, kLink = 16 };

void put_varint(ByteBuffer& out, std::uint32_t value) {
  for (; value >= 0x80; value >>= 7) out.push(static_cast<char>(value | 0x80));
  out.push(static_cast<char>(value));
}

char* put_u32(char* out, std::uint32_t value) {
  for (int i = 0; i < 4; ++i) *out++ = static_cast<char>(value >> (8 * i));
  return out;
}

char* put_bytes(char* at, std::string_view bytes) {
  auto size = static_cast<std::uint32_t>(bytes.size());
  for (; size >= 0x80; size >>= 7) *at++ = static_cast<char>(size | 0x80);
  *at++ = static_cast<char>(size);
  std::memcpy(at, bytes.data(), bytes.size());
  return at + bytes.size();
}

void put_bytes(ByteBuffer& out, std::string_view bytes) {
  constexpr std::size_t kLength = 5;
  out.commit(put_bytes(out.room(kLength + bytes.size()), bytes));
}

// The maximum that `put_style` writes.
std::size_t room_for(const Style& style, const Tables& tables) {
  constexpr std::size_t kColorsAndFlags = 2 + 3 * 4 + 3;
  constexpr std::size_t kLengths = 2 * 5;
  if (style.link == 0) return kColorsAndFlags;
  const Link& link = tables.links[style.link];
  return kColorsAndFlags + kLengths + link.id.size() + link.uri.size();
}

char* put_style(char* at, const Style& style, const Tables& tables) {
  const bool flags = style.flags != 0 || style.underline != Underline::none;
  *at++ = kSetStyle;
  *at++ = static_cast<char>((style.fg != Color() ? kFg : 0) | (style.bg != Color() ? kBg : 0) |
                            (style.underline_color != Color() ? kUnderlineColor : 0) |
                            (flags ? kFlags : 0) | (style.link != 0 ? kLink : 0));
  for (const Color color : {style.fg, style.bg, style.underline_color})
    if (color != Color()) at = put_u32(at, color.bits());
  if (flags) {
    *at++ = static_cast<char>(style.flags);
    *at++ = static_cast<char>(style.flags >> 8);
    *at++ = static_cast<char>(style.underline);
  }
  if (style.link == 0) return at;
  return put_bytes(put_bytes(at, tables.links[style.link].id), tables.links[style.link].uri);
}

void put_style(ByteBuffer& out, StyleId id, const Tables& tables) {
  if (id == 0) return out.push(kDefaultStyle);
  const Style& style = tables.styles[id];
  out.commit(put_style(out.room(room_for(style, tables)), style, tables));
}

// How many cells after the first repeat the same character: all have the first's successor as
// theirs.
std::size_t same_behind(std::span<const Cell> cells) {
  const std::size_t width = cells.front().is_wide() ? 2 : 1;
  std::size_t i = width;
  // Usually it is the whole row or nothing.
  if (cells.size() > 2 * width &&
      std::memcmp(cells.data(), cells.data() + width, (cells.size() - width) * sizeof(Cell)) == 0)
    i = cells.size();
  while (i < cells.size() && cells[i] == cells[i - width]) ++i;
  return (i - width) / width * width;
}

// The leading characters of `cells` that are single code points and share a style. Returns how many
// cells they take.
std::size_t put_characters(std::span<const Cell> cells, ByteBuffer& out) {
  char* at = out.room(4 * cells.size());
  const StyleId style = cells.front().style;
  std::size_t i = 0;
  // One cell at a time, spacers too: skipping them would make each load wait for the one before.
  while (i < cells.size() && cells[i].style == style) {
    const Cell cell = cells[i];
    if (cell.bits - 0x20U < 0x5f) {
      const std::size_t length = take_ascii(cells.subspan(i), at);
      at += length;
      i += length;
      continue;
    }
    if (cell.has_content() && !cell.is_grapheme()) {
      char* const character = at;
      at = put_utf8(at, cell.content());
      const std::size_t next = i + (cell.is_wide() ? 2 : 1);
      if (next < cells.size() && cells[next] == cell) {
        const std::size_t same = same_behind(cells.subspan(i));
        const auto length = static_cast<std::size_t>(at - character);
        const std::size_t copies = 1 + (cell.is_wide() ? same / 2 : same);
        fill_with_copies(character, length, copies);
        at = character + length * copies;
        i += same;
      }
    } else if (!cell.is_spacer()) {
      break;
    }
    ++i;
  }
  out.commit(at);
  return i;
}

class CellsEncoder {
 public:
  CellsEncoder(const Tables& tables, ByteBuffer& out) : tables_(tables), out_(out) {}

  void add(std::span<const Cell> cells) {
    while (!cells.empty()) {
      const Cell cell = cells.front();
      begin(cell);
      std::size_t length = put_characters(cells, out_);
      if (length == 0) {
        length = 1 + same_behind(cells);
        put_copies(cell, cell.is_wide() ? (length + 1) / 2 : length);
      }
      cells = cells.subspan(length);
    }
  }
  void add_copies(Cell cell, std::size_t count) {
    begin(cell);
    put_copies(cell, count);
  }
  void end_empty() {
    if (empty_ == 0) return;
    out_.push(kEmptyCells);
    put_varint(out_, std::exchange(empty_, 0));
  }

 private:
  void begin(Cell cell) {
    if (cell.style != style_ || cell.has_content()) end_empty();
    if (cell.style != style_) put_style(out_, cell.style, tables_);
    style_ = cell.style;
  }
  void put_copies(Cell cell, std::size_t count) {
    if (cell.is_spacer()) return;
    if (!cell.has_content()) {
      empty_ += static_cast<std::uint32_t>(count);
      return;
    }
    const std::size_t before = out_.size();
    if (cell.is_grapheme()) {
      out_.push(kGraphemeCell);
      out_.push(static_cast<char>(cell.width()));
      put_bytes(out_, tables_.graphemes[cell.content()]);
    } else {
      out_.append_code_point(cell.content());
    }
    out_.repeat_from(before, count - 1);
  }

  const Tables& tables_;
  ByteBuffer& out_;
  StyleId style_ = 0;
  std::uint32_t empty_ = 0;
};

// Reads what the functions above wrote. After an error, everything reads as zero and `ok` is false.
class Source {
 public:
  explicit Source(std::string_view bytes) : bytes_(bytes) {}

  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] bool at_end() const { return bytes_.empty(); }
  [[nodiscard]] std::string_view rest() const { return bytes_; }
  void fail() {
    ok_ = false;
    bytes_ = {};
  }
  [[nodiscard]] unsigned char peek() const {
    return bytes_.empty() ? 0 : static_cast<unsigned char>(bytes_.front());
  }
  unsigned char byte() {
    if (bytes_.empty()) {
      fail();
      return 0;
    }
    const auto value = static_cast<unsigned char>(bytes_.front());
    bytes_.remove_prefix(1);
    return value;
  }
  std::uint32_t u32() {
    std::uint32_t value = 0;
    for (int i = 0; i < 4; ++i) value |= static_cast<std::uint32_t>(byte()) << (8 * i);
    return value;
  }
  std::uint32_t varint() {
    std::uint32_t value = 0;
    for (int shift = 0; shift < 28; shift += 7) {
      const unsigned char part = byte();
      value |= static_cast<std::uint32_t>(part & 0x7f) << shift;
      if (part < 0x80) return value;
    }
    fail();
    return 0;
  }
  std::string_view bytes(std::size_t count) {
    if (count > bytes_.size()) {
      fail();
      return {};
    }
    const std::string_view value = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return value;
  }
  char32_t code_point() { return take_utf8(bytes_); }

 private:
  std::string_view bytes_;
  bool ok_ = true;
};

Style take_style(Source& in, Tables& tables) {
  const unsigned char parts = in.byte();
  Style style;
  if ((parts & kFg) != 0) style.fg = Color::from_bits(in.u32());
  if ((parts & kBg) != 0) style.bg = Color::from_bits(in.u32());
  if ((parts & kUnderlineColor) != 0) style.underline_color = Color::from_bits(in.u32());
  if ((parts & kFlags) != 0) {
    const unsigned low = in.byte();
    style.flags = static_cast<std::uint16_t>((low | in.byte() << 8) & Style::kAllFlags);
    style.underline = static_cast<Underline>(std::min<unsigned>(in.byte(), 5));
  }
  if ((parts & kLink) != 0) {
    Link link;
    link.id = in.bytes(in.varint());
    link.uri = in.bytes(in.varint());
    style.link = tables.links.intern(link);
  }
  if ((style.flags & Style::kProtected) != 0) tables.has_protected = true;
  return style;
}

class RowBuilder {
 public:
  RowBuilder(Row& row, int cols) : row_(row), cols_(cols) {}

  // False if there is no room.
  bool add(Cell cell) {
    const int width = cell.is_wide() ? 2 : 1;
    if (x_ + width > cols_) return false;
    Cell* cells = row_.write(x_, x_ + width, cols_);
    cells[0] = cell;
    if (width == 2) cells[1] = Cell::spacer(cell.style);
    x_ += width;
    return true;
  }
  bool add_empty(std::uint32_t count, StyleId style) {
    if (count > static_cast<std::uint32_t>(cols_ - x_)) return false;
    std::fill_n(row_.write(x_, x_ + static_cast<int>(count), cols_), count, Cell::empty(style));
    x_ += static_cast<int>(count);
    return true;
  }
  bool add_ascii(std::string_view text, StyleId style) {
    const int count = static_cast<int>(text.size());
    if (count > cols_ - x_) return false;
    put_ascii(row_.write(x_, x_ + count, cols_), text, style);
    x_ += count;
    return true;
  }

 private:
  Row& row_;
  int cols_;
  int x_ = 0;
};

bool decode_token(Source& in, Tables& tables, RowBuilder& row, StyleId& style) {
  switch (in.byte()) {
    case kEmptyCells:
      return row.add_empty(in.varint(), style);
    case kSetStyle:
      style = tables.styles.intern(take_style(in, tables));
      return true;
    case kDefaultStyle:
      style = 0;
      return true;
    case kGraphemeCell: {
      const auto width = static_cast<Width>(std::min<unsigned>(in.byte(), 2));
      const std::string_view text = in.bytes(in.varint());
      if (text.empty()) return false;
      return row.add(Cell::grapheme(tables.graphemes.intern(std::string(text)), width, style));
    }
    default:
      return false;
  }
}

bool decode_cells(Source& in, Tables& tables, RowBuilder& row) {
  StyleId style = 0;
  while (in.ok() && !in.at_end()) {
    if (in.peek() < 0x20) {
      if (!decode_token(in, tables, row, style)) return false;
      continue;
    }
    const std::string_view ascii = in.bytes(printable_length(in.rest()));
    if (!ascii.empty()) {
      if (!row.add_ascii(ascii, style)) return false;
    } else {
      const char32_t code = in.code_point();
      if (!row.add(Cell::character(code, width_of(code), style))) return false;
    }
  }
  return in.ok();
}

// A style that no cell has, since the default style follows at once: daemons that do not know of it
// read past it.
constexpr int kStartBits = 24;
constexpr std::uint32_t kStartPart = (1U << kStartBits) - 1;
constexpr std::size_t kStartSize = 2 + 4 + 4 + 1;
constexpr Color kNoStart = Color::rgb(0);

void put_start(ByteBuffer& out, std::uint64_t start) {
  char* at = out.room(kStartSize);
  *at++ = kSetStyle;
  *at++ = kFg | kBg;
  at = put_u32(at, kNoStart.bits() | (static_cast<std::uint32_t>(start) & kStartPart));
  at = put_u32(at, kNoStart.bits() | static_cast<std::uint32_t>(start >> kStartBits));
  *at++ = kDefaultStyle;
  out.commit(at);
}

// Takes it out of `in`, if it is there.
std::uint64_t take_start(Source& in) {
  const std::string_view bytes = in.rest();
  if (bytes.size() < kStartSize || bytes[0] != kSetStyle || bytes[1] != (kFg | kBg) ||
      bytes[kStartSize - 1] != kDefaultStyle)
    return 0;
  Source style(in.bytes(kStartSize).substr(2));
  const std::uint64_t low = style.u32() & kStartPart;
  return low | static_cast<std::uint64_t>(style.u32() & kStartPart) << kStartBits;
}

}  // namespace

void encode_row(const Row& row, int cols, const Tables& tables, ByteBuffer& out) {
  out.push(static_cast<char>(row_flags(row)));
  if ((row.marks.bits & PromptMarks::kHasStatus) != 0)
    out.push(static_cast<char>(row.marks.status));
  if (row.marks.start != 0) put_start(out, row.marks.start);
  if (has_whole_encoding(row, cols)) return out.append(row.encoded());
  std::span<const Cell> written = row.written();
  const std::size_t behind = static_cast<std::size_t>(cols) - written.size();
  CellsEncoder encoder(tables, out);
  if (row.fill() != Cell() && behind > 0) {
    encoder.add(written);
    encoder.add_copies(row.fill(), behind);
  } else {
    while (!written.empty() && written.back() == Cell())
      written = written.first(written.size() - 1);
    encoder.add(written);
  }
  encoder.end_empty();
}

char* encode_run(Row& row, int end, std::size_t size, std::size_t last, StyleId style,
                 const Tables& tables) {
  Row::Encoding encoding = row.encoding();
  const std::span<char> room = row.encoding_room();
  const bool changes = style != encoding.style;
  if (encoding.length + room_for(tables.styles[changes ? style : 0], tables) + size > room.size()) {
    row.drop_encoding();
    return nullptr;
  }
  char* at = room.data() + encoding.length;
  if (style == 0 && encoding.style != 0) {
    *at++ = kDefaultStyle;
  } else if (style != encoding.style) {
    at = put_style(at, tables.styles[style], tables);
  }
  encoding.style = style;
  encoding.cols = static_cast<std::uint16_t>(end);
  encoding.last = static_cast<std::uint16_t>(at + last - room.data());
  encoding.length = static_cast<std::uint16_t>(at + size - room.data());
  row.set_encoding(encoding);
  return at;
}

void encode_join(Row& row, std::string_view text, Width width) {
  Row::Encoding encoding = row.encoding();
  const std::span<char> room = row.encoding_room();
  // A length below 128 is a varint of one byte.
  if (text.size() >= 0x80 || encoding.last + 3 + text.size() > room.size())
    return row.drop_encoding();
  char* at = room.data() + encoding.last;
  *at++ = kGraphemeCell;
  *at++ = static_cast<char>(width);
  *at++ = static_cast<char>(text.size());
  std::memcpy(at, text.data(), text.size());
  encoding.length = static_cast<std::uint16_t>(encoding.last + 3 + text.size());
  row.set_encoding(encoding);
}

bool decode_row(std::string_view bytes, int cols, Tables& tables, Row& row) {
  row.reset(Cell());
  Source in(bytes);
  const unsigned char flags = in.byte();
  PromptMarks marks{.bits = static_cast<std::uint8_t>(flags >> kMarksShift & 0x1f)};
  if ((marks.bits & PromptMarks::kHasStatus) != 0) marks.status = in.byte();
  if ((marks.bits & (PromptMarks::kOutput | PromptMarks::kEnd)) != 0) marks.start = take_start(in);
  RowBuilder builder(row, cols);
  if (!in.ok() || !decode_cells(in, tables, builder)) {
    row.reset(Cell());
    return false;
  }
  row.wrapped = (flags & 1) != 0;
  row.marks = marks;
  return true;
}

}  // namespace vt
