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

// The input area.
inline constexpr std::size_t kInputKeys = 64;
inline constexpr std::size_t kLongestInputKey = 128;
inline constexpr std::size_t kLongestKeyedInput = 32 * 1024;
inline constexpr std::size_t kLongestHolder = 128;
inline constexpr std::size_t kLeaseIdSize = 32;
inline constexpr std::size_t kInputRing = 64 * 1024;
inline constexpr std::size_t kInputRingAt = 4 * kPage;
inline constexpr std::size_t kInputArea = kInputRingAt + kInputRing;

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
  std::atomic<std::uint64_t> input_area;

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

struct LeaseRecord {
  std::uint64_t number;
  std::int64_t until;  // CLOCK_MONOTONIC, in nanoseconds.
  std::uint32_t state;
  std::uint32_t holder_length;
  char id[kLeaseIdSize];
  char holder[kLongestHolder];
  std::uint64_t check;
};

struct InputHead {
  std::atomic<std::uint64_t> inputs;
  std::atomic<std::uint64_t> typed;
  std::atomic<std::int64_t> person_typed;  // CLOCK_MONOTONIC, in nanoseconds.
  alignas(64) LeaseRecord lease[2];
};

struct InputRecord {
  std::uint64_t number;
  Offset offset;
  std::uint64_t begin;
  std::uint32_t length;
  std::uint32_t key_length;
  std::uint64_t request[2];
  std::uint64_t content;
  char key[kLongestInputKey];
  std::uint64_t check;
};

static_assert(sizeof(ResizeRecord) == 16);
static_assert(sizeof(LeaseRecord) == 192 && offsetof(LeaseRecord, check) == 184);
static_assert(offsetof(InputHead, lease) == 64 && sizeof(InputHead) <= kPage);
static_assert(sizeof(InputRecord) == 192 && offsetof(InputRecord, check) == 184);
static_assert(kPage + kInputKeys * sizeof(InputRecord) == kInputRingAt);
static_assert(sizeof(Constants) == 64 && offsetof(Constants, checksum) == 56);
static_assert(offsetof(Header, produced) == 128 && offsetof(Header, ended) == 136);
static_assert(offsetof(Header, dropped) == 144 && offsetof(Header, producer_asleep) == 192);
static_assert(offsetof(Header, consumed) == 256 && offsetof(Header, consumer_asleep) == 320);
static_assert(offsetof(Header, answered) == 384 && offsetof(Header, history_begin) == 392);
static_assert(offsetof(Header, history_end) == 400 && offsetof(Header, resizes) == 408);
static_assert(offsetof(Header, checkpoints) == 416 && offsetof(Header, history_store) == 424);
static_assert(offsetof(Header, input_area) == 432);
static_assert(offsetof(Header, resize) == 1024 && sizeof(Header) <= kPage);
static_assert(sizeof(CheckpointHeader) == 48 && offsetof(CheckpointHeader, checksum) == 40);
static_assert(std::atomic<Offset>::is_always_lock_free);
static_assert(std::atomic<std::uint32_t>::is_always_lock_free);

}  // namespace journal
