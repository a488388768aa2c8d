#include "cli/explain.h"

namespace cli {

void explain(const Arguments& command, const std::vector<std::string>& examples,
             const std::string& more) {
  std::string text = more.empty() ? "" : more + "\n\n";
  text += "Examples:";
  for (const std::string& example : examples) text += "\n  " + example;
  command.footer(text);
}

}  // namespace cli
