#include "codegen_cpp/HostBodyPrinter.h"

#include "llvm/ADT/TypeSwitch.h"

#include <utility>

using namespace mlir;

namespace gcompile::cpp {

void HostBodyPrinter::beforeStatement(Operation *op) {
  if (isa<graph::StateOp, graph::BreakOp, exec::NextStageOp>(op))
    return;
  std::string where = place(op->getLoc());
  if (!where.empty() && where != lastPlace)
    line("// " + where);
  lastPlace = where;
}

std::string HostBodyPrinter::stateName(Value state) {
  auto member = program.members.find(state);
  assert(member != program.members.end() && "a state that is not a member");
  return member->second;
}

Text HostBodyPrinter::targetExpression(Operation *op) {
  return llvm::TypeSwitch<Operation *, Text>(op)
      .Case([&](graph::ContainsOp o) -> Text {
        return {operand(o.getSet()) + ".contains(" + operand(o.getVertex()) + ")"};
      })
      .Case([&](graph::SetSizeOp o) -> Text {
        if (o.getSet().getDefiningOp<graph::AllVerticesOp>())
          return {"std::int64_t(graph_.num_vertices())"};
        return {operand(o.getSet()) + ".size()"};
      })
      .Default([](Operation *) -> Text { llvm_unreachable("an operation that has no place on the host"); });
}

Text HostBodyPrinter::setExpression(Operation *set) {
  std::string type = program.storage.space + "VertexSet<V>", graph = program.storage.member;
  return llvm::TypeSwitch<Operation *, Text>(set)
      .Case([&](graph::AllVerticesOp) -> Text { return {type + "::all(" + graph + ")"}; })
      .Case([&](graph::SetOfOp o) -> Text { return {type + "::of(" + graph + ", " + members(o) + ")"}; })
      .Case([&](graph::NeighborsOp o) -> Text {
        std::string v = index(o.getVertex(), o.getMayBeNone(), o);
        if (o.getSide() == graph::Side::Both)
          return {type + "::of(" + graph + ", gc::both_neighbors(" + graphName() + ", " + v + "))"};
        return {type + "::of(" + graph + ", " + graphName() + "." +
                (o.getSide() == graph::Side::Out ? "out_neighbors(" : "in_neighbors(") + v + "))"};
      })
      .Case([&](graph::SetAlgebraOp o) -> Text {
        const char *name = o.getKind() == graph::SetKind::Union          ? ".united("
                           : o.getKind() == graph::SetKind::Intersection ? ".intersected("
                                                                         : ".subtracted(";
        return {operand(o.getLhs(), Binding::Postfix) + name + operand(o.getRhs()) + ")"};
      })
      .Default([](Operation *) -> Text { llvm_unreachable("a set that this printer does not know"); });
}

std::string HostBodyPrinter::setVariable(Value set, const std::string &name, const std::string &text) {
  auto read = set.getDefiningOp<graph::ReadOp>();
  return std::string("const auto ") + (read && read.getLasting() ? "&" : "") + name + " = " + text + ";";
}

graph::SetAlgebraOp HostBodyPrinter::inPlace(exec::UpdateOp op) {
  auto algebra = op.getValue().getDefiningOp<graph::SetAlgebraOp>();
  if (op.getKind() != graph::UpdateKind::Assign || !algebra || inlining.anchor(algebra) != op)
    return {};
  auto lhs = algebra.getLhs().getDefiningOp<graph::ReadOp>();
  bool own = lhs && lhs.getState() == op.getState() && inlining.anchor(lhs) == op.getOperation();
  return own ? algebra : graph::SetAlgebraOp();
}

void HostBodyPrinter::setUpdate(exec::UpdateOp op) {
  std::string target = stateName(op.getState());
  if (graph::SetAlgebraOp algebra = inPlace(op)) {
    const char *symbol = algebra.getKind() == graph::SetKind::Union          ? " += "
                         : algebra.getKind() == graph::SetKind::Intersection ? " &= "
                                                                             : " -= ";
    return line(target + symbol + operand(algebra.getRhs()) + ";");
  }
  if (op.getKind() == graph::UpdateKind::Assign)
    return line(target + " = " + operand(op.getValue()) + ";");
  line(target + (op.getKind() == graph::UpdateKind::And ? " &= " : " += ") + operand(op.getValue()) + ";");
}

std::string HostBodyPrinter::endsOfEdges(Value set) {
  if (isBound(set) || isa<BlockArgument>(set) || set.getDefiningOp<graph::ReadOp>())
    return operand(set);
  std::string text = operand(set), name = program.scope.fresh("ends");
  line("const auto " + name + " = " + text + ";");
  return name;
}

std::string HostBodyPrinter::members(graph::SetOfOp set) { return "{" + operands(set.getOperands()) + "}"; }

void HostBodyPrinter::startFrontier(Value from) {
  if (from.getDefiningOp<graph::AllVerticesOp>()) {
    line("frontier_.start_all();");
  } else if (auto set = from.getDefiningOp<graph::SetOfOp>(); set && !isBound(from)) {
    line("frontier_.start(" + members(set) + ");");
  } else {
    line("frontier_.start(" + operand(from) + ");");
  }
}

void HostBodyPrinter::nextStage() {
  if (program.op.getSerialOf())
    return;
  Writer text = std::exchange(out, Writer());
  lastPlace.clear();
  if (program.stageAtHand)
    program.stages[*std::exchange(program.stageAtHand, std::nullopt)].text = std::move(text);
  else
    program.stages.push_back({std::move(text)});
}

bool HostBodyPrinter::hasStages(Operation *loop) { return !program.op.getSerialOf() && exec::stagedBody(loop); }

void HostBodyPrinter::loopBody(Operation *loop, Block &body) {
  if (!hasStages(loop))
    return BodyPrinter::loopBody(loop, body);
  if (!program.stageAtHand) {
    program.stageAtHand = program.stages.size();
    program.stages.push_back({Writer(), Program::Stage::withLoop});
  }
  std::size_t first = program.stages.size();
  block(body); // what stands before the first stage stays here
  program.stages.push_back({std::exchange(out, std::move(aroundStages)), Program::Stage::inLoop});
  loopOfStage = nullptr;
  lastPlace.clear();
  for (std::size_t k = first; k < program.stages.size(); ++k)
    line("if (!" + program.turns + ".run(gc::hybrid::Nth<" + std::to_string(k) + ">())) break;");
  if (auto repeat = dyn_cast<graph::RepeatOp>(loop); repeat && !exec::isAbsent(repeat.getUntil()))
    line(program.turns + ".next();");
}

/// The loop of the host that a statement ends.
static Operation *loopAround(Operation *op) {
  do
    op = op->getParentOp();
  while (!isa<graph::ForOp, graph::WhileOp, graph::RepeatOp>(op));
  return op;
}

void HostBodyPrinter::statement(Operation *op) {
  llvm::TypeSwitch<Operation *>(op)
      .Case<graph::StateOp, exec::ByTargetOp>([&](auto) {}) // a member
      .Case([&](graph::ForOp o) { sequentialFor(o); })
      .Case([&](exec::NextStageOp) {
        Operation *loop = op->getParentOp();
        if (isa<graph::AlgorithmOp>(loop) || program.op.getSerialOf())
          return nextStage();
        if (loopOfStage)
          program.stages.push_back({std::exchange(out, Writer()), Program::Stage::inLoop});
        else
          aroundStages = std::exchange(out, Writer());
        loopOfStage = loop;
        lastPlace.clear();
      })
      .Case([&](graph::BreakOp o) { line(loopOfStage && loopAround(op) == loopOfStage ? "return false;" : "break;"); })
      .Case([&](exec::StartArrayOp o) {
        line(program.storage.space + "start(" + stateName(o.getState()) + ", " + operand(o.getLength()) + ", " +
             operand(o.getValue()) + ", " + placeLiteral(op) + ");");
      })
      .Case([&](exec::UpdateOp o) {
        if (isa<graph::SetType>(o.getValue().getType()))
          setUpdate(o);
        else
          BodyPrinter::statement(op);
      })
      .Default([&](Operation *) { BodyPrinter::statement(op); });
}

} // namespace gcompile::cpp
