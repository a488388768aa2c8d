#include "cli/table.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "base/printable.h"
#include "cli/columns.h"

namespace cli {
namespace {

bool is_terminal() {
  static const bool is = ::isatty(STDOUT_FILENO) == 1;
  return is;
}

// See no-color.org.
bool has_colours() {
  const char* const unwanted = std::getenv("NO_COLOR");
  const char* const kind = std::getenv("TERM");
  return is_terminal() && (unwanted == nullptr || *unwanted == '\0') &&
         (kind == nullptr || std::string_view(kind) != "dumb");
}

std::string_view colour_of(Look look) {
  switch (look) {
    case Look::good:
      return "\x1b[32m";
    case Look::warning:
      return "\x1b[33m";
    case Look::bad:
      return "\x1b[31m";
    case Look::faint:
      return "\x1b[2m";
    case Look::plain:
      break;
  }
  return "";
}

std::string coloured(const Field& field) {
  static const bool kColours = has_colours();
  const std::string_view colour = colour_of(field.look);
  if (!kColours || colour.empty()) return field.text;
  return std::string(colour) + field.text + "\x1b[m";
}

Row printable(const Row& row) {
  Row shown;
  for (const Field& field : row) shown.emplace_back(base::printable(field.text), field.look);
  return shown;
}

Row as_row(const std::vector<std::string>& heading) {
  Row row;
  for (const std::string& each : heading) row.emplace_back(each, Look::faint);
  return row;
}

void print_in_columns(const Row& row, const std::vector<std::size_t>& widths) {
  std::string line;
  std::size_t blanks = 0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (!row[i].text.empty()) line += std::string(std::exchange(blanks, 0), ' ') + coloured(row[i]);
    const std::size_t width = columns_of(row[i].text);
    blanks += std::max(widths[i], width) + 2 - width;
  }
  std::printf("%s\n", line.c_str());
}

void print_with_tabs(const Row& row) {
  std::string line;
  for (const Field& field : row) line += (&field == &row.front() ? "" : "\t") + field.text;
  std::printf("%s\n", line.c_str());
}

void print_row(const Row& row, const std::vector<std::size_t>& widths) {
  if (is_terminal())
    print_in_columns(row, widths);
  else
    print_with_tabs(row);
}

}  // namespace

void print_table(const std::vector<std::string>& heading, const std::vector<Row>& rows) {
  std::vector<Row> shown;
  if (is_terminal() && !rows.empty()) shown.push_back(as_row(heading));
  for (const Row& row : rows) shown.push_back(printable(row));
  std::vector<std::size_t> widths(heading.size());
  for (const Row& row : shown)
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], columns_of(row[i].text));
  for (const Row& row : shown) print_row(row, widths);
}

void GrowingTable::add(const Row& row) {
  if (!std::exchange(has_begun_, true) && is_terminal()) print_row(as_row(heading_), widths_);
  print_row(printable(row), widths_);
  std::fflush(stdout);
}

}  // namespace cli
