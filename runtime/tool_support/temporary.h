// Files and folders that do not outlive the process, however it ends.
#ifndef GCOMPILE_TOOL_SUPPORT_TEMPORARY_H
#define GCOMPILE_TOOL_SUPPORT_TEMPORARY_H

#include <string>

#include <sys/types.h>

namespace gc::detail {

/// A new file or folder `.gcompile-XXXXXX`. The destructor removes it with everything in it, and so does a signal that
/// ends the process. The process holds a lock on it: what a killed process left has none, and the next Temporary in
/// the same folder removes it.
class Temporary {
public:
  /// Throw Error (resource), naming `path`, if there can be none in `folder`.
  static Temporary file_in(const std::string &folder, const std::string &path);
  static Temporary folder_in(const std::string &folder, const std::string &path);

  Temporary(Temporary &&other) noexcept;
  Temporary(const Temporary &) = delete;
  ~Temporary();

  const std::string &path() const { return path_; }
  int descriptor() const { return descriptor_; }
  /// Gives it a name of its own; it stays. Returns false, with errno set, if that fails.
  bool rename_to(const std::string &path);

  struct Entry; ///< what the signal handler knows

private:
  Temporary(const std::string &folder, const std::string &path, bool is_folder);
  std::string path_;
  Entry *entry_ = nullptr;
  int descriptor_ = -1;
};

/// Removes a file, or a folder with everything in it. May be called in a signal handler.
void remove_tree(const char *path);

/// Removes what is temporary in this process, which is about to end. May be called in a signal handler.
void remove_temporaries();

/// To be called once, at the start of a process: a signal that ends it first ends its child and removes what is
/// temporary; a file that grows too large is an error of the write; no file is opened as standard output or standard
/// error where these are closed.
void end_cleanly();

/// The child that ends with this process: a process, or the negative number of a process group; 0: none.
void set_child(pid_t child);

} // namespace gc::detail

#endif
