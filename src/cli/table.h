// Lists: in columns on a terminal, separated by tabs in a pipe.

#pragma once

#include <string>
#include <vector>

namespace cli {

// How a field is set off on a terminal that has colours.
enum class Look { plain, good, warning, bad, faint };

struct Field {
  Field(std::string content) : text(std::move(content)) {}
  Field(const char* content) : text(content) {}
  Field(std::string content, Look how) : text(std::move(content)), look(how) {}

  std::string text;
  Look look = Look::plain;
};
using Row = std::vector<Field>;

// Columns are as wide as their widest field. Control characters are escaped.
void print_table(const std::vector<std::string>& heading, const std::vector<Row>& rows);

// A table whose rows come one after another.
class GrowingTable {
 public:
  // Columns are that wide at least.
  GrowingTable(std::vector<std::string> heading, std::vector<std::size_t> widths)
      : heading_(std::move(heading)), widths_(std::move(widths)) {}
  // Prints it at once; the heading before the first one.
  void add(const Row& row);

 private:
  std::vector<std::string> heading_;
  std::vector<std::size_t> widths_;
  bool has_begun_ = false;
};

}  // namespace cli
