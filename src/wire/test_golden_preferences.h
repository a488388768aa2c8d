// The golden messages about preferences.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "wire/native.h"
#include "wire/native_events.h"
#include "wire/test_golden.h"

namespace wire::golden {

struct DescribePreferences {
  json::object& out;

  void operator()(const native::ListPreferences& list) const {
    out["type"] = "preferences";
    put(out, "session", list.session);
  }
  void operator()(const native::SetPreference& set) const {
    out["type"] = "preference_set";
    put(out, "session", set.session);
    out["name"] = set.name;
    if (set.value) out["value"] = json::parse(*set.value);
    put(out, "revision", set.revision);
  }
};

inline native::Preference preference(std::string_view name, const json::object& fields) {
  native::Preference preference{
      .name = std::string(name), .value = {}, .revision = number<std::int64_t>(fields, "revision")};
  if (!fields.at("value").is_null()) preference.value = json::serialize(fields.at("value"));
  return preference;
}

inline std::string encode_preferences(const native::Answers& request, const json::object& message) {
  const auto session = maybe_text(message, "session");
  if (text(message, "type") == "preference_set")
    return native::preference_set(request, session, preference(text(message, "name"), message));
  std::vector<native::Preference> all;
  for (const auto& [name, fields] : message.at("values").as_object())
    all.push_back(preference(name, fields.as_object()));
  return native::preferences(request, session, all);
}

}  // namespace wire::golden
