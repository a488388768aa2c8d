// The daemon's connection to the keeper.
//
// Invariants
// 1. Only the thread that runs its executor uses it.
// 2. When the connection is lost, pending requests fail with `unavailable`, and that is all: it
//    says nothing about any child. The client reconnects and claims again by itself, and then calls
//    `back`. After that, `list` shows what became of the children.
// 3. Once another daemon owns the children, the client stays disconnected and calls `displaced`.
// 4. The keeper always holds the sockets that the client listens on: a new keeper gets them before
//    `back`.
// 5. `stop` must have been awaited before destruction.

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
#include "keeper_protocol/confinement.h"
#include "keeper_protocol/listener.h"
#include "keeper_protocol/protocol.h"
#include "keeper_protocol/socket.h"

namespace keeper {

// How a child ended, and at which offset in its output.
struct ChildExit {
  Exit status;
  journal::Offset offset = 0;
};

struct ChildInfo {
  ChildId id;
  Kind kind = Kind::terminal;
  State state = State::running;
  pid_t pid = 0;
  std::uint16_t rows = 0;
  std::uint16_t cols = 0;
  std::chrono::system_clock::time_point created;
  std::vector<std::string> argv;
  std::string label;
  std::optional<ChildExit> exit;
  std::optional<uid_t> uid;  // None: it runs as the keeper's account.
};

struct AttachedChild {
  ChildInfo info;
  journal::Consumer journal;
  base::Fd memory;  // The journal's; its file position belongs to the journal's input area.
  // The PTY master, to write input and set the size. Invalid for a plain process, or when the PTY
  // is gone.
  base::Fd input;
};

// The memory in which the daemon keeps a terminal's scrolled-off lines: a ring, and a store for
// what is compressed. The keeper only provides it.
struct HistorySpace {
  std::uint64_t ring = 0;
  std::uint64_t store = 0;
  bool has_input_area = false;  // Room for keyed input and the lease, besides.
};

struct SpawnRequest {
  ChildId id;
  Kind kind = Kind::terminal;
  std::vector<std::string> argv;
  std::vector<std::string> env;  // Empty: the keeper's own, cleaned.
  std::string cwd = "/";
  std::uint16_t rows = 24;
  std::uint16_t cols = 80;
  std::string label;  // Comes back with the child, for a daemon that lost its store.
  std::optional<std::uint64_t> replay;  // PTY_OUTPUT_BUFFER_SIZE
  std::optional<HistorySpace> history;
  Confinement confinement;  // A keeper too old to support it refuses to run anything.
};

struct ListeningSocket {
  std::string address;  // As bound, with the actual port.
  base::Fd socket;
};

struct KeeperInfo {
  std::string version;
  std::uint64_t revision = 0;  // Of the protocol.
  pid_t pid = 0;
};

enum class Takeover { no, yes };

class KeeperClient {
 public:
  struct Events {
    std::function<void(const ChildId& id, const ChildExit& exit)> exited;
    // Another daemon is taking over: yield, or be killed.
    std::function<void(std::chrono::milliseconds grace)> let_go;
    std::function<void(const base::Error& why)> lost;  // The connection is lost, not the children.
    std::function<void()> unreachable;                 // An attempt to reconnect has failed.
    std::function<void()> back;                        // Connected and owner again.
    std::function<void(const base::Error& why)> displaced;  // Another daemon owns the children.
  };

  KeeperClient(boost::asio::any_io_executor executor, std::filesystem::path runtime_dir,
               Events events);
  ~KeeperClient();

  // Connects and becomes the owner. `busy` if another daemon is the owner and `takeover` is no.
  boost::asio::awaitable<base::Status> start(Takeover takeover);
  // Disconnects and waits for everything it started. The children stay.
  boost::asio::awaitable<void> stop();

  boost::asio::awaitable<base::Result<KeeperInfo>> hello();
  boost::asio::awaitable<base::Result<std::vector<ChildInfo>>> list();
  boost::asio::awaitable<base::Result<AttachedChild>> attach(ChildId id);
  boost::asio::awaitable<base::Result<AttachedChild>> spawn(SpawnRequest request);
  // Ends the child if it runs, and forgets it. Returns once nothing of it is left.
  boost::asio::awaitable<base::Status> close(ChildId id,
                                             std::optional<std::chrono::milliseconds> grace = {});
  boost::asio::awaitable<base::Result<ListeningSocket>> listen(std::string address);
  boost::asio::awaitable<base::Status> unlisten(std::string address);
  // Has the keeper close every socket that this client did not ask for, those of an earlier daemon
  // for example.
  boost::asio::awaitable<base::Status> listen_nowhere_else();
  // Has the keeper close all of them.
  boost::asio::awaitable<base::Status> listen_nowhere();
  // Lets go of the children. From now on another daemon may be granted them.
  boost::asio::awaitable<base::Status> yield();
  // The keeper becomes the program at `path`, or the one it was started from if that is empty.
  boost::asio::awaitable<base::Result<KeeperInfo>> upgrade(std::filesystem::path path);

 private:
  struct Answer {
    Message message;
    std::vector<base::Fd> descriptors;
    bool is_short_of_descriptors = false;
  };
  struct Pending;
  struct Link;

  boost::asio::awaitable<base::Status> connect(Takeover takeover);
  boost::asio::awaitable<void> read(std::shared_ptr<Link> link);
  boost::asio::awaitable<void> reconnect();
  // Sends `descriptor` along, unless it is -1. The caller still owns it.
  boost::asio::awaitable<base::Status> send(std::shared_ptr<Link> link,
                                            std::vector<std::byte> bytes, int descriptor);
  boost::asio::awaitable<base::Result<std::vector<Answer>>> ask_for_all(Message message,
                                                                        int descriptor = -1);
  boost::asio::awaitable<base::Result<Answer>> ask(Message message, Tag wanted);
  boost::asio::awaitable<base::Status> ask_done(Message message, int descriptor = -1);
  boost::asio::awaitable<base::Status> hand_over_listeners();
  void remember(const std::string& asked, const ListeningSocket& listener);
  // The child in an answer.
  static base::Result<AttachedChild> attached(Answer answer);
  [[nodiscard]] Message request(Tag tag);
  void received(Packet packet);
  void happened(const Message& event);
  void link_lost(const base::Error& why);

  boost::asio::any_io_executor executor_;
  std::filesystem::path runtime_dir_;
  Events events_;
  base::TaskScope tasks_;
  std::shared_ptr<Link> link_;  // Null while disconnected.
  std::uint32_t last_request_ = 0;
  std::map<std::uint32_t, std::shared_ptr<Pending>> pending_;
  std::vector<std::shared_ptr<const Listener>> listeners_;  // The sockets that `listen` returned.
  bool owns_ = false;  // Granted, and neither yielded nor displaced.
  bool reconnecting_ = false;
  bool stopping_ = false;
};

}  // namespace keeper
