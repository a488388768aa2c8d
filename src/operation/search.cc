// Looking through the lines of terminals. A long history is read a turn at a time, and its terminal
// takes no output meanwhile, as for a snapshot.

#include <deque>
#include <map>

#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "base/turn.h"
#include "base/utf8.h"
#include "operation/fair_share.h"
#include "operation/output_operations.h"
#include "operation/pattern.h"
#include "operation/printed_text.h"
#include "vt/lines.h"
#include "vt/saved_rows.h"

namespace operation {

namespace asio = boost::asio;
using asio::awaitable;

namespace {

constexpr std::size_t kLongestText = 1000;
constexpr std::size_t kAtOnce = 4 * 1024;
// A terminal that is resized all the time cannot be searched.
constexpr int kMostTries = 5;

struct InTerminal {
  std::deque<Match> matches;  // The newest, oldest first.
  std::uint64_t left_out = 0;

  void keep(std::size_t most) {
    while (matches.size() > most) {
      matches.pop_front();
      ++left_out;
    }
  }
};

// Looks at one line after another.
class Looking {
 public:
  Looking(const re2::RE2& pattern, std::size_t most) : pattern_(pattern), most_(most) {}

  void take(std::string_view line) {
    ++lines_;
    if (!is_in(pattern_, line)) return;
    found_.matches.push_back(
        {.line = lines_, .text = std::string(base::cut_utf8(line, kLongestText))});
    found_.keep(most_);
  }
  [[nodiscard]] InTerminal end() {
    for (Match& match : found_.matches) match.from_end = lines_ - match.line;
    return std::move(found_);
  }

 private:
  const re2::RE2& pattern_;
  std::size_t most_;
  std::uint64_t lines_ = 0;
  InTerminal found_;
};

// None if it was resized or stopped meanwhile.
awaitable<std::optional<InTerminal>> lines_of(std::shared_ptr<terminal::Terminal> terminal,
                                              const re2::RE2& pattern, std::size_t most,
                                              base::Turn& turn) {
  Looking looking(pattern, most);
  (void)terminal->mark();  // Shows what was printed so far.
  const auto hold = terminal->hold();
  const std::uint64_t resizes = terminal->stream().resizes();
  vt::Lines lines(terminal->screen());
  for (std::string line; lines.next(line);) {
    looking.take(line);
    if (!turn.is_over()) continue;
    co_await turn.next();
    if (terminal->stream().resizes() != resizes || terminal->has_stopped()) co_return std::nullopt;
  }
  co_return looking.end();
}

// None if they cannot be read.
awaitable<std::optional<InTerminal>> saved_lines_of(session::HistorySaver& histories,
                                                    session::TerminalId key,
                                                    const re2::RE2& pattern, std::size_t most,
                                                    base::Turn& turn) {
  const auto saved = co_await histories.saved(std::move(key));
  if (!saved) co_return std::nullopt;
  Looking looking(pattern, most);
  if (!*saved) co_return looking.end();
  vt::SavedLines lines((*saved)->rows, (*saved)->size.cols);
  for (std::string line; lines.next(line);) {
    looking.take(line);
    if (turn.is_over()) co_await turn.next();
  }
  co_return looking.end();
}

// Finds the matches in the output that is still there. A line has the offset after the output that
// printed the same text; of several, the newest belongs to the newest.
awaitable<void> find_offsets(std::shared_ptr<terminal::Terminal> terminal, const re2::RE2& pattern,
                             std::deque<Match>& found, base::Turn& turn) {
  std::deque<std::pair<std::string, Offset>> printed;  // The newest.
  const auto keep = [&](const PrintedText& text) {
    std::string_view line = text.line();
    while (line.ends_with(' ')) line.remove_suffix(1);
    if (!is_in(pattern, line)) return false;
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

struct Place {
  std::string id;
  session::TerminalId key;
  std::string session;
  std::optional<std::string> name;
  std::weak_ptr<terminal::Terminal> terminal;
  bool is_alive = true;
  InTerminal found{};
};

awaitable<std::optional<InTerminal>> look_at(const Place& place, session::HistorySaver& histories,
                                             const re2::RE2& pattern, std::size_t most,
                                             base::Turn& turn) {
  if (!place.is_alive) co_return co_await saved_lines_of(histories, place.key, pattern, most, turn);
  for (int tries = 0; tries < kMostTries; ++tries) {
    const auto terminal = place.terminal.lock();
    if (!terminal || terminal->has_stopped()) co_return InTerminal();  // It was closed meanwhile.
    auto found = co_await lines_of(terminal, pattern, most, turn);
    if (!found) continue;
    if (!found->matches.empty()) co_await find_offsets(terminal, pattern, found->matches, turn);
    co_return found;
  }
  co_return std::nullopt;
}

// So that they never hold more than what is asked for.
void share(std::vector<Place>& places, std::size_t most) {
  std::vector<std::size_t> sizes;
  for (const Place& place : places) sizes.push_back(place.found.matches.size());
  const auto shares = fair_shares(sizes, most);
  for (std::size_t i = 0; i < places.size(); ++i) places[i].found.keep(shares[i]);
}

Found joined(std::vector<Place>& places) {
  Found all;
  for (Place& place : places) {
    all.left_out += place.found.left_out;
    for (Match& match : place.found.matches) {
      match.terminal_id = place.id;
      match.session = place.session;
      match.name = place.name;
      all.matches.push_back(std::move(match));
    }
  }
  return all;
}

}  // namespace

base::Status OutputOperations::is_wanted(const Caller& caller, const SearchRequest& request) const {
  if (waiting_.is_stopping())
    return base::fail(base::Code::unavailable, "the daemon is restarting", "Try again.");
  if (request.asker && request.asker->expired())
    return base::fail(base::Code::cancelled, "the search was cancelled");
  return caller.permit.check();
}

awaitable<base::Result<Found>> OutputOperations::search(Caller caller, SearchRequest request) {
  const auto pattern = compile(request.pattern, request.options);
  if (!pattern) co_return base::fail(pattern.error());
  if (request.session)
    if (auto known = sessions_.names().find_seen(caller.reach, *request.session); !known)
      co_return base::fail(known.error());
  std::vector<Place> places;
  for (const session::TerminalEntry* entry :
       sessions_.terminals().living_or_restorable(caller.reach))
    if (!request.session || *request.session == entry->session.name)
      places.push_back({.id = entry->id.str(),
                        .key = entry->key,
                        .session = entry->session.name,
                        .name = entry->name,
                        .terminal = entry->terminal,
                        .is_alive = entry->is_alive()});
  base::Turn turn(executor_);
  std::vector<std::string> skipped;
  for (Place& place : places) {
    auto here = co_await look_at(place, sessions_.histories(), **pattern, request.most, turn);
    if (auto wanted = is_wanted(caller, request); !wanted) co_return base::fail(wanted.error());
    const auto state = co_await asio::this_coro::cancellation_state;
    if (state.cancelled() != asio::cancellation_type::none)
      co_return base::fail(base::Code::cancelled, "the client has disconnected");
    if (!here) {
      skipped.push_back(place.id);
      continue;
    }
    if (here->matches.empty()) continue;
    place.found = *std::move(here);
    share(places, request.most);
  }
  Found found = joined(places);
  found.skipped = std::move(skipped);
  co_return found;
}

}  // namespace operation
