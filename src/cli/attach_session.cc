// The side of the daemon: connections, and what comes through them.

#include "cli/attach_session.h"

#include <algorithm>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/json.hpp>

#include "cli/connect.h"
#include "daemon/control_connection.h"

namespace cli {

namespace asio = boost::asio;
namespace json = boost::json;
using holdfast::count_in;
using holdfast::text_in;
using std::chrono::milliseconds;
using wire::native::FrameKind;

namespace {

constexpr auto kNoThrow = asio::as_tuple(asio::use_awaitable);

// Most often the socket is there and only its daemon is not; then the connection itself waits.
// These are for when there is no socket.
constexpr milliseconds kFirstPause{20};
constexpr milliseconds kLongestPause{500};
// A daemon that is restarted or upgraded is back sooner: then there is nothing to say.
constexpr milliseconds kNoticeAfter{1000};
// For the outer terminal. After that it is not waited for.
constexpr milliseconds kTimeToAnswer{1000};

OuterSize size_in(const json::object& data) {
  return {.cols = static_cast<int>(count_in(data, "cols")),
          .rows = static_cast<int>(count_in(data, "rows"))};
}

vt::Size as_screen(OuterSize size) {
  return {.cols = size.cols, .rows = size.rows};
}

bool is_true(const json::object& data, const char* key) {
  const json::value* const value = data.if_contains(key);
  return value != nullptr && value->is_bool() && value->get_bool();
}

}  // namespace

AttachSession::AttachSession(OuterTerminal& outer, Options options)
    : outer_(outer),
      options_(std::move(options)),
      tasks_(io_.get_executor()),
      ended_(io_.get_executor()),
      input_(io_),
      view_(outer, io_.get_executor()),
      menu_(options_.keys.menu_key()),
      signals_(io_),
      until_notice_(io_),
      until_left_(io_),
      until_key_(io_),
      until_answered_(io_) {}

base::Result<AttachEnding> AttachSession::run() {
  auto input = base::duplicate(outer_.input());
  if (!input) return base::fail(input.error());
  input_.assign(input->release());
  if (auto started = view_.start(); !started) return base::fail(started.error());
  outer_.write_now(ask_colours());
  until_answered_.expires_after(kTimeToAnswer);
  asio::co_spawn(
      io_, [this]() -> Task<> { co_await attend(); },
      [](const std::exception_ptr& error) {
        if (error) std::rethrow_exception(error);
      });
  io_.run();
  return *std::move(ending_);
}

AttachSession::Task<> AttachSession::attend() {
  start(&AttachSession::watch_signals);
  start(&AttachSession::read_keys);
  start(&AttachSession::stay_connected);
  while (!ending_) co_await ended_.wait();
  if (connection_) connection_->abort();
  co_await wait_for_answers();
  tasks_.cancel();
  co_await tasks_.join();
  until_notice_.cancel();
  until_left_.cancel();
  until_key_.cancel();
  view_.finish();
}

void AttachSession::start(Task<> (AttachSession::*task)()) {
  tasks_.spawn([this, task]() -> Task<> {
    try {
      co_await (this->*task)();
    } catch (const std::exception& error) {
      fail({.code = base::Code::io, .what = error.what(), .advice = ""});
    }
  });
}

void AttachSession::end(std::string says, int status) {
  if (!ending_) ending_ = AttachEnding{.says = std::move(says), .status = status};
  ended_.notify();
}

void AttachSession::fail(base::Error error) {
  if (!ending_) ending_ = base::fail(std::move(error));
  ended_.notify();
}

// --- connections ---

AttachSession::Task<> AttachSession::stay_connected() {
  asio::steady_timer pause(io_);
  milliseconds length = kFirstPause;
  for (;;) {
    const base::Error why = co_await converse();
    is_talking_ = false;
    if (channel_ != 0) length = kFirstPause;
    if (why.code == base::Code::permission_denied) co_return fail(why);
    lost_connection();
    pause.expires_after(length);
    (void)co_await pause.async_wait(kNoThrow);
    length = std::min(2 * length, kLongestPause);
  }
}

// Returns why it ended.
AttachSession::Task<base::Error> AttachSession::converse() {
  connection_ = std::make_shared<NativeConnection>(io_.get_executor());
  const auto opened = co_await connection_->open();
  if (!opened) {
    // After `holdfast stop --all` nobody has the terminal any more, and waiting is no use.
    if (opened.error().code == base::Code::unavailable && is_nothing_held())
      end("[" + options_.terminal.label + " has ended: Holdfast was stopped]", 1);
    co_return opened.error();
  }
  is_talking_ = true;
  tell_colours();
  // The terminal may have been closed in the meantime, or made again, with offsets that start at 0.
  if (offset_)
    connection_->send("list", {}, kList);
  else
    attach(false);
  for (;;) {
    auto message = co_await connection_->receive();
    if (!message) co_return message.error();
    co_await handle(*std::move(message));
  }
}

void AttachSession::lost_connection() {
  if (detaches_) return detach();
  channel_ = 0;
  next_.reset();
  if (std::exchange(is_lost_, true)) return;
  until_notice_.expires_after(kNoticeAfter);
  until_notice_.async_wait([this](const boost::system::error_code& error) {
    if (!error && channel_ == 0) show_notice();
  });
}

void AttachSession::show_notice() {
  // Whatever restarts the daemon had its time.
  start_if_none();
  if (!offset_) return;
  notice_is_shown_ = true;
  kept_input_.clear();
  show_cover();
}

// --- messages ---

AttachSession::Task<> AttachSession::handle(Message message) {
  const std::string& type = message.type;
  const json::object& data = message.data;
  if (type.empty()) {
    co_await draw(std::move(message));
  } else if (type == "attached") {
    message.request == kSwitch ? switched(data) : attached(data);
  } else if (type == "terminals") {
    message.request == kChoices ? show_choices(data) : check_listed(data);
  } else if (type == "created") {
    created(message);
  } else if (type == "resized") {
    resized(data);
  } else if (type == "detached") {
    detached(message);
  } else if (type == "error") {
    refused(message);
  } else if (text_in(data, "terminalId") != options_.terminal.id) {
    co_return;
  } else if (type == "exited") {
    const auto code = static_cast<int>(count_in(data, "exitCode"));
    co_await program_ended("[exited with " + std::to_string(code) + "]", code);
  } else if (type == "closed") {
    co_await program_ended("[" + options_.terminal.label + " was closed]",
                           static_cast<int>(count_in(data, "exitCode")));
  } else if (type == "renamed") {
    options_.terminal.label =
        label_of(options_.terminal.id, options_.terminal.session, text_in(data, "name"));
  }
}

AttachSession::Task<> AttachSession::draw(Message message) {
  if (message.header.channel != channel_) co_return;
  offset_ = message.header.offset;
  if (message.header.kind == FrameKind::snapshot)
    co_await view_.show_snapshot(terminal_size_, message.payload);
  else
    co_await view_.show_output(message.payload);
  if (view_.is_gone()) end("[the terminal was closed]", 1);
}

AttachSession::Task<> AttachSession::program_ended(std::string says, int status) {
  co_await view_.flush();
  end(std::move(says), status);
}

void AttachSession::attach(bool resumes) {
  json::object data = attachment_to(options_.terminal);
  if (resumes && offset_) data["since"] = *offset_;
  connection_->send("attach", std::move(data), kAttach);
}

json::object AttachSession::attachment_to(const AttachTarget& terminal) {
  const OuterSize size = outer_.size();
  sizes_ = {size};
  return {{"terminalId", terminal.id},
          {"rows", size.rows},
          {"cols", size.cols},
          {"role", options_.is_read_only ? "view" : "control"}};
}

void AttachSession::attached(const json::object& data) {
  until_notice_.cancel();
  is_lost_ = false;
  channel_ = static_cast<std::uint32_t>(count_in(data, "channel"));
  terminal_size_ = as_screen(size_in(data));
  is_sized_by_others_ = size_in(data) != sizes_.back();
  notice_is_shown_ = false;
  // A snapshot comes by itself, and goes where the notice was.
  if (is_true(data, "resumed"))
    show_cover();
  else if (!menu_.is_open())
    view_.uncover();
  follow_size();
  type_kept();
}

void AttachSession::detached(const Message& message) {
  if (message.request == kDetach) return end("[detached from " + options_.terminal.label + "]", 0);
  if (count_in(message.data, "channel") != channel_) return;
  channel_ = 0;
  if (text_in(message.data, "reason") == "takeover")
    return end("[detached from " + options_.terminal.label + ": another client took over]", 0);
  connection_->send("list", {}, kList);  // Was it closed, or lost?
}

// A terminal that others size is drawn as well as it can be. When it has this size again, it is
// drawn anew.
void AttachSession::resized(const json::object& data) {
  if (count_in(data, "channel") != channel_) return;
  terminal_size_ = as_screen(size_in(data));
  view_.resize(terminal_size_);
  const auto found = std::ranges::find(sizes_, size_in(data));
  if (found == sizes_.end()) {
    is_sized_by_others_ = true;
    return;
  }
  sizes_.erase(sizes_.begin(), found);
  if (is_sized_by_others_ && sizes_.size() == 1) redraw();
}

// The new viewer is there before the old one goes. Otherwise another client would have the terminal
// for a moment, in its own size, and would be drawn anew in turn.
void AttachSession::redraw() {
  if (channel_ == 0 || detaches_) return;
  const std::uint32_t old = std::exchange(channel_, 0);
  attach(false);
  connection_->send("detach", {{"channel", old}});
}

void AttachSession::refused(const Message& message) {
  // Input was refused, because the program reads none and too much is waiting. There is no place to
  // say so.
  if (message.request == 0) return outer_.write_now("\a");
  if (message.request >= kChoices) return refused_choice(message);
  if (text_in(message.data, "code") == "not_found")
    return end("[" + options_.terminal.label + " was closed]", 1);
  fail({.code = base::Code::unavailable,
        .what = text_in(message.data, "error"),
        .advice = text_in(message.data, "details")});
}

void AttachSession::check_listed(const json::object& data) {
  const json::value* const terminals = data.if_contains("terminals");
  if (terminals == nullptr || !terminals->is_array()) return;
  for (const json::value& each : terminals->get_array()) {
    if (!each.is_object()) continue;
    const json::object& terminal = each.get_object();
    if (text_in(terminal, "terminalId") != options_.terminal.id) continue;
    if (text_in(terminal, "status") == "restorable")
      return fail({.code = base::Code::unavailable,
                   .what = "the terminal " + options_.terminal.label + " was lost with its keeper",
                   .advice = "Start it again with: holdfast attach " + options_.terminal.id});
    const std::string created = text_in(terminal, "createdAt");
    const bool is_same = std::exchange(options_.terminal.created_at, created) == created;
    return attach(is_same && !view_.is_behind());
  }
  end("[" + options_.terminal.label + " was closed]", 1);
}

}  // namespace cli
