#include "http/frame_counter.h"

#include <gtest/gtest.h>

#include <vector>

namespace http {
namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes frame(std::uint64_t length, bool is_masked, std::uint8_t first = 0x81) {
  Bytes bytes{first};
  const std::uint8_t mask = is_masked ? 0x80 : 0;
  const int extended = length > 0xffff ? 8 : length > 125 ? 2 : 0;
  bytes.push_back(mask | static_cast<std::uint8_t>(extended == 8   ? 127
                                                   : extended == 2 ? 126
                                                                   : length));
  for (int i = extended - 1; i >= 0; --i)
    bytes.push_back(static_cast<std::uint8_t>(length >> (8 * i)));
  bytes.insert(bytes.end(), length + (is_masked ? 4 : 0), 0xff);
  return bytes;
}

TEST(FrameCounterTest, CountsWhateverTheLengthAndHoweverItIsCut) {
  Bytes stream;
  std::size_t expected = 0;
  for (const std::uint64_t length : {0, 1, 125, 126, 127, 65535, 65536, 0, 0, 70000})
    for (const bool is_masked : {true, false}) {
      const Bytes next = frame(length, is_masked);
      stream.insert(stream.end(), next.begin(), next.end());
      ++expected;
    }
  for (const std::size_t cut : {1, 2, 3, 7, 64, 100'000, 1'000'000}) {
    FrameCounter counter;
    std::size_t frames = 0;
    for (std::size_t at = 0; at < stream.size(); at += cut)
      frames += counter.count(std::span(stream).subspan(at, std::min(cut, stream.size() - at)));
    EXPECT_EQ(frames, expected) << cut;
  }
}

// Clients that write through a buffer do this: a megabyte in fragments is one message, not 250.
TEST(FrameCounterTest, LargePartsOfAMessageDoNotCount) {
  FrameCounter counter;
  EXPECT_EQ(counter.count(frame(4096, true, 0x01)), 1U);
  for (int i = 0; i < 250; ++i) EXPECT_EQ(counter.count(frame(4096, true, 0x00)), 0U);
  EXPECT_EQ(counter.count(frame(FrameCounter::kLargePart - 1, true, 0x00)), 1U);
  EXPECT_EQ(counter.count(frame(0, true, 0x80)), 1U);
  EXPECT_EQ(counter.count(frame(0, true, 0x89)), 1U) << "a ping";
}

TEST(FrameCounterTest, ALengthBeyondNumbersIsOneFrame) {
  FrameCounter counter;
  Bytes bytes{0x81, 0xff};
  bytes.insert(bytes.end(), 8, 0xff);
  EXPECT_EQ(counter.count(bytes), 1U);
  EXPECT_EQ(counter.count(Bytes(1000, 0)), 0U);
}

}  // namespace
}  // namespace http
