// Files that are put into a session's folder and taken out of it. The disk may take its time: one
// thread does all of it, and gets copies.
//
// Invariants
// 1. Only who may type into the session's terminals has its files: this gives nobody a right that
//    a shell would not.
// 2. With `user_accounts` there are none. This process is root then, and what it opens it would
//    open as root, not as the user's account.
// 3. Memory: a piece for each request that is being answered.

#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/thread_pool.hpp>

#include "base/result.h"
#include "operation/folder.h"
#include "operation/target.h"
#include "session/sessions.h"

namespace operation {

struct FileSettings {
  bool is_on = true;
  bool has_accounts = false;
  std::uint64_t largest = std::uint64_t{4} << 30;  // In bytes.
};

class FileOperations {
 public:
  FileOperations(session::Sessions& sessions, const Finder& finder, FileSettings settings)
      : sessions_(sessions), finder_(finder), settings_(settings) {}
  ~FileOperations() { thread_.join(); }
  FileOperations(const FileOperations&) = delete;
  FileOperations& operator=(const FileOperations&) = delete;

  void change(const FileSettings& settings) { settings_ = settings; }

  // Adds a piece to an upload into the folder of the terminal's session.
  boost::asio::awaitable<base::Result<Received>> add(Caller caller, Target target, Upload upload,
                                                     std::uint64_t offset, std::string piece);
  boost::asio::awaitable<base::Result<Received>> received(Caller caller, Target target,
                                                          std::string id);
  boost::asio::awaitable<base::Status> drop(Caller caller, Target target, std::string id);
  // A relative path begins where the terminal's program is, if that is in the folder.
  boost::asio::awaitable<base::Result<std::shared_ptr<FoundFile>>> find(Caller caller,
                                                                        Target target,
                                                                        std::string path);
  boost::asio::awaitable<base::Result<std::string>> read(std::shared_ptr<FoundFile> file,
                                                         std::uint64_t offset, std::size_t most);

 private:
  struct Place {
    std::string folder;
    std::string directory;  // Of the terminal's program.
  };
  struct Finished {
    session::UserId user;
    std::string id;
    Received received;
  };
  // Checks that the caller may do this.
  [[nodiscard]] base::Result<Place> place_of(const Caller& caller, const Target& target) const;
  // For a client that asks again because the last answer was lost. Only the thread uses them.
  [[nodiscard]] const Received* find_finished(const session::UserId& user,
                                              std::string_view id) const;
  void remember(const Caller& caller, const Upload& upload, const Received& received);

  session::Sessions& sessions_;
  const Finder& finder_;
  FileSettings settings_;
  std::deque<Finished> finished_;
  boost::asio::thread_pool thread_{1};
};

}  // namespace operation
