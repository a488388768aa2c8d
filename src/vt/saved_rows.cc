#include "vt/saved_rows.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "vt/row_codec.h"
#include "vt/snapshot_writer.h"

namespace vt {
namespace {

using Length = std::uint32_t;

void append_record(std::string& out, std::string_view row) {
  const auto length = static_cast<Length>(row.size());
  out.append(reinterpret_cast<const char*>(&length), sizeof length);
  out += row;
}

// The rows of the primary screen as records, without the blank ones at the end.
std::vector<std::string> screen_records(const State& state) {
  std::vector<std::string> records;
  ByteBuffer encoded;
  std::size_t shown = 0;
  const Grid& grid = state.primary.grid;
  for (int y = 0; y < grid.rows(); ++y) {
    encoded.clear();
    encode_row(grid.row(y), state.size.cols, state.tables, encoded);
    append_record(records.emplace_back(), encoded.view());
    if (encoded.size() > 1) shown = records.size();
  }
  records.resize(shown);
  return records;
}

bool has_controls(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte < 0x20 || byte == 0x7f) return true;
    // U+0080 to U+009F.
    if (byte == 0xc2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xa0)
      return true;
  }
  return false;
}

// Whether printing the row's text does nothing but show it.
bool is_sound(const Row& row, const Tables& tables) {
  std::string text;
  for (const Cell cell : row.written()) {
    text.clear();
    tables.append_text(text, cell);
    const Link& link = tables.links[tables.styles[cell.style].link];
    if (has_controls(text) || has_controls(link.id) || has_controls(link.uri)) return false;
  }
  return true;
}

// Removes the first record from `bytes`. False if there is no valid one.
bool take_row(std::string_view& bytes, int cols, Tables& tables, Row& row) {
  Length length = 0;
  if (bytes.size() < sizeof length) return false;
  std::memcpy(&length, bytes.data(), sizeof length);
  bytes.remove_prefix(sizeof length);
  if (length > bytes.size()) return false;
  const bool decoded = decode_row(bytes.substr(0, length), cols, tables, row);
  row.marks.start = 0;  // It was an offset in another output.
  bytes.remove_prefix(length);
  return decoded && is_sound(row, tables);
}

}  // namespace

std::string save_rows(const Screen& screen, std::size_t most) {
  const std::vector<std::string> shown = screen_records(screen.state());
  std::size_t left = most;
  std::size_t first = shown.size();
  while (first > 0 && shown[first - 1].size() <= left) left -= shown[--first].size();
  std::string out;
  if (first == 0) screen.state().history.append_newest(left, screen.size().cols, out);
  for (; first < shown.size(); ++first) out += shown[first];
  return out;
}

std::optional<std::string> rows_as_output(std::string_view bytes, int cols) {
  if (cols < 1 || cols > kMaxSide) return std::nullopt;
  if (bytes.empty()) return "";
  Tables tables;
  Row row;
  Row next;
  SnapshotWriter out({.cols = cols, .rows = 2});
  out.use(tables);
  if (!take_row(bytes, cols, tables, row)) return std::nullopt;
  row.wrapped = false;  // What it continues is gone.
  while (!bytes.empty()) {
    if (!take_row(bytes, cols, tables, next)) return std::nullopt;
    out.row(row, &next, tables);
    std::swap(row, next);
  }
  out.row(row, nullptr, tables);
  out.pen(Style(), Link());
  return out.take();
}

SavedLines::SavedLines(std::string_view bytes, int cols)
    : bytes_(cols < 1 || cols > kMaxSide ? std::string_view() : bytes), cols_(cols) {}

bool SavedLines::read() {
  is_read_ = is_read_ || take_row(bytes_, cols_, tables_, row_);
  if (!is_read_) bytes_ = {};
  return is_read_;
}

bool SavedLines::next(std::string& line) {
  LineText text(line);
  if (!read()) return false;
  do {
    text.add(row_, cols_, tables_);
    is_read_ = false;
  } while (text.size() < Lines::kLongest && read() && row_.wrapped);
  text.end();
  return true;
}

}  // namespace vt
