// A program that a process is about to become: opened once, then looked at, tried and run by that
// descriptor. So what is run is what was looked at and tried, whatever its path means by then.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"

namespace keeper {

class Program {
 public:
  // Refuses one that anybody but this user and root can write to or replace.
  [[nodiscard]] static base::Result<Program> open(const std::filesystem::path& path);
  // The same for one that somebody else has opened.
  [[nodiscard]] static base::Result<Program> from(base::Fd file);
  // The one that this process runs. It was looked at before.
  [[nodiscard]] static base::Result<Program> running();
  // One that this process has been running.
  [[nodiscard]] static Program known(base::Fd file);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const base::Fd& file() const { return file_; }

  // Becomes it, with the environment of this process. Returns only if that failed.
  [[nodiscard]] base::Error execute(const std::vector<std::string>& argv) const;

 private:
  Program(std::string name, base::Fd file) : name_(std::move(name)), file_(std::move(file)) {}
  [[nodiscard]] static base::Status check(const Program& program);

  std::string name_;  // For messages; the file may have another name by now, or none.
  base::Fd file_;
};

}  // namespace keeper
