#include "cli/cast.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include <boost/json.hpp>

#include "vt/row.h"
#include "wire/bounded_json.h"
#include "wire/json_text.h"

namespace cli {
namespace {

namespace json = boost::json;
using std::chrono::microseconds;

constexpr double kLongest = 1e9;  // Seconds.

base::Error not_a_recording(const std::string& why) {
  return {.code = base::Code::invalid_argument,
          .what = "this is not a recording in asciicast v2: " + why,
          .advice = "Make one with: holdfast record TERMINAL FILE"};
}

int side_in(const json::value* value) {
  const std::int64_t number = value != nullptr && value->is_int64() ? value->get_int64() : 0;
  return static_cast<int>(std::clamp<std::int64_t>(number, 0, vt::kMaxSide));
}

// COLSxROWS
std::optional<vt::Size> size_in(std::string_view text) {
  vt::Size size{.cols = 0, .rows = 0};
  char after = 0;
  if (text.size() > 20 ||
      std::sscanf(std::string(text).c_str(), "%5dx%5d%c", &size.cols, &size.rows, &after) != 2)
    return std::nullopt;
  return vt::Size{.cols = std::clamp(size.cols, 1, vt::kMaxSide),
                  .rows = std::clamp(size.rows, 1, vt::kMaxSide)};
}

std::string in_seconds(microseconds time) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%lld.%06lld",
                static_cast<long long>(time.count() / 1'000'000),
                static_cast<long long>(time.count() % 1'000'000));
  return text.data();
}

}  // namespace

std::string cast_header(vt::Size size, std::string_view title) {
  std::string out = "{\"version\":2,\"width\":" + std::to_string(size.cols) +
                    ",\"height\":" + std::to_string(size.rows) + ",\"timestamp\":" +
                    std::to_string(std::chrono::duration_cast<std::chrono::seconds>(
                                       std::chrono::system_clock::now().time_since_epoch())
                                       .count()) +
                    ",\"title\":";
  wire::append_json_string(out, title);
  return out + "}";
}

std::string to_line(const CastEvent& event) {
  const bool is_resize = event.kind == CastEvent::Kind::resize;
  std::string out = "[" + in_seconds(event.time) + (is_resize ? ",\"r\"," : ",\"o\",");
  wire::append_json_string(
      out, is_resize ? std::to_string(event.size.cols) + "x" + std::to_string(event.size.rows)
                     : event.output);
  return out + "]";
}

base::Result<vt::Size> parse_cast_header(std::string_view line) {
  const auto parsed = wire::parse_json(line);
  if (!parsed) return base::fail(not_a_recording(parsed.error()));
  if (!parsed->is_object())
    return base::fail(not_a_recording("its first line is not a JSON object"));
  const json::object& header = parsed->get_object();
  const json::value* const version = header.if_contains("version");
  if (version == nullptr || *version != 2)
    return base::fail(not_a_recording("its version is not 2"));
  const vt::Size size{.cols = side_in(header.if_contains("width")),
                      .rows = side_in(header.if_contains("height"))};
  if (size.cols == 0 || size.rows == 0)
    return base::fail(not_a_recording("its header has no width and height"));
  return size;
}

base::Result<CastEvent> parse_cast_event(std::string_view line) {
  const auto parsed = wire::parse_json(line);
  if (!parsed) return base::fail(not_a_recording(parsed.error()));
  const json::array* const fields = parsed->is_array() ? &parsed->get_array() : nullptr;
  if (fields == nullptr || fields->size() != 3 || !fields->at(0).is_number() ||
      !fields->at(1).is_string() || !fields->at(2).is_string())
    return base::fail(not_a_recording("an event is not [TIME, KIND, TEXT]"));
  const double seconds = fields->at(0).to_number<double>();
  if (!(seconds >= 0 && seconds <= kLongest))
    return base::fail(not_a_recording("an event has an impossible time"));
  CastEvent event{.time = microseconds(std::llround(seconds * 1e6))};
  const std::string_view kind = fields->at(1).get_string();
  if (kind == "o") {
    event.kind = CastEvent::Kind::output;
    event.output = fields->at(2).get_string();
  } else if (kind == "r") {
    const auto size = size_in(fields->at(2).get_string());
    if (!size) return base::fail(not_a_recording("a size is not COLSxROWS"));
    event.kind = CastEvent::Kind::resize;
    event.size = *size;
  }
  return event;
}

}  // namespace cli
