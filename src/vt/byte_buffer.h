// A growing buffer of bytes that is written in place: room first, then bytes, then how many there
// were.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>

#include "vt/utf8.h"

namespace vt {

class ByteBuffer {
 public:
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] char* data() { return bytes_.get(); }
  [[nodiscard]] std::string_view view() const { return {bytes_.get(), size_}; }
  void clear() { size_ = 0; }

  // Room for `count` more bytes; `commit` says up to where it was used.
  char* room(std::size_t count) {
    if (capacity_ - size_ < count) grow(count);
    return bytes_.get() + size_;
  }
  void commit(const char* end) { size_ = static_cast<std::size_t>(end - bytes_.get()); }

  void push(char c) {
    char* at = room(1);
    *at = c;
    ++size_;
  }
  void append(std::string_view bytes) {
    if (bytes.empty()) return;
    std::memcpy(room(bytes.size()), bytes.data(), bytes.size());
    size_ += bytes.size();
  }
  void append_code_point(char32_t code) { commit(put_utf8(room(4), code)); }

 private:
  void grow(std::size_t count) {
    const std::size_t capacity = std::max({size_ + count, capacity_ * 2, std::size_t{64}});
    auto bytes = std::make_unique_for_overwrite<char[]>(capacity);
    if (size_ > 0) std::memcpy(bytes.get(), bytes_.get(), size_);
    bytes_ = std::move(bytes);
    capacity_ = capacity;
  }

  std::unique_ptr<char[]> bytes_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace vt
