// Somebody who knocks all the time, to find the moment in which the door is closed.

#pragma once

#include <atomic>
#include <thread>

#include "end_to_end/web_client.h"

namespace e2e {

// Asks for /health over a fresh connection, again and again, and counts how it went.
class Visitor {
 public:
  explicit Visitor(int port) : thread_([this, port] { visit(port); }) {}
  ~Visitor() { stop(); }
  void stop() {
    stopping_ = true;
    if (thread_.joinable()) thread_.join();
  }
  [[nodiscard]] int served() const { return served_; }
  [[nodiscard]] int refused() const { return refused_; }
  [[nodiscard]] int broken() const { return broken_; }

 private:
  void visit(int port) {
    while (!stopping_) {
      try {
        if (http_get(port, "/health").status == 200) ++served_;
      } catch (const boost::system::system_error& error) {
        ++(error.code() == boost::system::errc::connection_refused ? refused_ : broken_);
      }
    }
  }

  std::atomic<bool> stopping_ = false;
  std::atomic<int> served_ = 0;
  std::atomic<int> refused_ = 0;
  std::atomic<int> broken_ = 0;
  std::thread thread_;
};

}  // namespace e2e
