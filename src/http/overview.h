// The sketches that a client is sent of many terminals.
//
// Invariants
// 1. Nothing waits here but a terminal's turn: a sketch is made when it can be sent. A terminal that
//    changes meanwhile is sent as it is then.
// 2. All sketches together stay below `kRate`. More changes come less often.
// 3. Nobody counts it as a viewer.

#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>

#include "base/clock.h"
#include "session/terminal_entry.h"
#include "terminal/sketch.h"

namespace http {

class Overview {
 public:
  static constexpr double kRate = 240'000;  // Bytes a second.
  // So much may be sent ahead of that, so that a single change need not wait.
  static constexpr std::chrono::milliseconds kAhead{100};

  // `ready` is called when there is something to take.
  Overview(boost::asio::any_io_executor executor, std::function<void()> ready)
      : ready_(std::make_shared<std::function<void()>>(std::move(ready))), pause_(executor) {}

  // These are in sight, and no others.
  void show(const std::vector<const session::TerminalEntry*>& shown);
  void forget(const std::string& terminal_id);
  // The next message. False if nothing has changed, or not yet.
  bool take(std::string& out);

 private:
  class Watched final : public terminal::Onlooker {
   public:
    Watched(Overview& overview, std::string id, std::shared_ptr<terminal::Terminal> terminal);
    ~Watched();
    Watched(const Watched&) = delete;
    Watched& operator=(const Watched&) = delete;
    void has_changed() override;

    Overview& overview;
    std::string id;
    std::shared_ptr<terminal::Terminal> terminal;
    terminal::Sketch sketch;
    bool is_due = false;
  };
  [[nodiscard]] bool must_wait();

  std::shared_ptr<std::function<void()>> ready_;  // A timer may fire after this is gone.
  std::deque<Watched*> due_;
  std::map<std::string, Watched> watched_;
  base::MonotonicTime paid_until_{};  // When what was sent so far has been sent at `kRate`.
  boost::asio::steady_timer pause_;
};

}  // namespace http
