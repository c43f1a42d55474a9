#include "codegen_mpi/HostPrinter.h"
#include "codegen_mpi/KernelPrinter.h"

#include "codegen_cpp/Types.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using gcompile::cpp::Text;

namespace gcompile::mpi {

HostPrinter::HostPrinter(cpp::Program &program) : HostBodyPrinter(program), copies(program, /*ofEdges=*/true) {
  for (BlockArgument argument : program.op.getBody().getArguments())
    if (std::string member = cpp::givenSet(program, argument); !member.empty())
      bind(argument, "ranks_.own(" + member + ")");
}

std::string HostPrinter::element(Value state, ValueRange indices, bool checked, Operation *op) {
  if (auto column = program.columns.find(state); column != program.columns.end())
    return "graph_.template edge_column<" + cpp::typeName(cast<graph::StateType>(state.getType()).getElement()) + ">(" +
           std::to_string(column->second) + ")[" + index(indices[0], checked, op) + "]";
  return BodyPrinter::element(state, indices, checked, op);
}

template <class Op> std::string HostPrinter::kernel(Op op, Region &region, const std::string &wanted) {
  KernelPrinter printer(program, op, region, program.scope.fresh(wanted), copies);
  program.functions.push_back(printer.print());
  cpp::List arguments;
  for (Value each : printer.parameters())
    arguments.add(each == printer.dividedSet() ? "ranks_.in_row(" + operand(each) + ")" : operand(each));
  return printer.name() + "(" + arguments.text() + ")";
}

Text HostPrinter::targetExpression(Operation *op) {
  if (auto done = calls.find(op); done != calls.end())
    return {done->second};
  return llvm::TypeSwitch<Operation *, Text>(op)
      .Case([&](exec::ReduceOp o) -> Text {
        return {calls[op] = kernel(o, o.getBody(), o.getName().value_or("reduce").str())};
      })
      .Case([&](exec::FilterOp o) -> Text { return {calls[op] = kernel(o, o.getWhere(), o.getName().str())}; })
      .Case([&](exec::ListsDividedOp) -> Text { return {"ranks_.divided()"}; })
      .Case([&](exec::SegmentsPayOp o) -> Text { return {program.segmentsOf(o) + ".pay()"}; })
      .Case([&](graph::SetSizeOp o) -> Text {
        if (o.getSet().getDefiningOp<graph::AllVerticesOp>())
          return {"std::int64_t(graph_.num_vertices())"};
        if (std::string member = cpp::givenSet(program, o.getSet()); !member.empty())
          return {member + ".size()"};
        return {"ranks_.size_of(" + operand(o.getSet()) + ")"};
      })
      .Case([&](graph::ContainsOp o) -> Text {
        if (o.getSet().getDefiningOp<graph::AllVerticesOp>())
          return {"(" + operand(o.getVertex(), cpp::Binding::Sum) + " < graph_.num_vertices())"};
        std::string given = cpp::givenSet(program, o.getSet());
        return {(given.empty() ? operand(o.getSet()) : given) + ".contains(" + operand(o.getVertex()) + ")"};
      })
      .Default([&](Operation *other) { return HostBodyPrinter::targetExpression(other); });
}

Text HostPrinter::setExpression(Operation *op) {
  return llvm::TypeSwitch<Operation *, Text>(op)
      .Case([&](graph::AllVerticesOp) -> Text { return {"ranks_.all()"}; })
      .Case([&](graph::SetOfOp o) -> Text { return {"ranks_.own(" + members(o) + ")"}; })
      .Case([&](graph::NeighborsOp o) -> Text {
        std::string v = index(o.getVertex(), o.getMayBeNone(), o);
        const char *list = o.getSide() == graph::Side::Out ? "out_neighbors(" : "in_neighbors(";
        return {"gc::mpi::own_neighbors(ranks_, " + v + ", " +
                (o.getSide() == graph::Side::Both ? "gc::both_neighbors(graph_, " : "graph_." + std::string(list)) + v +
                "))"};
      })
      .Default([&](Operation *other) { return HostBodyPrinter::setExpression(other); });
}

void HostPrinter::sequentialFor(graph::ForOp op) {
  loop(op, op.getDomain(), op.getOver(), Value(), Value(), op.getBody().front());
}

std::string HostPrinter::setRange(Value set) {
  std::string member = cpp::givenSet(program, set);
  return member.empty() ? "gc::mpi::members_of(ranks_, " + operand(set) + ")" : member;
}

void HostPrinter::propagate(exec::PropagateOp op) {
  program.usesFrontier = true;
  ScopeGuard variables(*this);
  startFrontier(op.getFrom());
  std::string round = scope->fresh("round"), base = op.getName().str();
  for (Region *region : {&op.getPush(), &op.getPull(), &op.getCommit()})
    if (!exec::isAbsent(*region))
      bind(region->getArgument(1), round);
  if (!exec::isAbsent(op.getUntil()) && op.getUntil().getNumArguments() > 0)
    bind(op.getUntil().getArgument(0), round);
  std::string levels = op.getLevels() ? program.members.lookup(op.getLevels()) : "";
  if (!levels.empty())
    line(levels + ".clear();");
  const bool pulls = !exec::isAbsent(op.getPull());
  bool bothWays = false;
  op.getPull().walk([&](exec::ForOp loop) { bothWays |= loop.getDomain() == graph::Domain::Either; });
  if (pulls && (exec::isTransposed(op) || bothWays))
    line(std::string("frontier_.follow(gc::mpi::Along::") + (bothWays ? "both" : "in") + ");");
  std::string push = kernel(op, op.getPush(), pulls ? base + "_push" : base),
              pull = pulls ? kernel(op, op.getPull(), base + "_pull") : "",
              commit = exec::isAbsent(op.getCommit()) ? "" : kernel(op, op.getCommit(), base + "_commit");
  std::string most = op.getAtMost() ? round + " <= " + operand(op.getAtMost(), cpp::Binding::Sum) + " && " : "",
              kept = roundsOf(op),
              first = kept.empty() ? " = 1; " : " = std::int32_t(" + kept + ".done()) + 1; " + kept + ".next() && ";
  cpp::Writer::Block turns =
      out.block("for (std::int32_t " + round + first + most + "frontier_.anywhere(); ++" + round + ")");
  const bool tells = pulls || !cpp::givenEachRound(program, op).text().empty();
  if (program.profiled() && tells)
    line("profile_.begin_round();"); // before owners tell which vertices are active
  if (!levels.empty())
    line(levels + ".keep(frontier_);");
  {
    std::optional<cpp::Writer::Block> direction;
    if (pulls) {
      const std::string rule = op.getByWork() == exec::PullWork::First
                                   ? "pulls_by_work("
                                   : "pulls(" + cpp::literal(op.getAlphaAttr()) + ", ";
      direction.emplace(out.block("if (frontier_." + rule + cpp::literal(op.getBetaAttr()) +
                                  cpp::givenBeforePulls(program, op) + "))"));
      line(pull + ";");
      direction->next(" else");
    }
    if (std::string given = cpp::givenEachRound(program, op).text(); !given.empty())
      line("frontier_.give_active(" + given + ");");
    if (op.getDivided())
      line("frontier_.spread(" + cpp::givenToLists(program, op.getExchange()).text() + ");");
    line(push + ";");
    if (!exec::isAbsent(op.getExchange()))
      block(op.getExchange().front());
  }
  line("frontier_.advance();");
  if (!commit.empty())
    line(commit + ";");
  if (!exec::isAbsent(op.getUntil())) {
    block(op.getUntil().front());
    line("if (" + operand(yielded(op.getUntil())) + ") break;");
  }
}

void HostPrinter::resume(exec::ResumeOp op) {
  if (isa<exec::OrderedOp>(op->getNextNode()))
    return; // its kernel does, which has the buckets
  std::string &variable = rounds[op->getNextNode()] = scope->fresh("rounds");
  const bool isPropagate = isa<exec::PropagateOp>(op->getNextNode());
  program.usesFrontier |= isPropagate;
  declareRounds(*this, program, op, variable, isPropagate ? "frontier_" : "");
}

void HostPrinter::statement(Operation *op) {
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](exec::ParallelOp o) { line(kernel(o, o.getBody(), o.getName().str()) + ";"); })
      .Case([&](exec::ResumeOp o) { resume(o); })
      .Case([&](exec::OrderedOp o) { line(kernel(o, o.getPush(), o.getName().str()) + ";"); })
      .Case([&](exec::PropagateOp o) { propagate(o); })
      .Case([&](exec::ReduceToOwnerOp o) { out.add(printedReduction(*this, program, copies, o, "frontier_")); })
      .Case([&](exec::GiveToCopiesOp o) {
        std::string known = copies.of(o.getState());
        if (graph::hasValuePerEdge(o.getState()))
          return line(known + (o.getEverywhere() ? ".give_to_all();" : ".give();"));
        if (o.getEverywhere())
          return line("gc::mpi::give_to_all(ranks_, " + stateName(o.getState()) + ");");
        const std::string copies = o.getCopies() == exec::CopiesOf::Ends    ? ""
                                   : o.getCopies() == exec::CopiesOf::Lists ? "gc::mpi::Copies::of_lists"
                                                                            : "gc::mpi::Copies::all";
        line(known.empty()
                 ? "ranks_.give_to_copies(" + stateName(o.getState()) + (copies.empty() ? "" : ", " + copies) + ");"
                 : known + ".update(" + copies + ");");
      })
      .Case([&](exec::GiveActiveOp) {}) // the frontier does, before a pull
      .Case([&](exec::ActivateOwnersOp) { line("ranks_.reduce_to_owner([&](const V v) { frontier_.activate(v); });"); })
      .Case([&](exec::OwnerValueOp o) {
        std::string call = "gc::mpi::value_of_owner(ranks_, " + stateName(o.getState()) + ", " +
                           index(o.getVertex(), o.getChecked(), o) +
                           (o.getColumn() ? ", " + index(o.getColumn(), o.getChecked(), o) : "") + ")";
        line("const " + cpp::typeName(o.getType()) + " " + declare(o, cpp::suggestName(o)) + " = " + call + ";");
      })
      .Case([&](exec::OwnerComputesOp o) {
        std::string call = std::string("gc::mpi::of_owner(") + (cpp::isOfEdge(o) ? "arcs_, " : "ranks_, ") +
                           operand(o.getPlace()) + ", [&]";
        cpp::Writer::Block function = out.block(
            "const " + cpp::typeName(o.getType()) + " " + declare(o, cpp::suggestName(o)) + " = " + call, ");");
        block(o.getBody().front());
        line("return " + operand(yielded(o.getBody())) + ";");
      })
      .Case([&](exec::RequireVertexOp o) { line(index(o.getVertex(), true, o) + ";"); })
      .Case([&](exec::ResetCopiesOp o) {
        if (std::string known = copies.of(o.getState()); !known.empty())
          return line(known + (o.getEverywhere() ? ".reset_others(" : ".reset(") + operand(o.getValue()) + ");");
        line(std::string("ranks_.") + (o.getEverywhere() ? "reset_others(" : "reset_copies(") +
             stateName(o.getState()) + ", " + operand(o.getValue()) + ");");
      })
      .Case([&](exec::SnapshotOp o) {
        bool scalar = o.getState().getType().getShape() == graph::Shape::Scalar;
        std::string copy = stateName(o.getCopy()), state = stateName(o.getState());
        if (o.getState().getType().getShape() == graph::Shape::Dense)
          return line(std::string("gc::mpi::copy") +
                      (o.getRow()      ? "_row"
                       : o.getColumn() ? "_column"
                                       : "_rows") +
                      "(ranks_, " + copy + ", " + state +
                      (o.getRow()      ? ", " + operand(o.getRow())
                       : o.getColumn() ? ", " + operand(o.getColumn())
                                       : "") +
                      ");");
        if (graph::hasValuePerEdge(o.getState()))
          return line("arcs_.copy(" + copy + ", " + state + ");");
        line(scalar ? copy + " = " + state + ";" : "gc::copy(" + copy + ", " + state + ");");
      })
      .Default([&](Operation *) { HostBodyPrinter::statement(op); });
  auto before = dyn_cast_or_null<exec::ResumeOp>(op->getPrevNode());
  if (std::string variable = rounds.lookup(op); !variable.empty() && before.getFollowed())
    line(variable + ".end();");
}

} // namespace gcompile::mpi
