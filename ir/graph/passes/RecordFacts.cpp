#include "ir/analysis/Legality.h"
#include "ir/analysis/Memory.h"
#include "ir/graph/Domains.h"
#include "ir/graph/Passes.h"
#include "ir/schedule/Schedule.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_RECORDFACTS
#include "ir/graph/Passes.h.inc"

namespace {

using graph::Choice;
using graph::Way;

Way wayOf(Form form, graph::Domain domain, bool onDevice) {
  switch (form) {
  case Form::Once:
    return graph::isList(domain) && !onDevice ? Way::OneThread : Way::Parallel;
  case Form::Push:
    return Way::Push;
  case Form::Pull:
    return Way::Pull;
  case Form::Hybrid:
    return Way::Hybrid;
  case Form::Ordered:
    return Way::Priority;
  case Form::Asynchronous:
    return Way::Asynchronous;
  case Form::Components:
    return Way::Components;
  }
  llvm_unreachable("every form is listed");
}

/// The facts about one algorithm. They are attached at the end: analyses compare operations with their attributes.
class Recorder {
public:
  Recorder(graph::AlgorithmOp algorithm, bool onDevice)
      : context(algorithm.getContext()), infinity(algorithm), onDevice(onDevice) {}

  void statement(Operation *op) {
    EffectTable table(op, infinity);
    form = formOf(table);
    for (const Read &read : table.reads())
      note<graph::ReadFactAttr>(read.op, elementOf(table, read.op.getState(), read.op.getIndices()),
                                llvm::is_contained(table.writtenStates(), read.op.getState())
                                    ? graph::Change::Changed
                                    : graph::Change::Unchanged);
    for (const Write &write : table.writes()) {
      note<graph::WriteFactAttr>(write.op, elementOf(table, write.states[0], write.indices), write.rule);
      safety(table, write);
    }
    for (Value state : table.writtenStates())
      if (llvm::any_of(table.reads(), [&](const Read &read) { return read.op.getState() == state; }))
        copies(table, state);
    ways(table);
    freedoms(table);
    if (auto propagate = dyn_cast<graph::PropagateOp>(op); propagate && form != Form::Components)
      memory(op, graph::Shape::PerVertex, activeSetBytes + (propagate.getLevels() && !onDevice ? keptLevelsBytes : 0));
  }

  /// A reduction or a set outside of all statements: it only reads.
  void expression(Operation *op) {
    auto reduce = dyn_cast<graph::ReduceOp>(op);
    way(op, reduce && isTriangleCount(reduce) ? Way::Triangles : Way::Parallel, {true, ""}, Choice::Default);
  }

  void attach() {
    for (auto &[op, list] : facts)
      graph::addFacts(op, list);
  }

private:
  template <typename Fact, typename... Values> void note(Operation *op, Values... values) {
    facts[op].push_back(Fact::get(context, values...));
  }
  StringAttr text(const std::string &words) const { return StringAttr::get(context, words); }

  void safety(const EffectTable &table, const Write &write) {
    auto safe = [&](Way way, std::optional<unsigned> outer) {
      graph::Safety safety = safetyOf(table, write, outer);
      if (safety == graph::Safety::Private && onDevice && table.statement().isPropagate())
        safety = graph::Safety::AtomicInRounds;
      note<graph::SafetyFactAttr>(write.op, way, safety);
    };
    graph::Domain domain = table.statement().domain();
    Way way = wayOf(form, domain, onDevice);
    switch (way) {
    case Way::Components:
      return note<graph::SafetyFactAttr>(write.op, way, graph::Safety::Runtime);
    case Way::OneThread: // the edges of one vertex
      return note<graph::SafetyFactAttr>(write.op, way, graph::Safety::Serial);
    case Way::Parallel:
      return safe(way, graph::isList(domain) ? std::nullopt : std::optional(0u));
    case Way::Asynchronous: // a vertex may be at two threads at a time
      return safe(way, std::nullopt);
    default:
      safe(Way::Push, 0u);
      if (canPull(table))
        safe(Way::Pull, 1u);
    }
  }

  void memory(Operation *op, graph::Shape shape, double bytes, const std::string &state = "") {
    note<graph::MemoryFactAttr>(op, shape, Builder(context).getF64FloatAttr(bytes), text(state));
  }

  void copies(const EffectTable &table, Value state) {
    Operation *op = table.statement().operation();
    Snapshot snapshot = form == Form::Asynchronous && handsOn(table) ? Snapshot::Taken : snapshotOf(table, state);
    std::optional<WriteRule> rule;
    for (const Write &write : table.writes())
      if (llvm::is_contained(write.states, state) &&
          (!rule || (*rule != WriteRule::Claim && *rule != WriteRule::UnderClaim &&
                     (write.rule == WriteRule::Claim || write.rule == WriteRule::UnderClaim))))
        rule = write.rule;
    note<graph::CopyFactAttr>(op, text(graph::nameOf(state)), snapshot, *rule);
    auto type = cast<graph::StateType>(state.getType());
    if (snapshot == Snapshot::Copy)
      memory(op, type.getShape(), elementBytes(type.getElement()), graph::nameOf(state));
  }

  void way(Operation *op, Way way, const Legality &legality, Choice choice) {
    note<graph::WayFactAttr>(op, way, legality ? graph::Verdict::Legal : graph::Verdict::Illegal, choice,
                             text(legality.reason));
  }

  void ways(const EffectTable &table) {
    const Statement &st = table.statement();
    Operation *op = st.operation();
    bool scheduled(schedule::said<schedule::Direction>(op));
    auto add = [&](Form which, const Legality &legality, Choice chosen) {
      way(op, wayOf(which, st.domain(), onDevice), legality, form == which ? chosen : Choice::No);
    };
    if (form == Form::Once || form == Form::Asynchronous)
      add(form, {true, ""}, form == Form::Once ? Choice::Default : Choice::Schedule);
    if (form == Form::Once)
      return;
    if (isComponentMinimum(table))
      add(Form::Components, {true, ""}, Choice::Default);
    if (st.ordered())
      return add(Form::Ordered, canRunByPriority(table), Choice::Default);
    Legality pull = canPull(table);
    Choice chosen = scheduled ? Choice::Schedule : Choice::Default;
    bool looksUp = pull && form == Form::Push && !scheduled && asksForEdge(table) &&
                   (st.isPropagate() || writesOnlyTargets(table));
    add(Form::Push, {true, looksUp ? "a pull would have to look up each edge" : ""}, chosen);
    add(Form::Pull, pull, chosen);
    if (form == Form::Hybrid || st.isPropagate())
      add(Form::Hybrid, pull, chosen);
  }

  void freedoms(const EffectTable &table) {
    Operation *op = table.statement().operation();
    auto freedom = [&](graph::Freedom which, const Legality &legality, Choice choice = Choice::No) {
      note<graph::FreedomFactAttr>(op, which, legality ? graph::Verdict::Legal : graph::Verdict::Illegal, choice,
                                   text(legality.reason));
    };
    if (!table.statement().isPropagate()) {
      auto adjacency = schedule::said<schedule::Adjacency>(op->getParentOfType<graph::AlgorithmOp>());
      const bool readsAligned = adjacency.is(schedule::Adjacency::Aligned);
      if (gathersInto(op))
        freedom(graph::Freedom::Segments, canSegment(table),
                schedule::said<schedule::Segments>(op).is(schedule::Segments::Sources) ? Choice::Schedule
                : maySegment(table) && !(onDevice && readsAligned)                     ? Choice::AtRunTime
                                                                                       : Choice::No);
      return;
    }
    freedom(graph::Freedom::EarlyExit, canExitEarly(table));
    freedom(graph::Freedom::ActivatesOnce, activatesOnce(table));
    freedom(graph::Freedom::Duplicates, toleratesDuplicates(table));
    Legality anyOrder = canRunAsynchronously(table);
    auto asynchronous = schedule::said<schedule::Asynchronous>(op);
    if (std::optional<double> tolerance = asynchronous ? asynchronous.tolerance() : std::nullopt;
        tolerance && anyOrder && handsOn(table))
      anyOrder.reason += llvm::formatv("; the schedule allows {0} of each value", *tolerance).str();
    freedom(graph::Freedom::Asynchronous, anyOrder);
    freedom(graph::Freedom::Priority, canRunByPriority(table));
  }

  MLIRContext *context;
  InfinityAnalysis infinity;
  bool onDevice;
  Form form = Form::Once; // of the statement at hand
  llvm::MapVector<Operation *, SmallVector<graph::Fact>> facts;
};

struct RecordFacts : impl::RecordFactsBase<RecordFacts> {
  using RecordFactsBase::RecordFactsBase;

  void runOnOperation() override {
    for (auto algorithm : getOperation().getOps<graph::AlgorithmOp>()) {
      Recorder recorder(algorithm, onDevice);
      algorithm.walk<WalkOrder::PreOrder>([&](Operation *op) {
        auto loop = dyn_cast<graph::ForOp>(op);
        auto state = dyn_cast<graph::StateOp>(op);
        if (isa<graph::ReduceOp, graph::SetFilterOp>(op))
          recorder.expression(op);
        else if ((loop && !loop.getSequential()) || isa<graph::PropagateOp>(op))
          recorder.statement(op);
        else if (!state || state.getType().getShape() == graph::Shape::Scalar)
          return WalkResult::advance();
        return WalkResult::skip();
      });
      recorder.attach();
    }
  }
};
} // namespace
} // namespace gcompile
