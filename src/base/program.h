// A program to execute. It is opened once, then checked, tried and executed through that
// descriptor, so a path that changes in between does not matter.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"

namespace base {

class Program {
 public:
  // Refuses a program that anybody but this user and root can write to or replace.
  [[nodiscard]] static Result<Program> open(const std::filesystem::path& path);
  // The same for a file that is already open.
  [[nodiscard]] static Result<Program> from(Fd file);
  // The program that this process runs. Not checked again.
  [[nodiscard]] static Result<Program> running();
  // A program that needs no check because this process has run it.
  [[nodiscard]] static Program known(Fd file);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const Fd& file() const { return file_; }

  // Executes it with this process's environment. Returns only on failure.
  [[nodiscard]] Error execute(const std::vector<std::string>& argv) const;

 private:
  Program(std::string name, Fd file) : name_(std::move(name)), file_(std::move(file)) {}
  [[nodiscard]] static Status check(const Program& program);

  std::string name_;  // For messages; the file may have been renamed or deleted since.
  Fd file_;
};

// The texts as a null-terminated array for exec. Valid as long as the texts.
[[nodiscard]] std::vector<char*> pointers_to(const std::vector<std::string>& texts);

}  // namespace base
