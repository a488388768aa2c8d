// The daemon's connection to the keeper.
//
// Invariants
// 1. It is used from the thread that runs its executor.
// 2. A lost connection ends the requests that wait for an answer, with `unavailable`, and nothing
//    else: it says nothing about any child. The client connects and claims again by itself, and
//    tells when it is back; then `list` shows what became of the children meanwhile.
// 3. Once another daemon owns the children, the client stays disconnected and says so: `displaced`.
// 4. What it listens on, its keeper holds: a new keeper is given the sockets before `back`.
// 5. Before it is destroyed, `stop` has been awaited.

#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>

#include "base/fd.h"
#include "base/result.h"
#include "base/task_scope.h"
#include "journal/consumer.h"
#include "keeper/confinement.h"
#include "keeper/listeners.h"
#include "keeper/protocol.h"
#include "keeper/socket.h"

namespace terminal {

using keeper::ChildId;

// How a child ended: the status, and the offset in its output at which it did.
struct ChildExit {
  keeper::Exit status;
  journal::Offset offset = 0;
};

struct ChildInfo {
  ChildId id;
  keeper::Kind kind = keeper::Kind::terminal;
  keeper::State state = keeper::State::running;
  pid_t pid = 0;
  std::uint16_t rows = 0;
  std::uint16_t cols = 0;
  std::chrono::system_clock::time_point created;
  std::vector<std::string> argv;
  std::string label;
  std::optional<ChildExit> exit;
  std::optional<uid_t> uid;  // None: it runs as the keeper does.
};

struct AttachedChild {
  ChildInfo info;
  journal::Consumer journal;
  base::Fd input;  // The PTY master: write input, set the size. Invalid for a process, or when the
                   // PTY is gone.
};

struct SpawnRequest {
  ChildId id;
  keeper::Kind kind = keeper::Kind::terminal;
  std::vector<std::string> argv;
  std::vector<std::string> env;  // None: the keeper's own, cleaned.
  std::string cwd = "/";
  std::uint16_t rows = 24;
  std::uint16_t cols = 80;
  std::string label;  // Comes back with the child, for a daemon that has forgotten everything.
  std::optional<std::uint64_t> replay;   // PTY_OUTPUT_BUFFER_SIZE
  std::optional<std::uint64_t> history;  // Bytes that lines that scrolled off take at rest.
  keeper::Confinement confinement;       // An older keeper that knows of none runs nothing.
};

struct HeldListener {
  std::string address;  // As bound: the port is known.
  base::Fd socket;
};

struct KeeperInfo {
  std::string version;
  std::uint64_t revision = 0;  // Of the protocol: what it knows of what was added.
  pid_t pid = 0;
};

enum class Takeover { no, yes };

class KeeperClient {
 public:
  struct Events {
    std::function<void(const ChildId& id, const ChildExit& exit)> exited;
    std::function<void(std::chrono::milliseconds grace)>
        let_go;  // Another daemon takes over: yield, or be killed.
    std::function<void(const base::Error& why)> lost;  // The connection, not the children.
    std::function<void()> unreachable;                 // An attempt to connect again has failed.
    std::function<void()> back;                        // Connected and owner again.
    std::function<void(const base::Error& why)> displaced;  // Another daemon owns the children.
  };

  KeeperClient(boost::asio::any_io_executor executor, std::filesystem::path runtime_dir,
               Events events);
  ~KeeperClient();

  // Connects and becomes the owner. `busy` if another daemon is, and takeover was not asked for.
  boost::asio::awaitable<base::Status> start(Takeover takeover);
  // Disconnects and waits for everything it started. The children stay.
  boost::asio::awaitable<void> stop();

  boost::asio::awaitable<base::Result<KeeperInfo>> hello();
  boost::asio::awaitable<base::Result<std::vector<ChildInfo>>> list();
  boost::asio::awaitable<base::Result<AttachedChild>> attach(ChildId id);
  boost::asio::awaitable<base::Result<AttachedChild>> spawn(SpawnRequest request);
  // Ends a child, if it runs, and forgets it. Returns when nothing of it is left.
  boost::asio::awaitable<base::Status> close(ChildId id,
                                             std::optional<std::chrono::milliseconds> grace = {});
  boost::asio::awaitable<base::Result<HeldListener>> listen(std::string address);
  boost::asio::awaitable<base::Status> unlisten(std::string address);
  // The keeper closes every socket that this client did not ask for, of a daemon before it say.
  boost::asio::awaitable<base::Status> listen_nowhere_else();
  // It closes all of them.
  boost::asio::awaitable<base::Status> listen_nowhere();
  // Lets go of the children; another daemon may be granted them from here on.
  boost::asio::awaitable<base::Status> yield();
  // The keeper becomes the program at `path`, or the one it was started from if that is empty.
  boost::asio::awaitable<base::Result<KeeperInfo>> upgrade(std::filesystem::path path);

 private:
  struct Answer {
    keeper::Message message;
    std::vector<base::Fd> descriptors;
    bool is_short_of_descriptors = false;
  };
  struct Pending;
  struct Link;

  boost::asio::awaitable<base::Status> connect(Takeover takeover);
  boost::asio::awaitable<void> read(std::shared_ptr<Link> link);
  boost::asio::awaitable<void> reconnect();
  // `descriptor` goes along, unless it is -1; it stays the caller's.
  boost::asio::awaitable<base::Status> send(std::shared_ptr<Link> link,
                                            std::vector<std::byte> bytes, int descriptor);
  boost::asio::awaitable<base::Result<std::vector<Answer>>> ask_for_all(keeper::Message message,
                                                                        int descriptor = -1);
  boost::asio::awaitable<base::Result<Answer>> ask(keeper::Message message, keeper::Tag wanted);
  boost::asio::awaitable<base::Status> ask_done(keeper::Message message, int descriptor = -1);
  boost::asio::awaitable<base::Status> hand_over_listeners();
  void remember(const std::string& asked, const HeldListener& listener);
  // The child that an answer brings.
  static base::Result<AttachedChild> attached(Answer answer);
  [[nodiscard]] keeper::Message request(keeper::Tag tag);
  void received(keeper::Packet packet);
  void happened(const keeper::Message& event);
  void link_lost(const base::Error& why);

  boost::asio::any_io_executor executor_;
  std::filesystem::path runtime_dir_;
  Events events_;
  base::TaskScope tasks_;
  std::shared_ptr<Link> link_;  // Null while disconnected.
  std::uint32_t last_request_ = 0;
  std::map<std::uint32_t, std::shared_ptr<Pending>> pending_;
  std::vector<std::shared_ptr<const keeper::Listener>> listeners_;  // What it was given.
  bool owns_ = false;  // Granted, and neither yielded nor displaced.
  bool reconnecting_ = false;
  bool stopping_ = false;
};

}  // namespace terminal
