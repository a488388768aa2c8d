// The commands of `holdfast`, by its manual, which is made from their declarations. Tests that must
// try every command compare with it.

#pragma once

#include <map>
#include <string>
#include <string_view>

namespace e2e {

// What `holdfast man --markdown` says of each command. What it says of `token new` belongs to
// `token`.
inline std::map<std::string, std::string> sections_of(const std::string& manual) {
  constexpr std::string_view kHeading = "\n## holdfast ";
  std::map<std::string, std::string> sections;
  for (std::size_t at = 0; (at = manual.find(kHeading, at)) != std::string::npos;) {
    at += kHeading.size();
    const std::string section = manual.substr(at, manual.find(kHeading, at) - at);
    sections[section.substr(0, section.find_first_of(" \n"))] += section;
  }
  return sections;
}

}  // namespace e2e
