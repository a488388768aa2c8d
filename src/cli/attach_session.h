// Shows a terminal of the daemon in the outer terminal until the person detaches or the program
// ends. If the connection is lost, it comes back by itself.
//
// Invariants
// 1. Every byte of output is drawn once, in order. `offset_` is the offset of the last frame that
//    the view was given; a new connection goes on from there or begins with a snapshot.
// 2. Nothing typed reaches the program twice. What is typed while there is no connection is kept
//    until the person is told that there is none, and dropped from then on.
// 3. Nothing that the outer terminal answers, and no key of the menu, reaches the program.

#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>

#include "base/event.h"
#include "base/task_scope.h"
#include "cli/attach_menu.h"
#include "cli/attach_target.h"
#include "cli/detach_keys.h"
#include "cli/native_connection.h"
#include "cli/outer_answers.h"
#include "cli/outer_terminal.h"
#include "cli/outer_view.h"

namespace cli {

struct AttachEnding {
  std::string says;  // One line for the person.
  int status = 0;    // For the shell.
};

class AttachSession {
 public:
  struct Options {
    AttachTarget terminal;
    DetachKeys keys;
    bool is_read_only = false;
  };

  AttachSession(OuterTerminal& outer, Options options);

  // Returns when it is over. The caller enters the outer terminal before, and leaves it afterwards.
  [[nodiscard]] base::Result<AttachEnding> run();

 private:
  using Message = NativeConnection::Message;
  // The numbers of requests. A detach from a channel that is no longer shown has none.
  enum Request : int {
    kAttach = 1,
    kList,    // After a reconnect.
    kDetach,  // To leave.
    kChoices,
    kCreate,
    kRestore,
    kSwitch,
    kRole,
  };
  template <class T = void>
  using Task = boost::asio::awaitable<T>;

  Task<> attend();
  void start(Task<> (AttachSession::*task)());
  void end(std::string says, int status);
  void fail(base::Error error);

  // The connection (attach_session.cc).
  Task<> stay_connected();
  Task<base::Error> converse();
  void lost_connection();
  void show_notice();
  Task<> handle(Message message);
  Task<> draw(Message message);
  Task<> program_ended(std::string says, int status);
  void attach(bool resumes);
  [[nodiscard]] boost::json::object attachment_to(const AttachTarget& terminal);
  void attached(const boost::json::object& data);
  void detached(const Message& message);
  void resized(const boost::json::object& data);
  void refused(const Message& message);
  void check_listed(const boost::json::object& data);
  void redraw();

  // The person (attach_person.cc).
  Task<> read_keys();
  Task<> watch_signals();
  void come_in(std::string_view bytes);
  void use_typed();
  void end_of_sequence();
  void tell_colours();
  void type(std::string_view bytes);
  void type_kept();
  void detach();
  void follow_size();
  void resume_after_stop();
  Task<> wait_for_answers();

  // The menu (attach_choices.cc).
  void choose(AttachMenu::Item item);
  void show_choices(const boost::json::object& data);
  void create();
  void go_to(const AttachMenu::Entry& entry);
  void switch_to(AttachTarget target);
  void switched(const boost::json::object& data);
  void created(const Message& message);
  void refused_choice(const Message& message);
  void change_role();
  void say(std::string message);
  void close_menu();
  void show_cover();
  Task<> flush_view();

  OuterTerminal& outer_;
  Options options_;
  boost::asio::io_context io_;
  base::TaskScope tasks_;
  base::Event ended_;
  boost::asio::posix::stream_descriptor input_;
  OuterView view_;
  OuterAnswers answers_;
  AttachMenu menu_;
  boost::asio::signal_set signals_;
  boost::asio::steady_timer until_notice_;
  boost::asio::steady_timer until_left_;  // How long the daemon has to answer a detach.
  boost::asio::steady_timer until_key_;   // How long the rest of a sequence may take.
  boost::asio::steady_timer until_answered_;

  std::shared_ptr<NativeConnection> connection_;
  std::uint32_t channel_ = 0;  // 0 while it is not attached.
  vt::Size terminal_size_;     // As the frames of that channel have it.
  std::optional<std::uint64_t> offset_;
  // The sizes that were sent to the daemon: from the one that the terminal has now to the newest.
  std::deque<OuterSize> sizes_;
  bool is_sized_by_others_ = false;
  bool is_talking_ = false;  // It is connected.
  bool is_lost_ = false;     // The connection, since it was last attached.
  bool detaches_ = false;
  bool notice_is_shown_ = false;
  std::string typed_;                 // Not used yet.
  std::string kept_input_;            // For the program, while there is no connection.
  std::optional<AttachTarget> next_;  // What it is about to switch to.
  std::optional<base::Result<AttachEnding>> ending_;
};

}  // namespace cli
