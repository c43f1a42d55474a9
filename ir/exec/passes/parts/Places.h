// What a kernel needs of the parts of a graph that other machines hold: which states it reads at the other ends of its
// edges, and which ones it updates there.
#pragma once

#include "ir/analysis/Statement.h"
#include "ir/exec/ExecDialect.h"
#include "ir/exec/passes/parts/Ends.h"

#include "llvm/ADT/SetVector.h"

#include <optional>
#include <string>

namespace gcompile::parts {

/// Updates of one state at the other ends of edges, or at vertices that the kernel computes; or at the edges of these.
struct Sent {
  graph::UpdateKind kind;
  mlir::Value state;
  mlir::Value expected;                         // of a claim
  mlir::SmallVector<mlir::Value> with;          // states that the winner of a claim, or of a comparison, writes as well
  mlir::SmallVector<mlir::Operation *> updates; // exec.update, exec.update_tuple or exec.claim
  bool activating = false;                      // the vertex where this changes it,
  bool always = false;                          // or whatever it changes
  bool computed = false;                        // some of the vertices, or of those that the edges leave, are not at
                                                // the other end of an edge

  bool claims() const { return static_cast<bool>(expected); }
  /// Whether all contributions to a vertex are the same value.
  bool assigns() const { return kind == graph::UpdateKind::Assign && !expected; }
  /// Whether copies collect what they send.
  bool collects() const;
};

struct Needs {
  llvm::SmallSetVector<mlir::Value, 4> read; // states and sets whose copies it reads
  llvm::SmallSetVector<mlir::Value, 2>
      readComputed; // states that it reads at vertices that it computes, or their edges
  /// States whose copies a push reads, and that the commit changes at the vertices of the next frontier.
  llvm::SmallSetVector<mlir::Value, 2> readEachRound;
  /// States that the kernel changes and whose copies its pull reads, where their vertices are in the frontier.
  llvm::SmallSetVector<mlir::Value, 2> readOfActive;
  /// Of a kernel along divided edges: states and sets that it reads of the vertex whose edges these are, and, in
  /// rounds, those of them that the rounds change.
  llvm::SmallSetVector<mlir::Value, 2> readOfOwn, readOfOwnActive;
  bool outOfCopies = false, intoCopies = false;     // the edges of copies that it looks at,
  bool ofAll = false;                               // and those of vertices that it computes
  mlir::SmallVector<Sent, 2> sent;                  // at vertices, one for each state that is combined by itself,
  std::optional<Sent> sentOfEdges;                  // and at edges
  mlir::SmallVector<mlir::Operation *> activations; // exec.activate of copies that goes with no update
  mlir::SmallVector<exec::UpdateOp> arrays;         // reductions into arrays
  mlir::SmallVector<graph::ReadOp> rows;            // of pairs in the row of one vertex, which its owner gives to all

  /// The updates at vertices that this one is among; null if it is not sent.
  Sent *sentWith(mlir::Operation *update);
  /// The updates at vertices that send the state, by itself or with another one; null if none does.
  const Sent *sentOf(mlir::Value state) const;
};

/// What is not possible yet: where, and why.
struct Refusal {
  mlir::Operation *at = nullptr;
  std::string reason;
};

/// What looks for refusals keeps the first that it finds.
class Refuses {
protected:
  void refuse(mlir::Operation *at, const std::string &reason) {
    if (!refusal)
      refusal = Refusal{at, reason};
  }

  std::optional<Refusal> refusal;
};

/// Whether the update leaves values that only move one way: a copy then filters what need not be sent.
bool isFilter(graph::UpdateKind kind);

/// The needs of a kernel of such regions, or why it cannot run in parts.
std::optional<Refusal> findNeeds(mlir::Operation *kernel, mlir::ArrayRef<mlir::Region *> regions, Needs &needs);

/// The same of a propagate's pull, which changes its own vertex only, and learns which copies are in the frontier.
std::optional<Refusal> findPullNeeds(exec::PropagateOp kernel, Needs &needs);

/// Whether a message can hold values of a type that combine so.
bool isSendable(mlir::Type element, graph::UpdateKind kind);

/// Notes an update at an edge of another vertex, of which `end` tells whose; why it cannot be sent, if it cannot.
std::optional<Refusal> sendToEdge(exec::UpdateOp update, End end, Needs &needs);

/// Makes a kernel over all edges one over all vertices, with a loop over the edges out of each.
void goOverVertices(exec::ParallelOp kernel);

/// Whether the edge is that of a loop over a list of arcs.
bool isLoopEdge(mlir::Value edge);
/// Whether the edges of a loop over those at one vertex lead out of it.
bool leadsOut(exec::ForOp loop);
/// Whether the edge leads out of the vertex that the kernel runs for, as far as one can see: its owner has its target.
bool isOwnEdge(mlir::Value edge);

/// The vertex, or edge, whose value an update changes.
mlir::Value vertexOf(mlir::Operation *update);
/// Whether this vertex is activated with it, whatever comes of the update.
bool goWith(exec::ActivateOp activation, mlir::Operation *update);

/// Whether the operation, or what it holds, changes the state.
bool writes(mlir::Operation *op, mlir::Value state);

/// Whether the commit of a propagate alone changes the state, which it does at vertices that have become active.
bool isCommitted(mlir::Operation *kernel, mlir::Value state);

/// Whether it leaves copies of the state behind: it changes the state, but not everywhere in the same way.
bool outdates(mlir::Operation *op, mlir::Value state);

} // namespace gcompile::parts
