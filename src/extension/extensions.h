// The extensions of all sessions (docs/extensions.md): which code each has, and what it offers,
// holds, shows and asks. The code runs in the runner. The daemon owns identity, registrations,
// records and the log.
//
// Invariants
// 1. Only one task at a time opens, reloads or closes a session. Others wait until it is done.
// 2. A call from code of an old generation is refused and has no effect.
// 3. What a session shows and asks reaches only its own surfaces.
// 4. A resource's record matches the live resource, or says that it is lost.
// 5. Await `stop` before destroying it. The runner stays.

#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/json/value.hpp>

#include "base/fd.h"
#include "base/result.h"
#include "base/task_scope.h"
#include "extension/discovery.h"
#include "extension/processes.h"
#include "extension/rpc.h"
#include "extension/runner.h"
#include "extension/space.h"
#include "extension/surface.h"
#include "session/sessions.h"
#include "session/store.h"

namespace extension {

using session::Isolation;

struct Settings {
  std::vector<std::filesystem::path> paths;
  std::filesystem::path directory;  // With extensions for every session.
  RunnerSettings runner;
  Isolation isolation = Isolation::thread;
  std::uint64_t memory = 256 * 1024 * 1024;  // Per worker.
  std::chrono::milliseconds stuck_after{10'000};
  std::size_t user_commands = 100;  // Shell commands that a user may run at once.
  std::string off{};                // Why extensions are off; empty: they are on.
};

// The result of a line that somebody typed.
struct RunResult {
  std::optional<std::string> text;
  std::optional<int> exit_code;
  std::optional<std::string> session;  // The client should switch to it.
};

// A command or tool call in progress. The caller can follow or cancel it.
struct Call {
  std::string id;
  std::function<void(std::string_view)> progress;
  session::Permit permit{};
};

class Extensions final : private session::Watcher {
 public:
  Extensions(boost::asio::any_io_executor executor, keeper::KeeperClient& keeper,
             session::Store& store, session::Sessions& sessions, Settings settings);
  Extensions(const Extensions&) = delete;
  Extensions& operator=(const Extensions&) = delete;

  // Accepts runners at that socket, adopts what the keeper holds for extensions, and opens sessions
  // in the background.
  boost::asio::awaitable<base::Status> start(base::Fd listener);
  boost::asio::awaitable<void> stop();
  // The methods that runners may call.
  [[nodiscard]] static std::vector<std::string_view> methods();
  // Everything is about to end: closes what extensions hold.
  boost::asio::awaitable<void> quit();
  void set_user_commands(std::size_t most) { settings_.user_commands = most; }
  // The keeper's events.
  void child_exited(const keeper::ChildId& id, const keeper::ChildExit& exit);
  boost::asio::awaitable<void> look_again();

  // From now on the surface shows only that session. Shows what was kept for it.
  void show(Surface& surface, const session::SessionRow& session);
  void hide(Surface& surface);
  // False if this user has no such open question.
  bool answer(const session::UserId& user, const std::string& question, boost::json::value value);

  [[nodiscard]] std::vector<CommandInfo> commands(const session::SessionRow& session);
  [[nodiscard]] std::vector<std::pair<std::string, Tool>> tools(const session::SessionRow& session);
  [[nodiscard]] std::vector<session::ResourceRow> resources(const session::SessionRow& session);

  // `/command arguments` or `! shell command`.
  boost::asio::awaitable<base::Result<RunResult>> run(session::SessionRow session, std::string line,
                                                      Call call);
  boost::asio::awaitable<base::Result<boost::json::value>> call_tool(session::SessionRow session,
                                                                     std::string name,
                                                                     boost::json::value arguments,
                                                                     Call call);
  void cancel(const std::string& call);
  [[nodiscard]] std::string next_call() { return "call-" + std::to_string(++last_call_); }
  // Asks the extensions of the session that the user leaves. `cancelled` if one says no.
  boost::asio::awaitable<base::Status> switch_session(session::SessionRow from, std::string to);
  boost::asio::awaitable<base::Status> close_resource(session::SessionRow session,
                                                      std::string extension, std::string key);

 private:
  struct Method;
  static const Method kMethods[];
  using Json = boost::json::value;
  using Object = boost::json::object;
  using Answer = base::Result<Json>;
  using SpacePtr = std::shared_ptr<Space>;
  template <class T>
  using Awaitable = boost::asio::awaitable<T>;

  // The calling code, of one generation.
  struct Caller {
    SpacePtr space;
    session::ExtensionKey key;
  };

  // --- extensions.cc: runners and their sessions
  // --- extensions_loading.cc: opening, reloading, closing
  Awaitable<void> accept(base::Fd listener);
  [[nodiscard]] bool is_from_runner(const std::weak_ptr<Rpc>& link) const;
  Awaitable<void> serve(std::shared_ptr<Rpc> link);
  Awaitable<void> open_all();
  [[nodiscard]] SpacePtr space_of(const session::SessionRow& session);
  [[nodiscard]] SpacePtr space_of(std::string_view session_id);
  [[nodiscard]] bool has_own_runner(const session::SessionRow& session) const;
  [[nodiscard]] bool is_for_somebody(const Runner& runner) const;
  [[nodiscard]] Runner& runner_of(const Space& space);
  [[nodiscard]] Runner& runner_for(const std::string& only);
  void adopt_runner(const ProcessInfo& process);
  void release_when_ended(const std::string& process);
  void watch(Runner& runner);
  void runner_ended(Runner& runner, const std::string& why);
  Awaitable<void> settled(SpacePtr space);
  Awaitable<void> recovered(SpacePtr space);
  [[nodiscard]] std::vector<Found> find_code(const Space& space);
  [[nodiscard]] std::vector<Instance> discover(const Space& space);
  // From now on, requests to the session wait until it is open.
  void open_soon(const SpacePtr& space, std::string reason);
  Awaitable<void> open(SpacePtr space, std::string reason);
  Awaitable<std::string> reload(SpacePtr space);
  Awaitable<std::string> load_again(SpacePtr space, std::string reason);
  Awaitable<void> close(SpacePtr space, std::string reason);
  Awaitable<void> close_to_the_end(SpacePtr space);
  [[nodiscard]] std::string take_outcomes(Space& space, const Json& result);
  // `extension`: the one at fault; empty if unknown.
  void worker_ended(const SpacePtr& space, const std::string& reason, const std::string& detail,
                    const std::string& extension = {});
  [[nodiscard]] bool may_restart(Space& space, const std::string& extension,
                                 const std::string& why);
  void registered(Space& space);
  void set_were(const Space& space, session::ExtensionsWere what);
  [[nodiscard]] Object describe(const Space& space) const;

  // --- extensions_hello.cc: a runner connects
  Answer hello(const std::shared_ptr<Rpc>& link, pid_t peer, const Object& params);
  void announced(const SpacePtr& space, const Object& what);

  // --- extensions_renewal.cc: a runner that an earlier daemon started with another Node
  Awaitable<std::vector<SpacePtr>> renew(Runner& runner);
  [[nodiscard]] std::vector<SpacePtr> spaces_in(const Runner& runner);
  [[nodiscard]] std::string would_lose(const std::vector<SpacePtr>& spaces) const;
  [[nodiscard]] std::optional<std::string> keeps_runner(const Runner& runner,
                                                        const base::Result<Node>& node);
  void remark(Runner& runner, const std::string& text);

  // --- extensions_guards.cc: extensions that must decide
  void read_guards(Space& space);
  void declared(Space& space, const std::string& extension, session::EventNames events);
  [[nodiscard]] base::Error refusal(const Space& space, std::string_view event,
                                    const std::string& extension, const std::string& reason);
  [[nodiscard]] base::Status all_can_decide(Space& space, std::string_view event);
  [[nodiscard]] base::Result<Json> without_answer(const Space& space, std::string_view event,
                                                  const base::Error& why);
  [[nodiscard]] base::Result<Json> as_decision(const Space& space, std::string_view event,
                                               Json answer);
  void add_absent_guards(Space& space);

  // --- extensions_requests.cc: requests from the runner
  // --- extensions_held.cc: those about terminals and processes
  Awaitable<Answer> request(std::weak_ptr<Rpc> link, pid_t peer, std::string method, Object params);
  void notified(std::string_view method, const Object& params);
  void loaded(Space& space, const Object& params);
  [[nodiscard]] base::Result<Caller> caller_of(const Object& params);
  Awaitable<Answer> ui_notify(Caller caller, Object params);
  Awaitable<Answer> ui_ask(Caller caller, Object params);
  Awaitable<Answer> ui_status(Caller caller, Object params);
  Awaitable<Answer> state_get(Caller caller, Object params);
  Awaitable<Answer> state_set(Caller caller, Object params);
  Awaitable<Answer> state_delete(Caller caller, Object params);
  Awaitable<Answer> state_keys(Caller caller, Object params);
  Awaitable<Answer> terminal_create(Caller caller, Object params);
  Awaitable<Answer> terminal_list(Caller caller, Object params);
  Awaitable<Answer> terminal_write(Caller caller, Object params);
  Awaitable<Answer> terminal_text(Caller caller, Object params);
  Awaitable<Answer> terminal_close(Caller caller, Object params);
  Awaitable<Answer> process_start(Caller caller, Object params);
  Awaitable<Answer> process_output(Caller caller, Object params);
  Awaitable<Answer> process_wait(Caller caller, Object params);
  Awaitable<Answer> process_kill(Caller caller, Object params);
  Awaitable<Answer> process_list(Caller caller, Object params);
  [[nodiscard]] static session::Permit permit_of(const Caller& caller);
  [[nodiscard]] base::Result<session::TerminalEntry*> terminal_of(const Caller& caller,
                                                                  const Object& params);
  [[nodiscard]] base::Result<std::string> process_of(const Caller& caller, const Object& params);

  // --- extensions_resources.cc
  void resource_changed(const Caller& caller, const Object& params);
  void save(const session::ResourceRow& row);
  void forget(Space& space, const Space::ResourceKey& key, const std::string& why);
  void set_state(Space& space, session::ResourceRow& row, session::ResourceState state,
                 const std::string& why);
  void lose_resources(Space& space, const std::string& why);
  Awaitable<base::Status> close_resource(SpacePtr space, Space::ResourceKey key);
  void note(const Space& space, const std::string& subject, std::string_view event,
            const std::string& detail);

  // --- extensions_run.cc: lines that people type
  // --- extensions_shell.cc: shell commands
  // Finishes the work even if its caller is gone.
  template <class T>
  Awaitable<base::Result<T>> to_the_end(std::function<Awaitable<base::Result<T>>()> work);
  Awaitable<base::Result<RunResult>> run_line(SpacePtr space, std::string line, Call call);
  Awaitable<base::Result<RunResult>> run_reload(SpacePtr space);
  Awaitable<Answer> run_tool(SpacePtr space, std::string name, Json arguments, Call call);
  // A shell command in progress: extensions decide about it, then it runs as a process.
  struct Shell {
    std::string process;
    bool is_cancelled = false;
    boost::asio::steady_timer cancelled;  // Never expires; cancelled when the command is.
  };
  Awaitable<base::Result<RunResult>> run_shell(SpacePtr space, std::string command, Call call);
  Awaitable<base::Result<RunResult>> run_shell(SpacePtr space, std::string command, Call call,
                                               std::shared_ptr<Shell> shell);
  Awaitable<base::Result<Json>> ask_about(SpacePtr space, std::string command, std::string call,
                                          std::shared_ptr<Shell> shell);
  Awaitable<base::Result<RunResult>> run_command(SpacePtr space, std::string line, Call call);
  Awaitable<base::Result<RunResult>> run_new(SpacePtr space, std::string args);
  Awaitable<base::Result<RunResult>> run_switch(SpacePtr space, std::string name);
  Awaitable<base::Result<RunResult>> run_disable(SpacePtr space, std::string name);
  Awaitable<base::Result<RunResult>> run_cleanup(SpacePtr space, std::string key, Call call);
  [[nodiscard]] RunResult help(const Space& space) const;
  [[nodiscard]] RunResult list_resources(const Space& space) const;
  [[nodiscard]] base::Result<RunResult> resource_log(const Space& space);

  // --- events
  // `call`: the id to cancel it by, if any. An error means no.
  Awaitable<base::Result<Json>> event(SpacePtr space, std::string name, Object data,
                                      std::string call = {});
  Awaitable<base::Result<Json>> ask_handlers(SpacePtr space, std::string name, Object data,
                                             std::string call);
  void tell(const session::SessionRow& session, std::string name, Object data);
  void tell_terminal(const session::TerminalEntry& held, std::string name);
  Awaitable<void> until_late(std::string call);
  Awaitable<base::Status> before_create(session::SessionRow session, session::TerminalSpec& spec);
  void terminal_created(const session::TerminalEntry& held) override;
  void terminal_renamed(const session::TerminalEntry&) override {}
  void terminals_reordered(const std::vector<const session::TerminalEntry*>&) override {}
  void terminal_exited(const session::TerminalEntry& held) override;
  void terminal_closed(const session::TerminalEntry& held, session::CloseReason reason) override;
  void terminal_attached(const session::TerminalEntry& held) override;
  void terminal_orphaned(const session::TerminalEntry& held) override;
  void session_created(const session::SessionRow& session) override;
  void session_renamed(const session::SessionRow& session, const std::string& old_name) override;
  void session_closed(const session::SessionRow& session) override;

  // --- extensions_ui.cc
  void notify(Space& space, const std::string& level, const std::string& text);
  Awaitable<Json> ask(SpacePtr space, QuestionInfo info, std::string call);
  void close_questions(Space& space);
  void close_questions(const std::string& call);
  void drop_shown(Space& space);
  void drop_status(Space& space, const std::string& extension);
  [[nodiscard]] bool asks(const std::string& call) const;

  boost::asio::any_io_executor executor_;
  keeper::KeeperClient& keeper_;
  session::Store& store_;
  session::Sessions& sessions_;
  Settings settings_;
  Processes processes_;
  base::TaskScope tasks_;
  base::TaskScope connections_;  // Of runners; each ends when its link is closed.
  std::set<std::shared_ptr<Rpc>> links_;
  bool opened_all_ = false;  // Until then, which sessions have a worker is unknown.
  std::map<std::string, SpacePtr, std::less<>> spaces_;  // By the session's id.
  // By `only`: the session's id, or empty for the shared one.
  std::map<std::string, std::unique_ptr<Runner>, std::less<>> runners_;
  // Progress callbacks, by call.
  std::map<std::string, std::function<void(std::string_view)>> calls_;
  // Events being decided, by call: the time since when no question of theirs has been open.
  std::map<std::string, std::chrono::steady_clock::time_point> deciding_;
  std::map<std::string, std::shared_ptr<Shell>> shells_;  // By call.
  std::map<session::UserId, std::size_t> shells_of_;      // Number per user, never 0.
  boost::asio::steady_timer settled_;  // Never expires; cancelled when a session has settled.
  std::uint64_t last_call_ = 0;
};

template <class T>
boost::asio::awaitable<base::Result<T>> Extensions::to_the_end(
    std::function<Awaitable<base::Result<T>>()> work) {
  struct Shared {
    std::optional<base::Result<T>> result;
    boost::asio::steady_timer done;  // Never expires; cancelled when there is a result.
  };
  const auto shared = std::make_shared<Shared>(
      Shared{.result = {}, .done = {executor_, boost::asio::steady_timer::time_point::max()}});
  tasks_.spawn([shared, work]() -> Awaitable<void> {
    shared->result = co_await work();
    shared->done.cancel();
  });
  while (!shared->result) {
    co_await shared->done.async_wait(boost::asio::as_tuple(boost::asio::use_awaitable));
    const auto state = co_await boost::asio::this_coro::cancellation_state;
    if (state.cancelled() != boost::asio::cancellation_type::none)
      co_return base::fail(base::Code::unavailable, "the caller is gone");
  }
  co_return *std::move(shared->result);
}

}  // namespace extension
