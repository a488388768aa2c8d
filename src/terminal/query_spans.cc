#include "terminal/query_spans.h"

#include <algorithm>

namespace terminal {

void QuerySpans::add(vt::ByteSpan span) {
  if (!spans_.empty() && spans_.back().end == span.begin)
    spans_.back().end = span.end;
  else
    spans_.push_back(span);
}

void QuerySpans::add_older(const QuerySpans& older) {
  spans_.insert(spans_.begin(), older.spans_.begin(), older.spans_.end());
}

void QuerySpans::forget_below(journal::Offset offset) {
  while (!spans_.empty() && spans_.front().end <= offset) spans_.pop_front();
}

void QuerySpans::append_without(std::string& out, journal::Offset from,
                                std::span<const std::byte> bytes) const {
  const auto* text = reinterpret_cast<const char*>(bytes.data());
  const journal::Offset end = from + bytes.size();
  journal::Offset at = from;
  auto span = std::upper_bound(
      spans_.begin(), spans_.end(), from,
      [](journal::Offset offset, const vt::ByteSpan& held) { return offset < held.end; });
  for (; span != spans_.end() && span->begin < end; ++span) {
    if (span->begin > at) out.append(text + (at - from), span->begin - at);
    at = std::min(span->end, end);
  }
  if (at < end) out.append(text + (at - from), end - at);
}

}  // namespace terminal
