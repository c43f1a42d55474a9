#include "codegen_cuda/LoopPrinter.h"

#include "codegen_cpp/Types.h"

using namespace mlir;

namespace gcompile::cuda {

LoopPrinter::LoopPrinter(HostPrinter &host, cpp::Program &program, const std::string &space, Operation *loop)
    : HostPrinter(program, ""), loop(loop), space(space),
      typeName_(program.scope.fresh(isa<graph::WhileOp>(loop) ? "While" : "Repeat")) {
  for (const char *taken : {"graph", "device", "scalars", "Scalars", "Kernels", "Device", "parts", "over_pairs"})
    names.reserve(taken);
  auto outside = [&](Value value) {
    return llvm::none_of(loop->getRegions(),
                         [&](Region &region) { return region.isAncestor(value.getParentRegion()); });
  };
  loop->walk([&](exec::UpdateOp update) {
    Value state = update.getState();
    auto type = cast<graph::StateType>(state.getType());
    if (type.getShape() != graph::Shape::Scalar || !program.members.contains(state) ||
        llvm::any_of(changed, [&](const Scalar &s) { return s.state == state; }))
      return;
    changed.push_back({state, cpp::typeName(type.getElement()), names.fresh(cpp::suggestName(state)), memberOf(state)});
  });
  // Values of the host that do not change here.
  loop->walk([&](Operation *op) {
    for (Value value : op->getOperands()) {
      if (!outside(value) || isa<graph::StateType, graph::SetType>(value.getType()))
        continue;
      Operation *def = value.getDefiningOp();
      if (def && cpp::isRematerialised(def))
        continue;
      bind(value, field(value, cpp::typeName(value.getType()), host.operand(value)).name);
    }
  });
}

LoopPrinter::Field &LoopPrinter::field(Value value, const std::string &type, const std::string &given) {
  for (Field &f : fields)
    if (f.value == value)
      return f;
  auto member = program.members.find(value);
  std::string wanted = member == program.members.end() ? cpp::suggestName(value) : member->second;
  fields.push_back({value, type, names.fresh(StringRef(wanted).rtrim('_')), given});
  return fields.back();
}

std::string LoopPrinter::stateName(Value state) {
  for (const Scalar &scalar : changed)
    if (scalar.state == state)
      return "scalars." + scalar.name;
  auto type = cast<graph::StateType>(state.getType());
  assert(type.getShape() == graph::Shape::Scalar && "an array that the host would look at");
  return field(state, cpp::typeName(type.getElement()), memberOf(state)).name;
}

std::string LoopPrinter::graphView() {
  graphUsed = true;
  return "graph";
}

std::string LoopPrinter::arrayOf(Value state, bool) {
  std::string element = cpp::elementName(cast<graph::StateType>(state.getType()).getElement());
  bool constant = isa<BlockArgument>(state) || state.getDefiningOp<exec::ByTargetOp>();
  return field(state, (constant ? "const " : "") + element + " *", memberOf(state) + ".data()").name;
}

std::string LoopPrinter::matrixOf(Value state, bool) {
  std::string element = cpp::elementName(cast<graph::StateType>(state.getType()).getElement());
  return field(state, "gc::cuda::DenseView<" + element + ">", memberOf(state) + ".view()").name;
}

std::string LoopPrinter::columnOf(Value column, const std::string &type) {
  return field(column, "const " + type + " *", HostPrinter::columnOf(column, type)).name;
}

std::string LoopPrinter::call(StringRef function, const std::string &, const std::string &rest) {
  overPairs |= function == "for_pairs";
  return "device." + function.str() + "(" + rest + ")";
}

std::string LoopPrinter::callSegments(Operation *op, StringRef function, const std::string &arguments) {
  std::string member = program.segmentsOf(op), given = "&" + member;
  auto known = llvm::find_if(fields, [&](const Field &f) { return f.given == given; });
  if (known == fields.end())
    known = fields.insert(fields.end(),
                          {Value(), "gc::cuda::ChosenSegments<V> *", names.fresh(StringRef(member).rtrim('_')), given});
  return "device.segments_" + function.str() + "(" + known->name + (arguments.empty() ? "" : ", ") + arguments + ")";
}

void LoopPrinter::snapshot(exec::SnapshotOp op) {
  graph::Shape shape = op.getState().getType().getShape();
  if (shape == graph::Shape::Scalar)
    return HostPrinter::snapshot(op);
  line("device.copy_per_" + std::string(shape == graph::Shape::PerEdge ? "arc" : "vertex") + "(" +
       arrayOf(op.getCopy(), true) + ", " + arrayOf(op.getState(), false) + ");");
}

std::string LoopPrinter::print() {
  HostBodyPrinter::statement(loop);
  std::string kernels;
  for (const std::string &kernel : kernelNames)
    kernels += (kernels.empty() ? "" : ", ") + kernel + "<V>";
  std::string text;
  if (std::string where = cpp::place(loop->getLoc()); !where.empty())
    text += "// " + where + "\n";
  text += "template <class V> struct " + typeName_ + " {\nusing Kernels = gc::cuda::Kernels<" + kernels + ">;\n";
  if (overPairs)
    text += "static constexpr bool over_pairs = true;\n";
  if (graphUsed)
    text += "gc::Graph<V> graph;\n";
  for (const Field &f : fields)
    text += f.type + (f.type.back() == '*' ? "" : " ") + f.name + ";\n";
  text += "\nstruct Scalars {\n";
  for (const Scalar &scalar : changed)
    text += scalar.type + " " + scalar.name + ";\n";
  return text + "};\n\nGCOMPILE_CUDA_EITHER_SIDE\ntemplate <class Device> " +
         "__host__ __device__ void operator()(Device &device, " + (changed.empty() ? "Scalars &" : "Scalars &scalars") +
         ") const {\n" + code + "}\n};\n\n";
}

std::string LoopPrinter::onHost() const {
  std::string text = space + "::" + typeName_ + "<V>{";
  if (graphUsed)
    text += "graph_.view()";
  for (const Field &f : fields)
    text += (text.back() == '{' ? "" : ", ") + f.given;
  return text + "}";
}

std::string LoopPrinter::scalars() const {
  std::string text;
  for (const Scalar &scalar : changed)
    text += (text.empty() ? "" : ", ") + scalar.member;
  return text;
}

std::string LoopPrinter::assignments() const {
  std::string text;
  for (const Scalar &scalar : changed)
    text += scalar.member + " = scalars." + scalar.name + ";\n";
  return text;
}

} // namespace gcompile::cuda
