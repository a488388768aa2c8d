#include "vt/state.h"

#include <algorithm>
#include <numeric>

namespace vt {

void Grid::rotate_up(int top, int bottom, int count) {
  if (top == 0 && bottom == rows() - 1) {
    first_ = index(count % rows());
    return;
  }
  if (first_ > 0) {
    std::rotate(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(first_), order_.end());
    first_ = 0;
  }
  const auto begin = order_.begin() + top;
  std::rotate(begin, begin + count, begin + (bottom - top + 1));
}

std::vector<Row> Grid::take() {
  std::vector<Row> taken;
  taken.reserve(rows_.size());
  for (int y = 0; y < rows(); ++y) taken.push_back(std::move(row(y)));
  put({});
  return taken;
}

void Grid::put(std::vector<Row> rows) {
  rows_ = std::move(rows);
  order_.resize(rows_.size());
  std::iota(order_.begin(), order_.end(), std::uint16_t{0});
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
    total += static_cast<std::size_t>(buffer->grid.rows()) * (sizeof(Row) + sizeof(std::uint16_t));
    for (int y = 0; y < buffer->grid.rows(); ++y) total += buffer->grid.row(y).memory();
  }
  return total;
}

}  // namespace vt
