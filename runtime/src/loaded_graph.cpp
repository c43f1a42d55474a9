// What a program asks of a loaded graph.
#include "storage.h"

namespace gc {

using namespace detail;

LoadedGraph::LoadedGraph(std::unique_ptr<GraphStorage> storage) : storage_(std::move(storage)) {}
LoadedGraph::LoadedGraph(LoadedGraph &&) noexcept = default;
LoadedGraph &LoadedGraph::operator=(LoadedGraph &&) noexcept = default;
LoadedGraph::~LoadedGraph() = default;

template <> const Graph<std::uint32_t> &LoadedGraph::view<std::uint32_t>() const { return storage_->narrow.view; }
template <> const Graph<std::uint64_t> &LoadedGraph::view<std::uint64_t>() const { return storage_->wide.view; }

int LoadedGraph::vertex_bits() const { return storage_->vertex_bits; }
std::uint64_t LoadedGraph::num_vertices() const { return storage_->ids.size(); }
std::uint64_t LoadedGraph::num_arcs() const {
  return vertex_bits() == 32 ? storage_->narrow.view.num_arcs() : storage_->wide.view.num_arcs();
}
std::int64_t LoadedGraph::num_edges() const {
  return vertex_bits() == 32 ? storage_->narrow.view.num_edges() : storage_->wide.view.num_edges();
}
bool LoadedGraph::directed() const {
  return vertex_bits() == 32 ? storage_->narrow.view.directed() : storage_->wide.view.directed();
}
const VertexIds &LoadedGraph::ids() const { return storage_->ids; }
const std::vector<ColumnInfo> &LoadedGraph::columns() const { return storage_->columns; }

double LoadedGraph::layout_seconds() const { return storage_->layout_seconds; }
std::uint64_t LoadedGraph::dropped_arcs() const { return storage_->dropped_arcs; }

std::optional<std::uint64_t> LoadedGraph::input_edges() const { return storage_->num_input_edges; }

bool LoadedGraph::streamed() const { return storage_->streamed != nullptr; }

std::uint64_t LoadedGraph::bytes() const {
  const std::uint64_t id = static_cast<std::uint64_t>(vertex_bits()) / 8, n = num_vertices(), arcs = num_arcs();
  std::uint64_t bytes = 8 * (n + 1) + id * arcs;
  bytes += storage_->narrow.in_offsets.size() * 8 + storage_->wide.in_offsets.size() * 8;
  bytes += storage_->narrow.in_sources.size() * 4 + storage_->wide.in_sources.size() * 8;
  bytes += storage_->narrow.in_edges.size() * 8 + storage_->wide.in_edges.size() * 8;
  for (const ColumnInfo &column : storage_->columns)
    bytes += width_of(column.type) * arcs;
  bytes += storage_->ids.integer_ids().size() * 8 + storage_->ids.characters().size() + storage_->ids.ends().size() * 8;
  return bytes;
}

} // namespace gc
