// A journal's memory: creating the sealed memfd, checking one that came from elsewhere, mapping its
// parts.
//
// Everything below the constants is untrusted: whoever maps a journal may find any bytes in it.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "base/fd.h"
#include "base/result.h"
#include "journal/format.h"

namespace journal {

// What a journal is made for. `replay` is the setting PTY_OUTPUT_BUFFER_SIZE; sizes are rounded up
// to whole pages.
struct Shape {
  std::uint64_t replay = 256 * 1024;
  std::uint64_t slack = 256 * 1024;
  std::uint64_t history = 4 * 1024 * 1024;
  std::uint64_t checkpoint = 16 * 1024 * 1024;
  std::uint16_t rows = 0;
  std::uint16_t cols = 0;
};

inline constexpr std::uint64_t kMaxRegion = std::uint64_t{1} << 30;

// The size of the journal's memory that the constants describe.
[[nodiscard]] std::uint64_t total_size(const Constants& constants);

// A new journal with its header filled in. Nothing but the header page is touched.
[[nodiscard]] base::Result<base::Fd> create_memory(const Shape& shape);

// Reads and checks the constants of a journal: seals, magic, version, checksum, and that the sizes
// fit the file.
[[nodiscard]] base::Result<Constants> check_memory(const base::Fd& memory);

// A part of a journal in this process's address space, unmapped on destruction.
class Mapping {
 public:
  Mapping() = default;
  Mapping(Mapping&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  Mapping& operator=(Mapping&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  ~Mapping();

  // `size` bytes of the file from `from`, once.
  [[nodiscard]] static base::Result<Mapping> once(const base::Fd& memory, std::uint64_t from,
                                                  std::size_t size);
  // The same bytes twice in a row, so that a range that begins in the first copy never wraps. The
  // compiler takes the copies for different memory: who writes through one and reads through the
  // other puts a fence between.
  [[nodiscard]] static base::Result<Mapping> twice(const base::Fd& memory, std::uint64_t from,
                                                   std::size_t size);

  [[nodiscard]] std::byte* data() const { return data_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::span<std::byte> span() const { return {data_, size_}; }

 private:
  Mapping(std::byte* data, std::size_t size) : data_(data), size_(size) {}

  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace journal
