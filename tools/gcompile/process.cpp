#include "tools/gcompile/process.h"
#include "runtime/tool_support/temporary.h"
#include "tools/gcompile/failure.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace gcompile {

namespace {

std::vector<char *> pointers(const std::vector<std::string> &words) {
  std::vector<char *> result;
  for (const std::string &word : words)
    result.push_back(const_cast<char *>(word.c_str()));
  result.push_back(nullptr);
  return result;
}

/// `word` as a shell would need it.
std::string quoted(const std::string &word) {
  if (!word.empty() && word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                              "_-+=./:,@%") == std::string::npos)
    return word;
  std::string result = "'";
  for (char c : word)
    result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

/// The environment, with other values for the variables that `settings` (NAME=VALUE) name.
std::vector<std::string> environmentWith(const std::vector<std::string> &settings) {
  std::vector<std::string> result = settings;
  for (char **at = environ; *at; ++at) {
    std::string variable = *at, name = variable.substr(0, variable.find('=') + 1);
    bool replaced = false;
    for (const std::string &setting : settings)
      replaced |= setting.rfind(name, 0) == 0;
    if (!replaced)
      result.push_back(variable);
  }
  return result;
}

/// Starts a program, and tells the handler of signals about it before the next one can come.
pid_t start(const std::vector<std::string> &command, const std::vector<std::string> &environment,
            const posix_spawn_file_actions_t *actions, bool group) {
  sigset_t all, before;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, &before);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigmask(&attributes, &before);
  posix_spawnattr_setflags(&attributes,
                           static_cast<short>(POSIX_SPAWN_SETSIGMASK | (group ? POSIX_SPAWN_SETPGROUP : 0)));
  pid_t child = 0;
  int error = posix_spawn(&child, command[0].c_str(), actions, &attributes, pointers(command).data(),
                          pointers(environment).data());
  posix_spawnattr_destroy(&attributes);
  if (error == 0)
    gc::detail::set_child(group ? -child : child);
  sigprocmask(SIG_SETMASK, &before, nullptr);
  if (error != 0)
    failUsage("cannot start {}: {}", command[0], std::strerror(error));
  return child;
}

int wait(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  gc::detail::set_child(0);
  return status;
}

/// Owns a file descriptor.
struct Descriptor {
  int number = -1;
  ~Descriptor() { reset(); }
  void reset() {
    if (number >= 0)
      close(number);
    number = -1;
  }
};

} // namespace

std::string ToolResult::reason() const {
  std::string first;
  for (std::size_t at = 0; at < messages.size();) {
    std::size_t end = std::min(messages.find('\n', at), messages.size());
    std::string line = messages.substr(at, end - at);
    at = end + 1;
    for (const char *sign : {"error:", "fatal", "cannot find", "undefined reference"})
      if (line.find(sign) != std::string::npos)
        return line;
    if (first.empty())
      first = line;
  }
  if (!first.empty())
    return first;
  return WIFEXITED(status) ? fmt::format("it exits with {} and says nothing", WEXITSTATUS(status)) : "it says nothing";
}

ToolResult runTool(const std::vector<std::string> &command, const std::string &folder, bool verbose) {
  if (verbose) {
    std::string line;
    for (const std::string &word : command)
      line += (line.empty() ? "" : " ") + quoted(word);
    fmt::print(stderr, "{}\n", line);
  }
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    failUsage("cannot start {}: {}", command[0], std::strerror(errno));
  Descriptor output{ends[0]}, input{ends[1]};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, input.number, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, input.number, STDERR_FILENO);
  pid_t child = start(command, environmentWith({"TMPDIR=" + folder, "LC_ALL=C"}), &actions, /*group=*/true);
  posix_spawn_file_actions_destroy(&actions);
  input.reset();
  ToolResult result{0, ""};
  char buffer[4096];
  for (ssize_t got; (got = read(output.number, buffer, sizeof buffer)) != 0;) {
    if (got > 0)
      result.messages.append(buffer, static_cast<std::size_t>(got));
    else if (errno != EINTR)
      break;
  }
  result.status = wait(child);
  return result;
}

int runAndWait(const std::vector<std::string> &command) {
  int status = wait(start(command, environmentWith({}), nullptr, /*group=*/false));
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void become(const std::vector<std::string> &command) {
  execv(command[0].c_str(), pointers(command).data());
  failUsage("{}: cannot be started: {}", command[0], std::strerror(errno));
}

} // namespace gcompile
