// Files: reading, atomic writing, temporary folders.
#pragma once

#include "runtime/tool_support/temporary.h"

#include <string>
#include <string_view>
#include <vector>

namespace gcompile {

/// The contents of a text file in UTF-8. Throws Failure naming the file and the reason.
std::string readProgram(const std::string &path);

/// The contents of any file. Throws Failure.
std::string readFile(const std::string &path);

/// Writes `text` to `path`, or to standard output for "-": nothing happens if the file already holds the text. The
/// rules are those of gc::detail::OutputFile, which throws gc::Error; no partial file stays.
void writeIfChanged(const std::string &path, std::string_view text);

/// Copies the finished file `from` to `to` by the same rules.
void installFile(const std::string &from, const std::string &to, bool executable);

/// Throws gc::Error if `path` cannot be written.
void checkWritable(const std::string &path);

/// Whether two names lead to one regular file.
bool sameFile(const std::string &first, const std::string &second);

/// The text with '?' for control characters: a file's name in a message or in generated code.
std::string printable(std::string text);

/// `a/b/bfs.gdsl` -> `bfs.gdsl`, and `bfs`.
std::string baseName(const std::string &path);
std::string stem(const std::string &path);
/// The folder of a file, absolute.
std::string folderOf(const std::string &path);

/// The folder of the running executable.
std::string executableFolder();

/// A folder that is removed with everything in it at the end, also by a signal, unless it is kept.
class TemporaryFolder {
public:
  TemporaryFolder(); // where temporary files belong
  explicit TemporaryFolder(const std::string &base);
  const std::string &path() const { return folder.path(); }
  /// Gives it a name that tells what it is for, a report. `path` is then that name.
  void keep();
  /// Moves it. Returns false, with errno set, if that fails.
  bool renameTo(const std::string &path) { return folder.rename_to(path); }

private:
  gc::detail::Temporary folder;
};

} // namespace gcompile
