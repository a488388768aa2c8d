// Interner<T>: equal values share one small id. Id 0 is the value T{}. Ids are not
// reference-counted: the owner marks those in use and sweeps the rest when `wants_sweep` says so.
// That keeps the table within a constant factor of what the screen shows, whatever the input.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace vt {

// Bytes of heap that a value owns; overloaded for each type that owns some.
template <class T>
std::size_t bytes_owned(const T& /*value*/) {
  return 0;
}
inline std::size_t bytes_owned(const std::string& text) {
  return text.size() > std::string().capacity() ? text.size() + 1 : 0;
}

template <class T>
class Interner {
 public:
  using Id = std::uint32_t;

  explicit Interner(std::size_t first_sweep) : first_sweep_(first_sweep), sweep_at_(first_sweep) {
    values_.emplace_back();
  }

  [[nodiscard]] const T& operator[](Id id) const { return values_[id]; }

  [[nodiscard]] Id intern(const T& value) {
    if (value == values_[0]) return 0;
    if ((live_ + 1) * 2 > buckets_.size()) rehash();
    const std::size_t slot = find(value);
    if (buckets_[slot] != 0) return buckets_[slot];
    const Id id = take_id(value);
    buckets_[slot] = id;
    ++live_;
    return id;
  }

  [[nodiscard]] bool contains(const T& value) const {
    return value == values_[0] || (!buckets_.empty() && buckets_[find(value)] != 0);
  }

  [[nodiscard]] bool wants_sweep() const { return live_ >= sweep_at_; }

  void begin_marks() { marks_.assign(values_.size(), false); }
  void mark(Id id) { marks_[id] = true; }
  [[nodiscard]] bool is_marked(Id id) const { return marks_[id]; }

  void sweep() {
    free_.clear();
    live_ = 0;
    for (Id id = 1; id < values_.size(); ++id) {
      if (marks_[id]) {
        ++live_;
      } else {
        owned_ -= bytes_owned(values_[id]);
        values_[id] = T{};
        free_.push_back(id);
      }
    }
    marks_ = {};
    sweep_at_ = std::max(first_sweep_, live_ * 2);
    rehash();
  }

  // Bytes of heap that the values own, and those plus the table's own.
  [[nodiscard]] std::size_t owned() const { return owned_; }
  [[nodiscard]] std::size_t memory() const {
    return owned_ + values_.capacity() * sizeof(T) +
           (buckets_.capacity() + free_.capacity()) * sizeof(Id);
  }

 private:
  [[nodiscard]] std::size_t find(const T& value) const {
    const std::size_t mask = buckets_.size() - 1;
    std::size_t slot = std::hash<T>{}(value)&mask;
    while (buckets_[slot] != 0 && !(values_[buckets_[slot]] == value)) slot = (slot + 1) & mask;
    return slot;
  }

  Id take_id(const T& value) {
    owned_ += bytes_owned(value);
    if (free_.empty()) {
      values_.push_back(value);
      return static_cast<Id>(values_.size() - 1);
    }
    const Id id = free_.back();
    free_.pop_back();
    values_[id] = value;
    return id;
  }

  void rehash() {
    std::size_t size = 8;
    while (size < (live_ + 1) * 4) size *= 2;
    std::vector<bool> is_free(values_.size(), false);
    for (const Id id : free_) is_free[id] = true;
    buckets_.assign(size, 0);
    for (Id id = 1; id < values_.size(); ++id)
      if (!is_free[id]) buckets_[find(values_[id])] = id;
  }

  std::vector<T> values_;
  std::vector<Id> buckets_;  // 0: empty, else an id
  std::vector<Id> free_;
  std::vector<bool> marks_;
  std::size_t live_ = 0;  // values other than id 0
  std::size_t owned_ = 0;
  std::size_t first_sweep_;
  std::size_t sweep_at_;
};

}  // namespace vt
