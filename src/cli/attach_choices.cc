// What a person chooses in the menu.

#include <boost/json.hpp>

#include "cli/attach_session.h"
#include "daemon/control_connection.h"

namespace cli {

namespace json = boost::json;
using holdfast::text_in;

namespace {

constexpr const char* kNotConnected = "Not connected: waiting for the daemon.";

}  // namespace

void AttachSession::choose(AttachMenu::Item item) {
  using Item = AttachMenu::Item;
  if (item == Item::detach || detaches_) return detach();
  const bool needs_daemon = item == Item::list || item == Item::create || item == Item::go;
  if (needs_daemon && channel_ == 0) return say(kNotConnected);
  switch (item) {
    case Item::open:
      menu_.open();
      show_cover();
      break;
    case Item::list:
      connection_->send("list", {}, kChoices);
      break;
    case Item::create:
      connection_->send("create", new_terminal(options_.terminal.session, outer_.size()), kCreate);
      break;
    case Item::go:
      go_to(menu_.chosen());
      break;
    case Item::read_only:
      change_role();
      break;
    case Item::quote:
      close_menu();
      if (!options_.is_read_only) type(options_.keys.quoted());
      break;
    case Item::close:
    case Item::detach:
      close_menu();
      break;
  }
}

// Exited terminals are left out: there is nothing to do in them.
void AttachSession::show_choices(const json::object& data) {
  std::vector<AttachMenu::Entry> entries;
  const json::value* const terminals = data.if_contains("terminals");
  if (terminals == nullptr || !terminals->is_array()) return;
  for (const json::value& each : terminals->get_array()) {
    if (!each.is_object()) continue;
    const json::object& terminal = each.get_object();
    const std::string status = text_in(terminal, "status");
    if (status == "exited") continue;
    AttachTarget target = described(terminal);
    const bool is_current = target.id == options_.terminal.id;
    if (target.label == target.id) target.label = target.session + ":" + target.id;
    entries.push_back({.target = std::move(target),
                       .program = program_of(terminal),
                       .is_current = is_current,
                       .is_restorable = status == "restorable"});
  }
  menu_.show_list(std::move(entries));
  show_cover();
}

void AttachSession::go_to(const AttachMenu::Entry& entry) {
  if (entry.is_current) return close_menu();
  const OuterSize size = outer_.size();
  if (entry.is_restorable)
    return connection_->send(
        "restore", {{"terminalId", entry.target.id}, {"rows", size.rows}, {"cols", size.cols}},
        kRestore);
  switch_to(entry.target);
}

void AttachSession::created(const Message& message) {
  const json::value* const terminal = message.data.if_contains("terminal");
  if ((message.request == kCreate || message.request == kRestore) && terminal != nullptr &&
      terminal->is_object())
    switch_to(described(terminal->get_object()));
}

// The terminal that is shown stays until the other one is attached, which may be gone by now.
void AttachSession::switch_to(AttachTarget target) {
  connection_->send("attach", attachment_to(target), kSwitch);
  next_ = std::move(target);
}

void AttachSession::switched(const json::object& data) {
  if (!next_) return;
  if (channel_ != 0) connection_->send("detach", {{"channel", channel_}});
  options_.terminal = *std::exchange(next_, {});
  offset_.reset();
  kept_input_.clear();
  menu_.close();
  view_.begin_another();
  attached(data);
}

void AttachSession::change_role() {
  options_.is_read_only = !options_.is_read_only;
  if (channel_ != 0)
    connection_->send("role",
                      {{"channel", channel_}, {"role", options_.is_read_only ? "view" : "control"}},
                      kRole);
  if (options_.is_read_only)
    say("Read-only: nothing that you type is sent.");
  else
    close_menu();
}

void AttachSession::refused_choice(const Message& message) {
  if (message.request == kRole) options_.is_read_only = true;
  if (message.request == kSwitch) next_.reset();
  say("That failed: " + text_in(message.data, "error") + ".");
}

void AttachSession::say(std::string message) {
  menu_.say(std::move(message.append(" Press any key.")));
  show_cover();
}

void AttachSession::close_menu() {
  menu_.close();
  show_cover();
}

// A menu hides a notice.
void AttachSession::show_cover() {
  if (menu_.is_open())
    return view_.cover(menu_.picture(outer_.size(), {.label = options_.terminal.label,
                                                     .key = options_.keys.in_words(),
                                                     .is_read_only = options_.is_read_only}));
  if (notice_is_shown_) {
    const std::string keys = options_.keys.to_detach();
    return view_.cover({.lines = {kNotConnected + (keys.empty() ? "" : " " + keys + " detaches.")},
                        .selected = {}});
  }
  if (!view_.is_covered() || ending_) return;
  view_.uncover();
  if (view_.is_behind() || !view_.fits()) redraw();
  start(&AttachSession::flush_view);
}

AttachSession::Task<> AttachSession::flush_view() {
  co_await view_.flush();
}

}  // namespace cli
