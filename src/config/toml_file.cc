#include "config/toml_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <sstream>

#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#include "config/nearest.h"

namespace config {
namespace {

std::string at(const std::filesystem::path& path, const toml::source_region& source) {
  return fmt::format("{}:{}", path.native(), source.begin.line);
}

std::unexpected<base::Error> unknown_key(std::string_view key, const std::string& where) {
  std::vector<std::string_view> known;
  for (const Setting& setting : settings())
    if (form_of(setting).toml != toml_none) known.push_back(setting.key);
  const std::string_view meant = nearest(key, known);
  return base::fail(base::Code::invalid_argument,
                    fmt::format("{}: unknown key {:?}{} Known keys: {}", where, key,
                                meant.empty() ? "." : fmt::format("; did you mean \"{}\"?", meant),
                                fmt::join(known, ", ")));
}

std::unexpected<base::Error> wrong_type(const Setting& setting, const toml::node& node,
                                        const std::string& where) {
  const Form form = form_of(setting);
  if (form.toml == toml_none)
    return base::fail(
        base::Code::invalid_argument,
        fmt::format("{}: {} cannot be set in a configuration file", where, setting.key),
        fmt::format("Set {} in the environment or in the env file.", setting.environment));
  std::ostringstream type;
  type << node.type();
  return base::fail(base::Code::invalid_argument,
                    fmt::format("{}: {} has the wrong type ({})", where, setting.key, type.str()),
                    fmt::format("Allowed: {}.", form.allowed));
}

std::optional<std::string> joined(const toml::array& array) {
  std::vector<std::string> items;
  for (const toml::node& node : array) {
    const auto item = node.value_exact<std::string>();
    if (!item) return std::nullopt;
    items.push_back(*item);
  }
  return fmt::format("{}", fmt::join(items, ","));
}

// The value as text, as the other sources write it. Nothing if its type is not in `types`.
std::optional<std::string> text_of(const toml::node& node, unsigned types) {
  if (const auto text = node.value_exact<std::string>(); text && (types & toml_text)) return text;
  if (const auto number = node.value_exact<std::int64_t>(); number && (types & toml_integer))
    return std::to_string(*number);
  if (const auto number = node.value_exact<double>(); number && (types & toml_real))
    return fmt::format("{}", *number);
  if (const auto truth = node.value_exact<bool>(); truth && (types & toml_boolean))
    return *truth ? "true" : "false";
  if (const auto* array = node.as_array(); array != nullptr && (types & toml_list))
    return joined(*array);
  return std::nullopt;
}

base::Result<Given> read_entry(std::string_view key, const toml::node& node,
                               const std::filesystem::path& path, const std::string& where) {
  const auto all = settings();
  const auto setting =
      std::find_if(all.begin(), all.end(), [key](const Setting& s) { return s.key == key; });
  if (setting == all.end()) return unknown_key(key, where);
  auto text = text_of(node, form_of(*setting).toml);
  if (!text) return wrong_type(*setting, node, where);
  return Given{.setting = &*setting,
               .text = std::move(*text),
               .origin = where,
               .directory = path.parent_path()};
}

}  // namespace

base::Result<std::vector<Given>> parse_toml(std::string_view text,
                                            const std::filesystem::path& path) {
  const toml::parse_result parsed = toml::parse(text);
  if (!parsed)
    return base::fail(
        base::Code::invalid_argument,
        fmt::format("{}: {}", at(path, parsed.error().source()), parsed.error().description()));
  // toml++ sorts by key, but people read and fix files from the top.
  std::vector<std::pair<const toml::key*, const toml::node*>> entries;
  for (const auto& [key, node] : parsed.table()) entries.emplace_back(&key, &node);
  std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
    return a.first->source().begin < b.first->source().begin;
  });
  std::vector<Given> given;
  for (const auto& [key, node] : entries) {
    auto entry = read_entry(key->str(), *node, path, at(path, key->source()));
    if (!entry) return base::fail(entry.error());
    given.push_back(std::move(*entry));
  }
  return given;
}

}  // namespace config
