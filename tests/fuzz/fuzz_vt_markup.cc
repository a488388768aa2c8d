// Whatever a program prints, the documents made from the screen have no element and no attribute
// but those that they are made of, and no character that a document may not have.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>

#include "vt/markup.h"

namespace {

[[noreturn]] void fail(const char* what, std::string_view where) {
  std::fprintf(stderr, "%s: %s\n", what, std::string(where.substr(0, 200)).c_str());
  std::abort();
}

// The names of a tag's attributes; each value is quoted.
void check_tag(std::string_view tag) {
  static const std::set<std::string_view> kNames{"!DOCTYPE", "meta", "title", "/title", "pre",
                                                 "/pre",     "span", "/span", "a",      "/a",
                                                 "svg",      "/svg", "rect",  "text",   "/text"};
  static const std::set<std::string_view> kAttributes{
      "html", "charset",    "http-equiv",   "content",     "style",     "href",
      "rel",  "xmlns",      "width",        "height",      "fill",      "x",
      "y",    "textLength", "lengthAdjust", "font-family", "font-size", "xml:space"};
  std::size_t at = tag.find_first_of(" ");
  std::string_view name = tag.substr(0, at);
  if (!kNames.contains(name)) fail("unknown element", tag);
  while (at < tag.size()) {
    at = tag.find_first_not_of(" /", at);
    if (at == std::string_view::npos) return;
    const std::size_t end = tag.find_first_of("= ", at);
    const std::string_view attribute = tag.substr(at, end - at);
    if (!kAttributes.contains(attribute)) fail("unknown attribute", tag);
    if (end == std::string_view::npos || tag[end] == ' ') {
      at = end;
      continue;
    }
    if (tag.substr(end, 2) != "=\"") fail("a value without quotes", tag);
    const std::size_t close = tag.find('"', end + 2);
    if (close == std::string_view::npos) fail("an open quote", tag);
    const std::string_view value = tag.substr(end + 2, close - end - 2);
    if (attribute == "href" && (value.size() < 8 || (value[0] | 0x20) == 'j')) fail("a link", tag);
    at = close + 1;
  }
}

void check(std::string_view document) {
  for (const char c : document)
    if (static_cast<unsigned char>(c) < 0x20 && c != '\n') fail("a control character", document);
  for (std::size_t at = 0; (at = document.find_first_of("<>", at)) != std::string_view::npos;) {
    if (document[at] == '>') fail("a loose >", document.substr(at));
    const std::size_t end = document.find_first_of("<>", at + 1);
    if (end == std::string_view::npos || document[end] == '<')
      fail("an open tag", document.substr(at));
    check_tag(document.substr(at + 1, end - at - 1));
    at = end + 1;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  vt::Screen screen({.cols = data[0] % 40 + 1, .rows = data[1] % 12 + 1});
  screen.feed(std::string_view(reinterpret_cast<const char*>(data) + 2, size - 2));
  if (const auto document = vt::html(screen, {})) check(*document);
  if (const auto document = vt::svg(screen, {})) check(*document);
  return 0;
}
