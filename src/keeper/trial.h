// The trial before an upgrade: the new program reads the keeper's state and says whether it could
// go on from it.
//
// Only then does the keeper become that program. A broken binary costs an error message, not the
// terminals.

#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <string>

#include "base/fd.h"
#include "base/result.h"
#include "keeper/loop.h"

namespace keeper {

class Trial {
 public:
  // Called once, with the verdict. It may destroy the trial.
  using Verdict = std::function<void(base::Status)>;

  Trial(Loop& loop, std::filesystem::path program, Verdict verdict)
      : loop_(loop), program_(std::move(program)), verdict_(std::move(verdict)) {}
  ~Trial();
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;

  [[nodiscard]] base::Status start(const base::Fd& state);
  [[nodiscard]] const std::filesystem::path& program() const { return program_; }

 private:
  void read_said();
  void look();
  void decide(int status);

  Loop& loop_;
  std::filesystem::path program_;
  Verdict verdict_;
  pid_t pid_ = 0;
  base::Fd output_;
  std::string said_;
  base::MonotonicTime deadline_{};
  Loop::Id output_watch_ = Loop::Id::none;
  Loop::Id timer_ = Loop::Id::none;
};

}  // namespace keeper
