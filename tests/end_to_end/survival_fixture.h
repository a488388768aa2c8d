// Clients that keep their own screen of a terminal, as a browser does, so that a test can say
// whether anything of it was lost, doubled or changed.

#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "end_to_end/daemon_fixture.h"
#include "vt/screen.h"
#include "vt/screen_json.h"

namespace e2e {

// Whether the long counts are asked for (HOLDFAST_SOAK=1), and a count: a tenth of it otherwise.
[[nodiscard]] bool soaking();
[[nodiscard]] int a_tenth_unless_soaking(int count);

// Whether the daemon was built to look for errors in memory, which takes memory.
#ifdef HOLDFAST_SANITIZED
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

// A terminal as a client shows it.
class Mirror {
 public:
  // More than a snapshot has.
  static constexpr std::size_t kRoomy = 1 << 22;

  explicit Mirror(vt::Size size, std::size_t history = kRoomy);
  void feed(std::string_view bytes) { screen_->feed(bytes); }
  void resize(vt::Size size) { screen_->resize(size); }
  [[nodiscard]] const vt::Screen& screen() const { return *screen_; }
  // History and screen, without the empty rows at the end.
  [[nodiscard]] std::vector<std::string> lines() const;
  // The screen alone, with every attribute.
  [[nodiscard]] std::string visible() const { return vt::json(*screen_); }

 private:
  std::vector<std::byte> ring_;
  std::unique_ptr<vt::Screen> screen_;
};

// Empty if both are the same terminal: screen, modes, titles, history.
[[nodiscard]] std::string difference(const Mirror& a, const Mirror& b);

// The known lines (programs/lines.h) that a mirror shows.
struct Numbered {
  std::uint64_t first = 0;
  std::uint64_t last = 0;  // The last whole one.
  std::string problem;     // Why they are not consecutive lines, or empty.
  [[nodiscard]] std::uint64_t count() const { return last - first + 1; }
};
[[nodiscard]] Numbered numbered(const Mirror& mirror);

enum class Wire { compatible, native };
enum class Begin { resume, anew };

// One client's seat before a terminal. The connection comes and goes, what is shown stays.
class Seat {
 public:
  explicit Seat(std::string terminal, vt::Size size = {.cols = 80, .rows = 24});

  // Asks to be attached over a fresh connection; `resume` goes on where this seat stands, if it has
  // been somewhere.
  void sit(std::unique_ptr<WebSocketClient> client, Wire wire, Begin begin);
  // A view-only native viewer that takes the terminal's size.
  void watch(std::unique_ptr<WebSocketClient> client, Begin begin = Begin::anew);
  // Takes in what has arrived. False once the connection has ended.
  bool pull();
  // Takes in what arrives until `done` holds; throws when the deadline or the connection ends
  // first.
  void pull_until(const std::function<bool()>& done, milliseconds deadline = seconds(30));
  // With the first thing to show, so that there is an offset.
  void pull_until_attached() {
    pull_until([this] { return attached_ && offset_; });
  }
  void type(std::string_view bytes);
  void resize(vt::Size size);
  void leave() { client_.reset(); }
  void drop() { client_->drop(); }

  [[nodiscard]] bool is_connected() const { return client_ != nullptr; }
  [[nodiscard]] WebSocketClient& client() { return *client_; }
  [[nodiscard]] bool is_attached() const { return attached_; }
  [[nodiscard]] bool is_showing() const { return mirror_ != nullptr; }
  [[nodiscard]] Mirror& mirror() { return *mirror_; }
  [[nodiscard]] std::uint64_t offset() const { return *offset_; }
  [[nodiscard]] int resumed() const { return resumed_; }
  [[nodiscard]] int snapshots() const { return snapshots_; }

 private:
  void take(const WebSocketClient::Frame& frame);
  void take_message(const json::object& message);
  void take_native(const WebSocketClient::Frame& frame);
  void show(std::string_view bytes, std::uint64_t offset, bool snapshot);

  std::string terminal_;
  vt::Size size_;
  std::unique_ptr<WebSocketClient> client_;
  Wire wire_ = Wire::compatible;
  std::uint32_t channel_ = 0;
  bool attached_ = false;
  std::unique_ptr<Mirror> mirror_;
  std::optional<std::uint64_t> offset_;
  int resumed_ = 0;
  int snapshots_ = 0;
};

// Waits until something arrives for one of them, or the time is over.
void wait_for_any(const std::vector<Seat*>& seats, milliseconds time);

class SurvivalTest : public DaemonTest {
 protected:
  // Runs `command` in a terminal of that id.
  void create(const std::string& id, const std::vector<std::string>& command,
              vt::Size size = {.cols = 80, .rows = 24});
  std::unique_ptr<WebSocketClient> connect(Wire wire);
  // The terminal as a viewer sees it that comes now, and looks on until `wanted` holds.
  std::unique_ptr<Seat> look_at(const std::string& id,
                                const std::function<bool(Seat&)>& wanted = {});
  // The process of a terminal, by a part of its command line.
  pid_t process_with(const std::string& argument) const;
  json::object health();
  std::uint64_t offset_of(const std::string& id);

  std::mt19937 random_{20261115};
  int random_below(int limit) { return static_cast<int>(random_() % static_cast<unsigned>(limit)); }
};

// A number of /proc/PID/status.
[[nodiscard]] std::int64_t status_number(pid_t pid, const std::string& name);

}  // namespace e2e
