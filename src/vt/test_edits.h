// A stream as viewers get it, with the screen's edits.

#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "vt/screen.h"

namespace vt {

class EditedStream final : public StreamSink {
 public:
  // The part from `begin` to `end` of the whole stream `bytes`.
  [[nodiscard]] std::string part(std::string_view bytes, std::uint64_t begin,
                                 std::uint64_t end) const {
    std::string out;
    for (const Edit& edit : edits_) {
      if (edit.span.end <= begin || edit.span.begin >= end) continue;
      if (edit.span.begin > begin)
        append_well_formed(out, bytes.substr(begin, edit.span.begin - begin));
      begin = std::min(edit.span.end, end);
      if (edit.span.end <= end) out += edit.text;
    }
    append_well_formed(out, bytes.substr(begin, end - begin));
    return out;
  }

  [[nodiscard]] std::size_t queries() const { return queries_; }
  [[nodiscard]] const std::vector<Edit>& edits() const { return edits_; }

 private:
  void query(ByteSpan /*span*/, const Reply& /*reply*/) override { ++queries_; }
  void edit(Edit edit, By /*by*/) override { edits_.push_back(std::move(edit)); }

  std::size_t queries_ = 0;
  std::vector<Edit> edits_;
};

}  // namespace vt
