// The command line of a generated program; gcompile runs programs with the same one.
#ifndef GCOMPILE_TOOL_SUPPORT_COMMAND_LINE_H
#define GCOMPILE_TOOL_SUPPORT_COMMAND_LINE_H

#include <gcompile/program.h>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gc::detail {

struct CommandLine {
  int gpus = 0; ///< 0: all
  std::string graph;
  std::map<std::string, std::string> parameters;            ///< of the algorithm, as texts
  std::vector<std::pair<std::string, std::string>> outputs; ///< NAME=FILE
  std::string each;                                         ///< parameter that takes one value after another; or empty
  std::vector<std::string> values;                          ///< of `each`; a single empty one without it
  int trials = 1;
  int threads = 0;          ///< 0: OpenMP's choice
  std::optional<Side> on;   ///< of a program with a form for the CPU and one for the GPU
  std::vector<Side> stages; ///< where it is `mixed`: of each
  bool verify = false, quiet = false, help = false, version = false;
  bool calibrate = false; ///< measure the machine and do nothing else
  std::string report;
  // Whether this process or another one of its group writes a report, prints a summary, and compares results.
  bool reports = false, summarizes = false, verifies = false;
  std::string partition; ///< how processes divide the vertices: "blocks", "scotch" or a file; empty: nothing is said
  RouteChoice routes = RouteChoice::automatic; ///< of the messages of processes
  int stall_timeout = 0;                       ///< seconds; 0: none
  std::string checkpoint;                      ///< the folder where rounds are kept; or empty
  int every = 0;                               ///< rounds from one checkpoint to the next
  bool resume = false;                         ///< go on from the checkpoint, if there is one
  std::optional<int> plan; ///< tell the memory that a run needs, with so many ranks; 0: with those that there are
  bool profile = false;
  std::string profile_file;        ///< empty: to be printed
  std::uint64_t device_memory = 0; ///< bytes; 0: what is free
  LoadOptions load;                ///< what the user says about the graph
};

/// The words of "A,B,C", or those between white space in the file of "@FILE". Throws Error (argument) naming the option
/// if it cannot be read.
std::vector<std::string> listed_words(const std::string &option, const std::string &text);

/// The text that a command line gives a parameter, by itself or together with others; null: none.
const std::string *given_text(const CommandLine &line, const ParameterInfo &parameter);

/// What is said of a parameter without a value, which the program needs.
std::string missing(const ParameterInfo &parameter);

/// Where a result is written: the FILE of --output, in which {NAME} stands for the value of the parameter NAME after
/// --each.
std::string output_path(const CommandLine &line, const std::string &file, const std::string &value);

/// A number of at least 1. Throws Error (argument) naming the option for any other text.
int positive(const std::string &option, const std::string &text);

/// Whether every program has an option `--NAME`.
bool is_option(const std::string &name);

/// Throws Error (argument) for what it does not understand, with a suggestion for a misspelt name.
CommandLine parse_command_line(int argc, char **argv, const ProgramInfo &info);

/// The text of --help.
std::string help_text(const std::string &program, const ProgramInfo &info);

} // namespace gc::detail

#endif
