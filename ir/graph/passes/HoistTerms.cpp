#include "ir/analysis/Legality.h"
#include "ir/exec/Kernels.h"
#include "ir/graph/Domains.h"
#include "ir/graph/Passes.h"
#include "ir/graph/Walk.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_HOISTTERMS
#include "ir/graph/Passes.h.inc"

namespace {

/// What one end of an edge contributes, if that depends on nothing else in the statement.
class Term {
public:
  /// `written`: the states that the statement writes.
  Term(const Statement &statement, Value term, Value end, ArrayRef<Value> written) {
    llvm::SetVector<Value> parts; // of the expression, each once: a `let` may be used many times
    parts.insert(term);
    unsigned gathers = 0;
    bool costly = false;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      Value part = parts[i];
      if (part == end || statement.isOutside(part))
        continue;
      Operation *op = part.getDefiningOp();
      if (!op)
        return;
      if (auto read = dyn_cast<graph::ReadOp>(op)) {
        bool atEnd = read.getIndices().size() == 1 && read.getIndices()[0] == end;
        bool uniform = read.getIndices().empty() && !llvm::is_contained(written, read.getState());
        // An element that the statement itself computes could be out of range where no edge asks for it.
        if (!(atEnd || uniform) || read.getChecked() || !statement.isOutside(read.getState()))
          return;
        gathers += atEnd;
        name = atEnd && name.empty() ? graph::nameOf(read.getState()) : name;
      } else if (auto binary = dyn_cast<graph::BinaryOp>(op)) {
        bool divides = binary.getKind() == graph::BinaryKind::Div || binary.getKind() == graph::BinaryKind::Rem;
        if (divides && isa<IntegerType>(binary.getType()))
          return; // a vertex without edges may have a zero there
        costly |= divides;
      } else if (auto degree = dyn_cast<graph::DegreeOp>(op)) {
        if (degree.getVertex() != end)
          return; // of a vertex that may be none where no edge asks for it
        ++gathers;
      } else if (isa<graph::UnaryOp>(op)) {
        costly = true;
      } else if (!isa<graph::ConstantOp, graph::InfOp, graph::CastOp, graph::LetOp, graph::NumVerticesOp,
                      graph::NumEdgesOp>(op)) {
        return;
      }
      operations.insert(op);
      parts.insert(op->operand_begin(), op->operand_end());
    }
    Type type = term.getType();
    isWorth =
        (isa<FloatType>(type) || type.isInteger(32) || type.isInteger(64)) && gathers > 0 && (gathers > 1 || costly);
  }

  /// Whether every edge that looks it up instead saves a second load or a slow operation.
  bool worth() const { return isWorth; }
  /// The state that it is named after; may be empty.
  StringRef state() const { return name; }
  bool contains(Operation *op) const { return operations.contains(op); }

private:
  llvm::SetVector<Operation *> operations;
  std::string name;
  bool isWorth = false;
};

struct HoistTerms : impl::HoistTermsBase<HoistTerms> {
  void runOnOperation() override {
    for (auto algorithm : getOperation().getOps<graph::AlgorithmOp>()) {
      if (algorithm.getSerialOf())
        continue;
      InfinityAnalysis infinity(algorithm);
      SmallVector<graph::ForOp> loops;
      graph::walkHolders(algorithm, [&](graph::ForOp loop) {
        bool everywhere = !loop.getOver() || loop.getOver().getDefiningOp<graph::AllVerticesOp>();
        if (!loop.getSequential() && everywhere && !insideParallel(loop))
          loops.push_back(loop);
      });
      for (graph::ForOp loop : loops)
        rewrite(loop, EffectTable(loop, infinity));
    }
  }

  static void rewrite(graph::ForOp loop, const EffectTable &table) {
    const Statement &statement = table.statement();
    SmallVector<Value> written = table.writtenStates();
    struct Use {
      OpOperand *operand;
      Value end;
      Term term;
    };
    SmallVector<Use> uses;
    auto consider = [&](OpOperand &operand, Value end) {
      if (Term term(statement, operand.get(), end, written); term.worth())
        uses.push_back({&operand, end, std::move(term)});
    };
    loop.walk([&](graph::ReduceOp reduce) {
      if (graph::isList(reduce.getDomain()) && !reduce.getValue().empty())
        consider(reduce.getValue().front().back().getOpOperand(0), reduce.getValue().getArgument(0));
    });
    if (formOf(table) == Form::Pull)
      loop.walk([&](graph::UpdateOp update) {
        if (update->getParentOp() == loop)
          consider(update.getValueMutable(), loop.getBody().getArgument(0));
      });
    for (const Use &use : uses)
      hoist(loop, *use.operand, use.end, use.term);
  }

  static void hoist(graph::ForOp loop, OpOperand &use, Value end, const Term &term) {
    Value value = use.get();
    Location loc = value.getLoc();
    auto algorithm = loop->getParentOfType<graph::AlgorithmOp>();
    OpBuilder b = OpBuilder::atBlockBegin(&algorithm.getBody().front());
    auto type = graph::StateType::get(b.getContext(), value.getType(), graph::Shape::PerVertex);
    StringRef of = term.state();
    const std::string name = of.empty() ? "term" : (of + "_term").str();
    auto state = b.create<graph::StateOp>(loc, type, graph::freshStateName(algorithm, name), false);
    state.setTemporary(true);

    b.setInsertionPoint(loop);
    Value all = b.create<graph::AllVerticesOp>(loc);
    auto pre = b.create<graph::ForOp>(loc, graph::Domain::Vertices, all, false, false, StringAttr(),
                                      b.getStrArrayAttr({"v"}), graph::ScheduleAttr());
    pre.setTerm(true);
    {
      OpBuilder::InsertionGuard guard(b);
      Value v = b.createBlock(&pre.getBody())->addArgument(graph::VertexType::get(b.getContext()), loc);
      IRMapping map;
      map.map(end, v);
      loop.walk<WalkOrder::PreOrder>([&](Operation *op) {
        if (term.contains(op))
          b.clone(*op, map);
      });
      b.create<graph::UpdateOp>(loc, graph::UpdateKind::Assign, state.getState(), ValueRange{v},
                                map.lookupOrDefault(value), false, /*grows_by_round=*/false, /*part=*/-1,
                                FlatSymbolRefAttr());
    }
    b.setInsertionPoint(use.getOwner());
    use.set(b.create<graph::ReadOp>(loc, value.getType(), state.getState(), ValueRange{end}, false, false));
    eraseUnused(value);
  }
};
} // namespace
} // namespace gcompile
