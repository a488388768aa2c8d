// `holdfast attach` as a contestant: what a person in a terminal waits for, to compare with tmux.

#include "bench/holdfast_contestant.h"
#include "end_to_end/process.h"

namespace bench {
namespace {

class AttachedSession final : public Session {
 public:
  explicit AttachedSession(Holdfast& holdfast) : holdfast_(holdfast), id_(holdfast.create()) {
    std::vector<std::string> argv{"/usr/bin/env", "-u", "HOLDFAST_TERMINAL"};
    for (const std::string& each : holdfast.environment()) argv.push_back(each);
    argv.insert(argv.end(), {e2e::kDaemonProgram, "attach", id_});
    client_ = session_on_pty(argv);
    client_->wait_for("READY");
  }
  ~AttachedSession() override {
    client_.reset();
    holdfast_.close(id_);
  }
  void type(std::string_view keys) override { client_->type(keys); }
  Piece receive() override { return client_->receive(); }
  [[nodiscard]] std::vector<pid_t> processes() const override { return client_->processes(); }

 private:
  Holdfast& holdfast_;
  std::string id_;
  std::unique_ptr<Session> client_;
};

class Attach final : public Contestant {
 public:
  explicit Attach(Holdfast& holdfast) : Contestant("attach (Holdfast)"), holdfast_(holdfast) {}
  std::unique_ptr<Session> open() override { return std::make_unique<AttachedSession>(holdfast_); }
  [[nodiscard]] std::vector<pid_t> processes() const override {
    return {holdfast_.daemon(), holdfast_.keeper()};
  }

 private:
  Holdfast& holdfast_;
};

}  // namespace

std::unique_ptr<Contestant> attach_command(Holdfast& holdfast) {
  return std::make_unique<Attach>(holdfast);
}

}  // namespace bench
