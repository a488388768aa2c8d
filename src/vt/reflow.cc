#include "vt/reflow.h"

#include <algorithm>
#include <utility>

namespace vt {
namespace {

using Group = std::vector<Row*>;  // a row and those that continue it

int size_of(const auto& container) {
  return static_cast<int>(container.size());
}

Row& at(const Group& group, int i) {
  return *group[static_cast<std::size_t>(i)];
}

void copy_cells(const Row& from, int from_x, Row& to, int to_x, int count, int cols) {
  if (count <= 0) return;
  std::vector<Cell> cells;
  cells.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) cells.push_back(from.at(from_x + i));
  std::ranges::copy(cells, to.write(to_x, to_x + count, cols));
}

// How much of row i belongs to the line: all, but for the last row, which ends with its content,
// and for the column that a wide character left empty when it wrapped.
int wrapped_length(const Group& group, int i, int cols) {
  if (i == size_of(group) - 1) return at(group, i).content_length(cols);
  const Cell last = at(group, i).at(cols - 1);
  const bool ends_empty = !last.has_content() && last.width() == Width::one;
  return ends_empty && at(group, i + 1).at(0).is_wide() ? cols - 1 : cols;
}

// Rows above or below appear or go, depending on where the cursor is.
void change_height(Lines& lines, int old_rows, int new_rows) {
  int added = 0;
  for (int n = old_rows; n < new_rows; ++n) {
    if (size_of(lines.rows) >= new_rows + lines.base) continue;
    if (lines.base > 0 && size_of(lines.rows) <= lines.base + lines.cursor.y + added + 1) {
      --lines.base;
      ++added;
    } else {
      lines.rows.emplace_back();
    }
  }
  for (int n = old_rows; n > new_rows; --n) {
    if (size_of(lines.rows) <= new_rows + lines.base) continue;
    if (size_of(lines.rows) > lines.base + lines.cursor.y + 1) {
      lines.rows.pop_back();
    } else {
      ++lines.base;
    }
  }
  lines.cursor.y = std::min(lines.cursor.y, new_rows - 1) + added;
  const int excess = size_of(lines.rows) - lines.max_rows;
  if (excess <= 0) return;
  lines.rows.erase(lines.rows.begin(), lines.rows.begin() + excess);
  lines.base = std::max(lines.base - excess, 0);
  lines.saved_y = std::max(lines.saved_y - excess, 0);
}

// ---- growing: continued rows move up into the space that appeared

// Moves the cells of a group together; returns how many rows at its end became superfluous.
int join_group(const Group& group, int old_cols, int cols) {
  int to = 0;
  int to_x = wrapped_length(group, 0, old_cols);
  int from = 1;
  int from_x = 0;
  while (from < size_of(group)) {
    const int length = wrapped_length(group, from, old_cols);
    const int count = std::min(length - from_x, cols - to_x);
    copy_cells(at(group, from), from_x, at(group, to), to_x, count, cols);
    to_x += count;
    if (to_x == cols) {
      ++to;
      to_x = 0;
    }
    from_x += count;
    if (from_x == length) {
      ++from;
      from_x = 0;
    }
    // A wide character does not fit into the last column: it goes to the next row.
    if (to_x == 0 && to != 0 && at(group, to - 1).at(cols - 1).is_wide()) {
      copy_cells(at(group, to - 1), cols - 1, at(group, to), to_x++, 1, cols);
      at(group, to - 1).set(cols - 1, Cell(), cols);
    }
  }
  at(group, to).replace(to_x, cols, Cell(), cols);
  int superfluous = 0;
  for (int i = size_of(group) - 1; i > 0; --i) {
    if (i <= to && at(group, i).content_length(cols) != 0) break;
    ++superfluous;
  }
  return superfluous;
}

void reflow_larger(Lines& lines, int old_cols, Size size) {
  const int cursor_line = lines.base + lines.cursor.y;
  std::vector<Row> kept;
  kept.reserve(lines.rows.size());
  int removed = 0;
  for (int y = 0; y < size_of(lines.rows);) {
    Group group{&lines.rows[static_cast<std::size_t>(y)]};
    int end = y + 1;
    while (end < size_of(lines.rows) && lines.rows[static_cast<std::size_t>(end)].wrapped)
      group.push_back(&lines.rows[static_cast<std::size_t>(end++)]);
    // The program redraws the line that the cursor is in.
    const bool has_cursor = cursor_line >= y && cursor_line < end;
    const int superfluous =
        group.size() > 1 && !has_cursor ? join_group(group, old_cols, size.cols) : 0;
    const int last = size_of(group) - superfluous - 1;
    for (int i = 0; i < size_of(group); ++i) {
      if (i > last) {
        kept.back().marks.merge(at(group, i).marks);
      } else {
        kept.push_back(std::move(at(group, i)));
      }
    }
    removed += superfluous;
    y = end;
  }
  lines.rows = std::move(kept);
  for (int n = 0; n < removed; ++n) {
    if (lines.base > 0) {
      --lines.base;
      continue;
    }
    if (lines.cursor.y > 0) --lines.cursor.y;
    if (size_of(lines.rows) < size.rows) lines.rows.emplace_back();
  }
  lines.saved_y = std::max(lines.saved_y - removed, 0);
}

// ---- shrinking: what no longer fits moves into rows that are put in between

struct Insertion {
  int start = 0;
  std::vector<Row> rows;
};

// The lengths of the rows that a group takes at the new width.
std::vector<int> split_lengths(const Group& group, int old_cols, int cols) {
  int needed = 0;
  for (int i = 0; i < size_of(group); ++i) needed += wrapped_length(group, i, old_cols);
  std::vector<int> lengths;
  int x = 0;
  int row = 0;
  for (int available = 0; available < needed;) {
    if (needed - available < cols) {
      lengths.push_back(needed - available);
      break;
    }
    x += cols;
    const int length = wrapped_length(group, row, old_cols);
    if (x > length) {
      x -= length;
      row = std::min(row + 1, size_of(group) - 1);
    }
    const bool ends_wide = cols > 1 && x > 0 && at(group, row).at(x - 1).is_wide();
    if (ends_wide) --x;
    lengths.push_back(ends_wide ? cols - 1 : cols);
    available += lengths.back();
  }
  return lengths;
}

// Moves the cells of a group to their new rows, from the end, in place.
void spread_group(const Group& group, int original, int last_length,
                  const std::vector<int>& lengths, int old_cols) {
  const auto length_of = [&lengths](int i) {
    return i >= 0 ? lengths[static_cast<std::size_t>(i)] : 0;
  };
  int to = size_of(lengths) - 1;
  int to_x = length_of(to);
  if (to_x == 0) to_x = length_of(--to);
  int from = original - 1;
  int from_x = last_length;
  while (from >= 0 && to >= 0) {
    const int count = std::min(from_x, to_x);
    copy_cells(at(group, from), from_x - count, at(group, to), to_x - count, count, old_cols);
    to_x -= count;
    if (to_x == 0) to_x = length_of(--to);
    from_x -= count;
    if (from_x == 0) {
      --from;
      from_x = wrapped_length(group, std::max(from, 0), old_cols);
    }
  }
}

// `count` is how many of the rows are still there: where the cursor can move down, rows go at the
// bottom.
void follow_insertion(Lines& lines, int& count, int added, int inserted_so_far, Size size) {
  const int trimmed = lines.base == 0 && lines.cursor.y != count - 1
                          ? std::max(0, lines.cursor.y - lines.max_rows + added)
                          : std::max(0, count - lines.max_rows + added);
  for (int n = added - trimmed; n > 0; --n) {
    if (lines.base > 0) {
      const int all = std::min(lines.max_rows, count + inserted_so_far);
      if (lines.base < all - size.rows) ++lines.base;
    } else if (lines.cursor.y < size.rows - 1) {
      ++lines.cursor.y;
      --count;
    } else {
      ++lines.base;
    }
  }
  lines.saved_y = std::min(lines.saved_y + added, lines.base + size.rows - 1);
}

// `insertions` are ordered from the bottom up; starts count the rows inserted below them.
void insert_rows(Lines& lines, std::vector<Insertion>& insertions, int inserted) {
  const int total = std::min(lines.max_rows, size_of(lines.rows) + inserted);
  std::vector<Row> rows(static_cast<std::size_t>(total));
  int original = size_of(lines.rows) - 1;
  int placed = 0;
  std::size_t next = 0;
  for (int i = total - 1; i >= 0; --i) {
    if (next < insertions.size() && insertions[next].start > original + placed) {
      auto& fresh = insertions[next].rows;
      for (int k = size_of(fresh) - 1; k >= 0 && i >= 0; --k)
        rows[static_cast<std::size_t>(i--)] = std::move(fresh[static_cast<std::size_t>(k)]);
      ++i;
      placed += size_of(fresh);
      ++next;
    } else if (original >= 0) {
      rows[static_cast<std::size_t>(i)] =
          std::move(lines.rows[static_cast<std::size_t>(original--)]);
    }
  }
  lines.rows = std::move(rows);
}

void reflow_smaller(Lines& lines, int old_cols, Size size) {
  std::vector<Insertion> insertions;
  int inserted = 0;
  int count = size_of(lines.rows);
  for (int y = count - 1; y >= 0; --y) {
    const auto row = [&lines](int i) { return &lines.rows[static_cast<std::size_t>(i)]; };
    if (!row(y)->wrapped && row(y)->content_length(old_cols) <= size.cols) continue;
    Group group{row(y)};
    while (group.front()->wrapped && y > 0) group.insert(group.begin(), row(--y));
    const int original = size_of(group);
    const int cursor_line = lines.base + lines.cursor.y;
    if (cursor_line >= y && cursor_line < y + original) continue;

    const int last_length = group.back()->content_length(old_cols);
    const std::vector<int> lengths = split_lengths(group, old_cols, size.cols);
    const int added = size_of(lengths) - original;
    if (added > 0) {
      Insertion insertion{.start = y + original + inserted, .rows = {}};
      insertion.rows.resize(static_cast<std::size_t>(added));
      for (Row& fresh : insertion.rows) {
        fresh.wrapped = true;
        group.push_back(&fresh);
      }
      inserted += added;
      insertions.push_back(std::move(insertion));
    }
    spread_group(group, original, last_length, lengths, old_cols);
    for (int i = 0; i < std::min(size_of(group), size_of(lengths)); ++i) {
      const int length = lengths[static_cast<std::size_t>(i)];
      if (length < size.cols) at(group, i).set(length, Cell(), old_cols);
    }
    follow_insertion(lines, count, added, inserted, size);
  }
  lines.rows.resize(static_cast<std::size_t>(std::max(count, 0)));
  if (!insertions.empty()) insert_rows(lines, insertions, inserted);
}

}  // namespace

void resize_lines(Lines& lines, Size old_size, Size new_size) {
  if (new_size.cols > old_size.cols)
    for (Row& row : lines.rows) row.resize(old_size.cols, new_size.cols);
  change_height(lines, old_size.rows, new_size.rows);
  if (new_size.cols > old_size.cols) reflow_larger(lines, old_size.cols, new_size);
  if (new_size.cols < old_size.cols) {
    reflow_smaller(lines, old_size.cols, new_size);
    for (Row& row : lines.rows) row.resize(old_size.cols, new_size.cols);
  }
  if (new_size.cols != old_size.cols)
    for (Row& row : lines.rows) row.mend(new_size.cols);
}

}  // namespace vt
