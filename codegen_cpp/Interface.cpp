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

std::string constructors(const Program &program, const std::string &initialisers) {
  std::string head = program.name + "(const gc::Graph<V> &graph", given = "graph";
  std::size_t required = 0; // up to there no default value can stand
  for (std::size_t i = 0; i < program.parameters.size(); ++i)
    if (defaultValue(program.parameters[i]).empty())
      required = i + 1;
  for (auto [i, parameter] : llvm::enumerate(program.parameters)) {
    std::string value = i < required ? "" : defaultValue(parameter);
    head += ", " + parameter.type + (parameter.argument.use_empty() ? "" : parameter.name) +
            (value.empty() ? "" : " = " + value);
    given += ", " + parameter.fromTexts;
  }
  std::string text = (required == 0 ? "explicit " : "") + head + ") : " + initialisers + " {}\n\n";
  text += "/// With the arguments of a command line.\n" + program.name +
          "(const gc::Graph<V> &graph, const gc::Arguments &" + (program.parameters.empty() ? "" : "arguments") +
          ") : " + program.name + "(" + given + ") {}\n\n";
  return text;
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
    text += (scalar || !host.empty() ? "auto " : "const auto &") + names.fresh(state.getName()) + "() const { return " +
            value + "; }\n";
  });
  return (text.empty() || program.op->hasAttr("serial_of") ? "" : "// The results of the last run.\n" + text + "\n") +
         "/// Calls visit(name, values) for every result.\ntemplate <class Visit> void outputs(Visit &&visit) const "
         "{\n" +
         (visits.empty() ? "(void)visit;\n" : visits) + "}\n\n";
}

} // namespace gcompile::cpp
