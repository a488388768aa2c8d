// What commands print that make a link for a browser.

#pragma once

#include <cstdio>
#include <string>

#include <boost/json.hpp>

namespace cli {

inline void print_link(const std::string& link, bool as_json) {
  const std::string text =
      as_json ? boost::json::serialize(boost::json::object{{"link", link}}) : link;
  std::printf("%s\n", text.c_str());
}

}  // namespace cli
