#include "journal/checkpoint.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cstring>

namespace journal {
namespace {

std::uint64_t checksum(const CheckpointHeader& header, std::span<const std::byte> payload) {
  const std::uint64_t seed = XXH3_64bits(&header, offsetof(CheckpointHeader, checksum));
  return XXH3_64bits_withSeed(payload.data(), payload.size(), seed);
}

std::atomic_ref<std::uint64_t> sequence_of(std::span<std::byte> slot) {
  return std::atomic_ref(*reinterpret_cast<std::uint64_t*>(slot.data()));
}

}  // namespace

Checkpoints::Checkpoints(std::span<std::byte> slots, Header& header)
    : slots_(slots), header_(&header) {
  if (slots_.empty() || header_->checkpoints.load(std::memory_order_acquire) == 0) return;
  last_sequence_ = std::max(read(0).sequence, read(1).sequence);
}

std::span<std::byte> Checkpoints::slot(std::uint64_t sequence) const {
  const std::size_t size = slots_.size() / 2;
  return slots_.subspan(sequence % 2 * size, size);
}

std::size_t Checkpoints::room() const {
  return slots_.empty() ? 0 : slots_.size() / 2 - sizeof(CheckpointHeader);
}

base::Status Checkpoints::write(const Checkpoint& checkpoint) {
  if (slots_.size() / 2 < sizeof(CheckpointHeader) + checkpoint.screen.size())
    return base::fail(base::Code::too_large,
                      "a checkpoint of " + std::to_string(checkpoint.screen.size()) +
                          " bytes does not fit its slot of " + std::to_string(slots_.size() / 2));
  const std::uint64_t sequence = last_sequence_ + 1;
  const auto place = slot(sequence);
  CheckpointHeader header{.sequence = sequence,
                          .offset = checkpoint.offset,
                          .history = checkpoint.history,
                          .length = static_cast<std::uint32_t>(checkpoint.screen.size()),
                          .rows = checkpoint.rows,
                          .cols = checkpoint.cols,
                          .resizes = checkpoint.resizes,
                          .checksum = 0};
  header.checksum = checksum(header, checkpoint.screen);

  sequence_of(place).store(0, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release);
  std::memcpy(place.data() + sizeof sequence,
              reinterpret_cast<std::byte*>(&header) + sizeof sequence,
              sizeof header - sizeof sequence);
  std::copy(checkpoint.screen.begin(), checkpoint.screen.end(),
            place.begin() + sizeof(CheckpointHeader));
  sequence_of(place).store(sequence, std::memory_order_release);
  header_->checkpoints.store(sequence, std::memory_order_release);
  last_sequence_ = sequence;
  return {};
}

Checkpoints::Found Checkpoints::read(std::uint64_t parity) const {
  const auto place = slot(parity);
  CheckpointHeader header{};
  std::memcpy(&header, place.data(), sizeof header);
  if (header.sequence == 0 || header.sequence % 2 != parity ||
      header.length > place.size() - sizeof header ||
      header.offset > header_->produced.load(std::memory_order_acquire))
    return {};
  // Check and use a copy, because the shared memory may change in between.
  const auto payload = place.subspan(sizeof header, header.length);
  std::vector<std::byte> screen(payload.begin(), payload.end());
  if (checksum(header, screen) != header.checksum) return {};
  return {.sequence = header.sequence,
          .checkpoint = Checkpoint{.offset = header.offset,
                                   .history = header.history,
                                   .rows = header.rows,
                                   .cols = header.cols,
                                   .resizes = header.resizes,
                                   .screen = std::move(screen)}};
}

std::optional<Checkpoint> Checkpoints::latest() const {
  if (slots_.empty() || header_->checkpoints.load(std::memory_order_acquire) == 0)
    return std::nullopt;
  Found even = read(0);
  Found odd = read(1);
  return even.sequence > odd.sequence ? std::move(even.checkpoint) : std::move(odd.checkpoint);
}

std::vector<Checkpoint> Checkpoints::all() const {
  if (slots_.empty() || header_->checkpoints.load(std::memory_order_acquire) == 0) return {};
  Found older = read(0);
  Found newer = read(1);
  if (older.sequence > newer.sequence) std::swap(older, newer);
  std::vector<Checkpoint> found;
  for (Found* const each : {&older, &newer})
    if (each->checkpoint) found.push_back(*std::move(each->checkpoint));
  return found;
}

}  // namespace journal
