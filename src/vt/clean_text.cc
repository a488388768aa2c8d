#include "vt/clean_text.h"

#include "vt/utf8.h"

namespace vt {

std::string clean_text(std::string_view text, std::size_t most) {
  std::string out;
  while (!text.empty()) {
    const char32_t code = take_utf8(text);
    const bool is_control = code < 0x20 || (code >= 0x7f && code < 0xa0);
    if (is_control && code != '\n' && code != '\t') continue;
    const std::size_t before = out.size();
    append_utf8(out, code);
    if (out.size() <= most) continue;
    out.resize(before);
    break;
  }
  return out;
}

}  // namespace vt
