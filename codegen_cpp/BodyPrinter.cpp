// Statements.
#include "codegen_cpp/BodyPrinter.h"
#include "codegen_cpp/Combining.h"
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

void BodyPrinter::braced(Region &region) {
  code += "{\n";
  if (!region.empty()) {
    ScopeGuard inner(*this);
    block(region.front());
  }
  code += "}\n";
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
  line(std::string("if (") + (op.getKind() == graph::LogicKind::And ? "" : "!") + name + ") {");
  {
    ScopeGuard inner(*this);
    block(op.getRhs().front());
    line(name + " = " + operand(yielded(op.getRhs())) + ";");
  }
  line("}");
}

void BodyPrinter::materialiseConditional(graph::ConditionalOp op) {
  std::string condition = operand(op.getCondition());
  std::string name = declare(op.getResult(), suggestName(op.getResult()));
  line(typeName(op.getType()) + " " + name + ";");
  line("if (" + condition + ") {");
  auto branch = [&](Region &region) {
    ScopeGuard inner(*this);
    block(region.front());
    line(name + " = " + operand(yielded(region)) + ";");
  };
  branch(op.getWhenTrue());
  line("} else {");
  branch(op.getWhenFalse());
  line("}");
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

void BodyPrinter::ifStatement(graph::IfOp op) {
  code += "if (" + operand(op.getCondition()) + ") ";
  braced(op.getThenRegion());
  Region &otherwise = op.getElseRegion();
  if (exec::isAbsent(otherwise) ||
      (otherwise.front().getOperations().size() == 1 && isa<graph::YieldOp>(otherwise.front().front())))
    return;
  // `else if`: nothing but one `if` and what its condition is written with.
  graph::IfOp chained;
  bool chain = true;
  for (Operation &inner : otherwise.front()) {
    if (isa<graph::YieldOp>(inner) || isRematerialised(&inner))
      continue;
    if (auto next = dyn_cast<graph::IfOp>(inner); next && !chained)
      chained = next;
    else if (chained || !inlining.anchor(&inner))
      chain = false;
  }
  code += "else ";
  if (chain && chained)
    ifStatement(chained);
  else
    braced(otherwise);
}

void BodyPrinter::whileStatement(graph::WhileOp op) {
  Region &condition = op.getCondition();
  if (inlining.isExpressionRegion(condition)) {
    code += "while (" + operand(yielded(condition)) + ") ";
    braced(op.getBody());
    return;
  }
  line("while (true) {");
  {
    ScopeGuard inner(*this);
    block(condition.front());
    line("if (" + negated(yielded(condition)) + ") break;");
    block(op.getBody().front());
  }
  line("}");
}

void BodyPrinter::repeatStatement(graph::RepeatOp op) {
  Region &until = op.getUntil();
  ScopeGuard outer(*this);
  bool stops = !exec::isAbsent(until), plain = !stops || inlining.isExpressionRegion(until);
  if (op.getTimes()) {
    std::string type = typeName(op.getTimes().getType()), turn = scope->fresh("turn");
    line("for (" + type + " " + turn + " = 0; " + turn + " < " + operand(op.getTimes(), Binding::Sum) + "; ++" + turn +
         ") {");
  } else {
    line(stops && plain ? "do {" : "while (true) {");
  }
  {
    ScopeGuard inner(*this);
    block(op.getBody().front());
    if (stops && (op.getTimes() || !plain)) {
      block(until.front());
      line("if (" + operand(yielded(until)) + ") break;");
    }
  }
  line(!op.getTimes() && stops && plain ? "} while (" + negated(yielded(until)) + ");" : "}");
}

std::string BodyPrinter::modeAccumulator(exec::ReduceOp, const std::string &type, StringRef wanted) {
  std::string name = scope->fresh(wanted);
  line("gc::Mode<" + type + "> " + name + ";");
  return name;
}

void BodyPrinter::countForMode(const std::string &, Block &body) { block(body); }

std::string BodyPrinter::accumulatorType(exec::ReduceOp op) {
  Type key;
  op.getBody().walk([&](exec::ContributeOp c) {
    if (c.getWitness() && c->getParentOfType<exec::ReduceOp>() == op)
      key = c.getValue().getType();
  });
  return cpp::accumulatorType(op.getKind(), key, op.getType());
}

std::string BodyPrinter::accumulator(exec::ReduceOp op) {
  std::string wanted = suggestName(op.getResult());
  if (op.getKind() == graph::ReduceKind::Mode)
    return modeAccumulator(op, typeName(op.getType()), wanted);
  std::string name = scope->fresh(wanted), start;
  if (!graph::traits(op.getKind()).accumulates())
    start = " = " + neutralValue(graph::combination(op.getKind()), op.getType());
  line(accumulatorType(op) + " " + name + start + ";");
  return name;
}

void BodyPrinter::sequentialReduce(exec::ReduceOp op) {
  std::string name = accumulator(op);
  accumulators[op] = name;
  if (op.getKind() == graph::ReduceKind::Mode) {
    countForMode(name, op.getBody().front());
    std::string result = declare(op.getResult(), name + "_value");
    line("const " + typeName(op.getType()) + " " + result + " = " + accumulated(op.getKind(), name) + ";");
    return;
  }
  bind(op.getResult(), accumulated(op.getKind(), name));
  block(op.getBody().front());
}

void BodyPrinter::contribute(exec::ContributeOp op) {
  auto reduce = op->getParentOfType<exec::ReduceOp>();
  const std::string &name = accumulators[reduce];
  std::string v = op.getValue() ? operand(op.getValue()) : "";
  bool inLoop = false;
  for (Operation *around = op->getParentOp(); around != reduce; around = around->getParentOp())
    inLoop |= around != flat && isa<exec::ForOp, graph::WhileOp, graph::RepeatOp>(around);
  auto decide = [&](bool value) {
    auto constant = op.getValue().getDefiningOp<graph::ConstantOp>();
    bool always = constant && cast<IntegerAttr>(constant.getValue()).getValue().isZero() != value;
    if (!always)
      line("if (" + std::string(value ? "" : "!") +
           operand(op.getValue(), value ? Binding::Conditional : Binding::Prefix) + ") {");
    line(name + (value ? " = true;" : " = false;"));
    if (inLoop)
      line("break;");
    if (!always)
      line("}");
  };
  const ReduceTraits &kind = graph::traits(reduce.getKind());
  if (kind.decides) // the opposite of what changes nothing
    return decide(graph::traits(graph::combination(reduce.getKind())).neutral() == Neutral::Zero);
  if (kind.accumulates())
    return line(name + ".add(" + v + (kind.witness ? ", " + operand(op.getWitness()) : "") + ");");
  line(op.getValue() ? combined(graph::combination(reduce.getKind()), name, v) : "++" + name + ";");
}

Text BodyPrinter::improves(exec::ImprovesOp op) {
  auto reduce = op->getParentOfType<exec::ReduceOp>();
  const std::string &name = accumulators[reduce];
  if (graph::traits(reduce.getKind()).witness)
    return {name + ".improves(" + operand(op.getKey()) + ")"};
  return {operand(op.getKey(), Binding::Relation) + (reduce.getKind() == graph::ReduceKind::Min ? " < " : " > ") + name,
          Binding::Relation};
}

void BodyPrinter::update(graph::UpdateKind kind, exec::Sync sync, Value state, const std::string &target, Value v) {
  Type type = v.getType();
  if (sync == exec::Sync::Atomic || (sync == exec::Sync::Relaxed && kind != graph::UpdateKind::Assign))
    return line(changingUpdate(kind, sync, target, v) + ";");
  if (sync == exec::Sync::Relaxed)
    return line("gc::store(" + target + ", " + operand(v) + ");");
  bool dense = cast<graph::StateType>(state.getType()).getShape() == graph::Shape::Dense;
  const UpdateTraits &traits = graph::traits(kind);
  if (kind == graph::UpdateKind::Assign)
    return line(target + " = " + operand(v) + ";");
  if (kind == graph::UpdateKind::Add) {
    std::string text = operand(v);
    if (text == "1" && type.isIntOrIndex())
      return line("++" + target + ";");
    if (text == "-1" && type.isIntOrIndex())
      return line("--" + target + ";");
    if (auto negated = v.getDefiningOp<graph::UnaryOp>();
        negated && negated.getKind() == graph::UnaryKind::Neg && !isBound(v))
      return line(target + " -= " + operand(negated.getOperand()) + ";");
    if (v.getDefiningOp<graph::ConstantOp>() && text[0] == '-')
      return line(target + " -= " + text.substr(1) + ";");
    return line(target + " += " + text + ";");
  }
  if (dense && traits.selects) // unconditional stores vectorise
    return line(target + " = std::" + std::string(traits.binary) + "<" + typeName(type) + ">(" + target + ", " +
                operand(v) + ");");
  line(combined(kind, target, operand(v)));
}

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
      .Case<graph::ForOp, exec::ForOp, exec::BatchForOp>([](auto o) { return o.getMayBeNone(); })
      .Default([](Operation *) { return false; });
}

std::string BodyPrinter::neighbors(Operation *at, graph::Domain domain, Value over, bool mayBeNone, Value above,
                                   Value below) {
  std::string around = index(over, mayBeNone, at), graph = graphName();
  return bounded(domain == graph::Domain::Either  ? "gc::either(" + graph + ", " + around + ")"
                 : domain == graph::Domain::OutOf ? graph + ".out_neighbors(" + around + ")"
                                                  : graph + ".in_neighbors(" + around + ")",
                 above, below);
}

void BodyPrinter::loop(Operation *at, graph::Domain domain, Value over, Value above, Value below, Block &body) {
  ScopeGuard variables(*this);
  auto name = [&](unsigned i) { return declare(body.getArgument(i), argumentName(body.getArgument(i))); };
  auto used = [&](unsigned i) { return !body.getArgument(i).use_empty(); };
  const bool mayBeNone = startsMayBeNone(at);
  // The range first: the loop's variables are not visible in it.
  switch (domain) {
  case graph::Domain::OutOf:
  case graph::Domain::Into:
  case graph::Domain::Either: {
    if (!used(1)) {
      std::string range = neighbors(at, domain, over, mayBeNone, above, below);
      line(std::string("for (") + (used(0) ? "" : "[[maybe_unused]] ") + "const V " + name(0) + " : " + range + ") {");
      break;
    }
    bool out = domain == graph::Domain::OutOf, either = domain == graph::Domain::Either;
    std::string around = index(over, mayBeNone, at), graph = graphName();
    auto inKernel = dyn_cast<exec::ForOp>(at);
    if ((out && !above && !below) || (inKernel && inKernel.getByPlace())) {
      std::string e = name(1), end = scope->fresh(e + "_end"), step = sharedStep();
      listEnds[body.getArgument(1)] = end;
      line("for (gc::ArcId " + e + " = " + graph + (out ? ".out_begin(" : ".in_begin(") + around + ")" +
           (step.empty() ? "" : " + " + step + ".rank()") + ", " + end + " = " + graph +
           (out ? ".out_end(" : ".in_end(") + around + "); " + e + " < " + end + "; " +
           (step.empty() ? "++" + e : e + " += " + step + ".size()") + ") {");
      if (used(0))
        line("const V " + name(0) + " = " + graph + (out ? ".target(" : ".in_source(") + e + ");");
    } else {
      std::string range = bounded("gc::" +
                                      std::string(either ? "either"
                                                  : out  ? "out"
                                                         : "in") +
                                      "_arcs(" + graph + ", " + around + ")",
                                  above, below);
      std::string arc = scope->fresh("arc");
      line("for (const auto " + arc + " : " + range + ") {");
      if (used(0))
        line("const V " + name(0) + " = " + arc + ".vertex;");
      line("const gc::ArcId " + name(1) + " = " + arc + ".edge;");
    }
    break;
  }
  case graph::Domain::Vertices: {
    if (over.getDefiningOp<graph::AllVerticesOp>()) {
      std::string first = above ? operand(above, Binding::Sum) + " + 1" : "0";
      std::string last = below ? operand(below, Binding::Sum) : graphName() + ".num_vertices()";
      std::string v = name(0);
      line("for (V " + v + " = " + first + "; " + v + " < " + last + "; ++" + v + ") {");
    } else {
      std::string range = bounded(setRange(over), above, below);
      line(std::string("for (") + (used(0) ? "" : "[[maybe_unused]] ") + "const V " + name(0) + " : " + range + ") {");
    }
    break;
  }
  case graph::Domain::Pairs: {
    std::string i = name(0), j = name(1), n = graphName() + ".num_vertices()";
    if (hasBreak(body)) { // one loop, which it leaves
      std::string pair = scope->fresh("pair");
      line("for (const auto " + pair + " : gc::Pairs<V>(" + n + ")) {");
      line("const V " + i + " = " + pair + ".first, " + j + " = " + pair + ".second;");
      break;
    }
    line("for (V " + i + " = 0; " + i + " < " + n + "; ++" + i + ")");
    line("for (V " + j + " = 0; " + j + " < " + n + "; ++" + j + ") {");
    break;
  }
  case graph::Domain::Edges:
  case graph::Domain::EdgesInto:
  case graph::Domain::EdgesBoth: {
    std::string from = over && !over.getDefiningOp<graph::AllVerticesOp>() ? ", " + endsOfEdges(over) : "";
    std::string arc = scope->fresh("arc");
    line("for (const auto " + arc +
         (domain == graph::Domain::Edges       ? " : gc::arcs("
          : domain == graph::Domain::EdgesInto ? " : gc::arcs_into("
                                               : " : gc::arcs_both(") +
         graphName() + from + ")) {");
    const bool into = domain == graph::Domain::EdgesInto;
    const char *parts[] = {into ? "target" : "source", into ? "source" : "target", "edge"};
    for (unsigned i = 0; i < 3; ++i)
      if (used(i))
        line(std::string("const ") + (i == 2 ? "gc::ArcId " : "V ") + name(i) + " = " + arc + "." + parts[i] + ";");
    break;
  }
  case graph::Domain::Levels: {
    auto levels = cast<graph::ForOp>(at);
    std::string range = operand(over) + (!levels.getReversed() ? ""
                                         : levels.getMarked()  ? ".reversed_and_marked()"
                                                               : ".reversed()");
    if (!levels.getAscending()) {
      line("for (const auto &" + name(0) + " : " + range + ") {");
      break;
    }
    std::string found = scope->fresh("found");
    line("for (const auto &" + found + " : " + range + ") {");
    line("const auto " + name(0) + " = " + found + ".ascending();");
    break;
  }
  }
  block(body);
  line("}");
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
      .Case([&](graph::UpdateOp o) {
        update(o.getKind(), exec::Sync::Plain, o.getState(), element(o.getState(), o.getIndices(), o.getChecked(), op),
               o.getValue());
      })
      .Case([&](exec::UpdateOp o) {
        std::string target = element(o.getState(), o.getIndices(), o.getChecked(), op);
        if (o.getChanged().use_empty())
          return update(o.getKind(), o.getSync(), o.getState(), target, o.getValue());
        std::string text = changingUpdate(o.getKind(), o.getSync(), target, o.getValue());
        line("const bool " + declare(o.getChanged(), "changed") + " = " + text + ";");
      })
      .Case([&](exec::UpdateTupleOp o) {
        std::string text =
            tupleUpdate(o.getKind(), o.getSync(), o.getStates(), o.getIndex(), o.getValues(), o.getChecked(), op);
        if (!o.getChanged().use_empty())
          text = "const bool " + declare(o.getChanged(), "changed") + " = " + text;
        line(text + ";");
      })
      .Case([&](graph::UpdateTupleOp o) {
        line(tupleUpdate(o.getKind(), exec::Sync::Plain, o.getStates(), o.getIndex()[0], o.getValues(), o.getChecked(),
                         op) +
             ";");
      })
      .Case([&](exec::ClaimOp o) {
        std::string text = claim(o);
        if (!o.getWon().use_empty())
          text = "const bool " + declare(o.getWon(), "won") + " = " + text;
        line(text + ";");
      })
      .Case([&](exec::ReduceOp o) { sequentialReduce(o); })
      .Case([&](exec::ContributeOp o) { contribute(o); })
      .Case(
          [&](exec::ForOp o) { loop(o, o.getDomain(), o.getOver(), o.getAbove(), o.getBelow(), o.getBody().front()); })
      .Default([&](Operation *) { llvm_unreachable("an operation that this printer does not know"); });
}

} // namespace gcompile::cpp
