// The C header of a shared library.
#include "codegen_cpp/SharedInterface.h"

#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>

using namespace mlir;

namespace gcompile::cpp {

namespace {

/// Text that stands in a comment of C without ending it.
std::string harmless(StringRef text) {
  std::string result;
  for (char c : text) {
    const char last = result.empty() ? 0 : result.back();
    if ((c == '/' && (last == '*' || last == '?')) || (c == '*' && last == '/'))
      result += ' ';
    result += static_cast<unsigned char>(c) < ' ' && c != '\n' ? ' ' : c;
  }
  return result;
}

/// A comment before a declaration, or before a member of a struct.
void comment(Writer &out, StringRef text) {
  llvm::SmallVector<StringRef> lines;
  std::string safe = harmless(text);
  StringRef(safe).split(lines, '\n');
  for (auto [i, line] : llvm::enumerate(lines))
    out.line((i == 0 ? "/* " : "   ") + line.rtrim().str() + (i + 1 == lines.size() ? " */" : ""));
}

/// How the header begins: what it is for, and a use.
void introduction(Writer &out, const SharedInterface &interface) {
  const std::string &p = interface.prefix, &c = interface.constants;
  auto text = [&](const std::string &line = "") { out.line(line.empty() ? " *" : " * " + line); };
  out.line("/* " + harmless(p + ".h: the graph program " + p + ", compiled by gcompile from " + interface.source +
                            " for --target=" + interface.options.target + "."));
  text();
  if (!interface.comment.empty()) {
    llvm::SmallVector<StringRef> lines;
    std::string safe = harmless(interface.comment);
    StringRef(safe).split(lines, '\n');
    for (StringRef line : lines)
      text(line.rtrim().str());
    text();
  }
  text("    " + p + "_graph *graph = " + p + "_graph_new(" + c + "_INTERFACE);");
  text("    if (!graph || " + p + "_graph_load(graph, \"roads.gr.gz\", NULL) != " + c + "_OK)");
  text("      ...; " + p + "_graph_message(graph) says why");
  text("    " + p + "_program *program = " + p + "_new(graph);");
  for (const SharedParameter &parameter : interface.parameters)
    if (parameter.required)
      text("    " + p + "_set_" + parameter.name + "(program, ...);");
  text("    if (" + p + "_run(program) != " + c + "_OK)");
  text("      ...; " + p + "_message(program) says why");
  if (!interface.results.empty() && !isa<TupleType>(interface.results[0].type))
    text("    " + p + "_get_" + interface.results[0].name + "(program, &" +
         (interface.results[0].shape == graph::Shape::Scalar ? "value);" : "values, &count);"));
  text("    " + p + "_free(program);");
  text("    " + p + "_graph_free(graph);");
  text();
  text("A function that can fail returns " + c + "_OK or another code of " + p +
       "_status. Pointers in arguments may be "
       "NULL where a");
  text("result is not wanted. No function ends the process. A handle is for one thread at a time; several handles may "
       "be");
  text("used by several threads, and several programs may share a graph. The library stays loaded after dlclose.");
  out.line(" */");
}

void statuses(Writer &out, const SharedInterface &interface) {
  const std::string &c = interface.constants;
  Writer::Block block = out.block("typedef enum " + interface.prefix + "_status", " " + interface.prefix + "_status;");
  std::pair<const char *, const char *> all[] = {
      {"OK", ""},
      {"INPUT", "a file is missing, malformed, or does not fit the program"},
      {"ARGUMENT", "an argument is wrong, or missing"},
      {"RESOURCE", "too little memory, or too few threads"},
      {"RUNTIME", "the program itself failed: a division by zero, an index out of range"},
      {"CANCELLED", "the caller has ended the run"},
      {"INTERNAL", "a defect of the library"}};
  for (auto [i, status] : llvm::enumerate(all))
    out.line(fmt::format("{}_{} = {}{}{}", c, status.first, i, i + 1 < std::size(all) ? "," : "",
                         *status.second ? fmt::format(" /* {} */", status.second) : ""));
}

void constants(Writer &out, const SharedInterface &interface) {
  const std::string &c = interface.constants, &p = interface.prefix;
  comment(
      out,
      "The version of the interface of all programs, and this program's interface: for " + p +
          "_graph_new.\nThe library of a program with other parameters, results or edge properties has another one.");
  out.line(fmt::format("#define {}_ABI_VERSION {}", c, sharedAbiVersion));
  out.line(fmt::format("#define {}_INTERFACE UINT64_C(0x{:016x})", c, interface.fingerprint));
  out.line();
  comment(out, "Vertices are numbered from 0, and none is the vertex that does not exist. The value inf of an int or a "
               "long is\nINT32_MAX or INT64_MAX, and INFINITY of a float or a double.");
  out.line(fmt::format("typedef uint{}_t {}_vertex;", interface.options.vertexBits, p));
  out.line(fmt::format("#define {}_NONE UINT{}_MAX", c, interface.options.vertexBits));
  out.line();
}

/// The structs that give several parameters together.
void valueStructs(Writer &out, const SharedInterface &interface) {
  for (const SharedStruct &each : interface.structs) {
    comment(out, "What makes a value of the parameter " + each.joint + (each.perVertex ? " for a vertex." : "."));
    {
      Writer::Block block = out.block("typedef struct " + each.name, " " + each.name + ";");
      for (const SharedItem &member : each.members)
        out.line(interface.cType(member.type) + " " + member.name + ";");
    }
    out.line();
  }
}

/// The two structs that describe a graph of the caller.
void structs(Writer &out, const SharedInterface &interface) {
  const std::string &p = interface.prefix;
  auto columns = [&](const std::string &per) {
    for (const SharedColumn &column : interface.columns) {
      comment(out, "The edge property " + column.name + ", one value for each " + per +
                       (column.nonnegative ? "; not negative." : ".") +
                       (column.comment.empty() ? "" : "\n" + column.comment));
      out.line("const " + interface.cType(column.type) + " *edge_" + column.name + ";");
    }
  };
  comment(out,
          "A graph in compressed sparse rows (CSR): the arcs of vertex v are those from offsets[v] to offsets[v + 1] "
          "- 1.");
  {
    Writer::Block block = out.block("typedef struct " + p + "_arrays", " " + p + "_arrays;");
    out.line("uint64_t num_vertices;");
    comment(out, "0: each edge is in the lists of both its ends, and a self-loop once.");
    out.line("int32_t is_directed;");
    comment(out, "num_vertices + 1 positions; the last one is the number of arcs.");
    out.line("const uint64_t *offsets;");
    comment(out, "The ends of the arcs; those of one vertex ascend.");
    out.line("const " + p + "_vertex *targets;");
    columns("arc");
  }
  out.line();
  comment(out, "A graph as a list of edges, in any order.");
  {
    Writer::Block block = out.block("typedef struct " + p + "_edges", " " + p + "_edges;");
    out.line("uint64_t num_vertices;");
    out.line("uint64_t num_edges;");
    comment(out, "0: each edge runs both ways, and is listed once.");
    out.line("int32_t is_directed;");
    out.line("const " + p + "_vertex *sources;");
    out.line("const " + p + "_vertex *targets;");
    columns("edge");
  }
  out.line();
}

} // namespace

std::string sharedHeader(const SharedInterface &interface) {
  const std::string &p = interface.prefix;
  Writer out;
  introduction(out, interface);
  const std::string guard = "GCOMPILE_SHARED_" + interface.constants + "_H";
  out.line("#ifndef " + guard);
  out.line("#define " + guard);
  out.line();
  out.line("#include <stddef.h>");
  out.line("#include <stdint.h>");
  out.line();
  out.line("#ifdef __cplusplus");
  out.line("extern \"C\" {");
  out.line("#endif");
  out.line();
  constants(out, interface);
  statuses(out, interface);
  out.line();
  comment(out, "A graph, and the program on a graph.");
  out.line("typedef struct " + p + "_graph " + p + "_graph;");
  out.line("typedef struct " + p + "_program " + p + "_program;");
  out.line();
  structs(out, interface);
  valueStructs(out, interface);
  for (const auto *functions : {&interface.graphFunctions, &interface.programFunctions})
    for (const SharedFunction &function : *functions) {
      comment(out, function.comment);
      out.line(function.declaration() + ";");
      out.line();
    }
  out.line("#ifdef __cplusplus");
  out.line("}");
  out.line("#endif");
  out.line();
  out.line("#endif");
  return out.text();
}

} // namespace gcompile::cpp
