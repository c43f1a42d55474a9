#include "file_writer.h"

#include <gcompile/error.h>

#include <cerrno>
#include <csignal>
#include <climits>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace gc::detail {

namespace {

// The temporary file that a signal must remove; written before and after it exists.
char unfinished[PATH_MAX];
volatile std::sig_atomic_t is_unfinished = 0;

void remove_unfinished(int signal) {
  if (is_unfinished)
    unlink(unfinished);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void remember(const std::string &temporary) {
  for (int signal : {SIGINT, SIGTERM, SIGHUP})
    std::signal(signal, remove_unfinished);
  std::strncpy(unfinished, temporary.c_str(), sizeof unfinished - 1);
  is_unfinished = 1;
}

[[noreturn]] void fail_write(const std::string &path, const std::string &reason) {
  throw Error(ErrorKind::resource, path + ": cannot write: " + reason);
}

/// The file that a path finally names, through symbolic links.
std::string resolve(const std::string &path) {
  char *resolved = realpath(path.c_str(), nullptr);
  if (!resolved)
    return path;
  const std::string result = resolved;
  std::free(resolved);
  return result;
}

bool is_special(const std::string &path) {
  struct stat status;
  return stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

int open_temporary(const std::string &path, const std::string &target, std::string &temporary) {
  struct stat status;
  const bool exists = stat(target.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode))
    fail_write(path, "is a directory");
  if (exists && access(target.c_str(), W_OK) != 0)
    fail_write(path, std::strerror(errno));
  temporary = target + ".tmp" + std::to_string(getpid());
  const int fd = open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, exists ? status.st_mode & 0777 : 0666);
  if (fd < 0)
    fail_write(path, errno == ENOENT ? "no such folder" : std::strerror(errno));
  return fd;
}

} // namespace

void check_writable(const std::string &path) {
  if (path == "-")
    return;
  if (path.empty())
    throw Error(ErrorKind::argument, "an output file needs a name");
  if (is_special(path)) {
    if (access(path.c_str(), W_OK) != 0)
      fail_write(path, std::strerror(errno));
    return;
  }
  std::string temporary;
  const int fd = open_temporary(path, resolve(path), temporary);
  unlink(temporary.c_str());
  close(fd);
}

FileWriter::FileWriter(const std::string &path) : path_(path), target_(resolve(path)) {
  if (path == "-") {
    fd_ = dup(STDOUT_FILENO);
  } else if (is_special(path)) {
    fd_ = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    fd_ = open_temporary(path, target_, temporary_);
    remember(temporary_);
  }
  if (fd_ < 0)
    fail_write(path, std::strerror(errno));
}

FileWriter::~FileWriter() {
  if (fd_ >= 0)
    close(fd_);
  if (!temporary_.empty()) {
    unlink(temporary_.c_str());
    is_unfinished = 0;
  }
}

void FileWriter::write(const void *data, std::size_t bytes) {
  const char *p = static_cast<const char *>(data);
  while (bytes > 0) {
    const ssize_t written = ::write(fd_, p, bytes < (1u << 30) ? bytes : 1u << 30);
    if (written < 0) {
      if (errno == EINTR)
        continue;
      fail_write(path_, std::strerror(errno));
    }
    p += written;
    bytes -= static_cast<std::size_t>(written);
  }
}

void FileWriter::commit() {
  const int fd = fd_;
  fd_ = -1;
  if (close(fd) != 0)
    fail_write(path_, std::strerror(errno));
  if (temporary_.empty())
    return;
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0)
    fail_write(path_, std::strerror(errno));
  temporary_.clear();
  is_unfinished = 0;
}

} // namespace gc::detail
