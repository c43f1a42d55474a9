// Sequential loops over vertices, edges, lists of neighbours, pairs and kept levels.
#include "codegen_cpp/BodyPrinter.h"
#include "codegen_cpp/Program.h"
#include "codegen_cpp/Types.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace gcompile::cpp {

/// Whether a `break` in the body of a loop leaves that loop.
static bool hasBreak(Block &body) {
  return body
      .walk<WalkOrder::PreOrder>([](Operation *op) {
        if (isa<graph::WhileOp, graph::RepeatOp, graph::ForOp, exec::ForOp>(op))
          return WalkResult::skip();
        return isa<graph::BreakOp, exec::BreakOp>(op) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

std::string BodyPrinter::bounded(std::string range, Value above, Value below) {
  if (above)
    range = "gc::above(" + range + ", " + operand(above) + ")";
  if (below)
    range = "gc::below(" + range + ", " + operand(below) + ")";
  return sharedRange(range);
}

/// Whether the vertex whose arcs the loop goes over may be none.
static bool startsMayBeNone(Operation *loop) {
  return llvm::TypeSwitch<Operation *, bool>(loop)
      .Case<graph::ForOp, exec::ForOp, exec::BatchForOp, exec::BestForOp>([](auto o) { return o.getMayBeNone(); })
      .Default([](Operation *) { return false; });
}

std::string BodyPrinter::neighbors(Operation *at, graph::Domain domain, Value over, bool mayBeNone, Value above,
                                   Value below) {
  std::string around = index(over, mayBeNone, at), graph = listsName();
  return bounded(domain == graph::Domain::Either  ? "gc::either(" + graph + ", " + around + ")"
                 : domain == graph::Domain::OutOf ? graph + ".out_neighbors(" + around + ")"
                                                  : graph + ".in_neighbors(" + around + ")",
                 above, below);
}

namespace {

/// The variables of a loop, which are named where the loop declares them: after its range, in which they are not
/// visible.
struct Variables {
  BodyPrinter &printer;
  Block &body;

  bool used(unsigned i) const { return !body.getArgument(i).use_empty(); }
  std::string name(unsigned i) const { return printer.declare(body.getArgument(i), argumentName(body.getArgument(i))); }
  /// The head of a loop over the vertices of a range.
  std::string over(const std::string &range) const {
    return std::string("for (") + (used(0) ? "" : "[[maybe_unused]] ") + "const V " + name(0) + " : " + range + ")";
  }
};

} // namespace

std::string BodyPrinter::arcs(Operation *at, graph::Domain domain, Value over, Value above, Value below) {
  auto inKernel = dyn_cast<exec::ForOp>(at);
  const char *function = domain == graph::Domain::Either     ? "gc::either_arcs("
                         : domain == graph::Domain::OutOf    ? "gc::out_arcs("
                         : inKernel && inKernel.getByPlace() ? "gc::in_places("
                                                             : "gc::in_arcs(";
  return bounded(function + listsName() + ", " + index(over, startsMayBeNone(at), at) + ")", above, below);
}

Writer::Block BodyPrinter::matchingLoop(const std::string &item, const std::string &call, const std::string &parameters,
                                        exec::SelectOp select, llvm::function_ref<void(bool)> declareEnds) {
  Writer::Block turns = out.block("for (" + item + " : " + call + ", [&](" + parameters + ")");
  {
    ScopeGuard test(*this);
    declareEnds(true);
    block(select.getWhere().front());
    line("return " + operand(yielded(select.getWhere())) + ";");
  }
  turns.next("))");
  declareEnds(false);
  return turns;
}

/// Whether a region uses a vertex for nothing but to find values by it, which any whole number can do.
static bool findsValuesBy(Value vertex, Region &region) {
  return llvm::all_of(vertex.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (!region.isAncestor(user->getParentRegion()))
      return true;
    if (auto read = dyn_cast<graph::ReadOp>(user))
      return llvm::is_contained(read.getIndices(), vertex);
    auto change = dyn_cast<exec::WouldChangeOp>(user);
    return change && change.getValue() != vertex;
  });
}

Writer::Block BodyPrinter::selectLoop(Operation *at, graph::Domain domain, Value over, Value above, Value below,
                                      Block &body, exec::SelectOp select) {
  const Variables variables = {*this, body};
  const std::string v = variables.name(0);
  if (!variables.used(1))
    return matchingLoop("const V " + v, neighbors(at, domain, over, startsMayBeNone(at), above, below), select,
                        [](bool) {});
  const std::string e = variables.name(1), graph = listsName();
  auto used = [&](unsigned i, bool inTest) {
    return llvm::any_of(body.getArgument(i).getUsers(), [&](Operation *user) {
      return select.getWhere().isAncestor(user->getParentRegion()) == inTest;
    });
  };
  if (domain == graph::Domain::OutOf && !above && !below && !hasPackedLists(at)) {
    const std::string item = "const gc::ArcId " + e, around = index(over, startsMayBeNone(at), at);
    const bool findsByTarget = used(0, true) && findsValuesBy(body.getArgument(0), select.getWhere());
    const auto declareTarget = [&](bool inTest) {
      if (used(0, inTest) && !(inTest && findsByTarget))
        line("const V " + v + " = " + graph + ".target(" + e + ");");
    };
    if (findsByTarget)
      return matchingLoop(item, "gc::matching_arcs(" + graph + ", " + around,
                          (used(1, true) ? item : "const gc::ArcId") + ", const auto " + v, select, declareTarget);
    return matchingLoop(item, "gc::out_edges(" + graph + ", " + around + ")", select, declareTarget);
  }
  const std::string arc = scope->fresh("arc");
  return matchingLoop("const auto " + arc, arcs(at, domain, over, above, below), select, [&](bool inTest) {
    if (used(0, inTest))
      line("const V " + v + " = " + arc + ".vertex;");
    if (used(1, inTest))
      line("const gc::ArcId " + e + " = " + arc + ".edge;");
  });
}

Writer::Block BodyPrinter::listLoop(Operation *at, graph::Domain domain, Value over, Value above, Value below,
                                    Block &body) {
  const Variables variables = {*this, body};
  const bool mayBeNone = startsMayBeNone(at);
  if (!variables.used(1))
    return out.block(variables.over(neighbors(at, domain, over, mayBeNone, above, below)));
  const bool leaves = domain == graph::Domain::OutOf;
  std::string around = index(over, mayBeNone, at), graph = listsName();
  auto inKernel = dyn_cast<exec::ForOp>(at);
  const bool byPlace = inKernel && inKernel.getByPlace();
  if (((leaves && !above && !below) || byPlace) && !hasPackedLists(at)) {
    std::string e = variables.name(1), end = scope->fresh(e + "_end"), step = sharedStep();
    listEnds[body.getArgument(1)] = end;
    Writer::Block arcs = out.block("for (gc::ArcId " + e + " = " + graph + (leaves ? ".out_begin(" : ".in_begin(") +
                                   around + ")" + (step.empty() ? "" : " + " + step + ".rank()") + ", " + end + " = " +
                                   graph + (leaves ? ".out_end(" : ".in_end(") + around + "); " + e + " < " + end +
                                   "; " + (step.empty() ? "++" + e : e + " += " + step + ".size()") + ")");
    if (variables.used(0))
      line("const V " + variables.name(0) + " = " + graph + (leaves ? ".target(" : ".in_source(") + e + ");");
    return arcs;
  }
  std::string range = this->arcs(at, domain, over, above, below), arc = scope->fresh("arc");
  Writer::Block arcs = out.block("for (const auto " + arc + " : " + range + ")");
  if (variables.used(0))
    line("const V " + variables.name(0) + " = " + arc + ".vertex;");
  line("const gc::ArcId " + variables.name(1) + " = " + arc + ".edge;");
  return arcs;
}

Writer::Block BodyPrinter::vertexLoop(Value over, Value above, Value below, Block &body) {
  const Variables variables = {*this, body};
  if (!over.getDefiningOp<graph::AllVerticesOp>())
    return out.block(variables.over(bounded(setRange(over), above, below)));
  std::string first = above ? operand(above, Binding::Sum) + " + 1" : "0";
  std::string last = below ? operand(below, Binding::Sum) : graphName() + ".num_vertices()";
  std::string v = variables.name(0);
  return out.block("for (V " + v + " = " + first + "; " + v + " < " + last + "; ++" + v + ")");
}

Writer::Block BodyPrinter::pairLoop(Block &body) {
  const Variables variables = {*this, body};
  std::string i = variables.name(0), j = variables.name(1), n = graphName() + ".num_vertices()";
  if (!hasBreak(body)) {
    line("for (V " + i + " = 0; " + i + " < " + n + "; ++" + i + ")");
    return out.block("for (V " + j + " = 0; " + j + " < " + n + "; ++" + j + ")");
  }
  // One loop, which it leaves.
  std::string pair = scope->fresh("pair");
  Writer::Block pairs = out.block("for (const auto " + pair + " : gc::Pairs<V>(" + n + "))");
  line("const V " + i + " = " + pair + ".first, " + j + " = " + pair + ".second;");
  return pairs;
}

Writer::Block BodyPrinter::edgeLoop(graph::Domain domain, Value over, Block &body) {
  const Variables variables = {*this, body};
  std::string from = over && !over.getDefiningOp<graph::AllVerticesOp>() ? ", " + endsOfEdges(over) : "";
  std::string arc = scope->fresh("arc");
  const char *function = domain == graph::Domain::Edges       ? "gc::arcs("
                         : domain == graph::Domain::EdgesInto ? "gc::arcs_into("
                                                              : "gc::arcs_both(";
  Writer::Block edges = out.block("for (const auto " + arc + " : " + function + graphName() + from + "))");
  const bool into = domain == graph::Domain::EdgesInto;
  const char *parts[] = {into ? "target" : "source", into ? "source" : "target", "edge"};
  for (unsigned i = 0; i < 3; ++i)
    if (variables.used(i))
      line(std::string("const ") + (i == 2 ? "gc::ArcId " : "V ") + variables.name(i) + " = " + arc + "." + parts[i] +
           ";");
  return edges;
}

Writer::Block BodyPrinter::levelLoop(graph::ForOp at, Value over, Block &body) {
  const Variables variables = {*this, body};
  std::string range = operand(over) + (!at.getReversed() ? ""
                                       : at.getMarked()  ? ".reversed_and_marked()"
                                                         : ".reversed()");
  if (!at.getAscending())
    return out.block("for (const auto &" + variables.name(0) + " : " + range + ")");
  std::string found = scope->fresh("found");
  Writer::Block levels = out.block("for (const auto &" + found + " : " + range + ")");
  line("const auto " + variables.name(0) + " = " + found + ".ascending();");
  return levels;
}

void BodyPrinter::loop(Operation *at, graph::Domain domain, Value over, Value above, Value below, Block &body) {
  ScopeGuard variables(*this);
  if (auto select = body.empty() ? exec::SelectOp() : dyn_cast<exec::SelectOp>(body.front())) {
    Writer::Block matching = selectLoop(at, domain, over, above, below, body, select);
    return block(body, select);
  }
  auto turns = [&]() -> Writer::Block {
    switch (domain) {
    case graph::Domain::OutOf:
    case graph::Domain::Into:
    case graph::Domain::Either:
      return listLoop(at, domain, over, above, below, body);
    case graph::Domain::Vertices:
      return vertexLoop(over, above, below, body);
    case graph::Domain::Pairs:
      return pairLoop(body);
    case graph::Domain::Edges:
    case graph::Domain::EdgesInto:
    case graph::Domain::EdgesBoth:
      return edgeLoop(domain, over, body);
    case graph::Domain::Levels:
      return levelLoop(cast<graph::ForOp>(at), over, body);
    }
    llvm_unreachable("every domain is listed");
  };
  Writer::Block loop = turns();
  sequence(at, body);
}

} // namespace gcompile::cpp
