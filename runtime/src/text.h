// Input files as text in memory: mapped or decompressed, with positions for error messages.
#ifndef GCOMPILE_SRC_TEXT_H
#define GCOMPILE_SRC_TEXT_H

#include "memory.h"

#include <gcompile/core/error.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace gc::detail {

/// The bytes of a file: a private mapping of the file itself, or anonymous memory that decompression fills.
class TextBuffer {
public:
  TextBuffer() = default;
  TextBuffer(TextBuffer &&other) noexcept;
  TextBuffer &operator=(TextBuffer &&other) noexcept;
  ~TextBuffer();

  const char *data() const { return data_ + skipped_; }
  std::size_t size() const { return size_ - skipped_; }
  const char *begin() const { return data(); }
  const char *end() const { return data_ + size_; }
  std::string_view view() const { return {data(), size()}; }

  /// Takes over the mapping of a file.
  void adopt(void *memory, std::size_t bytes);
  /// Makes room for `extra` more bytes after size() and returns where they go.
  char *room(std::size_t extra);
  /// Says that `bytes` of that room were filled.
  void filled(std::size_t bytes) { size_ += bytes; }
  /// Leaves out the first bytes.
  void skip(std::size_t bytes) { skipped_ = bytes; }
  /// Gives all memory back to the system.
  void drop();
  /// Lets the pages between two places leave memory if they are a file's, from which they come again when they are
  /// read.
  void forget(const void *begin, const void *end);

private:
  char *data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
  std::size_t skipped_ = 0;
  bool is_file_ = false;
};

enum class Compression { none, gzip, zstd, xz };

/// The compression that a file name's extension says.
Compression compression_of(std::string_view path);
/// The name without .gz, .zst or .xz.
std::string_view without_compression(std::string_view path);

/// An input file that was opened, mapped and, if need be, decompressed.
struct InputFile {
  std::string path;
  TextBuffer text;
  std::size_t stored_bytes = 0; ///< size of the file on disk
};

/// Whether a path says standard input: "-" or /dev/stdin.
bool is_standard_input(const std::string &path);
/// The path as messages show it.
std::string name_of_input(const std::string &path);

/// Opens a file, a pipe or standard input and reads all of it, but for the mark of UTF-8 that may stand at its
/// beginning. Throws Error for a missing, unreadable, empty, truncated or corrupt one, and for a text in UTF-16.
/// Standard input and pipes show by their first bytes that they are compressed, where the name does not.
InputFile open_input(const std::string &path, MemoryBudget &budget, bool may_be_empty = false);

/// Appends the decompressed bytes to `out`. Throws Error naming `path`.
void decompress(Compression compression, std::string_view compressed, const std::string &path, MemoryBudget &budget,
                TextBuffer &out);

/// Throws an input Error "PATH: REASON".
[[noreturn]] void fail_file(const std::string &path, const std::string &reason);
/// Throws an input Error "PATH:LINE: REASON" for the line that holds `at`.
[[noreturn]] void fail_at(const InputFile &file, const char *at, const std::string &reason);

/// Throws Error if the first line, as readers see it, is several that end with carriage returns alone.
void check_first_line(const InputFile &file);

} // namespace gc::detail

#endif
