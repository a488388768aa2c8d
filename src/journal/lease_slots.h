// Who holds a terminal's keyboard, in a journal's memory: docs/journal-format.md. Of two slots one
// always holds a whole record, even if the writer dies at any instruction.

#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "journal/format.h"

namespace journal {

enum class LeaseState : std::uint32_t { held = 1, released = 2, taken_back = 3 };

struct StoredLease {
  std::string id;  // kLeaseIdSize characters.
  std::string holder;
  std::chrono::nanoseconds until{};  // Of the monotonic clock.
  LeaseState state = LeaseState::held;
  friend bool operator==(const StoredLease&, const StoredLease&) = default;
};

class LeaseSlots {
 public:
  // Slots that hold nothing.
  LeaseSlots() = default;
  // `area` is the journal's input area, or empty.
  explicit LeaseSlots(std::span<std::byte> area);

  [[nodiscard]] bool is_available() const { return head_ != nullptr; }
  // The newest whole one.
  [[nodiscard]] std::optional<StoredLease> read() const;
  void write(const StoredLease& lease);

  // When a person last typed, by the monotonic clock; 0: never.
  [[nodiscard]] std::chrono::nanoseconds person_typed() const;
  void set_person_typed(std::chrono::nanoseconds when);

 private:
  InputHead* head_ = nullptr;
  std::uint64_t number_ = 0;  // Of the newest record.
};

}  // namespace journal
