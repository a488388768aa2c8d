#include "journal/input_log.h"

#include <sys/sendfile.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace journal {
namespace {

std::uint64_t checksum(const void* data, std::size_t size) {
  return XXH3_64bits(data, size);
}

std::uint64_t check_of(const InputRecord& record) {
  return checksum(&record, offsetof(InputRecord, check));
}

}  // namespace

Digest digest_of(std::string_view text) {
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  return {hash.low64, hash.high64};
}

InputLog InputLog::open(std::span<std::byte> area, base::Fd memory, std::uint64_t position) {
  InputLog log;
  if (area.size() != kInputArea || !memory) return log;
  log.head_ = reinterpret_cast<InputHead*>(area.data());
  log.records_ = reinterpret_cast<InputRecord*>(area.data() + kPage);
  log.ring_ = area.subspan(kInputRingAt);
  log.memory_ = std::move(memory);
  log.position_ = position + kInputRingAt;
  log.was_damaged_ = !log.recover();
  if (log.was_damaged_) log.clear();
  return log;
}

// --- what an earlier daemon left ---

bool InputLog::recover() {
  count_ = head_->inputs.load(std::memory_order_acquire);
  // Even reading a page of the records allocates it.
  if (count_ == 0) return true;
  return read_records() && read_progress() && is_waiting_whole();
}

bool InputLog::read_records() {
  const std::uint64_t oldest = count_ - std::min<std::uint64_t>(count_, kInputKeys);
  for (std::uint64_t number = oldest; number < count_; ++number) {
    auto entry = read(number);
    // A daemon that died may have begun to overwrite the oldest one.
    if (!entry && number == oldest && count_ >= kInputKeys) continue;
    if (!entry || (!entries_.empty() && entries_.back().end != entry->begin)) return false;
    entries_.push_back(*std::move(entry));
  }
  return !entries_.empty();
}

std::optional<InputLog::Entry> InputLog::read(std::uint64_t number) const {
  InputRecord record{};
  std::memcpy(&record, &records_[number % kInputKeys], sizeof record);
  if (record.number != number + 1 || record.check != check_of(record) ||
      record.key_length > kLongestInputKey || record.length > kLongestKeyedInput)
    return std::nullopt;
  return Entry{.input = {.key = std::string(record.key, record.key_length),
                         .request = {record.request[0], record.request[1]},
                         .offset = record.offset},
               .begin = record.begin,
               .end = record.begin + record.length,
               .content = record.content};
}

// `typed` may be older than the position, if a daemon died after it typed, but never by a whole
// round of the ring.
bool InputLog::read_progress() {
  end_ = entries_.back().end;
  const std::uint64_t told = head_->typed.load(std::memory_order_relaxed);
  const off_t at = ::lseek(memory_.get(), 0, SEEK_CUR);
  if (told > end_ || at < static_cast<off_t>(position_) ||
      at > static_cast<off_t>(position_ + kInputRing))
    return false;
  const std::uint64_t in_ring = static_cast<std::uint64_t>(at) - position_;
  const std::uint64_t since = (in_ring + kInputRing - told % kInputRing) % kInputRing;
  if (since > end_ - told || end_ - told >= kInputRing) return false;
  set_done(told + since);
  return true;
}

bool InputLog::is_waiting_whole() const {
  if (waiting() == 0) return true;
  if (entries_.front().begin > done_ || end_ - begin_of_waiting() >= kInputRing) return false;
  return std::ranges::all_of(entries_, [this](const Entry& entry) {
    if (entry.end <= done_) return true;
    const std::string bytes = copy_out(entry.begin, entry.end);
    return checksum(bytes.data(), bytes.size()) == entry.content;
  });
}

void InputLog::clear() {
  entries_.clear();
  count_ = end_ = done_ = 0;
  head_->inputs.store(0, std::memory_order_release);
  head_->typed.store(0, std::memory_order_release);
}

// --- more input ---

const KeyedInput* InputLog::find(std::string_view key) const {
  const auto found = std::ranges::find(entries_, key, [](const Entry& e) { return e.input.key; });
  return found == entries_.end() ? nullptr : &found->input;
}

std::uint64_t InputLog::begin_of_waiting() const {
  const auto first =
      std::ranges::find_if(entries_, [this](const Entry& e) { return e.end > done_; });
  return first == entries_.end() ? end_ : first->begin;
}

base::Status InputLog::has_room(const KeyedInput& input, std::size_t size) const {
  if (!is_available())
    return base::fail(base::Code::unsupported,
                      "this terminal was created by an older version, which kept no keys",
                      "Create another terminal, or send without an idempotency key.");
  if (input.key.empty() || input.key.size() > kLongestInputKey)
    return base::fail(base::Code::invalid_argument,
                      "an idempotency key has 1 to " + std::to_string(kLongestInputKey) + " bytes");
  if (size > kLongestKeyedInput)
    return base::fail(base::Code::invalid_argument,
                      "input with an idempotency key is limited to " +
                          std::to_string(kLongestKeyedInput) + " bytes",
                      "Send it in pieces, each with a key of its own.");
  const bool has_slot = entries_.size() < kInputKeys || entries_.front().end <= done_;
  if (!has_slot || end_ + size - begin_of_waiting() >= kInputRing)
    return base::fail(
        base::Code::too_large,
        std::to_string(waiting()) + " bytes of input are already waiting for the program",
        "Try again after the program has read some.");
  return {};
}

base::Status InputLog::accept(KeyedInput input, std::string_view bytes) {
  if (auto room = has_room(input, bytes.size()); !room) return room;
  // From here on the position counts. Nothing is waiting, so it may be anywhere before.
  if (count_ == 0 && ::lseek(memory_.get(), static_cast<off_t>(position_), SEEK_SET) < 0)
    return base::fail(base::errno_error(errno, "seek in a journal"));
  copy_in(bytes);
  InputRecord record{.number = count_ + 1,
                     .offset = input.offset,
                     .begin = end_,
                     .length = static_cast<std::uint32_t>(bytes.size()),
                     .key_length = static_cast<std::uint32_t>(input.key.size()),
                     .request = {input.request[0], input.request[1]},
                     .content = checksum(bytes.data(), bytes.size()),
                     .key = {},
                     .check = 0};
  std::memcpy(record.key, input.key.data(), input.key.size());
  record.check = check_of(record);
  records_[count_ % kInputKeys] = record;
  if (entries_.size() == kInputKeys) entries_.pop_front();
  entries_.push_back({.input = std::move(input),
                      .begin = end_,
                      .end = end_ + bytes.size(),
                      .content = record.content});
  end_ += bytes.size();
  head_->inputs.store(++count_, std::memory_order_release);  // The commit.
  return {};
}

void InputLog::copy_in(std::string_view bytes) {
  const std::size_t at = end_ % kInputRing;
  const std::size_t first = std::min(bytes.size(), kInputRing - at);
  std::memcpy(ring_.data() + at, bytes.data(), first);
  std::memcpy(ring_.data(), bytes.data() + first, bytes.size() - first);
}

std::string InputLog::copy_out(std::uint64_t begin, std::uint64_t end) const {
  const auto* const ring = reinterpret_cast<const char*>(ring_.data());
  const std::size_t at = begin % kInputRing;
  const std::size_t first = std::min<std::size_t>(end - begin, kInputRing - at);
  return std::string(ring + at, first).append(ring, end - begin - first);
}

ssize_t InputLog::type(const base::Fd& pty, std::uint64_t most) {
  const std::uint64_t at = done_ % kInputRing;
  // The same place: this only takes the position from the ring's end to its beginning.
  if (at == 0 && ::lseek(memory_.get(), static_cast<off_t>(position_), SEEK_SET) < 0) return -1;
  const std::uint64_t size = std::min({most, waiting(), kInputRing - at});
  ssize_t count = ::sendfile(pty.get(), memory_.get(), nullptr, size);
  if (count < 0 && errno == EINVAL) {
    // Linux 5.10 cannot send files to terminals. A death between these two calls types twice.
    count = ::write(pty.get(), ring_.data() + at, size);
    if (count > 0) ::lseek(memory_.get(), count, SEEK_CUR);
  }
  if (count == 0 && size > 0) {
    errno = EIO;
    return -1;
  }
  if (count > 0) set_done(done_ + static_cast<std::uint64_t>(count));
  return count;
}

void InputLog::set_done(std::uint64_t done) {
  done_ = done;
  head_->typed.store(done, std::memory_order_release);
}

void InputLog::forget_waiting() {
  if (!is_available() || waiting() == 0) return;
  ::lseek(memory_.get(), static_cast<off_t>(position_ + end_ % kInputRing), SEEK_SET);
  set_done(end_);
}

}  // namespace journal
