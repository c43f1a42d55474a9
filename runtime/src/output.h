// Outputs of a program as text: files, summaries, and the comparison with the serial execution.
#ifndef GCOMPILE_SRC_OUTPUT_H
#define GCOMPILE_SRC_OUTPUT_H

#include <gcompile/program.h>

#include <string>
#include <utility>
#include <vector>

namespace gc::detail {

/// An output with its description and the graph that its indices mean.
struct Output {
  const OutputInfo &info;
  OutputView view;
  const LoadedGraph &graph;
};

/// Pairs the views with the program's descriptions, by name.
std::vector<Output> describe(const ProgramInfo &info, std::vector<OutputView> views, const LoadedGraph &graph);

/// Appends the i-th value: numbers as shortest text that reads back the same, vertices by their own ids, `inf`, `none`,
/// `true`, `false`; the members of a tuple with blanks between them.
void append_value(const Output &output, std::size_t i, std::string &out);

/// What the i-th value belongs to: "" (scalar), "v" (vertex) or "u v" (edge, pair).
std::string index_name(const Output &output, std::size_t i);

/// One line for people.
std::string summary(const Output &output);

/// Files that were asked for by --output NAME=FILE. Construction checks that each can be written.
class OutputFiles {
public:
  OutputFiles(const ProgramInfo &info, const std::vector<std::pair<std::string, std::string>> &names_and_files);
  /// Writes all; each file appears only when it is complete.
  void write(const std::vector<Output> &outputs) const;

private:
  std::vector<std::pair<std::string, std::string>> files_;
};

/// Compares the outputs of two executions: integers, truth values and vertices exactly, floats within a relative 1e-6
/// (double) or 1e-4 (float) and an absolute 1e-12. Prints the differences to stderr, or what agrees to stdout unless
/// quiet. True if all agree.
bool verify(const std::vector<Output> &parallel, const std::vector<Output> &serial, bool quiet);

} // namespace gc::detail

#endif
