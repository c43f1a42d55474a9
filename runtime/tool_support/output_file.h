// The files that programs and the compiler write.
#ifndef GCOMPILE_TOOL_SUPPORT_OUTPUT_FILE_H
#define GCOMPILE_TOOL_SUPPORT_OUTPUT_FILE_H

#include "runtime/tool_support/temporary.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gc::detail {

/// Writes one file, which changes only when commit() is reached, and then as a whole.
///
/// A file that exists keeps its mode, its owner and its other names (hard links). Behind a symbolic link the file that
/// the link leads to is written. A pipe or a character device is written to as the text comes, and never replaced. So
/// is standard output, which is "-", /dev/stdout or the like. Other things, such as a disk, are refused.
class OutputFile {
public:
  /// Throws Error (resource) as require_writable does. An `executable` file may be run by all who may read it.
  explicit OutputFile(const std::string &path, bool executable = false);
  OutputFile(OutputFile &&other) noexcept;
  OutputFile(const OutputFile &) = delete;
  ~OutputFile();

  void write(std::string_view bytes);
  void commit();
  /// The name of the file that commit() gives its own name; "": there is none.
  std::string temporary() const { return temporary_ ? temporary_->path() : ""; }

private:
  void overwrite();

  std::string path_;
  std::optional<Temporary> temporary_;
  bool stays_ = false; ///< the file is overwritten: it has other names, or an owner that cannot be given
  int file_ = -1;
};

/// Writes from some place on into a file that another process has made, and will commit.
class OutputPart {
public:
  /// `path`: the name that the file gets.
  OutputPart(const std::string &temporary, std::string path);
  OutputPart(const OutputPart &) = delete;
  ~OutputPart();

  /// Whether this process sees the file.
  bool is_open() const { return file_ >= 0; }
  void move_to(std::uint64_t place) { place_ = place; }
  /// Throws Error (resource), as close() does.
  void write(std::string_view bytes);
  void close();

private:
  std::string path_;
  int file_;
  std::uint64_t place_ = 0;
};

/// Throws Error (resource) naming the file and the reason if it cannot be written; changes nothing.
void require_writable(const std::string &path);

/// Writes what standard output still holds. Throws Error (resource) if any of it could not be written.
void require_printed();

} // namespace gc::detail

#endif
