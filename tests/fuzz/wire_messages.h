// Messages that are almost right: any type and any field of the protocols, with any value, so that
// a fuzzer need not find the names by itself.

#pragma once

#include <fuzzer/FuzzedDataProvider.h>

#include <cstdlib>
#include <string>

#include <boost/json/parse.hpp>

#include "wire/json_text.h"

inline void check(bool holds) {
  if (!holds) std::abort();
}

inline bool is_message(const std::string& text) {
  boost::json::error_code error;
  const auto value = boost::json::parse(text, error);
  return !error && value.is_object() && value.get_object().contains("type");
}

inline std::string fuzzed_value(FuzzedDataProvider& fuzz) {
  std::string value;
  switch (fuzz.ConsumeIntegralInRange(0, 6)) {
    case 0:
      return std::to_string(fuzz.ConsumeIntegral<std::int64_t>());
    case 1:
      return std::to_string(fuzz.ConsumeIntegralInRange(0, 600));
    case 2:
      return fuzz.PickValueInArray({"null", "true", "[]", "{}", "1.5", "1e99", "80.0", "\"view\"",
                                    "\"#00ff7F\"", "\"\\ud83d\"", "[\"a\",\"b\"]",
                                    "{\"A\":\"b\",\"_\":\"\"}", "\"-\"", "18446744073709551615"});
    case 3:
      return "\"" + fuzz.ConsumeRandomLengthString(64) + "\"";
    case 4:
      return fuzz.ConsumeRandomLengthString(64);
    default:
      wire::append_json_string(value, fuzz.ConsumeRandomLengthString(200));
      return value;
  }
}

template <std::size_t types, std::size_t keys>
std::string fuzzed_message(FuzzedDataProvider& fuzz, const char* const (&type)[types],
                           const char* const (&key)[keys]) {
  const auto fields = [&] {
    std::string text;
    for (int i = fuzz.ConsumeIntegralInRange(0, 5); i > 0; --i)
      text += std::string(",\"") + fuzz.PickValueInArray(key) + "\":" + fuzzed_value(fuzz);
    return text;
  };
  std::string data = fields();
  if (!data.empty()) data.erase(0, 1);
  return std::string("{\"type\":\"") + fuzz.PickValueInArray(type) + "\",\"data\":{" + data + "}" +
         fields() + "}";
}
