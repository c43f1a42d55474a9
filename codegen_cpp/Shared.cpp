#include "codegen_cpp/Shared.h"

#include "codegen_cpp/SharedInterface.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <fmt/format.h>

using namespace mlir;

namespace gcompile::cpp {

std::string sharedManifest(const SharedInterface &interface) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::json::OStream json(stream, 2);
  auto item = [&](const SharedItem &each) {
    json.attribute("name", each.name);
    json.attribute("type", SharedInterface::typeName(each.type));
    json.attribute("doc", each.comment);
  };
  auto list = [&](const char *name, const auto &items, auto more) {
    json.attributeArray(name, [&] {
      for (const auto &each : items)
        json.object([&] {
          item(each);
          more(each);
        });
    });
  };
  graph::AlgorithmOp op = interface.op;
  DictionaryAttr needs = op.getNeeds().value_or(DictionaryAttr());
  json.object([&] {
    json.attribute("abi_version", sharedAbiVersion);
    json.attribute("interface", fmt::format("{:016x}", interface.fingerprint));
    json.attribute("name", interface.prefix);
    json.attribute("source", interface.source);
    json.attribute("doc", interface.comment);
    json.attribute("target", interface.options.target);
    json.attribute("vertex_bits", interface.options.vertexBits);
    json.attribute("directedness", op.getDirectedness());
    list("parameters", interface.parameters, [&](const SharedParameter &each) {
      json.attribute("per_vertex", each.perVertex);
      json.attribute("nonnegative", each.nonnegative);
      json.attribute("required", each.required);
      if (!each.required)
        json.attribute("default", each.given);
      if (!each.joint.empty()) {
        json.attribute("joint", each.joint);
        json.attribute("part", each.name.substr(each.joint.size() + 1));
      }
    });
    list("results", interface.results, [&](const SharedResult &each) {
      const char *shapes[] = {"scalar", "vertex", "edge", "pair", "array"};
      json.attribute("shape", shapes[static_cast<unsigned>(each.shape)]);
      json.attribute("any_winner", each.unordered);
      if (auto tuple = dyn_cast<TupleType>(each.type))
        json.attributeArray("elements", [&] {
          for (Type element : tuple.getTypes())
            json.value(SharedInterface::typeName(element));
        });
    });
    list("edge_properties", interface.columns,
         [&](const SharedColumn &each) { json.attribute("nonnegative", each.nonnegative); });
    json.attributeObject("needs", [&] {
      for (const char *flag : {"in_edges", "in_edge_ids"})
        json.attribute(flag, bool(needs && needs.get(flag)));
    });
    json.attributeObject("memory", [&] {
      for (const char *bytes : {"bytes_per_vertex", "bytes_per_edge", "bytes_per_pair"}) {
        auto number = needs ? dyn_cast_or_null<FloatAttr>(needs.get(bytes)) : FloatAttr();
        json.attribute(bytes, number ? number.getValueAsDouble() : 0.0);
      }
    });
  });
  return stream.str() + "\n";
}

/// The functions in C++, behind the class of the program.
static std::string entry(const SharedInterface &interface, const std::string &manifest) {
  const std::string &p = interface.prefix;
  Writer out;
  const bool onDevice = interface.options.onDevice;
  out.line(std::string("#include <gcompile/") + (onDevice ? "cuda" : "program") + "/shared.h>");
  out.line();
  out.line("// What the header declares.");
  out.line("static const char *const manifest = " + quoted(manifest) + ";");
  out.line();
  {
    Writer::Block graph = out.block("struct " + p + "_graph final : gc::shared::GraphHandle", ";");
    out.line(fmt::format("{0}_graph() : GraphHandle({1}_info(), {2}) {{}}", p, functionName(p),
                         interface.options.vertexBits));
  }
  {
    Writer::Block program = out.block("struct " + p + "_program final : gc::shared::ProgramHandle", ";");
    out.line(fmt::format("explicit {0}_program({0}_graph &graph) : ProgramHandle(graph, gc::{2}shared::make<{1}, "
                         "{0}_vertex>) {{}}",
                         p, interface.options.className, onDevice ? "cuda::" : ""));
  }
  out.line();
  auto columns = [&](const char *from, const char *to) {
    for (auto [k, column] : llvm::enumerate(interface.columns))
      out.line(fmt::format("{}.columns[{}] = {}->edge_{};", to, k, from, column.name));
  };
  auto refer = [&](const char *name, const char *taken) {
    Writer::Block refer = out.block(fmt::format("static int {1}({0}_graph &graph, const {0}_arrays *arrays)", p, name));
    out.line(fmt::format("gc::Graph<{}_vertex> view;", p));
    {
      Writer::Block given = out.block("if (arrays)");
      out.line(fmt::format("if (arrays->num_vertices >= {}_NONE)", interface.constants));
      out.line("return graph.refuse_size(arrays->num_vertices);");
      out.line(fmt::format("view.n = static_cast<{}_vertex>(arrays->num_vertices);", p));
      out.line("view.is_directed = arrays->is_directed != 0;");
      out.line("view.out_offsets = arrays->offsets;");
      out.line("view.out_targets = arrays->targets;");
      columns("arrays", "view");
    }
    out.line(std::string("return ") + taken + ";");
  };
  refer("refer", "graph.refer(view)");
  out.line();
  if (onDevice) {
    refer("copy_from_device", "gc::cuda::shared::copy_graph(graph, view)");
    out.line();
  }
  {
    Writer::Block build = out.block(fmt::format("static int build({0}_graph &graph, const {0}_edges *edges)", p));
    out.line(fmt::format("gc::EdgeList<{}_vertex> list;", p));
    {
      Writer::Block given = out.block("if (edges)");
      out.line("list.num_vertices = edges->num_vertices;");
      out.line("list.num_edges = edges->num_edges;");
      out.line("list.is_directed = edges->is_directed != 0;");
      out.line("list.sources = edges->sources;");
      out.line("list.targets = edges->targets;");
      columns("edges", "list");
    }
    out.line("return graph.build(list);");
  }
  out.line();
  for (const auto *functions : {&interface.graphFunctions, &interface.programFunctions})
    for (const SharedFunction &function : *functions)
      out.line(function.declaration() + " { " + (function.result == "void " ? "" : "return ") + function.body + "; }");
  return out.text();
}

SharedLibrary describeShared(graph::AlgorithmOp op, const SharedOptions &options) {
  SharedInterface interface(op, options);
  SharedLibrary library;
  library.header = sharedHeader(interface);
  library.manifest = sharedManifest(interface);
  library.entry = entry(interface, library.manifest);
  for (const auto *functions : {&interface.graphFunctions, &interface.programFunctions})
    for (const SharedFunction &function : *functions)
      library.symbols.push_back(function.name);
  return library;
}

} // namespace gcompile::cpp
