#include "ir/explain/Explain.h"
#include "ir/analysis/Legality.h"
#include "ir/analysis/Memory.h"
#include "ir/explain/Device.h"
#include "ir/explain/Source.h"
#include "ir/schedule/Schedule.h"

#include <optional>

using namespace mlir;

namespace gcompile {

namespace {

/// Whether graph-hoist-terms has made the statement.
bool isTerm(Operation *op) {
  auto loop = dyn_cast<graph::ForOp>(op);
  return loop && loop.getTerm();
}

class Explainer {
public:
  Explainer(graph::AlgorithmOp algorithm, const SourceText &source, const DeviceKernels *device)
      : infinity(algorithm), source(source), device(device) {}

  StatementFacts statement(Operation *op) {
    EffectTable table(op, infinity);
    StatementFacts facts;
    facts.line = source.line(op->getLoc());
    facts.text = source.head(op->getLoc());
    if (StringAttr label = graph::labelOf(op)) {
      facts.label = label.str();
      facts.text = StringRef(facts.text).split(':').second.ltrim().str();
    }
    bool term = isTerm(op);
    if (term)
      facts.text = "before the next statement, once for each vertex: " + source.text(op->getLoc());
    for (const Read &read : table.reads())
      add(facts.reads, this->read(table, read));
    for (const Write &write : table.writes())
      add(facts.writes, this->write(table, write));
    snapshots(table, facts);
    ways(table, facts);
    freedoms(table, facts);
    if (table.statement().isPropagate() && formOf(table) != Form::Components)
      facts.bytesPerVertex +=
          activeSetBytes + (cast<graph::PropagateOp>(op).getLevels() && !device ? keptLevelsBytes : 0);
    if (device)
      facts.device = device->describe(op->getLoc());
    return facts;
  }

  /// A reduction or a set outside of all statements: it only reads.
  StatementFacts expression(Operation *op) const {
    StatementFacts facts;
    facts.line = source.line(op->getLoc());
    facts.text = source.text(op->getLoc());
    auto reduce = dyn_cast<graph::ReduceOp>(op);
    facts.ways.push_back(
        reduce && isTriangleCount(reduce)
            ? WayFacts{"triangles", true, true,
                       "each triangle counts once in any order of the vertices, also in that by degree"}
            : WayFacts{"in parallel", true, true, "it writes nothing"});
    if (device)
      facts.device = device->describe(op->getLoc());
    return facts;
  }

private:
  /// What is read several times is told once.
  static void add(std::vector<AccessFacts> &list, AccessFacts facts) {
    for (const AccessFacts &other : list)
      if (other.text == facts.text && other.place == facts.place && (other.line == facts.line || facts.pushed.empty()))
        return;
    list.push_back(std::move(facts));
  }

  /// Whose element an index means.
  static std::string placeOf(const EffectTable &table, Value state, ValueRange indices) {
    const Statement &st = table.statement();
    if (indices.size() == 2 && st.domain() == graph::Domain::Vertices && table.isOwn(state, indices))
      return "in the vertex's own row or column";
    if (indices.empty())
      return "a variable of the algorithm";
    auto domain = st.domain();
    if (indices.size() == 2) {
      bool own = domain == graph::Domain::Pairs && st.argument(indices[0]) == 0u && st.argument(indices[1]) == 1u;
      return own ? "the pair's own" : domain == graph::Domain::Pairs ? "another pair's" : "that of a pair of vertices";
    }
    if (st.isOutside(indices[0]))
      return "one for all iterations";
    std::optional<unsigned> argument = st.argument(indices[0]);
    switch (domain) {
    case graph::Domain::Vertices:
      if (argument)
        return "the vertex's own";
      break;
    case graph::Domain::Pairs:
      if (argument)
        return *argument == 0 ? "the first vertex's" : "the second vertex's";
      break;
    case graph::Domain::Edges:
    case graph::Domain::EdgesBoth:
    case graph::Domain::EdgesInto:
      if (argument)
        return *argument == 2 ? "the edge's own"
                              : std::string("the ") + (*argument == 0 ? st.activeEnd() : st.otherEnd()) + "'s";
      break;
    default: // the edges of one vertex
      if (argument)
        return *argument == 0 ? "the other end's" : "the edge's own";
    }
    return isa<BlockArgument>(withoutLet(indices[0])) ? "that of a vertex or edge which an inner pattern binds"
                                                      : "that of a computed index";
  }

  AccessFacts read(const EffectTable &table, const Read &read) const {
    graph::ReadOp op = read.op;
    AccessFacts facts{source.text(op.getLoc()),
                      source.line(op.getLoc()),
                      nameOf(op.getState()),
                      placeOf(table, op.getState(), op.getIndices()),
                      "",
                      "",
                      ""};
    if (!llvm::is_contained(table.writtenStates(), op.getState()))
      facts.role = "not changed by this statement";
    return facts;
  }

  static std::string roleOf(const Write &write) {
    switch (write.rule) {
    case WriteRule::Owned:
      return "owned: no other iteration writes it";
    case WriteRule::Reduction:
      if (write.isMonotone() && write.values[0].getType().isInteger(1))
        return graph::traits(write.kind).neutral() == Neutral::Zero ? "a reduction: once true, it stays true"
                                                                    : "a reduction: once false, it stays false";
      return write.isMonotone() ? "a reduction that only moves the value one way: applying it twice changes nothing"
                                : "a reduction: every iteration counts, in any order";
    case WriteRule::Claim:
      return "a claim: the first writer wins, and its guard is false from then on";
    case WriteRule::UnderClaim:
      return "the winner's alone: it follows the claim";
    case WriteRule::SameValue:
      return "the same value from every iteration that writes it";
    case WriteRule::Illegal:
      break;
    }
    return "not legal";
  }

  std::string syncText(const EffectTable &table, const Write &write, std::optional<unsigned> outer) const {
    switch (syncOf(table, write, outer)) {
    case exec::Sync::Plain:
      return write.rule == WriteRule::Owned        ? "plain"
             : write.rule == WriteRule::UnderClaim ? "plain: only the winner of the claim writes it"
                                                   : "plain: one thread handles all edges of that vertex";
    case exec::Sync::Atomic:
      return write.rule == WriteRule::Claim ? "compare-and-set: several iterations may meet at the element"
                                            : "atomic: several iterations may meet at the element";
    case exec::Sync::Private:
      if (device && table.statement().isPropagate())
        return "atomic: one kernel runs many rounds, which leaves no place for a copy for each thread";
      return "one copy for each thread, combined at the end";
    case exec::Sync::Relaxed:
      return "a relaxed store: there is one writer, or all write the same";
    }
    return "";
  }

  AccessFacts write(const EffectTable &table, const Write &write) const {
    Location loc = write.op->getLoc();
    std::string states;
    for (Value state : write.states)
      states += (states.empty() ? "" : ", ") + nameOf(state);
    AccessFacts facts{source.text(loc),
                      source.line(loc),
                      states,
                      placeOf(table, write.states[0], write.indices),
                      roleOf(write),
                      "",
                      ""};
    auto domain = table.statement().domain();
    bool edges = graph::rangesOverEdges(domain);
    switch (formOf(table)) {
    case Form::Components:
      facts.pushed = "by the runtime's algorithm for components";
      return facts;
    case Form::Once:
      // The edges of one vertex are one thread's.
      facts.pushed = domain == graph::Domain::Vertices || domain == graph::Domain::Pairs ? syncText(table, write, 0u)
                                                                                         : "plain: one thread runs it";
      return facts;
    case Form::Asynchronous: // a vertex may be at two threads at a time
      facts.pushed = syncText(table, write, std::nullopt);
      return facts;
    default:
      facts.pushed = syncText(table, write, 0u);
      if (edges && canPull(table))
        facts.pulled = syncText(table, write, 1u);
    }
    return facts;
  }

  /// Why no iteration notices what another one writes.
  static const char *reasonForOne(const EffectTable &table, Value state) {
    for (const Write &write : table.writes())
      if (llvm::is_contained(write.states, state)) {
        if (write.rule == WriteRule::Claim)
          return "only the guard reads it, and the claim tests it once more";
        if (write.rule == WriteRule::UnderClaim)
          return "only the winner of the claim reads and writes it";
      }
    return "every iteration reads only what it writes itself";
  }

  static void snapshots(const EffectTable &table, StatementFacts &facts) {
    for (Value state : table.writtenStates()) {
      bool isRead = llvm::any_of(table.reads(), [&](const Read &read) { return read.op.getState() == state; });
      if (!isRead)
        continue;
      SnapshotFacts snapshot{nameOf(state), false, "", 0};
      switch (snapshotOf(table, state)) {
      case Snapshot::None:
        snapshot.reason = reasonForOne(table, state);
        break;
      case Snapshot::Invariant:
        snapshot.reason = "active vertices are read and are never written: they fail the guard";
        break;
      case Snapshot::Levels:
        snapshot.reason = "what is read is in another level than what is written";
        break;
      case Snapshot::Monotone:
        snapshot.reason = "seeing a value early cannot change where the rounds end";
        break;
      case Snapshot::Commit:
        snapshot.reason = "the round's value is written when the round ends";
        break;
      case Snapshot::Slices:
        snapshot.copied = true;
        snapshot.reason = "iterations read what others write, but only in one row and one column, which are copied";
        break;
      case Snapshot::Copy: {
        snapshot.copied = true;
        snapshot.reason = "iterations read what others write, and must see what was there before";
        auto type = cast<graph::StateType>(state.getType());
        snapshot.bytes = elementBytes(type.getElement());
        if (type.getShape() == graph::Shape::PerVertex)
          facts.bytesPerVertex += snapshot.bytes;
        else if (type.getShape() == graph::Shape::PerEdge)
          facts.bytesPerEdge += snapshot.bytes;
        else if (type.getShape() == graph::Shape::Dense)
          facts.bytesPerPair += snapshot.bytes;
      }
      }
      facts.snapshots.push_back(std::move(snapshot));
    }
  }

  static void ways(const EffectTable &table, StatementFacts &facts) {
    Form form = formOf(table);
    bool scheduled(schedule::said<schedule::Direction>(table.statement().operation()));
    const char *said = scheduled ? "the schedule says so" : "";
    auto way = [&](const char *name, Form which, bool legal, std::string reason) {
      facts.ways.push_back({name, legal, form == which, std::move(reason)});
    };
    auto chosen = [&](Form which, const std::string &byDefault) {
      return form != which ? std::string() : scheduled ? said : byDefault;
    };
    const std::string end = table.statement().otherEnd();
    if (form == Form::Once) {
      way("in parallel", Form::Once, true,
          isTerm(table.statement().operation()) ? "all edges of a vertex would compute the same"
                                                : "every iteration runs once");
      if (auto domain = table.statement().domain(); domain != graph::Domain::Vertices && domain != graph::Domain::Pairs)
        facts.ways.back() = {"one thread", true, true, "it ranges over the edges of one vertex"};
      return;
    }
    if (form == Form::Asynchronous)
      way("asynchronous", form, true, "the schedule says so");
    if (isComponentMinimum(table))
      way("components", Form::Components, true,
          "the least value spreads through each connected component, whatever the way");
    if (table.statement().ordered()) {
      PriorityOrder order = canRunByPriority(table);
      way("by priority", Form::Ordered, order.legal, order.reason);
      return;
    }
    Legality pull = canPull(table);
    way("push", Form::Push, true,
        chosen(Form::Push, pull ? "it writes more than the " + end + ", so pulling would save no synchronisation"
                                : "it cannot pull"));
    bool both = form == Form::Hybrid || table.statement().isPropagate();
    way("pull", Form::Pull, pull.legal,
        form == Form::Pull ? chosen(Form::Pull, "each " + end + " is one thread's, so no update needs synchronisation")
                           : pull.reason);
    if (both)
      way("hybrid", Form::Hybrid, pull.legal,
          form == Form::Hybrid ? chosen(Form::Hybrid, "pushing is cheaper for few active edges, pulling for many")
                               : pull.reason);
  }

  void freedoms(const EffectTable &table, StatementFacts &facts) const {
    auto freedom = [&](const char *name, const Legality &legality, bool chosen = false) {
      facts.freedoms.push_back({name, legality.legal, chosen, legality.reason});
    };
    Operation *op = table.statement().operation();
    if (!isa<graph::PropagateOp>(op) && gathersInto(op)) {
      Legality legality = canSegment(table);
      bool chosen = schedule::said<schedule::Segments>(op).is(schedule::Segments::Sources);
      if (!chosen && maySegment(table))
        legality.reason += "; the program finds out the third time whether they pay";
      freedom("cache segments", legality, chosen);
    }
    if (!table.statement().isPropagate())
      return;
    freedom("early exit when pulling", canExitEarly(table));
    freedom("no deduplication needed", activatesOnce(table));
    freedom("duplicates are harmless", toleratesDuplicates(table));
    freedom("asynchronous", canRunAsynchronously(table));
    freedom("priority order", canRunByPriority(table));
  }

  InfinityAnalysis infinity;
  const SourceText &source;
  const DeviceKernels *device; // null for CPUs
};

} // namespace

std::vector<AlgorithmFacts> explain(ModuleOp graph, ModuleOp exec, const std::string &source, bool kernelsOnDevice) {
  SourceText text(source);
  SymbolTable lowered(exec);
  std::vector<AlgorithmFacts> result;
  for (auto algorithm : graph.getOps<graph::AlgorithmOp>()) {
    AlgorithmFacts facts;
    facts.name = algorithm.getSymName().str();
    if (auto twin = lowered.lookup<graph::AlgorithmOp>(algorithm.getSymName()); twin && twin.getNeeds()) {
      DictionaryAttr needs = *twin.getNeeds();
      facts.inEdges = needs.contains("in_edges");
      for (Attribute argument : twin.getArguments())
        if (auto entry = cast<DictionaryAttr>(argument); entry.contains("nonnegative"))
          facts.nonnegative.push_back(entry.getAs<StringAttr>("name").str());
      facts.bytesPerVertex = needs.getAs<FloatAttr>("bytes_per_vertex").getValueAsDouble();
      facts.bytesPerEdge = needs.getAs<FloatAttr>("bytes_per_edge").getValueAsDouble();
      facts.bytesPerPair = needs.getAs<FloatAttr>("bytes_per_pair").getValueAsDouble();
    }
    std::optional<DeviceKernels> device;
    if (auto twin = lowered.lookup<graph::AlgorithmOp>(algorithm.getSymName()); twin && kernelsOnDevice) {
      device.emplace(twin);
      for (exec::OnceOp once : device->once())
        facts.once.push_back("line " + std::to_string(text.line(once.getLoc())) + ": " + text.text(once.getLoc()));
    }
    if (ArrayAttr removed = algorithm.getRemovedAttr())
      for (auto [what, place] : llvm::zip(removed, algorithm.getRemovedPlacesAttr()))
        facts.removed.push_back("line " + std::to_string(text.line(cast<LocationAttr>(place))) + ": " +
                                cast<StringAttr>(what).str());
    Explainer explainer(algorithm, text, device ? &*device : nullptr);
    algorithm.walk<WalkOrder::PreOrder>([&](Operation *op) {
      auto loop = dyn_cast<graph::ForOp>(op);
      auto state = dyn_cast<graph::StateOp>(op);
      if (isa<graph::ReduceOp, graph::SetFilterOp>(op))
        facts.statements.push_back(explainer.expression(op));
      else if ((loop && !loop.getSequential()) || isa<graph::PropagateOp>(op))
        facts.statements.push_back(explainer.statement(op));
      else if (!state || state.getType().getShape() == graph::Shape::Scalar)
        return WalkResult::advance();
      return WalkResult::skip();
    });
    result.push_back(std::move(facts));
  }
  return result;
}

} // namespace gcompile
