// What the printers of programs in parts share: several machines, and several GPUs of one.
#pragma once

#include "codegen_cpp/Program.h"

#include <string>
#include <utility>
#include <vector>

namespace gcompile::cpp {

/// The states that a member of the class of their own brings to other parts: sets of whose members elsewhere kernels
/// ask, and properties of edges.
class KnownCopies {
public:
  explicit KnownCopies(Program &program);

  /// The member for this state, "" if it has none.
  std::string of(mlir::Value state) const;
  /// The members, whose classes are in the namespace `space`: those of sets are made of `parts`, which knows the
  /// vertices of this part, and those of properties of edges of `arcs`.
  void listMembers(std::vector<Program::Member> &members, const Program &program, const std::string &space,
                   const std::string &parts, const std::string &arcs) const;

private:
  std::vector<std::pair<mlir::Value, std::string>> copies;
};

/// Arguments of the frontier where a round pulls: the states that owners give with the news of what is active.
std::string givenBeforePulls(const Program &program, exec::PropagateOp op);
/// The states that owners give before each round that pushes, too; an empty list: there is none.
List givenEachRound(const Program &program, exec::PropagateOp op);

/// What an owner does with a record: `expected` is the text of what a claim expects. `targets` and `values` are of the
/// state and those that come with it; `activates` is the line that activates the vertex.
Writer recordApplied(exec::ReduceToOwnerOp op, llvm::ArrayRef<std::string> targets, llvm::ArrayRef<std::string> values,
                     const std::string &expected, const std::string &activates);

/// Lines behind the algorithm's body: `parts` brings the results to the first part. Those of edges their copies bring,
/// or `arcs` where there are none.
std::vector<std::string> gatherResults(const Program &program, const KnownCopies &copies, const std::string &parts,
                                       const std::string &arcs);

} // namespace gcompile::cpp
