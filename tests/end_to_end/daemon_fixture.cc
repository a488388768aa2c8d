#include "end_to_end/daemon_fixture.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace e2e {

void DaemonTest::SetUp() {
  std::filesystem::create_directory(home());
}

void DaemonTest::TearDown() {
  if (HasFailure()) std::fprintf(stderr, "--- the daemon's log\n%s---\n", log().c_str());
  daemon_.reset();
  if (const pid_t keeper = keeper_pid(); keeper > 0) {
    ::kill(keeper, SIGTERM);
    EXPECT_TRUE(eventually([&] { return !exists(keeper); }));
  }
}

pid_t DaemonTest::keeper_pid() const {
  pid_t pid = 0;
  std::ifstream(runtime_dir() / "keeper.lock") >> pid;
  return pid;
}

std::string DaemonTest::log() const {
  std::stringstream text;
  text << std::ifstream(dir_ / "daemon.log").rdbuf();
  return text.str();
}

bool DaemonTest::logged(std::string_view text) const {
  return eventually([&] { return log().contains(text); });
}

// A shell of the tests' own choice that reads nobody's dotfiles: those may be slow, ask something,
// or leave a lock behind when they are killed.
std::vector<std::string> DaemonTest::environment() const {
  return {"HOME=" + home().string(), "SHELL=/bin/bash",
          "HOLDFAST_STATE_DIR=" + state_dir().string(),
          "HOLDFAST_RUNTIME_DIR=" + runtime_dir().string()};
}

void DaemonTest::start(const std::vector<std::string>& options,
                       const std::vector<std::string>& env) {
  const auto out = dir_ / "daemon.out";
  std::ofstream(out, std::ios::trunc).flush();
  std::string command = "exec \"$@\" >" + out.string() + " 2>>" + (dir_ / "daemon.log").string();
  std::vector<std::string> argv{"/bin/sh", "-c", command, "sh"};
  argv.insert(argv.end(), under_.begin(), under_.end());
  std::vector<std::string> all = options;
  if (port_ != 0 && std::ranges::find(options, "--listen") == options.end())
    all.insert(all.end(), {"--listen", "127.0.0.1:" + std::to_string(port_)});
  const auto serve = serve_command(state_dir(), runtime_dir(), all);
  argv.insert(argv.end(), serve.begin(), serve.end());
  std::vector<std::string> around = environment();
  if (std::ranges::none_of(env,
                           [](const auto& each) { return each.starts_with("HOLDFAST_TOKEN="); }))
    around.push_back("HOLDFAST_TOKEN=" + token_);
  around.insert(around.end(), env.begin(), env.end());
  daemon_ = std::make_unique<Process>(argv, around);
  std::string line;
  const bool served = eventually([&] {
    std::ifstream file(out);
    return !daemon_->is_running() || (std::getline(file, line) && !file.eof());
  });
  if (!served || line.empty()) throw std::runtime_error("the daemon does not serve: " + log());
  said_ = line;
  port_ = std::stoi(line.substr(line.rfind(':') + 1));
}

int DaemonTest::take_over(std::vector<std::string> options) {
  std::unique_ptr<Process> old = std::move(daemon_);
  options.emplace_back("--takeover");
  start(options);
  return old->wait().status;
}

void DaemonTest::kill_daemon() {
  daemon_->signal(SIGKILL);
  daemon_->wait();
}

int DaemonTest::stop_daemon() {
  daemon_->signal(SIGTERM);
  return daemon_->wait().status;
}

Process::Outcome DaemonTest::run(const std::vector<std::string>& arguments) {
  std::vector<std::string> argv{kDaemonProgram};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  return Process(argv, environment()).wait();
}

std::string DaemonTest::token_of(const std::string& user) {
  const auto made = run({"token", "new", "--user", user});
  if (made.status != 0) throw std::runtime_error("token new: " + made.output);
  return made.output.substr(0, made.output.find('\n'));
}

std::unique_ptr<WebSocketClient> DaemonTest::compatible(const std::string& token) {
  return std::make_unique<WebSocketClient>(
      port_, "/terminal/ws/multi",
      Headers{{"Authorization", "Bearer " + (token.empty() ? token_ : token)}});
}

std::unique_ptr<WebSocketClient> DaemonTest::single(const std::string& query,
                                                    const std::string& token) {
  return std::make_unique<WebSocketClient>(
      port_, "/terminal/ws" + query,
      Headers{{"Authorization", "Bearer " + (token.empty() ? token_ : token)}});
}

std::unique_ptr<WebSocketClient> DaemonTest::native(const std::string& token) {
  return std::make_unique<WebSocketClient>(
      port_, "/ws", Headers{{"Authorization", "Bearer " + (token.empty() ? token_ : token)}},
      "holdfast.v1");
}

HttpResponse DaemonTest::get(const std::string& target, Headers headers) {
  return http_get(port_, target, headers);
}

// --- messages ---

json::value message(std::string_view type, json::object data, std::string_view session_id) {
  json::object message{{"type", json::string_view(type.data(), type.size())}};
  if (!session_id.empty())
    message["sessionId"] = json::string_view(session_id.data(), session_id.size());
  if (!data.empty()) message["data"] = std::move(data);
  return message;
}

json::value create_session(std::string_view id, int rows, int cols) {
  return message(
      "create_session",
      {{"sessionId", json::string_view(id.data(), id.size())}, {"rows", rows}, {"cols", cols}});
}

json::value input(std::string_view id, std::string_view data) {
  return message("input", {{"data", json::string_view(data.data(), data.size())}}, id);
}

json::value reattach(std::string_view id, std::optional<std::uint64_t> since, int rows, int cols) {
  json::object data{
      {"sessionId", json::string_view(id.data(), id.size())}, {"rows", rows}, {"cols", cols}};
  if (since) data["since"] = *since;
  return message("reattach_session", std::move(data));
}

std::string text_of(const json::object& message) {
  return std::string(message.at("data").as_object().at("data").as_string());
}

std::string output_until(WebSocketClient& client, std::string_view wanted, milliseconds deadline) {
  std::string text;
  try {
    client.expect(
        [&](const json::object& message) {
          const auto& type = message.at("type").as_string();
          if (type == "output" || type == "scrollback") text += text_of(message);
          return text.find(wanted) != std::string::npos;
        },
        deadline);
  } catch (const std::exception& error) {
    throw std::runtime_error(std::string(error.what()) + ", waiting for the output \"" +
                             std::string(wanted) + "\"; came: " + text);
  }
  return text;
}

NativeFrame native_frame(const std::string& bytes) {
  NativeFrame frame;
  if (bytes.size() < 13) throw std::runtime_error("a frame without a whole header");
  frame.kind = static_cast<unsigned char>(bytes[0]);
  std::memcpy(&frame.channel, bytes.data() + 1, 4);
  std::memcpy(&frame.offset, bytes.data() + 5, 8);
  frame.payload = std::string_view(bytes).substr(13);
  return frame;
}

namespace {

std::string frame_of(char kind, std::uint32_t channel, std::uint64_t offset,
                     std::string_view payload) {
  std::string frame(13, kind);
  std::memcpy(frame.data() + 1, &channel, 4);
  std::memcpy(frame.data() + 5, &offset, 8);
  return frame += payload;
}

}  // namespace

std::string input_frame(std::uint32_t channel, std::string_view bytes) {
  return frame_of(3, channel, 0, bytes);
}

std::string ack_frame(std::uint32_t channel, std::uint64_t offset) {
  return frame_of(4, channel, offset, {});
}

}  // namespace e2e
