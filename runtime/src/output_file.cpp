#include "runtime/tool_support/output_file.h"

#include <gcompile/core/error.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace gc::detail {

namespace {

[[noreturn]] void fail_output(const std::string &path, const std::string &reason) {
  throw Error(ErrorKind::resource, (path == "-" ? "standard output" : path) + ": cannot be written: " + reason);
}
[[noreturn]] void fail_output(const std::string &path, int error) { fail_output(path, std::strerror(error)); }

/// The open file that a path is a name of, as "-" and /dev/stdout are of standard output; or -1.
int descriptor_of(const std::string &path) {
  if (path == "-" || path == "/dev/stdout")
    return STDOUT_FILENO;
  if (path == "/dev/stderr")
    return STDERR_FILENO;
  for (const char *folder : {"/dev/fd/", "/proc/self/fd/"}) {
    const std::size_t length = std::strlen(folder);
    int number = 0;
    const char *const end = path.data() + path.size();
    if (path.compare(0, length, folder) == 0 && path.size() > length) {
      const auto [stop, error] = std::from_chars(path.data() + length, end, number);
      if (error == std::errc() && stop == end)
        return number;
    }
  }
  return -1;
}

/// What a link leads to, up to the name of an open file.
std::string behind_links(std::string path) {
  std::error_code error;
  for (int links = 0; links < 40 && descriptor_of(path) < 0 && std::filesystem::is_symlink(path, error); ++links) {
    const std::filesystem::path target = std::filesystem::read_symlink(path, error);
    if (error)
      break;
    path = (std::filesystem::path(path).parent_path() / target).string();
  }
  if (descriptor_of(path) < 0 && std::filesystem::is_symlink(path, error))
    fail_output(path, ELOOP);
  return path;
}

std::string folder_of(const std::string &path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

/// What is under a name.
struct Place {
  bool exists = false, in_place = false; ///< in place: cannot be replaced
  struct stat status {};
};

/// Throws Error if nothing can be written there.
Place place_of(const std::string &path) {
  Place place;
  if (path.empty())
    throw Error(ErrorKind::argument, "a file to be written has no name");
  if (stat(path.c_str(), &place.status) != 0) {
    const std::string folder = folder_of(path);
    std::error_code error;
    if (!std::filesystem::exists(folder, error) && !error)
      fail_output(path, "there is no folder " + folder);
    if (errno != ENOENT)
      fail_output(path, errno);
    if (path.back() == '/')
      fail_output(path, EISDIR);
    return place;
  }
  place.exists = true;
  const mode_t mode = place.status.st_mode;
  if (S_ISDIR(mode))
    fail_output(path, "it is a folder");
  if (!S_ISREG(mode) && !S_ISFIFO(mode) && !S_ISCHR(mode))
    fail_output(path, "it is neither a file, nor a pipe, nor a character device");
  if (access(path.c_str(), W_OK) != 0)
    fail_output(path, errno);
  place.in_place = !S_ISREG(mode);
  return place;
}

/// The mode of a file that the process makes.
mode_t new_mode() {
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

void write_all(int file, std::string_view bytes, const std::string &path) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(file, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      fail_output(path, errno);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

} // namespace

void require_writable(const std::string &name) {
  const std::string path = behind_links(name);
  // A pipe is not opened: when it is closed again, it has ended.
  if (descriptor_of(path) < 0 && !place_of(path).in_place)
    OutputFile attempt(path);
}

OutputFile::OutputFile(const std::string &path, bool executable) : path_(behind_links(path)) {
  const int descriptor = descriptor_of(path_);
  const Place place = descriptor < 0 ? place_of(path_) : Place();
  if (descriptor >= 0 || place.in_place) {
    std::fflush(stdout); // what has been printed comes before
    file_ = descriptor >= 0 ? dup(descriptor) : open(path_.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (file_ < 0)
      fail_output(path_, errno);
    return;
  }
  temporary_.emplace(Temporary::file_in(folder_of(path_), path_));
  file_ = dup(temporary_->descriptor());
  if (file_ < 0)
    fail_output(path_, errno);
  stays_ = place.exists && (place.status.st_nlink > 1 || fchown(file_, place.status.st_uid, place.status.st_gid) != 0);
  mode_t mode = place.exists ? place.status.st_mode & 0777 : new_mode();
  if (executable)
    mode |= (mode & 0444) >> 2;
  fchmod(file_, mode);
}

OutputFile::OutputFile(OutputFile &&other) noexcept
    : path_(std::move(other.path_)), temporary_(std::move(other.temporary_)), stays_(other.stays_),
      file_(std::exchange(other.file_, -1)) {}

OutputFile::~OutputFile() {
  if (file_ >= 0)
    close(file_);
}

void OutputFile::write(std::string_view bytes) { write_all(file_, bytes, path_); }

void OutputFile::commit() {
  if (temporary_ && stays_)
    overwrite();
  const int file = std::exchange(file_, -1);
  if (close(file) != 0)
    fail_output(path_, errno);
  if (temporary_ && !stays_ && !temporary_->rename_to(path_))
    fail_output(path_, errno);
  temporary_.reset();
}

/// Copies the finished file over the one under `path_`, which stays the same file.
void OutputFile::overwrite() {
  struct Closed {
    int file;
    ~Closed() {
      if (file >= 0)
        close(file);
    }
  } target{open(path_.c_str(), O_WRONLY | O_CLOEXEC)};
  struct stat made, before;
  if (target.file < 0 || fstat(file_, &made) != 0 || fstat(target.file, &before) != 0)
    fail_output(path_, errno);
  // Space first: from there on nothing is expected to fail.
  if (const int error = made.st_size > 0 ? posix_fallocate(target.file, 0, made.st_size) : 0) {
    if (ftruncate(target.file, before.st_size) != 0)
      fail_output(path_, errno);
    fail_output(path_, error);
  }
  std::array<char, 1 << 16> buffer;
  lseek(file_, 0, SEEK_SET);
  for (ssize_t count; (count = read(file_, buffer.data(), buffer.size())) != 0;) {
    if (count < 0 && errno != EINTR)
      fail_output(path_, errno);
    if (count > 0)
      write_all(target.file, {buffer.data(), static_cast<std::size_t>(count)}, path_);
  }
  const mode_t mode = made.st_mode & 0777;
  if (ftruncate(target.file, made.st_size) != 0 || ((before.st_mode & 0777) != mode && fchmod(target.file, mode) != 0))
    fail_output(path_, errno);
}

OutputPart::OutputPart(const std::string &temporary, std::string path)
    : path_(std::move(path)), file_(open(temporary.c_str(), O_WRONLY | O_CLOEXEC)) {}

OutputPart::~OutputPart() {
  if (file_ >= 0)
    ::close(file_);
}

void OutputPart::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = pwrite(file_, bytes.data(), bytes.size(), static_cast<off_t>(place_));
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      fail_output(path_, errno);
    bytes.remove_prefix(static_cast<std::size_t>(count));
    place_ += static_cast<std::uint64_t>(count);
  }
}

void OutputPart::close() {
  if (::close(std::exchange(file_, -1)) != 0)
    fail_output(path_, errno);
}

void require_printed() {
  errno = 0;
  if (std::fflush(stdout) != 0 || std::ferror(stdout))
    fail_output("-", errno ? errno : EIO);
}

} // namespace gc::detail
