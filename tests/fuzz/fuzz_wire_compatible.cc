// Any text is a request or a refusal, and a refusal is a message; any bytes become JSON that says
// what a browser would have decoded, in one piece or in slices.

#include <span>
#include <string>

#include <boost/json/parse.hpp>

#include "base/id.h"
#include "tests/fuzz/wire_messages.h"
#include "wire/compatible.h"
#include "wire/json_text.h"
#include "wire/limits.h"
#include "wire/single.h"
#include "wire/utf8.h"

namespace {

constexpr const char* kTypes[] = {"create_session", "list_sessions", "reattach_session",
                                  "input",          "resize",        "ping",
                                  "rename_session", "close_session", "sing"};
constexpr const char* kKeys[] = {"sessionId", "rows",  "cols", "name",
                                 "workDir",   "since", "data", "takeover"};

std::span<const std::byte> bytes(std::string_view text) {
  return std::as_bytes(std::span(text));
}

void check_sizes(std::optional<std::uint16_t> rows, std::optional<std::uint16_t> cols) {
  check(!rows || (*rows >= 1 && *rows <= wire::kMaxRows));
  check(!cols || (*cols >= 1 && *cols <= wire::kMaxCols));
}

void check_parse(const std::string& text) {
  const auto request = wire::compatible::parse(text);
  if (!request) {
    check(is_message(wire::compatible::error(request.error())));
  } else if (const auto* create = std::get_if<wire::compatible::CreateSession>(&*request)) {
    check_sizes(create->rows, create->cols);
    check(base::is_valid_id(create->session_id));
    check(wire::count_characters(create->name.value_or("")) <= wire::kMaxNameCharacters);
  } else if (const auto* resize = std::get_if<wire::compatible::Resize>(&*request)) {
    check_sizes(resize->rows, resize->cols);
    check(!resize->session_id || base::is_valid_id(*resize->session_id));
  } else if (const auto* input = std::get_if<wire::compatible::Input>(&*request)) {
    // What was read from JSON is UTF-8, so it comes through as it is.
    std::string out;
    wire::append_json_string(out, input->data);
    check(boost::json::parse(out).as_string() == input->data);
  }
  if (const auto single = wire::single::parse(text); !single)
    check(is_message(wire::single::error(single.error())));
}

// The WHATWG's UTF-8 decoder, as it is written there, a byte at a time.
std::string decoded(std::string_view text) {
  std::string out;
  std::string pending;
  int needed = 0;
  int lower = 0x80;
  int upper = 0xbf;
  const auto start = [&](int count, int from, int to) {
    needed = count;
    lower = from;
    upper = to;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const int byte = static_cast<unsigned char>(text[i]);
    if (needed > 0) {
      if (byte < lower || byte > upper) {
        out += "\xef\xbf\xbd";
        pending.clear();
        start(0, 0x80, 0xbf);
        --i;
        continue;
      }
      pending += text[i];
      start(needed - 1, 0x80, 0xbf);
      if (needed > 0) continue;
      out += pending;
      pending.clear();
    } else if (byte < 0x80) {
      out += text[i];
    } else if (byte >= 0xc2 && byte <= 0xf4) {
      pending = text[i];
      if (byte < 0xe0)
        start(1, 0x80, 0xbf);
      else if (byte < 0xf0)
        start(2, byte == 0xe0 ? 0xa0 : 0x80, byte == 0xed ? 0x9f : 0xbf);
      else
        start(3, byte == 0xf0 ? 0x90 : 0x80, byte == 0xf4 ? 0x8f : 0xbf);
    } else {
      out += "\xef\xbf\xbd";
    }
  }
  if (needed > 0) out += "\xef\xbf\xbd";
  return out;
}

std::string through_json(std::string_view text) {
  std::string out;
  wire::append_json_bytes(out, bytes(text));
  boost::json::error_code error;
  const auto value = boost::json::parse(out, error);
  check(!error && value.is_string());
  return {value.get_string().data(), value.get_string().size()};
}

void check_output(std::string_view text, std::size_t cut) {
  check(through_json(text) == decoded(text));
  std::string out;
  wire::compatible::append_output(out, "a", bytes(text), cut);
  check(is_message(out));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string raw(reinterpret_cast<const char*>(data), size);
  check_parse(raw);
  check_output(raw, size == 0 ? 0 : data[0] % (size + 1));
  FuzzedDataProvider fuzz(data, size);
  check_parse(fuzzed_message(fuzz, kTypes, kKeys));
  return 0;
}
