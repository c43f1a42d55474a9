#include "runtime/tool_support/temporary.h"

#include <gcompile/core/error.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <random>
#include <set>
#include <utility>

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace gc::detail {

/// An element of a list that only grows; a free one is used again.
struct Temporary::Entry {
  std::atomic<bool> taken{true};
  std::atomic<bool> removable{false};
  std::array<char, PATH_MAX> path{};
  Entry *next = nullptr;
};

namespace {

constexpr char prefix[] = ".gcompile-";
constexpr std::size_t random_letters = 6;

std::atomic<Temporary::Entry *> entries{nullptr};
std::atomic<pid_t> child_process{0};

Temporary::Entry *take_entry() {
  for (Temporary::Entry *entry = entries; entry; entry = entry->next)
    if (bool free = false; entry->taken.compare_exchange_strong(free, true))
      return entry;
  auto *entry = new Temporary::Entry; // lives as long as the process
  entry->next = entries;
  while (!entries.compare_exchange_weak(entry->next, entry)) {
  }
  return entry;
}

void remove_at(int folder, const char *name);

/// One pass over the names in an open folder. Uses the system call: readdir allocates memory.
void remove_contents(int folder) {
  std::array<char, 4096> buffer;
  lseek(folder, 0, SEEK_SET);
  for (long size; (size = syscall(SYS_getdents64, folder, buffer.data(), buffer.size())) > 0;)
    for (long at = 0; at < size;) {
      unsigned short length = 0;
      std::memcpy(&length, &buffer[static_cast<std::size_t>(at) + offsetof(dirent64, d_reclen)], sizeof length);
      const char *name = &buffer[static_cast<std::size_t>(at) + offsetof(dirent64, d_name)];
      if (std::strcmp(name, ".") != 0 && std::strcmp(name, "..") != 0)
        remove_at(folder, name);
      at += length;
    }
}

void remove_at(int folder, const char *name) {
  if (unlinkat(folder, name, 0) == 0 || errno == ENOENT)
    return;
  const int inner = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (inner < 0)
    return;
  // A child that is about to end may still write.
  for (int pass = 0; pass < 8 && unlinkat(folder, name, AT_REMOVEDIR) != 0; ++pass)
    remove_contents(inner);
  close(inner);
}

void on_signal(int signal) {
  if (const pid_t child = child_process) {
    kill(child, child < 0 ? SIGKILL : signal);
    waitpid(child < 0 ? -child : child, nullptr, 0);
  }
  remove_temporaries();
  std::signal(signal, SIG_DFL);
  raise(signal); // delivered when the handler returns
}

/// Whether it has the name of a temporary file or folder.
bool is_temporary(const std::string &name) {
  return name.size() == std::strlen(prefix) + random_letters && name.compare(0, std::strlen(prefix), prefix) == 0;
}

/// Removes what killed processes have left in a folder: this user's, locked by no process.
void remove_left_behind(const std::string &folder) {
  static std::set<std::string> done;
  if (!done.insert(folder).second)
    return;
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const std::string path = at->path().string();
    if (!is_temporary(at->path().filename().string()))
      continue;
    int file = open(path.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0 && errno == EISDIR)
      file = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0)
      continue;
    struct stat status;
    if (fstat(file, &status) == 0 && status.st_uid == geteuid() &&
        (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode)) && flock(file, LOCK_EX | LOCK_NB) == 0)
      remove_tree(path.c_str());
    close(file);
  }
}

std::string random_name() {
  static constexpr char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
  static std::random_device device;
  std::uniform_int_distribution<std::size_t> letter(0, sizeof letters - 2);
  std::string name = prefix;
  for (std::size_t i = 0; i < random_letters; ++i)
    name += letters[letter(device)];
  return name;
}

/// Makes a file or folder that did not exist, and opens it. EEXIST: another name is needed.
int create(const std::string &path, bool is_folder) {
  if (!is_folder)
    return open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (mkdir(path.c_str(), 0700) != 0)
    return -1;
  const int descriptor = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  // Nobody holds a folder between these two calls: another process may have removed it as left behind.
  if (descriptor < 0 && errno == ENOENT)
    errno = EEXIST;
  return descriptor;
}

} // namespace

Temporary::Temporary(const std::string &folder, const std::string &path, bool is_folder) {
  remove_left_behind(folder);
  entry_ = take_entry();
  while (true) {
    path_ = (std::filesystem::path(folder) / random_name()).string();
    int error = ENAMETOOLONG;
    if (path_.size() < entry_->path.size()) {
      std::strcpy(entry_->path.data(), path_.c_str());
      entry_->removable = true; // before it exists, so that no signal comes between
      descriptor_ = create(path_, is_folder);
      error = errno;
    }
    if (descriptor_ >= 0) {
      // Another process may have found it before it was locked.
      flock(descriptor_, LOCK_EX);
      struct stat status;
      if (fstat(descriptor_, &status) == 0 && status.st_nlink > 0)
        return;
      close(descriptor_);
      descriptor_ = -1;
    } else if (error != EEXIST) {
      entry_->removable = false;
      entry_->taken = false;
      throw Error(ErrorKind::resource, path + ": cannot be written: " + std::strerror(error));
    }
  }
}

Temporary Temporary::file_in(const std::string &folder, const std::string &path) { return {folder, path, false}; }
Temporary Temporary::folder_in(const std::string &folder, const std::string &path) { return {folder, path, true}; }

Temporary::Temporary(Temporary &&other) noexcept
    : path_(std::move(other.path_)), entry_(std::exchange(other.entry_, nullptr)),
      descriptor_(std::exchange(other.descriptor_, -1)) {}

Temporary::~Temporary() {
  if (entry_) {
    remove_tree(path_.c_str());
    entry_->removable = false;
    entry_->taken = false;
  }
  if (descriptor_ >= 0)
    close(descriptor_);
}

bool Temporary::rename_to(const std::string &path) {
  if (rename(path_.c_str(), path.c_str()) != 0)
    return false;
  entry_->removable = false;
  entry_->taken = false;
  entry_ = nullptr;
  path_ = path;
  return true;
}

void remove_tree(const char *path) { remove_at(AT_FDCWD, path); }

void remove_temporaries() {
  for (Temporary::Entry *entry = entries; entry; entry = entry->next)
    if (entry->removable)
      remove_tree(entry->path.data());
}

void end_cleanly() {
  for (int standard = STDIN_FILENO; standard <= STDERR_FILENO; ++standard)
    if (fcntl(standard, F_GETFD) < 0 && open("/dev/null", O_RDONLY) < 0)
      _exit(exit_user_error);
  std::signal(SIGXFSZ, SIG_IGN);
  struct sigaction action = {};
  action.sa_handler = on_signal;
  sigfillset(&action.sa_mask);
  for (const int signal : {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGALRM, SIGTERM, SIGXCPU, SIGUSR1, SIGUSR2}) {
    struct sigaction before;
    // What the caller ignores, as nohup does, stays ignored.
    if (sigaction(signal, nullptr, &before) == 0 && before.sa_handler == SIG_DFL)
      sigaction(signal, &action, nullptr);
  }
}

void set_child(pid_t child) { child_process = child; }

} // namespace gc::detail
