// The parameters of a request from the runner. An invalid one reads as empty, and the first is
// remembered as the fault. So a handler reads all its parameters and checks for a fault once.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "base/result.h"

namespace extension {

class Params {
 public:
  explicit Params(const boost::json::object& object) : object_(object) {}

  [[nodiscard]] std::string text(const char* key);
  [[nodiscard]] std::optional<std::string> optional_text(const char* key);
  [[nodiscard]] std::int64_t number(const char* key, std::int64_t otherwise);
  [[nodiscard]] std::vector<std::string> texts(const char* key);
  [[nodiscard]] std::vector<std::int64_t> numbers(const char* key);
  // The names and values of an object of strings.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> pairs(const char* key);
  [[nodiscard]] boost::json::value value(const char* key) const;
  [[nodiscard]] std::vector<boost::json::object> objects(const char* key);

  [[nodiscard]] base::Status fault() const;

 private:
  [[nodiscard]] const boost::json::value* find(const char* key) const;
  // Empty if there is none.
  [[nodiscard]] const boost::json::array& array(const char* key);
  void wrong(const char* key, const char* expected);

  const boost::json::object& object_;
  std::string fault_;
};

}  // namespace extension
