#include "converted_edges.h"
#include "scan.h"
#include "thread_errors.h"

#include <algorithm>
#include <cmath>

namespace gc::detail {

namespace {

/// Converts the columns of a binary file's graph, which the edges carry, to those that the program reads.
class ConvertedEdges final : public EdgeSource {
public:
  ConvertedEdges(std::unique_ptr<EdgeSource> edges, const GraphStorage &storage, const std::string &path,
                 const ReadContext &context)
      : edges_(std::move(edges)), storage_(storage), path_(path), columns_(context.columns) {}

  std::size_t chunks() const override { return edges_->chunks(); }
  EdgeView chunk(std::size_t i, EdgeChunk &scratch) const override {
    const EdgeView view = edges_->chunk(i, scratch);
    const std::size_t from = storage_.columns.size(), to = columns_.size();
    if (view.size == 0 || from == 0)
      return view;
    for (std::size_t e = 0; e < view.size; ++e) // in place: there are never more columns than before
      for (std::size_t k = 0; k < to; ++k)
        scratch.values[e * to + k] = convert(scratch.values[e * from + k], k);
    return {view.ends, scratch.values.data(), view.size};
  }

  /// Throws Error if a value does not fit the program's column; of several, about the first edge.
  void check() const {
    std::size_t bad = chunks();
    ThreadErrors errors;
#pragma omp parallel reduction(min : bad)
    {
      EdgeChunk scratch;
#pragma omp for schedule(dynamic, 1)
      for (std::size_t i = 0; i < chunks(); ++i)
        errors.guard([&] {
          const EdgeView view = edges_->chunk(i, scratch);
          if (find_misfit(view, scratch.values) < view.size * columns_.size())
            bad = std::min(bad, i);
        });
    }
    errors.raise();
    if (bad == chunks())
      return;
    EdgeChunk scratch;
    const EdgeView view = edges_->chunk(bad, scratch);
    const std::size_t misfit = find_misfit(view, scratch.values);
    const std::size_t e = misfit / columns_.size(), k = misfit % columns_.size();
    const ColumnInfo &from = storage_.columns[k], &to = columns_[k];
    fail_file(path_, to.name + " " + value_text(scratch.values[e * storage_.columns.size() + k], from.type) +
                         " of edge " + storage_.ids.name(view.ends[2 * e]) + " " +
                         storage_.ids.name(view.ends[2 * e + 1]) + " does not fit " +
                         (to.type == ColumnType::int32 ? "an int" : "a long"));
  }

private:
  std::uint64_t convert(std::uint64_t bits, std::size_t k) const {
    const bool from_real = is_real(storage_.columns[k].type), to_real = is_real(columns_[k].type);
    if (from_real == to_real)
      return bits;
    return to_real ? bits_of(static_cast<double>(static_cast<std::int64_t>(bits)))
                   : static_cast<std::uint64_t>(static_cast<std::int64_t>(real_of(bits)));
  }
  /// The first value of a chunk that does not fit, as the edge's number times the number of columns plus the column's;
  /// the product of both numbers if all fit.
  std::size_t find_misfit(const EdgeView &view, const std::vector<std::uint64_t> &values) const {
    for (std::size_t e = 0; e < view.size; ++e)
      for (std::size_t k = 0; k < columns_.size(); ++k)
        if (!fits(values[e * storage_.columns.size() + k], k))
          return e * columns_.size() + k;
    return view.size * columns_.size();
  }
  bool fits(std::uint64_t bits, std::size_t k) const {
    const ColumnInfo &from = storage_.columns[k], &to = columns_[k];
    if (is_real(to.type))
      return true;
    if (is_real(from.type) && !(real_of(bits) == std::nearbyint(real_of(bits)) && std::abs(real_of(bits)) < 9e18))
      return false;
    const std::int64_t value = static_cast<std::int64_t>(convert(bits, k));
    return to.type != ColumnType::int32 || (value >= INT32_MIN && value <= INT32_MAX);
  }

  std::unique_ptr<EdgeSource> edges_;
  const GraphStorage &storage_;
  std::string path_;
  std::vector<ColumnInfo> columns_;
};

} // namespace

std::unique_ptr<EdgeSource> converted_edges(std::unique_ptr<EdgeSource> edges, const GraphStorage &storage,
                                            const std::string &path, const ReadContext &context) {
  auto converted = std::make_unique<ConvertedEdges>(std::move(edges), storage, path, context);
  converted->check();
  return converted;
}

} // namespace gc::detail
