#include "config/setting.h"

namespace config {

std::vector<const Setting*> differences(const Config& one, const Config& other) {
  std::vector<const Setting*> different;
  for (const Setting& setting : settings())
    if (std::visit([&](auto member) { return one.*member != other.*member; }, setting.member))
      different.push_back(&setting);
  return different;
}

void copy_value(const Setting& setting, const Config& from, Config& to) {
  std::visit([&](auto member) { to.*member = from.*member; }, setting.member);
  to.origins[setting.key] = from.origins.at(setting.key);
}

Form form_of(const Setting& setting) {
  const Config config;
  return with_value(setting, config,
                    [&](const auto& value) { return form_of(value, setting.range); });
}

std::string show(const Setting& setting, const Config& config) {
  return with_value(setting, config, [](const auto& value) { return show(value); });
}

}  // namespace config
