#include "ir/exec/passes/parts/HostCode.h"
#include "ir/analysis/None.h"
#include "ir/exec/Kernels.h"
#include "ir/graph/Domains.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace gcompile::parts {

namespace {

graph::Shape shapeOf(Value state) { return cast<graph::StateType>(state.getType()).getShape(); }

class HostCode : Refuses {
public:
  HostCode(graph::AlgorithmOp algorithm, bool onDevice)
      : algorithm(algorithm), b(algorithm.getContext()), onDevice(onDevice) {}

  std::optional<Refusal> prepare() {
    nameGivenSets();
    collect(algorithm.getBody());
    for (Operation *op : operations)
      if (!refusal)
        operation(op);
    return refusal;
  }

private:
  static bool isGivenSet(Value value) {
    auto given = dyn_cast<BlockArgument>(value);
    return given && isa<graph::SetType>(given.getType()) && isa<graph::AlgorithmOp>(given.getOwner()->getParentOp());
  }
  /// A set that the program is given is known everywhere, under whatever name. Another name is for its own members,
  /// over which a kernel runs that asks for all of them too.
  void nameGivenSets() {
    algorithm.walk([](graph::LetOp let) {
      if (!isGivenSet(let.getValue()))
        return;
      let.replaceAllUsesWith(let.getValue());
      let.erase();
    });
    algorithm.walk([&](Operation *op) {
      if (!exec::isKernel(op))
        return;
      for (OpOperand &over : op->getOpOperands()) {
        const bool asks = isGivenSet(over.get()) && llvm::any_of(over.get().getUsers(), [&](Operation *user) {
                            return op->isProperAncestor(user);
                          });
        if (!asks)
          continue;
        b.setInsertionPoint(op);
        over.set(b.create<graph::LetOp>(op->getLoc(), over.get().getType(), "members", over.get()));
      }
    });
  }

  /// The operations of the host, among them loops over the edges of one vertex, but not what these hold.
  void collect(Region &region) {
    region.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (auto propagate = dyn_cast<exec::PropagateOp>(op); propagate && !exec::isAbsent(propagate.getUntil()))
        collect(propagate.getUntil());
      if (exec::isKernel(op))
        return WalkResult::skip();
      operations.push_back(op);
      return isa<exec::ForOp, exec::ReduceOp>(op) ? WalkResult::skip() : WalkResult::advance();
    });
  }

  void operation(Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](graph::ReadOp read) { this->read(read); })
        .Case([&](exec::UpdateOp update) {
          if (!update.getIndices().empty() && !update.getChanged().use_empty())
            refuse(op, "it asks whether one vertex has changed");
          else if (onDevice && update.getIndices().size() == 2)
            writePair(update);
        })
        .Case([&](graph::ContainsOp contains) {
          // The members of a parameter are known everywhere, those of a level are not.
          auto argument = dyn_cast<BlockArgument>(contains.getSet());
          if (argument && !isa<graph::AlgorithmOp>(argument.getOwner()->getParentOp()))
            refuse(op, "it asks for the membership of one vertex outside of a data-parallel statement");
          else if (!argument && !contains.getSet().getDefiningOp<graph::AllVerticesOp>())
            ofOwner(contains, contains.getVertex());
        })
        .Case([&](graph::EdgeBetweenOp edge) { ofGraph(edge, edge.getSource()); })
        .Case([&](graph::EndpointOp end) { ofGraph(end, end.getEdge()); })
        .Case([&](graph::NeighborAtOp end) { ofGraph(end, end.getVertex()); })
        .Case([&](graph::ForOp loop) { sequential(loop); })
        .Case([&](exec::ForOp loop) { edgesOf(loop); })
        .Case([&](exec::ReduceOp reduce) { reductionOf(reduce); })
        .Case([&](exec::AsynchronousOp) { refuse(op, "a propagate without rounds"); })
        .Case([&](exec::CountTrianglesOp) { refuse(op, "it goes to the neighbours of neighbours"); })
        .Case<graph::IfOp, graph::WhileOp, graph::RepeatOp, graph::BreakOp, graph::LogicOp, graph::ConditionalOp,
              graph::SetSizeOp, graph::StateOp, exec::SnapshotOp, exec::StartArrayOp>([](auto) {})
        .Default([&](Operation *other) {
          if (!isPlainValue(other))
            refuse(op, "a step that is made for one machine");
        });
  }

  /// An array is whole everywhere, and so is what the program is given for vertices. Other values are the owner's.
  void read(graph::ReadOp read) {
    Value state = read.getState();
    if (read.getIndices().empty() || shapeOf(state) == graph::Shape::Array)
      return;
    const bool ofEdge = shapeOf(state) == graph::Shape::PerEdge;
    if (isa<BlockArgument>(state))
      return ofEdge ? ofGraph(read, read.getIndices()[0]) : void();
    if (isa<TupleType, graph::ForeignType>(read.getType()))
      return refuse(read, "it reads a tuple, or a value of a C++ type, of '" + nameOf(state) +
                              "' at one vertex outside of a data-parallel statement");
    if (read.use_empty())
      return read.erase();
    if (ofEdge)
      return ofOwner(read, read.getIndices()[0]);
    b.setInsertionPoint(read);
    Value column = read.getIndices().size() == 2 ? read.getIndices()[1] : Value();
    auto value = b.create<exec::OwnerValueOp>(read.getLoc(), read.getType(), state, read.getIndices()[0], column,
                                              read.getChecked());
    read.replaceAllUsesWith(value.getValue());
    read.erase();
  }
  /// What the graph says of a place: the host of several GPUs has all of it.
  void ofGraph(Operation *op, Value place) {
    if (!onDevice)
      ofOwner(op, place);
  }
  /// A value that only the owner of a place can compute: it does, for all machines.
  void ofOwner(Operation *op, Value place) {
    if (op->use_empty())
      return op->erase();
    b.setInsertionPoint(op);
    auto computed = b.create<exec::OwnerComputesOp>(op->getLoc(), op->getResult(0).getType(), place);
    op->replaceAllUsesWith(computed);
    Block *body = b.createBlock(&computed.getBody());
    op->moveBefore(body, body->end());
    b.create<graph::YieldOp>(op->getLoc(), op->getResult(0));
  }
  std::string nameOf(Value state) {
    if (auto argument = dyn_cast<BlockArgument>(state))
      return cast<StringAttr>(cast<DictionaryAttr>(algorithm.getArguments()[argument.getArgNumber()]).get("name"))
          .getValue()
          .str();
    return exec::nameOf(state);
  }

  /// Every machine visits the same vertices in the same order.
  void sequential(graph::ForOp loop) {
    bool visits = loop.getDomain() == graph::Domain::Vertices || loop.getDomain() == graph::Domain::Levels;
    if (!visits)
      refuse(loop, "a loop that visits one vertex or edge after the other");
  }

  /// In front of `op`, which becomes a kernel: the vertex as a set.
  Value alone(Operation *op, Value vertex) {
    b.setInsertionPoint(op);
    if (mayBeNone(vertex))
      b.create<exec::RequireVertexOp>(op->getLoc(), vertex);
    return b.create<graph::SetOfOp>(op->getLoc(), ValueRange{vertex});
  }
  /// Inside of a kernel that runs for one vertex, that is the kernel's own.
  static void call(Value vertex, Value own, Operation *kernel) {
    SmallVector<Value> same{vertex};
    while (auto let = same.back().getDefiningOp<graph::LetOp>())
      same.push_back(let.getValue());
    for (Value each : same)
      each.replaceUsesWithIf(own, [&](OpOperand &use) { return kernel->isProperAncestor(use.getOwner()); });
  }

  /// Makes `op` a kernel that runs for that vertex.
  void runFor(Value vertex, Operation *op, const std::string &name) {
    Value set = alone(op, vertex);
    auto kernel = b.create<exec::ParallelOp>(op->getLoc(), name, graph::Domain::Vertices, set, exec::Sharing::Serial);
    kernel.setNamesAttr(b.getArrayAttr({b.getStringAttr("u")}));
    Block *body = b.createBlock(&kernel.getBody());
    Value own = body->addArgument(vertex.getType(), op->getLoc());
    op->moveBefore(body, body->end());
    call(vertex, own, kernel);
  }

  /// A GPU has no other rows than those of its own vertices.
  void writePair(exec::UpdateOp update) {
    runFor(update.getIndices()[0], update, "write_" + nameOf(update.getState()));
  }

  /// The edges of one vertex: its owner has them.
  void edgesOf(exec::ForOp loop) {
    if (!graph::isList(loop.getDomain()))
      return refuse(loop, "a loop over a set, a graph or pairs outside of a data-parallel statement");
    runFor(loop.getOver(), loop, "edges_of_one");
  }
  /// A reduction over them.
  void reductionOf(exec::ReduceOp reduce) {
    auto loops = llvm::to_vector(reduce.getBody().front().getOps<exec::ForOp>());
    if (loops.size() != 1 || !graph::isList(loops[0].getDomain()) ||
        reduce.getBody().isAncestor(loops[0].getOver().getParentRegion()))
      return refuse(reduce, "a reduction that is made for one machine");
    Value vertex = loops[0].getOver();
    reduce.getOverMutable().assign(alone(reduce, vertex));
    reduce.setDomain(graph::Domain::Vertices);
    reduce.setNameAttr(b.getStringAttr("edges_of_one"));
    reduce.setNamesAttr(b.getArrayAttr({b.getStringAttr("u")}));
    call(vertex, reduce.getBody().front().addArgument(vertex.getType(), reduce.getLoc()), reduce);
  }

  graph::AlgorithmOp algorithm;
  OpBuilder b;
  const bool onDevice;
  SmallVector<Operation *> operations;
};

} // namespace

std::optional<Refusal> prepareHost(graph::AlgorithmOp algorithm, bool onDevice) {
  return HostCode(algorithm, onDevice).prepare();
}

} // namespace gcompile::parts
