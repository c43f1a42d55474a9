// Whose element an access means.
#include "ir/analysis/Effects.h"

using namespace mlir;

namespace gcompile {

/// Of a vertex or an edge that is an argument of the statement.
static graph::Element elementOfArgument(graph::Domain domain, unsigned argument) {
  switch (domain) {
  case graph::Domain::Vertices:
    return graph::Element::Vertex;
  case graph::Domain::Pairs:
    return argument == 0 ? graph::Element::FirstVertex : graph::Element::SecondVertex;
  case graph::Domain::Edges:
  case graph::Domain::EdgesBoth:
  case graph::Domain::EdgesInto:
    return argument == 2 ? graph::Element::Edge : argument == 0 ? graph::Element::ActiveEnd : graph::Element::OtherEnd;
  default: // the edges of one vertex
    return argument == 0 ? graph::Element::OtherEnd : graph::Element::Edge;
  }
}

graph::Element elementOf(const EffectTable &table, Value state, ValueRange indices) {
  const Statement &st = table.statement();
  graph::Domain domain = st.domain();
  if (indices.empty())
    return graph::Element::Variable;
  if (indices.size() == 2) {
    if (domain == graph::Domain::Vertices && table.isOwn(state, indices))
      return graph::Element::RowOrColumn;
    if (domain != graph::Domain::Pairs)
      return graph::Element::AnyPair;
    bool own = st.argument(indices[0]) == 0u && st.argument(indices[1]) == 1u;
    return own ? graph::Element::Pair : graph::Element::OtherPair;
  }
  if (st.isOutside(indices[0]))
    return graph::Element::Fixed;
  if (std::optional<unsigned> argument = st.argument(indices[0]))
    return elementOfArgument(domain, *argument);
  return isa<BlockArgument>(withoutLet(indices[0])) ? graph::Element::Inner : graph::Element::Computed;
}

} // namespace gcompile
