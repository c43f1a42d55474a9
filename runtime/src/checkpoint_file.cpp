#include "checkpoint_file.h"

#include "runtime/tool_support/temporary.h"

#include <gcompile/core/error.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

namespace gc::detail {

namespace {

constexpr std::size_t buffer_size = std::size_t(1) << 20;

[[noreturn]] void fail_writing(const std::string &path) {
  throw Error(ErrorKind::resource, path + ": cannot be written: " + std::strerror(errno));
}
[[noreturn]] void fail_reading(const std::string &path) {
  throw Error(ErrorKind::input, path + ": cannot be read: " + std::strerror(errno));
}

std::uint64_t mixed(std::uint64_t sum, std::uint64_t word) {
  sum = (sum ^ word) * 0x9e3779b97f4a7c15u;
  return sum ^ (sum >> 32);
}

/// A file under its name for a while, until it is complete.
class DurableFile {
public:
  explicit DurableFile(const std::string &path)
      : path_(path), folder_(std::filesystem::path(path).parent_path().string()),
        temporary_(Temporary::file_in(folder_, path)) {}

  void write(const char *bytes, std::size_t count) {
    while (count > 0) {
      const ssize_t written = ::write(temporary_.descriptor(), bytes, count);
      if (written < 0 && errno == EINTR)
        continue;
      if (written < 0)
        fail_writing(path_);
      bytes += written;
      count -= static_cast<std::size_t>(written);
    }
  }
  void commit() {
    if (fsync(temporary_.descriptor()) != 0 || !temporary_.rename_to(path_))
      fail_writing(path_);
    const int folder = open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
      fail_writing(path_);
    const bool reached = fsync(folder) == 0 || errno == EINVAL; // some file systems have none for folders
    close(folder);
    if (!reached)
      fail_writing(path_);
  }

private:
  std::string path_, folder_;
  Temporary temporary_;
};

class PartWriter final : public StateStream {
public:
  explicit PartWriter(const std::string &path) : file_(path) { buffer_.reserve(buffer_size); }

  bool reads() const override { return false; }
  void bytes(void *at, std::size_t count) override {
    const char *from = static_cast<const char *>(at);
    sum_.add(from, count);
    size_ += count;
    if (buffer_.size() + count > buffer_size)
      flush();
    if (count > buffer_size)
      file_.write(from, count);
    else
      buffer_.insert(buffer_.end(), from, from + count);
  }
  PartSummary commit() {
    flush();
    file_.commit();
    return {size_, sum_.value()};
  }

private:
  void flush() {
    file_.write(buffer_.data(), buffer_.size());
    buffer_.clear();
  }

  DurableFile file_;
  std::vector<char> buffer_;
  Checksum sum_;
  std::uint64_t size_ = 0;
};

class PartReader final : public StateStream {
public:
  explicit PartReader(const std::string &path) : path_(path), file_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (file_ < 0)
      fail_reading(path_);
  }
  PartReader(const PartReader &) = delete;
  ~PartReader() override { close(file_); }

  bool reads() const override { return true; }
  void bytes(void *at, std::size_t count) override {
    char *to = static_cast<char *>(at);
    while (count > 0) {
      if (begin_ == end_)
        fill();
      const std::size_t there = std::min(count, end_ - begin_);
      if (there == 0)
        throw Error(ErrorKind::input, path_ + ": is shorter than it was");
      std::memcpy(to, buffer_.data() + begin_, there);
      begin_ += there;
      to += there;
      count -= there;
    }
  }
  /// What is in the file from here on.
  PartSummary rest() {
    PartSummary summary;
    Checksum sum;
    for (fill(); end_ > 0; fill()) {
      sum.add(buffer_.data(), end_);
      summary.bytes += end_;
    }
    summary.checksum = sum.value();
    return summary;
  }

private:
  void fill() {
    ssize_t got;
    do
      got = read(file_, buffer_.data(), buffer_.size());
    while (got < 0 && errno == EINTR);
    if (got < 0)
      fail_reading(path_);
    begin_ = 0;
    end_ = static_cast<std::size_t>(got);
  }

  std::string path_;
  int file_;
  std::vector<char> buffer_ = std::vector<char>(buffer_size);
  std::size_t begin_ = 0, end_ = 0;
};

} // namespace

void Checksum::add(const void *bytes, std::size_t count) {
  const auto *at = static_cast<const unsigned char *>(bytes), *const end = at + count;
  const auto add_byte = [&] {
    pending_ |= std::uint64_t(*at++) << (size_++ % 8 * 8);
    if (size_ % 8 == 0) {
      sum_ = mixed(sum_, pending_);
      pending_ = 0;
    }
  };
  while (at < end && size_ % 8 != 0)
    add_byte();
  for (std::uint64_t word; end - at >= 8; at += 8, size_ += 8) {
    std::memcpy(&word, at, 8);
    sum_ = mixed(sum_, word);
  }
  while (at < end)
    add_byte();
}

std::uint64_t Checksum::value() const { return mixed(mixed(sum_, pending_), size_); }

std::string hexadecimal(std::uint64_t number) {
  std::array<char, 16> digits;
  return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number, 16).ptr};
}

std::uint64_t checksum_of_file(const std::string &path) { return PartReader(path).rest().checksum; }

void require_writable_folder(const std::string &folder) { Temporary::file_in(folder, folder); }

PartSummary write_part(const std::string &path, const RoundKeeper::Pass &pass) {
  PartWriter writer(path);
  pass(writer);
  return writer.commit();
}

void write_durably(const std::string &path, std::string_view text) {
  DurableFile file(path);
  file.write(text.data(), text.size());
  file.commit();
}

void read_part(const std::string &path, const PartSummary &summary, const RoundKeeper::Pass &pass) {
  // Before it is used: the length of a list that is damaged may be anything.
  const PartSummary found = PartReader(path).rest();
  if (found.bytes != summary.bytes || found.checksum != summary.checksum)
    throw Error(ErrorKind::input, path + ": is damaged: it has " + std::to_string(found.bytes) +
                                      " bytes of the checksum " + hexadecimal(found.checksum) + ", and had " +
                                      std::to_string(summary.bytes) + " of " + hexadecimal(summary.checksum));
  PartReader reader(path);
  pass(reader);
}

} // namespace gc::detail
