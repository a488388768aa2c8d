#include "end_to_end/survival_fixture.h"

#include <poll.h>
#include <signal.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <stdexcept>

#include "programs/lines.h"
#include "vt/test_difference.h"

namespace e2e {

bool soaking() {
  const char* value = std::getenv("HOLDFAST_SOAK");
  return value != nullptr && std::string_view(value) == "1";
}

int a_tenth_unless_soaking(int count) {
  return soaking() ? count : std::max(count / 10, 1);
}

// --- what a client shows
// ---------------------------------------------------------------------------------------------

Mirror::Mirror(vt::Size size, std::size_t history)
    : ring_(history), screen_(std::make_unique<vt::Screen>(size)) {
  screen_->attach_history(vt::History(ring_));
}

std::vector<std::string> Mirror::lines() const {
  std::vector<std::string> lines;
  std::istringstream text(vt::text(*screen_, {.history_rows = vt::kAllHistory}));
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

std::string difference(const Mirror& a, const Mirror& b) {
  return vt::describe_difference(a.screen().state(), b.screen().state());
}

Numbered numbered(const Mirror& mirror) {
  Numbered found;
  std::vector<std::string> shown = mirror.lines();
  if (shown.empty()) return {.first = 0, .last = 0, .problem = "nothing is shown"};
  const auto number = std::strtoull(shown.front().c_str(), nullptr, 10);
  found.first = found.last = number;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const std::string expected = lines::text(number + i);
    if (shown[i] == expected) {
      found.last = number + i;
    } else if (i + 1 < shown.size() || !expected.starts_with(shown[i])) {
      found.problem = "line " + std::to_string(i) + " of " + std::to_string(shown.size()) +
                      " is \"" + shown[i] + "\", not \"" + expected + "\"";
      return found;
    }
  }
  return found;
}

// --- a seat
// ----------------------------------------------------------------------------------------------------------

Seat::Seat(std::string terminal, vt::Size size) : terminal_(std::move(terminal)), size_(size) {}

void Seat::sit(std::unique_ptr<WebSocketClient> client, Wire wire, Begin begin) {
  client_ = std::move(client);
  wire_ = wire;
  attached_ = false;
  const auto since = begin == Begin::resume ? offset_ : std::nullopt;
  if (wire == Wire::compatible)
    return client_->send(reattach(terminal_, since, size_.rows, size_.cols));
  json::object data{{"terminalId", terminal_}, {"rows", size_.rows}, {"cols", size_.cols}};
  if (since) data["since"] = *since;
  client_->send(json::object{{"type", "attach"}, {"request", 1}, {"data", std::move(data)}});
}

void Seat::watch(std::unique_ptr<WebSocketClient> client, Begin begin) {
  client_ = std::move(client);
  wire_ = Wire::native;
  attached_ = false;
  json::object data{{"terminalId", terminal_}, {"role", "view"}};
  if (begin == Begin::resume && offset_) data["since"] = *offset_;
  client_->send(json::object{{"type", "attach"}, {"request", 1}, {"data", std::move(data)}});
}

bool Seat::pull() {
  while (const auto frame = client_->poll()) take(*frame);
  return !client_->is_closed();
}

void Seat::pull_until(const std::function<bool()>& done, milliseconds deadline) {
  const auto end = std::chrono::steady_clock::now() + deadline;
  while (!done()) {
    const auto left =
        std::chrono::duration_cast<milliseconds>(end - std::chrono::steady_clock::now());
    const auto frame = client_->receive(std::max(left, milliseconds(0)));
    if (!frame) throw std::runtime_error(terminal_ + ": the connection was closed");
    take(*frame);
  }
}

void Seat::type(std::string_view bytes) {
  if (wire_ == Wire::compatible)
    client_->send(input(terminal_, bytes));
  else
    client_->send_binary(input_frame(channel_, bytes));
}

void Seat::resize(vt::Size size) {
  size_ = size;
  json::object data{{"rows", size.rows}, {"cols", size.cols}};
  if (wire_ == Wire::compatible) return client_->send(message("resize", data, terminal_));
  data["channel"] = channel_;
  client_->send(json::object{{"type", "resize"}, {"data", std::move(data)}});
}

void Seat::take(const WebSocketClient::Frame& frame) {
  if (wire_ == Wire::native) return take_native(frame);
  take_message(frame.object());
}

void Seat::take_message(const json::object& message) {
  const auto& type = message.at("type").as_string();
  if (type == "error") throw std::runtime_error(terminal_ + ": " + json::serialize(message));
  if (type != "output" && type != "scrollback") return;
  const json::object& data = message.at("data").as_object();
  const std::string text = text_of(message);
  if (type == "scrollback") {
    attached_ = true;
    if (data.contains("resumed")) ++resumed_;
  }
  show(text, data.at("offset").to_number<std::uint64_t>(),
       text.starts_with("\x1b"
                        "c"));
}

void Seat::take_native(const WebSocketClient::Frame& frame) {
  if (frame.binary) {
    const NativeFrame taken = native_frame(frame.data);
    return show(taken.payload, taken.offset, taken.kind == 2);
  }
  const json::object message = frame.object();
  const auto& type = message.at("type").as_string();
  if (type == "error") throw std::runtime_error(terminal_ + ": " + frame.data);
  if (type != "attached" && type != "resized") return;
  const json::object& data = message.at("data").as_object();
  size_ = {.cols = data.at("cols").to_number<int>(), .rows = data.at("rows").to_number<int>()};
  if (type == "resized") {
    if (mirror_) mirror_->resize(size_);
    return;
  }
  attached_ = true;
  channel_ = data.at("channel").to_number<std::uint32_t>();
  if (!data.at("resumed").as_bool()) return;
  ++resumed_;
  if (data.at("offset").to_number<std::uint64_t>() != offset_)
    throw std::runtime_error(terminal_ + " is resumed at another offset than asked for");
}

void Seat::show(std::string_view bytes, std::uint64_t offset, bool snapshot) {
  if (snapshot) {
    ++snapshots_;
    mirror_ = std::make_unique<Mirror>(size_);
  }
  if (!mirror_) mirror_ = std::make_unique<Mirror>(size_);
  if (offset_ && offset < *offset_)
    throw std::runtime_error(terminal_ + ": the offset went back from " + std::to_string(*offset_) +
                             " to " + std::to_string(offset));
  mirror_->feed(bytes);
  offset_ = offset;
}

void wait_for_any(const std::vector<Seat*>& seats, milliseconds time) {
  std::vector<pollfd> polls;
  for (Seat* seat : seats)
    if (seat->is_connected())
      polls.push_back({.fd = seat->client().native_handle(), .events = POLLIN, .revents = 0});
  ::poll(polls.data(), polls.size(), static_cast<int>(time.count()));
}

// --- the daemon
// ------------------------------------------------------------------------------------------------------

void SurvivalTest::create(const std::string& id, const std::vector<std::string>& command,
                          vt::Size size) {
  const auto client = native();
  client->send(json::object{{"type", "create"},
                            {"request", 1},
                            {"data",
                             {{"terminalId", id},
                              {"rows", size.rows},
                              {"cols", size.cols},
                              {"command", json::array(command.begin(), command.end())}}}});
  const auto answer =
      client->expect([](const json::object& message) { return message.contains("request"); });
  if (answer.at("type").as_string() != "created")
    throw std::runtime_error("create: " + json::serialize(answer));
}

std::unique_ptr<WebSocketClient> SurvivalTest::connect(Wire wire) {
  return wire == Wire::native ? native() : compatible();
}

std::unique_ptr<Seat> SurvivalTest::look_at(const std::string& id,
                                            const std::function<bool(Seat&)>& wanted) {
  auto seat = std::make_unique<Seat>(id);
  seat->watch(native());
  try {
    seat->pull_until([&] { return seat->snapshots() > 0 && (!wanted || wanted(*seat)); });
  } catch (const std::exception& error) {
    throw std::runtime_error(id + ": " + error.what() + "; it shows: " +
                             (seat->snapshots() > 0 ? vt::text(seat->mirror().screen()) : ""));
  }
  return seat;
}

pid_t SurvivalTest::process_with(const std::string& argument) const {
  for (const pid_t child : children_of(keeper_pid()))
    if (proc_file(child, "cmdline").find(argument) != std::string::npos) return child;
  throw std::runtime_error("no terminal runs " + argument);
}

json::object SurvivalTest::health() {
  return json::parse(get("/health").body).as_object();
}

std::uint64_t SurvivalTest::offset_of(const std::string& id) {
  return look_at(id)->offset();
}

std::int64_t status_number(pid_t pid, const std::string& name) {
  std::istringstream text(proc_file(pid, "status"));
  for (std::string line; std::getline(text, line);)
    if (line.starts_with(name + ":")) return std::stoll(line.substr(name.size() + 1));
  throw std::runtime_error("no " + name + " in the status of " + std::to_string(pid));
}

}  // namespace e2e
