#include "codegen_cuda/LoopPrinter.h"

#include "codegen_cpp/Types.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using gcompile::cpp::Text;

namespace gcompile::cuda {

LoopPrinter::LoopPrinter(HostPrinter &host, cpp::Program &program, const std::string &space, exec::DeviceLoopOp whole)
    : HostPrinter(program, ""), host(host), whole(whole), loop(&whole.getBody().front().front()), space(space),
      typeName_(program.scope.fresh(isa<graph::WhileOp>(loop) ? "While" : "Repeat")) {
  oneScope = true;
  for (const char *taken : {"graph", "device", "scalars", "Scalars", "Kernels", "Device", "parts", "over_pairs",
                            "by_sets", "propagates", "orders", "Sets", "num_sets"})
    names.reserve(taken);
  auto outside = [&](Value value) {
    return llvm::none_of(loop->getRegions(),
                         [&](Region &region) { return region.isAncestor(value.getParentRegion()); });
  };
  auto changes = [&](Value state) {
    auto type = cast<graph::StateType>(state.getType());
    if (type.getShape() != graph::Shape::Scalar || isa<graph::SetType>(type.getElement()) ||
        !program.members.contains(state) || llvm::any_of(changed, [&](const Scalar &s) { return s.state == state; }))
      return;
    changed.push_back({state, cpp::typeName(type.getElement()), names.fresh(cpp::suggestName(state)), memberOf(state)});
  };
  loop->walk([&](Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case<exec::UpdateOp, exec::ClaimOp>([&](auto o) { changes(o.getState()); })
        .Case([&](exec::UpdateTupleOp o) { llvm::for_each(o.getStates(), changes); });
  });
  // Values of the host that do not change here.
  DenseSet<Value> seen;
  loop->walk([&](Operation *op) {
    for (Value value : op->getOperands()) {
      if (!outside(value) || isa<graph::StateType>(value.getType()) || !seen.insert(value).second)
        continue;
      Operation *def = value.getDefiningOp();
      if (def && cpp::isRematerialised(def))
        continue;
      auto member = program.members.find(value);
      std::string wanted = member == program.members.end() ? cpp::suggestName(value) : member->second;
      std::string given = host.operand(value);
      if (!isa<graph::SetType>(value.getType())) {
        bind(value, field(wanted, cpp::typeName(value.getType()), given));
        continue;
      }
      if (def) { // it may be a constant
        std::string copy = host.fresh(wanted);
        before_ += "auto " + copy + " = " + given + ";\n";
        given = copy;
      }
      bind(value, set(value, wanted, "&" + given));
    }
  });
}

std::string LoopPrinter::field(StringRef wanted, const std::string &type, const std::string &given) {
  for (const Field &f : fields)
    if (f.given == given)
      return f.name;
  fields.push_back({type, names.fresh(wanted.rtrim('_')), given});
  return fields.back().name;
}

std::string LoopPrinter::set(Value value, StringRef wanted, const std::string &given) {
  for (const Set &s : sets_)
    if (value && s.value == value)
      return s.name;
  sets_.push_back({value, names.fresh(wanted.rtrim('_')), given});
  return sets_.back().name;
}

std::string LoopPrinter::target(Operation *op) {
  auto known = targets.find(op);
  if (known == targets.end())
    known = targets.try_emplace(op, set(Value(), cpp::suggestName(op->getResult(0)), "")).first;
  return known->second;
}

std::string LoopPrinter::stateName(Value state) {
  for (const Scalar &scalar : changed)
    if (scalar.state == state)
      return "scalars." + scalar.name;
  auto type = cast<graph::StateType>(state.getType());
  assert(type.getShape() == graph::Shape::Scalar && "an array that the host would look at");
  std::string member = memberOf(state);
  if (isa<graph::SetType>(type.getElement()))
    return set(state, member, "&" + member);
  return field(member, cpp::typeName(type.getElement()), member);
}

std::string LoopPrinter::graphView() {
  graphUsed = true;
  return "graph";
}

std::string LoopPrinter::arrayOf(Value state, bool) {
  std::string element = cpp::elementName(cast<graph::StateType>(state.getType()).getElement()),
              member = memberOf(state);
  bool constant = isa<BlockArgument>(state) || state.getDefiningOp<exec::ByTargetOp>();
  return field(member, (constant ? "const " : "") + element + " *", member + ".data()");
}

std::string LoopPrinter::matrixOf(Value state, bool) {
  std::string element = cpp::elementName(cast<graph::StateType>(state.getType()).getElement()),
              member = memberOf(state);
  return field(member, "gc::cuda::DenseView<" + element + ">", member + ".view()");
}

std::string LoopPrinter::columnOf(Value column, const std::string &type) {
  auto member = program.members.find(column);
  return field(member == program.members.end() ? cpp::suggestName(column) : member->second, "const " + type + " *",
               HostPrinter::columnOf(column, type));
}

std::string LoopPrinter::element(Value state, ValueRange indices, bool checked, Operation *op) {
  if (indices.empty())
    return stateName(state);
  auto type = cast<graph::StateType>(state.getType());
  if (auto column = program.columns.find(state); column != program.columns.end())
    return graphName() + ".template edge_column<" + cpp::typeName(type.getElement()) + ">(" +
           std::to_string(column->second) + ")[" + index(indices[0], checked, op) + "]";
  auto snapshot = state.getDefiningOp<exec::SnapshotOp>();
  bool slice = snapshot && (snapshot.getRow() || snapshot.getColumn());
  if (type.getShape() == graph::Shape::Dense && !slice) {
    std::string row = index(indices[0], checked, op);
    return "device.read(&" + matrixOf(state, false) + "(" + row + ", " + index(indices[1], checked, op) + "))";
  }
  Value only = slice && indices.size() == 2 ? indices[snapshot.getRow() ? 1 : 0] : indices[0];
  return "device.read(&" + arrayOf(state, false) + "[" + index(only, checked, op) + "])";
}

std::string LoopPrinter::modeRoom() {
  if (modes.empty()) {
    std::string tables = host.fresh("tables");
    before_ += "gc::cuda::ModeTables " + tables + "(graph_.num_arcs());\n";
    modes = field(tables, "gc::cuda::ModeRoom", tables + ".room()");
  }
  return "device.emptied(" + modes + ")";
}

std::string LoopPrinter::cellOf(const KernelPrinter::Field &cell) {
  auto [known, fresh] = cells.try_emplace(cell.value);
  if (fresh) {
    std::string name = host.fresh(cell.name + "_cell");
    before_ += "gc::cuda::Cell<" + cell.type + "> " + name + "(" + memberOf(cell.value) + ");\n";
    known->second = field(name, cell.type + " *", name + ".data()");
  }
  return known->second;
}
void LoopPrinter::beforeCell(const KernelPrinter::Field &cell) {
  line("device.write(" + cellOf(cell) + ", " + stateName(cell.value) + ");");
}
void LoopPrinter::afterCell(const KernelPrinter::Field &cell) {
  line(stateName(cell.value) + " = device.read(" + cellOf(cell) + ");");
}

std::string LoopPrinter::listsArgument(const std::string &graph) {
  if (graph.empty() || graph == "graph_")
    return "";
  return field(graph, "gc::cuda::LoopLists<V>", "gc::cuda::LoopLists<V>(" + graph + ")") + ", ";
}

void LoopPrinter::start(const std::string &lists, Value from) {
  propagates_ = true;
  line(startCall("start", listsArgument(lists), from) + ");");
}

std::string LoopPrinter::startCall(StringRef function, const std::string &given, Value from) {
  std::string text = "device." + function.str();
  auto one = from.getDefiningOp<graph::SetOfOp>();
  if (one && !isBound(from) && one->getNumOperands() == 1)
    return text + "_at(" + given + target(one) + ", " + operand(one->getOperand(0));
  return text + "(" + given + operand(from);
}

std::string LoopPrinter::frontierCall(StringRef function) {
  return function == "empty" ? "device.frontier_empty" : "device." + function.str();
}

std::string LoopPrinter::runOrdered(exec::OrderedOp op, const std::string &push) {
  orders = true;
  std::string work = host.fresh("order"), parameters = orderParameters(op), view = "gc::cuda::LoopOrder" + parameters;
  before_ += "gc::cuda::NearFar" + parameters + " " + work + "(" + host.orderArguments(op) + ");\n";
  return startCall("ordered", field(work, view, view + "(" + work + ")") + ", ", op.getFrom()) + ", " + push + ")";
}

std::string LoopPrinter::call(StringRef function, const std::string &graph, const std::string &members,
                              const std::string &rest) {
  overPairs |= function == "for_pairs";
  return "device." + function.str() + "(" + listsArgument(graph) + members + (members.empty() ? "" : ", ") + rest + ")";
}

Text LoopPrinter::targetExpression(Operation *op) {
  if (auto contains = dyn_cast<graph::ContainsOp>(op))
    return {"device.contains(" + operand(contains.getSet()) + ", " + operand(contains.getVertex()) + ")"};
  if (auto size = dyn_cast<graph::SetSizeOp>(op); size && !size.getSet().getDefiningOp<graph::AllVerticesOp>())
    return {"device.size(" + operand(size.getSet()) + ")"};
  return HostPrinter::targetExpression(op);
}

std::string LoopPrinter::filter(exec::FilterOp op, const std::string &members, const std::string &object) {
  return "device.filter(" + target(op) + ", " + members + (members.empty() ? "" : ", ") + object + ")";
}

static const char *combining(graph::SetKind kind) {
  return kind == graph::SetKind::Union          ? "device.unite("
         : kind == graph::SetKind::Intersection ? "device.intersect("
                                                : "device.subtract(";
}

Text LoopPrinter::setExpression(Operation *op) {
  return llvm::TypeSwitch<Operation *, Text>(op)
      .Case([&](graph::AllVerticesOp) -> Text { return {"device.set_all(" + target(op) + ")"}; })
      .Case([&](graph::SetOfOp o) -> Text {
        std::string text = "device.set_of(" + target(op);
        for (Value vertex : o.getOperands())
          text += ", " + operand(vertex);
        return {text + ")"};
      })
      .Case([&](graph::NeighborsOp o) -> Text {
        const char *name = o.getSide() == graph::Side::Both  ? "both_neighbors("
                           : o.getSide() == graph::Side::Out ? "out_neighbors("
                                                             : "in_neighbors(";
        return {"device." + (name + target(op)) + ", " + index(o.getVertex(), o.getMayBeNone(), o) + ")"};
      })
      .Case([&](graph::SetAlgebraOp o) -> Text {
        std::string to = target(op), lhs = operand(o.getLhs());
        return {combining(o.getKind()) + ("device.copy_set(" + to + ", " + lhs + "), ") + operand(o.getRhs()) + ")"};
      })
      .Default([](Operation *) -> Text { llvm_unreachable("a set that the host makes"); });
}

std::string LoopPrinter::setVariable(Value set, const std::string &name, const std::string &text) {
  auto read = set.getDefiningOp<graph::ReadOp>();
  bool changes = read && !read.getLasting();
  return "const auto " + name + " = " + (changes ? "device.copy_set(" + target(read) + ", " + text + ")" : text) + ";";
}

bool LoopPrinter::asksFor(Value value, Value state) {
  Operation *def = value.getDefiningOp();
  if (auto read = dyn_cast_if_present<graph::ReadOp>(def))
    return read.getState() == state;
  if (auto let = dyn_cast_if_present<graph::LetOp>(def))
    return asksFor(let.getValue(), state);
  if (!def || isBound(value)) // then it is in a set of its own
    return false;
  return def
      ->walk([&](Operation *inner) {
        bool asks = llvm::any_of(inner->getOperands(), [&](Value operand) {
          return operand == state || (operand.getDefiningOp() && !def->isProperAncestor(operand.getDefiningOp()) &&
                                      asksFor(operand, state));
        });
        return asks ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

void LoopPrinter::setUpdate(exec::UpdateOp op) {
  std::string state = stateName(op.getState());
  Value value = op.getValue();
  if (graph::SetAlgebraOp algebra = inPlace(op))
    return line(combining(algebra.getKind()) + state + ", " + operand(algebra.getRhs()) + ");");
  if (op.getKind() != graph::UpdateKind::Assign)
    return line(
        combining(op.getKind() == graph::UpdateKind::And ? graph::SetKind::Intersection : graph::SetKind::Union) +
        state + ", " + operand(value) + ");");
  Operation *def = value.getDefiningOp();
  bool made = def && !isBound(value) && !isa<graph::ReadOp>(def);
  if (made && !asksFor(value, op.getState())) {
    targets[def] = state;
    return line(operand(value) + ";");
  }
  line((made ? "device.move_set(" : "device.copy_set(") + state + ", " + operand(value) + ");");
}

std::string LoopPrinter::callSegments(Operation *op, StringRef function, const std::string &arguments) {
  std::string member = program.segmentsOf(op);
  return "device.segments_" + function.str() + "(" + field(member, "gc::cuda::ChosenSegments<V> *", "&" + member) +
         (arguments.empty() ? "" : ", ") + arguments + ")";
}

void LoopPrinter::snapshot(exec::SnapshotOp op) {
  graph::Shape shape = op.getState().getType().getShape();
  if (shape == graph::Shape::Scalar)
    return HostPrinter::snapshot(op);
  if (shape == graph::Shape::Dense && !op.getRow() && !op.getColumn()) {
    overPairs = true;
    return line("device.copy_per_pair(" + matrixOf(op.getCopy(), true) + ", " + matrixOf(op.getState(), false) + ");");
  }
  std::string to = arrayOf(op.getCopy(), true);
  if (op.getColumn())
    return line("device.copy_column(" + to + ", " + matrixOf(op.getState(), false) + ", " + operand(op.getColumn()) +
                ");");
  line("device.copy_per_" + std::string(shape == graph::Shape::PerEdge ? "arc" : "vertex") + "(" + to + ", " +
       (op.getRow() ? matrixOf(op.getState(), false) + ".row(" + operand(op.getRow()) + ")"
                    : arrayOf(op.getState(), false)) +
       ");");
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
  if (whole.getBySets())
    text += "static constexpr bool by_sets = true;\n";
  if (propagates_)
    text += "static constexpr bool propagates = true;\n";
  if (orders)
    text += "static constexpr bool orders = true;\n";
  if (overPairs)
    text += "static constexpr bool over_pairs = true;\n";
  if (!sets_.empty()) {
    // Those of the host come first.
    std::stable_partition(sets_.begin(), sets_.end(), [](const Set &s) { return !s.given.empty(); });
    text += "enum Sets : unsigned {";
    for (const Set &s : sets_)
      text += (text.back() == '{' ? " " : ", ") + s.name;
    text += " };\nstatic constexpr unsigned num_sets = " + std::to_string(sets_.size()) + ";\n";
  }
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

std::string LoopPrinter::sets() const {
  std::string text;
  for (const Set &s : sets_)
    if (!s.given.empty())
      text += (text.empty() ? "" : ", ") + s.given;
  return text;
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
