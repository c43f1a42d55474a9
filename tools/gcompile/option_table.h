// The commands of gcompile and their options: what --help, the manual page and the completions of shells are made from.
#pragma once

#include "tools/gcompile/options.h"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace gcompile {

/// What a command line says, before it is checked.
struct Given {
  Options options;
  std::string target, exchange, emit = "exe", explanation, vertexBits, gpuVertexBits;
  std::vector<std::string> warnings, files;

  Given(); // the first target
};

/// A way to call gcompile.
struct CommandRow {
  const char *name; // the first word; empty: a program's file takes its place; null: a use of that command, to be shown
  Command command;
  const char *usage;   // all words
  const char *purpose; // what it does, in one line
  /// Declares the options, which are read into `given`.
  void (*declare)(CLI::App &app, Given &given) = nullptr;
  bool hasProgramArguments = false; // whether what follows the program's file is for the program
};

/// Every way to call gcompile, in the order in which --help shows them.
const std::vector<CommandRow> &commandTable();

/// Gives the app the name of a row, its options, and those that every command has.
void declareOptions(CLI::App &app, Given &given, const CommandRow &row);

/// The row of a command.
const CommandRow &rowOf(Command command);

struct ExitMeaning {
  int code;
  const char *meaning;
};
/// What the exit codes mean, of programs as well.
const std::vector<ExitMeaning> &exitMeanings();

/// The names of the kinds of output, for --emit.
const std::vector<std::pair<const char *, Emit>> &emitNames();

/// "a, b and c".
std::string listed(const std::vector<std::string> &words, const char *last);

} // namespace gcompile
