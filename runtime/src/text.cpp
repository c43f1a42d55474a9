#include "text.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace gc::detail {

TextBuffer::TextBuffer(TextBuffer &&other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)),
      capacity_(std::exchange(other.capacity_, 0)), skipped_(std::exchange(other.skipped_, 0)),
      is_file_(std::exchange(other.is_file_, false)) {}

TextBuffer &TextBuffer::operator=(TextBuffer &&other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(capacity_, other.capacity_);
  std::swap(skipped_, other.skipped_);
  std::swap(is_file_, other.is_file_);
  return *this;
}

TextBuffer::~TextBuffer() { drop(); }

void TextBuffer::drop() {
  if (data_)
    munmap(data_, capacity_);
  data_ = nullptr;
  size_ = capacity_ = skipped_ = 0;
  is_file_ = false;
}

void TextBuffer::forget(const void *begin, const void *end) {
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const std::uintptr_t first = reinterpret_cast<std::uintptr_t>(begin) / page * page;
  if (is_file_ && begin < end)
    madvise(reinterpret_cast<void *>(first), reinterpret_cast<std::uintptr_t>(end) - first, MADV_DONTNEED);
}

void TextBuffer::adopt(void *memory, std::size_t bytes) {
  drop();
  data_ = static_cast<char *>(memory);
  size_ = capacity_ = bytes;
  is_file_ = true;
}

char *TextBuffer::room(std::size_t extra) {
  if (capacity_ - size_ < extra) {
    const std::size_t page = std::size_t(1) << 21;
    const std::size_t wanted = (std::max(size_ + extra, capacity_ + capacity_ / 2) + page - 1) / page * page;
    void *memory = data_ ? mremap(data_, capacity_, wanted, MREMAP_MAYMOVE)
                         : mmap(nullptr, wanted, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
      throw Error(ErrorKind::resource, "out of memory: cannot allocate " + std::to_string(wanted) + " bytes");
    data_ = static_cast<char *>(memory);
    capacity_ = wanted;
  }
  return data_ + size_;
}

std::string name_of_input(const std::string &path) { return path == "-" ? "standard input" : path; }

void fail_file(const std::string &path, const std::string &reason) {
  throw Error(ErrorKind::input, name_of_input(path) + ": " + reason);
}

void fail_at(const InputFile &file, const char *at, const std::string &reason) {
  const auto line = 1 + std::count(file.text.begin(), std::min(at, file.text.end()), '\n');
  fail_file(file.path + ":" + std::to_string(line), reason);
}

static bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

Compression compression_of(std::string_view path) {
  if (ends_with(path, ".gz"))
    return Compression::gzip;
  if (ends_with(path, ".zst"))
    return Compression::zstd;
  if (ends_with(path, ".xz"))
    return Compression::xz;
  return Compression::none;
}

std::string_view without_compression(std::string_view path) {
  if (compression_of(path) != Compression::none)
    path.remove_suffix(path.size() - path.rfind('.'));
  return path;
}

namespace {

/// An open file, which its destructor closes.
struct Descriptor {
  int fd;
  ~Descriptor() {
    if (fd >= 0)
      close(fd);
  }
};

/// Opens a file, or standard input, which can be read once.
int open_for_reading(const std::string &path) {
  if (!is_standard_input(path))
    return open(path.c_str(), O_RDONLY | O_CLOEXEC); // of a pipe it waits for who writes
  static bool taken = false;
  if (std::exchange(taken, true))
    fail_file(path, "can be read only once");
  return fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
}

/// Whether the bytes of a file come one after the other, as those of a pipe do.
bool is_stream(const std::string &path, const Descriptor &descriptor, mode_t mode) {
  if (S_ISREG(mode))
    return is_standard_input(path) && lseek(descriptor.fd, 0, SEEK_CUR) > 0; // somebody has read the beginning
  return S_ISFIFO(mode) || S_ISSOCK(mode) || (S_ISCHR(mode) && is_standard_input(path));
}

/// The bytes of a stream up to its end.
TextBuffer read_stream(const std::string &path, const Descriptor &descriptor, const MemoryBudget &budget) {
  constexpr std::size_t step = std::size_t(1) << 20;
  TextBuffer text;
  for (std::size_t checked = 0;;) {
    if (text.size() >= checked) {
      budget.require(static_cast<double>(text.size()) + 64 * step, path + ": reading it");
      checked = text.size() + 64 * step;
    }
    const ssize_t bytes = read(descriptor.fd, text.room(step), step);
    if (bytes == 0)
      return text;
    if (bytes > 0)
      text.filled(static_cast<std::size_t>(bytes));
    else if (errno != EINTR)
      fail_file(path, std::string("cannot read: ") + std::strerror(errno));
  }
}

/// The compression that the first bytes show.
Compression compression_by_bytes(std::string_view bytes) {
  for (const auto &[first, compression] : {std::pair<std::string_view, Compression>{"\x1F\x8B", Compression::gzip},
                                           {"\x28\xB5\x2F\xFD", Compression::zstd},
                                           {std::string_view("\xFD"
                                                             "7zXZ\0",
                                                             6),
                                            Compression::xz}})
    if (bytes.substr(0, first.size()) == first)
      return compression;
  return Compression::none;
}

} // namespace

bool is_standard_input(const std::string &path) { return path == "-" || path == "/dev/stdin"; }

InputFile open_input(const std::string &path, MemoryBudget &budget, bool may_be_empty) {
  struct stat status;
  if (!is_standard_input(path) && stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode))
    fail_file(path, "is a directory, not a file");
  const Descriptor descriptor{open_for_reading(path)};
  if (descriptor.fd < 0)
    fail_file(path, errno == ENOENT ? "no such file" : std::string("cannot open: ") + std::strerror(errno));
  if (fstat(descriptor.fd, &status) != 0)
    fail_file(path, std::string("cannot read: ") + std::strerror(errno));
  if (S_ISDIR(status.st_mode))
    fail_file(path, "is a directory, not a file");
  const bool stream = is_stream(path, descriptor, status.st_mode);
  if (!stream && !S_ISREG(status.st_mode))
    fail_file(path, "is not a regular file");

  TextBuffer stored;
  if (stream) {
    stored = read_stream(path, descriptor, budget);
  } else if (status.st_size > 0) {
    const std::size_t bytes = static_cast<std::size_t>(status.st_size);
    void *memory = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, descriptor.fd, 0);
    if (memory == MAP_FAILED)
      fail_file(path, std::string("cannot read: ") + std::strerror(errno));
    stored.adopt(memory, bytes);
  }
  InputFile file{name_of_input(path), TextBuffer(), stored.size()};
  if (stored.size() == 0 && may_be_empty && compression_of(path) == Compression::none) {
    file.text.room(1); // readers point at its end
    return file;
  }
  if (stored.size() == 0)
    fail_file(path, "the file is empty");

  Compression compression = compression_of(path);
  if (compression == Compression::none && (stream || is_standard_input(path)))
    compression = compression_by_bytes(stored.view());
  if (compression == Compression::none) {
    file.text = std::move(stored);
  } else {
    decompress(compression, stored.view(), file.path, budget, file.text);
    stored.drop();
  }
  if (stream || compression != Compression::none)
    budget.spend(static_cast<double>(file.text.size()));
  const std::string_view text = file.text.view();
  if (text.substr(0, 2) == "\xFF\xFE" || text.substr(0, 2) == "\xFE\xFF")
    fail_file(path, "is a text in UTF-16, not in UTF-8");
  if (text.substr(0, 3) == "\xEF\xBB\xBF")
    file.text.skip(3);
  if (file.text.size() == 0 && !may_be_empty)
    fail_file(path, "the file is empty");
  return file;
}

} // namespace gc::detail
