// Rows of text: in columns with a heading on a terminal, separated by tabs in a pipe.

#pragma once

#include <string>
#include <vector>

namespace cli {

// What programs wrote is shown escaped.
void print_table(const std::vector<std::string>& heading,
                 const std::vector<std::vector<std::string>>& rows);

}  // namespace cli
