// What a terminal costs over the compatible protocol: creating it, a keystroke's echo, and its
// memory after much output.
//
//   compatible_bench [--beside=NAME=COMMAND]… [--rounds=N] [create|echo|memory]…
//
// A COMMAND, run by the shell, starts another server of the protocol to measure in the same rounds.
// It must be one process that prints its port, serves /terminal/ws/multi without a credential, and
// runs $TALKER in its terminals.

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <map>
#include <set>
#include <span>
#include <stdexcept>
#include <thread>

#include "bench/figures.h"
#include "bench/holdfast_contestant.h"
#include "bench/port_server.h"

namespace bench {
namespace {

constexpr int kTerminals = 100;
constexpr int kBusyTerminals = 100;
constexpr int kKeys = 1000;
constexpr std::chrono::milliseconds kPause{1};
constexpr std::chrono::seconds kQuiet{3};

// --- servers

class Server {
 public:
  virtual ~Server() = default;
  [[nodiscard]] virtual RawWebSocket::Target target() const = 0;
  [[nodiscard]] virtual std::vector<pid_t> processes() const = 0;
};

class HoldfastServer final : public Server {
 public:
  [[nodiscard]] RawWebSocket::Target target() const override {
    return holdfast_.compatible_target();
  }
  [[nodiscard]] std::vector<pid_t> processes() const override {
    return {holdfast_.daemon(), holdfast_.keeper()};
  }

 private:
  Holdfast holdfast_{{"--shell", TALKER}};
};

class OtherServer final : public Server {
 public:
  explicit OtherServer(const std::string& command)
      : server_({"/bin/sh", "-c", "exec " + command}) {}
  [[nodiscard]] RawWebSocket::Target target() const override {
    return {.port = server_.port(), .path = "/terminal/ws/multi", .token = {}, .subprotocol = {}};
  }
  [[nodiscard]] std::vector<pid_t> processes() const override { return {server_.pid()}; }

 private:
  PortServer server_;
};

// A name, and the command of another server. Holdfast has none.
struct Contender {
  std::string name;
  std::string command;

  [[nodiscard]] std::unique_ptr<Server> start() const {
    if (command.empty()) return std::make_unique<HoldfastServer>();
    return std::make_unique<OtherServer>(command);
  }
};

// --- a client

class Client {
 public:
  explicit Client(const Server& server) : socket_(server.target()) {}

  void create(const std::string& id) {
    socket_.send_text(R"({"type":"create_session","data":{"sessionId":")" + id +
                      R"(","rows":24,"cols":80}})");
  }
  void close(const std::string& id) {
    socket_.send_text(R"({"type":"close_session","data":{"sessionId":")" + id + "\"}}");
  }
  void type(const std::string& id, std::string_view keys) {
    socket_.send_text(R"({"type":"input","sessionId":")" + id + R"(","data":{"data":")" +
                      std::string(keys) + "\"}}");
  }
  // Receives until that many messages of that type have arrived.
  void wait_for(std::string_view type, int count = 1) {
    const std::string start = "{\"type\":\"" + std::string(type) + "\"";
    while (count > 0) {
      const std::string_view message = socket_.receive();
      if (message.starts_with(R"({"type":"error")")) throw std::runtime_error(std::string(message));
      if (message.starts_with(start)) --count;
    }
  }
  // Receives until that many outputs contained `wanted`.
  void wait_for_output(std::string_view wanted, int count = 1) {
    while (count > 0)
      if (socket_.receive().find(wanted) != std::string_view::npos) --count;
  }

 private:
  RawWebSocket socket_;
};

std::vector<std::string> some_ids(int count) {
  std::vector<std::string> ids;
  for (int i = 0; i < count; ++i) ids.push_back("terminal-" + std::to_string(i));
  return ids;
}

// --- figures

using Values = std::map<std::string, std::vector<double>>;

struct Figures {
  Values in_turn, at_once, echo_p50, echo_p99, echo_cpu, memory;
};

void create(const std::string& name, const Server& server, Figures& figures) {
  const auto ids = some_ids(kTerminals);
  Client client(server);
  for (const bool in_turn : {true, false}) {
    const auto start = Clock::now();
    for (const std::string& id : ids) {
      client.create(id);
      if (in_turn) client.wait_for("session_created");
    }
    if (!in_turn) client.wait_for("session_created", kTerminals);
    (in_turn ? figures.in_turn : figures.at_once)[name].push_back(1000 * seconds_since(start));
    for (const std::string& id : ids) client.close(id);
    client.wait_for("session_closed", kTerminals);
  }
}

void echo(const std::string& name, const Server& server, Figures& figures) {
  Client client(server);
  client.create("echo");
  client.wait_for_output("READY");
  std::vector<double> times;
  double cpu = 0;
  for (int i = -20; i < kKeys; ++i) {
    if (i == 0) cpu = cpu_seconds(server.processes());
    std::this_thread::sleep_for(kPause);
    const auto start = Clock::now();
    client.type("echo", "#");
    client.wait_for_output("#");
    if (i >= 0) times.push_back(1e6 * seconds_since(start));
  }
  cpu = cpu_seconds(server.processes()) - cpu;
  figures.echo_cpu[name].push_back(1e6 * cpu / kKeys);
  figures.echo_p50[name].push_back(quantile(times, 0.5));
  figures.echo_p99[name].push_back(quantile(times, 0.99));
}

// Uses a fresh server: what others left behind would distort the result.
void memory(const Contender& contender, Figures& figures) {
  const auto server = contender.start();
  const auto ids = some_ids(kBusyTerminals);
  Client client(*server);
  const double before = pss_kib(server->processes());
  for (const std::string& id : ids) {
    client.create(id);
    client.wait_for_output("READY");
    client.type(id, "600K");
    client.wait_for_output("~");
  }
  std::this_thread::sleep_for(kQuiet);
  const double each = (pss_kib(server->processes()) - before) / kBusyTerminals;
  figures.memory[contender.name].push_back(each);
}

void print(const std::string& title, const std::vector<Contender>& contenders,
           const std::vector<std::pair<std::string, const Values*>>& columns, int digits) {
  std::vector<std::vector<std::string>> rows{{""}};
  for (const auto& [column, values] : columns) {
    rows[0].push_back(column);
    if (contenders.size() > 1) rows[0].push_back("Holdfast to it");
  }
  for (const Contender& contender : contenders) {
    std::vector<std::string> row{contender.name};
    for (const auto& [column, values] : columns) {
      const auto& own = values->at(contender.name);
      row.push_back(spread(own, digits));
      if (contenders.size() == 1) continue;
      std::vector<double> ratios;
      for (std::size_t i = 0; i < own.size(); ++i)
        ratios.push_back(values->begin()->second.empty() ? 0 : values->at("Holdfast")[i] / own[i]);
      row.push_back(spread(ratios, 2));
    }
    rows.push_back(std::move(row));
  }
  print_table(title, rows);
}

void run(const std::set<std::string>& chosen, const std::vector<Contender>& contenders,
         int rounds) {
  const auto wanted = [&](const char* name) { return chosen.empty() || chosen.contains(name); };
  Figures figures;
  for (int round = 0; round < rounds; ++round)
    for (const Contender& contender : contenders) {
      if (wanted("create") || wanted("echo")) {
        const auto server = contender.start();
        if (wanted("create")) create(contender.name, *server, figures);
        if (wanted("echo")) echo(contender.name, *server, figures);
      }
      if (wanted("memory")) memory(contender, figures);
    }
  const std::string rounds_text =
      std::to_string(rounds) + " rounds; medians (smallest to largest), ratios within a round";
  if (wanted("create"))
    print("Creating " + std::to_string(kTerminals) + " terminals, ms, " + rounds_text, contenders,
          {{"each after the last answer", &figures.in_turn}, {"all at once", &figures.at_once}}, 0);
  if (wanted("echo"))
    print("Echo of a keystroke by a program in raw mode, us, " + std::to_string(kKeys) + " keys, " +
              rounds_text,
          contenders,
          {{"p50", &figures.echo_p50},
           {"p99", &figures.echo_p99},
           {"server's CPU a key", &figures.echo_cpu}},
          0);
  if (wanted("memory"))
    print(
        "Memory (PSS of the server's processes) of a terminal that has written 600 KB, KiB, over " +
            std::to_string(kBusyTerminals) + ", " + rounds_text,
        contenders, {{"KiB", &figures.memory}}, 0);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  ::setenv("TALKER", TALKER, 1);
  std::set<std::string> chosen;
  std::vector<bench::Contender> contenders{{.name = "Holdfast", .command = {}}};
  int rounds = 5;
  try {
    for (const std::string argument : std::span(argv, static_cast<std::size_t>(argc)).subspan(1)) {
      if (argument.starts_with("--beside=")) {
        const auto equals = argument.find('=', 9);
        if (equals == std::string::npos) throw std::invalid_argument("--beside needs NAME=COMMAND");
        contenders.push_back(
            {.name = argument.substr(9, equals - 9), .command = argument.substr(equals + 1)});
      } else if (argument.starts_with("--rounds=")) {
        rounds = std::stoi(argument.substr(9));
      } else {
        chosen.insert(argument);
      }
    }
    bench::run(chosen, contenders, rounds);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "compatible_bench: %s\n", error.what());
    return 1;
  }
}
