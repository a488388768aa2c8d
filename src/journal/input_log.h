// Input that must be typed exactly once, in a journal's memory: docs/journal-format.md.
//
// Invariants
// 1. One writer per journal, the consumer. It trusts its own memory after `open`.
// 2. An input is accepted whole, by one store, or not at all.
// 3. The kernel counts what was typed: the same system call writes to the PTY and moves the
//    journal's file position. No moment of death falls between the two.
// 4. The key of an input that was not typed to its end is never forgotten.

#pragma once

#include <sys/types.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "base/result.h"
#include "journal/format.h"

namespace journal {

using Digest = std::array<std::uint64_t, 2>;
[[nodiscard]] Digest digest_of(std::string_view text);

// An input with a key.
struct KeyedInput {
  std::string key;
  Digest request{};   // What was asked for.
  Offset offset = 0;  // What the sender is answered.
};

class InputLog {
 public:
  // One that accepts nothing.
  InputLog() = default;
  // `area` is the journal's input area, at `position` in the file. Damaged memory is emptied; then
  // `was_damaged` says so.
  [[nodiscard]] static InputLog open(std::span<std::byte> area, base::Fd memory,
                                     std::uint64_t position);

  [[nodiscard]] bool is_available() const { return head_ != nullptr; }
  [[nodiscard]] bool was_damaged() const { return was_damaged_; }
  // What was accepted with that key, if it is one of the last kInputKeys.
  [[nodiscard]] const KeyedInput* find(std::string_view key) const;
  // Fails, and changes nothing, with `too_large` if there is no room, with `unsupported` if the
  // journal has no input area.
  [[nodiscard]] base::Status accept(KeyedInput input, std::string_view bytes);

  // How many bytes are accepted and not typed.
  [[nodiscard]] std::uint64_t waiting() const { return end_ - done_; }
  // Types at most so many of them. Returns how many, or -1 with errno, as write(2).
  ssize_t type(const base::Fd& pty, std::uint64_t most);
  // The program can no longer read it. The keys stay known.
  void forget_waiting();

 private:
  struct Entry {
    KeyedInput input;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::uint64_t content = 0;  // Checksum of its bytes.
  };
  [[nodiscard]] bool recover();
  [[nodiscard]] bool read_records();
  [[nodiscard]] std::optional<Entry> read(std::uint64_t number) const;
  [[nodiscard]] bool read_progress();
  [[nodiscard]] bool is_waiting_whole() const;
  void clear();
  [[nodiscard]] base::Status has_room(const KeyedInput& input, std::size_t size) const;
  // The first byte that must not be overwritten.
  [[nodiscard]] std::uint64_t begin_of_waiting() const;
  void copy_in(std::string_view bytes);
  [[nodiscard]] std::string copy_out(std::uint64_t begin, std::uint64_t end) const;
  void set_done(std::uint64_t done);

  InputHead* head_ = nullptr;
  InputRecord* records_ = nullptr;
  std::span<std::byte> ring_;
  base::Fd memory_;             // Shares its position with the keeper's descriptor.
  std::uint64_t position_ = 0;  // Of the ring, in the file.
  std::deque<Entry> entries_;   // The oldest first.
  std::uint64_t count_ = 0;     // Inputs ever accepted.
  std::uint64_t end_ = 0;       // Bytes ever accepted.
  std::uint64_t done_ = 0;      // Bytes ever typed.
  bool was_damaged_ = false;
};

}  // namespace journal
