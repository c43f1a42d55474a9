#include "sorted_runs.h"

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <unistd.h>

namespace gc::detail {

namespace {

std::string folder_beside(const std::string &path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

} // namespace

SpoolFile::SpoolFile(const std::string &path) : path_(path), file_(Temporary::file_in(folder_beside(path), path)) {}

void SpoolFile::append(const void *data, std::uint64_t bytes) {
  constexpr std::size_t most = std::size_t(1) << 20;
  size_ += bytes;
  if (bytes >= most) {
    flush();
    write(data, bytes);
    return;
  }
  const char *from = static_cast<const char *>(data);
  buffer_.insert(buffer_.end(), from, from + bytes);
  if (buffer_.size() >= most)
    flush();
}

void SpoolFile::flush() {
  write(buffer_.data(), buffer_.size());
  buffer_.clear();
}

void SpoolFile::write(const void *data, std::uint64_t bytes) {
  for (const char *from = static_cast<const char *>(data); bytes > 0;) {
    const ssize_t count = ::write(file_.descriptor(), from, bytes);
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      throw Error(ErrorKind::resource,
                  path_ + ": a temporary file beside it cannot be written: " + std::strerror(errno));
    from += count;
    bytes -= static_cast<std::uint64_t>(count);
  }
}

void SpoolFile::read(std::uint64_t at, void *data, std::uint64_t bytes) const {
  for (char *to = static_cast<char *>(data); bytes > 0;) {
    const ssize_t count = pread(file_.descriptor(), to, bytes, static_cast<off_t>(at));
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      throw Error(ErrorKind::resource, path_ + ": a temporary file beside it cannot be read: " +
                                           (count < 0 ? std::strerror(errno) : "it has become shorter"));
    to += count;
    at += static_cast<std::uint64_t>(count);
    bytes -= static_cast<std::uint64_t>(count);
  }
}

} // namespace gc::detail
