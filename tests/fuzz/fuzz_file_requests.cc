// What a request for a file says: a range never leaves the file, and a name or id that is accepted
// names one visible file in a folder.

#include <cstdlib>
#include <string_view>

#include "http/byte_range.h"
#include "operation/folder.h"

namespace {

void check(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const std::uint64_t whole :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1} << 40, ~std::uint64_t{0}}) {
    const auto range = http::parse_range(text, whole);
    if (!range) continue;
    check(range->begin <= whole && range->size <= whole - range->begin);
    check(range->size > 0 || whole == 0);
  }
  if (operation::check_file_name(text)) {
    check(!text.empty() && text.size() <= 255 && text.front() != '.');
    for (const char c : text)
      check(static_cast<unsigned char>(c) >= 0x20 && c != 0x7f && c != '/' && c != '\\');
  }
  if (operation::check_upload_id(text)) check(text.find_first_of("./%\\") == text.npos);
  return 0;
}
