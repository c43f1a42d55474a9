#include "codegen_cuda/HostPrinter.h"

#include "codegen_cuda/LoopPrinter.h"

#include "codegen_cpp/Combining.h"
#include "codegen_cpp/Types.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using gcompile::cpp::Text;

namespace gcompile::cuda {

std::string HostPrinter::element(Value state, ValueRange indices, bool checked, Operation *op) {
  return indices.empty() ? stateName(state) : launch.element(state, indices, checked, op);
}

std::string HostPrinter::endsOfEdges(Value set) {
  std::string members = operand(set, cpp::Binding::Postfix) + ".members()", name = program.scope.fresh("ends");
  line("const auto " + name + " = gc::VertexSet<V>::of(graph_.num_vertices(), " + members + ");");
  return name;
}

/// Whether the runtime gives a kernel's threads the arcs into each vertex. Other kernels that go against the edges look
/// these up themselves.
static bool followsTransposed(Operation *op) {
  return exec::isTransposed(op) && (exec::isSplit(op) || isa<exec::PropagateOp>(op));
}

HostPrinter::HostPrinter(cpp::Program &program, std::string space, Launch &launch)
    : HostBodyPrinter(program), launch(launch), space(std::move(space)) {
  launch.printer = this;
  for (const char *taken : {"parts", "scalars", "begun"}) // what calls give
    names.reserve(taken);
  program.op.walk([&](Operation *op) {
    usesBothWays_ |= exec::goesBothWays(op);
    usesTransposed_ |= followsTransposed(op);
  });
}

std::vector<cpp::Program::Member> HostPrinter::graphMembers() const {
  std::vector<cpp::Program::Member> members;
  if (usesBothWays_)
    members.push_back({"const gc::cuda::Graph<V>", "both_ways_", "", "gc::cuda::both_ways(graph_)"});
  if (usesTransposed_)
    members.push_back({"const gc::cuda::Graph<V>", "transposed_", "", "graph_.transposed()"});
  for (auto &[graph, member] : program.alignedLists) {
    std::string part = cpp::literal(program.op.getNeeds()->getAs<FloatAttr>("aligned"));
    members.push_back(
        {"const gc::cuda::AlignedLists<V>", member, "", graph + ", " + part + (graph == "graph_" ? "" : ", graph_")});
  }
  return members;
}

Lists HostPrinter::listsFor(Operation *op) {
  return exec::goesBothWays(op) ? Lists::BothWays : followsTransposed(op) ? Lists::Transposed : Lists::Own;
}

KernelPrinter HostPrinter::kernel(Operation *op, Region &region, StringRef name) {
  KernelPrinter printer(program, op, region, program.scope.fresh(cpp::className(name)));
  program.functions.push_back(printer.print());
  kernelNames.push_back(printer.name());
  return printer;
}

/// A set as an argument of the runtime; "" stands for all vertices.
std::string HostPrinter::set(Value value) {
  if (!value || value.getDefiningOp<graph::AllVerticesOp>())
    return "";
  return operand(value);
}

std::string HostPrinter::given(const KernelPrinter &, const KernelPrinter::Field &field) {
  using Kind = KernelPrinter::Field::Kind;
  switch (field.kind) {
  case Kind::Graph:
    return launch.graphView();
  case Kind::Array:
    return launch.array(field.value);
  case Kind::Matrix:
  case Kind::Sized:
    return launch.matrix(field.value);
  case Kind::Set:
    return launch.view(isa<graph::StateType>(field.value.getType()) ? stateName(field.value) : operand(field.value));
  case Kind::Scalar:
    return stateName(field.value);
  case Kind::Cell:
    return launch.cell(field);
  case Kind::Column:
    return launch.column(field.value, field.type);
  case Kind::Captured:
    return operand(field.value);
  case Kind::ModeRoom:
    return launch.modeRoom();
  case Kind::ModeCounts:
    return counts.lookup(field.value);
  case Kind::Notes:
    return launch.notes(field.value);
  case Kind::Touched:
    return launch.touched(field.ofEdges);
  }
  llvm_unreachable("every kind is listed");
}

std::string HostPrinter::object(const KernelPrinter &kernel) {
  auto value = [&](const KernelPrinter::Field &field) { return given(kernel, field); };
  std::string text =
      (space.empty() ? "" : space + "::") + kernel.name() + "<V>{" + cpp::listed(kernel.fields(), value) + "}";
  if (!kernel.readsAligned())
    return text;
  // A loop's kernel looks up the arcs into its vertices in the graph itself.
  Operation *op = kernel.operation();
  return "gc::cuda::aligned(" + launch.alignedLists(isa<exec::PropagateOp>(op) ? listsFor(op) : Lists::Own) + ", " +
         text + ")";
}

void HostPrinter::launchKernel(const std::string &call, const KernelPrinter &kernel) {
  auto cells = llvm::make_filter_range(kernel.fields(), [](const KernelPrinter::Field &field) {
    return field.kind == KernelPrinter::Field::Kind::Cell;
  });
  if (kernel.parts().empty() && cells.empty())
    return line(call + ";");
  cpp::Writer::Block temporaries = out.block("");
  for (const KernelPrinter::Field &cell : cells)
    launch.beforeCell(cell);
  line((kernel.parts().empty() ? "" : "const auto parts = ") + call + ";");
  for (const KernelPrinter::Part &p : kernel.parts())
    if (p.state)
      line(cpp::combined(p.how, stateName(p.state), "parts." + p.name));
  for (const KernelPrinter::Field &cell : cells)
    launch.afterCell(cell);
}

std::string HostPrinter::measured(Operation *op, StringRef kernel, const std::string &active, const std::string &call) {
  if (!program.profiled())
    return call;
  return "gc::cuda::measure(profile_, " + cpp::quoted(cpp::place(op->getLoc())) + ", " + cpp::quoted(kernel.str()) +
         ", " + active + ", [&] { return " + call + "; })";
}

Value HostPrinter::onlyMember(Operation *op, Value over) const {
  if (!launch.goesAlongOneList())
    return {};
  auto set = over ? over.getDefiningOp<graph::SetOfOp>() : graph::SetOfOp();
  return set && exec::isSplit(op) && set.getElements().size() == 1 ? set.getElements()[0] : Value();
}

std::string HostPrinter::countOf(Operation *op, graph::Domain domain, Value over) {
  if (domain == graph::Domain::Pairs)
    return "std::uint64_t(graph_.num_vertices()) * graph_.num_vertices()";
  if (domain != graph::Domain::Vertices)
    return "graph_.num_arcs()";
  if (onlyMember(op, over))
    return "1";
  std::string members = set(over);
  return members.empty() ? "graph_.num_vertices()" : members + ".size()";
}

std::string HostPrinter::overVertices(Operation *op, graph::Domain domain, Value over, const KernelPrinter &kernel) {
  std::string call = object(kernel);
  if (domain == graph::Domain::Pairs)
    call = launch.callForPairs(call);
  else if (domain != graph::Domain::Vertices)
    call = launch.call("for_arcs", Lists::Own, "", call);
  else if (Value vertex = onlyMember(op, over))
    call = launch.call("for_edges_of", listsFor(op), operand(vertex), call);
  else
    call = launch.call(exec::isSplit(op) ? "for_out_edges" : "for_vertices", listsFor(op), set(over), call);
  return measured(op, kernel.name(), countOf(op, domain, over), call);
}

Text HostPrinter::targetExpression(Operation *op) {
  if (auto done = calls.find(op); done != calls.end())
    return {done->second};
  return llvm::TypeSwitch<Operation *, Text>(op)
      .Case([&](exec::ReduceOp o) -> Text {
        KernelPrinter k = kernel(op, o.getBody(), o.getName().value_or("reduce"));
        bool mode = o.getKind() == graph::ReduceKind::Mode;
        if (mode)
          counts[o.getResult()] = scope->fresh("counts");
        std::string call = overVertices(op, *o.getDomain(), o.getOver(), k), type = cpp::typeName(o.getType());
        if (mode)
          call = "gc::cuda::most_frequent<" + type + ">(graph_, [&](const gc::cuda::ModeCounts<" + type + "> &" +
                 counts[o.getResult()] + ") { " + call + "; })";
        else
          call += "." + cpp::accumulated(o.getKind(), k.parts().front().name);
        return {calls[op] = call};
      })
      .Case([&](exec::FilterOp o) -> Text {
        KernelPrinter k = kernel(op, o.getWhere(), o.getName());
        std::string call = launch.filter(o, set(o.getSet()), object(k));
        return {calls[op] = measured(op, k.name(), countOf(op, graph::Domain::Vertices, o.getSet()), call)};
      })
      .Case([&](exec::SegmentsPayOp o) -> Text {
        return {launch.callSegments(o, "pay", std::to_string(*o.getValueBytes()))};
      })
      .Case([&](exec::IndexBestOp o) -> Text {
        return {launch.best(o.getIndex()) + (o.getKey() ? ".key()" : ".witness()")};
      })
      .Case([&](exec::CountTrianglesOp) -> Text {
        return {measured(op, "count_triangles", "graph_.num_arcs()", "gc::cuda::count_triangles(graph_)")};
      })
      .Case([&](graph::ContainsOp o) { return launch.contains(o); })
      .Case([&](graph::SetSizeOp o) { return launch.size(o); })
      .Default([&](Operation *other) { return HostBodyPrinter::targetExpression(other); });
}

void HostPrinter::once(exec::OnceOp op) {
  KernelPrinter k = kernel(op, op.getBody(), op.getName());
  if (k.parts().empty())
    return line(measured(op, k.name(), "1", launch.call("once", Lists::None, "", object(k))) + ";");
  std::string first = cpp::listed(k.parts(), [&](const KernelPrinter::Part &p) { return stateName(p.state); });
  cpp::Writer::Block temporaries = out.block("");
  line("const auto parts = " +
       measured(op, k.name(), "1", launch.call("once", Lists::None, "", object(k) + ", {" + first + "}")) + ";");
  for (const KernelPrinter::Part &p : k.parts())
    line(stateName(p.state) + " = parts." + p.name + ";");
}

std::string HostPrinter::begin(exec::PropagateOp op) {
  std::string first = scope->fresh("first");
  line("std::int32_t " + first + " = 1;");
  cpp::Writer::Block begins = out.block("if (begun)");
  line(first + " = gc::cuda::take_over(graph_, frontier_, begun->hand_over(), begun->crossing(), std::tie(" +
       program.crossing().text() + "));");
  // The second copies of these states, which were equal before.
  for (auto copy : op->getBlock()->getOps<exec::SnapshotOp>())
    if (copy->isBeforeInBlock(op))
      launch.snapshot(copy);
  begins.next(" else");
  launch.start(listsFor(op), op.getFrom());
  return first;
}

void HostPrinter::propagate(exec::PropagateOp op) {
  program.usesFrontier = true;
  std::string base = op.getName().str();
  bool pushes = op.getDirection() != exec::Direction::Pull, pulls = op.getDirection() != exec::Direction::Push;
  bool hybrid = pushes && pulls, commits = !exec::isAbsent(op.getCommit());
  std::vector<KernelPrinter> kernels;
  auto add = [&](bool wanted, Region &region, const std::string &suffix) -> int {
    if (!wanted)
      return -1;
    kernels.push_back(kernel(op, region, base + suffix));
    return static_cast<int>(kernels.size()) - 1;
  };
  int push = add(pushes, op.getPush(), hybrid ? "_push" : ""), pull = add(pulls, op.getPull(), hybrid ? "_pull" : ""),
      commit = add(commits, op.getCommit(), "_commit");
  llvm::StringSet<> seen;
  std::vector<KernelPrinter::Field> cells;
  for (const KernelPrinter &k : kernels)
    for (const KernelPrinter::Field &f : k.fields())
      if (f.kind == KernelPrinter::Field::Kind::Cell && seen.insert(f.name).second)
        cells.push_back(f);
  auto before = [&] { llvm::for_each(cells, [&](auto &cell) { launch.beforeCell(cell); }); };
  auto after = [&] { llvm::for_each(cells, [&](auto &cell) { launch.afterCell(cell); }); };

  ScopeGuard variables(*this);
  std::string first = op.getHandOver() ? begin(op) : "1";
  if (!op.getHandOver())
    launch.start(listsFor(op), op.getFrom());
  std::string levels;
  if (op.getLevels()) {
    levels = program.members.find(op.getLevels())->second;
    if (op.getTransposed())
      line(levels + ".follow(transposed_);");
    line(levels + ".clear();");
  }
  auto objectOf = [&](int i) { return i < 0 ? std::string("gc::cuda::NoKernel()") : object(kernels[i]); };
  std::string alpha = cpp::literal(op.getAlphaAttr());
  if (op.getByWork())
    alpha = launch.alphaOf(listsFor(op), alpha);
  std::string options = std::string("{gc::cuda::Direction::") +
                        (hybrid  ? (op.getByGrowth() ? "growth" : "hybrid")
                         : pulls ? "pull"
                                 : "push") +
                        ", " + (op.getDedup() ? "true" : "false") + ", " + alpha + ", " +
                        cpp::literal(op.getBetaAttr());
  bool stops = !exec::isAbsent(op.getUntil());
  // A kernel takes the round as an argument; only `until` reads it here. A profile measures each round.
  auto call = [&](const std::string &rounds) {
    return launch.propagate() + "(" + objectOf(push) + ", " + objectOf(pull) + ", " + objectOf(commit) + ", " +
           options + rounds + "}" + (levels.empty() ? "" : ", &" + levels) + ");";
  };
  if (!stops && op.getLoop() != exec::LoopPlace::Host && !program.profiled()) {
    std::optional<cpp::Writer::Block> temporaries;
    if (!cells.empty())
      temporaries.emplace(out.block(""));
    before();
    line(call(op.getAtMost()     ? ", " + first + ", std::int32_t(" + operand(op.getAtMost()) + ")"
              : op.getHandOver() ? ", " + first
                                 : ""));
    after();
    return;
  }
  bool named = stops && op.getUntil().getNumArguments() > 0;
  std::string name = scope->fresh(named ? cpp::argumentName(op.getUntil().getArgument(0)) : "round");
  if (named)
    bind(op.getUntil().getArgument(0), name);
  cpp::Writer::Block rounds =
      out.block("for (std::int32_t " + name + " = " + first + "; !" + launch.frontierEmpty() +
                (op.getAtMost() ? " && " + name + " <= " + operand(op.getAtMost(), cpp::Binding::Sum) : "") + "; ++" +
                name + ")");
  before();
  std::string round = call(", " + name + ", " + name);
  line(!program.profiled() ? round
                           : "gc::cuda::measure_round(profile_, " + cpp::quoted(cpp::place(op->getLoc())) + ", " +
                                 cpp::quoted(base) + ", frontier_, " + name + ", [&] { " + round + " });");
  after();
  if (stops) {
    block(op.getUntil().front());
    line("if (" + operand(yielded(op.getUntil())) + ") break;");
  }
}

std::string HostPrinter::orderParameters(exec::OrderedOp op) {
  return "<V, " + cpp::orderName(op.getPriority().getType(), op.getGreatestFirst()) +
         (op.getEnds().empty() ? ">" : ", true>");
}

std::string HostPrinter::orderArguments(exec::OrderedOp op) {
  std::string window;
  if (op.getDelta() != 0) {
    window = std::to_string(op.getDelta());
  } else {
    window = "gc::cuda::choose_delta<" + cpp::typeName(op.getPriority().getType().getElement()) + ">(graph_";
    if (std::optional<std::uint64_t> number = op.getGrowsBy()) {
      Value weights = program.op.getBody().getArgument(static_cast<unsigned>(*number));
      std::string weight = cpp::typeName(cast<graph::StateType>(weights.getType()).getElement());
      if (auto column = program.columns.find(weights); column != program.columns.end())
        window += ", graph_.view().template edge_column<" + weight + ">(" + std::to_string(column->second) + ")";
      else
        window += ", " + stateName(weights) + ".data(), graph_.num_vertices()";
    }
    window += ")";
  }
  std::string ends;
  if (!op.getEnds().empty())
    ends = std::string(", gc::cuda::Ends<V>::") + (op.getFirstEnd() ? "first_of" : "all") + "({" +
           cpp::listed(op.getEnds(), [&](Value end) { return operand(end); }) + "})";
  return std::string(memberOf(listsFor(op))) + ", " + stateName(op.getPriority()) + ".data(), " + window + ends;
}

void HostPrinter::ordered(exec::OrderedOp op) {
  KernelPrinter k = kernel(op, op.getPush(), op.getName());
  line(measured(op, k.name(), "graph_.num_vertices()", launch.runOrdered(op, object(k))) + ";");
}

void HostPrinter::closePairs(exec::ClosePairsOp op) {
  KernelPrinter k = kernel(op, op.getStep(), op.getName());
  line(measured(op, k.name(), countOf(op, graph::Domain::Pairs, Value()),
                "gc::cuda::close_pairs(" + stateName(op.getState()) + cpp::closingArgument(op) + ", " + object(k) +
                    ")") +
       ";");
}

/// The loop over levels as one call.
void HostPrinter::sweep(exec::SweepOp op) {
  cpp::List kernels, turned;
  for (exec::ParallelOp each : op.getBody().front().getOps<exec::ParallelOp>()) {
    std::string text = object(kernel(each, each.getBody(), each.getName()));
    (each.getTurned() ? turned : kernels).add(each.getOverPrevious() ? "gc::cuda::over_previous(" + text + ")" : text);
  }
  std::string levels = operand(op.getLevels());
  cpp::List arguments;
  arguments.add("graph_");
  arguments.add(levels);
  arguments.add(op.getReversed() ? "true" : "false");
  arguments.add("gc::cuda::steps(" + kernels.text() + ")");
  if (!turned.empty())
    arguments.add("gc::cuda::steps(" + turned.text() + ")");
  line(measured(op, "for_levels", levels + ".size()", "gc::cuda::for_levels(" + arguments.text() + ")") + ";");
}

/// The loop as one call.
void HostPrinter::runLoop(exec::DeviceLoopOp op) {
  LoopPrinter loop(*this, program, space, op);
  program.functions.push_back(loop.print());
  loop.run(out);
}

std::string HostPrinter::membersOfAll(Value set) { return operand(set, cpp::Binding::Postfix) + ".members()"; }

void HostPrinter::sequentialFor(graph::ForOp op) {
  Block &body = op.getBody().front();
  bool levels = op.getDomain() == graph::Domain::Levels;
  bool stored = op.getDomain() == graph::Domain::Vertices && !op.getOver().getDefiningOp<graph::AllVerticesOp>();
  if (!levels && !stored)
    return loop(op, op.getDomain(), op.getOver(), Value(), Value(), body);
  ScopeGuard variables(*this);
  std::string range = levels ? operand(op.getOver(), cpp::Binding::Postfix) : membersOfAll(op.getOver());
  std::string name = declare(body.getArgument(0), cpp::argumentName(body.getArgument(0)));
  std::string used = body.getArgument(0).use_empty() ? "[[maybe_unused]] " : "";
  cpp::Writer::Block turns =
      out.block("for (" + used +
                (levels ? "const auto &" + name + " : " + range + (op.getReversed() ? ".reversed()" : "")
                        : "const V " + name + " : " + range) +
                ")");
  sequence(op, body);
}

void HostPrinter::statement(Operation *op) {
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](exec::ParallelOp o) {
        KernelPrinter k = kernel(op, o.getBody(), o.getName());
        if (exec::goesBySegments(op))
          return line(
              measured(op, k.name(), "graph_.num_vertices()",
                       launch.callSegments(op, "gather", object(k) + ", " + launch.array(k.gathered().getState()))) +
              ";");
        launchKernel(overVertices(op, o.getDomain(), o.getOver(), k), k);
      })
      .Case([&](exec::PropagateOp o) { propagate(o); })
      .Case([&](exec::OrderedOp o) { ordered(o); })
      .Case([&](exec::OnceOp o) { once(o); })
      .Case([&](exec::ComponentMinOp o) {
        std::string name = o.getOwn() ? "connect_components" : "spread_minimum";
        line(measured(op, name, "graph_.num_vertices()",
                      "gc::cuda::" + name + "(graph_, " + stateName(o.getState()) + ".data())") +
             ";");
      })
      .Case([&](exec::SnapshotOp o) { launch.snapshot(o); })
      .Case([&](exec::SweepOp o) { sweep(o); })
      .Case([&](exec::ClosePairsOp o) { closePairs(o); })
      .Case([&](exec::DeviceLoopOp o) { runLoop(o); })
      .Case([&](exec::KeepIndexOp o) {
        keyKernels[o.getIndex()] =
            std::make_shared<const KernelPrinter>(kernel(op, o.getKeys(), (o.getName() + "_key").str()));
        line(operand(o.getIndex()) + ".start(" + keys(o.getIndex()) + ");");
      })
      .Case([&](exec::ReindexNotedOp o) { line(launch.reindex(o.getIndex(), keys(o.getIndex())) + ";"); })
      .Case([&](exec::RequireVertexOp o) { line(index(o.getVertex(), true, o) + ";"); })
      .Default([&](Operation *) { HostBodyPrinter::statement(op); });
}

} // namespace gcompile::cuda
