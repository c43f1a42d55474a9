// Programs that gcompile starts. A signal that ends gcompile ends them first.
#pragma once

#include <string>
#include <vector>

namespace gcompile {

/// How a tool has ended, and what it has printed.
struct ToolResult {
  int status; // as waitpid tells it
  std::string messages;

  bool succeeded() const { return status == 0; }
  /// The line that tells why it failed: the first one with an error, or else how the tool has ended.
  std::string reason() const;
};

/// Runs a tool without input, its temporary files in `folder`, and collects its messages, which are in English.
/// `verbose`: shows the command. Throws Failure if it cannot be started.
ToolResult runTool(const std::vector<std::string> &command, const std::string &folder, bool verbose);

/// Runs a program with this one's input and output. Returns its exit status, 128 + N after signal N.
int runAndWait(const std::vector<std::string> &command);

/// Replaces this process by a program.
[[noreturn]] void become(const std::vector<std::string> &command);

} // namespace gcompile
