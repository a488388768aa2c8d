// A journal's memory: creates the sealed memfd, checks one that came from elsewhere, maps its
// parts.
//
// Everything after the constants is untrusted and may hold any bytes.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "base/fd.h"
#include "base/result.h"
#include "journal/format.h"

namespace journal {

// The sizes of a new journal. `replay` is the setting PTY_OUTPUT_BUFFER_SIZE. Sizes are rounded up
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

// The total size of a journal with these constants.
[[nodiscard]] std::uint64_t total_size(const Constants& constants);

// Creates a journal and writes its header. Touches only the header page.
[[nodiscard]] base::Result<base::Fd> create_memory(const Shape& shape);

// Reads and checks a journal's constants: seals, magic, version, checksum, and that the sizes match
// the file.
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

  // Maps `size` bytes of the file from `from`.
  [[nodiscard]] static base::Result<Mapping> once(const base::Fd& memory, std::uint64_t from,
                                                  std::size_t size);
  // Maps the same bytes twice in a row, so that a range that starts in the first copy never wraps.
  // The compiler assumes that the copies are different memory: to write through one and read
  // through the other, put a fence in between.
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
