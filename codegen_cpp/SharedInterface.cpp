#include "codegen_cpp/SharedInterface.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

#include <fmt/format.h>

using namespace mlir;

namespace gcompile::cpp {

namespace {

/// The text behind `//` of a comment; "" if there is none.
StringRef behindSlashes(StringRef line) {
  bool quoted = false;
  for (std::size_t i = 0; i + 1 < line.size(); ++i) {
    quoted ^= line[i] == '"';
    if (!quoted && line.substr(i, 2) == "//")
      return line.substr(i + 2).ltrim('/').trim();
  }
  return "";
}

} // namespace

std::string commentAt(StringRef text, unsigned line, bool behind) {
  llvm::SmallVector<StringRef> lines;
  text.split(lines, '\n');
  if (line == 0 || line > lines.size())
    return "";
  if (StringRef found = behind ? behindSlashes(lines[line - 1]) : ""; !found.empty())
    return found.str();
  std::string comment;
  unsigned above = line - 1;
  while (!behind && above > 0 && lines[above - 1].trim().empty())
    --above;
  for (; above > 0 && lines[above - 1].trim().starts_with("//"); --above)
    comment = behindSlashes(lines[above - 1]).str() + (comment.empty() ? "" : "\n" + comment);
  return comment;
}

std::string SharedInterface::cType(Type type) const {
  return isa<graph::VertexType, graph::SetType>(type) ? prefix + "_vertex"
         : isa<graph::EdgeType>(type)                 ? "uint64_t"
         : type.isInteger(1)                          ? "uint8_t"
         : type.isInteger(32)                         ? "int32_t"
         : type.isInteger(64)                         ? "int64_t"
         : type.isF32()                               ? "float"
                                                      : "double";
}

std::string SharedInterface::typeName(Type type) {
  if (auto tuple = dyn_cast<TupleType>(type))
    return "(" + listed(tuple.getTypes(), typeName) + ")";
  return isa<graph::SetType>(type)      ? "vertex set"
         : isa<graph::VertexType>(type) ? "vertex"
         : isa<graph::EdgeType>(type)   ? "edge"
         : type.isInteger(1)            ? "bool"
         : type.isInteger(32)           ? "int"
         : type.isInteger(64)           ? "long"
         : type.isF32()                 ? "float"
                                        : "double";
}

SharedInterface::SharedInterface(graph::AlgorithmOp op, const SharedOptions &options)
    : op(op), options(options), prefix(op.getSymName().str()), constants(op.getSymName().upper()),
      source(llvm::sys::path::filename(op.getSource()).str()) {
  const unsigned first = graph::placeOf(op.getLoc()).line;
  comment = commentAt(options.text, first, false);
  auto commentOf = [&](Location location) {
    unsigned line = graph::placeOf(location).line;
    return line == first ? "" : commentAt(options.text, line, true);
  };
  for (const Argument &argument : argumentsOf(op)) {
    auto state = dyn_cast<graph::StateType>(argument.value.getType());
    SharedItem item{argument.name().str(), commentOf(argument.value.getLoc()),
                    state ? state.getElement() : argument.value.getType()};
    if (argument.isColumn()) {
      columns.push_back({item, argument.isNonnegative()});
      continue;
    }
    Attribute given = argument.attributes.get("default");
    auto joint = argument.attributes.getAs<StringAttr>("joint");
    parameters.push_back({item, state != nullptr, argument.isNonnegative(), !given, given ? defaultText(given) : "",
                          joint ? joint.getValue().str() : ""});
  }
  op.walk([&](graph::StateOp state) {
    graph::StateType type = state.getState().getType();
    if (state.getOutput())
      results.push_back({{state.getName().str(), commentOf(state.getLoc()), type.getElement()},
                         type.getShape(),
                         state.getUnordered()});
  });
  addStructs();
  addGraphFunctions();
  addProgramFunctions();
  std::string all = fmt::format("{} {}", options.vertexBits, options.target);
  for (const SharedColumn &column : columns)
    all += column.name + typeName(column.type) + ";";
  for (const SharedStruct &each : structs)
    for (const SharedItem &member : each.members)
      all += each.name + "." + member.name + typeName(member.type) + ";";
  for (const auto *functions : {&graphFunctions, &programFunctions})
    for (const SharedFunction &function : *functions)
      all += function.declaration() + ";";
  fingerprint = std::uint64_t(sharedAbiVersion) << 48 | (llvm::xxh3_64bits(all) >> 16);
}

void SharedInterface::add(std::vector<SharedFunction> &functions, std::string comment, const std::string &result,
                          const std::string &name, const std::string &parameters, const std::string &body) {
  functions.push_back({std::move(comment), result, prefix + "_" + name, parameters, body});
}

void SharedInterface::addGraphFunctions() {
  const std::string graph = prefix + "_graph *graph", none = "(none)";
  auto function = [&](const std::string &comment, const std::string &result, const std::string &name,
                      const std::string &more, const std::string &body) {
    add(graphFunctions, comment, result, name, more == none ? "void" : graph + (more.empty() ? "" : ", " + more), body);
  };
  function("The manifest " + prefix + ".json: parameters, results and needs, for programs that find out at run time.",
           "const char *", "manifest", none, "manifest");
  add(graphFunctions,
      "A handle without a graph. `interface` is " + constants +
          "_INTERFACE: NULL if this library has another interface than the\nheader that you have compiled, or if "
          "memory "
          "is short.",
      prefix + "_graph *", "graph_new", "uint64_t interface",
      "interface == " + constants + "_INTERFACE ? gc::shared::make_handle<" + prefix + "_graph>() : nullptr");
  function("Frees the handle. Programs that were made with the graph may go on: they keep it.", "void ", "graph_free",
           "", "delete graph");
  function("What went wrong in the last function of this handle that failed; until the next one fails.", "const char *",
           "graph_message", "", "graph->message()");
  function("Reads a file, or makes a graph: \"roads.gr.gz\", \"kronecker:scale=16\". `options` are those of a command "
           "line, such as\n\"--undirected\" or \"--weights=1..255\", with NULL behind the last one; or NULL.",
           "int ", "graph_load", "const char *name, const char *const *options", "graph->load(name, options)");
  function(
      "Takes a graph in arrays of yours, which are not copied. They must stay as they are until the handle and all\n"
      "programs that were made with the graph are freed.",
      "int ", "graph_refer", "const " + prefix + "_arrays *arrays", "refer(*graph, arrays)");
  if (options.onDevice)
    function("Takes a copy of a graph whose arrays are in the memory of the GPU. They are not needed afterwards.",
             "int ", "graph_copy_device", "const " + prefix + "_arrays *arrays", "copy_from_device(*graph, arrays)");
  function("Builds a graph of edges. The arrays are not needed afterwards. Repeated edges are left out.", "int ",
           "graph_build", "const " + prefix + "_edges *edges", "build(*graph, edges)");
  const std::string filled = "graph->graph()";
  function("The number of vertices; of no graph 0, as below.", "uint64_t ", "graph_num_vertices", "",
           filled + " ? " + filled + "->num_vertices() : 0");
  function("The number of edges, each counted once.", "uint64_t ", "graph_num_edges", "",
           filled + " ? static_cast<uint64_t>(" + filled + "->num_edges()) : 0");
  function("The number of arcs: an undirected edge has two, but for a self-loop.", "uint64_t ", "graph_num_arcs", "",
           filled + " ? " + filled + "->num_arcs() : 0");
  function("1 if edges have a direction, else 0.", "int ", "graph_is_directed", "",
           filled + " ? " + filled + "->directed() : 0");
  const std::string view = filled + "->view<" + prefix + "_vertex>()";
  function("num_vertices + 1 positions in the targets; NULL without a graph.", "const uint64_t *", "graph_offsets", "",
           filled + " ? " + view + ".out_offsets : nullptr");
  function("The ends of the arcs, num_arcs of them; NULL without a graph.", "const " + prefix + "_vertex *",
           "graph_targets", "", filled + " ? " + view + ".out_targets : nullptr");
  function("The vertex that the input calls so.", "int ", "graph_find", "const char *name, uint64_t *vertex",
           "graph->find(name, vertex)");
  function("The input's name of a vertex: written to `buffer`, of `size` bytes, with a 0 behind it, as far as it "
           "fits. `length`,\nunless NULL, gets the bytes of the whole name.",
           "int ", "graph_name", "uint64_t vertex, char *buffer, size_t size, size_t *length",
           "graph->name_of(vertex, buffer, size, length)");
  function("Writes the graph to a file that loads at once, .gcsr, with its names and edge properties.", "int ",
           "graph_save", "const char *path", "graph->save(path)");
}

void SharedInterface::addStructs() {
  // Words of C and C++ that may name a parameter of a graph program or of a function of C++.
  static const llvm::StringSet<> taken = {
      "auto",    "break",    "case",     "char",   "class",    "const",    "continue", "default",
      "delete",  "do",       "enum",     "extern", "friend",   "goto",     "inline",   "namespace",
      "new",     "operator", "private",  "public", "register", "restrict", "short",    "signed",
      "sizeof",  "static",   "struct",   "switch", "template", "this",     "throw",    "try",
      "typedef", "union",    "unsigned", "using",  "virtual",  "void",     "volatile"};
  for (auto [i, parameter] : llvm::enumerate(parameters)) {
    if (parameter.joint.empty())
      continue;
    if (structs.empty() || structs.back().joint != parameter.joint)
      structs.push_back({parameter.joint, prefix + "_value_" + parameter.joint, i, {}, parameter.perVertex});
    SharedItem member = parameter;
    member.name = parameter.name.substr(parameter.joint.size() + 1);
    member.name += taken.contains(member.name) ? "_" : "";
    structs.back().members.push_back(std::move(member));
  }
}

void SharedInterface::addProgramFunctions() {
  const std::string program = prefix + "_program *program";
  auto function = [&](const std::string &comment, const std::string &result, const std::string &name,
                      const std::string &more, const std::string &body) {
    add(programFunctions, comment, result, name, program + (more.empty() ? "" : ", " + more), body);
  };
  add(programFunctions, "The program on a graph, which has been filled; NULL if memory is short, or `graph` is NULL.",
      prefix + "_program *", "new", prefix + "_graph *graph",
      "graph ? gc::shared::make_handle<" + prefix + "_program>(*graph) : nullptr");
  function("Frees the handle, and with it its results.", "void ", "free", "", "delete program");
  function("What went wrong in the last function of this handle that failed; until the next one fails.", "const char *",
           "message", "", "program->message()");
  function("Gives a parameter the value that a text stands for on a command line: \"17\" is the vertex that the input\n"
           "calls 17, \"@FILE\" a file with values. NULL: the default value.",
           "int ", "set", "const char *name, const char *text", "program->set_text(name, text)");
  for (std::size_t i = 0; i < parameters.size(); ++i)
    addSetter(i);
  for (const SharedStruct &each : structs)
    addSetter(each);
  function("The number of threads of the runs to come. 0, as at first: as many as OpenMP is told to use.", "int ",
           "threads", "int count", "program->use_threads(count)");
  function("During each run `ask(data)` is called some times a second, on the thread that runs. Another result than 0 "
           "ends the\nrun, which returns " +
               constants + "_CANCELLED. `ask` NULL, as at first: nobody is asked.",
           "int ", "watch", "int (*ask)(void *data), void *data", "program->watch(ask, data)");
  function("Runs the program. The results of the run before it are gone, also if it fails.", "int ", "run", "",
           "program->run()");
  for (std::size_t i = 0; i < results.size(); ++i)
    addGetters(i);
}

void SharedInterface::addSetter(std::size_t index) {
  const SharedParameter &parameter = parameters[index];
  const std::string type = cType(parameter.type), at = std::to_string(index);
  std::string comment = "The parameter " + parameter.name + ": " + typeName(parameter.type);
  std::string more, body;
  if (parameter.perVertex) {
    comment += ", a value for each vertex, or a single one for all; copied";
    more = "const " + type + " *values, uint64_t count";
    body = "program->set_values(" + at + ", values, count)";
  } else if (isa<graph::SetType>(parameter.type)) {
    comment += ", in any order; copied";
    more = "const " + type + " *vertices, uint64_t count";
    body = "program->set_vertices(" + at + ", vertices, count)";
  } else if (isa<graph::VertexType>(parameter.type)) {
    more = type + " value";
    body = "program->set_vertex(" + at + ", value)";
  } else {
    more = (parameter.type.isInteger(1) ? "int" : type) + " value";
    body = "program->set_" + std::string(isa<FloatType>(parameter.type) ? "real" : "integer") + "(" + at + ", value" +
           (parameter.type.isInteger(1) ? " != 0)" : ")");
  }
  comment += parameter.nonnegative ? "; not negative" : "";
  comment += parameter.required ? "; required." : "; default " + parameter.given + ".";
  comment += parameter.comment.empty() ? "" : "\n" + parameter.comment;
  add(programFunctions, comment, "int ", "set_" + parameter.name, prefix + "_program *program, " + more, body);
}

void SharedInterface::addSetter(const SharedStruct &of) {
  std::string names, members, calls;
  for (auto [k, member] : llvm::enumerate(of.members)) {
    const SharedParameter &parameter = parameters[of.first + k];
    names += (names.empty() ? "" : k + 1 == of.members.size() ? " and " : ", ") + parameter.name;
    members += ", &" + of.name + "::" + member.name;
    const char *kind = isa<graph::VertexType>(member.type) ? "vertex"
                       : isa<FloatType>(member.type)       ? "real"
                                                           : "integer";
    calls += fmt::format("{}program->set_{}({}, value.{}{})", calls.empty() ? "" : ", ", kind, of.first + k,
                         member.name, member.type.isInteger(1) ? " != 0" : "");
  }
  add(programFunctions,
      "The parameters " + names + " together" + (of.perVertex ? ", for each vertex, or once for all; copied." : "."),
      "int ", "set_" + of.joint,
      prefix + "_program *program, " +
          (of.perVertex ? "const " + of.name + " *values, uint64_t count" : of.name + " value"),
      of.perVertex ? fmt::format("program->set_parts({}, values, count{})", of.first, members)
                   : "gc::shared::first_failure({" + calls + "})");
}

void SharedInterface::addGetters(std::size_t index) {
  const SharedResult &result = results[index];
  const bool scalar = result.shape == graph::Shape::Scalar;
  const char *shapes[] = {"", ", one for each vertex", ", one for each arc, in the order of the graph's targets",
                          ", one for each pair of vertices: that of u and v at u * num_vertices + v",
                          ", one for each index from 0"};
  auto getter = [&](Type type, const std::string &name, const std::string &of, const std::string &one,
                    const std::string &many, const std::string &arguments) {
    std::string comment =
        "The result " + result.name + of + ": " + typeName(type) + shapes[static_cast<unsigned>(result.shape)] + "." +
        (scalar ? "" : " They live until the next run.") + (result.comment.empty() ? "" : "\n" + result.comment);
    add(programFunctions, comment, "int ", "get_" + name,
        prefix + "_program *program, " +
            (scalar ? cType(type) + " *value" : "const " + cType(type) + " **values, uint64_t *count"),
        "program->" + (scalar ? one : many) + "(" + arguments + (scalar ? ", value)" : ", values, count)"));
  };
  const std::string at = std::to_string(index);
  auto tuple = dyn_cast<TupleType>(result.type);
  if (!tuple) {
    getter(result.type, result.name, "", "scalar", "values", at);
    if (options.onDevice && !scalar)
      add(programFunctions, "The same where they are, in the memory of the GPU; nothing is copied.", "int ",
          "device_" + result.name,
          prefix + "_program *program, const " + cType(result.type) + " **values, uint64_t *count",
          "program->device_values(" + at + ", values, count)");
    return;
  }
  for (auto [k, element] : llvm::enumerate(tuple.getTypes())) {
    const std::string name = fmt::format("{}__{}", result.name, k);
    getter(element, name, fmt::format(", element {} of the tuples", k), "element", "element_values",
           fmt::format("{}, {}", at, k));
    if (options.onDevice && !scalar)
      add(programFunctions,
          "The same where they are, in the memory of the GPU, `stride` bytes from one to the next; nothing is copied.",
          "int ", "device_" + name,
          prefix + "_program *program, const " + cType(element) + " **values, uint64_t *count, uint64_t *stride",
          fmt::format("program->device_element_values({}, {}, values, count, stride)", at, k));
  }
}

} // namespace gcompile::cpp
