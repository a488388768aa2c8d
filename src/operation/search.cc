// Looking through the lines of terminals. A long history is read a turn at a time, and its terminal
// takes no output meanwhile, as for a snapshot.

#include <deque>
#include <map>

#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "base/turn.h"
#include "base/utf8.h"
#include "operation/output_operations.h"
#include "operation/pattern.h"
#include "operation/printed_text.h"
#include "vt/lines.h"

namespace operation {

namespace asio = boost::asio;
using asio::awaitable;

namespace {

constexpr std::size_t kLongestText = 1000;
constexpr std::size_t kAtOnce = 4 * 1024;
// A terminal that is resized all the time cannot be searched.
constexpr int kMostTries = 5;

bool matches(const re2::RE2& pattern, std::string_view line) {
  return pattern.Match(re2::StringPiece(line.data(), line.size()), 0, line.size(),
                       re2::RE2::UNANCHORED, nullptr, 0);
}

struct InTerminal {
  std::deque<Match> matches;  // The newest, oldest first.
  std::uint64_t left_out = 0;
};

// None if it was resized or stopped meanwhile.
awaitable<std::optional<InTerminal>> lines_of(std::shared_ptr<terminal::Terminal> terminal,
                                              const re2::RE2& pattern, std::size_t most,
                                              base::Turn& turn) {
  InTerminal found;
  (void)terminal->mark();  // Shows what was printed so far.
  const auto hold = terminal->hold();
  const std::uint64_t resizes = terminal->stream().resizes();
  vt::Lines lines(terminal->screen());
  std::uint64_t number = 0;
  for (std::string line; lines.next(line);) {
    ++number;
    if (matches(pattern, line)) {
      found.matches.push_back(
          {.line = number, .text = std::string(base::cut_utf8(line, kLongestText))});
      if (found.matches.size() > most) {
        found.matches.pop_front();
        ++found.left_out;
      }
    }
    if (!turn.is_over()) continue;
    co_await turn.next();
    if (terminal->stream().resizes() != resizes || terminal->has_stopped()) co_return std::nullopt;
  }
  co_return found;
}

// Finds the matches in the output that is still there. A line has the offset after the output that
// printed the same text; of several, the newest belongs to the newest.
awaitable<void> find_offsets(std::shared_ptr<terminal::Terminal> terminal, const re2::RE2& pattern,
                             std::deque<Match>& found, base::Turn& turn) {
  std::deque<std::pair<std::string, Offset>> printed;  // The newest.
  const auto keep = [&](const PrintedText& text) {
    std::string_view line = text.line();
    while (line.ends_with(' ')) line.remove_suffix(1);
    if (!matches(pattern, line)) return false;
    printed.emplace_back(base::cut_utf8(line, kLongestText), text.offset_after(line.size()));
    if (printed.size() > found.size()) printed.pop_front();
    return false;
  };
  terminal::Stream& stream = terminal->stream();
  PrintedText text(stream.begin(), keep);
  while (text.position() < stream.end()) {
    const auto bytes = stream.copy(text.position(), kAtOnce);
    if (!bytes) co_return;  // It was overwritten; the offsets are no longer of use.
    (void)text.feed(*bytes);
    if (turn.is_over()) co_await turn.next();
  }
  if (!text.line().empty()) (void)keep(text);
  std::map<std::string_view, std::vector<Offset>> of_text;
  for (const auto& [line, offset] : printed) of_text[line].push_back(offset);
  for (auto match = found.rbegin(); match != found.rend(); ++match) {
    auto& offsets = of_text[match->text];
    if (offsets.empty()) continue;
    match->offset = offsets.back();
    offsets.pop_back();
  }
}

}  // namespace

awaitable<base::Result<Found>> OutputOperations::search(Caller caller, SearchRequest request) {
  const auto pattern = compile(request.pattern);
  if (!pattern) co_return base::fail(pattern.error());
  if (request.session)
    if (auto known = sessions_.names().find_seen(caller.reach, *request.session); !known)
      co_return base::fail(known.error());
  struct Place {
    std::string id;
    std::string session;
    std::optional<std::string> name;
    std::weak_ptr<terminal::Terminal> terminal;
  };
  std::vector<Place> places;
  for (const session::TerminalEntry* entry : sessions_.terminals().living(caller.reach))
    if (!request.session || *request.session == entry->session.name)
      places.push_back({.id = entry->id.str(),
                        .session = entry->session.name,
                        .name = entry->name,
                        .terminal = entry->terminal});
  Found found;
  base::Turn turn(executor_);
  for (const Place& place : places) {
    std::optional<InTerminal> here;
    for (int tries = 0; !here && tries < kMostTries; ++tries) {
      const auto terminal = place.terminal.lock();
      if (!terminal || terminal->has_stopped()) break;  // It was closed meanwhile.
      here = co_await lines_of(terminal, **pattern, request.most - found.matches.size(), turn);
      if (here && !here->matches.empty())
        co_await find_offsets(terminal, **pattern, here->matches, turn);
    }
    if (waiting_.is_stopping())
      co_return base::fail(base::Code::unavailable, "the daemon is restarting", "Try again.");
    if (auto allowed = caller.permit.check(); !allowed) co_return base::fail(allowed.error());
    const auto state = co_await asio::this_coro::cancellation_state;
    if (state.cancelled() != asio::cancellation_type::none)
      co_return base::fail(base::Code::cancelled, "the client has disconnected");
    if (!here) {
      if (!place.terminal.expired()) found.skipped.push_back(place.id);
      continue;
    }
    found.left_out += here->left_out;
    for (Match& match : here->matches) {
      match.terminal_id = place.id;
      match.session = place.session;
      match.name = place.name;
      found.matches.push_back(std::move(match));
    }
  }
  co_return found;
}

}  // namespace operation
