#include "codegen_host/HostPrinter.h"

#include "codegen_cpp/Combining.h"
#include "codegen_host/KernelPrinter.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using gcompile::cpp::Text;

namespace gcompile::host {

HostPrinter::HostPrinter(Program &program) : HostBodyPrinter(program) {
  program.op.walk([&](exec::PropagateOp propagate) {
    followsTransposed |= propagate.getTransposed() && propagate.getSharing() != exec::Sharing::Serial;
  });
}

std::string HostPrinter::columnName(Value state) {
  return "graph_.template edge_column<" + cpp::typeName(cast<graph::StateType>(state.getType()).getElement()) + ">(" +
         std::to_string(program.columns.find(state)->second) + ")";
}

std::string HostPrinter::element(Value state, ValueRange indices, bool checked, Operation *op) {
  if (program.columns.contains(state))
    return columnName(state) + "[" + index(indices[0], checked, op) + "]";
  if (auto snapshot = state.getDefiningOp<exec::SnapshotOp>();
      snapshot && indices.size() == 2 && (snapshot.getRow() || snapshot.getColumn()))
    return stateName(state) + "[" + index(indices[snapshot.getRow() ? 1 : 0], checked, op) + "]";
  return BodyPrinter::element(state, indices, checked, op);
}

std::string HostPrinter::call(const std::string &function, ArrayRef<Value> arguments) {
  return function + "(" + operands(arguments) + ")";
}

std::string HostPrinter::measured(Operation *op, const std::string &name, const std::string &call,
                                  const std::string &returning) {
  if (!program.profiled())
    return call;
  return "profile_.measure(" + cpp::quoted(cpp::place(op->getLoc())) + ", " + cpp::quoted(name) +
         ", graph_.num_vertices(), [&] { " + returning + call + "; })";
}

Text HostPrinter::targetExpression(Operation *op) {
  if (auto done = calls.find(op); done != calls.end())
    return {done->second};
  return llvm::TypeSwitch<Operation *, Text>(op)
      .Case([&](exec::ReduceOp o) -> Text {
        KernelPrinter kernel(program, o, o.getBody(), kernelName(o.getName().value_or("reduce")));
        program.functions.push_back(kernel.reduce(o));
        return {calls[op] = call(kernel.name(), kernel.parameters())};
      })
      .Case([&](exec::FilterOp o) -> Text {
        KernelPrinter kernel(program, o, o.getWhere(), kernelName(o.getName()));
        program.functions.push_back(kernel.filter(o));
        return {calls[op] = call(kernel.name(), kernel.parameters())};
      })
      .Case([&](exec::CountTrianglesOp o) -> Text {
        return {measured(o, "count_triangles", "gc::count_triangles(graph_)", "return ")};
      })
      .Case([&](exec::SegmentsPayOp o) -> Text {
        return {program.segmentsOf(o) + ".pay(" + (o.getLongLists() ? "/*long_lists=*/true" : "") + ")"};
      })
      .Case([&](exec::BucketMinOp o) -> Text { return {operand(o.getBuckets()) + ".min()"}; })
      .Case([&](exec::IndexBestOp o) -> Text {
        graph::ReduceKind kind = o.getIndex().getDefiningOp<exec::KeepIndexOp>().getKind();
        bool least = kind == graph::ReduceKind::ArgMin;
        return {operand(o.getIndex()) +
                (o.getKey()
                     ? ".key_or(" +
                           cpp::neutralValue(least ? graph::UpdateKind::Min : graph::UpdateKind::Max, o.getType()) + ")"
                     : ".vertex()")};
      })
      .Case([&](exec::BucketSelectOp o) -> Text {
        const char *question = o.getKind() == graph::BinaryKind::Le   ? ".at_most("
                               : o.getKind() == graph::BinaryKind::Lt ? ".below("
                                                                      : ".equal_to(";
        return {operand(o.getBuckets()) + question + operand(o.getBound()) + ")"};
      })
      .Default([&](Operation *other) { return HostBodyPrinter::targetExpression(other); });
}

void HostPrinter::snapshot(exec::SnapshotOp op) {
  std::string copy = stateName(op.getCopy()), state = stateName(op.getState());
  if (op.getState().getType().getShape() == graph::Shape::Scalar)
    return line(copy + " = " + state + ";");
  if (op.getSwaps())
    return line("std::swap(" + copy + ", " + state + ");");
  std::string serial = op.getSharing() == exec::Sharing::Serial ? "_serially" : "";
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
  auto kernel = [&](Region &region, const std::string &suffix, cpp::Writer (KernelPrinter::*print)(exec::PropagateOp)) {
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
  bool commits = !exec::isAbsent(op.getCommit());
  if (commits)
    commit = kernel(op.getCommit(), "_commit", &KernelPrinter::commit);

  ScopeGuard variables(*this);
  if (followsTransposed)
    line(op.getTransposed() ? "frontier_.follow(graph_.transposed());" : "frontier_.follow(graph_);");
  startFrontier(op.getFrom());
  if (pushes && op.getDedup())
    line("frontier_.push_each_once();");
  if (pushes && op.getShareLists())
    line("frontier_.share_lists();");
  if (pushes && op.getFrontier()) {
    auto literal = [](Attribute option) { return cpp::literal(cast<FloatAttr>(option)); };
    std::string options = cpp::listed(op.getFrontierOptionsAttr(), literal);
    line("frontier_.push_by(gc::PushRule::" + exec::stringifyFrontierKind(*op.getFrontier()).str() + "(" + options +
         "));");
  }
  std::string levels;
  if (op.getLevels()) {
    levels = program.members.find(op.getLevels())->second;
    line(levels + ".clear();");
  }
  auto roundOf = [](Region &region, unsigned i) -> Value {
    return exec::isAbsent(region) || region.getNumArguments() <= i || region.getArgument(i).use_empty()
               ? Value()
               : region.getArgument(i);
  };
  std::vector<Value> rounds;
  for (Value r :
       {roundOf(op.getPush(), 1), roundOf(op.getPull(), 1), roundOf(op.getCommit(), 1), roundOf(op.getUntil(), 0)})
    if (r)
      rounds.push_back(r);
  std::string head = "while (!frontier_.empty())", name;
  if (!rounds.empty() || op.getAtMost() || op.getHandOver()) {
    name = scope->fresh(rounds.empty() ? "round" : cpp::argumentName(cast<BlockArgument>(rounds[0])));
    for (Value r : rounds)
      bind(r, name);
    head = "for (std::int32_t " + name + " = 1; !frontier_.empty()" +
           (op.getAtMost() ? " && " + name + " <= " + operand(op.getAtMost(), cpp::Binding::Sum) : "") + "; ++" + name +
           ")";
  }
  cpp::Writer::Block turns = out.block(head);
  if (op.getHandOver()) {
    if (program.handOver.empty())
      program.handOver = program.scope.fresh("hand_over_");
    auto literal = [](Attribute threshold) { return cpp::literal(cast<FloatAttr>(threshold)); };
    cpp::Writer::Block over = out.block("if (" + program.handOver + ".is_due(frontier_, " + name + ", " +
                                        cpp::listed(*op.getHandOver(), literal) + "))");
    if (program.profiled())
      line("profile_.finish();");
    line("return;");
  }
  if (!levels.empty())
    line(levels + ".keep(frontier_);");
  auto calling = [&](auto &k) { return call(k.first, k.second) + ";"; };
  const bool serial = op.getSharing() == exec::Sharing::Serial;
  auto markClaimed = [&] {
    if (!op.getClaimBitmap())
      return;
    exec::ClaimOp claim;
    op.getPush().walk([&](exec::ClaimOp only) { claim = only; });
    const std::string v = scope->fresh("v");
    line("frontier_.mark_claimed([&](V " + v + ") { return !(" + stateName(claim.getState()) + "[" + v +
         "] == " + operand(claim.getExpected()) + "); });");
  };
  if (hybrid) {
    const std::string beta = cpp::literal(op.getBetaAttr()), both = cpp::literal(op.getAlphaAttr()) + ", " + beta;
    const std::string rule = op.getByWork() == exec::PullWork::First ? "pulls_by_work(" + beta
                             : op.getByWork()                        ? "pulls_by_work_of_all(" + beta
                             : op.getByGrowth()                      ? "pulls_by_growth(" + both
                                                                     : "pulls(" + both;
    cpp::Writer::Block direction = out.block("if (frontier_." + rule + "))");
    line(calling(pull));
    direction.next(" else");
    if (serial)
      line("frontier_.use_list();");
    markClaimed();
    line(calling(push));
  } else {
    line(pulls ? "frontier_.begin_pull();" : serial ? "frontier_.use_list();" : "frontier_.begin_push();");
    markClaimed();
    line(calling(pulls ? pull : push));
  }
  llvm::StringSet<> replayed;
  op.getPush().walk([&](exec::ClaimOp claim) {
    if (std::string replay = program.replayOf(claim); !replay.empty() && replayed.insert(replay).second)
      line(replay + ".end_round(" + stateName(claim.getState()) + ");");
  });
  line("frontier_.advance();");
  if (commits)
    line(calling(commit));
  if (!exec::isAbsent(op.getUntil())) {
    block(op.getUntil().front());
    line("if (" + operand(yielded(op.getUntil())) + ") break;");
  }
}

void HostPrinter::sequentialFor(graph::ForOp op) {
  Block &body = op.getBody().front();
  loop(op, op.getDomain(), op.getOver(), Value(), Value(), body);
}

void HostPrinter::statement(Operation *op) {
  llvm::TypeSwitch<Operation *>(op)
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
      .Case([&](exec::AsynchronousOp o) {
        KernelPrinter kernel(program, o, o.getPush(), kernelName(o.getName()));
        program.functions.push_back(kernel.asynchronous(o));
        line(call(kernel.name(), kernel.parameters()) + ";");
      })
      .Case([&](exec::ClosePairsOp o) {
        KernelPrinter kernel(program, o, o.getStep(), kernelName(o.getName()));
        program.functions.push_back(kernel.closePairs(o));
        line(call(kernel.name(), kernel.parameters()) + ";");
      })
      .Case([&](exec::ComponentMinOp o) {
        std::string function = o.getOwn() ? "connect_components" : "spread_minimum";
        line(measured(o, function, "gc::" + function + "(graph_, " + stateName(o.getState()) + ".data())") + ";");
      })
      .Case([&](exec::BucketsOp o) {
        line(operand(o.getBuckets()) + ".start(" + stateName(o.getSet()) + ", " + stateName(o.getPriority()) +
             ".data());");
      })
      .Case([&](exec::MoveOp o) { line(operand(o.getBuckets()) + ".mover().move(" + operand(o.getVertex()) + ");"); })
      .Case([&](exec::KeepIndexOp o) {
        KernelPrinter keys(program, o, o.getKeys(), kernelName((o.getName() + "_key").str()));
        program.functions.push_back(keys.keysOf(o));
        keyFunctions[o.getIndex()] = keys.name();
        cpp::Writer::Block start =
            out.block(operand(o.getIndex()) + ".start(graph_.num_vertices(), [&](const V v)", ");");
        line("return " + keys.name() + "(v);");
      })
      .Case([&](exec::ReindexNotedOp o) {
        line(operand(o.getIndex()) + ".update_noted([&](const V v) { return " + keyFunctions[o.getIndex()] +
             "(v); });");
      })
      .Case([&](exec::ReindexOp o) {
        std::string vertex = operand(o.getVertex());
        line(operand(o.getIndex()) + ".update(" + vertex + ", " + keyFunctions[o.getIndex()] + "(" + vertex + "));");
        if (!o.getFetches())
          return;
        cpp::List fetched;
        fetched.add("graph_");
        fetched.add(vertex);
        for (Value column : o.getColumns())
          fetched.add(columnName(column));
        line("gc::prefetch_list(" + fetched.text() + ");");
      })
      .Case([&](exec::SnapshotOp o) { snapshot(o); })
      .Default([&](Operation *) { HostBodyPrinter::statement(op); });
}

} // namespace gcompile::host
