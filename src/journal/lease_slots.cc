#include "journal/lease_slots.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cstring>

namespace journal {
namespace {

std::uint64_t check_of(const LeaseRecord& record) {
  return XXH3_64bits(&record, offsetof(LeaseRecord, check));
}

// None if the slot is empty, torn or damaged.
std::optional<LeaseRecord> record_in(const InputHead& head, std::uint64_t slot) {
  LeaseRecord record{};
  std::memcpy(&record, &head.lease[slot], sizeof record);
  const bool is_whole =
      record.number != 0 && record.number % 2 == slot && record.check == check_of(record) &&
      record.holder_length <= kLongestHolder && record.state >= 1 && record.state <= 3;
  return is_whole ? std::optional(record) : std::nullopt;
}

std::optional<LeaseRecord> newest(const InputHead& head) {
  const auto even = record_in(head, 0);
  const auto odd = record_in(head, 1);
  if (!even || !odd) return even ? even : odd;
  return even->number > odd->number ? even : odd;
}

}  // namespace

LeaseSlots::LeaseSlots(std::span<std::byte> area) {
  if (area.size() != kInputArea) return;
  head_ = reinterpret_cast<InputHead*>(area.data());
  if (const auto record = newest(*head_)) number_ = record->number;
}

std::optional<StoredLease> LeaseSlots::read() const {
  const auto record = is_available() ? newest(*head_) : std::nullopt;
  if (!record) return std::nullopt;
  return StoredLease{.id = std::string(record->id, kLeaseIdSize),
                     .holder = std::string(record->holder, record->holder_length),
                     .until = std::chrono::nanoseconds(record->until),
                     .state = static_cast<LeaseState>(record->state)};
}

void LeaseSlots::write(const StoredLease& lease) {
  if (!is_available()) return;
  LeaseRecord record{};
  record.number = ++number_;
  record.until = lease.until.count();
  record.state = static_cast<std::uint32_t>(lease.state);
  record.holder_length = static_cast<std::uint32_t>(std::min(lease.holder.size(), kLongestHolder));
  std::memcpy(record.id, lease.id.data(), std::min(lease.id.size(), kLeaseIdSize));
  std::memcpy(record.holder, lease.holder.data(), record.holder_length);
  record.check = check_of(record);
  head_->lease[number_ % 2] = record;
  std::atomic_thread_fence(std::memory_order_release);
}

std::chrono::nanoseconds LeaseSlots::person_typed() const {
  if (!is_available()) return {};
  return std::chrono::nanoseconds(head_->person_typed.load(std::memory_order_relaxed));
}

void LeaseSlots::set_person_typed(std::chrono::nanoseconds when) {
  if (is_available()) head_->person_typed.store(when.count(), std::memory_order_relaxed);
}

}  // namespace journal
