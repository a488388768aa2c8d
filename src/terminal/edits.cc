#include "terminal/edits.h"

#include <algorithm>

namespace terminal {
namespace {

constexpr std::uint32_t kLongest = 1U << 30;

std::uint32_t end_of(std::uint32_t begin, const std::deque<char>& text) {
  return begin + static_cast<std::uint32_t>(text.size());
}

}  // namespace

void Edits::add(const vt::Edit& edit) {
  const auto length = static_cast<std::uint32_t>(edit.span.end - edit.span.begin);
  const std::uint32_t text = end_of(text_begin_, text_);
  text_.insert(text_.end(), edit.text.begin(), edit.text.end());
  // Merge only into an edit without text: a viewer may already have the text.
  const bool joins = !edits_.empty() && edits_.back().end() == edit.span.begin &&
                     edits_.back().length < kLongest &&
                     text == (edits_.size() > 1 ? edits_[edits_.size() - 2].text_end : text_begin_);
  if (joins) {
    edits_.back().length += length;
    edits_.back().text_end = end_of(text_begin_, text_);
  } else {
    edits_.push_back({edit.span.begin, length, end_of(text_begin_, text_)});
  }
}

void Edits::add_older(const Edits& older) {
  text_begin_ -= static_cast<std::uint32_t>(older.text_.size());
  text_.insert(text_.begin(), older.text_.begin(), older.text_.end());
  edits_.insert(edits_.begin(), older.edits_.begin(), older.edits_.end());
  for (std::size_t i = 0; i < older.edits_.size(); ++i)
    edits_[i].text_end += text_begin_ - older.text_begin_;
}

void Edits::forget_below(journal::Offset offset) {
  while (!edits_.empty() && edits_.front().end() <= offset) {
    const std::uint32_t size = edits_.front().text_end - text_begin_;
    text_.erase(text_.begin(), text_.begin() + size);
    text_begin_ += size;
    edits_.pop_front();
  }
}

void Edits::append_text(std::string& out, Position edit) const {
  const std::uint32_t begin = edit == edits_.begin() ? text_begin_ : std::prev(edit)->text_end;
  const auto text = text_.begin() + static_cast<std::ptrdiff_t>(begin - text_begin_);
  out.append(text, text + static_cast<std::ptrdiff_t>(edit->text_end - begin));
}

journal::Offset Edits::append_edited(std::string& out, journal::Offset from,
                                     std::span<const std::byte> bytes) const {
  const auto* text = reinterpret_cast<const char*>(bytes.data());
  const journal::Offset end = from + bytes.size();
  journal::Offset at = from;
  auto edit = std::upper_bound(
      edits_.begin(), edits_.end(), from,
      [](journal::Offset offset, const StoredEdit& stored) { return offset < stored.end(); });
  for (; edit != edits_.end() && edit->begin < end; ++edit) {
    if (edit->begin > at)
      vt::append_well_formed(out, {text + (at - from), text + (edit->begin - from)});
    append_text(out, edit);
    at = edit->end();
  }
  if (at < end) vt::append_well_formed(out, {text + (at - from), text + (end - from)});
  return std::max(at, end);
}

}  // namespace terminal
