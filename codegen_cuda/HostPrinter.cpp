#include "codegen_cuda/HostPrinter.h"
#include "codegen_cuda/LoopPrinter.h"

#include "codegen_cpp/Combining.h"
#include "codegen_cpp/Types.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using gcompile::cpp::Text;

namespace gcompile::cuda {

std::string HostPrinter::element(Value state, ValueRange indices, bool checked, Operation *op) {
  if (indices.empty())
    return stateName(state);
  if (auto column = program.columns.find(state); column != program.columns.end())
    return "graph_.host().template edge_column<" + cpp::typeName(cast<graph::StateType>(state.getType()).getElement()) +
           ">(" + std::to_string(column->second) + ")[" + index(indices[0], checked, op) + "]";
  std::string text = stateName(state) + ".read(";
  auto snapshot = state.getDefiningOp<exec::SnapshotOp>();
  if (snapshot && indices.size() == 2 && (snapshot.getRow() || snapshot.getColumn()))
    return text + index(indices[snapshot.getRow() ? 1 : 0], checked, op) + ")";
  for (auto [i, v] : llvm::enumerate(indices))
    text += (i ? ", " : "") + index(v, checked, op);
  return text + ")";
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

HostPrinter::HostPrinter(cpp::Program &program, std::string space) : HostBodyPrinter(program), space(std::move(space)) {
  for (const char *taken : {"parts", "scalars"}) // what calls give
    names.reserve(taken);
  program.op.walk([&](Operation *op) {
    usesBothWays_ |= exec::goesBothWays(op);
    usesTransposed_ |= followsTransposed(op);
  });
}

/// The graph whose lists of arcs the runtime gives to a kernel's threads.
static std::string listsFor(Operation *op) {
  return exec::goesBothWays(op) ? "both_ways_" : followsTransposed(op) ? "transposed_" : "graph_";
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

std::string HostPrinter::arrayOf(Value state, bool) { return stateName(state) + ".data()"; }
std::string HostPrinter::matrixOf(Value state, bool) { return stateName(state) + ".view()"; }
std::string HostPrinter::columnOf(Value column, const std::string &type) {
  return "graph_.view().template edge_column<" + type + ">(" + std::to_string(program.columns.find(column)->second) +
         ")";
}
std::string HostPrinter::callSegments(Operation *op, StringRef function, const std::string &arguments) {
  return program.segmentsOf(op) + "." + function.str() + "(" + arguments + ")";
}

std::string HostPrinter::call(StringRef function, const std::string &graph, const std::string &members,
                              const std::string &rest) {
  std::string text = "gc::cuda::" + function.str() + "(";
  for (const std::string &given : {graph, members})
    text += given + (given.empty() ? "" : ", ");
  return text + rest + ")";
}

std::string HostPrinter::object(const KernelPrinter &kernel) {
  using Kind = KernelPrinter::Field::Kind;
  std::string text = (space.empty() ? "" : space + "::") + kernel.name() + "<V>{";
  bool first = true;
  for (const KernelPrinter::Field &f : kernel.fields()) {
    text += first ? "" : ", ";
    first = false;
    switch (f.kind) {
    case Kind::Graph:
      text += graphView();
      break;
    case Kind::Array:
      text += arrayOf(f.value, f.written);
      break;
    case Kind::Matrix:
      text += matrixOf(f.value, f.written);
      break;
    case Kind::Set:
      text += viewOf(isa<graph::StateType>(f.value.getType()) ? stateName(f.value) : operand(f.value));
      break;
    case Kind::Scalar:
      text += stateName(f.value);
      break;
    case Kind::Cell:
      text += cellOf(f);
      break;
    case Kind::Column:
      text += columnOf(f.value, f.type);
      break;
    case Kind::Captured:
      text += operand(f.value);
      break;
    case Kind::ModeRoom:
      text += modeRoom();
      break;
    case Kind::ModeCounts:
      text += counts.lookup(f.value);
      break;
    }
  }
  return text + "}";
}

void HostPrinter::beforeCell(const KernelPrinter::Field &cell) {
  line("gc::cuda::Cell<" + cell.type + "> " + cell.name + "_cell(" + stateName(cell.value) + ");");
}
void HostPrinter::afterCell(const KernelPrinter::Field &cell) {
  line(stateName(cell.value) + " = " + cell.name + "_cell.read();");
}

void HostPrinter::launch(const std::string &call, const KernelPrinter &kernel) {
  using Kind = KernelPrinter::Field::Kind;
  bool temporaries = !kernel.parts().empty();
  for (const KernelPrinter::Field &f : kernel.fields())
    temporaries |= f.kind == Kind::Cell;
  if (!temporaries)
    return line(call + ";");
  line("{");
  for (const KernelPrinter::Field &f : kernel.fields())
    if (f.kind == Kind::Cell)
      beforeCell(f);
  if (kernel.parts().empty()) {
    line(call + ";");
  } else {
    line("const auto parts = " + call + ";");
    for (const KernelPrinter::Part &p : kernel.parts())
      if (p.state)
        line(cpp::combined(p.kind, stateName(p.state), "parts." + p.name));
  }
  for (const KernelPrinter::Field &f : kernel.fields())
    if (f.kind == Kind::Cell)
      afterCell(f);
  line("}");
}

std::string HostPrinter::measured(Operation *op, StringRef kernel, const std::string &active, const std::string &call) {
  if (!program.profiled())
    return call;
  return "gc::cuda::measure(profile_, " + cpp::quoted(cpp::place(op->getLoc())) + ", " + cpp::quoted(kernel.str()) +
         ", " + active + ", [&] { return " + call + "; })";
}

std::string HostPrinter::countOf(graph::Domain domain, Value over) {
  if (domain == graph::Domain::Pairs)
    return "std::uint64_t(graph_.num_vertices()) * graph_.num_vertices()";
  if (domain != graph::Domain::Vertices)
    return "graph_.num_arcs()";
  std::string members = set(over);
  return members.empty() ? "graph_.num_vertices()" : members + ".size()";
}

std::string HostPrinter::overVertices(Operation *op, graph::Domain domain, Value over, const KernelPrinter &kernel) {
  std::string function, lists = "graph_", members;
  switch (domain) {
  case graph::Domain::Vertices:
    members = set(over);
    function = exec::isSplit(op) ? "for_out_edges" : "for_vertices";
    lists = listsFor(op);
    break;
  case graph::Domain::Pairs:
    function = "for_pairs";
    break;
  default:
    function = "for_arcs";
  }
  return measured(op, kernel.name(), countOf(domain, over), call(function, lists, members, object(kernel)));
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
        std::string call = filter(o, set(o.getSet()), object(k));
        return {calls[op] = measured(op, k.name(), countOf(graph::Domain::Vertices, o.getSet()), call)};
      })
      .Case([&](exec::SegmentsPayOp o) -> Text { return {callSegments(o, "pay", std::to_string(*o.getValueBytes()))}; })
      .Case([&](exec::CountTrianglesOp) -> Text {
        return {measured(op, "count_triangles", "graph_.num_arcs()", "gc::cuda::count_triangles(graph_)")};
      })
      .Default([&](Operation *other) { return HostBodyPrinter::targetExpression(other); });
}

void HostPrinter::snapshot(exec::SnapshotOp op) {
  std::string copy = stateName(op.getCopy()), state = stateName(op.getState());
  if (op.getState().getType().getShape() == graph::Shape::Scalar)
    return line(copy + " = " + state + ";");
  if (op.getRow())
    line("gc::cuda::copy_row(" + copy + ", " + state + ", " + operand(op.getRow()) + ");");
  else if (op.getColumn())
    line("gc::cuda::copy_column(" + copy + ", " + state + ", " + operand(op.getColumn()) + ");");
  else
    line("gc::cuda::copy(" + copy + ", " + state + ");");
}

void HostPrinter::once(exec::OnceOp op) {
  KernelPrinter k = kernel(op, op.getBody(), op.getName());
  if (k.parts().empty())
    return line(measured(op, k.name(), "1", call("once", "", "", object(k))) + ";");
  std::string first;
  for (const KernelPrinter::Part &p : k.parts())
    first += (first.empty() ? "" : ", ") + stateName(p.state);
  line("{\nconst auto parts = " + measured(op, k.name(), "1", call("once", "", "", object(k) + ", {" + first + "}")) +
       ";");
  for (const KernelPrinter::Part &p : k.parts())
    line(stateName(p.state) + " = parts." + p.name + ";");
  line("}");
}

void HostPrinter::start(const std::string &lists, Value from) {
  if (usesBothWays_ || usesTransposed_)
    line("frontier_.follow(" + lists + ");");
  startFrontier(from);
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
  auto before = [&] { llvm::for_each(cells, [&](auto &cell) { beforeCell(cell); }); };
  auto after = [&] { llvm::for_each(cells, [&](auto &cell) { afterCell(cell); }); };

  ScopeGuard variables(*this);
  start(listsFor(op), op.getFrom());
  std::string levels;
  if (op.getLevels()) {
    levels = program.members.find(op.getLevels())->second;
    if (op.getTransposed())
      line(levels + ".follow(transposed_);");
    line(levels + ".clear();");
  }
  auto objectOf = [&](int i) { return i < 0 ? std::string("gc::cuda::NoKernel()") : object(kernels[i]); };
  std::string options = std::string("{gc::cuda::Direction::") +
                        (hybrid  ? "hybrid"
                         : pulls ? "pull"
                                 : "push") +
                        ", " + (op.getDedup() ? "true" : "false") + ", " + cpp::literal(op.getAlphaAttr()) + ", " +
                        cpp::literal(op.getBetaAttr());
  bool stops = !exec::isAbsent(op.getUntil());
  // A kernel takes the round as an argument; only `until` reads it here. A profile measures each round.
  auto call = [&](const std::string &rounds) {
    return frontierCall("propagate") + "(" + objectOf(push) + ", " + objectOf(pull) + ", " + objectOf(commit) + ", " +
           options + rounds + "}" + (levels.empty() ? "" : ", &" + levels) + ");";
  };
  if (!stops && op.getLoop() != exec::LoopPlace::Host && !program.profiled()) {
    if (!cells.empty())
      line("{");
    before();
    line(call(op.getAtMost() ? ", 1, std::int32_t(" + operand(op.getAtMost()) + ")" : ""));
    after();
    if (!cells.empty())
      line("}");
    return;
  }
  bool named = stops && op.getUntil().getNumArguments() > 0;
  std::string name = scope->fresh(named ? cpp::argumentName(op.getUntil().getArgument(0)) : "round");
  if (named)
    bind(op.getUntil().getArgument(0), name);
  line("for (std::int32_t " + name + " = 1; !" + frontierCall("empty") + "()" +
       (op.getAtMost() ? " && " + name + " <= " + operand(op.getAtMost(), cpp::Binding::Sum) : "") + "; ++" + name +
       ") {");
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
  line("}");
}

std::string HostPrinter::orderParameters(exec::OrderedOp op) {
  return "<V, " + cpp::typeName(op.getPriority().getType().getElement()) + ">";
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
  return listsFor(op) + ", " + stateName(op.getPriority()) + ".data(), " + window;
}

std::string HostPrinter::runOrdered(exec::OrderedOp op, const std::string &push) {
  auto members = op.getFrom().getDefiningOp<graph::SetOfOp>();
  std::string from = members && !isBound(op.getFrom()) ? listed(members) : operand(op.getFrom());
  return "gc::cuda::NearFar" + orderParameters(op) + "(" + orderArguments(op) + ").run(" + from + ", " + push + ")";
}

void HostPrinter::ordered(exec::OrderedOp op) {
  KernelPrinter k = kernel(op, op.getPush(), op.getName());
  line(measured(op, k.name(), "graph_.num_vertices()", runOrdered(op, object(k))) + ";");
}

/// The loop over levels as one call.
void HostPrinter::sweep(exec::SweepOp op) {
  std::string kernels, turned;
  for (exec::ParallelOp each : op.getBody().front().getOps<exec::ParallelOp>()) {
    std::string text = object(kernel(each, each.getBody(), each.getName()));
    if (each.getOverPrevious())
      text = "gc::cuda::over_previous(" + text + ")";
    std::string &list = each.getTurned() ? turned : kernels;
    list += (list.empty() ? "" : ", ") + text;
  }
  std::string levels = operand(op.getLevels());
  line(measured(op, "for_levels", levels + ".size()",
                "gc::cuda::for_levels(graph_, " + levels + ", " + (op.getReversed() ? "true" : "false") +
                    ", gc::cuda::steps(" + kernels + ")" + (turned.empty() ? "" : ", gc::cuda::steps(" + turned + ")") +
                    ")") +
       ";");
}

/// The loop as one call.
void HostPrinter::runLoop(exec::DeviceLoopOp op) {
  LoopPrinter loop(*this, program, space, op);
  program.functions.push_back(loop.print());
  std::optional<exec::LoopPlace> place = op.getPlace();
  std::string where = place ? exec::stringifyLoopPlace(*place).str() : "either", given = loop.sets();
  std::string call = "gc::cuda::run_loop(graph_, " + loop.onHost() + ", {" + loop.scalars() + "}" +
                     (place || !given.empty() || loop.propagates() ? ", gc::cuda::LoopOn::" + where : "") +
                     (given.empty() && !loop.propagates() ? "" : ", {" + given + "}") +
                     (loop.propagates() ? ", &frontier_" : "") + ")";
  if (loop.scalars().empty() && loop.before().empty())
    return line(call + ";");
  line("{\n" + loop.before() + (loop.scalars().empty() ? "" : "const auto scalars = ") + call + ";");
  code += loop.assignments() + "}\n";
}

void HostPrinter::sequentialFor(graph::ForOp op) {
  Block &body = op.getBody().front();
  bool levels = op.getDomain() == graph::Domain::Levels;
  bool stored = op.getDomain() == graph::Domain::Vertices && !op.getOver().getDefiningOp<graph::AllVerticesOp>();
  if (!levels && !stored)
    return loop(op, op.getDomain(), op.getOver(), Value(), Value(), body);
  ScopeGuard variables(*this);
  std::string range = operand(op.getOver(), cpp::Binding::Postfix);
  std::string name = declare(body.getArgument(0), cpp::argumentName(body.getArgument(0)));
  std::string used = body.getArgument(0).use_empty() ? "[[maybe_unused]] " : "";
  line("for (" + used +
       (levels ? "const auto &" + name + " : " + range + (op.getReversed() ? ".reversed()" : "")
               : "const V " + name + " : " + range + ".members()") +
       ") {");
  block(body);
  line("}");
}

void HostPrinter::statement(Operation *op) {
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](exec::ParallelOp o) {
        KernelPrinter k = kernel(op, o.getBody(), o.getName());
        if (exec::goesBySegments(op))
          return line(measured(op, k.name(), "graph_.num_vertices()",
                               callSegments(op, "gather", object(k) + ", " + arrayOf(k.gathered().getState(), true))) +
                      ";");
        launch(overVertices(op, o.getDomain(), o.getOver(), k), k);
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
      .Case([&](exec::SnapshotOp o) { snapshot(o); })
      .Case([&](exec::SweepOp o) { sweep(o); })
      .Case([&](exec::DeviceLoopOp o) { runLoop(o); })
      .Default([&](Operation *) { HostBodyPrinter::statement(op); });
}

} // namespace gcompile::cuda
