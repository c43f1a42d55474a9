// The memory that a run will need, told without it.
#ifndef GCOMPILE_SRC_PLAN_H
#define GCOMPILE_SRC_PLAN_H

#include "estimate.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace gc::detail {

struct MemoryPlan {
  GraphSize size;
  bool at_most = false; ///< there may be fewer arcs: which of them repeat others is known when the graph is built
  int vertex_bits = 32;
  int processes = 0;    ///< that run the program together; 0: it runs alone
  double names = 0;     ///< bytes of the vertices' names
  MemoryNeeds needs;    ///< of each process
  double available = 0; ///< to this process
  int threads = 0;      ///< of each process; 0: not known here

  double of_a_process() const { return names + needs.sum(); }
};

/// What is checked before a graph is loaded, for so many processes. Of generators nothing is made, and of .gcsr, .sg
/// and .wsg files only the header is read; other files are read, and no graph is built. Throws Error as load_graph
/// does.
MemoryPlan plan_memory(const std::string &spec, const LoadOptions &options, int processes);

std::string plan_text(const std::string &program, const std::string &graph, const MemoryPlan &plan);
nlohmann::ordered_json plan_json(const std::string &program, const std::string &graph, const MemoryPlan &plan);

} // namespace gc::detail

#endif
