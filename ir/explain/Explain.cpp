#include "ir/explain/Explain.h"
#include "ir/explain/Device.h"
#include "ir/explain/Messages.h"
#include "ir/explain/Source.h"
#include "ir/explain/Words.h"

#include <optional>

using namespace mlir;

namespace gcompile {

namespace {

/// The facts of one kind about an operation.
template <typename Fact> SmallVector<Fact> factsOf(Operation *op) {
  SmallVector<Fact> result;
  for (graph::Fact fact : graph::factsOf(op))
    if (auto wanted = dyn_cast<Fact>(fact))
      result.push_back(wanted);
  return result;
}
template <typename Fact> Fact factOf(Operation *op) {
  SmallVector<Fact> all = factsOf<Fact>(op);
  return all.empty() ? Fact() : all.front();
}

/// Every data-parallel statement has a way to run.
bool isStatement(Operation *op) { return static_cast<bool>(factOf<graph::WayFactAttr>(op)); }

graph::Domain domainOf(Operation *statement) {
  auto loop = dyn_cast<graph::ForOp>(statement);
  return loop ? loop.getDomain() : cast<graph::PropagateOp>(statement).getDomain();
}

std::string statesOf(Operation *write) {
  auto tuple = dyn_cast<graph::UpdateTupleOp>(write);
  if (!tuple)
    return graph::nameOf(cast<graph::UpdateOp>(write).getState());
  std::string names;
  for (Value state : tuple.getStates())
    names += (names.empty() ? "" : ", ") + graph::nameOf(state);
  return names;
}

/// What is read several times is told once.
void add(std::vector<AccessFacts> &list, AccessFacts facts) {
  for (const AccessFacts &other : list)
    if (other.text == facts.text && other.place == facts.place && (other.line == facts.line || facts.pushed.empty()))
      return;
  list.push_back(std::move(facts));
}

/// What exec-close-pairs has made of loops over pairs.
class Closures {
public:
  Closures(graph::AlgorithmOp lowered, bool onDevice) : onDevice(onDevice) {
    lowered.walk([&](exec::ClosePairsOp op) { closed[op.getLoc()] = op; });
    lowered.walk([&](graph::ForOp loop) {
      if (auto fact = factOf<graph::WayFactAttr>(loop); fact && fact.getWay() == graph::Way::Blocks)
        open[loop.getLoc()] = fact;
    });
  }

  /// Adds to the ways to run a statement that it runs in blocks, or why not, if one may expect it to.
  void addTo(std::vector<WayFacts> &ways, Operation *statement) const {
    auto loop = statement->getParentOfType<graph::ForOp>();
    if (auto found = closed.find(statement->getLoc()); found != closed.end()) {
      for (WayFacts &other : ways)
        other = {other.name, other.legal, false, ""};
      exec::ClosePairsOp op = found->second;
      bool said = loop && graph::scheduleOf(loop); // which is about this alone
      ways.push_back({words::way(graph::Way::Blocks), true, true,
                      (said ? "the schedule says so; " : "") + words::whyInBlocks(op, onDevice)});
      return;
    }
    auto found = loop ? open.find(loop.getLoc()) : open.end();
    bool ofPairs = statement
                       ->walk([](Operation *op) {
                         auto update = dyn_cast<graph::UpdateOp>(op);
                         auto tuple = dyn_cast<graph::UpdateTupleOp>(op);
                         bool pair =
                             (update && update.getIndices().size() == 2) || (tuple && tuple.getIndices().size() == 2);
                         return pair ? WalkResult::interrupt() : WalkResult::advance();
                       })
                       .wasInterrupted();
    if (found != open.end() && ofPairs)
      ways.push_back({words::way(graph::Way::Blocks), found->second.getVerdict() == graph::Verdict::Legal, false,
                      found->second.getReason().str(), /*wanted=*/true});
  }

private:
  bool onDevice;
  llvm::DenseMap<Location, exec::ClosePairsOp> closed; // by the statement over pairs
  llvm::DenseMap<Location, graph::WayFactAttr> open;   // by the loop around it
};

/// What exec-keep-index has made of searches in loops.
class Indices {
public:
  explicit Indices(graph::AlgorithmOp lowered) {
    lowered.walk([&](Operation *op) {
      if (auto index = dyn_cast<exec::KeepIndexOp>(op))
        kept[index.getLoc()] = index;
      for (auto fact : factsOf<graph::SearchFactAttr>(op))
        missing[Location(fact.getPlace())] = fact.getReason();
    });
  }

  /// Adds to the ways to make a search that the loop keeps an index, or why not.
  void addTo(std::vector<WayFacts> &ways, Operation *statement) const {
    const std::string name = words::way(graph::Way::Index);
    if (auto found = kept.find(statement->getLoc()); found != kept.end()) {
      for (WayFacts &other : ways)
        other = {other.name, other.legal, false, ""};
      ways.push_back({name, true, true, words::whyByIndex(found->second)});
    } else if (auto reason = missing.find(graph::spelled(statement->getLoc())); reason != missing.end()) {
      ways.push_back({name, false, false, reason->second.str(), /*wanted=*/true});
    }
  }

private:
  llvm::DenseMap<Location, exec::KeepIndexOp> kept; // by the search
  llvm::DenseMap<Location, StringAttr> missing;
};

class Explainer {
public:
  Explainer(const SourceText &source, const DeviceKernels *device, const Messages *messages, const Closures *closures,
            const Indices *indices)
      : source(source), device(device), messages(messages), closures(closures), indices(indices) {}

  StatementFacts statement(Operation *op) const {
    StatementFacts facts;
    facts.line = source.line(op->getLoc());
    auto loop = dyn_cast<graph::ForOp>(op);
    if (!loop && !isa<graph::PropagateOp>(op))
      facts.text = source.text(op->getLoc());
    else if (loop && loop.getTerm())
      facts.text = "before the next statement, once for each vertex: " + source.text(op->getLoc());
    else
      facts.text = source.head(op->getLoc());
    if (StringAttr label = graph::labelOf(op)) {
      // One of a called algorithm that has no label of its own is labelled `bfs.`.
      facts.label = label.getValue().rtrim('.').str();
      if (!label.getValue().ends_with("."))
        facts.text = StringRef(facts.text).split(':').second.ltrim().str();
    }
    op->walk([&](Operation *inner) {
      if (auto fact = factOf<graph::ReadFactAttr>(inner))
        add(facts.reads, read(cast<graph::ReadOp>(inner), fact, domainOf(op)));
      if (auto fact = factOf<graph::WriteFactAttr>(inner))
        add(facts.writes, write(inner, fact, domainOf(op)));
    });
    copies(op, facts);
    ways(op, facts);
    if (closures)
      closures->addTo(facts.ways, op);
    if (indices)
      indices->addTo(facts.ways, op);
    freedoms(op, facts);
    if (device)
      facts.device = device->describe(op->getLoc());
    if (messages)
      facts.sent = messages->describe(op->getLoc());
    facts.onOneThread = messages && messages->isOnOneThread(op->getLoc());
    return facts;
  }

private:
  AccessFacts read(graph::ReadOp op, graph::ReadFactAttr fact, graph::Domain domain) const {
    bool changed = fact.getChange() == graph::Change::Changed;
    return {source.text(op.getLoc()),
            source.line(op.getLoc()),
            graph::nameOf(op.getState()),
            words::element(fact.getElement(), domain),
            changed ? "" : "not changed by this statement",
            "",
            ""};
  }

  AccessFacts write(Operation *op, graph::WriteFactAttr fact, graph::Domain domain) const {
    AccessFacts facts{source.text(op->getLoc()),
                      source.line(op->getLoc()),
                      statesOf(op),
                      words::element(fact.getElement(), domain),
                      words::rule(fact.getRule(), op),
                      "",
                      ""};
    for (auto safety : factsOf<graph::SafetyFactAttr>(op))
      (safety.getWay() == graph::Way::Pull ? facts.pulled : facts.pushed) = words::safety(safety.getSafety());
    return facts;
  }

  static void copies(Operation *op, StatementFacts &facts) {
    for (auto fact : factsOf<graph::CopyFactAttr>(op)) {
      bool copied = fact.getSnapshot() == graph::Snapshot::Slices || fact.getSnapshot() == graph::Snapshot::Copy;
      facts.snapshots.push_back(
          {fact.getState().str(), copied, words::snapshot(fact.getSnapshot(), fact.getRule()), 0});
    }
    for (auto fact : factsOf<graph::MemoryFactAttr>(op)) {
      double bytes = fact.getBytes().getValueAsDouble();
      for (SnapshotFacts &snapshot : facts.snapshots)
        if (snapshot.state == fact.getState().getValue())
          snapshot.bytes = bytes;
      if (fact.getShape() == graph::Shape::PerVertex)
        facts.bytesPerVertex += bytes;
      else if (fact.getShape() == graph::Shape::PerEdge)
        facts.bytesPerEdge += bytes;
      else if (fact.getShape() == graph::Shape::Dense)
        facts.bytesPerPair += bytes;
    }
  }

  static void ways(Operation *op, StatementFacts &facts) {
    SmallVector<graph::WayFactAttr> ways = factsOf<graph::WayFactAttr>(op);
    bool canPull = llvm::any_of(ways, [](graph::WayFactAttr fact) {
      return fact.getWay() == graph::Way::Pull && fact.getVerdict() == graph::Verdict::Legal;
    });
    for (graph::WayFactAttr fact : ways) {
      bool chosen = fact.getChoice() != graph::Choice::No;
      // The runtime's algorithms are told of with their reason also where they are not chosen.
      bool byDefault = (fact.getChoice() == graph::Choice::Default || fact.getWay() == graph::Way::Components) &&
                       !(fact.getWay() == graph::Way::Push && !fact.getReason().empty());
      std::string reason = fact.getChoice() == graph::Choice::Schedule ? "the schedule says so"
                           : byDefault                                 ? words::whyByDefault(fact.getWay(), op, canPull)
                                                                       : "";
      facts.ways.push_back({words::way(fact.getWay()), fact.getVerdict() == graph::Verdict::Legal, chosen,
                            reason.empty() ? fact.getReason().str() : reason});
    }
  }

  static void freedoms(Operation *op, StatementFacts &facts) {
    for (auto fact : factsOf<graph::FreedomFactAttr>(op))
      facts.freedoms.push_back(
          {words::freedom(fact.getFreedom()), fact.getVerdict() == graph::Verdict::Legal,
           fact.getChoice() == graph::Choice::Schedule,
           fact.getReason().str() + (fact.getChoice() == graph::Choice::AtRunTime
                                         ? "; the program finds out the third time whether they pay"
                                         : "")});
  }

  const SourceText &source;
  const DeviceKernels *device; // null for CPUs
  const Messages *messages;    // null for one machine
  const Closures *closures;    // null where nothing is lowered
  const Indices *indices;      // the same
};

} // namespace

/// The functions of C++ that the algorithm or a local function calls, each once, what was proved of them besides, and
/// what was believed.
static std::vector<std::string> foreignFunctions(ModuleOp module, graph::AlgorithmOp algorithm) {
  std::vector<std::string> result;
  auto add = [&](graph::ForeignCallOp call) {
    std::string line = call.getCallee().str() + " (proved";
    for (Attribute name : call.getBelieved())
      line += (name == call.getBelieved()[0] ? "; believed of " : ", ") + cast<StringAttr>(name).getValue().str();
    if (isa<IntegerType>(call.getResult().getType()) && !call.getResult().getType().isInteger(1) &&
        call.getKeepsFinite())
      line += "; also that it makes no inf";
    line += call.getDeviceForms() ? "; compiled for the GPU too)" : ")";
    if (!llvm::is_contained(result, line))
      result.push_back(line);
  };
  algorithm.walk(add);
  for (auto function : module.getOps<graph::FuncOp>())
    function.walk(add);
  for (auto reduction : module.getOps<graph::ReductionOp>())
    reduction.walk(add);
  return result;
}

/// The declared reductions that the algorithm uses, each once, and by which function.
static std::vector<std::string> declaredReductions(ModuleOp module, graph::AlgorithmOp algorithm) {
  std::vector<std::string> result;
  for (auto reduction : module.getOps<graph::ReductionOp>()) {
    bool used = false;
    algorithm.walk([&](graph::UpdateOp update) { used |= update.getCombiner() == reduction.getSymName(); });
    std::string line = reduction.getSymName().str() + ", by ";
    reduction.getCombine().walk([&](graph::ForeignCallOp call) { line += call.getCallee(); });
    if (used)
      result.push_back(line + " (believed: associative, commutative, with that neutral element)");
  }
  return result;
}

/// Where an algorithm of two forms runs, and what it moves.
static std::vector<std::string> sidesOf(exec::SidesOp sides, graph::AlgorithmOp gpu, const SourceText &text) {
  std::vector<std::string> result = {sides.getBySchedule() ? "first the CPU, then the GPU: the schedule says so"
                                                           : words::side(sides.getOn(), sides.getByOneList())};
  unsigned number = 0;
  for (auto stage : sides->getParentOfType<ModuleOp>().getOps<exec::StageOp>())
    if (stage.getAlgorithm() == sides.getAlgorithm() && !stage.getBoth())
      result.push_back(words::stage(++number, text.line(stage.getLoc()), stage));
  gpu.walk([&](exec::PropagateOp op) {
    if (!op.getHandOver())
      return;
    std::string states;
    for (auto name : op.getCrossing()->getAsRange<StringAttr>())
      states += (states.empty() ? "'" : ", '") + name.getValue().str() + "'";
    result.push_back(words::handOver(text.line(op.getLoc()), (*op.getHandOver())[0], (*op.getHandOver())[1], states));
  });
  return result;
}

std::vector<AlgorithmFacts> explain(ModuleOp graph, ModuleOp exec, const std::string &source, bool kernelsOnDevice,
                                    bool inParts) {
  SourceText text(source);
  auto gpu = exec.lookupSymbol<ModuleOp>("gpu");
  SymbolTable lowered(gpu ? gpu : exec);
  std::vector<AlgorithmFacts> result;
  for (auto algorithm : graph.getOps<graph::AlgorithmOp>()) {
    AlgorithmFacts facts;
    facts.name = algorithm.getSymName().str();
    facts.foreign = foreignFunctions(graph, algorithm);
    facts.reductions = declaredReductions(graph, algorithm);
    auto twin = lowered.lookup<graph::AlgorithmOp>(algorithm.getSymName());
    if (twin && twin.getNeeds()) {
      DictionaryAttr needs = *twin.getNeeds();
      facts.inEdges = needs.contains("in_edges");
      if (auto order = needs.getAs<StringAttr>("vertices"))
        facts.layout.push_back(words::vertexOrder(order));
      if (needs.contains("neighbors_by_degree"))
        facts.layout.push_back(words::neighborOrder());
      if (needs.contains("packed"))
        facts.layout.push_back(words::packedLists());
      if (auto part = needs.getAs<FloatAttr>("aligned"))
        facts.layout.push_back(words::alignedLists(part.getValueAsDouble()));
      for (Attribute argument : twin.getArguments())
        if (auto entry = cast<DictionaryAttr>(argument); entry.contains("nonnegative"))
          facts.nonnegative.push_back(entry.getAs<StringAttr>("name").str());
      facts.bytesPerVertex = needs.getAs<FloatAttr>("bytes_per_vertex").getValueAsDouble();
      facts.bytesPerEdge = needs.getAs<FloatAttr>("bytes_per_edge").getValueAsDouble();
      facts.bytesPerPair = needs.getAs<FloatAttr>("bytes_per_pair").getValueAsDouble();
    }
    for (auto sides : exec.getOps<exec::SidesOp>())
      if (sides.getAlgorithm() == algorithm.getSymName())
        facts.sides = sidesOf(sides, twin, text);
    std::optional<DeviceKernels> device;
    if (twin && kernelsOnDevice) {
      device.emplace(twin, inParts);
      for (exec::OnceOp once : device->once())
        facts.once.push_back("line " + std::to_string(text.line(once.getLoc())) + ": " + text.text(once.getLoc()));
    }
    for (auto fact : factsOf<graph::RemovedFactAttr>(algorithm))
      facts.removed.push_back("line " + std::to_string(text.line(fact.getPlace())) + ": " +
                              words::removal(fact.getRemoval(), fact.getState()));
    std::optional<Messages> messages;
    if (twin && inParts)
      messages.emplace(twin, kernelsOnDevice);
    if (messages && twin.getNeeds())
      facts.loaded = Messages::loaded(twin);
    if (messages && twin.getNeeds() && !kernelsOnDevice) {
      auto whole = twin.getNeeds()->getAs<DictionaryAttr>("whole_lists");
      facts.divided = whole ? "no, line " + std::to_string(text.line(Location(cast<LocationAttr>(whole.get("at"))))) +
                                  ": " + whole.getAs<StringAttr>("reason").str()
                            : "yes";
    }
    if (messages)
      twin.walk([&](exec::ResumeOp rounds) {
        facts.kept.push_back("line " + std::to_string(text.line(rounds.getLoc())) + ": " + Messages::kept(rounds));
      });
    if (messages) {
      auto note = [&](auto value) {
        std::string line = "line " + std::to_string(text.line(value.getLoc())) + ": " + Messages::asked(value);
        if (!llvm::is_contained(facts.asked, line))
          facts.asked.push_back(std::move(line));
      };
      twin.walk([&](Operation *op) {
        if (auto value = dyn_cast<exec::OwnerValueOp>(op))
          note(value);
        else if (auto computed = dyn_cast<exec::OwnerComputesOp>(op))
          note(computed);
      });
    }
    std::optional<Closures> closures;
    std::optional<Indices> indices;
    if (twin) {
      closures.emplace(twin, kernelsOnDevice);
      indices.emplace(twin);
    }
    Explainer explainer(text, device ? &*device : nullptr, messages ? &*messages : nullptr,
                        closures ? &*closures : nullptr, indices ? &*indices : nullptr);
    algorithm.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (!isStatement(op))
        return WalkResult::advance();
      facts.statements.push_back(explainer.statement(op));
      return WalkResult::skip();
    });
    result.push_back(std::move(facts));
  }
  return result;
}

} // namespace gcompile
