// The input's own vertex ids, and their renumbering to 0..n-1.
#include "edges.h"
#include "group_steps.h"
#include "runtime/tool_support/fields.h"
#include "scan.h"
#include "thread_errors.h"

#include <algorithm>
#include <functional>

namespace gc {

using namespace detail;

VertexIds VertexIds::range(std::int64_t first, std::uint64_t n) {
  VertexIds ids;
  ids.kind_ = Kind::range;
  ids.first_ = first;
  ids.size_ = n;
  return ids;
}

VertexIds VertexIds::integers(std::vector<std::int64_t> integers) {
  const std::uint64_t n = integers.size();
  // The width is computed without sign, so that it cannot overflow.
  if (n > 0 && static_cast<std::uint64_t>(integers.back()) - static_cast<std::uint64_t>(integers.front()) == n - 1)
    return range(integers.front(), n);
  VertexIds ids;
  ids.kind_ = Kind::integers;
  ids.size_ = n;
  ids.integers_ = std::move(integers);
  return ids;
}

VertexIds VertexIds::text(std::string characters, std::vector<std::uint64_t> ends) {
  VertexIds ids;
  ids.kind_ = Kind::text;
  ids.size_ = ends.size();
  ids.characters_ = std::move(characters);
  ids.ends_ = std::move(ends);
  return ids;
}

std::string_view VertexIds::text_of(std::uint64_t v) const {
  const std::uint64_t begin = v == 0 ? 0 : ends_[v - 1];
  return std::string_view(characters_).substr(begin, ends_[v] - begin);
}

void VertexIds::reorder(std::vector<std::uint64_t> order) {
  order_ = std::move(order);
  places_.resize(order_.size());
  for (std::uint64_t v = 0; v < order_.size(); ++v)
    places_[order_[v]] = v;
}

std::optional<std::uint64_t> VertexIds::find(std::string_view name) const {
  const std::optional<std::uint64_t> position = position_of(name);
  return position ? std::optional(at(*position)) : std::nullopt;
}

std::optional<std::uint64_t> VertexIds::find(std::int64_t id) const {
  const std::optional<std::uint64_t> position = position_of(id);
  return position ? std::optional(at(*position)) : std::nullopt;
}

std::optional<std::uint64_t> VertexIds::position_of(std::int64_t id) const {
  if (kind_ == Kind::text)
    return position_of(std::string_view(std::to_string(id)));
  if (kind_ == Kind::range) {
    const std::uint64_t v = static_cast<std::uint64_t>(id) - static_cast<std::uint64_t>(first_);
    return id >= first_ && v < size_ ? std::optional<std::uint64_t>(v) : std::nullopt;
  }
  const auto found = std::lower_bound(integers_.begin(), integers_.end(), id);
  if (found == integers_.end() || *found != id)
    return std::nullopt;
  return static_cast<std::uint64_t>(found - integers_.begin());
}

std::optional<std::uint64_t> VertexIds::position_of(std::string_view name) const {
  if (kind_ != Kind::text) {
    const std::optional<std::int64_t> id = whole_integer(name);
    return id ? position_of(*id) : std::nullopt;
  }
  // A hash table with open addressing, at most half full.
  constexpr std::uint64_t empty = none<std::uint64_t>();
  const auto place_of = [this](std::string_view text) {
    const std::size_t mask = by_name_.size() - 1;
    std::size_t place = std::hash<std::string_view>()(text) & mask;
    while (by_name_[place] != empty && text_of(by_name_[place]) != text)
      place = (place + 1) & mask;
    return place;
  };
  if (by_name_.empty()) {
    std::size_t places = 2;
    while (places < 2 * size_)
      places *= 2;
    by_name_.assign(places, empty);
    for (std::uint64_t v = 0; v < size_; ++v)
      by_name_[place_of(text_of(v))] = v;
  }
  const std::uint64_t found = by_name_[place_of(name)];
  return found == empty ? std::nullopt : std::optional(found);
}

void VertexIds::append(std::uint64_t v, std::string &out) const {
  if (!order_.empty())
    v = order_[v];
  if (kind_ == Kind::text) {
    out += text_of(v);
    return;
  }
  char digits[24];
  const std::int64_t id =
      kind_ == Kind::range ? static_cast<std::int64_t>(static_cast<std::uint64_t>(first_) + v) : integers_[v];
  std::int64_t rest = id;
  char *p = digits + sizeof digits;
  do {
    *--p = static_cast<char>('0' + std::abs(rest % 10));
    rest /= 10;
  } while (rest != 0);
  if (id < 0)
    *--p = '-';
  out.append(p, static_cast<std::size_t>(digits + sizeof digits - p));
}

void VertexIds::append_field(std::uint64_t v, std::string &out, bool begins_edge) const {
  if (kind_ == Kind::text)
    detail::append_field(text_of(order_.empty() ? v : order_[v]), begins_edge, out);
  else
    append(v, out);
}

std::string VertexIds::name(std::uint64_t v) const {
  std::string out;
  append(v, out);
  return out;
}

namespace detail {

namespace {

/// The different ids in all chunks, ascending, when they are too sparse for a table: sorted by chunk, then merged.
std::vector<std::int64_t> sparse_ids(const std::vector<EdgeChunk> &chunks) {
  std::vector<std::vector<std::int64_t>> parts(chunks.size());
  ThreadErrors errors;
#pragma omp parallel for schedule(dynamic, 1)
  for (std::size_t i = 0; i < chunks.size(); ++i)
    errors.guard([&] {
      parts[i].assign(chunks[i].ends.begin(), chunks[i].ends.end());
      std::sort(parts[i].begin(), parts[i].end());
      parts[i].erase(std::unique(parts[i].begin(), parts[i].end()), parts[i].end());
    });
  errors.raise();
  for (std::size_t width = 1; width < parts.size(); width *= 2) {
#pragma omp parallel for schedule(dynamic, 1)
    for (std::size_t i = 0; i < parts.size() - width; i += 2 * width)
      errors.guard([&] {
        std::vector<std::int64_t> merged;
        merged.reserve(parts[i].size() + parts[i + width].size());
        std::set_union(parts[i].begin(), parts[i].end(), parts[i + width].begin(), parts[i + width].end(),
                       std::back_inserter(merged));
        parts[i].swap(merged);
        std::vector<std::int64_t>().swap(parts[i + width]);
      });
    errors.raise();
  }
  return parts.empty() ? std::vector<std::int64_t>() : std::move(parts.front());
}

/// Computed without sign, so that it cannot overflow.
std::uint64_t width_of_ids(std::int64_t low, std::int64_t high) {
  return static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
}

/// Whether ids that are so far apart have a table, for so many that there are.
bool are_dense(std::uint64_t width, std::uint64_t count) { return width / 16 < count + 1024; }

/// A set of small integers that can tell how many members are smaller than another.
class RankedBits {
public:
  explicit RankedBits(std::uint64_t size) : words_(size / 64 + 1), ranks_(size / 64 + 1) {}

  void insert(std::uint64_t i) {
    const std::uint64_t bit = std::uint64_t(1) << (i % 64);
    if (!(__atomic_load_n(&words_[i / 64], __ATOMIC_RELAXED) & bit))
      __atomic_fetch_or(&words_[i / 64], bit, __ATOMIC_RELAXED);
  }
  std::uint64_t count_and_rank() {
    std::uint64_t sum = 0;
    for (std::size_t w = 0; w < words_.size(); ++w) {
      ranks_[w] = sum;
      sum += static_cast<std::uint64_t>(__builtin_popcountll(words_[w]));
    }
    return sum;
  }
  std::uint64_t rank(std::uint64_t i) const {
    const std::uint64_t below = words_[i / 64] & ((std::uint64_t(1) << (i % 64)) - 1);
    return ranks_[i / 64] + static_cast<std::uint64_t>(__builtin_popcountll(below));
  }
  std::vector<std::int64_t> members(std::int64_t first, std::uint64_t count) const {
    std::vector<std::int64_t> result;
    result.reserve(count);
    for (std::size_t w = 0; w < words_.size(); ++w)
      for (std::uint64_t word = words_[w]; word != 0; word &= word - 1)
        result.push_back(first + static_cast<std::int64_t>(64 * w) + __builtin_ctzll(word));
    return result;
  }

private:
  std::vector<std::uint64_t> words_, ranks_;
};

template <class Rename> void rename_all(std::vector<EdgeChunk> &chunks, const Rename &rename) {
#pragma omp parallel for schedule(dynamic, 1)
  for (std::size_t i = 0; i < chunks.size(); ++i)
    for (std::uint64_t &id : chunks[i].ends)
      id = rename(static_cast<std::int64_t>(id));
}

} // namespace

static std::uint64_t count_entries(const std::vector<EdgeChunk> &chunks) {
  std::uint64_t entries = 0;
  for (const EdgeChunk &chunk : chunks)
    entries += chunk.size();
  return entries;
}

/// The different ids in the chunks, ascending.
static std::vector<std::int64_t> ids_of(const std::vector<EdgeChunk> &chunks, const ReadContext &context) {
  std::int64_t low = INT64_MAX, high = INT64_MIN;
  std::uint64_t entries = 0;
#pragma omp parallel for schedule(dynamic, 1) reduction(min : low) reduction(max : high) reduction(+ : entries)
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    entries += chunks[i].size();
    for (std::uint64_t id : chunks[i].ends) {
      low = std::min(low, static_cast<std::int64_t>(id));
      high = std::max(high, static_cast<std::int64_t>(id));
    }
  }
  if (entries == 0)
    return {};
  const std::uint64_t width = width_of_ids(low, high);
  if (!are_dense(width, entries)) {
    context.budget.require(24.0 * static_cast<double>(entries), "renumbering the sparse vertex ids");
    return sparse_ids(chunks);
  }
  RankedBits present(width + 1);
#pragma omp parallel for schedule(dynamic, 1)
  for (std::size_t i = 0; i < chunks.size(); ++i)
    for (std::uint64_t id : chunks[i].ends)
      present.insert(id - static_cast<std::uint64_t>(low));
  return present.members(low, present.count_and_rank());
}

/// Numbers the ids in the chunks by their places among `ids`, which ascend.
static VertexIds number_ids(std::vector<EdgeChunk> &chunks, std::vector<std::int64_t> ids) {
  if (ids.empty())
    return VertexIds::range(0, 0);
  const std::int64_t low = ids.front();
  const std::uint64_t width = width_of_ids(low, ids.back());
  const auto offset = [low](std::int64_t id) { return width_of_ids(low, id); };
  if (ids.size() == width + 1) {
    if (low != 0)
      rename_all(chunks, offset);
  } else if (are_dense(width, std::max<std::uint64_t>(ids.size(), count_entries(chunks)))) {
    RankedBits present(width + 1);
    for (const std::int64_t id : ids)
      present.insert(offset(id));
    present.count_and_rank();
    rename_all(chunks, [&](std::int64_t id) { return present.rank(offset(id)); });
  } else {
    rename_all(chunks, [&](std::int64_t id) {
      return static_cast<std::uint64_t>(std::lower_bound(ids.begin(), ids.end(), id) - ids.begin());
    });
  }
  return VertexIds::integers(std::move(ids));
}

VertexIds compact_ids(std::vector<EdgeChunk> &chunks, const ReadContext &context) {
  std::vector<std::int64_t> ids = ids_of(chunks, context);
  if (context.readers)
    ids = united(*context.readers, ids);
  return number_ids(chunks, std::move(ids));
}

} // namespace detail
} // namespace gc
