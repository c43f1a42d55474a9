#include "ir/Errors.h"
#include "ir/analysis/Inputs.h"
#include "ir/analysis/Memory.h"
#include "ir/exec/Kernels.h"
#include "ir/exec/Passes.h"
#include "ir/exec/passes/common/ArcLists.h"
#include "ir/graph/Domains.h"
#include "ir/schedule/Schedule.h"

#include "llvm/ADT/DenseSet.h"

#include <set>

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_COMPUTENEEDS
#include "ir/exec/Passes.h.inc"

namespace {

/// Whether a set has one vertex, and is there for kernels over its edges alone.
bool isOneList(Operation *op) {
  return op->getNumResults() == 1 && graph::onlyMember(op->getResult(0)) &&
         llvm::all_of(op->getUsers(), [](Operation *user) {
           return isa<exec::ParallelOp, exec::ReduceOp>(user) &&
                  onlyList(user->getRegion(0).front(), user->getRegion(0).getArgument(0), exec::arcsAlong(user),
                           /*fresh=*/false);
         });
}

/// Whether the lists of vertices of a form for a GPU hold only what its roots, which are single vertices, reach along
/// edges: it makes no set of vertices that it does not list in the program's text.
bool listsOnlyReached(graph::AlgorithmOp algorithm) {
  auto roots = algorithm.getNeeds() ? algorithm.getNeeds()->getAs<ArrayAttr>("roots") : ArrayAttr();
  if (!roots)
    return false;
  return !exec::takesSets(algorithm) && !algorithm
                                             .walk([](Operation *op) {
                                               return exec::makesLists(op) && !isa<graph::SetOfOp>(op)
                                                          ? WalkResult::interrupt()
                                                          : WalkResult::advance();
                                             })
                                             .wasInterrupted();
}

struct ComputeNeeds : impl::ComputeNeedsBase<ComputeNeeds> {
  using ComputeNeedsBase::ComputeNeedsBase;

  void runOnOperation() override {
    for (auto algorithm : getOperation().getOps<graph::AlgorithmOp>())
      compute(algorithm);
    // One graph is loaded for both forms of an algorithm: it must have what either of them reads.
    SymbolTable symbols(getOperation());
    for (auto serial : getOperation().getOps<graph::AlgorithmOp>())
      if (serial.getSerialOf()) {
        auto parallel = symbols.lookup<graph::AlgorithmOp>(*serial.getSerialOf());
        addGraphNeeds(*serial.getNeeds(), parallel, {"in_edges", "in_edge_ids"});
        addGraphNeeds(*parallel.getNeeds(), serial, {"packed"});
      }
  }

  static void addGraphNeeds(DictionaryAttr from, graph::AlgorithmOp to, ArrayRef<const char *> flags) {
    NamedAttrList needs(*to.getNeeds());
    for (const char *flag : flags)
      if (Attribute value = from.get(flag))
        needs.set(flag, value);
    to.setNeedsAttr(needs.getDictionary(to.getContext()));
  }

  /// What a loop over active vertices needs for each vertex, with 32-bit ids. A GPU's graph counts kept levels.
  double activeBytes(Operation *op) const {
    auto propagate = dyn_cast<exec::PropagateOp>(op);
    if (onDevice || !propagate)
      return activeSetBytes;
    return activeSetBytes + (propagate.getLevels() ? keptLevelsBytes : 0) + (propagate.getClaimBitmap() ? 0.125 : 0);
  }

  /// Whether the runtime is to follow the edges of active vertices back.
  bool followsTransposed(Operation *op) const {
    auto propagate = dyn_cast<exec::PropagateOp>(op);
    bool onlyPulls = propagate && propagate.getDirection() == exec::Direction::Pull && !onDevice;
    return exec::isTransposed(op) && !onlyPulls;
  }

  /// The panels of two blocks of a closure on a GPU, for each vertex. Blocks have fewer steps where elements are
  /// longer.
  static double devicePanelBytes(exec::ClosePairsOp closure) {
    if (closure.getClosing() == exec::Closing::TransitiveClosure)
      return 4 * 128 * 4; // words, and masks
    double bytes = elementBytes(closure.getState().getType().getElement());
    return 4 * (bytes <= 4 ? 128 : bytes <= 16 ? 64 : 32) * bytes;
  }

  /// The panels of a closure; and where it may have to go back to the beginning of a block, what stood there.
  static double closureBytes(exec::ClosePairsOp closure) {
    double steps = static_cast<double>(closure.getTile().value_or(closureSteps));
    Type type = closure.getState().getType().getElement();
    // A block of integers may be put back.
    unsigned copies = closure.getClosing() == exec::Closing::ShortestPaths && type.isInteger() ? 2 : 1;
    return 2 * copies * steps * elementBytes(type);
  }

  static bool insideKernel(Operation *op) {
    while ((op = op->getParentOp()))
      if (isKernel(op))
        return true;
    return false;
  }

  void compute(graph::AlgorithmOp algorithm) const {
    Builder b(algorithm.getContext());
    bool inEdges = false, inEdgeIds = false, modes = false, touchesEdges = false, numbersInLists = false;
    int edgeLists = 0;
    llvm::DenseSet<Value> given;
    double perVertex = 0, perEdge = 0, perPair = 0, perDividedVertex = 0;
    std::set<std::int64_t> widths;
    auto account = [&](graph::StateType type) {
      bool ofDevice = onDevice && isa<graph::SetType>(type.getElement());
      double size = ofDevice ? deviceSetBytes : elementBytes(type.getElement());
      if (type.getShape() == graph::Shape::PerVertex || isa<graph::SetType>(type.getElement()))
        perVertex += size;
      else if (type.getShape() == graph::Shape::PerEdge)
        perEdge += size;
      else if (type.getShape() == graph::Shape::Dense)
        perPair += size;
    };
    auto arcs = [&](graph::Domain domain, Region &body, unsigned edge) {
      if (domain != graph::Domain::Into && domain != graph::Domain::Either)
        return;
      inEdges = true;
      inEdgeIds |= body.getNumArguments() > edge && !body.getArgument(edge).use_empty();
    };
    for (auto [argument, attribute] : llvm::zip(algorithm.getBody().getArguments(), algorithm.getArguments())) {
      auto type = dyn_cast<graph::StateType>(argument.getType());
      if (!type || type.getShape() != graph::Shape::PerVertex)
        continue;
      inEdges |= countsInEdges(cast<DictionaryAttr>(attribute));
      account(type);
      if (!onDevice)
        account(type); // what was read from the file stays, too
    }
    algorithm.walk([&](Operation *op) {
      if (auto neighbors = dyn_cast<graph::NeighborsOp>(op))
        inEdges |= neighbors.getSide() != graph::Side::Out;
      if (auto state = dyn_cast<graph::StateOp>(op); state && exec::isDivisionOfLists(op->getParentOp()))
        perDividedVertex += elementBytes(state.getType().getElement());
      else if (state)
        account(state.getType());
      else if (auto give = dyn_cast<exec::GiveToCopiesOp>(op);
               give && !onDevice && graph::hasValuePerEdge(give.getState()) && given.insert(give.getState()).second)
        account(cast<graph::StateType>(give.getState().getType())); // what copies hold
      else if (auto touch = dyn_cast<exec::TouchCopyOp>(op);
               touch && isa<graph::EdgeType>(touch.getPlace().getType()) && !touchesEdges) {
        touchesEdges = true;
        perEdge += onDevice ? 0.125 : 1; // a mark
      } else if (auto snapshot = dyn_cast<exec::SnapshotOp>(op);
                 snapshot && !snapshot.getRow() && !snapshot.getColumn())
        account(cast<graph::StateType>(snapshot.getCopy().getType()));
      else if (auto ordered = dyn_cast<exec::ByTargetOp>(op)) {
        account(cast<graph::StateType>(ordered.getCopy().getType()));
        inEdges = inEdgeIds = true;
      } else if (isa<exec::PropagateOp, exec::OrderedOp, exec::AsynchronousOp>(op)) {
        perVertex += activeBytes(op);
        inEdges |= followsTransposed(op);
        if (auto propagate = dyn_cast<exec::PropagateOp>(op); propagate && propagate.getPhases()) {
          edgeLists = std::max(edgeLists, propagate.getPhases() == exec::Phases::TwoPhase ? 1 : 2);
          propagate.getPush().walk(
              [&](exec::ForOp loop) { numbersInLists |= !loop.getBody().getArgument(1).use_empty(); });
        }
      } else if (auto sequential = dyn_cast<graph::ForOp>(op)) {
        if (sequential.getMarked())
          perVertex += 0.125; // exec.visited_before
        graph::Domain domain = sequential.getDomain();
        bool many = graph::rangesOverEdges(domain);
        arcs(many ? graph::edgesAtActive(domain) : domain, sequential.getBody(), many ? 2 : 1);
      } else if (isa<exec::BucketsOp>(op))
        perVertex += 8.125; // entries, with some out of date, and a bitmap
      else if (auto index = dyn_cast<exec::KeepIndexOp>(op)) {
        const double entry = elementBytes(index.getKeyType()) + 4 > 8 ? 16 : 8;
        // Entries, and the best of 16 each; on a GPU the best of 32 vertices each, and so on.
        perVertex += onDevice ? entry / 31 : 16 / 15. * entry;
        if (llvm::any_of(index->getUsers(), [](Operation *user) { return isa<exec::NoteChangeOp>(user); }))
          perVertex += 0.5; // notes of a sixteenth of the vertices, with room to grow
      } else if (isa<exec::ComponentMinOp>(op))
        perVertex += 4;
      else if (auto closure = dyn_cast<exec::ClosePairsOp>(op); closure && onDevice) {
        perVertex += devicePanelBytes(closure);
        perPair += closure.getClosing() == exec::Closing::TransitiveClosure ? 0.125 : 0; // the flags as bits
      } else if (auto closure = dyn_cast<exec::ClosePairsOp>(op))
        perVertex += closureBytes(closure);
      else if (auto reduce = dyn_cast<exec::ReduceOp>(op);
               reduce && reduce.getKind() == graph::ReduceKind::Mode && !reduce.getDomain() && onDevice)
        modes = true; // for each vertex; over a graph, the table grows with the values
      else if (isa<exec::FilterOp, graph::SetAlgebraOp, graph::SetOfOp, graph::NeighborsOp>(op) && onDevice &&
               !insideKernel(op) && !(oneList && isOneList(op)))
        perVertex += deviceSetBytes; // until it is assigned or has been used
      else if (auto loop = dyn_cast<exec::ForOp>(op))
        arcs(loop.getDomain(), loop.getBody(), 1);
      else if (auto kernel = dyn_cast<exec::ParallelOp>(op)) {
        // On a GPU they are cut where memory is left.
        if (std::optional<std::uint64_t> width = kernel.getSegmentWidth();
            width && !onDevice && widths.insert(*width).second)
          perEdge += 4 + 8; // a source, and at most one list
      } else if (auto degree = dyn_cast<graph::DegreeOp>(op)) {
        inEdges |= degree.getSide() != graph::Side::Out;
      } else if (auto neighbor = dyn_cast<graph::NeighborAtOp>(op)) {
        inEdges |= neighbor.getSide() != graph::Side::Out;
      } else if (isa<exec::CountTrianglesOp>(op)) {
        perEdge += 4;
        perVertex += 16;
      }
    });
    if (modes)
      perEdge += 32; // the tables of one kernel
    SmallVector<NamedAttribute> needs;
    if (std::optional<DictionaryAttr> known = algorithm.getNeeds()) { // what a run reaches
      needs.append(known->begin(), known->end());
      if (auto lists = known->getAs<IntegerAttr>("touched_lists"))
        perVertex += static_cast<double>(lists.getInt() - 1); // marks; those of the first list come with the copies
    }
    if (inEdges)
      needs.push_back(b.getNamedAttr("in_edges", b.getUnitAttr()));
    if (inEdgeIds)
      needs.push_back(b.getNamedAttr("in_edge_ids", b.getUnitAttr()));
    if (auto vertices = schedule::said<schedule::Vertices>(algorithm))
      needs.push_back(
          b.getNamedAttr("vertices", b.getStringAttr(vertices.is(schedule::Vertices::Bfs) ? "by_bfs" : "by_degree")));
    if (schedule::said<schedule::Neighbors>(algorithm))
      needs.push_back(b.getNamedAttr("neighbors_by_degree", b.getUnitAttr()));
    if (auto adjacency = schedule::said<schedule::Adjacency>(algorithm)) {
      const bool packed = adjacency.is(schedule::Adjacency::Packed);
      if (packed && !plainLists)
        needs.push_back(b.getNamedAttr("packed", b.getUnitAttr()));
      else if ((packed || !mayAlign) && !algorithm.getSerialOf())
        warn(adjacency.place(), diag::plain_lists, algorithm.getSymName().str(),
             packed ? "the CPUs of one machine pack" : "one GPU align");
    }
    if (edgeLists > 0)
      needs.push_back(b.getNamedAttr("edge_lists", b.getI64IntegerAttr(edgeLists)));
    if (numbersInLists)
      needs.push_back(b.getNamedAttr("edge_lists_number", b.getUnitAttr()));
    if (onDevice && listsOnlyReached(algorithm))
      needs.push_back(b.getNamedAttr("lists_only_reached", b.getUnitAttr()));
    needs.push_back(b.getNamedAttr("bytes_per_vertex", b.getF64FloatAttr(perVertex)));
    if (perDividedVertex > 0)
      needs.push_back(b.getNamedAttr("bytes_per_divided_vertex", b.getF64FloatAttr(perDividedVertex)));
    needs.push_back(b.getNamedAttr("bytes_per_edge", b.getF64FloatAttr(perEdge)));
    needs.push_back(b.getNamedAttr("bytes_per_pair", b.getF64FloatAttr(perPair)));
    algorithm.setNeedsAttr(b.getDictionaryAttr(needs));
  }
};
} // namespace
} // namespace gcompile
