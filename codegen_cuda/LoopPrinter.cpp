#include "codegen_cuda/LoopPrinter.h"

using namespace mlir;
using gcompile::cpp::Writer;

namespace gcompile::cuda {

LoopPrinter::LoopPrinter(HostPrinter &host, cpp::Program &program, std::string space, exec::DeviceLoopOp whole)
    : whole(whole), loop(&whole.getBody().front().front()), space(std::move(space)),
      typeName(program.scope.fresh(isa<graph::WhileOp>(loop) ? "While" : "Repeat")), launch(program, host),
      body(program, "", launch) {
  // Its members are named as they are needed: no name is used twice.
  body.oneScope = true;
  for (const char *taken : {"graph", "device", "scalars", "Scalars", "Kernels", "Device", "parts", "over_pairs",
                            "by_sets", "by_one_list", "num_indices", "propagates", "orders", "Sets", "num_sets"})
    body.names.reserve(taken);
  body.keyKernels = host.keyKernels;
  launch.enter(loop);
}

void LoopPrinter::printTraits(Writer &text) {
  auto kernel = [](const std::string &name) { return name + "<V>"; };
  text.line("using Kernels = gc::cuda::Kernels<" + cpp::listed(body.kernels(), kernel) + ">;");
  if (whole.getBySets())
    text.line("static constexpr bool by_sets = true;");
  if (whole.getByOneList())
    text.line("static constexpr bool by_one_list = true;");
  if (launch.ownIndices() > 0)
    text.line("static constexpr unsigned num_indices = " + std::to_string(launch.ownIndices()) + ";");
  if (launch.propagates())
    text.line("static constexpr bool propagates = true;");
  if (launch.orders())
    text.line("static constexpr bool orders = true;");
  if (launch.goesOverPairs())
    text.line("static constexpr bool over_pairs = true;");
  std::vector<DeviceLaunch::Set> sets = launch.sets();
  if (sets.empty())
    return;
  text.line("enum Sets : unsigned { " + cpp::listed(sets, [](const auto &set) { return set.name; }) + " };");
  text.line("static constexpr unsigned num_sets = " + std::to_string(sets.size()) + ";");
}

Writer LoopPrinter::print() {
  body.HostBodyPrinter::statement(loop);
  Writer text;
  if (std::string where = cpp::place(loop->getLoc()); !where.empty())
    text.line("// " + where);
  Writer::Block object = text.block("template <class V> struct " + typeName, ";");
  printTraits(text);
  if (launch.usesGraph())
    text.line("gc::Graph<V> graph;");
  for (const DeviceLaunch::Field &field : launch.fields())
    text.line(field.type + " " + field.name + ";");
  text.line();
  {
    Writer::Block scalars = text.block("struct Scalars", ";");
    for (const DeviceLaunch::Scalar &scalar : launch.scalars())
      text.line(scalar.type + " " + scalar.name + ";");
  }
  text.line();
  text.line("GCOMPILE_CUDA_EITHER_SIDE");
  {
    Writer::Block call =
        text.block(std::string("template <class Device> __host__ __device__ void operator()(Device &device, ") +
                   (launch.scalars().empty() ? "Scalars &" : "Scalars &scalars") + ") const");
    text.add(body.out);
  }
  object.close();
  text.line();
  return text;
}

std::string LoopPrinter::call() {
  cpp::List members, sets;
  if (launch.usesGraph())
    members.add("graph_.view()");
  for (const DeviceLaunch::Field &field : launch.fields())
    members.add(field.given);
  for (const DeviceLaunch::Set &set : launch.sets())
    if (!set.given.empty())
      sets.add(set.given);
  cpp::List arguments;
  arguments.add("graph_");
  arguments.add(space + "::" + typeName + "<V>{" + members.text() + "}");
  arguments.add("{" + cpp::listed(launch.scalars(), [](const auto &scalar) { return scalar.member; }) + "}");
  std::optional<exec::LoopPlace> place = whole.getPlace();
  const bool needsSets = !sets.empty() || launch.propagates();
  if (place || needsSets)
    arguments.add("gc::cuda::LoopOn::" + (place ? exec::stringifyLoopPlace(*place).str() : "either"));
  if (needsSets)
    arguments.add("{" + sets.text() + "}");
  if (launch.propagates())
    arguments.add("&frontier_");
  return "gc::cuda::run_loop(" + arguments.text() + ")";
}

void LoopPrinter::run(Writer &out) {
  const auto &scalars = launch.scalars();
  if (scalars.empty() && launch.before().empty())
    return out.line(call() + ";");
  Writer::Block temporaries = out.block("");
  out.add(launch.before());
  out.line((scalars.empty() ? "" : "const auto scalars = ") + call() + ";");
  for (const DeviceLaunch::Scalar &scalar : scalars)
    out.line(scalar.member + " = scalars." + scalar.name + ";");
}

} // namespace gcompile::cuda
