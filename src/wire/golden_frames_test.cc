// The golden binary frames of the native protocol.

#include <sstream>

#include "wire/native.h"
#include "wire/native_events.h"
#include "wire/native_frame.h"
#include "wire/test_golden.h"

namespace wire::golden {
namespace {

using namespace native;

std::string unhex(const std::string& hex) {
  std::istringstream words(hex);
  std::string bytes;
  for (std::string word; words >> word;) bytes += static_cast<char>(std::stoi(word, nullptr, 16));
  return bytes;
}

FrameKind kind_of(const std::string& name) {
  if (name == "output") return FrameKind::output;
  if (name == "snapshot") return FrameKind::snapshot;
  if (name == "paste") return FrameKind::paste;
  return name == "input" ? FrameKind::input : FrameKind::ack;
}

void expect_frame(const std::string& bytes, const json::object& fields) {
  const FrameHeader header{.kind = kind_of(text(fields, "kind")),
                           .channel = number<std::uint32_t>(fields, "channel"),
                           .offset = number<std::uint64_t>(fields, "offset")};
  const std::string payload = unhex(text(fields, "payload"));
  const auto frame = parse_frame(std::as_bytes(std::span(bytes)));
  ASSERT_TRUE(frame) << frame.error().error;
  EXPECT_EQ(frame->header, header);
  EXPECT_EQ(
      std::string(reinterpret_cast<const char*>(frame->payload.data()), frame->payload.size()),
      payload);
  const auto encoded = encode_header(header);
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(encoded.data()), encoded.size()) + payload,
            bytes);
}

TEST(GoldenTest, NativeFrames) {
  for (const json::value& value : cases("native_frames.json")) {
    const json::object& golden = value.as_object();
    SCOPED_TRACE(text(golden, "name"));
    const std::string bytes = unhex(text(golden, "hex"));
    const auto accepted = parse_client_frame(std::as_bytes(std::span(bytes)));
    if (golden.contains("answer"))
      EXPECT_EQ(accepted ? "accepted" : error(accepted.error()), text(golden, "answer"));
    else
      expect_frame(bytes, golden.at("frame").as_object());
    EXPECT_EQ(accepted.has_value(), text(golden, "from") == "client" && golden.contains("frame"));
  }
}

}  // namespace
}  // namespace wire::golden
