#include "terminal/paste.h"

#include <utility>

#include "vt/utf8.h"

namespace terminal {
namespace {

constexpr std::string_view kBegin = "\x1b[200~";
constexpr std::string_view kEnd = "\x1b[201~";

}  // namespace

std::string pasted(std::string_view text, bool is_bracketed) {
  std::string typed;
  typed.reserve(text.size() + kBegin.size() + kEnd.size());
  if (is_bracketed) typed += kBegin;
  const auto* p = reinterpret_cast<const unsigned char*>(text.data());
  const auto* const end = p + text.size();
  for (bool was_return = false; p < end;) {
    char32_t code = 0;
    if (const std::size_t length = vt::decode_printable(p, end, code); length > 0) {
      typed.append(reinterpret_cast<const char*>(p), length);
      p += length;
      was_return = false;
      continue;
    }
    if (*p == '\t') typed += '\t';
    if (*p == '\r' || (*p == '\n' && !was_return)) typed += '\r';
    was_return = *p++ == '\r';
  }
  if (is_bracketed) typed += kEnd;
  return typed;
}

base::Result<std::optional<std::string>> PasteInPieces::add(std::uint32_t channel,
                                                            std::string_view piece,
                                                            std::uint64_t following) {
  const bool is_first = following_ == 0;
  if (!is_first && (channel != channel_ || piece.size() + following != following_)) {
    following_ = 0;
    text_ = {};
    return base::fail(base::Code::invalid_argument,
                      "unexpected piece of a paste; nothing was pasted",
                      "Send the pieces of a paste in order, one paste at a time.");
  }
  if (is_first) is_refused_ = false;
  channel_ = channel;
  following_ = following;
  const bool was_refused = is_refused_;
  is_refused_ = was_refused || piece.size() > limit_ - text_.size() ||
                following > limit_ - text_.size() - piece.size();
  if (is_refused_) {
    text_ = {};
    if (was_refused) return std::nullopt;
    return base::fail(base::Code::too_large, "the text is too long; nothing was pasted",
                      "Paste at most " + std::to_string(limit_) + " bytes at a time.");
  }
  text_ += piece;
  if (following > 0) return std::nullopt;
  return std::exchange(text_, {});
}

}  // namespace terminal
