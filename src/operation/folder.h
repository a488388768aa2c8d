// A session's folder, as files are put into it and taken out of it. Everything here waits for the
// disk, so it runs on a thread of its own (file_operations.h).
//
// Invariants
// 1. Nothing outside of the folder is opened, whatever a path or a link says, and nothing but
//    regular files.
// 2. No file is ever replaced. An upload has a hidden name until it is whole; then it gets its own
//    name, or the next free one.
// 3. What is known of an unfinished upload is its file: a daemon that dies forgets nothing.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "base/result.h"

namespace operation {

struct Upload {
  std::string id;    // Chosen by the client, at random.
  std::string name;  // What the file will be called.
  std::uint64_t size = 0;
};
[[nodiscard]] base::Status check_upload_id(std::string_view id);
// Whether it is the name of one visible file that can be typed into a shell.
[[nodiscard]] base::Status check_file_name(std::string_view name);

struct Received {
  std::uint64_t offset = 0;  // So many bytes are there.
  std::string path;          // Of the whole file; empty before.
};

struct FoundFile {
  base::Fd file;
  std::uint64_t size = 0;
  std::string version;  // Another one if the file has changed.
};

class Folder {
 public:
  [[nodiscard]] static base::Result<Folder> open(const std::string& path);

  // Without symbolic links.
  [[nodiscard]] const std::string& path() const { return path_; }

  // Adds the piece to the upload, which must have `offset` bytes.
  [[nodiscard]] base::Result<Received> add(const Upload& upload, std::uint64_t offset,
                                           std::string_view piece) const;
  // How much of the upload is there. 0 if there is none.
  [[nodiscard]] base::Result<Received> received(const std::string& id) const;
  [[nodiscard]] base::Status drop(const std::string& id) const;
  // Removes uploads that nobody has continued for a day.
  void tidy() const;

  // `from` is the directory in which a relative path begins, if it is in the folder.
  [[nodiscard]] base::Result<FoundFile> find(std::string_view path, std::string_view from) const;

 private:
  Folder(base::Fd dir, std::string path) : dir_(std::move(dir)), path_(std::move(path)) {}
  [[nodiscard]] base::Result<base::Fd> open_upload(const std::string& id, int flags) const;
  // Gives the upload its name, and returns that.
  [[nodiscard]] base::Result<std::string> finish(const Upload& upload) const;
  // The path, as it is from here. None if it is elsewhere.
  [[nodiscard]] base::Result<std::string> beneath(std::string_view path,
                                                  std::string_view from) const;

  base::Fd dir_;
  std::string path_;
};

// Reads from there on; less than `most` only at the end of the file.
[[nodiscard]] base::Result<std::string> read_piece(const base::Fd& file, std::uint64_t offset,
                                                   std::size_t most);

}  // namespace operation
