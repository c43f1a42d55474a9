// What the printers of every target say about a program apart from its kernels.
#include "codegen_cpp/Program.h"

#include "codegen_cpp/BodyPrinter.h"
#include "codegen_cpp/Format.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>
#include <memory>

using namespace mlir;

namespace gcompile::cpp {

std::pair<std::string, std::string> Program::output(StringRef state) const {
  for (auto &[value, member] : members)
    if (auto op = value.getDefiningOp<graph::StateOp>(); op && op.getName() == state)
      return {elementName(op.getType().getElement()), member + (storage.space == "gc::" ? "" : ".host()")};
  llvm_unreachable("the parallel program has the states of the serial one");
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

void Program::declareMembers() {
  auto member = [&](Value value, StringRef wanted, const std::string &type, const std::string &initialiser) {
    std::string name = scope.fresh((wanted + "_").str());
    members[value] = name;
    declarations.push_back({type, name, initialiser});
  };
  auto spelled = [&](std::string type) {
    if (storage.space != "gc::" && type.rfind("gc::", 0) == 0 && type != "gc::ArcId")
      type = storage.space + type.substr(4);
    return type;
  };
  declareParameters();
  for (const Parameter &parameter : parameters) {
    if (!parameter.isUsed())
      continue;
    Type type = parameter.argument.getType();
    auto state = dyn_cast<graph::StateType>(type);
    std::string stored = state                       ? spelled(storageName(state))
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
      if (type.getShape() == graph::Shape::Scalar)
        member(value, name, spelled(storageName(type)),
               isa<graph::SetType>(type.getElement()) ? "" : "= " + zero(type.getElement()));
      else
        member(value, name, spelled(storageName(type)), size);
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
    } else if (auto propagate = dyn_cast<exec::PropagateOp>(inner); propagate && propagate.getLevels()) {
      member(propagate.getLevels(), suggestName(propagate.getLevels()), storage.space + "Levels<V>", storage.object);
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
    if (isa<graph::SetType>(type) && storage.space != "gc::")
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

namespace {

/// Prints local functions: they see their parameters only.
class FunctionPrinter : public BodyPrinter {
public:
  FunctionPrinter(const NameScope &outer, const std::string &qualifier) : BodyPrinter(outer), qualifier(qualifier) {}

  std::string print(graph::FuncOp op) {
    std::string head = "template <class V> " + qualifier + "inline " + typeName(op.getResult()) + " " +
                       functionName(op.getSymName()) + "(";
    for (auto [i, argument] : llvm::enumerate(op.getBody().getArguments())) {
      StringRef wanted = i < op.getNames().size() ? cast<StringAttr>(op.getNames()[i]).getValue() : StringRef("x");
      std::string name = declare(argument, wanted);
      head += (i ? ", " : "") + typeName(argument.getType()) + (argument.use_empty() ? "" : " " + name);
    }
    block(op.getBody().front());
    return head + ") {\n" + code + "}\n\n";
  }

protected:
  Text setExpression(Operation *) override { llvm_unreachable("a function has no sets"); }
  std::string stateName(Value state) override { return value(state).text; }
  std::string graphName() override { llvm_unreachable("a function does not see the graph"); }

private:
  std::string qualifier;
};

} // namespace

/// The local functions of a module in their namespace.
static std::string printFunctions(ModuleOp module, const NameScope &outer, const std::string &qualifier) {
  std::string functions, source;
  for (auto op : module.getOps<graph::AlgorithmOp>())
    source = llvm::sys::path::filename(op.getSource()).str();
  for (auto op : module.getOps<graph::FuncOp>())
    functions += FunctionPrinter(outer, qualifier).print(op);
  if (functions.empty())
    return "";
  std::string space = functionSpace(source);
  return "namespace " + space + " {\n\n" + functions + "} // namespace " + space + "\n\n";
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

static std::string parameterType(Type type) {
  const char *name = isa<graph::SetType>(type)      ? "vertex_set"
                     : isa<graph::VertexType>(type) ? "vertex"
                     : type.isInteger(1)            ? "boolean"
                     : type.isInteger(32)           ? "integer32"
                     : type.isInteger(64)           ? "integer64"
                     : type.isF32()                 ? "real32"
                                                    : "real64";
  return std::string("gc::ParameterType::") + name;
}

static std::string elementType(Type type) {
  const char *name = isa<TupleType>(type)           ? "tuple"
                     : isa<graph::VertexType>(type) ? "vertex"
                     : isa<graph::EdgeType>(type)   ? "edge"
                     : type.isInteger(1)            ? "boolean"
                     : type.isInteger(32)           ? "int32"
                     : type.isInteger(64)           ? "int64"
                     : type.isF32()                 ? "float32"
                                                    : "float64";
  return std::string("gc::ElementType::") + name;
}

/// The function that describes the program: its parameters, its results, what it needs of the graph.
std::string printInfo(graph::AlgorithmOp op, const std::string &name) {
  std::string text = "/// What the algorithm takes, gives and needs.\ninline gc::ProgramInfo " + name + "_info() {\n";
  text += "gc::ProgramInfo info;\ninfo.name = " + quoted(op.getSymName()) +
          ";\ninfo.source = " + quoted(llvm::sys::path::filename(op.getSource())) + ";\n";
  for (const Argument &argument : argumentsOf(op)) {
    std::string argumentName = quoted(argument.name());
    if (argument.isColumn()) {
      std::string type = elementType(cast<graph::StateType>(argument.value.getType()).getElement());
      text += "info.edge_columns.push_back({" + argumentName +
              ", gc::ColumnType::" + StringRef(type).rsplit(':').second.str() + "});\n";
      continue;
    }
    Attribute given = argument.attributes.get("default");
    Attribute doc = argument.attributes.get("doc");
    Type type = argument.value.getType();
    auto state = dyn_cast<graph::StateType>(type);
    text += "info.parameters.push_back({" + argumentName + ", " + parameterType(state ? state.getElement() : type) +
            ", " + (given ? "false" : "true") + ", " + quoted(given ? defaultText(given) : "") + ", " +
            quoted(doc ? defaultText(doc) : "") +
            (argument.isNonnegative() ? std::string(", ") + (state ? "true" : "false") + ", true"
             : state                  ? ", true"
                                      : "") +
            "});\n";
  }
  op.walk([&](graph::StateOp state) {
    if (!state.getOutput())
      return;
    graph::StateType type = state.getState().getType();
    const char *shapes[] = {"scalar", "vertex", "edge", "dense"};
    text += "info.outputs.push_back({" + quoted(state.getName()) + ", " + elementType(type.getElement()) +
            ", gc::OutputShape::" + shapes[static_cast<unsigned>(type.getShape())] +
            (state.getUnordered() ? ", true, {" : ", false, {");
    if (auto tuple = dyn_cast<TupleType>(type.getElement()))
      for (auto [i, element] : llvm::enumerate(tuple.getTypes()))
        text += (i ? ", " : "") + elementType(element);
    text += "}});\n";
  });
  if (op.getDirectedness() != "any")
    text += "info.directedness = gc::Directedness::" + op.getDirectedness().str() + ";\n";
  if (op.getProfiled())
    text += "info.profiled = true;\n";
  std::string checked;
  for (const Argument &argument : argumentsOf(op))
    if (argument.isColumn() && argument.isNonnegative())
      checked += (checked.empty() ? "" : ", ") + quoted(argument.name());
  if (!checked.empty())
    text += "info.nonnegative_weights = {" + checked + "};\n";
  if (DictionaryAttr needs = op.getNeeds().value_or(DictionaryAttr())) {
    for (const char *flag : {"in_edges", "in_edge_ids"})
      if (needs.get(flag))
        text += std::string("info.needs_") + flag + " = true;\n";
    for (const char *layout : {"vertices_by_degree", "neighbors_by_degree"})
      if (needs.get(layout))
        text += std::string("info.") + layout + " = true;\n";
    for (const char *bytes : {"bytes_per_vertex", "bytes_per_edge", "bytes_per_pair"})
      if (auto number = dyn_cast_or_null<FloatAttr>(needs.get(bytes)))
        text += std::string("info.") + bytes + " = " + fmt::format("{}", number.getValueAsDouble()) + ";\n";
  }
  return text + "return info;\n}\n\n";
}

void Program::listMembers(std::string &initialisers, std::string &fields, const std::vector<Member> &more) const {
  auto add = [&](const Member &member) {
    bool atDeclaration = StringRef(member.initialiser).starts_with("= ");
    fields += member.type + " " + member.name + (atDeclaration ? " " + member.initialiser : "") + ";\n";
    if (!member.initialiser.empty() && !atDeclaration)
      initialisers += ", " + member.name + "(" + member.initialiser + ")";
  };
  llvm::for_each(declarations, add);
  llvm::for_each(more, add);
}

std::string printModule(ModuleOp module, StringRef includes, const std::string &qualifier, bool main,
                        llvm::function_ref<std::string(Program &program, Program *serial)> print) {
  std::vector<std::unique_ptr<Program>> programs;
  NameScope classes;
  std::string source;
  for (auto op : module.getOps<graph::AlgorithmOp>()) {
    // What stands beside the classes; names in them must not hide it.
    std::string name = functionName(op.getSymName());
    for (const char *of : {"_info", "_kernels"})
      classes.reserve(name + of);
    classes.reserve(functionSpace(llvm::sys::path::filename(op.getSource())));
  }
  for (auto op : module.getOps<graph::AlgorithmOp>()) {
    auto program = std::make_unique<Program>();
    program->op = op;
    StringRef base = op.getSerialOf().value_or(op.getSymName());
    program->name = classes.fresh(className(base) + (op.getSerialOf() ? "Serial" : ""));
    program->scope = NameScope(&classes);
    source = llvm::sys::path::filename(op.getSource()).str();
    programs.push_back(std::move(program));
  }
  auto serialOf = [&](Program &program) -> Program * {
    for (auto &other : programs)
      if (other->op.getSerialOf() && *other->op.getSerialOf() == program.op.getSymName())
        return other.get();
    return nullptr;
  };

  std::string text = "// Generated by gcompile" + (source.empty() ? "" : " from " + source) + ".\n";
  text += includes.str() + printFunctions(module, classes, qualifier);
  std::string mainBody;
  for (auto &program : programs) {
    if (program->op.getSerialOf())
      continue;
    Program *serial = serialOf(*program);
    if (serial)
      serial->parallel = program.get();
    text += print(*program, serial);
    if (mainBody.empty())
      mainBody = "return gc::program_main<" + program->name + ", " + (serial ? serial->name : "gc::WithoutSerial") +
                 ">(argc, argv, " + functionName(program->op.getSymName()) + "_info());\n";
  }
  if (main && !mainBody.empty())
    text += "int main(int argc, char **argv) {\n" + mainBody + "}\n";
  return format(text);
}

std::string Program::segmentsOf(Operation *op) {
  auto kernel = dyn_cast<exec::ParallelOp>(op);
  std::optional<std::uint64_t> width = kernel ? kernel.getSegmentWidth() : std::nullopt;
  std::uint64_t number = width    ? *width
                         : kernel ? *kernel.getSourceBytes()
                                  : cast<exec::SegmentsPayOp>(op).getSourceBytes();
  bool device = storage.space != "gc::"; // there all are cut in a run
  auto [member, isNew] = segments.try_emplace(
      {(width && !device ? "const " : "") + storage.space + (width ? "Segments<V>" : "ChosenSegments<V>"),
       (device ? "graph_, " : "graph, ") + std::to_string(number)});
  if (isNew)
    member->second = scope.fresh("segments_");
  return member->second;
}

} // namespace gcompile::cpp
