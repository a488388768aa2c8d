// The Model Context Protocol over standard input and output, for clients that start their servers:
// each line is posted to the daemon's /mcp (docs/mcp.md).
//
// A call goes on if the daemon is killed or upgraded meanwhile, where that changes nothing twice:
// calls that only read are repeated, and so is input, which gets a key.

#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <boost/json/object.hpp>

#include "base/fd.h"
#include "base/result.h"

namespace cli {

class McpBridge {
 public:
  // `target` is the path with its query. `out` is where answers go, one a line.
  McpBridge(std::string target, int out) : target_(std::move(target)), out_(out) {}
  // Ends the calls that are under way.
  ~McpBridge();
  McpBridge(const McpBridge&) = delete;
  McpBridge& operator=(const McpBridge&) = delete;

  void take(const std::string& line);

 private:
  // What the bridge must know about a tool.
  struct Tool {
    bool only_reads = false;
    bool takes_key = false;
  };
  struct Call {
    std::thread thread;
    base::Fd connection;  // Another descriptor of it, to end it with.
    bool is_cancelled = false;
    bool is_over = false;
  };
  using Number = std::uint64_t;

  void begin(boost::json::object message);
  void run(Number number, boost::json::object message);
  void cancel(const boost::json::value& id);
  [[nodiscard]] bool is_cancelled(Number number);
  // The answer to a request.
  [[nodiscard]] std::string answer(Number number, boost::json::object message);
  // Waits for a daemon.
  [[nodiscard]] base::Result<base::Fd> connect(Number number);
  // Fails with `unavailable` if the message may have arrived.
  [[nodiscard]] base::Result<std::string> post(Number number, const boost::json::object& message);
  // Whether the message may be sent again after it may have arrived. Gives input a key.
  [[nodiscard]] bool can_repeat(Number number, boost::json::object& message);
  [[nodiscard]] std::optional<Tool> tool(Number number, const std::string& name);
  void forget_finished();
  void write(const std::string& line);

  const std::string target_;
  const int out_;
  std::mutex mutex_;  // Of what follows.
  Number last_ = 0;
  std::map<Number, Call> calls_;
  std::map<std::string, Number> by_id_;  // By the client's id, as JSON.
  std::map<std::string, Tool> tools_;
  std::mutex writing_;
};

}  // namespace cli
