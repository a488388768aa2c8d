#include "vt/parser.h"

namespace vt {

void Params::add_param() {
  in_sub_ = false;
  if (count_ == kMax) {
    full_ = true;
    return;
  }
  values_[count_] = 0;
  sub_begin_[count_] = sub_end_[count_] = sub_count_;
  ++count_;
}

void Params::add_subparam() {
  in_sub_ = true;
  if (full_ || sub_count_ == kMax) {
    sub_full_ = true;
    return;
  }
  subs_[sub_count_] = -1;
  sub_end_[count_ - 1] = ++sub_count_;
}

const unsigned char* Params::parse(const unsigned char* p, const unsigned char* end) {
  for (; p < end && *p >= '0' && *p <= ';'; ++p) {
    if (*p == ';') {
      add_param();
    } else if (*p == ':') {
      add_subparam();
    } else {
      add_digit(*p - '0');
    }
  }
  return p;
}

void Params::append_to(std::string& out) const {
  for (int i = 0; i < count_; ++i) {
    if (i > 0) out += ';';
    out += std::to_string(values_[i]);
    for (const std::int32_t value : sub(i)) {
      out += ':';
      if (value >= 0) out += std::to_string(value);
    }
  }
  // One separator too many makes the parser refuse digits, which is its state now.
  if (in_sub_ && sub_full_) out += ':';
  if (full_) out += ';';
}

}  // namespace vt
