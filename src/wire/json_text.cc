#include "wire/json_text.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "wire/utf8.h"

namespace wire {
namespace {

using Form = Utf8Character::Form;

// A byte becomes at most 6: \u001b. Writing whole words may go past the end, hence the slack.
constexpr std::size_t kMaxGrowth = 6;
constexpr std::size_t kSlack = 2 * sizeof(std::uint64_t);
constexpr std::size_t kChunk = 4096;

struct Escape {
  std::array<char, 8> text;
  std::uint8_t length;
};

// The escapes of ASCII characters. Length 0: needs no escape.
constexpr auto kEscapes = [] {
  std::array<Escape, 128> escapes{};
  constexpr char kDigits[] = "0123456789abcdef";
  for (std::size_t c = 0; c < 0x20; ++c)
    escapes[c] = {{'\\', 'u', '0', '0', kDigits[c >> 4], kDigits[c & 15]}, 6};
  escapes['\b'] = {{'\\', 'b'}, 2};
  escapes['\t'] = {{'\\', 't'}, 2};
  escapes['\n'] = {{'\\', 'n'}, 2};
  escapes['\f'] = {{'\\', 'f'}, 2};
  escapes['\r'] = {{'\\', 'r'}, 2};
  escapes['"'] = {{'\\', '"'}, 2};
  escapes['\\'] = {{'\\', '\\'}, 2};
  return escapes;
}();

constexpr std::uint64_t every_byte(std::uint64_t byte) {
  return byte * 0x0101010101010101U;
}

// Sets the high bit of each byte that is not ASCII or needs an escape. Only the lowest set bit is
// exact: a borrow may set bits above it.
std::uint64_t special_bytes(std::uint64_t word) {
  const std::uint64_t controls = word - every_byte(0x20);
  const std::uint64_t quotes = (word ^ every_byte('"')) - every_byte(1);
  const std::uint64_t backslashes = (word ^ every_byte('\\')) - every_byte(1);
  return (word | controls | quotes | backslashes) & every_byte(0x80);
}

// Copies up to the first special byte. Reads and writes whole words.
const unsigned char* copy_plain(const unsigned char* p, const unsigned char* end, char*& to) {
  if constexpr (std::endian::native == std::endian::little) {
    while (end - p >= static_cast<std::ptrdiff_t>(sizeof(std::uint64_t))) {
      std::uint64_t word = 0;
      std::memcpy(&word, p, sizeof word);
      std::memcpy(to, &word, sizeof word);
      const std::uint64_t special = special_bytes(word);
      const int plain = std::countr_zero(special) / 8;
      p += plain;
      to += plain;
      if (special != 0) return p;
    }
  }
  while (p != end && *p < 0x80 && kEscapes[*p].length == 0) *to++ = static_cast<char>(*p++);
  return p;
}

// Writes the special character at `p` and returns the position after it.
const unsigned char* copy_special(const unsigned char* p, const unsigned char* end, char*& to) {
  if (*p < 0x80) {
    const Escape& escape = kEscapes[*p];
    std::memcpy(to, escape.text.data(), escape.text.size());
    to += escape.length;
    return p + 1;
  }
  const Utf8Character character = character_at(p, end);
  if (character.form == Form::whole) {
    for (std::uint8_t i = 0; i < character.length; ++i) *to++ = static_cast<char>(p[i]);
  } else {
    constexpr std::string_view kReplacement = "\xef\xbf\xbd";
    to = std::copy(kReplacement.begin(), kReplacement.end(), to);
  }
  return p + character.length;
}

}  // namespace

void append_json_bytes(std::string& out, std::span<const std::byte> bytes) {
  const auto* p = reinterpret_cast<const unsigned char*>(bytes.data());
  const auto* const end = p + bytes.size();
  out += '"';
  while (p != end) {
    // In chunks, to keep the room for the worst case small.
    const auto chunk = std::min(kChunk, static_cast<std::size_t>(end - p));
    const auto* const stop = p + chunk;
    const std::size_t had = out.size();
    out.resize_and_overwrite(had + chunk * kMaxGrowth + kSlack, [&](char* data, std::size_t) {
      char* to = data + had;
      while (p < stop) {
        p = copy_plain(p, stop, to);
        while (p < stop && (*p >= 0x80 || kEscapes[*p].length != 0)) p = copy_special(p, end, to);
      }
      return static_cast<std::size_t>(to - data);
    });
  }
  out += '"';
}

void append_json_string(std::string& out, std::string_view utf8) {
  append_json_bytes(out, std::as_bytes(std::span(utf8)));
}

}  // namespace wire
