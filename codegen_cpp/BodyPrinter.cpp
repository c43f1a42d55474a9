// Statements.
#include "codegen_cpp/BodyPrinter.h"
#include "codegen_cpp/Types.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace gcompile::cpp {

std::string BodyPrinter::declare(Value v, StringRef wanted) {
  std::string name = scope->fresh(wanted);
  bind(v, name);
  return name;
}

void BodyPrinter::block(Block &block, Operation *after) {
  for (Operation &op : block) {
    if (after && !after->isBeforeInBlock(&op))
      continue;
    if (isa<graph::YieldOp>(op) || &op == skip || isRematerialised(&op))
      continue;
    if (isExpression(&op)) {
      if (!op.use_empty() && !inlining.anchor(&op)) {
        beforeStatement(&op);
        materialise(&op);
      }
      continue;
    }
    if (op.getNumResults() == 1 && inlining.anchor(&op))
      continue;
    beforeStatement(&op);
    statement(&op);
  }
}

Writer BodyPrinter::printedBy(llvm::function_ref<void()> print) {
  Writer around = std::exchange(out, Writer());
  print();
  return std::exchange(out, std::move(around));
}

void BodyPrinter::braced(const std::string &head, Region &region) {
  Scope inner(*this, head);
  block(region.front());
}

void BodyPrinter::materialise(Operation *op) {
  if (auto logic = dyn_cast<graph::LogicOp>(op); logic && !inlining.isExpressionRegion(logic.getRhs()))
    return materialiseLogic(logic);
  if (auto choice = dyn_cast<graph::ConditionalOp>(op); choice && !(inlining.isExpressionRegion(choice.getWhenTrue()) &&
                                                                    inlining.isExpressionRegion(choice.getWhenFalse())))
    return materialiseConditional(choice);
  Value result = op->getResult(0);
  std::string text = operand(result);
  std::string name = declare(result, suggestName(result));
  if (isa<graph::SetType>(result.getType()))
    return line(setVariable(result, name, text));
  line("const " + typeName(result.getType()) + " " + name + " = " + text + ";");
}

std::string BodyPrinter::setVariable(Value, const std::string &name, const std::string &text) {
  return "const auto " + name + " = " + text + ";";
}

void BodyPrinter::materialiseLogic(graph::LogicOp op) {
  std::string lhs = operand(op.getLhs());
  std::string name = declare(op.getResult(), suggestName(op.getResult()));
  line("bool " + name + " = " + lhs + ";");
  Scope inner(*this, std::string("if (") + (op.getKind() == graph::LogicKind::And ? "" : "!") + name + ")");
  block(op.getRhs().front());
  line(name + " = " + operand(yielded(op.getRhs())) + ";");
}

void BodyPrinter::materialiseConditional(graph::ConditionalOp op) {
  std::string condition = operand(op.getCondition());
  std::string name = declare(op.getResult(), suggestName(op.getResult()));
  line(typeName(op.getType()) + " " + name + ";");
  auto branch = [&](Region &region) {
    ScopeGuard inner(*this);
    block(region.front());
    line(name + " = " + operand(yielded(region)) + ";");
  };
  Writer::Block choice = out.block("if (" + condition + ")");
  branch(op.getWhenTrue());
  choice.next(" else");
  branch(op.getWhenFalse());
}

/// The update that gives a local state its first value, if it comes before anything else happens to the state.
static Operation *initialUpdate(graph::StateOp state) {
  for (Operation *op = state->getNextNode(); op; op = op->getNextNode()) {
    Value target, value;
    graph::UpdateKind kind = graph::UpdateKind::Add;
    if (auto update = dyn_cast<exec::UpdateOp>(op)) {
      target = update.getState(), value = update.getValue(), kind = update.getKind();
      if (!update.getChanged().use_empty())
        return nullptr;
    } else if (auto update = dyn_cast<graph::UpdateOp>(op)) {
      target = update.getState(), value = update.getValue(), kind = update.getKind();
    } else if (isExpression(op) && op->getNumRegions() == 0 &&
               !llvm::is_contained(op->getOperands(), state.getState())) {
      continue;
    }
    return target == state.getState() && kind == graph::UpdateKind::Assign ? op : nullptr;
  }
  return nullptr;
}

void BodyPrinter::localState(graph::StateOp op) {
  Type type = op.getState().getType().getElement();
  std::string name = scope->fresh(op.getName());
  bind(op.getState(), name);
  Operation *update = initialUpdate(op);
  if (!update) {
    line(typeName(type) + " " + name + " = " + zero(type) + ";");
    return;
  }
  // What stands between the declaration and its first value is printed first.
  Block *here = op->getBlock();
  for (Operation *between = op->getNextNode(); between != update; between = between->getNextNode())
    if (!isRematerialised(between) && !between->use_empty() && !inlining.anchor(between) &&
        between->getBlock() == here && !isBound(between->getResult(0))) {
      line(typeName(type) + " " + name + " = " + zero(type) + ";");
      return;
    }
  Value first =
      isa<exec::UpdateOp>(update) ? cast<exec::UpdateOp>(update).getValue() : cast<graph::UpdateOp>(update).getValue();
  line(typeName(type) + " " + name + " = " + operand(first) + ";");
  skip = update;
}

/// Where an `else` holds nothing but one `if` and what its condition is written with: that one.
graph::IfOp BodyPrinter::elseIf(Region &otherwise) {
  graph::IfOp chained;
  for (Operation &inner : otherwise.front()) {
    if (isa<graph::YieldOp>(inner) || isRematerialised(&inner))
      continue;
    if (auto next = dyn_cast<graph::IfOp>(inner); next && !chained)
      chained = next;
    else if (chained || !inlining.anchor(&inner))
      return {};
  }
  return chained;
}

void BodyPrinter::ifStatement(graph::IfOp op) {
  auto branch = [&](graph::IfOp at, Region &region) {
    ScopeGuard inner(*this);
    sequence(at, region.front());
  };
  Writer::Block choice = out.block("if (" + operand(op.getCondition()) + ")");
  while (true) {
    branch(op, op.getThenRegion());
    Region &otherwise = op.getElseRegion();
    if (exec::isAbsent(otherwise) ||
        (otherwise.front().getOperations().size() == 1 && isa<graph::YieldOp>(otherwise.front().front())))
      return;
    graph::IfOp chained = elseIf(otherwise);
    if (!chained) {
      choice.next(" else");
      return branch(op, otherwise);
    }
    choice.next(" else if (" + operand(chained.getCondition()) + ")");
    op = chained;
  }
}

void BodyPrinter::whileStatement(graph::WhileOp op) {
  Region &condition = op.getCondition();
  std::string rounds = roundsOf(op), next = rounds.empty() ? "" : rounds + ".next()";
  if (inlining.isExpressionRegion(condition)) {
    Scope inner(*this, "while (" +
                           (next.empty() ? operand(yielded(condition))
                                         : next + " && " + operand(yielded(condition), Binding::And)) +
                           ")");
    return sequence(op, op.getBody().front());
  }
  Scope inner(*this, "while (" + (next.empty() ? "true" : next) + ")");
  block(condition.front());
  line("if (" + negated(yielded(condition)) + ") break;");
  sequence(op, op.getBody().front());
}

void BodyPrinter::repeatStatement(graph::RepeatOp op) {
  Region &until = op.getUntil();
  ScopeGuard outer(*this);
  std::string rounds = roundsOf(op), next = rounds.empty() ? "" : rounds + ".next()";
  const bool stops = !exec::isAbsent(until),
             asksLast = stops && !op.getTimes() && next.empty() && inlining.isExpressionRegion(until);
  std::string head = asksLast ? "do" : "while (" + (next.empty() ? "true" : next) + ")";
  if (op.getTimes()) {
    std::string type = typeName(op.getTimes().getType()), turn = scope->fresh("turn");
    head = "for (" + type + " " + turn + " = " +
           (next.empty() ? "0; " : type + "(" + rounds + ".done()); " + next + " && ") + turn + " < " +
           operand(op.getTimes(), Binding::Sum) + "; ++" + turn + ")";
  }
  Writer::Block turns = out.block(head);
  {
    ScopeGuard inner(*this);
    sequence(op, op.getBody().front());
    if (stops && !asksLast) {
      block(until.front());
      line("if (" + operand(yielded(until)) + ") break;");
    }
  }
  turns.close(asksLast ? " while (" + negated(yielded(until)) + ");" : "");
}

void BodyPrinter::statement(Operation *op) {
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](graph::LetOp o) {
        if (o.getResult().use_empty())
          return;
        std::string text = operand(o.getValue()), name = declare(o.getResult(), o.getName());
        if (isa<graph::SetType>(o.getType()))
          return line(setVariable(o.getValue(), name, text));
        line("const " + typeName(o.getType()) + " " + name + " = " + text + ";");
      })
      .Case([&](graph::StateOp o) { localState(o); })
      .Case([&](graph::IfOp o) { ifStatement(o); })
      .Case([&](graph::WhileOp o) { whileStatement(o); })
      .Case([&](graph::RepeatOp o) { repeatStatement(o); })
      .Case<graph::BreakOp, exec::BreakOp>([&](auto) { line("break;"); })
      .Case([&](exec::RequireOp o) { line("if (" + negated(o.getCondition()) + ") " + leave()); })
      .Case([&](graph::ReturnOp o) { line("return " + operand(o.getValue()) + ";"); })
      .Case([&](graph::UpdateOp o) { update(Combining(o), exec::Sync::Plain, o.getState(), target(o), o.getValue()); })
      .Case([&](exec::UpdateOp o) {
        std::string written = target(o);
        if (o.getChanged().use_empty())
          return update(Combining(o), o.getSync(), o.getState(), written, o.getValue());
        std::string text = changingUpdate(Combining(o), o.getSync(), written, o.getValue());
        line("const bool " + declare(o.getChanged(), "changed") + " = " + text + ";");
      })
      .Case([&](exec::UpdateTupleOp o) {
        std::string text =
            tupleUpdate(o.getKind(), o.getSync(), o.getStates(), o.getIndices(), o.getValues(), o.getChecked(), op);
        if (!o.getChanged().use_empty())
          text = "const bool " + declare(o.getChanged(), "changed") + " = " + text;
        line(text + ";");
      })
      .Case([&](graph::UpdateTupleOp o) {
        line(tupleUpdate(o.getKind(), exec::Sync::Plain, o.getStates(), o.getIndices(), o.getValues(), o.getChecked(),
                         op) +
             ";");
      })
      .Case([&](exec::ClaimOp o) {
        std::string text = claim(o);
        if (!o.getWon().use_empty())
          text = "const bool " + declare(o.getWon(), "won") + " = " + text;
        line(text + ";");
      })
      .Case([&](exec::TakeOp o) {
        std::string text = "take(" + element(o.getGiven(), o.getIndex(), false, op) + ", " +
                           element(o.getTotal(), o.getIndex(), false, op) + ")";
        line("const " + typeName(o.getType()) + " " + declare(o.getValue(), "taken") + " = " + sharedUpdates() + text +
             ";");
      })
      .Case([&](exec::ReduceOp o) { sequentialReduce(o); })
      .Case([&](exec::ContributeOp o) { contribute(o); })
      .Case(
          [&](exec::ForOp o) { loop(o, o.getDomain(), o.getOver(), o.getAbove(), o.getBelow(), o.getBody().front()); })
      .Default([&](Operation *) { llvm_unreachable("an operation that this printer does not know"); });
}

} // namespace gcompile::cpp
