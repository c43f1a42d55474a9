#include "tools/gcompile/interpreted_program.h"

#include "ir/analysis/Inputs.h"
#include "ir/analysis/Legality.h"
#include "ir/analysis/Traversal.h"
#include "ir/interpreter/Winners.h"
#include "ir/schedule/Schedule.h"

#include <cstring>

using namespace mlir;

namespace gcompile {

using interpreter::Value;

namespace {

gc::ElementType elementType(Type type) {
  return isa<TupleType>(type)           ? gc::ElementType::tuple
         : isa<graph::VertexType>(type) ? gc::ElementType::vertex
         : isa<graph::EdgeType>(type)   ? gc::ElementType::edge
         : type.isInteger(1)            ? gc::ElementType::boolean
         : type.isInteger(32)           ? gc::ElementType::int32
         : type.isInteger(64)           ? gc::ElementType::int64
         : type.isF32()                 ? gc::ElementType::float32
                                        : gc::ElementType::float64;
}

/// Of a parameter, or of each value of one that has a value for each vertex.
gc::ParameterType parameterType(Type type) {
  if (auto state = dyn_cast<graph::StateType>(type))
    type = state.getElement();
  return isa<graph::SetType>(type)      ? gc::ParameterType::vertex_set
         : isa<graph::VertexType>(type) ? gc::ParameterType::vertex
         : type.isInteger(1)            ? gc::ParameterType::boolean
         : type.isInteger(32)           ? gc::ParameterType::integer32
         : type.isInteger(64)           ? gc::ParameterType::integer64
         : type.isF32()                 ? gc::ParameterType::real32
                                        : gc::ParameterType::real64;
}

gc::ColumnType columnType(Type type) {
  return type.isInteger(32)   ? gc::ColumnType::int32
         : type.isInteger(64) ? gc::ColumnType::int64
         : type.isF32()       ? gc::ColumnType::float32
                              : gc::ColumnType::float64;
}

/// One plain value as compiled programs store it.
struct Cell {
  gc::detail::Storage storage = gc::detail::Storage::uint8;
  alignas(8) unsigned char bytes[8] = {};
};

template <class V> Cell cell(const Value &value) {
  Cell result;
  auto store = [&](auto plain) {
    result.storage = gc::detail::storage_of<decltype(plain)>();
    std::memcpy(result.bytes, &plain, sizeof plain);
  };
  if (auto *truth = std::get_if<bool>(&value.is))
    store(static_cast<std::uint8_t>(*truth));
  else if (auto *narrow = std::get_if<std::int32_t>(&value.is))
    store(*narrow);
  else if (auto *wide = std::get_if<std::int64_t>(&value.is))
    store(*wide);
  else if (auto *single = std::get_if<float>(&value.is))
    store(*single);
  else if (auto *real = std::get_if<double>(&value.is))
    store(*real);
  else if (std::holds_alternative<interpreter::Vertex>(value.is))
    store(static_cast<V>(value.id()));
  else
    store(static_cast<gc::ArcId>(value.id()));
  return result;
}

/// A row of cells for each value: one, or the elements of a tuple.
using Cells = std::vector<Cell>;

} // namespace

template <class V> gc::detail::OutputView viewOf(const interpreter::Output &output) {
  auto cells = std::make_shared<Cells>();
  std::size_t width = 1;
  for (const Value &value : output.values) {
    if (auto *tuple = std::get_if<interpreter::Tuple>(&value.is)) {
      width = tuple->size();
      for (const Value &element : *tuple)
        cells->push_back(cell<V>(element));
    } else {
      cells->push_back(cell<V>(value));
    }
  }
  graph::StateOp state = output.state;
  gc::detail::OutputView result;
  result.name = state.getName().str();
  result.count = output.values.size();
  result.stride = sizeof(Cell) * width;
  result.data = cells->data();
  if (isa<TupleType>(state.getType().getElement())) {
    result.storage = gc::detail::Storage::tuple;
    result.element = [](const void *row, std::size_t k) {
      const Cell &at = static_cast<const Cell *>(row)[k];
      return gc::detail::ElementRef{at.bytes, at.storage};
    };
  } else if (!cells->empty()) {
    result.storage = cells->front().storage;
    result.data = cells->front().bytes;
  }
  result.owner = cells;
  return result;
}

namespace {

template <class V> interpreter::Graph copyGraph(graph::AlgorithmOp algorithm, const gc::Graph<V> &graph) {
  interpreter::Graph copy;
  copy.directed = graph.directed();
  copy.numVertices = graph.num_vertices();
  copy.numEdges = graph.num_edges();
  copy.out.resize(copy.numVertices);
  copy.in.resize(copy.numVertices);
  for (std::uint64_t u = 0; u < copy.numVertices; ++u)
    for (gc::ArcId e = graph.out_begin(static_cast<V>(u)); e < graph.out_end(static_cast<V>(u)); ++e) {
      copy.out[u].push_back(e);
      copy.in[graph.target(e)].push_back(e);
      copy.arcs.push_back({u, graph.target(e)});
    }
  int number = 0;
  for (auto [argument, attribute] : llvm::zip(algorithm.getBody().getArguments(), algorithm.getArguments())) {
    if (!cast<DictionaryAttr>(attribute).contains("column"))
      break;
    Type type = cast<graph::StateType>(argument.getType()).getElement();
    std::vector<Value> column;
    for (std::size_t e = 0; e < copy.arcs.size(); ++e)
      column.push_back(type.isInteger(32)   ? Value{graph.template edge_column<std::int32_t>(number)[e]}
                       : type.isInteger(64) ? Value{graph.template edge_column<std::int64_t>(number)[e]}
                       : type.isF32()       ? Value{graph.template edge_column<float>(number)[e]}
                                            : Value{graph.template edge_column<double>(number)[e]});
    copy.columns.push_back(std::move(column));
    ++number;
  }
  return copy;
}

std::string nameOf(DictionaryAttr entry) { return entry.getAs<StringAttr>("name").str(); }

/// The values of a parameter `T[g]`, as the interpreter takes them.
template <class V>
Value vertexValues(Type type, const char *name, const gc::Graph<V> &graph, const gc::Arguments &arguments) {
  interpreter::Tuple values;
  auto add = [&](auto *tag, auto value) {
    for (auto each : arguments.vertex_values<std::remove_pointer_t<decltype(tag)>>(name).on(graph, name))
      values.push_back({value(each)});
  };
  auto plain = [](auto each) { return each; };
  switch (parameterType(type)) {
  case gc::ParameterType::boolean:
    add(static_cast<std::uint8_t *>(nullptr), [](std::uint8_t each) { return each != 0; });
    break;
  case gc::ParameterType::integer32:
    add(static_cast<std::int32_t *>(nullptr), plain);
    break;
  case gc::ParameterType::integer64:
    add(static_cast<std::int64_t *>(nullptr), plain);
    break;
  case gc::ParameterType::real32:
    add(static_cast<float *>(nullptr), plain);
    break;
  case gc::ParameterType::real64:
    add(static_cast<double *>(nullptr), plain);
    break;
  case gc::ParameterType::vertex:
  case gc::ParameterType::vertex_set:
    add(static_cast<V *>(nullptr),
        [](V each) { return interpreter::Vertex{each == gc::none<V>() ? interpreter::noId : each}; });
    break;
  }
  return {values};
}

template <class V>
Value parameter(Type type, const std::string &text, const gc::Graph<V> &graph, const gc::Arguments &arguments) {
  const char *name = text.c_str();
  if (isa<graph::StateType>(type))
    return vertexValues(type, name, graph, arguments);
  switch (parameterType(type)) {
  case gc::ParameterType::boolean:
    return {arguments.boolean(name)};
  case gc::ParameterType::integer32:
    return {static_cast<std::int32_t>(arguments.integer(name))};
  case gc::ParameterType::integer64:
    return {arguments.integer(name)};
  case gc::ParameterType::real32:
    return {static_cast<float>(arguments.real(name))};
  case gc::ParameterType::real64:
    return {arguments.real(name)};
  case gc::ParameterType::vertex:
    return {interpreter::Vertex{arguments.vertex<std::uint64_t>(name)}};
  case gc::ParameterType::vertex_set: {
    interpreter::VertexSet set;
    for (std::uint64_t v : arguments.vertex_set<std::uint64_t>(name))
      set.insert(v);
    return {set};
  }
  }
  llvm_unreachable("every type is listed");
}

template <class V> class InterpretedProgram final : public gc::detail::Instance {
public:
  InterpretedProgram(graph::AlgorithmOp algorithm, const gc::Graph<V> &graph, const gc::Arguments &arguments,
                     interpreter::Order order, const interpreter::Outcome *outcome,
                     const interpreter::ForeignCode *foreign)
      : algorithm(algorithm), given(graph), graph(copyGraph(algorithm, graph)), order(order), outcome(outcome),
        foreign(foreign) {
    set_arguments(arguments);
  }

  void set_arguments(const gc::Arguments &arguments) override {
    parameters.clear();
    for (auto [argument, attribute] : llvm::zip(algorithm.getBody().getArguments(), algorithm.getArguments()))
      if (auto entry = cast<DictionaryAttr>(attribute); !entry.contains("column"))
        parameters.push_back(parameter(argument.getType(), nameOf(entry), given, arguments));
  }

  void run() override {
    try {
      interpreter::Interpreter interpreter(graph, order, outcome, foreign);
      results = interpreter.run(algorithm, parameters);
      overdueClaims.clear();
      for (auto &[output, claims] : interpreter.overdue())
        for (const interpreter::OverdueClaim &claim : claims)
          overdueClaims[output].push_back({claim.element, claim.round, claim.withAnotherValue});
    } catch (const interpreter::RuntimeError &error) {
      throw gc::Error(gc::ErrorKind::runtime, error.what());
    }
  }

  std::vector<gc::detail::OutputView> outputs() const override {
    std::vector<gc::detail::OutputView> views;
    for (const interpreter::Output &output : results)
      views.push_back(viewOf<V>(output));
    return views;
  }

  void overdue(gc::detail::OverdueClaims &claims) const override { claims = overdueClaims; }

  interpreter::Outcome left() const {
    interpreter::Outcome values;
    for (const interpreter::Output &output : results)
      values[graph::StateOp(output.state).getName().str()] = output.values;
    return values;
  }

private:
  graph::AlgorithmOp algorithm;
  gc::Graph<V> given; // whose arrays are the caller's
  interpreter::Graph graph;
  interpreter::Order order;
  const interpreter::Outcome *outcome;
  const interpreter::ForeignCode *foreign;
  std::vector<Value> parameters;
  std::vector<interpreter::Output> results;
  std::map<std::string, std::vector<gc::OverdueClaim>> overdueClaims;
};

} // namespace

gc::ProgramInfo describeProgram(graph::AlgorithmOp algorithm) {
  gc::ProgramInfo info;
  info.name = algorithm.getSymName().str();
  info.source = algorithm.getSource().str();
  info.directedness = algorithm.getDirectedness() == "directed"     ? gc::Directedness::directed
                      : algorithm.getDirectedness() == "undirected" ? gc::Directedness::undirected
                                                                    : gc::Directedness::any;
  std::map<std::string, std::vector<std::string>> joints;
  for (auto [argument, attribute] : llvm::zip(algorithm.getBody().getArguments(), algorithm.getArguments())) {
    auto entry = cast<DictionaryAttr>(attribute);
    std::string name = nameOf(entry);
    if (entry.contains("column")) {
      info.edge_columns.push_back({name, columnType(cast<graph::StateType>(argument.getType()).getElement())});
      continue;
    }
    auto text = entry.getAs<StringAttr>("default");
    info.parameters.push_back({name, parameterType(argument.getType()), !text, text ? text.str() : "", "",
                               isa<graph::StateType>(argument.getType())});
    if (auto joint = entry.getAs<StringAttr>("joint"))
      joints[joint.str()].push_back(name);
    info.needs_in_edges |= countsInEdges(entry);
  }
  for (const auto &[joint, parts] : joints)
    info.add_joint(joint.c_str(), parts);
  if (std::optional<Traversal> traversal = traversalOf(algorithm)) {
    for (StringAttr root : traversal->roots)
      info.roots.push_back(root.str());
    info.along = traversal->along == "in"     ? gc::Along::in
                 : traversal->along == "both" ? gc::Along::both
                                              : gc::Along::out;
  }
  // What compiled programs check when they load the graph.
  InfinityAnalysis infinity(algorithm);
  algorithm.walk([&](graph::PropagateOp op) {
    const bool handsOn = schedule::said<schedule::Asynchronous>(op).tolerance().has_value();
    if (!op.getOrdered() && !handsOn)
      return;
    EffectTable effects(op, infinity);
    const std::size_t columns = info.edge_columns.size();
    for (unsigned term : op.getOrdered() ? canRunByPriority(effects).terms : gcompile::handsOn(effects).terms)
      if (term < columns)
        info.nonnegative_weights.push_back(info.edge_columns[term].name);
      else
        info.parameters[term - columns].nonnegative = true;
  });
  for (auto state : algorithm.getBody().getOps<graph::StateOp>()) {
    if (!state.getOutput())
      continue;
    auto shape = state.getType().getShape();
    Type element = state.getType().getElement();
    gc::OutputInfo output{state.getName().str(),
                          elementType(element),
                          shape == graph::Shape::Scalar      ? gc::OutputShape::scalar
                          : shape == graph::Shape::PerVertex ? gc::OutputShape::vertex
                          : shape == graph::Shape::PerEdge   ? gc::OutputShape::edge
                          : shape == graph::Shape::Array     ? gc::OutputShape::array
                                                             : gc::OutputShape::dense,
                          false,
                          {}};
    if (auto tuple = dyn_cast<TupleType>(element))
      for (Type part : tuple.getTypes())
        output.elements.push_back(elementType(part));
    info.outputs.push_back(output);
  }
  return info;
}

template <class V> interpreter::Outcome outcomeOf(const gc::detail::Instance &program) {
  return static_cast<const InterpretedProgram<V> &>(program).left();
}
template interpreter::Outcome outcomeOf<std::uint32_t>(const gc::detail::Instance &);
template interpreter::Outcome outcomeOf<std::uint64_t>(const gc::detail::Instance &);

void markUndetermined(graph::AlgorithmOp algorithm, gc::ProgramInfo &info) {
  interpreter::Winners winners(algorithm);
  for (auto state : algorithm.getBody().getOps<graph::StateOp>())
    for (gc::OutputInfo &output : info.outputs)
      if (state.getOutput() && output.name == state.getName())
        output.unordered_claim = winners.isUndetermined(state.getState());
  const InfinityAnalysis infinity(algorithm);
  const Tolerances tolerances = tolerancesOf(algorithm, infinity);
  for (auto state : algorithm.getBody().getOps<graph::StateOp>())
    for (gc::OutputInfo &output : info.outputs)
      if (state.getOutput() && output.name == state.getName()) {
        output.unordered_claim |= tolerances.derived.contains(state.getState());
        output.tolerance = tolerances.sums.lookup(state.getState());
      }
}

template <class V>
std::unique_ptr<gc::detail::Instance> interpretedProgram(graph::AlgorithmOp algorithm, const gc::Graph<V> &graph,
                                                         const gc::Arguments &arguments, interpreter::Order order,
                                                         const interpreter::Outcome *outcome,
                                                         const interpreter::ForeignCode *foreign) {
  return std::make_unique<InterpretedProgram<V>>(algorithm, graph, arguments, order, outcome, foreign);
}

template gc::detail::OutputView viewOf<std::uint32_t>(const interpreter::Output &);
template gc::detail::OutputView viewOf<std::uint64_t>(const interpreter::Output &);
template std::unique_ptr<gc::detail::Instance> interpretedProgram(graph::AlgorithmOp, const gc::Graph<std::uint32_t> &,
                                                                  const gc::Arguments &, interpreter::Order,
                                                                  const interpreter::Outcome *,
                                                                  const interpreter::ForeignCode *);
template std::unique_ptr<gc::detail::Instance> interpretedProgram(graph::AlgorithmOp, const gc::Graph<std::uint64_t> &,
                                                                  const gc::Arguments &, interpreter::Order,
                                                                  const interpreter::Outcome *,
                                                                  const interpreter::ForeignCode *);

} // namespace gcompile
