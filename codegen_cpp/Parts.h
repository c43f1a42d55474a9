// What the printers of programs in parts share: several machines, and several GPUs of one.
#pragma once

#include "codegen_cpp/Program.h"

#include <string>
#include <utility>
#include <vector>

namespace gcompile::cpp {

/// The member with a set that the program is given, of which every part has all members; "" for another set.
std::string givenSet(const Program &program, mlir::Value set);

/// Whether it is the owner of an edge, not of a vertex.
bool isOfEdge(exec::OwnerComputesOp op);
/// Whether the class has the member `arcs_`, since values of edges have owners.
bool usesArcs(const Program &program);

/// The states that a member of the class of their own brings to other parts: sets of whose members elsewhere kernels
/// ask, and, `ofEdges`, properties of edges.
class KnownCopies {
public:
  KnownCopies(Program &program, bool ofEdges);

  /// The member for this state, "" if it has none.
  std::string of(mlir::Value state) const;
  /// The members, whose classes are in the namespace `space`: those of sets are made of `parts`, which knows the
  /// vertices of this part, and those of properties of edges of the member `arcs_`.
  void listMembers(std::vector<Program::Member> &members, const Program &program, const std::string &space,
                   const std::string &parts) const;

private:
  std::vector<std::pair<mlir::Value, std::string>> copies;
};

/// Arguments of the frontier where a round pulls: the states that owners give with the news of what is active.
std::string givenBeforePulls(const Program &program, exec::PropagateOp op);
/// The states that owners give before each round that pushes, too; an empty list: there is none.
List givenEachRound(const Program &program, exec::PropagateOp op);
/// Those that they give, before a round that pushes, to parts which have some of the edges at active vertices.
List givenToLists(const Program &program, mlir::Region &exchange);

/// What an owner does with a record: `expected` is the text of what a claim expects. `targets` and `values` are of the
/// state and those that come with it; `activates` is the line that activates the vertex.
Writer recordApplied(exec::ReduceToOwnerOp op, llvm::ArrayRef<std::string> targets, llvm::ArrayRef<std::string> values,
                     const std::string &expected, const std::string &activates);

/// A result, and the call that brings it to the first part.
struct GatheredResult {
  std::string name, call;
};
/// Those that parts have: `parts` brings them. Those of edges their copies bring, or the member `arcs_` where there are
/// none.
std::vector<GatheredResult> gatherResults(const Program &program, const KnownCopies &copies, const std::string &parts);

} // namespace gcompile::cpp
