// The function object around a kernel's code: its members, what the runtime asks its type, the signature of its call.
#include "codegen_cuda/KernelPrinter.h"

#include "codegen_cpp/Combining.h"
#include "codegen_cpp/Types.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using gcompile::cpp::Writer;

namespace gcompile::cuda {

void KernelPrinter::partsType(Writer &text) {
  if (parts_.empty())
    return;
  {
    Writer::Block type = text.block("struct Parts", ";");
    for (const Part &p : parts_) // one without a first value is an object
      text.line(p.type + " " + p.name + (p.first.empty() ? "" : " = " + p.first) + ";");
    Writer::Block merge = text.block("GCOMPILE_HD void merge(const Parts &other)");
    for (const Part &p : parts_)
      text.line(p.merge);
  }
  text.line();
}

/// The loop whose arcs come one to a call.
exec::ForOp KernelPrinter::splitLoop() {
  exec::ForOp arcs;
  region.walk<WalkOrder::PreOrder>([&](exec::ForOp loop) {
    if (!arcs && !insideReduce(loop))
      arcs = loop;
  });
  return arcs;
}
bool KernelPrinter::usesArc() {
  exec::ForOp loop = splitLoop();
  return !loop.getByPlace() && !loop.getBody().getArgument(1).use_empty();
}

std::string KernelPrinter::priorityType() {
  return cpp::typeName(cast<exec::OrderedOp>(op).getPriority().getType().getElement());
}

/// The parameters of a call, as the runtime passes them.
std::string KernelPrinter::signature() {
  cpp::List list;
  auto parameter = [&](const std::string &text) { list.add(text); };
  auto argument = [&](Value v, const std::string &type) {
    bool mentioned = printed.contains(v);
    parameter("const " + type + (mentioned ? " " + value(v).text : ""));
  };
  auto round = [&] {
    Value r = region.getNumArguments() > 1 ? Value(region.getArgument(1)) : Value();
    if (r)
      argument(r, "std::int32_t");
    else
      parameter("const std::int32_t");
  };
  if (once) {
    // no arguments
  } else if (split) {
    exec::ForOp arcs = splitLoop();
    argument(region.getArgument(0), "V");
    argument(arcs.getBody().getArgument(0), "V");
    argument(arcs.getBody().getArgument(1), "gc::ArcId");
  } else {
    auto domain = llvm::TypeSwitch<Operation *, std::optional<graph::Domain>>(op)
                      .Case([](exec::ParallelOp o) { return o.getDomain(); })
                      .Case([](exec::ReduceOp o) { return o.getDomain(); })
                      .Default([](Operation *) { return graph::Domain::Vertices; });
    bool edges = domain != graph::Domain::Vertices && domain != graph::Domain::Pairs;
    argument(region.getArgument(0), edges ? "gc::ArcId" : "V");
    if (domain == graph::Domain::Pairs)
      argument(region.getArgument(1), "V");
  }
  if (inPropagate)
    round();
  if (pulling)
    parameter("const gc::cuda::detail::CurrentBits<V> &frontier");
  auto propagate = dyn_cast<exec::PropagateOp>(op);
  if ((isa<exec::OrderedOp>(op) && !relaxation) || (propagate && &region != &propagate.getCommit()))
    parameter(pulling ? "gc::cuda::detail::OwnBit &next" : "Next &next");
  if (lanes)
    parameter("[[maybe_unused]] const Lanes lanes");
  if (testsLevel)
    parameter("const gc::cuda::LevelBits<V> other");
  if (!parts_.empty())
    parameter(std::string(asked ? "[[maybe_unused]] " : "") + "Parts &parts");
  return list.text();
}

exec::UpdateOp KernelPrinter::gathered() { return *region.front().getOps<exec::UpdateOp>().begin(); }

void KernelPrinter::gatherBySegments(Writer &text) {
  auto reduce = *region.front().getOps<exec::ReduceOp>().begin();
  BlockArgument source;
  reduce.walk([&](exec::ForOp loop) { source = loop.getBody().getArgument(0); });
  declare(source, cpp::argumentName(source));
  block(region.front());
  graph::UpdateKind kind = graph::combination(reduce.getKind());
  bool fails = cast<exec::ParallelOp>(op).getMayFail();
  graphUsed |= fails;
  text.line("using Value = " + cpp::typeName(reduce.getType()) + ";");
  text.line(std::string("static constexpr bool may_fail = ") + (fails ? "true" : "false") + ";");
  text.line();
  {
    Writer::Block function = text.block("__device__ Value source(const V " +
                                        (printed.contains(source) ? value(source).text : "") + ") const");
    text.add(out);
  }
  text.line("GCOMPILE_HD static Value first() { return " + cpp::neutralValue(kind, reduce.getType()) + "; }");
  Writer::Block combine = text.block("GCOMPILE_HD static Value combine(Value a, const Value b)");
  if (kind == graph::UpdateKind::Add)
    return text.line("return a + b;");
  text.line(cpp::combined(kind, "a", "b"));
  text.line("return a;");
}

/// The reduction's own accumulator is a part, or counts the values of a mode.
void KernelPrinter::accumulateInParts(exec::ReduceOp reduce) {
  if (reduce.getKind() == graph::ReduceKind::Mode) {
    accumulators[op] = accumulator(reduce);
    return;
  }
  Part p;
  printedBy([&] { p.name = accumulator(reduce); }); // declared among the parts
  accumulators[op] = "parts." + p.name;
  p.type = accumulatorType(reduce);
  p.merge = cpp::combined(reduce.getKind(), p.name, "other." + p.name);
  if (!graph::traits(reduce.getKind()).accumulates())
    p.first = cpp::neutralValue(graph::combination(reduce.getKind()), reduce.getType());
  parts_.insert(parts_.begin(), p);
}

std::string KernelPrinter::Field::declaration() const {
  std::string constant = written ? "" : "const ";
  switch (kind) {
  case Kind::Array:
  case Kind::Column:
    return constant + type + " *" + name + ";";
  case Kind::Cell:
    return type + " *" + name + ";";
  case Kind::Sized:
    return "gc::cuda::ArrayView<" + constant + type + "> " + name + ";";
  case Kind::Matrix:
    return "gc::cuda::DenseView<" + constant + type + "> " + name + ";";
  case Kind::ModeRoom:
    return "gc::cuda::ModeRoom " + name + ";";
  default:
    return type + " " + name + ";";
  }
}

/// What the runtime asks the function object's type.
void KernelPrinter::traits(Writer &text) {
  auto propagate = dyn_cast<exec::PropagateOp>(op);
  if (collects() && !split)
    text.line("static constexpr bool whole_vertex = true;");
  if (propagate && &region == &propagate.getPush()) {
    std::optional<exec::Gather> gather = propagate.getGather();
    if (gather && split && gather != exec::Gather::Scan)
      text.line("static constexpr gc::cuda::Gather gather = gc::cuda::Gather::" + exec::stringifyGather(*gather).str() +
                ";");
    if (std::optional<exec::Phases> phases = propagate.getPhases()) {
      text.line("static constexpr gc::cuda::Phases phases = gc::cuda::Phases::" + exec::stringifyPhases(*phases).str() +
                ";");
      if (std::optional<std::uint64_t> few = propagate.getFewEdges())
        text.line("static constexpr gc::ArcId few_edges = " + std::to_string(*few) + ";");
      if (!splitLoop().getBody().getArgument(1).use_empty())
        text.line("static constexpr bool names_edges = true;");
    }
    if (propagate.getClaimBitmap())
      text.line("static constexpr bool marks_claims = true;");
    if (propagate.getCullWarp())
      text.line("static constexpr unsigned warp_cull = " + std::to_string(*propagate.getCullWarp()) +
                ", history_cull = " + std::to_string(*propagate.getCullHistory()) + ";");
    if (propagate.getRoundIndependent())
      text.line(std::string("static constexpr bool round_independent = true") +
                (propagate.getClaimActivates() ? ", claim_activates = true;" : ";"));
  }
  if (relaxation)
    text.line("static constexpr bool relaxes = true;");
  if (lanes)
    text.line(std::string("static constexpr bool by_lanes = true") + (asked ? ", asks_first = true;" : ";"));
  if (std::optional<graph::Domain> list = exec::walkedList(op))
    text.line(std::string("static constexpr gc::Along walks = gc::Along::") +
              (*list == graph::Domain::Into ? "in;" : "out;"));
  if (testsLevel)
    text.line("static constexpr bool tests_level = true;");
  if (split && (exec::goesBothWays(op) || exec::isTransposed(op)) && usesArc())
    text.line("static constexpr bool maps_edges = true;");
}

bool KernelPrinter::collects() const {
  auto propagate = dyn_cast<exec::PropagateOp>(op);
  return isa<exec::OrderedOp>(op) || (propagate && &region == &propagate.getPush());
}

void KernelPrinter::stepOfClosure(exec::ClosePairsOp closure, Writer &text) {
  ClosureStep step = closureStep(closure);
  Writer::Block function = text.block("__device__ " + cpp::elementName(closure.getState().getType().getElement()) +
                                      " operator()(" + step.parameters + ") const");
  text.add(step.body);
}

/// The function that gives what a vertex contributes to a kept index.
void KernelPrinter::keyOf(exec::KeepIndexOp index, Writer &text) {
  bool least = index.getKind() == graph::ReduceKind::ArgMin;
  text.line(std::string("using Best = gc::Arg") + (least ? "Min<" : "Max<") + cpp::typeName(index.getKeyType()) +
            ", V>;");
  Writer::Block function = text.block("__device__ Best operator()(" + signature() + ") const");
  text.line("Best best;");
  text.add(out);
  text.line("return best;");
}

/// The function that the runtime calls for each element.
void KernelPrinter::callOperator(Writer &text) {
  std::string head = "__device__ void operator()(";
  if (relaxation)
    head = "__device__ " + priorityType() + " value(";
  else if (isa<exec::FilterOp>(op))
    head = "__device__ bool operator()(";
  if (!relaxation && (lanes || collects()))
    head = std::string("template <class ") + (lanes ? "Lanes" : "Next") + "> " + head;
  Writer::Block function = text.block(head + signature() + ") const");
  text.add(out);
}

Writer KernelPrinter::print() {
  ScopeGuard variables(*this);
  auto closure = dyn_cast<exec::ClosePairsOp>(op);
  Writer members;
  if (asked)
    asksFirst(members);
  if (!pull && !closure)
    for (BlockArgument a : region.getArguments())
      declare(a, cpp::argumentName(a));
  if (split)
    for (BlockArgument a : splitLoop().getBody().getArguments())
      declare(a, cpp::argumentName(a));
  if (auto reduce = dyn_cast<exec::ReduceOp>(op))
    accumulateInParts(reduce);
  if (segmented)
    gatherBySegments(members);
  else if (pull)
    pullByArcs(members);
  else if (closure)
    stepOfClosure(closure, members);
  else
    block(asked ? asked.getLists().front() : region.front());
  if (isa<exec::FilterOp>(op))
    line("return " + operand(yielded(region)) + ";");
  llvm::copy_if(all, std::back_inserter(used), [&](const Field &f) {
    return f.kind == Field::Kind::Graph ? graphUsed : f.kind == Field::Kind::Touched ? true : printed.contains(f.value);
  });

  Writer text;
  if (std::string where = cpp::place(op->getLoc()); !where.empty())
    text.line("// " + where);
  Writer::Block object = text.block("template <class V> struct " + typeName_, ";");
  traits(text);
  for (const Field &f : used)
    text.line(f.declaration());
  if (!used.empty() || !closure)
    text.line();
  partsType(text);
  if (split && isa<exec::PropagateOp>(op))
    expect(text);
  if (auto index = dyn_cast<exec::KeepIndexOp>(op))
    keyOf(index, text);
  else if (!pull && !segmented && !closure)
    callOperator(text);
  text.add(members);
  object.close();
  text.line();
  return text;
}

} // namespace gcompile::cuda
