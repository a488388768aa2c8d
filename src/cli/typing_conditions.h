// When a command that types is refused: the options --lease and --if-idle.

#pragma once

#include <string>

#include <boost/json/object.hpp>

#include "cli/arguments.h"

namespace cli {

class TypingConditions {
 public:
  void add_to(const Arguments& command);
  // As fields of a request to the API.
  void put_into(boost::json::object& body) const;

 private:
  std::string lease_;
  std::string idle_;
};

}  // namespace cli
