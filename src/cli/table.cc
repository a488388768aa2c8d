#include "cli/table.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "base/printable.h"

namespace cli {
namespace {

// Columns that a text takes. Good enough for names: wide characters count as one.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string in_columns(const std::vector<std::string>& row,
                       const std::vector<std::size_t>& widths) {
  std::string line;
  for (std::size_t i = 0; i < row.size(); ++i) {
    line += row[i];
    if (i + 1 < row.size()) line.append(widths[i] + 2 - width_of(row[i]), ' ');
  }
  while (line.ends_with(' ')) line.pop_back();
  return line;
}

std::string with_tabs(const std::vector<std::string>& row) {
  std::string line;
  for (const std::string& field : row) line += (&field == &row.front() ? "" : "\t") + field;
  return line;
}

}  // namespace

void print_table(const std::vector<std::string>& heading,
                 const std::vector<std::vector<std::string>>& rows) {
  const bool is_terminal = ::isatty(STDOUT_FILENO) == 1;
  std::vector<std::vector<std::string>> shown;
  if (is_terminal && !rows.empty()) shown.push_back(heading);
  for (const auto& row : rows) {
    auto& fields = shown.emplace_back();
    for (const std::string& field : row) fields.push_back(base::printable(field));
  }
  std::vector<std::size_t> widths(heading.size());
  for (const auto& row : shown)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
  for (const auto& row : shown)
    std::printf("%s\n", (is_terminal ? in_columns(row, widths) : with_tabs(row)).c_str());
}

}  // namespace cli
