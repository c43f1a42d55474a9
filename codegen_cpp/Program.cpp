// What the printers of every target say about a program apart from its kernels.
#include "codegen_cpp/Program.h"

#include <fmt/format.h>

using namespace mlir;

namespace gcompile::cpp {

bool hasPackedLists(Operation *op) {
  auto algorithm = dyn_cast<graph::AlgorithmOp>(op);
  if (!algorithm)
    algorithm = op->getParentOfType<graph::AlgorithmOp>();
  return algorithm && algorithm.getNeeds() && algorithm.getNeeds()->contains("packed");
}

/// The state of that name in a block, or in those in which stages stand.
static graph::StateOp stateIn(Block &block, StringRef name) {
  for (auto state : block.getOps<graph::StateOp>())
    if (state.getName() == name)
      return state;
  for (Operation &op : block)
    for (Block *inner : exec::stagedBlocks(&op))
      if (graph::StateOp state = stateIn(*inner, name))
        return state;
  return {};
}

graph::StateOp stateNamed(graph::AlgorithmOp algorithm, StringRef name) {
  if (graph::StateOp state = stateIn(algorithm.getBody().front(), name))
    return state;
  llvm_unreachable("what asks for a state by its name has it from the algorithm");
}

std::pair<std::string, std::string> Program::output(StringRef state) const {
  for (auto &[value, member] : members)
    if (auto op = value.getDefiningOp<graph::StateOp>(); op && op.getName() == state)
      return {elementName(op.getType().getElement()), member + (storage.onDevice ? ".host()" : "")};
  llvm_unreachable("the parallel program has the states of the serial one");
}

exec::PropagateOp Program::handingOver() const {
  exec::PropagateOp found;
  graph::AlgorithmOp(op).walk([&](exec::PropagateOp propagate) {
    if (propagate.getHandOver())
      found = propagate;
  });
  return found;
}

List Program::crossing() const {
  List result;
  for (StringRef name : handingOver().getCrossing()->getAsValueRange<StringAttr>())
    result.add(members.lookup(stateNamed(op, name).getState()));
  return result;
}

std::string Program::replayOf(exec::ClaimOp claim) {
  if (!claim.getWitness() || !parallel)
    return "";
  Value claimed = claim.getState();
  if (auto second = claimed.getDefiningOp<exec::SnapshotOp>()) // of two copies: the claim is made in the next one
    claimed = second.getState();
  std::string state = claimed.getDefiningOp<graph::StateOp>().getName().str();
  auto [member, isNew] = replays.try_emplace(state);
  if (isNew)
    member->second = scope.fresh(state + "_replay_");
  return member->second;
}

std::string indexParameters(exec::KeepIndexOp index) {
  bool least = index.getKind() == graph::ReduceKind::ArgMin;
  return typeName(index.getKeyType()) + (least ? ", true" : ", false");
}

void Program::declareMembers() {
  if (llvm::any_of(op.getBody().front(), [](Operation &each) { return !exec::stagedBlocks(&each).empty(); }))
    turns = scope.fresh("turns");
  auto declare = [&](Value value, StringRef wanted, Member member) {
    member.name = scope.fresh((wanted + "_").str());
    members[value] = member.name;
    declarations.push_back(std::move(member));
  };
  auto member = [&](Value value, StringRef wanted, const std::string &type, const std::string &made) {
    declare(value, wanted, {type, "", "", made});
  };
  declareParameters();
  for (const Parameter &parameter : parameters) {
    if (!parameter.isUsed())
      continue;
    Type type = parameter.argument.getType();
    auto state = dyn_cast<graph::StateType>(type);
    std::string stored = state                       ? storageName(state, storage.space)
                         : isa<graph::SetType>(type) ? storage.space + "VertexSet<V>"
                                                     : typeName(type);
    if (!op.getSerialOf()) // set by set_arguments
      member(parameter.argument, parameter.text, stored, "");
    else
      member(parameter.argument, parameter.text, "const " + stored,
             parameter.fromTexts("graph") + (state ? ".on(graph, " + quoted(parameter.text) + ")" : ""));
  }
  op.walk([&](Operation *inner) {
    bool inKernel = inner->getParentOfType<exec::ParallelOp>() || inner->getParentOfType<exec::ReduceOp>() ||
                    inner->getParentOfType<exec::FilterOp>() || inner->getParentOfType<exec::OrderedOp>() ||
                    inner->getParentOfType<exec::AsynchronousOp>();
    // `until` runs on the host, the other regions of a propagate are kernels.
    for (Operation *parent = inner->getParentOp(), *child = inner; parent;
         child = parent, parent = parent->getParentOp())
      if (auto propagate = dyn_cast<exec::PropagateOp>(parent))
        inKernel |= child->getParentRegion() != &propagate.getUntil();
    auto declareState = [&](Value value, StringRef name, const std::string &size) {
      auto type = cast<graph::StateType>(value.getType());
      std::string stored = storageName(type, storage.space);
      if (type.getShape() == graph::Shape::Scalar)
        declare(value, name, {stored, "", isa<graph::SetType>(type.getElement()) ? "" : zero(type.getElement())});
      else if (type.getShape() == graph::Shape::Array) // its length is known when it starts
        declare(value, name, {stored, "", ""});
      else if (type.getShape() == graph::Shape::Dense && !storage.pairs.empty())
        member(value, name, storage.pairs + "<" + elementName(type.getElement()) + ">", storage.pairsMadeOf);
      else if (type.getShape() == graph::Shape::Dense && storage.inParts)
        member(value, name, stored, stored + "::zeros(" + size + ")");
      else
        member(value, name, stored, size);
    };
    auto sizeOf = [&](graph::StateType type) {
      return storage.object + (type.getShape() == graph::Shape::PerEdge ? ".num_arcs()" : ".num_vertices()");
    };
    if (auto state = dyn_cast<graph::StateOp>(inner); state && !inKernel) {
      declareState(state.getState(), state.getName(), sizeOf(state.getState().getType()));
    } else if (auto snapshot = dyn_cast<exec::SnapshotOp>(inner)) {
      graph::StateType type = snapshot.getCopy().getType();
      if (snapshot.getRow() || snapshot.getColumn())
        member(snapshot.getCopy(), snapshot.getName(),
               storage.space + "Property<" + elementName(type.getElement()) + ">", storage.object + ".num_vertices()");
      else
        declareState(snapshot.getCopy(), snapshot.getName(), sizeOf(type));
    } else if (auto ordered = dyn_cast<exec::ByTargetOp>(inner)) {
      auto column = cast<BlockArgument>(ordered.getColumn());
      member(ordered.getCopy(), ordered.getName(),
             "const " + storage.space + "ByTarget<" + elementName(ordered.getCopy().getType().getElement()) + ">",
             storage.object + ", " + std::to_string(column.getArgNumber()));
    } else if (auto buckets = dyn_cast<exec::BucketsOp>(inner)) {
      auto priority = cast<graph::StateType>(buckets.getPriority().getType());
      member(buckets.getBuckets(), buckets.getName(),
             storage.space + "BucketedSet<V, " + elementName(priority.getElement()) + ">", storage.object);
    } else if (auto index = dyn_cast<exec::KeepIndexOp>(inner)) {
      member(index.getIndex(), index.getName(), storage.space + "KeptIndex<V, " + indexParameters(index) + ">",
             storage.object);
    } else if (auto propagate = dyn_cast<exec::PropagateOp>(inner); propagate && propagate.getLevels()) {
      member(propagate.getLevels(), suggestName(propagate.getLevels()),
             (storage.levels.empty() ? storage.space : storage.levels) + "Levels<V>", storage.object);
    }
  });
  if (!op.getSerialOf())
    nameParameters();
}

void Program::nameParameters() {
  NameScope names(&scope);
  for (Parameter &parameter : parameters) {
    parameter.name = names.fresh(parameter.text);
    Type type = parameter.argument.getType();
    std::string name = quoted(parameter.text), &value = parameter.checked;
    value = parameter.name;
    if (isa<graph::StateType>(type))
      value += ".on(" + storage.host + ", " + name + ")";
    if (parameter.nonnegative)
      value = "gc::nonnegative(" + value + ", " + name + ")";
    if (isa<graph::SetType, graph::VertexType>(type))
      value = "gc::checked(" + storage.host + ", " + value + ", " + name + ")";
    if (isa<graph::SetType>(type) && storage.onDevice)
      value = storage.space + "VertexSet<V>::of(" + storage.member + ", " + value + ")";
  }
}

void Program::declareParameters() {
  unsigned column = 0;
  for (const Argument &argument : argumentsOf(op)) {
    if (argument.isColumn()) {
      columns[argument.value] = column++;
      continue;
    }
    Type type = argument.value.getType();
    auto state = dyn_cast<graph::StateType>(type);
    parameters.push_back({argument.value, argument.name().str(),
                          state ? "const gc::VertexValues<" + elementName(state.getElement()) + "> &"
                          : isa<graph::SetType>(type) ? "const gc::VertexSet<V> &"
                                                      : typeName(type) + " ",
                          "", argument.attributes.get("default"), argument.isNonnegative(), ""});
  }
}

std::string Program::Parameter::fromTexts(StringRef graph) const {
  Type type = argument.getType();
  std::string name = quoted(text);
  if (auto state = dyn_cast<graph::StateType>(type))
    return "arguments.template vertex_values<" + elementName(state.getElement()) + ">(" + name + ")";
  if (isa<graph::SetType>(type))
    return "gc::VertexSet<V>::of(" + graph.str() + ".num_vertices(), arguments.template vertex_set<V>(" + name + "))";
  std::string value = isa<graph::VertexType>(type) ? "arguments.template vertex<V>(" + name + ")"
                      : type.isInteger(1)          ? "arguments.boolean(" + name + ")"
                      : isa<FloatType>(type)       ? "arguments.real(" + name + ")"
                                                   : "arguments.integer(" + name + ")";
  return type.isF32() || type.isInteger(32) ? typeName(type) + "(" + value + ")" : value;
}

std::vector<Argument> argumentsOf(graph::AlgorithmOp op) {
  std::vector<Argument> result;
  for (auto [value, attribute] : llvm::zip(op.getBody().getArguments(), op.getArguments()))
    result.push_back({value, cast<DictionaryAttr>(attribute)});
  return result;
}

std::string defaultText(Attribute attribute) {
  if (auto text = dyn_cast<StringAttr>(attribute))
    return text.str();
  if (auto flag = dyn_cast<BoolAttr>(attribute))
    return flag.getValue() ? "true" : "false";
  if (auto number = dyn_cast<IntegerAttr>(attribute))
    return std::to_string(number.getInt());
  if (auto number = dyn_cast<FloatAttr>(attribute))
    return fmt::format("{}", number.getValueAsDouble());
  return "none";
}

void Program::listMembers(List &initialisers, Writer &fields, const std::vector<Member> &more) const {
  auto add = [&](const Member &member) {
    fields.line(member.type + " " + member.name + (member.value.empty() ? "" : " = " + member.value) + ";");
    if (!member.made.empty())
      initialisers.add(member.name + "(" + member.made + ")");
  };
  llvm::for_each(declarations, add);
  llvm::for_each(more, add);
}

std::string Program::segmentsOf(Operation *op) {
  auto kernel = dyn_cast<exec::ParallelOp>(op);
  std::optional<std::uint64_t> width = kernel ? kernel.getSegmentWidth() : std::nullopt;
  std::uint64_t number = width    ? *width
                         : kernel ? *kernel.getSourceBytes()
                                  : cast<exec::SegmentsPayOp>(op).getSourceBytes();
  auto [member, isNew] = segments.try_emplace({!width, number});
  if (isNew)
    member->second = scope.fresh("segments_");
  return member->second;
}

std::string Program::alignedListsOf(const std::string &graph) {
  auto [member, isNew] = alignedLists.try_emplace(graph);
  if (isNew)
    member->second = scope.fresh(graph == "graph_" ? "aligned_" : "aligned_" + graph);
  return member->second;
}

void Program::listSegments(std::vector<Member> &members, const std::string &space, const std::string &madeOf) const {
  for (auto &[cut, member] : segments) {
    bool fixed = !cut.chosen && !storage.onDevice; // there all are cut in a run
    const std::string type = (cut.chosen ? "ChosenSegments<V" : "Segments<V") + adjacency() + ">";
    members.push_back({(fixed ? "const " : "") + space + type, member, "", madeOf + ", " + std::to_string(cut.number)});
  }
}

} // namespace gcompile::cpp
