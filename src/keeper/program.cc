#include "keeper/program.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "keeper/spawn.h"

namespace keeper {
namespace {

std::string link_to(const base::Fd& file) {
  return "/proc/self/fd/" + std::to_string(file.get());
}

// The file's current path, or its last one if it was deleted.
std::string path_of(const base::Fd& file) {
  std::error_code error;
  const auto path = std::filesystem::read_symlink(link_to(file), error);
  return error ? link_to(file) : path.native();
}

base::Error could_be_others(const std::string& program, const std::string& what,
                            const std::string& advice) {
  return {.code = base::Code::permission_denied,
          .what = program + " is not safe to run: " + what,
          .advice = advice};
}

bool is_trusted(uid_t owner) {
  return owner == ::geteuid() || owner == 0;
}

// Others can replace files in a directory that they can write to, unless it is sticky.
base::Status check_directories(const std::string& program) {
  for (auto dir = std::filesystem::path(program).parent_path();; dir = dir.parent_path()) {
    struct stat status{};
    if (::stat(dir.c_str(), &status) < 0)
      return base::fail(base::errno_error(errno, "check " + dir.native()));
    const bool is_open = (status.st_mode & 0022) != 0 && (status.st_mode & S_ISVTX) == 0;
    if (is_open || !is_trusted(status.st_uid))
      return base::fail(could_be_others(program, "others can replace files in " + dir.native(),
                                        "It must belong to you or root, and be writable by "
                                        "nobody else: chmod go-w " +
                                            dir.native()));
    if (dir == dir.root_path()) return {};
  }
}

// The interpreter opens a script again through /proc/self/fd, so its descriptor must stay open.
bool is_script(const base::Fd& file) {
  const base::Fd readable(::open(link_to(file).c_str(), O_RDONLY | O_CLOEXEC));
  std::array<char, 2> start{};
  return readable && ::pread(readable.get(), start.data(), start.size(), 0) == 2 &&
         start[0] == '#' && start[1] == '!';
}

}  // namespace

base::Status Program::check(const Program& program) {
  struct stat status{};
  if (::fstat(program.file_.get(), &status) < 0)
    return base::fail(base::errno_error(errno, "check " + program.name_));
  if (!S_ISREG(status.st_mode))
    return base::fail(base::Code::invalid_argument, program.name_ + " is not a program");
  if (!is_trusted(status.st_uid) || (status.st_mode & 0022) != 0)
    return base::fail(could_be_others(program.name_, "others can write to it",
                                      "It must belong to you or root, and be writable by nobody "
                                      "else: chmod go-w " +
                                          program.name_));
  if (status.st_nlink == 0) return {};
  return check_directories(program.name_);
}

base::Result<Program> Program::open(const std::filesystem::path& path) {
  base::Fd file(::open(path.c_str(), O_PATH | O_CLOEXEC));
  if (!file) {
    auto error = base::errno_error(errno, "open the program " + path.native());
    error.code = base::Code::invalid_argument;
    return base::fail(std::move(error));
  }
  return from(std::move(file));
}

base::Result<Program> Program::from(base::Fd file) {
  Program program = known(std::move(file));
  if (auto checked = check(program); !checked) return base::fail(checked.error());
  return program;
}

base::Result<Program> Program::running() {
  base::Fd file(::open("/proc/self/exe", O_PATH | O_CLOEXEC));
  if (!file) return base::fail(base::errno_error(errno, "open this program"));
  return known(std::move(file));
}

Program Program::known(base::Fd file) {
  std::string name = path_of(file);
  return {std::move(name), std::move(file)};
}

base::Error Program::execute(const std::vector<std::string>& argv) const {
  if (is_script(file_))
    if (auto kept = base::set_on_exec(file_, base::OnExec::keep); !kept) return kept.error();
  ::execveat(file_.get(), "", pointers_to(argv).data(), environ, AT_EMPTY_PATH);
  return base::errno_error(errno, "run " + name_);
}

}  // namespace keeper
