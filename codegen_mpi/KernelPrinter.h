// Kernels on a rank: one member function for each, with a loop over the vertices that the rank owns.
#pragma once

#include "codegen_cpp/KernelBodyPrinter.h"
#include "codegen_cpp/Parts.h"

#include <string>
#include <vector>

namespace gcompile::mpi {

/// The call that sends touched copies to their owners; `worklist` activates what changes there.
cpp::Writer printedReduction(cpp::BodyPrinter &printer, const cpp::Program &program, exec::ReduceToOwnerOp op,
                             const std::string &worklist);

/// Declares the variable that knows the rounds of a statement where a run can be resumed; `active` are its active
/// vertices, "" for a loop without these.
void declareRounds(cpp::BodyPrinter &printer, const cpp::Program &program, exec::ResumeOp op,
                   const std::string &variable, const std::string &active);

/// The member with a set that the program is given, of which every rank has all members; "" for another set.
std::string givenSet(const cpp::Program &program, mlir::Value set);

class KernelPrinter : public cpp::KernelBodyPrinter {
public:
  /// `region` is the region that the kernel runs; `function` is the kernel's name.
  KernelPrinter(cpp::Program &program, mlir::Operation *op, mlir::Region &region, std::string function,
                const cpp::SetCopies &copies);

  /// The values of the host that the function takes, in order.
  llvm::ArrayRef<mlir::Value> parameters() const { return captured; }
  const std::string &name() const { return function; }
  /// The function, once.
  cpp::Writer print();

protected:
  void statement(mlir::Operation *op) override;
  cpp::Text targetExpression(mlir::Operation *op) override;
  std::string stateName(mlir::Value state) override;
  std::string graphName() override { return "graph_"; }
  std::string element(mlir::Value state, mlir::ValueRange indices, bool checked, mlir::Operation *op) override;

private:
  /// A member under a name of its own: its array, its value, or a scalar's part that this rank accumulates.
  struct Alias {
    mlir::Value value;
    std::string name;
    bool used = false;
    bool privately = false;
    graph::UpdateKind kind = graph::UpdateKind::Add;
  };

  void collect();
  /// In a profiled program the line that records the kernel's call.
  std::string record();
  /// Whether it is a kernel of a propagate's rounds.
  bool isRound() const;
  std::string countOf(graph::Domain domain, mlir::Value over);
  void capture(mlir::Value value);
  Alias *alias(mlir::Value value);
  std::string declaration(const Alias &alias) const;
  /// The loop over the own vertices, the members of a set, or the pairs of own vertices with all, around `loop`.
  void loopOver(graph::Domain domain, mlir::Value set, llvm::function_ref<void()> loop);
  void domain();
  void ordered(exec::OrderedOp op);
  /// What all ranks make of their parts, which are called `part`.
  std::string ofAllRanks(const std::string &part, const std::string &combination) const;
  std::string levelWidth(exec::OrderedOp op);

  mlir::Operation *op;
  mlir::Region &region;
  std::string function, result = "void", worklist = "frontier_";
  std::string edges; // of a profiled program: those that the kernel looks at
  const cpp::SetCopies &copies;
  std::vector<mlir::Value> captured;
  std::vector<Alias> aliases;
  std::vector<std::string> after; // lines behind the loop
};

} // namespace gcompile::mpi
