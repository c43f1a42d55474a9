// The loops of each kind of kernel, and what stands around them.
#include "codegen_host/KernelPrinter.h"

#include "codegen_cpp/Combining.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using gcompile::cpp::Writer;

namespace gcompile::host {

/// Whether a kernel takes equal, and little, time at each vertex.
static bool visitsNoLists(Operation *op) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<exec::ParallelOp, exec::ReduceOp>(
          [](auto o) { return o.getDomain() == graph::Domain::Vertices && o.getSharing() == exec::Sharing::Static; })
      .Case([](exec::FilterOp o) { return o.getSharing() == exec::Sharing::Static; })
      .Default(false);
}

std::string KernelPrinter::wide(Value over) {
  if (over && !over.getDefiningOp<graph::AllVerticesOp>())
    return value(over).text + ".wide()";
  if (cast<exec::Kernel>(op).getOverPairs())
    return "graph_.wide_in_pairs()";
  return visitsNoLists(op) ? "graph_.wide_without_lists()" : "graph_.wide()";
}

Writer KernelPrinter::parallel(exec::ParallelOp o) {
  Frame frame;
  if (exec::goesBySegments(o)) {
    frame.around = segmentLoop(o);
    frame.condition = wide(Value());
    return assemble(frame);
  }
  domainLoop(o.getDomain(), o.getOver(), o.getSharing(), o.getGrain().value_or(0), [&] { block(region.front()); });
  frame.condition = wide(o.getOver());
  return assemble(frame);
}

Writer KernelPrinter::reduce(exec::ReduceOp o) {
  Frame frame;
  std::string name, result;
  Writer declaration = printedBy([&] { accumulators[o] = name = accumulator(o); });
  domainLoop(*o.getDomain(), o.getOver(), o.getSharing(), o.getGrain().value_or(0), [&] { block(region.front()); });
  frame.result = cpp::typeName(o.getType());
  frame.accumulator = declaration;
  if (!threads) {
    frame.after.push_back("return " + cpp::accumulated(o.getKind(), name) + ";");
    return assemble(frame);
  }
  std::string parts = names.fresh("parts"), first, total = "merged";
  if (!graph::traits(o.getKind()).accumulates()) {
    graph::UpdateKind kind = graph::combination(o.getKind());
    first = "(" + cpp::neutralValue(kind, o.getType()) + ")";
    total = graph::traits(kind).total;
  }
  frame.condition = wide(o.getOver());
  frame.before.push_back("gc::PerThread<" + accumulatorType(o) + "> " + parts + first + ";");
  frame.finish.push_back(parts + ".mine() = " + name + ";");
  frame.after.push_back("return " + cpp::accumulated(o.getKind(), parts + "." + total + "()") + ";");
  return assemble(frame);
}

Writer KernelPrinter::filter(exec::FilterOp o) {
  Frame frame;
  std::string members = names.fresh("members"), kept = names.fresh("kept");
  domainLoop(graph::Domain::Vertices, o.getSet(), o.getSharing(), o.getGrain().value_or(0), [&] {
    block(region.front());
    Writer::Block keeps = out.block("if (" + operand(yielded(region)) + ")");
    line(kept + ".push(" + value(region.getArgument(0)).text + ");");
  });
  bool all = o.getSet().getDefiningOp<graph::AllVerticesOp>() != nullptr;
  std::string most = all ? "graph_.num_vertices()" : value(o.getSet()).text + ".slots()";
  frame.result = "gc::VertexSet<V>";
  frame.condition = wide(o.getSet());
  frame.before.push_back("gc::VertexSetBuilder<V> " + members + "(graph_.num_vertices(), " + most + ");");
  frame.start.push_back("auto " + kept + " = " + members + ".writer();");
  frame.after.push_back("return " + members + ".finish();");
  return assemble(frame);
}

std::string KernelPrinter::fetchedAtNeighbors(Operation &op) {
  auto call = [](bool written, const std::string &states) {
    return (written ? "gc::fetch_to_write(" : "gc::fetch(") + states + ")";
  };
  if (auto prefetch = dyn_cast<exec::PrefetchOp>(op))
    return call(prefetch.getWritten(), stateNames(prefetch->getOperands()));
  if (auto further = dyn_cast<exec::PrefetchFurtherOp>(op))
    return call(further.getWritten(), stateName(further.getState()));
  return "";
}

std::string KernelPrinter::activeVertices() {
  cpp::List arguments;
  if (program.packed())
    arguments.add(byShare());
  arguments.add(followedGraph());
  for (Operation &each : region.front()) {
    if (std::string fetched = fetchedAtNeighbors(each); !fetched.empty())
      arguments.add(fetched);
    else if (auto own = dyn_cast<exec::PrefetchOwnOp>(each))
      arguments.add("gc::fetch_own(" + stateNames(own.getStates()) + ")");
  }
  return "frontier_.active(" + arguments.text() + ")";
}

void KernelPrinter::eachArc(exec::ForOp loop) {
  ScopeGuard variables(*this);
  Block &body = loop.getBody().front();
  auto argument = [&](BlockArgument v) {
    return "const V &" + (v.use_empty() ? "" : declare(v, cpp::argumentName(v)));
  };
  const std::string u = argument(region.getArgument(0)), v = argument(body.getArgument(0));
  Writer::Block arcs = out.block(activeVertices() + ".each_arc([&](" + u + ", " + v + ")", ");");
  block(body);
}

Writer KernelPrinter::push(exec::PropagateOp) {
  auto loops = region.front().getOps<exec::ForOp>();
  auto unpacked = llvm::find_if(loops, [](exec::ForOp loop) { return loop.getUnpack(); });
  if (unpacked != loops.end()) {
    eachArc(*unpacked);
  } else {
    ScopeGuard variables(*this);
    BlockArgument vertex = region.getArgument(0);
    std::string i = scope->fresh(threads ? "active" : "i"), given = "frontier_[" + i + "]",
                head = "for (std::size_t " + i + " = 0; " + i + " < frontier_.size(); ++" + i + ")";
    if (threads) { // they share the frontier, in whatever form it is
      active = i;
      given = active + ".vertex()";
      head = "for (const auto " + active + " : " + activeVertices() + ")";
    }
    Writer::Block vertices = out.block(head);
    // The vertex has a name where it is mentioned: its list goes by its place.
    std::string name = declare(vertex, cpp::argumentName(vertex));
    printed.erase(vertex);
    Writer body = printedBy([&] {
      declareRows(vertex);
      block(region.front());
    });
    if (printed.contains(vertex))
      line("const V " + name + " = " + given + ";");
    out.add(body);
  }
  Frame frame;
  frame.condition = threads && program.packed() ? "frontier_.push_width()" : "frontier_.wide()";
  if (usesNext)
    frame.start.emplace_back("auto next = frontier_.writer();");
  return assemble(frame);
}

void KernelPrinter::eachFirst(exec::ForOp loop, const std::string &unvisited, const std::string &v) {
  ScopeGuard variables(*this);
  Block &body = loop.getBody().front();
  Block &found = cast<graph::IfOp>(body.back()).getThenRegion().front();
  BlockArgument vertex = region.getArgument(0), neighbor = body.getArgument(0);
  const std::string u = declare(neighbor, cpp::argumentName(neighbor)),
                    counted = isa<exec::CountEdgeOp>(body.front()) ? edgeCount() + ", " : "";
  usesCurrent = true;
  callEnds = &found.back();
  printed.erase(vertex), printed.erase(neighbor);
  Writer writes = printedBy([&] {
    declareRows(vertex);
    block(found);
  });
  auto argument = [&](Value value, const std::string &name) {
    return "const V" + (printed.contains(value) ? " " + name : "");
  };
  Writer::Block first = out.block(unvisited + ".each_first(frontier, " + counted + "[&](" + argument(vertex, v) + ", " +
                                      argument(neighbor, u) + ")",
                                  ");");
  out.add(writes);
}

Writer KernelPrinter::pull(exec::PropagateOp o) {
  pulling = true;
  Frame frame;
  {
    ScopeGuard variables(*this);
    BlockArgument vertex = region.getArgument(0);
    std::string v = declare(vertex, cpp::argumentName(vertex));
    auto select = dyn_cast<exec::SelectOp>(region.front().front());
    // Whole words of the next frontier's bitmap belong to one thread.
    if (select && threads) {
      std::string unvisited = names.fresh("unvisited"), block_ = scope->fresh("block"), i = scope->fresh("i");
      frame.start.push_back("auto " + unvisited + " = frontier_.unvisited(" + followedGraph() + ");");
      SharedLoop blocks =
          sharedLoop("std::size_t", block_, unvisited + ".blocks()", o.getSharing(), o.getGrain().value_or(0));
      auto loop = dyn_cast<exec::ForOp>(region.front().back());
      const bool first = loop && loop.getFirst();
      {
        Writer::Block test =
            out.block(unvisited + (first ? ".mark(" : ".select(") + block_ + ", [&](const V " + v + ")", ");");
        block(select.getWhere().front());
        line("return " + operand(yielded(select.getWhere())) + ";");
      }
      if (first) {
        eachFirst(loop, unvisited, v);
      } else {
        Writer::Block vertices =
            out.block("for (std::size_t " + i + " = 0; " + i + " < " + unvisited + ".size(); ++" + i + ")");
        line("const V " + v + " = " + unvisited + "[" + i + "];");
        line(unvisited + ".prefetch(" + i + ");");
        declareRows(vertex);
        block(region.front(), select);
      }
    } else {
      bool equal = o.getSharing() == exec::Sharing::Static;
      SharedLoop vertices =
          sharedLoop("V", v, graphName() + ".num_vertices()", o.getSharing(), o.getGrain().value_or(0), equal);
      declareRows(vertex);
      block(region.front(), select);
    }
  }
  if (usesNext)
    frame.start.emplace_back("auto next = frontier_.bit_writer();");
  frame.condition = wide(Value());
  return assemble(frame);
}

Writer KernelPrinter::commit(exec::PropagateOp o) {
  {
    ScopeGuard variables(*this);
    SharedLoop slots = slotLoop("frontier_", region.getArgument(0), o.getSharing(), o.getCommitGrain().value_or(0));
    declareRows(region.getArgument(0));
    block(region.front());
  }
  Frame frame;
  frame.condition = "frontier_.wide()";
  return assemble(frame);
}

std::string KernelPrinter::stateNames(OperandRange states) {
  cpp::List names;
  for (Value state : states)
    names.add(stateName(state));
  return names.text();
}

std::string KernelPrinter::levelWidth(graph::StateType priority, std::int64_t given,
                                      std::optional<std::uint64_t> growsBy) {
  if (given != 0)
    return std::to_string(given);
  std::string call = "gc::choose_delta<" + cpp::typeName(priority.getElement()) + ">(graph_";
  if (growsBy) {
    Value weights = program.op.getBody().getArgument(static_cast<unsigned>(*growsBy));
    std::string weight = cpp::typeName(cast<graph::StateType>(weights.getType()).getElement());
    if (auto column = program.columns.find(weights); column != program.columns.end())
      call += ", graph_.template edge_column<" + weight + ">(" + std::to_string(column->second) + ")";
    else
      call += ", " + program.members.find(weights)->second + ".data(), graph_.num_vertices()";
  }
  return call + ")";
}

std::string KernelPrinter::setArgument(Value set) {
  return set.getDefiningOp<graph::AllVerticesOp>() ? "gc::VertexSet<V>::all(graph_.num_vertices())" : value(set).text;
}

Writer KernelPrinter::ordered(exec::OrderedOp o) {
  worklist = "bins";
  {
    ScopeGuard variables(*this);
    std::string u = declare(region.getArgument(0), cpp::argumentName(region.getArgument(0)));
    auto prefetch = dyn_cast<exec::PrefetchOp>(region.front().front());
    Writer::Block vertices =
        out.block("for (V " + u + "; bins.next(" + u +
                  (prefetch ? ", " + followedGraph() + ", " + stateNames(prefetch->getOperands()) : "") + ");)");
    block(region.front());
  }
  Frame frame;
  graph::StateType priority = o.getPriority().getType();
  std::string type = "gc::Buckets<V, " + cpp::orderName(priority, o.getGreatestFirst()) + ">";
  auto [member, isNew] = program.buckets.try_emplace(type);
  if (isNew)
    member->second = program.scope.fresh("buckets_");
  const std::string &buckets = member->second, fusion = o.getFusion() ? ", " + std::to_string(*o.getFusion()) : "";
  // The kernel's own view of the graph begins inside of the parallel region.
  frame.before.push_back(buckets + ".order_by(graph_, " + program.members.find(o.getPriority())->second + ".data(), " +
                         levelWidth(priority, o.getDelta(), o.getGrowsBy()) + fusion + ");");
  frame.before.push_back(buckets + ".start(" + setArgument(o.getFrom()) + ");");
  if (!o.getEnds().empty())
    frame.before.push_back(buckets + ".end_with_" + (o.getFirstEnd() ? "first" : "all") + "({" +
                           cpp::listed(o.getEnds(), [&](Value end) { return value(end).text; }) + "});");
  frame.around = "while (" + buckets + ".advance())";
  frame.condition = buckets + ".wide()";
  frame.start.push_back("auto bins = " + buckets + ".bins();");
  return assemble(frame);
}

Writer KernelPrinter::closePairs(exec::ClosePairsOp o) {
  ClosureStep step = closureStep(o);
  const std::string tile = o.getTile() ? ", " + std::to_string(*o.getTile()) : "";
  {
    Writer::Block call = out.block("gc::close_pairs(" + program.members.find(o.getState())->second +
                                       cpp::closingArgument(o) + ", [&](" + step.parameters + ")",
                                   tile + ");");
    out.add(step.body);
  }
  return assemble({});
}

Writer KernelPrinter::keysOf(exec::KeepIndexOp o) {
  block(region.front());
  Frame frame;
  frame.result = "std::optional<" + cpp::typeName(o.getKeyType()) + ">";
  if (!isa<exec::ContributeOp>(region.front().back()))
    frame.after.emplace_back("return std::nullopt;");
  return assemble(frame);
}

Writer KernelPrinter::asynchronous(exec::AsynchronousOp o) {
  std::string work = names.fresh("work");
  worklist = names.fresh("worker");
  {
    ScopeGuard variables(*this);
    std::string u = declare(region.getArgument(0), cpp::argumentName(region.getArgument(0)));
    Writer::Block vertices = out.block("for (V " + u + "; " + worklist + ".next(" + u + ");)");
    block(region.front());
  }
  Frame frame;
  std::string chunk = ", " + std::to_string(o.getChunk()) + ">", arguments = "(graph_, " + setArgument(o.getFrom());
  if (Value priority = o.getPriority()) {
    auto type = cast<graph::StateType>(priority.getType());
    frame.before.push_back("gc::async::PriorityWorklist<V, " + cpp::orderName(type, o.getGreatestFirst()) + chunk +
                           " " + work + arguments + ", " + program.members.find(priority)->second + ".data(), " +
                           levelWidth(type, o.getDelta(), o.getGrowsBy()) + ");");
  } else if (o.getLevels() != 0) {
    exec::TakeOp take;
    o.getPush().walk([&](exec::TakeOp found) { take = found; });
    auto data = [&](Value state) { return ", " + program.members.find(state)->second + ".data()"; };
    const std::string type = cpp::elementName(take.getValue().getType());
    frame.before.push_back("gc::async::ShareWorklist<V, " + type + ", " + std::to_string(o.getChunk()) +
                           program.adjacency() + "> " + work + arguments + data(take.getTotal()) +
                           data(take.getGiven()) + ", " + std::to_string(o.getLevels()) + ");");
  } else {
    frame.before.push_back("gc::async::Worklist<V" + chunk + " " + work + arguments + ");");
  }
  frame.around = "while (" + work + ".advance())";
  frame.condition = work + ".wide()";
  updatesByShare = true; // the worker too depends on whether it is alone
  frame.start.push_back("auto " + worklist + " = " + work + ".worker(" + mine + ");");
  return assemble(frame);
}

} // namespace gcompile::host
