// What a generated program says about itself.
#include "codegen_cpp/Interface.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>

using namespace mlir;

namespace gcompile::cpp {

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

/// The name of an element's type, among those of gc::ElementType and gc::ColumnType.
static std::string elementType(Type type) {
  return isa<TupleType>(type)           ? "tuple"
         : isa<graph::VertexType>(type) ? "vertex"
         : isa<graph::EdgeType>(type)   ? "edge"
         : type.isInteger(1)            ? "boolean"
         : type.isInteger(32)           ? "int32"
         : type.isInteger(64)           ? "int64"
         : type.isF32()                 ? "float32"
                                        : "float64";
}

static void printParameter(Writer &out, const Argument &argument) {
  Attribute given = argument.attributes.get("default"), doc = argument.attributes.get("doc");
  auto state = dyn_cast<graph::StateType>(argument.value.getType());
  List fields;
  fields.add(quoted(argument.name()));
  fields.add(parameterType(state ? state.getElement() : argument.value.getType()));
  fields.add(given ? "false" : "true");
  fields.add(quoted(given ? defaultText(given) : ""));
  fields.add(quoted(doc ? defaultText(doc) : ""));
  if (state || argument.isNonnegative())
    fields.add(state ? "true" : "false");
  if (argument.isNonnegative())
    fields.add("true");
  out.line("info.add_parameter(" + fields.text() + ");");
}

/// The options that give several parameters together.
static void printJoint(Writer &out, graph::AlgorithmOp op) {
  llvm::MapVector<StringRef, List> joints;
  for (const Argument &argument : argumentsOf(op))
    if (auto joint = argument.attributes.getAs<StringAttr>("joint"))
      joints[joint.getValue()].add(quoted(argument.name()));
  for (const auto &[name, parameters] : joints)
    out.line("info.add_joint(" + quoted(name) + ", {" + parameters.text() + "});");
}

static void printOutput(Writer &out, graph::StateOp state) {
  graph::StateType type = state.getState().getType();
  const char *shapes[] = {"scalar", "vertex", "edge", "dense", "array"};
  auto element = [](Type each) { return "gc::ElementType::" + elementType(each); };
  auto tuple = dyn_cast<TupleType>(type.getElement());
  out.line("info.add_output(" + quoted(state.getName()) + ", " + element(type.getElement()) + ", gc::OutputShape::" +
           shapes[static_cast<unsigned>(type.getShape())] + (state.getUnordered() ? ", true" : ", false") +
           (tuple ? ", {" + listed(tuple.getTypes(), element) + "}" : "") + ");");
  if (auto tolerance = state.getTolerance())
    out.line("info.add_tolerance(" + quoted(state.getName()) + ", " +
             literal(Builder(state.getContext()).getF64FloatAttr(tolerance->convertToDouble())) + ");");
}

void printInfo(Writer &out, graph::AlgorithmOp op, const std::string &name) {
  out.line("/// What the algorithm takes, gives and needs.");
  Writer::Block function = out.block("inline gc::ProgramInfo " + name + "_info()");
  out.line("gc::ProgramInfo info;");
  out.line("info.name = " + quoted(op.getSymName()) + ";");
  out.line("info.source = " + quoted(llvm::sys::path::filename(op.getSource())) + ";");
  for (const Argument &argument : argumentsOf(op)) {
    if (!argument.isColumn()) {
      printParameter(out, argument);
      continue;
    }
    out.line("info.add_edge_column(" + quoted(argument.name()) +
             ", gc::ColumnType::" + elementType(cast<graph::StateType>(argument.value.getType()).getElement()) +
             (argument.isNonnegative() ? ", true);" : ", false);"));
  }
  printJoint(out, op);
  op.walk([&](graph::StateOp state) {
    if (state.getOutput())
      printOutput(out, state);
  });
  op.walk([&](exec::ResumeOp rounds) { out.line("info.add_rounds(" + quoted(place(rounds->getLoc())) + ");"); });
  if (op.getDirectedness() != "any")
    out.line("info.directedness = gc::Directedness::" + op.getDirectedness().str() + ";");
  if (op.getProfiled())
    out.line("info.profiled = true;");
  if (exec::walksAllLists(op)) {
    out.line("info.walks_all_lists = true;");
    if (!exec::keepsFrontiers(op))
      out.line("info.has_frontiers = false;");
  }
  if (DictionaryAttr needs = op.getNeeds().value_or(DictionaryAttr())) {
    for (const char *flag : {"in_edges", "in_edge_ids", "out_of_copies", "into_copies", "edges_of_all"})
      if (needs.get(flag))
        out.line(std::string("info.needs_") + flag + " = true;");
    if (auto roots = needs.getAs<ArrayAttr>("roots")) {
      for (auto root : roots.getAsRange<StringAttr>())
        out.line("info.add_root(" + quoted(root) + ");");
      if (auto along = needs.getAs<StringAttr>("along"); along != "out")
        out.line("info.along = gc::Along::" + along.str() + ";");
    }
    if (auto sums = needs.getAs<ArrayAttr>("path_sums"))
      for (auto one : sums.getAsRange<DictionaryAttr>())
        out.line("info.add_path_sums(" + quoted(one.getAs<StringAttr>("output")) + ", " +
                 quoted(one.getAs<StringAttr>("column")) + ", gc::Along::" + one.getAs<StringAttr>("along").str() +
                 ", " + quoted(place(Location(cast<LocationAttr>(one.get("at"))))) + ");");
    if (auto sums = needs.getAs<ArrayAttr>("closed_sums"))
      for (auto one : sums.getAsRange<DictionaryAttr>())
        out.line("info.add_closed_sums(" + quoted(one.getAs<StringAttr>("output")) + ", " +
                 quoted(place(Location(cast<LocationAttr>(one.get("at"))))) + ");");
    if (auto order = needs.getAs<StringAttr>("vertices"))
      out.line("info.vertex_order = gc::VertexOrder::" + order.str() + ";");
    if (auto use = needs.getAs<LocationAttr>("numbers"))
      out.line("info.numbers_used = " + quoted(place(Location(use))) + ";");
    if (auto lists = needs.getAs<DictionaryAttr>("whole_lists"))
      out.line("info.whole_lists = " +
               quoted(place(Location(cast<LocationAttr>(lists.get("at")))) + ": " +
                      lists.getAs<StringAttr>("reason").str()) +
               ";");
    if (needs.get("neighbors_by_degree"))
      out.line("info.neighbors_by_degree = true;");
    if (needs.get("packed"))
      out.line("info.packed = true;");
    if (auto lists = needs.getAs<IntegerAttr>("edge_lists"))
      out.line("info.edge_lists = " + std::to_string(lists.getInt()) + ";");
    if (needs.get("edge_lists_number"))
      out.line("info.edge_lists_number = true;");
    if (needs.get("lists_only_reached"))
      out.line("info.lists_only_reached = true;");
    for (const char *bytes : {"bytes_per_vertex", "bytes_per_divided_vertex", "bytes_per_edge", "bytes_per_pair"})
      if (auto number = dyn_cast_or_null<FloatAttr>(needs.get(bytes)))
        out.line(std::string("info.") + bytes + " = " + fmt::format("{}", number.getValueAsDouble()) + ";");
  }
  out.line("return info;");
  function.close();
  out.line();
}

} // namespace gcompile::cpp
