#include "codegen_cpp/Interface.h"

#include "codegen_cpp/BodyPrinter.h"

using namespace mlir;

namespace gcompile::cpp {

/// A parameter's default value in C++; "" where there is none that can be written so.
static std::string defaultValue(const Program::Parameter &parameter) {
  std::string all = parameter.given ? defaultText(parameter.given) : "";
  StringRef text = all;
  Type type = parameter.argument.getType();
  if (isa<graph::SetType>(type)) // of all vertices, which no expression without the graph can give
    return "";
  if (auto state = dyn_cast<graph::StateType>(type)) {
    type = state.getElement();
    if (text.consume_front("v.") || text == "self")
      return "gc::VertexRule::" + text.str();
  }
  if (text == "none")
    return "gc::none<V>()";
  if (text.consume_back("inf"))
    return text.str() + "gc::inf<" + typeName(type) + ">()";
  return text.str();
}

/// The parameters as C++ takes them, from values; the names of those without a use stand if `named`.
static std::string signature(const Program &program, bool named) {
  std::string text;
  std::size_t required = 0; // up to there no default value can stand
  for (std::size_t i = 0; i < program.parameters.size(); ++i)
    if (defaultValue(program.parameters[i]).empty())
      required = i + 1;
  for (auto [i, parameter] : llvm::enumerate(program.parameters)) {
    std::string value = i < required ? "" : defaultValue(parameter);
    text += (i ? ", " : "") + parameter.type + (named || parameter.isUsed() ? parameter.name : "") +
            (value.empty() ? "" : " = " + value);
  }
  return text;
}

/// set_arguments, the one place where values are checked.
static std::string setters(const Program &program) {
  unsigned used = 0;
  std::string members, values, given;
  for (const Program::Parameter &parameter : program.parameters) {
    given += (given.empty() ? "" : ", ") + parameter.fromTexts("graph_");
    if (!parameter.isUsed())
      continue;
    members += (used ? ", " : "") + program.members.lookup(parameter.argument);
    values += (used ? ", " : "") + parameter.checked;
    ++used;
  }
  // All are checked, in their order, before one is set.
  if (used > 1) {
    members = "std::tie(" + members + ")";
    values = "std::tuple{" + values + "}";
  }
  std::string text = "/// Gives the next run other arguments; what was made for the graph stays. If one is refused, "
                     "all are as they were.\n";
  text += "void set_arguments(" + signature(program, false) + ") {\n" + (used ? members + " = " + values + ";\n" : "") +
          "}\n\n";
  return text +
         "/// The same from a command line.\nvoid set_arguments(const gc::Arguments &arguments) { set_arguments(" +
         given + "); }\n\n";
}

std::string constructors(const Program &program, const std::string &initialisers) {
  bool takes = !program.parameters.empty();
  std::string names, texts;
  for (const Program::Parameter &parameter : program.parameters) {
    names += (names.empty() ? "" : ", ") + parameter.name;
    texts += ", " + parameter.fromTexts("graph");
  }
  std::string values = signature(program, true);
  bool converts = llvm::all_of(program.parameters, [](const auto &p) { return !defaultValue(p).empty(); });
  return (converts ? "explicit " : "") + program.name + "(const gc::Graph<V> &graph" + (takes ? ", " : "") + values +
         ") : " + initialisers + " {" + (takes ? "\nset_arguments(" + names + ");\n" : "") +
         "}\n\n/// With the arguments of a command line.\n" + program.name +
         "(const gc::Graph<V> &graph, const gc::Arguments &" + (takes ? "arguments" : "") + ") : " + program.name +
         "(graph" + texts + ") {}\n\n" + (takes ? setters(program) : "");
}

std::string results(const Program &program, StringRef host) {
  std::string visits, text;
  NameScope names(&program.scope);
  for (const char *own : {"profile", "layout_seconds"})
    names.reserve(own);
  graph::AlgorithmOp algorithm = program.op;
  algorithm.walk([&](graph::StateOp state) {
    if (!state.getOutput())
      return;
    const std::string &member = program.members.lookup(state.getState());
    graph::StateType type = state.getState().getType();
    bool scalar = type.getShape() == graph::Shape::Scalar;
    std::string value = member + (scalar ? "" : host.str());
    visits += "visit(" + quoted(state.getName()) + ", " + value + ");\n";
    text += (scalar ? "auto " : "const auto &") + names.fresh(state.getName()) + "() const { return " + value + "; }\n";
  });
  return (text.empty() || graph::AlgorithmOp(program.op).getSerialOf()
              ? ""
              : "// The results of the last run.\n" + text + "\n") +
         "/// Calls visit(name, values) for every result.\ntemplate <class Visit> void outputs(Visit &&visit) const "
         "{\n" +
         (visits.empty() ? "(void)visit;\n" : visits) + "}\n\n";
}

} // namespace gcompile::cpp
