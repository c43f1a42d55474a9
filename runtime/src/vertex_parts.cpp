#include "vertex_parts.h"

#include "pt_scotch.h"
#include "row_lines.h"
#include "scotch.h"

#include <gcompile/program/process_group.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

namespace gc::detail {

namespace {

/// What the lines of the file say.
class PartLines {
public:
  PartLines(const VertexIds &ids, int parts) : ids_(ids), limit_(parts), parts_(ids.size(), unknown) {}

  /// A line without its end, and without blanks around it. Throws ParseError.
  void take(const char *p, const char *end) {
    FieldCutter fields(p, end, 0);
    Field first, second, third;
    fields.next(first);
    const bool has_second = fields.next(second);
    if (lines_ == 0)
      named_ = has_second;
    if (fields.next(third))
      throw ParseError{third.text.data(), "expected the end of the line, found '" + third.value() + "'"};
    if (has_second != named_)
      throw ParseError{p, named_ ? "expected a vertex and its part, as in the first line"
                                 : "expected a part alone, as in the first line"};
    const std::uint64_t v = named_ ? vertex(first) : next(p);
    if (parts_[v] != unknown)
      throw ParseError{p, "vertex " + ids_.name(v) + " has a part already"};
    parts_[v] = part(named_ ? second : first, end);
    ++lines_;
  }

  /// The parts, once all lines were taken.
  std::vector<std::uint32_t> finish(const std::string &path) {
    const std::uint64_t n = ids_.size();
    if (lines_ < n && !named_)
      fail_file(path, std::to_string(lines_) + " parts, but the graph has " + std::to_string(n) + " vertices");
    for (std::uint64_t position = 0; position < n; ++position)
      if (const std::uint64_t v = ids_.at(position); parts_[v] == unknown)
        fail_file(path, "vertex " + ids_.name(v) + " has no part" +
                            (n - lines_ > 1 ? ", and " + std::to_string(n - lines_ - 1) + " more have none" : ""));
    return std::move(parts_);
  }

private:
  std::uint64_t next(const char *at) const {
    if (lines_ == ids_.size())
      throw ParseError{at, "a part too many: the graph has " + std::to_string(ids_.size()) + " vertices"};
    return ids_.at(lines_);
  }
  std::uint64_t vertex(const Field &field) const {
    if (const std::optional<std::uint64_t> v = ids_.find(std::string_view(field.value())))
      return *v;
    throw ParseError{field.text.data(), "the graph has no vertex '" + field.value() + "'"};
  }
  std::uint32_t part(const Field &field, const char *end) const {
    const char *p = field.text.data();
    const std::int64_t number = scan_integer(p, end, "the number of a part");
    if (number < 0 || number >= limit_)
      throw ParseError{field.text.data(), "there is no part " + std::to_string(number) +
                                              ": they are numbered from 0 to " + std::to_string(limit_ - 1) +
                                              ", one for each rank"};
    return static_cast<std::uint32_t>(number);
  }

  static constexpr std::uint32_t unknown = UINT32_MAX;
  const VertexIds &ids_;
  int limit_;
  std::vector<std::uint32_t> parts_;
  bool named_ = false; ///< the lines name their vertices
  std::uint64_t lines_ = 0;
};

/// What Scotch finds on the process that speaks, for all.
template <class V>
std::vector<std::uint32_t> parts_by_scotch(const Graph<V> &graph, int parts, ProcessGroup *group,
                                           MemoryBudget &budget) {
  const Scotch scotch; // on each process: what is not installed is said once
  if (!group)
    return scotch.parts(graph, parts, budget);
  std::vector<std::uint64_t> own;
  if (group->speaks()) {
    const std::vector<std::uint32_t> found = scotch.parts(graph, parts, budget);
    own.assign(found.begin(), found.end());
  }
  group->wait_for_speaker();
  own = group->all(own);
  return {own.begin(), own.end()};
}

/// Whether each process of the group has a library of the same numbers that they can use together.
bool serves(const PtScotch &library, ProcessGroup &group) {
  const std::vector<std::uint64_t> bits = group.all({static_cast<std::uint64_t>(library.number_bits())});
  return bits.front() > 0 && std::all_of(bits.begin(), bits.end(), [&](std::uint64_t b) { return b == bits.front(); });
}

/// What PT-Scotch finds on all processes, or else what Scotch finds on one; which of them it was.
template <class V>
std::pair<std::vector<std::uint32_t>, const char *> parts_by_any_scotch(const Graph<V> &graph, int parts,
                                                                        ProcessGroup *group, MemoryBudget &budget) {
  if (group && group->size() > 1 && graph.num_vertices() > 0) {
    const PtScotch library;
    if (serves(library, *group))
      return {library.parts(graph, *group, budget), "ptscotch"};
  }
  return {parts_by_scotch(graph, parts, group, budget), "scotch"};
}

} // namespace

std::vector<std::uint32_t> read_parts(const std::string &path, const VertexIds &ids, int parts, MemoryBudget &budget) {
  const InputFile file = open_input(path, budget, /*may_be_empty=*/true);
  PartLines lines(ids, parts);
  try {
    refuse_bare_returns(file.text.begin(), file.text.end());
    for (const char *p = file.text.begin(), *const end = file.text.end(); p < end;) {
      const char *const stop = line_end(p, end);
      const char *first = skip_blanks(p, stop), *last = stop;
      while (last > first && is_blank(last[-1]))
        --last;
      if (first < last && *first != '#' && *first != '%')
        lines.take(first, last);
      p = stop < end ? stop + 1 : end;
    }
  } catch (const ParseError &error) {
    fail_at(file, error.at, error.reason);
  }
  return lines.finish(path);
}

template <class V> std::vector<std::uint32_t> divide_vertices(GraphStorage &storage, const ReadContext &context) {
  const LoadOptions &options = context.options;
  if (options.partition.empty())
    return {};
  const Graph<V> &graph = storage.arrays<V>().view;
  const int parts = options.group ? options.group->size() : options.parts;
  std::vector<std::uint32_t> of;
  if (options.partition == "scotch") {
    context.progress.update("dividing the graph");
    std::tie(of, storage.parts_by) = parts_by_any_scotch(graph, parts, options.group, context.budget);
  } else {
    of = read_parts(options.partition, storage.ids, parts, context.budget);
    storage.parts_by = options.partition;
  }
  storage.part_begins.assign(static_cast<std::size_t>(parts) + 1, 0);
  for (const std::uint32_t part : of)
    ++storage.part_begins[part + 1];
  std::partial_sum(storage.part_begins.begin(), storage.part_begins.end(), storage.part_begins.begin());
  return of;
}

template std::vector<std::uint32_t> divide_vertices<std::uint32_t>(GraphStorage &, const ReadContext &);
template std::vector<std::uint32_t> divide_vertices<std::uint64_t>(GraphStorage &, const ReadContext &);

} // namespace gc::detail
