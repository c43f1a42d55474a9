// Results of a program as text: files, summary, comparison.
#ifndef GCOMPILE_SRC_OUTPUT_H
#define GCOMPILE_SRC_OUTPUT_H

#include <gcompile/program.h>

#include <string>
#include <vector>

namespace gc::detail {

/// Appends the i-th value: integers and floats in full precision, `inf`, `none`, `true`, `false`, vertices by name, and
/// edges as their source and target (`none none`: no edge).
void append_value(const OutputView &view, std::size_t i, const OutputInfo &info, const LoadedGraph &graph,
                  std::string &out);

/// Writes one output of a program. The constructor checks that the file can be written; nothing is left of it unless
/// commit() is reached. "-" is standard output.
class OutputFile {
public:
  explicit OutputFile(std::string path);
  OutputFile(OutputFile &&other) noexcept;
  OutputFile(const OutputFile &) = delete;
  ~OutputFile();

  void write(const std::string &text);
  void commit();

private:
  std::string path_, temporary_;
  int file_ = -1;
};

void write_output(OutputFile &file, const OutputView &view, const OutputInfo &info, const LoadedGraph &graph);

/// One line about an output for people.
std::string summary(const OutputView &view, const OutputInfo &info, const LoadedGraph &graph);

const OutputView &view_of(const std::vector<OutputView> &views, const std::string &name);

/// Compares all outputs with those of another execution, the `other`, and says on standard error where they differ or
/// cannot be compared; unless `quiet`, on standard output that they agree. Returns the exit status.
int compare_outputs(const std::vector<OutputView> &views, const std::vector<OutputView> &others,
                    const ProgramInfo &info, const LoadedGraph &graph, const char *other, bool quiet);

} // namespace gc::detail

#endif
