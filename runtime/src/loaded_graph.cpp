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
std::uint64_t LoadedGraph::num_arcs() const { return storage_->num_arcs(); }
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

std::uint64_t LoadedGraph::adjacency_bytes() const {
  const GraphStorage &s = *storage_;
  std::uint64_t bytes = 0;
  for (const PackedStore *store : {&s.narrow.packed_out, &s.narrow.packed_in, &s.wide.packed_out, &s.wide.packed_in})
    bytes += store->parts.bytes();
  if (bytes == 0 || s.narrow.view.out_offsets || s.wide.view.out_offsets)
    bytes += 8 * (num_vertices() + 1) + static_cast<std::uint64_t>(vertex_bits()) / 8 * num_arcs();
  bytes += s.narrow.in_offsets.size() * 8 + s.wide.in_offsets.size() * 8;
  bytes += s.narrow.in_sources.size() * 4 + s.wide.in_sources.size() * 8;
  return bytes;
}

std::uint64_t LoadedGraph::plain_adjacency_bytes() const {
  return storage_->plain_bytes > 0 ? storage_->plain_bytes : adjacency_bytes();
}

std::uint64_t LoadedGraph::bytes() const {
  std::uint64_t bytes = storage_->part_bytes;
  if (!storage_->in_part) {
    bytes = adjacency_bytes() + storage_->narrow.in_edges.size() * 8 + storage_->wide.in_edges.size() * 8;
    for (const ColumnInfo &column : storage_->columns)
      bytes += width_of(column.type) * num_arcs();
  }
  bytes += storage_->ids.integer_ids().size() * 8 + storage_->ids.characters().size() + storage_->ids.ends().size() * 8;
  return bytes;
}

} // namespace gc
