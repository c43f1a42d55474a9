// Of a program that several processes run: which results the one that speaks needs as a whole.
#ifndef GCOMPILE_PROGRAM_WHOLE_RESULTS_H
#define GCOMPILE_PROGRAM_WHOLE_RESULTS_H

#include <algorithm>
#include <string>
#include <vector>

namespace gc {

/// Their names, the same in each process: set before a run. Of the others each process keeps the values of its own
/// vertices.
inline std::vector<std::string> whole_results;

/// Whether a result comes to the process that speaks at the end of a run.
inline bool comes_whole(const char *name) {
  return std::find(whole_results.begin(), whole_results.end(), name) != whole_results.end();
}

} // namespace gc

#endif
