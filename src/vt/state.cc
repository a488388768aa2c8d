#include "vt/state.h"

#include <algorithm>

namespace vt {

void Grid::move_up(int top, int bottom) {
  for (int y = top; y < bottom; ++y) std::swap(row(y), row(y + 1));
}

void Grid::rotate_down(int top, int bottom) {
  if (top == 0 && bottom == rows() - 1) {
    first_ = (first_ > 0 ? first_ : rows_.size()) - 1;
    return;
  }
  for (int y = bottom; y > top; --y) std::swap(row(y), row(y - 1));
}

std::vector<Row> Grid::take() {
  std::rotate(rows_.begin(), rows_.begin() + static_cast<std::ptrdiff_t>(first_), rows_.end());
  first_ = 0;
  return std::move(rows_);
}

void Grid::put(std::vector<Row> rows) {
  rows_ = std::move(rows);
  first_ = 0;
}

void TabStops::reset(int cols) {
  stops_.assign(static_cast<std::size_t>(cols), false);
  for (int x = 0; x < cols; x += kEvery) set(x);
}

void TabStops::resize(int cols) {
  const bool continues = cols < static_cast<int>(stops_.size()) && at(cols);
  stops_.resize(static_cast<std::size_t>(cols), false);
  if (continues) return;
  for (int x = previous(cols); x < cols; x += kEvery) set(x);
}

int TabStops::next(int x) const {
  const int last = static_cast<int>(stops_.size()) - 1;
  do ++x;
  while (x < last && !at(x));
  return std::min(x, last);
}

int TabStops::previous(int x) const {
  do --x;
  while (x > 0 && !at(x));
  return std::max(x, 0);
}

std::size_t State::memory() const {
  std::size_t total = tables.memory();
  for (const std::string* text : {&titles.title, &titles.icon, &working_directory})
    if (text->capacity() > std::string().capacity()) total += text->capacity();
  for (const Buffer* buffer : {&primary, &alternate}) {
    total += static_cast<std::size_t>(buffer->grid.rows()) * sizeof(Row);
    for (int y = 0; y < buffer->grid.rows(); ++y) total += buffer->grid.row(y).memory();
  }
  return total;
}

}  // namespace vt
