#include "terminal/keyboard.h"

#include "base/time_text.h"

namespace terminal {

using journal::LeaseState;
using journal::StoredLease;

// --- the lease ---

bool Keyboard::is_held() const {
  return lease_ && lease_->state == LeaseState::held && now() < lease_->until;
}

Lease Keyboard::shown() const {
  const auto left = std::chrono::duration_cast<base::WallTime::duration>(lease_->until - now());
  return {.id = lease_->id, .holder = lease_->holder, .until = clock_.wall() + left};
}

std::optional<Lease> Keyboard::lease() const {
  return is_held() ? std::optional(shown()) : std::nullopt;
}

void Keyboard::set(StoredLease lease) {
  slots_.write(lease);
  lease_ = std::move(lease);
}

base::Status Keyboard::held_by_another() const {
  const Lease lease = shown();
  return base::fail(base::Code::busy,
                    "\"" + lease.holder + "\" holds the keyboard of this terminal until " +
                        base::utc_seconds(lease.until),
                    "Try again then.");
}

// Whether that lease is the one that is held. If not, says what became of it.
base::Status Keyboard::holds(std::string_view id) const {
  if (!lease_ || lease_->id != id) {
    if (is_held()) return held_by_another();
    return base::fail(base::Code::busy, "this lease has ended", "Take a new one.");
  }
  if (lease_->state == LeaseState::taken_back)
    return base::fail(base::Code::busy, "a person took the keyboard back by typing",
                      "Look at the terminal before you take a new lease.");
  if (lease_->state == LeaseState::released)
    return base::fail(base::Code::busy, "this lease was released", "Take a new one.");
  if (!is_held()) return base::fail(base::Code::busy, "this lease has expired", "Take a new one.");
  return {};
}

base::Result<Lease> Keyboard::take(std::string id, std::string holder, std::chrono::seconds time) {
  if (!slots_.is_available())
    return base::fail(base::Code::unsupported,
                      "this terminal was created by an older version, which had no leases",
                      "Create another terminal, or type without a lease.");
  if (is_held()) return base::fail(held_by_another().error());
  set({.id = std::move(id),
       .holder = std::move(holder),
       .until = now() + time,
       .state = LeaseState::held});
  return shown();
}

base::Result<Lease> Keyboard::renew(std::string_view id, std::chrono::seconds time) {
  if (auto held = holds(id); !held) return base::fail(held.error());
  StoredLease renewed = *lease_;
  renewed.until = now() + time;
  set(std::move(renewed));
  return shown();
}

base::Status Keyboard::release(std::string_view id) {
  if (auto held = holds(id); !held) return held;
  StoredLease released = *lease_;
  released.state = LeaseState::released;
  set(std::move(released));
  return {};
}

// --- typing ---

base::Status Keyboard::program_may_type(std::string_view id) const {
  if (!id.empty()) return holds(id);
  return is_held() ? held_by_another() : base::Status();
}

base::Status Keyboard::person_types(bool leases_yield) {
  if (is_held()) {
    if (!leases_yield) return held_by_another();
    StoredLease taken = *lease_;
    taken.state = LeaseState::taken_back;
    set(std::move(taken));
  }
  person_typed_ = now();
  slots_.set_person_typed(person_typed_);
  return {};
}

base::Status Keyboard::is_idle_for(std::chrono::milliseconds time) const {
  const bool never = person_typed_.count() == 0;
  // A time that has not come yet is damaged memory.
  if (never || person_typed_ > now() || now() - person_typed_ >= time) return {};
  return base::fail(base::Code::busy, "a person is typing in this terminal",
                    "Try again when nobody has typed for a while.");
}

}  // namespace terminal
