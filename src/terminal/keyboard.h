// Who may type into a terminal. A program can lease the keyboard for a time. Until it ends, other
// programs are refused; a person who types takes the keyboard back.
//
// Invariants
// 1. The lease in the journal's memory is the one that counts, so a successor has the same.
// 2. At most one lease is held. A lease that ended never counts again; its holder learns why.
// 3. A lease is taken back before the person's key is written.

#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "journal/lease_slots.h"

namespace terminal {

struct Lease {
  std::string id;  // The holder of this may type.
  std::string holder;
  base::WallTime until{};
};

class Keyboard {
 public:
  Keyboard(journal::LeaseSlots slots, const base::Clock& clock)
      : slots_(slots), lease_(slots_.read()), person_typed_(slots_.person_typed()), clock_(clock) {}

  // Fails with `busy` while another program holds it, with `unsupported` if the journal is too old.
  [[nodiscard]] base::Result<Lease> take(std::string id, std::string holder,
                                         std::chrono::seconds time);
  // Fails with `busy` if that lease is no longer held, and says why.
  [[nodiscard]] base::Result<Lease> renew(std::string_view id, std::chrono::seconds time);
  [[nodiscard]] base::Status release(std::string_view id);
  // The lease that is held now.
  [[nodiscard]] std::optional<Lease> lease() const;

  // Whether a program with that lease, or none if empty, may type.
  [[nodiscard]] base::Status program_may_type(std::string_view id) const;
  // A person types. Takes the lease back, or fails with `busy` if leases do not yield to people.
  [[nodiscard]] base::Status person_types(bool leases_yield);
  // Fails with `busy` if a person typed within that time.
  [[nodiscard]] base::Status is_idle_for(std::chrono::milliseconds time) const;

 private:
  [[nodiscard]] bool is_held() const;
  [[nodiscard]] base::Status holds(std::string_view id) const;
  [[nodiscard]] base::Status held_by_another() const;
  [[nodiscard]] Lease shown() const;
  [[nodiscard]] std::chrono::nanoseconds now() const { return clock_.now().time_since_epoch(); }
  void set(journal::StoredLease lease);

  journal::LeaseSlots slots_;
  std::optional<journal::StoredLease> lease_;  // The last one, also if it has ended.
  std::chrono::nanoseconds person_typed_;      // By the monotonic clock; 0: never.
  const base::Clock& clock_;
};

// What a terminal emulator sends when its window gains or loses focus. Nobody typed that.
[[nodiscard]] inline bool is_focus_report(std::string_view input) {
  return input == "\x1b[I" || input == "\x1b[O";
}

}  // namespace terminal
