#include "ir/interpreter/Interpreter.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace gcompile::interpreter {

const Value &Interpreter::get(mlir::Value value) {
  auto found = values.find(value);
  assert(found != values.end() && "a value is used before its operation");
  return found->second;
}

std::uint64_t Interpreter::vertex(mlir::Value value, Operation *op) {
  std::uint64_t id = get(value).as<Vertex>().id;
  if (id >= graph.numVertices)
    failAt(op, "the index is none");
  return id;
}

std::uint64_t Interpreter::arc(mlir::Value value, Operation *op) {
  std::uint64_t id = get(value).as<Edge>().id;
  if (id >= graph.arcs.size())
    failAt(op, "the index is none");
  return id;
}

void Interpreter::bind(Region &region, const Arguments &arguments) {
  for (auto [name, value] : llvm::zip(region.getArguments(), arguments))
    values[name] = value;
}

/// The value of a region that is an expression.
Value Interpreter::yielded(Region &region, const Arguments &arguments) {
  bind(region, arguments);
  for (Operation &op : region.front()) {
    if (auto yield = dyn_cast<graph::YieldOp>(op))
      return get(yield.getValues()[0]);
    run(&op);
  }
  llvm_unreachable("a region that yields nothing");
}

bool Interpreter::holds(Region &where, const Arguments &arguments) {
  return where.empty() || yielded(where, arguments).truth();
}

/// The vertices or edges of a pattern, each with the values of the names that it binds.
std::vector<Interpreter::Arguments> Interpreter::range(graph::Domain domain, mlir::Value over) {
  std::vector<Arguments> list;
  switch (domain) {
  case graph::Domain::Vertices:
    for (std::uint64_t v : get(over).as<VertexSet>())
      list.push_back({{Vertex{v}}});
    break;
  case graph::Domain::Pairs:
    for (std::uint64_t i = 0; i < graph.numVertices; ++i)
      for (std::uint64_t j = 0; j < graph.numVertices; ++j)
        list.push_back({{Vertex{i}}, {Vertex{j}}});
    break;
  case graph::Domain::Edges:
  case graph::Domain::EdgesBoth:
  case graph::Domain::EdgesInto:
    for (std::uint64_t u : get(over).as<VertexSet>())
      for (Arguments arguments : edges(u, domain)) {
        arguments.insert(arguments.begin(), {Vertex{u}});
        list.push_back(std::move(arguments));
      }
    break;
  case graph::Domain::OutOf:
  case graph::Domain::Into:
  case graph::Domain::Either:
    return edges(vertex(over, over.getParentBlock()->getParentOp()), domain);
  case graph::Domain::Levels:
    for (const VertexSet &level : get(over).as<Levels>())
      list.push_back({{level}});
    break;
  }
  return list;
}

/// The edges at one vertex: (the vertex at their other end, the edge).
std::vector<Interpreter::Arguments> Interpreter::edges(std::uint64_t u, graph::Domain side) {
  std::vector<Arguments> list;
  bool into = side == graph::Domain::Into || side == graph::Domain::EdgesInto;
  if (!into)
    for (std::uint64_t e : graph.out[u])
      list.push_back({{Vertex{graph.arcs[e].target}}, {Edge{e}}});
  // In an undirected graph every edge at u is out of u.
  bool both = side == graph::Domain::Either || side == graph::Domain::EdgesBoth;
  if (into || (both && graph.directed))
    for (std::uint64_t e : graph.in[u])
      list.push_back({{Vertex{graph.arcs[e].source}}, {Edge{e}}});
  return list;
}

VertexSet Interpreter::neighbors(std::uint64_t v, graph::Side side) {
  VertexSet set;
  if (side != graph::Side::In)
    for (std::uint64_t e : graph.out[v])
      set.insert(graph.arcs[e].target);
  if (side != graph::Side::Out)
    for (std::uint64_t e : graph.in[v])
      set.insert(graph.arcs[e].source);
  return set;
}

/// The minimum (`lowest`: maximum) of nothing.
static Value extreme(Type type, bool lowest) {
  if (isa<graph::VertexType>(type))
    return {Vertex{lowest ? 0 : noId}};
  if (isa<graph::EdgeType>(type))
    return {Edge{lowest ? 0 : noId}};
  auto tuple = dyn_cast<TupleType>(type);
  if (!tuple)
    return infinity(type, lowest);
  Tuple elements;
  for (Type element : tuple.getTypes())
    elements.push_back(extreme(element, lowest));
  return {elements};
}

Value Interpreter::reduce(graph::ReduceOp op) {
  using Kind = graph::ReduceKind;
  Kind kind = op.getKind();
  bool whole = graph::rangesOverEdges(op.getDomain());
  std::size_t witness = op.getEdge() ? (whole ? 2 : 1) : (whole ? 1 : 0);
  std::vector<Value> contributions, witnesses;
  for (const Arguments &arguments : range(op.getDomain(), op.getOver())) {
    if (!holds(op.getWhere(), arguments))
      continue;
    contributions.push_back(op.getValue().empty() ? Value{true} : yielded(op.getValue(), arguments));
    witnesses.push_back(arguments[witness]);
  }
  Type type = op.getResult().getType();
  switch (kind) {
  case Kind::Count:
    return {static_cast<std::int64_t>(contributions.size())};
  case Kind::Sum:
  case Kind::SumInf: {
    Value sum = zero(type);
    for (const Value &value : contributions)
      sum = binary(graph::BinaryKind::Add, sum, value, kind == Kind::SumInf);
    return sum;
  }
  case Kind::Any:
  case Kind::All: {
    bool decisive = kind == Kind::Any;
    for (const Value &value : contributions)
      if (value.truth() == decisive)
        return {decisive};
    return {!decisive};
  }
  case Kind::Min:
  case Kind::Max: {
    if (contributions.empty())
      return extreme(type, kind == Kind::Max);
    Value best = contributions[0];
    for (const Value &value : contributions)
      best = binary(kind == Kind::Min ? graph::BinaryKind::Min : graph::BinaryKind::Max, best, value);
    return best;
  }
  case Kind::ArgMin:
  case Kind::ArgMax: {
    std::size_t best = contributions.size();
    for (std::size_t i = 0; i < contributions.size(); ++i) {
      if (best == contributions.size()) {
        best = i;
        continue;
      }
      const Value &value = contributions[i], &least = contributions[best];
      bool better = kind == Kind::ArgMin ? less(value, least) : less(least, value);
      bool tie = !less(value, least) && !less(least, value);
      if (better || (tie && less(witnesses[i], witnesses[best])))
        best = i;
    }
    return best == contributions.size() ? zero(type) : witnesses[best];
  }
  case Kind::Mode: {
    auto before = [](const Value &a, const Value &b) { return less(a, b); };
    std::map<Value, std::size_t, decltype(before)> frequency(before);
    for (const Value &value : contributions)
      ++frequency[value];
    Value best = zero(type);
    std::size_t most = 0;
    for (const auto &[value, count] : frequency) // ascending: the smallest of several stays
      if (count > most)
        best = value, most = count;
    return best;
  }
  }
  llvm_unreachable("every kind is listed");
}

Value Interpreter::call(Region &function, const Arguments &arguments) {
  // A function has no part in the statement that calls it, and may be called again before it ends.
  auto outside = std::exchange(running, nullptr);
  auto outerValues = values;
  bind(function, arguments);
  run(function.front());
  values = std::move(outerValues);
  running = outside;
  return returned;
}

Value Interpreter::combine(graph::ReductionOp reduction, const Value &a, const Value &b) {
  return call(reduction.getCombine(), {a, b});
}

Value Interpreter::neutral(graph::ReductionOp reduction) { return call(reduction.getNeutral(), {}); }

Value Interpreter::evaluate(Operation *op) {
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](graph::LetOp o) { return get(o.getValue()); })
      .Case([&](graph::ReadOp o) { return read(o.getState(), o.getIndices(), op); })
      .Case([&](graph::ConstantOp o) { return constant(cast<TypedAttr>(o.getValueAttr())); })
      .Case([&](graph::InfOp o) { return infinity(o.getType(), o.getLowest()); })
      .Case([&](graph::NoneOp o) { return zero(o.getType()); })
      .Case([&](graph::BinaryOp o) {
        try {
          return binary(o.getKind(), get(o.getLhs()), get(o.getRhs()), o.getAbsorbing());
        } catch (const std::domain_error &error) {
          failAt(op, error.what());
        }
      })
      .Case([&](graph::UnaryOp o) { return unary(o.getKind(), get(o.getOperand())); })
      .Case([&](graph::CastOp o) { return convert(get(o.getOperand()), o.getType(), o.getAbsorbing()); })
      .Case([&](graph::LogicOp o) -> Value {
        bool left = get(o.getLhs()).truth(), conjunction = o.getKind() == graph::LogicKind::And;
        return {left == conjunction ? yielded(o.getRhs()).truth() : left};
      })
      .Case([&](graph::ConditionalOp o) {
        return yielded(get(o.getCondition()).truth() ? o.getWhenTrue() : o.getWhenFalse());
      })
      .Case([&](graph::HashOp o) -> Value {
        std::vector<Value> operands;
        for (mlir::Value operand : o.getOperands())
          operands.push_back(get(operand));
        return {hash(operands)};
      })
      .Case([&](graph::CallOp o) {
        auto function = SymbolTable::lookupNearestSymbolFrom<graph::FuncOp>(op, o.getCalleeAttr());
        Arguments arguments;
        for (mlir::Value operand : o.getOperands())
          arguments.push_back(get(operand));
        return call(function.getBody(), arguments);
      })
      .Case([&](graph::ForeignCallOp o) -> Value {
        std::vector<Value> arguments;
        for (mlir::Value operand : o.getOperands())
          arguments.push_back(get(operand));
        return foreign->call(o, arguments);
      })
      .Case([&](graph::TupleOp o) -> Value {
        Tuple elements;
        for (mlir::Value operand : o.getOperands())
          elements.push_back(get(operand));
        return {elements};
      })
      .Case([&](graph::ElementOp o) { return get(o.getTuple()).as<Tuple>()[o.getIndex()]; })
      .Case([&](graph::DegreeOp o) -> Value {
        std::uint64_t v = vertex(o.getVertex(), op);
        std::size_t degree = 0;
        if (o.getSide() != graph::Side::In)
          degree += graph.out[v].size();
        if (o.getSide() == graph::Side::In || (o.getSide() == graph::Side::Both && graph.directed))
          degree += graph.in[v].size();
        return {static_cast<std::int32_t>(degree)};
      })
      .Case([&](graph::NumVerticesOp) -> Value { return {static_cast<std::int64_t>(graph.numVertices)}; })
      .Case([&](graph::NumEdgesOp) -> Value { return {graph.numEdges}; })
      .Case([&](graph::EndpointOp o) -> Value {
        const Graph::Arc &ends = graph.arcs[arc(o.getEdge(), op)];
        return {Vertex{o.getSide() == graph::Side::Out ? ends.source : ends.target}};
      })
      .Case([&](graph::EdgeBetweenOp o) -> Value {
        std::uint64_t u = get(o.getSource()).as<Vertex>().id, w = get(o.getTarget()).as<Vertex>().id;
        if (u != noId && w != noId)
          for (std::uint64_t e : graph.out[u]) // ascending: the first of several
            if (graph.arcs[e].target == w)
              return {Edge{e}};
        return {Edge{noId}};
      })
      .Case([&](graph::NeighborAtOp o) -> Value {
        std::uint64_t v = get(o.getVertex()).as<Vertex>().id;
        std::int64_t place = get(o.getPlace()).as<std::int64_t>();
        if (v == noId)
          return {Vertex{noId}};
        bool isOut = o.getSide() == graph::Side::Out;
        const std::vector<std::uint64_t> &list = (isOut ? graph.out : graph.in)[v]; // ascending
        if (place < 0 || place >= static_cast<std::int64_t>(list.size()))
          return {Vertex{noId}};
        const Graph::Arc &arc = graph.arcs[list[static_cast<std::size_t>(place)]];
        return {Vertex{isOut ? arc.target : arc.source}};
      })
      .Case([&](graph::AllVerticesOp) -> Value {
        VertexSet all;
        for (std::uint64_t v = 0; v < graph.numVertices; ++v)
          all.insert(all.end(), v);
        return {all};
      })
      .Case([&](graph::SetOfOp o) -> Value {
        VertexSet set;
        for (mlir::Value element : o.getElements())
          if (std::uint64_t id = get(element).as<Vertex>().id; id != noId) // none is in no set
            set.insert(id);
        return {set};
      })
      .Case([&](graph::NeighborsOp o) -> Value { return {neighbors(vertex(o.getVertex(), op), o.getSide())}; })
      .Case([&](graph::SetAlgebraOp o) -> Value {
        const VertexSet &a = get(o.getLhs()).as<VertexSet>(), &b = get(o.getRhs()).as<VertexSet>();
        VertexSet result;
        for (std::uint64_t v : a)
          if (o.getKind() == graph::SetKind::Union ||
              (b.count(v) != 0) == (o.getKind() == graph::SetKind::Intersection))
            result.insert(v);
        if (o.getKind() == graph::SetKind::Union)
          result.insert(b.begin(), b.end());
        return {result};
      })
      .Case([&](graph::SetFilterOp o) -> Value {
        VertexSet result;
        for (std::uint64_t v : VertexSet(get(o.getSet()).as<VertexSet>()))
          if (holds(o.getWhere(), {{Vertex{v}}}))
            result.insert(v);
        return {result};
      })
      .Case([&](graph::ContainsOp o) -> Value {
        return {get(o.getSet()).as<VertexSet>().count(get(o.getVertex()).as<Vertex>().id) != 0};
      })
      .Case([&](graph::SetSizeOp o) -> Value {
        return {static_cast<std::int64_t>(get(o.getSet()).as<VertexSet>().size())};
      })
      .Case([&](graph::ReduceOp o) { return reduce(o); })
      .Default([&](Operation *) -> Value {
        llvm::report_fatal_error("the interpreter does not know " + op->getName().getStringRef());
      });
}

} // namespace gcompile::interpreter
