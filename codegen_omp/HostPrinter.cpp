#include "codegen_omp/HostPrinter.h"

#include "codegen_omp/KernelPrinter.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using gcompile::cpp::Text;

namespace gcompile::omp {

void HostPrinter::beforeStatement(Operation *op) {
  if (isa<graph::StateOp, graph::BreakOp>(op))
    return;
  std::string where = cpp::place(op->getLoc());
  if (!where.empty() && where != lastPlace)
    line("// " + where);
  lastPlace = where;
}

std::string HostPrinter::stateName(Value state) {
  auto member = program.members.find(state);
  assert(member != program.members.end() && "a state that is not a member");
  return member->second;
}

std::string HostPrinter::element(Value state, ValueRange indices, bool checked, Operation *op) {
  if (auto column = program.columns.find(state); column != program.columns.end())
    return "graph_.template edge_column<" + cpp::typeName(cast<graph::StateType>(state.getType()).getElement()) + ">(" +
           std::to_string(column->second) + ")[" + index(indices[0], checked, op) + "]";
  if (auto snapshot = state.getDefiningOp<exec::SnapshotOp>();
      snapshot && indices.size() == 2 && (snapshot.getRow() || snapshot.getColumn()))
    return stateName(state) + "[" + index(indices[snapshot.getRow() ? 1 : 0], checked, op) + "]";
  return BodyPrinter::element(state, indices, checked, op);
}

std::string HostPrinter::claim(exec::ClaimOp op) { return BodyPrinter::claim(op); }

std::string HostPrinter::call(const std::string &function, ArrayRef<Value> arguments) {
  std::string text = function + "(";
  for (auto [i, v] : llvm::enumerate(arguments))
    text += (i ? ", " : "") + operand(v);
  return text + ")";
}

Text HostPrinter::targetExpression(Operation *op) {
  if (auto done = calls.find(op); done != calls.end())
    return {done->second};
  return llvm::TypeSwitch<Operation *, Text>(op)
      .Case([&](exec::ReduceOp o) -> Text {
        KernelPrinter kernel(program, o, o.getBody(), kernelName(o.getName().value_or("reduce")));
        std::string text = kernel.reduce(o);
        program.functions.push_back(text);
        return {calls[op] = call(kernel.name(), kernel.parameters())};
      })
      .Case([&](exec::FilterOp o) -> Text {
        KernelPrinter kernel(program, o, o.getWhere(), kernelName(o.getName()));
        std::string text = kernel.filter(o);
        program.functions.push_back(text);
        return {calls[op] = call(kernel.name(), kernel.parameters())};
      })
      .Case([&](exec::CliquesOp) -> Text { return {"gc::count_triangles(graph_)"}; })
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

Text HostPrinter::setExpression(Operation *set) {
  std::string type = "gc::VertexSet<V>";
  return llvm::TypeSwitch<Operation *, Text>(set)
      .Case([&](graph::AllVerticesOp) -> Text { return {type + "::all(graph_.num_vertices())"}; })
      .Case([&](graph::SetOfOp o) -> Text {
        std::string text = type + "::of(graph_.num_vertices(), {";
        for (auto [i, v] : llvm::enumerate(o.getOperands()))
          text += (i ? ", " : "") + operand(v);
        return {text + "})"};
      })
      .Case([&](graph::NeighborsOp o) -> Text {
        std::string v = operand(o.getVertex());
        if (o.getSide() == graph::Side::Both)
          return {type + "::of(graph_.num_vertices(), gc::both_neighbors(graph_, " + v + "))"};
        return {type + "::of(graph_.num_vertices(), graph_." +
                (o.getSide() == graph::Side::Out ? "out_neighbors(" : "in_neighbors(") + v + "))"};
      })
      .Case([&](graph::SetAlgebraOp o) -> Text {
        const char *name = o.getKind() == graph::SetKind::Union          ? ".united("
                           : o.getKind() == graph::SetKind::Intersection ? ".intersected("
                                                                         : ".subtracted(";
        return {operand(o.getLhs(), cpp::Binding::Postfix) + name + operand(o.getRhs()) + ")"};
      })
      .Default([](Operation *) -> Text { llvm_unreachable("a set that this printer does not know"); });
}

/// `s = s - t` and the like are done in place.
void HostPrinter::setUpdate(exec::UpdateOp op) {
  std::string target = stateName(op.getState());
  if (op.getKind() == graph::UpdateKind::Assign) {
    if (auto algebra = op.getValue().getDefiningOp<graph::SetAlgebraOp>(); algebra && inlining.anchor(algebra) == op) {
      auto lhs = algebra.getLhs().getDefiningOp<graph::ReadOp>();
      if (lhs && lhs.getState() == op.getState() && inlining.anchor(lhs) == op.getOperation()) {
        const char *symbol = algebra.getKind() == graph::SetKind::Union          ? " += "
                             : algebra.getKind() == graph::SetKind::Intersection ? " &= "
                                                                                 : " -= ";
        return line(target + symbol + operand(algebra.getRhs()) + ";");
      }
    }
    return line(target + " = " + operand(op.getValue()) + ";");
  }
  line(target + (op.getKind() == graph::UpdateKind::And ? " &= " : " += ") + operand(op.getValue()) + ";");
}

void HostPrinter::snapshot(exec::SnapshotOp op) {
  std::string copy = stateName(op.getCopy()), state = stateName(op.getState());
  if (op.getState().getType().getShape() == graph::Shape::Scalar)
    return line(copy + " = " + state + ";");
  std::string serial = op.getSchedule() == exec::Schedule::Serial ? "_serially" : "";
  if (op.getRow())
    line("gc::copy_row" + serial + "(" + copy + ", " + state + ", " + operand(op.getRow()) + ");");
  else if (op.getColumn())
    line("gc::copy_column" + serial + "(" + copy + ", " + state + ", " + operand(op.getColumn()) + ");");
  else
    line("gc::copy" + serial + "(" + copy + ", " + state + ");");
}

void HostPrinter::propagate(exec::PropagateOp op) {
  program.usesFrontier = true;
  std::string base = op.getName().str();
  auto kernel = [&](Region &region, const std::string &suffix, std::string (KernelPrinter::*print)(exec::PropagateOp)) {
    KernelPrinter printer(program, op, region, kernelName(base + suffix));
    program.functions.push_back((printer.*print)(op));
    // The round is the only argument of a region that a kernel takes.
    return std::pair<std::string, std::vector<Value>>(printer.name(),
                                                      {printer.parameters().begin(), printer.parameters().end()});
  };
  bool hybrid = op.getDirection() == exec::Direction::Hybrid;
  bool pushes = op.getDirection() != exec::Direction::Pull, pulls = op.getDirection() != exec::Direction::Push;
  std::pair<std::string, std::vector<Value>> push, pull, commit;
  if (pushes)
    push = kernel(op.getPush(), hybrid ? "_push" : "", &KernelPrinter::push);
  if (pulls)
    pull = kernel(op.getPull(), hybrid ? "_pull" : "", &KernelPrinter::pull);
  bool commits = !cpp::isAbsent(op.getCommit());
  if (commits)
    commit = kernel(op.getCommit(), "_commit", &KernelPrinter::commit);

  ScopeGuard variables(*this);
  Value from = op.getFrom();
  if (from.getDefiningOp<graph::AllVerticesOp>()) {
    line("frontier_.start_all();");
  } else if (auto set = from.getDefiningOp<graph::SetOfOp>(); set && !isBound(from)) {
    std::string members;
    for (auto [i, v] : llvm::enumerate(set.getOperands()))
      members += (i ? ", " : "") + operand(v);
    line("frontier_.start({" + members + "});");
  } else {
    line("frontier_.start(" + operand(from) + ");");
  }
  if (pushes && op.getDedup())
    line("frontier_.push_each_once();");
  std::string levels;
  if (op.getLevels()) {
    levels = program.members.find(op.getLevels())->second;
    line(levels + ".clear();");
  }
  auto roundOf = [](Region &region, unsigned i) -> Value {
    return cpp::isAbsent(region) || region.getNumArguments() <= i || region.getArgument(i).use_empty()
               ? Value()
               : region.getArgument(i);
  };
  std::vector<Value> rounds;
  for (Value r :
       {roundOf(op.getPush(), 1), roundOf(op.getPull(), 1), roundOf(op.getCommit(), 1), roundOf(op.getUntil(), 0)})
    if (r)
      rounds.push_back(r);
  if (rounds.empty() && !op.getAtMost()) {
    line("while (!frontier_.empty()) {");
  } else {
    std::string name = scope->fresh(rounds.empty() ? "round" : cpp::argumentName(cast<BlockArgument>(rounds[0])));
    for (Value r : rounds)
      bind(r, name);
    line("for (std::int32_t " + name + " = 1; !frontier_.empty()" +
         (op.getAtMost() ? " && " + name + " <= " + operand(op.getAtMost(), cpp::Binding::Sum) : "") + "; ++" + name +
         ") {");
  }
  if (!levels.empty())
    line(levels + ".keep(frontier_);");
  auto calling = [&](auto &k) { return call(k.first, k.second) + ";"; };
  if (hybrid) {
    std::string alpha = cpp::literal(op.getAlphaAttr()), beta = cpp::literal(op.getBetaAttr());
    line("if (frontier_.pulls(" + alpha + ", " + beta + ")) {\n" + calling(pull) + "\n} else {\n" + calling(push) +
         "\n}");
  } else {
    line(pulls ? "frontier_.use_bitmap();" : "frontier_.use_list();");
    line(calling(pulls ? pull : push));
  }
  line("frontier_.advance();");
  if (commits)
    line(calling(commit));
  if (!cpp::isAbsent(op.getUntil())) {
    block(op.getUntil().front());
    line("if (" + operand(yielded(op.getUntil())) + ") break;");
  }
  line("}");
}

void HostPrinter::sequentialFor(graph::ForOp op) {
  Block &body = op.getBody().front();
  Region &where = op.getWhere();
  if (!cpp::isAbsent(where)) {
    // The condition's arguments are the loop's.
    for (auto [argument, other] : llvm::zip(where.getArguments(), body.getArguments()))
      argument.replaceAllUsesWith(other);
  }
  condition = cpp::isAbsent(where) ? nullptr : &where;
  if (op.getReversed()) {
    ScopeGuard variables(*this);
    std::string range = operand(op.getOver());
    line("for (const auto &" + declare(body.getArgument(0), cpp::argumentName(body.getArgument(0))) + " : " + range +
         ".reversed()) {");
    loopBody(body);
    line("}");
    return;
  }
  loop(op, op.getDomain(), op.getOver(), Value(), Value(), body);
}

void HostPrinter::loopBody(Block &body) {
  if (Region *where = std::exchange(condition, nullptr)) {
    block(where->front());
    line("if (" + negated(yielded(*where)) + ") continue;");
  }
  block(body);
}

void HostPrinter::statement(Operation *op) {
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](graph::StateOp) {}) // a member
      .Case([&](exec::ParallelOp o) {
        KernelPrinter kernel(program, o, o.getBody(), kernelName(o.getName()));
        program.functions.push_back(kernel.parallel(o));
        line(call(kernel.name(), kernel.parameters()) + ";");
      })
      .Case([&](exec::PropagateOp o) { propagate(o); })
      .Case([&](exec::OrderedOp o) {
        KernelPrinter kernel(program, o, o.getPush(), kernelName(o.getName()));
        program.functions.push_back(kernel.ordered(o));
        line(call(kernel.name(), kernel.parameters()) + ";");
      })
      .Case([&](exec::ClosureMinOp o) {
        line(std::string(o.getOwn() ? "gc::connect_components" : "gc::spread_minimum") + "(graph_, " +
             stateName(o.getState()) + ".data());");
      })
      .Case([&](exec::SnapshotOp o) { snapshot(o); })
      .Case([&](graph::ForOp o) { sequentialFor(o); })
      .Case([&](exec::UpdateOp o) {
        if (isa<graph::SetType>(o.getValue().getType()))
          setUpdate(o);
        else
          BodyPrinter::statement(op);
      })
      .Default([&](Operation *) { BodyPrinter::statement(op); });
}

} // namespace gcompile::omp
