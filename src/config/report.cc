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

std::vector<Reported> reported(const Config& config) {
  std::vector<Reported> all;
  for (const Setting& setting : settings())
    all.push_back({.key = std::string(setting.key),
                   .value = show(setting, config),
                   .origin = config.origins.at(setting.key)});
  return all;
}

std::string report(const Config& config) {
  auto all = reported(config);
  std::size_t key_width = 0;
  std::size_t value_width = 0;
  for (Reported& each : all) {
    each.value = one_line(std::move(each.value));
    key_width = std::max(key_width, each.key.size());
    value_width = std::max(value_width, each.value.size());
  }
  std::string lines;
  for (const Reported& each : all)
    lines += fmt::format("{:<{}}  {:<{}}  {}\n", each.key, key_width, each.value, value_width,
                         one_line(each.origin));
  return lines;
}

}  // namespace config
