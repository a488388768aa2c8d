// Handles the events of a parser that are not text, for classes that only extract text.

#pragma once

#include <string_view>

#include "vt/parser.h"

namespace operation {

class TextEvents : public vt::ParserEvents {
 private:
  std::size_t print_text(std::string_view /*utf8*/) final { return 0; }
  void sgr(const vt::SgrBytes& /*bytes*/) final {}
  [[nodiscard]] bool wants_osc(int /*command*/) const final { return false; }
  [[nodiscard]] bool wants_dcs(vt::Identifier /*id*/) const final { return false; }
  void osc_dispatch(int /*command*/, std::string_view /*text*/) final {}
  void dcs_dispatch(vt::Identifier /*id*/, const vt::Params& /*params*/,
                    std::string_view /*text*/) final {}
  void string_ignored() final {}
  void string_dropped() final {}
};

}  // namespace operation
