// The journal's format as constants and structs: docs/journal-format.md.

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace journal {

using Offset = std::uint64_t;  // An absolute position in a terminal's output, or in its history.

inline constexpr std::uint64_t kMagic = 0x4c4e524a54534648;
inline constexpr std::uint32_t kVersion = 1;
inline constexpr std::size_t kPage = 4096;
inline constexpr std::uint32_t kWriteWindow = 64 * 1024;
inline constexpr std::size_t kResizeSlots = 64;

// The values of consumer_asleep. A consumer that respects `dropped` says so, because an older one
// would read memory that was released.
inline constexpr std::uint32_t kAsleep = 1;
inline constexpr std::uint32_t kAsleepAndLooksAtDropped = 2;

struct ResizeRecord {
  Offset offset;
  std::uint16_t rows;
  std::uint16_t cols;
  std::uint32_t check;
};

// Set once, when the producer creates the journal.
struct Constants {
  std::uint64_t magic;
  std::uint32_t version;
  std::uint32_t write_window;
  std::uint64_t output_capacity;
  std::uint64_t slack;
  std::uint64_t history_capacity;
  std::uint64_t checkpoint_capacity;
  std::uint16_t rows;
  std::uint16_t cols;
  std::uint32_t zero;
  std::uint64_t checksum;
};

struct Header {
  Constants constants;

  alignas(128) std::atomic<Offset> produced;
  std::atomic<std::uint32_t> ended;
  std::atomic<Offset> dropped;
  alignas(64) std::atomic<std::uint32_t> producer_asleep;

  alignas(128) std::atomic<Offset> consumed;
  alignas(64) std::atomic<std::uint32_t> consumer_asleep;

  alignas(128) std::atomic<Offset> answered;
  std::atomic<Offset> history_begin;
  std::atomic<Offset> history_end;
  std::atomic<std::uint64_t> resizes;
  std::atomic<std::uint64_t> checkpoints;
  std::atomic<std::uint64_t> history_store;

  alignas(1024) ResizeRecord resize[kResizeSlots];
};

struct CheckpointHeader {
  std::uint64_t sequence;
  Offset offset;
  Offset history;
  std::uint32_t length;
  std::uint16_t rows;
  std::uint16_t cols;
  std::uint64_t resizes;
  std::uint64_t checksum;
};

static_assert(sizeof(ResizeRecord) == 16);
static_assert(sizeof(Constants) == 64 && offsetof(Constants, checksum) == 56);
static_assert(offsetof(Header, produced) == 128 && offsetof(Header, ended) == 136);
static_assert(offsetof(Header, dropped) == 144 && offsetof(Header, producer_asleep) == 192);
static_assert(offsetof(Header, consumed) == 256 && offsetof(Header, consumer_asleep) == 320);
static_assert(offsetof(Header, answered) == 384 && offsetof(Header, history_begin) == 392);
static_assert(offsetof(Header, history_end) == 400 && offsetof(Header, resizes) == 408);
static_assert(offsetof(Header, checkpoints) == 416 && offsetof(Header, history_store) == 424);
static_assert(offsetof(Header, resize) == 1024 && sizeof(Header) <= kPage);
static_assert(sizeof(CheckpointHeader) == 48 && offsetof(CheckpointHeader, checksum) == 40);
static_assert(std::atomic<Offset>::is_always_lock_free);
static_assert(std::atomic<std::uint32_t>::is_always_lock_free);

}  // namespace journal
