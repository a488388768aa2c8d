// The limits on what a client may send; see docs/protocol.md, "Limits".

#pragma once

#include <cstddef>
#include <cstdint>

namespace wire {

inline constexpr std::size_t kMaxMessage = 1 << 20;
inline constexpr std::size_t kMaxValues = 10'000;
inline constexpr std::uint16_t kMaxRows = 500;
inline constexpr std::uint16_t kMaxCols = 500;
inline constexpr std::size_t kMaxNameCharacters = 50;
inline constexpr std::size_t kMaxPath = 4096;

// Together they fit into one message to the keeper.
inline constexpr std::size_t kMaxCommandEntries = 256;
inline constexpr std::size_t kMaxCommandBytes = 32 * 1024;
inline constexpr std::size_t kMaxEnvEntries = 256;
inline constexpr std::size_t kMaxEnvBytes = 32 * 1024;

inline constexpr std::size_t kMaxReordered = 1000;
inline constexpr std::size_t kMaxKeys = 1000;
inline constexpr std::uint64_t kMaxCommands = 1000;
inline constexpr std::uint64_t kMaxFound = 1000;
inline constexpr std::uint64_t kMaxIdle = 600'000;  // Milliseconds.
inline constexpr std::uint64_t kMaxLeaseSeconds = 3600;
inline constexpr std::size_t kMaxRequestId = 128;

inline constexpr std::size_t kMaxPreferenceName = 64;
inline constexpr std::size_t kMaxPreferenceValue = 64 * 1024;  // As JSON.
inline constexpr std::uint64_t kMaxPreferenceRevision = (std::uint64_t{1} << 53) - 1;

inline constexpr std::size_t kMaxAgentCalls = 100;        // That it offers.
inline constexpr std::size_t kMaxAgentState = 256 << 10;  // As JSON.

// A viewer's window is 0 or between these.
inline constexpr std::uint64_t kMinWindow = 4096;
inline constexpr std::uint64_t kMaxWindow = 64 << 20;

}  // namespace wire
