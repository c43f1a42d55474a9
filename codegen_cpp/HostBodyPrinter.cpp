#include "codegen_cpp/HostBodyPrinter.h"

#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>
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

/// The innermost loop of the host around a statement; null if there is none.
static Operation *loopAround(Operation *op) {
  do
    op = op->getParentOp();
  while (op && !isa<graph::ForOp, graph::WhileOp, graph::RepeatOp>(op));
  return op;
}

void HostBodyPrinter::nextStage(Block &block) {
  if (frames.empty()) { // what stands before all cuts is the first stage
    frames.push_back({&program.op.getBody().front(), program.stages.size()});
    program.stages.emplace_back();
  }
  Writer text = std::exchange(out, Writer());
  const bool inside = &block != frames.front().block;
  if (frames.back().block == &block) {
    program.stages[frames.back().stage].text = std::move(text);
    frames.back().stage = program.stages.size();
  } else {
    program.stages[frames.back().stage].conducts = true;
    frames.push_back({&block, program.stages.size(), std::move(text)});
  }
  frames.back().stages.push_back(program.stages.size());
  program.stages.push_back({Writer(), inside});
  lastPlace.clear();
}

bool HostBodyPrinter::hasStages(Operation *op) { return !program.op.getSerialOf() && !exec::stagedBlocks(op).empty(); }

/// Whether there is more to do in the stage of a statement.
static bool isFollowed(Operation *op) {
  for (op = op->getNextNode(); op && !isa<exec::NextStageOp>(op); op = op->getNextNode())
    if (!isa<graph::YieldOp, graph::StateOp>(op))
      return true;
  return false;
}

void HostBodyPrinter::sequence(Operation *op, Block &body) {
  if (!hasStages(op))
    return BodyPrinter::sequence(op, body);
  if (isa<graph::ForOp>(op))
    line(program.turns + ".next();");
  std::size_t depth = frames.size();
  block(body);
  // The stages around the first one in the algorithm are known only then.
  if (frames.size() > std::max<std::size_t>(depth, 1)) {
    Frame frame = std::move(frames.back());
    frames.pop_back();
    program.stages[frame.stage].text = std::exchange(out, std::move(frame.around));
    program.stages[frame.stage].leaves = isa<graph::BreakOp>(body.back());
    lastPlace.clear();
    for (std::size_t stage : frame.stages)
      runStage(stage, &body.front());
  }
  if (auto repeat = dyn_cast<graph::RepeatOp>(op); repeat && !exec::isAbsent(repeat.getUntil()))
    line(program.turns + ".next();");
}

void HostBodyPrinter::runStage(std::size_t stage, Operation *op) {
  std::string call = program.turns + ".run(gc::hybrid::Nth<" + std::to_string(stage) + ">())";
  line(loopAround(op) ? "if (!" + call + ") " + leaving(op) : call + ";");
}

std::string HostBodyPrinter::leaving(Operation *op) {
  // A loop that stands around what is printed has to be told.
  Operation *loop = loopAround(op), *printed = frames.empty() ? program.op : frames.back().block->getParentOp();
  return printed->isProperAncestor(loop) ? "break;" : "return false;";
}

void HostBodyPrinter::statement(Operation *op) {
  llvm::TypeSwitch<Operation *>(op)
      .Case<graph::StateOp, exec::ByTargetOp>([&](auto) {}) // a member
      .Case([&](graph::ForOp o) { sequentialFor(o); })
      .Case([&](exec::NextStageOp) {
        if (!program.op.getSerialOf())
          nextStage(*op->getBlock());
      })
      .Case([&](graph::BreakOp) { line(leaving(op)); })
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
  // The last turn of a loop, or a choice, may have changed what comes next.
  if (isa<graph::ForOp, graph::IfOp>(op) && hasStages(op) && isFollowed(op))
    line(program.turns + ".next();");
}

} // namespace gcompile::cpp
