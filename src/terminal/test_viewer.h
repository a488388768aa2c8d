// A viewer that keeps its own screen of a terminal, as a browser does.

#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "terminal/test_terminal.h"
#include "vt/state.h"
#include "vt/test_difference.h"

namespace terminal {

// A client: it pulls slices, and feeds a screen of its own with them.
class TestViewer final : public ViewerEvents {
 public:
  explicit TestViewer(TestTerminal& terminal, ViewerOptions options = {})
      : terminal_(terminal), viewer_(std::in_place, terminal.shared(), options, *this) {
    resize_screen(terminal->screen().size());
  }

  void viewer_ready(Viewer&) override { ++woken; }
  void viewer_detached(Viewer&, Detached why) override {
    seen.push_back(why == Detached::takeover ? "taken over" : "closed");
  }

  // Pulls everything, snapshots that take several turns too; what came, in order.
  std::vector<std::string> pull(std::size_t most = 1 << 20) {
    const std::size_t before = seen.size();
    while (pull_one(most) || viewer_->waits_for_snapshot()) terminal_.run();
    return {seen.begin() + static_cast<std::ptrdiff_t>(before), seen.end()};
  }
  bool pull_one(std::size_t most = 1 << 20) {
    std::string bytes;
    const auto slice = viewer_->next(bytes, most);
    if (!slice) return false;
    take(*slice, bytes);
    return true;
  }
  void leave() { viewer_.reset(); }

  Viewer* operator->() { return &*viewer_; }
  [[nodiscard]] const vt::Screen& screen() const { return *screen_; }
  // Empty if what it shows is what the terminal shows.
  [[nodiscard]] std::string difference() const {
    return vt::describe_difference(screen_->state(), terminal_->screen().state());
  }

  std::vector<std::string> seen;
  std::string output;  // All of it, without snapshots.
  int woken = 0;

 private:
  void take(const Slice& slice, const std::string& bytes) {
    switch (slice.kind) {
      case Slice::Kind::output:
        seen.push_back("output " + bytes);
        output += bytes;
        screen_->feed(bytes);
        break;
      case Slice::Kind::snapshot:
        seen.emplace_back("snapshot");
        resize_screen(slice.size);
        screen_->feed(bytes);
        break;
      case Slice::Kind::resized:
        seen.push_back("resized " + std::to_string(slice.size.cols) + "x" +
                       std::to_string(slice.size.rows));
        screen_->resize(slice.size);
        break;
      case Slice::Kind::exited:
        seen.emplace_back("exited");
        break;
      case Slice::Kind::marked:
        seen.push_back((slice.offset == slice.command->start ? "begins " : "ends ") +
                       slice.command->text);
        break;
      case Slice::Kind::activity:
        seen.push_back(std::string("activity") + (slice.rang ? ", bell" : "") +
                       (slice.titled ? ", title" : ""));
        break;
    }
  }
  void resize_screen(vt::Size size) {
    screen_.emplace(size);
    screen_->attach_history(vt::History(ring_));
  }

  TestTerminal& terminal_;
  std::vector<std::byte> ring_ = std::vector<std::byte>(1 << 20);
  std::optional<vt::Screen> screen_;
  std::optional<Viewer> viewer_;
};

}  // namespace terminal
