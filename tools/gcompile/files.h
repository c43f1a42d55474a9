// Files: reading, atomic writing, temporary folders.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gcompile {

/// The contents of a text file in UTF-8. Throws Failure naming the file and the reason.
std::string readProgram(const std::string &path);

/// The contents of any file. Throws Failure.
std::string readFile(const std::string &path);

/// Writes `text` to `path`, or to standard output for "-": nothing happens if the file already holds the text, and it
/// is replaced in one step. Throws Failure; no partial file stays.
void writeIfChanged(const std::string &path, std::string_view text);

/// Moves the finished file `from` to `to`, on another file system as well; keeps `to` untouched if both hold the same
/// bytes. Throws Failure.
void installFile(const std::string &from, const std::string &to);

/// Throws Failure if `path` is a folder or cannot be written.
void checkWritable(const std::string &path);

/// `a/b/bfs.gdsl` -> `bfs.gdsl`, and `bfs`.
std::string baseName(const std::string &path);
std::string stem(const std::string &path);

/// The folder of the running executable.
std::string executableFolder();

/// A folder that is removed with everything in it at the end, unless kept.
class TemporaryFolder {
public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;
  const std::string &path() const { return folder; }
  void keep() { kept = true; }

private:
  std::string folder;
  bool kept = false;
};

} // namespace gcompile
