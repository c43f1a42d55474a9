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
  List parameters;
  std::size_t required = 0; // up to there no default value can stand
  for (std::size_t i = 0; i < program.parameters.size(); ++i)
    if (defaultValue(program.parameters[i]).empty())
      required = i + 1;
  for (auto [i, parameter] : llvm::enumerate(program.parameters)) {
    std::string value = i < required ? "" : defaultValue(parameter);
    parameters.add(parameter.type + (named || parameter.isUsed() ? parameter.name : "") +
                   (value.empty() ? "" : " = " + value));
  }
  return parameters.text();
}

/// set_arguments, the one place where values are checked.
static void setters(Writer &out, const Program &program) {
  std::vector<Program::Parameter> used;
  llvm::copy_if(program.parameters, std::back_inserter(used), [](const auto &each) { return each.isUsed(); });
  std::string members = listed(used, [&](const auto &each) { return program.members.lookup(each.argument); });
  std::string values = listed(used, [](const auto &each) { return each.checked; });
  // All are checked, in their order, before one is set.
  if (used.size() > 1) {
    members = "std::tie(" + members + ")";
    values = "std::tuple{" + values + "}";
  }
  out.line(
      "/// Gives the next run other arguments; what was made for the graph stays. If one is refused, all are as they "
      "were.");
  {
    Writer::Block function = out.block("void set_arguments(" + signature(program, false) + ")");
    if (!used.empty())
      out.line(members + " = " + values + ";");
  }
  out.line();
  out.line("/// The same from a command line.");
  auto text = [](const auto &each) { return each.fromTexts("graph_"); };
  out.line("void set_arguments(const gc::Arguments &arguments) { set_arguments(" + listed(program.parameters, text) +
           "); }");
  out.line();
}

void constructors(Writer &out, const Program &program, const List &initialisers) {
  const bool takes = !program.parameters.empty();
  bool converts = llvm::all_of(program.parameters, [](const auto &each) { return !defaultValue(each).empty(); });
  {
    Writer::Block body =
        out.block((converts ? "explicit " : "") + program.name + "(const " + program.graphType() + " &graph" +
                  (takes ? ", " : "") + signature(program, true) + ") : " + initialisers.text());
    if (takes)
      out.line("set_arguments(" + listed(program.parameters, [](const auto &each) { return each.name; }) + ");");
  }
  out.line();
  out.line("/// With the arguments of a command line.");
  List given;
  given.add("graph");
  for (const Program::Parameter &parameter : program.parameters)
    given.add(parameter.fromTexts("graph"));
  out.line(program.name + "(const " + program.graphType() + " &graph, const gc::Arguments &" +
           (takes ? "arguments" : "") + ") : " + program.name + "(" + given.text() + ") {}");
  out.line();
  if (takes)
    setters(out, program);
}

void results(Writer &out, const Program &program) {
  Writer visits, functions, there;
  NameScope names(&program.scope);
  for (const char *own : {"profile", "layout_seconds", "segment_bytes"})
    names.reserve(own);
  graph::AlgorithmOp algorithm = program.op;
  algorithm.walk([&](graph::StateOp state) {
    if (!state.getOutput())
      return;
    const std::string &member = program.members.lookup(state.getState());
    bool scalar = state.getState().getType().getShape() == graph::Shape::Scalar;
    std::string value = member + (program.storage.onDevice && !scalar ? ".host()" : "");
    visits.line("visit(" + quoted(state.getName()) + ", " + value + ");");
    there.line("visit(" + quoted(state.getName()) + ", " + member + ");");
    functions.line((scalar ? "auto " : "const auto &") + names.fresh(state.getName()) + "() const { return " + value +
                   "; }");
  });
  if (!functions.empty() && !algorithm.getSerialOf()) {
    out.line("// The results of the last run.");
    out.add(functions);
    out.line();
  }
  out.line("/// Calls visit(name, values) for every result.");
  {
    Writer::Block function = out.block("template <class Visit> void outputs(Visit &&visit) const");
    if (visits.empty())
      out.line("(void)visit;");
    out.add(visits);
  }
  out.line();
  if (!program.storage.onDevice || visits.empty())
    return;
  out.line("/// The same with the results where they are, on the device.");
  {
    Writer::Block function = out.block("template <class Visit> void device_outputs(Visit &&visit) const");
    out.add(there);
  }
  out.line();
}

void printRun(Writer &out, const Program &program, const Writer &body, const std::vector<std::string> &last,
              const std::string &comment, const std::string &head) {
  out.line(comment);
  {
    Writer::Block run = out.block(head);
    if (program.profiled())
      out.line("profile_.start();");
    out.add(body);
    for (const std::string &line : last)
      out.line(line);
    if (program.profiled())
      out.line("profile_.finish();");
  }
  out.line();
}

void printProfile(Writer &out, const Program &program) {
  if (!program.profiled())
    return;
  out.line("/// The calls of kernels in the last run.");
  out.line("const gc::Profile &profile() const { return profile_; }");
  out.line();
}

void printSegmentBytes(Writer &out, const Program &program) {
  List bytes(" + ");
  for (auto &[cut, member] : program.segments)
    bytes.add(member + ".bytes()");
  if (bytes.empty())
    return;
  out.line("/// The memory that the edges take which have been cut into segments.");
  out.line("std::size_t segment_bytes() const { return " + bytes.text() + "; }");
  out.line();
}

void printPrivate(Writer &out, StringRef serialName) {
  out.line("private:");
  if (serialName.empty())
    return;
  out.line("template <class> friend class " + serialName.str() + ";");
  out.line();
}

} // namespace gcompile::cpp
