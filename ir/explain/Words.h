// The words for facts (ir/graph/GraphFacts.td).
#pragma once

#include "ir/exec/ExecDialect.h"

#include <optional>
#include <string>

namespace gcompile::words {

/// Whose element a statement over `domain` reads or writes.
std::string element(graph::Element element, graph::Domain domain);

/// What makes `write`, a graph.update or a graph.update_tuple, legal.
const char *rule(graph::WriteRule rule, mlir::Operation *write);
const char *safety(graph::Safety safety);

/// Why a state that a statement reads and writes has two copies, or one; `rule` is that of its writes.
const char *snapshot(graph::Snapshot snapshot, graph::WriteRule rule);

const char *way(graph::Way way);
/// Why `statement` runs in a way that is chosen without a schedule; `canPull`: it might also pull. Empty: the analysis
/// says it.
std::string whyByDefault(graph::Way way, mlir::Operation *statement, bool canPull);

/// Why a loop may run in blocks, and what its step, of which that is known, has the runtime try.
std::string whyInBlocks(exec::ClosePairsOp closure, bool onDevice);

/// Why a search in every turn of a loop is a question to an index.
std::string whyByIndex(exec::KeepIndexOp index);

const char *freedom(graph::Freedom freedom);

/// In which order the vertices are numbered: "by_degree" or "by_bfs".
std::string vertexOrder(llvm::StringRef order);
/// In which order the neighbours of a vertex are.
std::string neighborOrder();
/// What packed lists of neighbours are.
std::string packedLists();
/// What aligned lists of neighbours are, of such a share of the vertices.
std::string alignedLists(double part);

/// Where an algorithm of two forms runs.
std::string side(exec::Side on, bool byOneList);
/// Of a stage: its number, the line where it begins, and where the schedule wants it.
std::string stage(unsigned number, unsigned line, exec::StageOp stage);
/// When the rounds of the propagate in that line go over to the GPU, and of which states values are moved.
std::string handOver(unsigned line, mlir::Attribute above, mlir::Attribute growth, llvm::StringRef states);

/// What the program does without.
std::string removal(graph::Removal removal, llvm::StringRef state);

} // namespace gcompile::words
