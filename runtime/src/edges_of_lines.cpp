// Edges that stay lines of a text file, for graphs that are built of more edges than fit into memory.
#include "edges.h"
#include "line_parser.h"
#include "scan.h"
#include "thread_errors.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <mutex>

#include <sys/mman.h>

namespace gc::detail {

namespace {

/// A set of numbers that grows.
class GrowingIds {
public:
  explicit GrowingIds(const ReadContext &context) : context_(context) {}

  /// Adds the ends of some edges. Any thread may.
  void add(std::vector<std::uint64_t> ends) {
    std::vector<std::int64_t> fresh(ends.begin(), ends.end());
    std::sort(fresh.begin(), fresh.end());
    fresh.erase(std::unique(fresh.begin(), fresh.end()), fresh.end());
    const std::lock_guard<std::mutex> lock(mutex_);
    waiting_.insert(waiting_.end(), fresh.begin(), fresh.end());
    if (waiting_.size() > std::max(all_.size() / 2, std::size_t(1) << 20))
      merge();
  }
  std::vector<std::int64_t> take() {
    merge();
    return std::move(all_);
  }

private:
  void merge() {
    std::sort(waiting_.begin(), waiting_.end());
    waiting_.erase(std::unique(waiting_.begin(), waiting_.end()), waiting_.end());
    context_.budget.require(8 * static_cast<double>(2 * all_.size() + waiting_.size()), "numbering the vertices");
    std::vector<std::int64_t> both;
    both.reserve(all_.size() + waiting_.size());
    std::set_union(all_.begin(), all_.end(), waiting_.begin(), waiting_.end(), std::back_inserter(both));
    all_ = std::move(both);
    waiting_.clear();
  }

  const ReadContext &context_;
  std::vector<std::int64_t> all_, waiting_; // `all_` ascends
  std::mutex mutex_;
};

class LineEdges final : public EdgeSource {
public:
  LineEdges(const InputFile &file, const char *from, const LineSyntax &syntax, ReadContext &context)
      : file_(file), syntax_(syntax), context_(context), as_read_(context), parser_(syntax_, as_read_),
        bounds_(split_lines(from, file.text.end(), std::size_t(1) << 18)) {}

  std::size_t chunks() const override { return bounds_.size() - 1; }
  EdgeView chunk(std::size_t i, EdgeChunk &scratch) const override {
    parse(i, scratch);
    for (std::uint64_t &id : scratch.ends)
      id = number_of(static_cast<std::int64_t>(id));
    const std::size_t columns = whole_.size();
    for (std::size_t e = 0; e < scratch.values.size(); ++e)
      if (whole_[e % columns])
        scratch.values[e] = static_cast<std::uint64_t>(static_cast<std::int64_t>(real_of(scratch.values[e])));
    return {scratch.ends.data(), scratch.values.data(), scratch.size()};
  }

  /// Reads all lines once.
  VertexIds look(bool narrow, double &entries) {
    GrowingIds growing(context_);
    ThreadErrors errors;
    const std::size_t columns = context_.columns.size();
    whole_.assign(columns, false);
    std::vector<Kind> kinds(columns);
    std::uint64_t count = 0;
#pragma omp parallel reduction(+ : count)
    {
      EdgeChunk scratch;
#pragma omp for schedule(dynamic, 1)
      for (std::size_t i = 0; i < chunks(); ++i)
        errors.guard([&] {
          parse(i, scratch);
          count += scratch.size();
          note_kinds(scratch, kinds);
          growing.add(scratch.ends);
          if (omp_get_thread_num() == 0)
            context_.progress.update("reading " + file_.path, static_cast<double>(i) / static_cast<double>(chunks()));
        });
    }
    errors.raise(file_);
    entries = static_cast<double>(count);
    for (std::size_t k = 0; narrow && k < columns; ++k)
      if (kinds[k].whole) {
        context_.columns[k].type = kinds[k].narrow ? ColumnType::int32 : ColumnType::int64;
        whole_[k] = true;
      }
    ids_ = growing.take();
    const std::uint64_t n = ids_.size();
    if (n == 0)
      return VertexIds::range(0, 0);
    first_ = ids_.front();
    if (static_cast<std::uint64_t>(ids_.back()) - static_cast<std::uint64_t>(first_) + 1 == n) {
      std::vector<std::int64_t>().swap(ids_);
      return VertexIds::range(first_, n);
    }
    return VertexIds::integers(ids_);
  }

private:
  /// Of a column's values.
  struct Kind {
    bool whole = true, narrow = true;
  };

  void parse(std::size_t i, EdgeChunk &scratch) const {
    scratch.ends.clear();
    scratch.values.clear();
    refuse_bare_returns(bounds_[i], bounds_[i + 1]);
    parser_.parse(bounds_[i], bounds_[i + 1], scratch);
    // Pages that are read again come back from the file.
    constexpr std::uintptr_t page = 4096;
    const std::uintptr_t from = (reinterpret_cast<std::uintptr_t>(bounds_[i]) + page - 1) / page * page;
    const std::uintptr_t to = reinterpret_cast<std::uintptr_t>(bounds_[i + 1]) / page * page;
    if (from < to)
      madvise(reinterpret_cast<void *>(from), to - from, MADV_DONTNEED);
  }

  void note_kinds(const EdgeChunk &chunk, std::vector<Kind> &kinds) const {
    for (std::size_t k = 0; k < kinds.size(); ++k) {
      Kind kind;
      for (std::size_t e = k; e < chunk.values.size(); e += kinds.size()) {
        const double value = real_of(chunk.values[e]);
        kind.whole = kind.whole && is_whole(value);
        kind.narrow = kind.narrow && value >= INT32_MIN && value <= INT32_MAX;
      }
#pragma omp critical(gcompile_note_kinds)
      {
        kinds[k].whole = kinds[k].whole && kind.whole;
        kinds[k].narrow = kinds[k].narrow && kind.narrow;
      }
    }
  }

  std::uint64_t number_of(std::int64_t id) const {
    if (ids_.empty())
      return static_cast<std::uint64_t>(id) - static_cast<std::uint64_t>(first_);
    return static_cast<std::uint64_t>(std::lower_bound(ids_.begin(), ids_.end(), id) - ids_.begin());
  }

  const InputFile &file_;
  const LineSyntax syntax_;
  ReadContext &context_;
  const ReadContext as_read_; // before columns become narrow
  const LineParser parser_;
  const std::vector<const char *> bounds_;
  std::vector<std::int64_t> ids_; // empty: they follow each other from first_ on
  std::int64_t first_ = 0;
  std::vector<bool> whole_; // columns that were read as double, and are integers
};

} // namespace

std::unique_ptr<EdgeSource> edges_of_lines(const InputFile &file, const char *from, const LineSyntax &syntax,
                                           ReadContext &context, bool narrow, VertexIds &ids, double &entries) {
  auto edges = std::make_unique<LineEdges>(file, from, syntax, context);
  ids = edges->look(narrow, entries);
  return edges;
}

} // namespace gc::detail
