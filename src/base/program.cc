#include "base/program.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace base {
namespace {

std::string link_to(const Fd& file) {
  return "/proc/self/fd/" + std::to_string(file.get());
}

// The file's current path, or its last one if it was deleted.
std::string path_of(const Fd& file) {
  std::error_code error;
  const auto path = std::filesystem::read_symlink(link_to(file), error);
  return error ? link_to(file) : path.native();
}

Error could_be_others(const std::string& program, const std::string& what,
                      const std::string& advice) {
  return {.code = Code::permission_denied,
          .what = program + " is not safe to run: " + what,
          .advice = advice};
}

bool is_trusted(uid_t owner) {
  return owner == ::geteuid() || owner == 0;
}

// Others can replace files in a directory that they can write to, unless it is sticky.
Status check_directories(const std::string& program) {
  for (auto dir = std::filesystem::path(program).parent_path();; dir = dir.parent_path()) {
    struct stat status{};
    if (::stat(dir.c_str(), &status) < 0) return fail(errno_error(errno, "check " + dir.native()));
    const bool is_open = (status.st_mode & 0022) != 0 && (status.st_mode & S_ISVTX) == 0;
    if (is_open || !is_trusted(status.st_uid))
      return fail(could_be_others(program, "others can replace files in " + dir.native(),
                                  "It must belong to you or root, and be writable by "
                                  "nobody else: chmod go-w " +
                                      dir.native()));
    if (dir == dir.root_path()) return {};
  }
}

// The interpreter opens a script again through /proc/self/fd, so its descriptor must stay open.
bool is_script(const Fd& file) {
  const Fd readable(::open(link_to(file).c_str(), O_RDONLY | O_CLOEXEC));
  std::array<char, 2> start{};
  return readable && ::pread(readable.get(), start.data(), start.size(), 0) == 2 &&
         start[0] == '#' && start[1] == '!';
}

}  // namespace

Status Program::check(const Program& program) {
  struct stat status{};
  if (::fstat(program.file_.get(), &status) < 0)
    return fail(errno_error(errno, "check " + program.name_));
  if (!S_ISREG(status.st_mode))
    return fail(Code::invalid_argument, program.name_ + " is not a program");
  if (!is_trusted(status.st_uid) || (status.st_mode & 0022) != 0)
    return fail(could_be_others(program.name_, "others can write to it",
                                "It must belong to you or root, and be writable by nobody "
                                "else: chmod go-w " +
                                    program.name_));
  if (status.st_nlink == 0) return {};
  return check_directories(program.name_);
}

Result<Program> Program::open(const std::filesystem::path& path) {
  Fd file(::open(path.c_str(), O_PATH | O_CLOEXEC));
  if (!file) {
    auto error = errno_error(errno, "open the program " + path.native());
    error.code = Code::invalid_argument;
    return fail(std::move(error));
  }
  return from(std::move(file));
}

Result<Program> Program::from(Fd file) {
  Program program = known(std::move(file));
  if (auto checked = check(program); !checked) return fail(checked.error());
  return program;
}

Result<Program> Program::running() {
  Fd file(::open("/proc/self/exe", O_PATH | O_CLOEXEC));
  if (!file) return fail(errno_error(errno, "open this program"));
  return known(std::move(file));
}

Program Program::known(Fd file) {
  std::string name = path_of(file);
  return {std::move(name), std::move(file)};
}

Error Program::execute(const std::vector<std::string>& argv) const {
  if (is_script(file_))
    if (auto kept = set_on_exec(file_, OnExec::keep); !kept) return kept.error();
  ::execveat(file_.get(), "", pointers_to(argv).data(), environ, AT_EMPTY_PATH);
  return errno_error(errno, "run " + name_);
}

std::vector<char*> pointers_to(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace base
