// A growing byte buffer that is written in place: reserve room, write, then commit the size.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>

#include "vt/utf8.h"

namespace vt {

// Repeats the first `unit` bytes at `at` until there are `count` copies, including the first.
inline void fill_with_copies(char* at, std::size_t unit, std::size_t count) {
  const std::size_t size = unit * count;
  for (std::size_t done = unit; done < size;) {
    const std::size_t more = std::min(done, size - done);
    std::memcpy(at + done, at, more);
    done += more;
  }
}

class ByteBuffer {
 public:
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] char* data() { return bytes_.get(); }
  [[nodiscard]] std::string_view view() const { return {bytes_.get(), size_}; }
  void clear() { size_ = 0; }

  // Room for `count` more bytes. `commit` says where the used part ends.
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
  // Appends everything from `begin` on that many more times.
  void repeat_from(std::size_t begin, std::size_t times) {
    const std::size_t unit = size_ - begin;
    room(unit * times);
    fill_with_copies(bytes_.get() + begin, unit, times + 1);
    size_ += unit * times;
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
