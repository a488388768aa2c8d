#include "config/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "config/setting.h"

namespace config {
namespace {

// A path can contain a newline, which would break the report.
std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < ' ' || c == 0x7f; }, '?');
  return text;
}

}  // namespace

std::string report(const Config& config) {
  std::vector<std::string> values;
  std::size_t key_width = 0;
  std::size_t value_width = 0;
  for (const Setting& setting : settings()) {
    values.push_back(one_line(show(setting, config)));
    key_width = std::max(key_width, setting.key.size());
    value_width = std::max(value_width, values.back().size());
  }
  std::string lines;
  auto value = values.begin();
  for (const Setting& setting : settings())
    lines += fmt::format("{:<{}}  {:<{}}  {}\n", setting.key, key_width, *value++, value_width,
                         one_line(config.origins.at(setting.key)));
  return lines;
}

}  // namespace config
