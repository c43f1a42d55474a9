// The frame of the output: includes, local functions, one class for each algorithm, its description, main.
#include "codegen_omp/OmpPrinter.h"

#include "codegen_cpp/Format.h"
#include "codegen_omp/HostPrinter.h"
#include "codegen_omp/Program.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>
#include <memory>

using namespace mlir;

namespace gcompile::omp {

std::string Program::memberOf(StringRef state) const {
  for (auto &[value, member] : members)
    if (auto op = value.getDefiningOp<graph::StateOp>(); op && op.getName() == state)
      return member;
  llvm_unreachable("the parallel program has the states of the serial one");
}

namespace {

/// Prints local functions: they see their parameters only.
class FunctionPrinter : public cpp::BodyPrinter {
public:
  explicit FunctionPrinter(const cpp::NameScope &outer) : BodyPrinter(outer) {}

  std::string print(graph::FuncOp op) {
    std::string head =
        "template <class V> inline " + cpp::typeName(op.getResult()) + " " + cpp::functionName(op.getSymName()) + "(";
    for (auto [i, argument] : llvm::enumerate(op.getBody().getArguments())) {
      StringRef wanted = i < op.getNames().size() ? cast<StringAttr>(op.getNames()[i]).getValue() : StringRef("x");
      std::string name = declare(argument, wanted);
      head += (i ? ", " : "") + cpp::typeName(argument.getType()) + (argument.use_empty() ? "" : " " + name);
    }
    block(op.getBody().front());
    return head + ") {\n" + code + "}\n\n";
  }

protected:
  cpp::Text setExpression(Operation *) override { llvm_unreachable("a function has no sets"); }
  std::string stateName(Value state) override { return value(state).text; }
  std::string graphName() override { llvm_unreachable("a function does not see the graph"); }
};

/// One algorithm's argument: its description in the attribute `arguments`.
struct Argument {
  BlockArgument value;
  DictionaryAttr attributes;
  StringRef name() const { return cast<StringAttr>(attributes.get("name")).getValue(); }
  bool isColumn() const { return isa<graph::StateType>(value.getType()); }
};

std::vector<Argument> argumentsOf(graph::AlgorithmOp op) {
  std::vector<Argument> result;
  for (auto [value, attribute] : llvm::zip(op.getBody().getArguments(), op.getArguments()))
    result.push_back({value, cast<DictionaryAttr>(attribute)});
  return result;
}

/// Gives every state, snapshot, level list and parameter its member.
void declareMembers(Program &program) {
  auto member = [&](Value value, StringRef wanted, const std::string &type, const std::string &initialiser) {
    std::string name = program.scope.fresh((wanted + "_").str());
    program.members[value] = name;
    program.declarations.push_back({type, name, initialiser});
  };
  unsigned columns = 0;
  for (const Argument &argument : argumentsOf(program.op)) {
    Type type = argument.value.getType();
    std::string text = cpp::quoted(argument.name());
    if (argument.isColumn()) {
      program.columns[argument.value] = columns++;
      continue;
    }
    if (argument.value.use_empty())
      continue;
    if (isa<graph::SetType>(type)) {
      member(argument.value, argument.name(), "const gc::VertexSet<V>",
             "gc::VertexSet<V>::of(graph.num_vertices(), arguments.template vertex_set<V>(" + text + "))");
      continue;
    }
    std::string read = isa<graph::VertexType>(type) ? "arguments.template vertex<V>(" + text + ")"
                       : type.isInteger(1)          ? "arguments.boolean(" + text + ")"
                       : isa<FloatType>(type)       ? "arguments.real(" + text + ")"
                                                    : "arguments.integer(" + text + ")";
    if (type.isF32() || type.isInteger(32))
      read = cpp::typeName(type) + "(" + read + ")";
    member(argument.value, argument.name(), "const " + cpp::typeName(type), read);
  }
  program.op.walk([&](Operation *op) {
    bool inKernel = op->getParentOfType<exec::ParallelOp>() || op->getParentOfType<exec::ReduceOp>() ||
                    op->getParentOfType<exec::FilterOp>() || op->getParentOfType<exec::OrderedOp>();
    // `until` runs on the host, the other regions of a propagate are kernels.
    for (Operation *parent = op->getParentOp(), *child = op; parent; child = parent, parent = parent->getParentOp())
      if (auto propagate = dyn_cast<exec::PropagateOp>(parent))
        inKernel |= child->getParentRegion() != &propagate.getUntil();
    auto declareState = [&](Value value, StringRef name, const std::string &size) {
      auto type = cast<graph::StateType>(value.getType());
      if (type.getShape() == graph::Shape::Scalar)
        member(value, name, cpp::storageName(type),
               isa<graph::SetType>(type.getElement()) ? "" : "= " + cpp::zero(type.getElement()));
      else
        member(value, name, cpp::storageName(type), size);
    };
    auto sizeOf = [](graph::StateType type) {
      return type.getShape() == graph::Shape::PerEdge ? "graph.num_arcs()" : "graph.num_vertices()";
    };
    if (auto state = dyn_cast<graph::StateOp>(op); state && !inKernel) {
      declareState(state.getState(), state.getName(), sizeOf(state.getState().getType()));
    } else if (auto snapshot = dyn_cast<exec::SnapshotOp>(op)) {
      graph::StateType type = snapshot.getCopy().getType();
      if (snapshot.getRow() || snapshot.getColumn())
        member(snapshot.getCopy(), snapshot.getName(), "gc::Property<" + cpp::elementName(type.getElement()) + ">",
               "graph.num_vertices()");
      else
        declareState(snapshot.getCopy(), snapshot.getName(), sizeOf(type));
    } else if (auto buckets = dyn_cast<exec::BucketsOp>(op)) {
      auto priority = cast<graph::StateType>(buckets.getPriority().getType());
      member(buckets.getBuckets(), buckets.getName(),
             "gc::BucketedSet<V, " + cpp::elementName(priority.getElement()) + ">", "graph");
    } else if (auto propagate = dyn_cast<exec::PropagateOp>(op); propagate && propagate.getLevels()) {
      member(propagate.getLevels(), cpp::suggestName(propagate.getLevels()), "gc::Levels<V>", "graph");
    }
  });
}

std::string printClass(Program &program, StringRef serialName) {
  declareMembers(program);
  HostPrinter host(program);
  host.block(program.op.getBody().front());

  bool serial = program.op.getSerialOf().has_value();
  std::string initialisers = "graph_(graph)", fields = "const gc::Graph<V> graph_;\n", outputs;
  bool usesArguments = false;
  auto add = [&](const Program::Member &member) {
    bool atDeclaration = StringRef(member.initialiser).starts_with("= ");
    fields += member.type + " " + member.name + (atDeclaration ? " " + member.initialiser : "") + ";\n";
    if (!member.initialiser.empty() && !atDeclaration)
      initialisers += ", " + member.name + "(" + member.initialiser + ")";
    usesArguments |= member.initialiser.find("arguments.") != std::string::npos;
  };
  for (const Program::Member &member : program.declarations)
    add(member);
  if (program.usesFrontier)
    add({"gc::Frontier<V>", "frontier_", "graph"});
  if (program.usesWitness)
    add({"const " + program.parallel->name + "<V> *", "witness_", "witness"});
  program.op.walk([&](graph::StateOp state) {
    if (state.getOutput())
      outputs += "visit(" + cpp::quoted(state.getName()) + ", " + program.members[state.getState()] + ");\n";
  });

  std::string text = "template <class V> class " + program.name + " {\npublic:\n";
  text += program.name + "(const gc::Graph<V> &graph, const gc::Arguments &" + (usesArguments ? "arguments" : "") +
          (serial ? ", const " + program.parallel->name + "<V> *" + (program.usesWitness ? "witness" : "") : "") +
          ") : " + initialisers + " {}\n\n";
  text += "/// Runs the algorithm from its beginning.\nvoid run() {\n" + host.code + "}\n\n";
  text +=
      "/// Calls visit(name, values) for every result.\ntemplate <class Visit> void outputs(Visit &&visit) const {\n" +
      (outputs.empty() ? "(void)visit;\n" : outputs) + "}\n\n";
  text += "private:\n";
  if (!serialName.empty())
    text += "template <class> friend class " + serialName.str() + ";\n\n";
  for (const std::string &function : program.functions)
    text += function + "\n";
  return text + fields + "};\n\n";
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

std::string parameterType(Type type) {
  const char *name = isa<graph::SetType>(type)      ? "vertex_set"
                     : isa<graph::VertexType>(type) ? "vertex"
                     : type.isInteger(1)            ? "boolean"
                     : type.isInteger(32)           ? "integer32"
                     : type.isInteger(64)           ? "integer64"
                     : type.isF32()                 ? "real32"
                                                    : "real64";
  return std::string("gc::ParameterType::") + name;
}

std::string elementType(Type type) {
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
  text += "gc::ProgramInfo info;\ninfo.name = " + cpp::quoted(op.getSymName()) +
          ";\ninfo.source = " + cpp::quoted(llvm::sys::path::filename(op.getSource())) + ";\n";
  for (const Argument &argument : argumentsOf(op)) {
    std::string quoted = cpp::quoted(argument.name());
    if (argument.isColumn()) {
      std::string type = elementType(cast<graph::StateType>(argument.value.getType()).getElement());
      text += "info.edge_columns.push_back({" + quoted +
              ", gc::ColumnType::" + StringRef(type).rsplit(':').second.str() + "});\n";
      continue;
    }
    Attribute given = argument.attributes.get("default");
    Attribute doc = argument.attributes.get("doc");
    text += "info.parameters.push_back({" + quoted + ", " + parameterType(argument.value.getType()) + ", " +
            (given ? "false" : "true") + ", " + cpp::quoted(given ? defaultText(given) : "") + ", " +
            cpp::quoted(doc ? defaultText(doc) : "") + "});\n";
  }
  op.walk([&](graph::StateOp state) {
    if (!state.getOutput())
      return;
    graph::StateType type = state.getState().getType();
    const char *shapes[] = {"scalar", "vertex", "edge", "dense"};
    text += "info.outputs.push_back({" + cpp::quoted(state.getName()) + ", " + elementType(type.getElement()) +
            ", gc::OutputShape::" + shapes[static_cast<unsigned>(type.getShape())] +
            (state->hasAttr("unordered") ? ", true, {" : ", false, {");
    if (auto tuple = dyn_cast<TupleType>(type.getElement()))
      for (auto [i, element] : llvm::enumerate(tuple.getTypes()))
        text += (i ? ", " : "") + elementType(element);
    text += "}});\n";
  });
  if (op.getDirectedness() != "any")
    text += "info.directedness = gc::Directedness::" + op.getDirectedness().str() + ";\n";
  if (DictionaryAttr needs = op.getNeeds().value_or(DictionaryAttr())) {
    for (const char *flag : {"in_edges", "in_edge_ids"})
      if (needs.get(flag))
        text += std::string("info.needs_") + flag + " = true;\n";
    if (needs.get("vertices_by_degree"))
      text += "info.vertices_by_degree = true;\n";
    if (auto column = dyn_cast_or_null<StringAttr>(needs.get("nonnegative")))
      text += "info.nonnegative_weights = " + cpp::quoted(column.getValue()) + ";\n";
    for (const char *bytes : {"bytes_per_vertex", "bytes_per_edge", "bytes_per_pair"})
      if (auto number = dyn_cast_or_null<FloatAttr>(needs.get(bytes)))
        text += std::string("info.") + bytes + " = " + fmt::format("{}", number.getValueAsDouble()) + ";\n";
  }
  return text + "return info;\n}\n\n";
}

} // namespace
} // namespace gcompile::omp

namespace gcompile {

std::string printOmp(ModuleOp module, const OmpPrinterOptions &options) {
  using namespace omp;
  std::vector<std::unique_ptr<Program>> programs;
  cpp::NameScope classes;
  std::string source, functions;
  for (auto op : module.getOps<graph::AlgorithmOp>()) {
    auto program = std::make_unique<Program>();
    program->op = op;
    StringRef base = op.getSerialOf().value_or(op.getSymName());
    program->name = classes.fresh(cpp::className(base) + (op.getSerialOf() ? "Serial" : ""));
    program->scope = cpp::NameScope(&classes);
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
  text += "#include <gcompile/omp.h>\n#include <gcompile/program.h>\n\n";
  for (auto op : module.getOps<graph::FuncOp>())
    functions += FunctionPrinter(classes).print(op);
  if (!functions.empty()) {
    std::string space = cpp::functionSpace(source);
    text += "namespace " + space + " {\n\n" + functions + "} // namespace " + space + "\n\n";
  }
  // A serial form is complete after its parallel one, which it looks into.
  std::string mainBody;
  for (auto &program : programs) {
    if (program->op.getSerialOf())
      continue;
    Program *serial = serialOf(*program);
    text += printClass(*program, serial ? serial->name : "");
    if (serial) {
      serial->parallel = program.get();
      text += "// The same algorithm without threads, which checks the parallel one.\n" + printClass(*serial, "");
    }
    std::string info = cpp::functionName(program->op.getSymName());
    text += printInfo(program->op, info);
    if (mainBody.empty())
      mainBody = "return gc::program_main<" + program->name + ", " + (serial ? serial->name : "gc::WithoutSerial") +
                 ">(argc, argv, " + info + "_info());\n";
  }
  if (options.main && !mainBody.empty())
    text += "int main(int argc, char **argv) {\n" + mainBody + "}\n";
  return cpp::format(text);
}

} // namespace gcompile
