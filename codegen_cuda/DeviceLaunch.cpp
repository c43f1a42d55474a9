#include "codegen_cuda/DeviceLaunch.h"

#include "codegen_cpp/Types.h"
#include "codegen_cuda/HostLaunch.h"
#include "codegen_cuda/HostPrinter.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using gcompile::cpp::Text;

namespace gcompile::cuda {

void DeviceLaunch::enter(Operation *entered) {
  loop = entered;
  auto outside = [&](Value value) {
    return llvm::none_of(loop->getRegions(),
                         [&](Region &region) { return region.isAncestor(value.getParentRegion()); });
  };
  auto changes = [&](Value state) {
    auto type = cast<graph::StateType>(state.getType());
    if (type.getShape() != graph::Shape::Scalar || isa<graph::SetType>(type.getElement()) ||
        !program.members.contains(state) || llvm::any_of(changed, [&](const Scalar &s) { return s.state == state; }))
      return;
    changed.push_back(
        {state, cpp::typeName(type.getElement()), printer->names.fresh(cpp::suggestName(state)), memberFor(state)});
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
      if (!outside(value) || isa<graph::StateType, graph::KeptIndexType>(value.getType()) || !seen.insert(value).second)
        continue;
      Operation *def = value.getDefiningOp();
      if (def && cpp::isRematerialised(def))
        continue;
      auto member = program.members.find(value);
      std::string wanted = member == program.members.end() ? cpp::suggestName(value) : member->second;
      std::string given = host.operand(value);
      if (!isa<graph::SetType>(value.getType())) {
        printer->bind(value, field(wanted, cpp::typeName(value.getType()), given));
        continue;
      }
      if (def) { // it may be a constant
        std::string copy = host.fresh(wanted);
        before_.line("auto " + copy + " = " + given + ";");
        given = copy;
      }
      printer->bind(value, set(value, wanted, "&" + given));
    }
  });
}

std::string DeviceLaunch::field(StringRef wanted, const std::string &type, const std::string &given) {
  for (const Field &f : fields_)
    if (f.given == given)
      return f.name;
  fields_.push_back({type, printer->names.fresh(wanted.rtrim('_')), given});
  return fields_.back().name;
}

std::string DeviceLaunch::set(Value value, StringRef wanted, const std::string &given) {
  for (const Set &s : sets_)
    if (value && s.value == value)
      return s.name;
  sets_.push_back({value, printer->names.fresh(wanted.rtrim('_')), given});
  return sets_.back().name;
}

std::string DeviceLaunch::target(Operation *op) {
  auto known = targets.find(op);
  if (known == targets.end())
    known = targets.try_emplace(op, set(Value(), cpp::suggestName(op->getResult(0)), "")).first;
  return known->second;
}

std::vector<DeviceLaunch::Set> DeviceLaunch::sets() const {
  std::vector<Set> ordered = sets_;
  llvm::stable_sort(ordered, [](const Set &a, const Set &b) { return !a.given.empty() && b.given.empty(); });
  return ordered;
}

std::string DeviceLaunch::state(Value state) {
  for (const Scalar &scalar : changed)
    if (scalar.state == state)
      return "scalars." + scalar.name;
  auto type = cast<graph::StateType>(state.getType());
  assert(type.getShape() == graph::Shape::Scalar && "an array that the host would look at");
  std::string member = memberFor(state);
  if (isa<graph::SetType>(type.getElement()))
    return set(state, member, "&" + member);
  return field(member, cpp::typeName(type.getElement()), member);
}

std::string DeviceLaunch::graphView() {
  graphUsed = true;
  return "graph";
}

std::string DeviceLaunch::array(Value state) {
  std::string element = cpp::elementName(cast<graph::StateType>(state.getType()).getElement()),
              member = memberFor(state);
  bool constant = isa<BlockArgument>(state) || state.getDefiningOp<exec::ByTargetOp>();
  return field(member, (constant ? "const " : "") + element + " *", member + ".data()");
}

std::string DeviceLaunch::matrix(Value state) {
  std::string element = cpp::elementName(cast<graph::StateType>(state.getType()).getElement()),
              member = memberFor(state);
  bool dense = cast<graph::StateType>(state.getType()).getShape() == graph::Shape::Dense;
  return field(member, (dense ? "gc::cuda::DenseView<" : "gc::cuda::ArrayView<") + element + ">", member + ".view()");
}

std::string DeviceLaunch::column(Value column, const std::string &type) {
  auto member = program.members.find(column);
  return field(member == program.members.end() ? cpp::suggestName(column) : member->second, "const " + type + " *",
               HostLaunch::columnOf(program, column, type));
}

std::string DeviceLaunch::element(Value state, ValueRange indices, bool checked, Operation *op) {
  auto at = [&](Value index) { return printer->index(index, checked, op); };
  auto type = cast<graph::StateType>(state.getType());
  if (auto column = program.columns.find(state); column != program.columns.end())
    return graph() + ".template edge_column<" + cpp::typeName(type.getElement()) + ">(" +
           std::to_string(column->second) + ")[" + at(indices[0]) + "]";
  auto snapshot = state.getDefiningOp<exec::SnapshotOp>();
  bool slice = snapshot && (snapshot.getRow() || snapshot.getColumn());
  if (type.getShape() == graph::Shape::Dense && !slice) {
    std::string row = at(indices[0]);
    return "device.read(&" + matrix(state) + "(" + row + ", " + at(indices[1]) + "))";
  }
  if (type.getShape() == graph::Shape::Array) {
    std::string view = matrix(state);
    return "device.read(&" + view + "[" + printer->placeIn(view, indices[0], op) + "])";
  }
  Value only = slice && indices.size() == 2 ? indices[snapshot.getRow() ? 1 : 0] : indices[0];
  return "device.read(&" + array(state) + "[" + at(only) + "])";
}

std::string DeviceLaunch::alignedLists(Lists lists) {
  std::string member = program.alignedListsOf(memberOf(lists));
  return field(member, "gc::cuda::AlignedView<V>", member + ".view()");
}

std::string DeviceLaunch::modeRoom() {
  if (modes.empty()) {
    std::string tables = host.fresh("tables");
    before_.line("gc::cuda::ModeTables " + tables + "(graph_.num_arcs());");
    modes = field(tables, "gc::cuda::ModeRoom", tables + ".room()");
  }
  return "device.emptied(" + modes + ")";
}

std::string DeviceLaunch::cell(const KernelPrinter::Field &cell) {
  auto [known, fresh] = cells.try_emplace(cell.value);
  if (fresh) {
    std::string name = host.fresh(cell.name + "_cell");
    before_.line("gc::cuda::Cell<" + cell.type + "> " + name + "(" + memberFor(cell.value) + ");");
    known->second = field(name, cell.type + " *", name + ".data()");
  }
  return known->second;
}
void DeviceLaunch::beforeCell(const KernelPrinter::Field &cell) {
  printer->line("device.write(" + this->cell(cell) + ", " + state(cell.value) + ");");
}
void DeviceLaunch::afterCell(const KernelPrinter::Field &cell) {
  printer->line(state(cell.value) + " = device.read(" + this->cell(cell) + ");");
}

std::string DeviceLaunch::ask(StringRef function, ArrayRef<std::string> arguments) {
  auto given = [](const std::string &text) { return !text.empty(); };
  return "device." + function.str() + "(" + llvm::join(llvm::make_filter_range(arguments, given), ", ") + ")";
}

std::string DeviceLaunch::given(Lists lists) {
  if (lists == Lists::None || lists == Lists::Own)
    return "";
  std::string graph = memberOf(lists);
  return field(graph, "gc::cuda::LoopLists<V>", "gc::cuda::LoopLists<V>(" + graph + ")");
}

void DeviceLaunch::start(Lists lists, Value from) {
  propagates_ = true;
  printer->line(startCall("start", given(lists), from, "") + ";");
}

std::string DeviceLaunch::startCall(StringRef function, const std::string &given, Value from, const std::string &last) {
  auto one = from.getDefiningOp<graph::SetOfOp>();
  if (!one || printer->isBound(from) || one->getNumOperands() != 1)
    return ask(function, {given, printer->operand(from), last});
  std::string set = target(one);
  return ask((function + "_at").str(), {given, set, printer->operand(one->getOperand(0)), last});
}

std::string DeviceLaunch::runOrdered(exec::OrderedOp op, const std::string &push) {
  orders_ = true;
  std::string work = host.fresh("order"), parameters = HostPrinter::orderParameters(op),
              view = "gc::cuda::LoopOrder" + parameters;
  before_.line("gc::cuda::NearFar" + parameters + " " + work + "(" + host.orderArguments(op) + ");");
  return startCall("ordered", field(work, view, view + "(" + work + ")"), op.getFrom(), push);
}

std::string DeviceLaunch::index(Value value) {
  auto [known, fresh] = indices.try_emplace(value);
  if (!fresh)
    return known->second;
  // One that starts in front of the loop, and that nobody else uses.
  bool own = value.getParentBlock() == loop->getParentOp()->getBlock() &&
             llvm::all_of(value.getUsers(), [&](Operation *user) { return loop->isAncestor(user); });
  std::string number = own ? std::to_string(ownIndices_++) : "gc::cuda::no_number";
  std::string member = memberFor(value),
              type = "gc::cuda::LoopIndex<V, " + cpp::indexParameters(value.getDefiningOp<exec::KeepIndexOp>()) + ">";
  return known->second = field(member, type, "gc::cuda::LoopIndex(" + member + ", " + number + ")");
}

std::string DeviceLaunch::call(StringRef function, Lists lists, const std::string &members, const std::string &rest) {
  return ask(function, {given(lists), members, rest});
}

std::string DeviceLaunch::callForPairs(const std::string &object) {
  overPairs = true;
  return ask("for_pairs", {object});
}

Text DeviceLaunch::contains(graph::ContainsOp op) {
  return {"device.contains(" + printer->operand(op.getSet()) + ", " + printer->operand(op.getVertex()) + ")"};
}

Text DeviceLaunch::size(graph::SetSizeOp op) {
  if (op.getSet().getDefiningOp<graph::AllVerticesOp>())
    return printer->HostBodyPrinter::targetExpression(op);
  return {"device.size(" + printer->operand(op.getSet()) + ")"};
}

std::string DeviceLaunch::filter(exec::FilterOp op, const std::string &members, const std::string &object) {
  return ask("filter", {target(op), members, object});
}

static const char *combining(graph::SetKind kind) {
  return kind == graph::SetKind::Union          ? "device.unite("
         : kind == graph::SetKind::Intersection ? "device.intersect("
                                                : "device.subtract(";
}

Text DeviceLaunch::makeSet(Operation *op) {
  return llvm::TypeSwitch<Operation *, Text>(op)
      .Case([&](graph::AllVerticesOp) -> Text { return {"device.set_all(" + target(op) + ")"}; })
      .Case([&](graph::SetOfOp o) -> Text {
        std::string to = target(op);
        return {ask("set_of", {to, printer->operands(o.getOperands())})};
      })
      .Case([&](graph::NeighborsOp o) -> Text {
        const char *name = o.getSide() == graph::Side::Both  ? "both_neighbors("
                           : o.getSide() == graph::Side::Out ? "out_neighbors("
                                                             : "in_neighbors(";
        return {"device." + (name + target(op)) + ", " + printer->index(o.getVertex(), o.getMayBeNone(), o) + ")"};
      })
      .Case([&](graph::SetAlgebraOp o) -> Text {
        std::string to = target(op), lhs = printer->operand(o.getLhs());
        return {combining(o.getKind()) + ("device.copy_set(" + to + ", " + lhs + "), ") + printer->operand(o.getRhs()) +
                ")"};
      })
      .Default([](Operation *) -> Text { llvm_unreachable("a set that the host makes"); });
}

std::string DeviceLaunch::setVariable(Value set, const std::string &name, const std::string &text) {
  auto read = set.getDefiningOp<graph::ReadOp>();
  bool changes = read && !read.getLasting();
  return "const auto " + name + " = " + (changes ? "device.copy_set(" + target(read) + ", " + text + ")" : text) + ";";
}

bool DeviceLaunch::asksFor(Value value, Value state) {
  Operation *def = value.getDefiningOp();
  if (auto read = dyn_cast_if_present<graph::ReadOp>(def))
    return read.getState() == state;
  if (auto let = dyn_cast_if_present<graph::LetOp>(def))
    return asksFor(let.getValue(), state);
  if (!def || printer->isBound(value)) // then it is in a set of its own
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

void DeviceLaunch::assignSet(exec::UpdateOp op) {
  std::string to = state(op.getState());
  Value value = op.getValue();
  if (graph::SetAlgebraOp algebra = printer->inPlace(op))
    return printer->line(combining(algebra.getKind()) + to + ", " + printer->operand(algebra.getRhs()) + ");");
  if (op.getKind() != graph::UpdateKind::Assign) {
    bool both = op.getKind() == graph::UpdateKind::And;
    return printer->line(combining(both ? graph::SetKind::Intersection : graph::SetKind::Union) + to + ", " +
                         printer->operand(value) + ");");
  }
  Operation *def = value.getDefiningOp();
  bool made = def && !printer->isBound(value) && !isa<graph::ReadOp>(def);
  if (made && !asksFor(value, op.getState())) {
    targets[def] = to;
    return printer->line(printer->operand(value) + ";");
  }
  printer->line((made ? "device.move_set(" : "device.copy_set(") + to + ", " + printer->operand(value) + ");");
}

std::string DeviceLaunch::callSegments(Operation *op, StringRef function, const std::string &arguments) {
  std::string member = program.segmentsOf(op);
  return ask(("segments_" + function).str(), {field(member, "gc::cuda::ChosenSegments<V> *", "&" + member), arguments});
}

void DeviceLaunch::snapshot(exec::SnapshotOp op) {
  graph::Shape shape = op.getState().getType().getShape();
  if (shape == graph::Shape::Scalar)
    return printer->line(state(op.getCopy()) + " = " + state(op.getState()) + ";");
  if (shape == graph::Shape::Dense && !op.getRow() && !op.getColumn()) {
    overPairs = true;
    std::string to = matrix(op.getCopy());
    return printer->line(ask("copy_per_pair", {to, matrix(op.getState())}) + ";");
  }
  std::string to = array(op.getCopy());
  if (op.getColumn()) {
    std::string from = matrix(op.getState());
    return printer->line(ask("copy_column", {to, from, printer->operand(op.getColumn())}) + ";");
  }
  const char *function = shape == graph::Shape::PerEdge ? "copy_per_arc" : "copy_per_vertex";
  if (!op.getRow())
    return printer->line(ask(function, {to, array(op.getState())}) + ";");
  std::string from = matrix(op.getState());
  printer->line(ask(function, {to, from + ".row(" + printer->operand(op.getRow()) + ")"}) + ";");
}

} // namespace gcompile::cuda
