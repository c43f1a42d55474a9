#include "pack.h"

#include "csr_build.h"

#include <gcompile/core/error.h>

#include <algorithm>
#include <cstring>

namespace gc::detail {

namespace {

using Group = PackedGroup;

/// What the fields of a group count from, and their bits: at least one, so that the bytes of a file bound its arcs.
struct FieldForm {
  std::uint64_t least;
  unsigned width;
};

template <class V> FieldForm form_of(const V *first, const V *last) {
  if (first == last)
    return {0, 1};
  const auto [least, greatest] = std::minmax_element(first, last);
  return {*least, std::max(bits_of_ids(std::uint64_t(*greatest) - *least + 1), 1u)};
}

/// Writes the fields of a group, each byte once.
template <class V> void pack_fields(const V *first, const V *last, const FieldForm &form, std::uint8_t *bytes) {
  std::uint64_t word = 0;
  unsigned used = 0; // bits of the word, below 8 where a field begins
  for (; first != last; ++first) {
    word |= (*first - form.least) << used;
    for (used += form.width; used >= 8; used -= 8) {
      *bytes++ = static_cast<std::uint8_t>(word);
      word >>= 8;
    }
  }
  if (used > 0)
    *bytes = static_cast<std::uint8_t>(word);
}

} // namespace

template <class V> PackedStore pack_lists(std::uint64_t n, const ArcId *offsets, const V *lists) {
  const ArcId arcs = offsets[n];
  if (bits_of_ids(n) > PackedLists<V>::most_bits || arcs > Group::most_arcs_of_all)
    throw Error(ErrorKind::resource, "the graph is too large for packed lists: they have at most 2^57 vertices and "
                                     "2^48 arcs");
  const std::uint64_t groups = num_groups(n);
  const auto end_of = [&](std::uint64_t group) { return std::min(n, (group + 1) * Group::vertices); };
  PackedStore store;
  store.groups = Array<PackedGroup>(groups);
  Array<std::uint64_t> bytes(groups + 1), records(groups + 1);
#pragma omp parallel for schedule(dynamic, 64)
  for (std::uint64_t group = 0; group < groups; ++group) {
    const ArcId begin = offsets[group * Group::vertices], end = offsets[end_of(group)];
    const FieldForm form = form_of(lists + begin, lists + end);
    PackedGroup &to = store.groups[group];
    to = PackedGroup{};
    to.least = form.least;
    to.width = static_cast<std::uint8_t>(form.width);
    to.first_arc = begin;
    bytes[group] = ((end - begin) * form.width + 7) / 8;
    records[group] = end - begin > Group::most_arcs ? 1 : 0;
  }
  exclusive_scan(bytes.data(), groups);
  exclusive_scan(records.data(), groups);
  if (records[groups] >= UINT32_MAX)
    throw Error(ErrorKind::resource, "the graph is too large for packed lists: 2^32 groups have more than 65535 arcs");
  store.records = Array<std::uint64_t>(records[groups] * Group::record_words);
  store.fields = Array<std::uint64_t>((bytes[groups] + 7) / 8 + packed_room);
  std::fill_n(store.fields.data() + bytes[groups] / 8, store.fields.size() - bytes[groups] / 8, 0);
#pragma omp parallel for schedule(dynamic, 64)
  for (std::uint64_t group = 0; group < groups; ++group) {
    PackedGroup &to = store.groups[group];
    const std::uint64_t begin = group * Group::vertices, end = end_of(group);
    to.fields = bytes[group];
    const bool many = records[group + 1] > records[group];
    if (many)
      to.record = static_cast<std::uint32_t>(records[group] + 1);
    std::uint64_t *const record = store.records.data() + records[group] * Group::record_words;
    for (unsigned i = 0; i <= Group::vertices; ++i) {
      const std::uint64_t place = offsets[std::min(begin + i, end)] - to.first_arc;
      if (many)
        record[i] = place;
      else
        to.places[i] = static_cast<std::uint16_t>(place);
    }
    pack_fields(lists + offsets[begin], lists + offsets[end], {to.least, to.width},
                reinterpret_cast<std::uint8_t *>(store.fields.data()) + to.fields);
  }
  store.keep(arcs);
  return store;
}

bool places_are_sound(std::uint64_t n, unsigned most_bits, const PackedParts &lists) {
  const std::uint64_t groups = num_groups(n);
  bool sound = lists.num_fields >= packed_room;
  const std::uint64_t bytes = sound ? 8 * (lists.num_fields - packed_room) : 0;
#pragma omp parallel for schedule(static) reduction(&& : sound)
  for (std::uint64_t group = 0; group < groups; ++group) {
    const PackedGroup &at = lists.groups[group];
    const std::uint64_t next = group + 1 < groups ? lists.groups[group + 1].first_arc : lists.arcs;
    if (std::uint64_t(at.record) * Group::record_words > lists.num_records) {
      sound = false;
      continue;
    }
    const std::uint64_t *const record =
        at.record ? lists.records + (std::uint64_t(at.record) - 1) * Group::record_words : nullptr;
    sound = sound && at.width >= 1 && at.width <= most_bits && (group > 0 || at.first_arc == 0) && at.first_arc <= next;
    std::uint64_t last = 0;
    for (unsigned i = 0; i <= Group::vertices; ++i) {
      const std::uint64_t place = record ? record[i] : at.places[i];
      sound = sound && place >= last && place - last <= INT32_MAX && (i > 0 || place == 0);
      last = place;
    }
    // The places are bounded, so that nothing overflows.
    sound =
        sound && at.first_arc + last == next && at.fields <= bytes && (last * at.width + 7) / 8 <= bytes - at.fields;
  }
  return sound && (groups > 0 || lists.arcs == 0);
}

/// Plain lists of the same neighbours.
template <class V>
static void unpack_lists(const PackedLists<V> &packed, std::uint64_t n, Array<ArcId> &offsets, Array<V> &lists) {
  offsets = Array<ArcId>(n + 1);
  lists = Array<V>(packed.num_arcs());
  offsets[n] = packed.num_arcs();
#pragma omp parallel for schedule(dynamic, 1024)
  for (std::uint64_t v = 0; v < n; ++v) {
    offsets[v] = packed.begin(static_cast<V>(v));
    const PackedList<V> list = packed.list(static_cast<V>(v));
    std::copy(list.begin(), list.end(), lists.data() + offsets[v]);
  }
}

template <class V> void unpack_adjacency(GraphStorage &storage, const ReadContext &context) {
  context.progress.update("unpacking the lists of neighbours");
  CsrArrays<V> &arrays = storage.arrays<V>();
  Graph<V> &g = arrays.view;
  const PackedArcs<V> packed = arrays.packed;
  const bool has_in = g.is_directed && !packed.in.empty();
  context.budget.require(
      (has_in ? 2 : 1) * (8 * (static_cast<double>(g.n) + 1) + sizeof(V) * static_cast<double>(packed.out.num_arcs())),
      "unpacking the lists of neighbours");
  unpack_lists(packed.out, g.n, arrays.out_offsets, arrays.out_targets);
  g.out_offsets = arrays.out_offsets.data();
  g.out_targets = arrays.out_targets.data();
  if (has_in) {
    unpack_lists(packed.in, g.n, arrays.in_offsets, arrays.in_sources);
    g.in_offsets = arrays.in_offsets.data();
    g.in_sources = arrays.in_sources.data();
  }
  arrays.packed_out = PackedStore();
  arrays.packed_in = PackedStore();
  arrays.packed = PackedArcs<V>();
  g.packed = nullptr;
  storage.plain_bytes = 0;
}

template <class V> void pack_adjacency(GraphStorage &storage, bool keeps_plain, const ReadContext &context) {
  context.progress.update("packing the lists of neighbours");
  CsrArrays<V> &arrays = storage.arrays<V>();
  Graph<V> &g = arrays.view;
  const ArcId arcs = g.num_arcs();
  // At the worst no bit is dropped; the plain lists of one side are there until their fields are written.
  context.budget.require(5 * static_cast<double>(g.n) + sizeof(V) * static_cast<double>(arcs),
                         "packing the lists of neighbours");
  storage.plain_bytes = 8 * (std::uint64_t(g.n) + 1) + sizeof(V) * arcs;
  arrays.packed_out = pack_lists(g.n, g.out_offsets, g.out_targets);
  if (!keeps_plain) {
    arrays.out_targets = Array<V>();
    arrays.out_offsets = Array<ArcId>();
  }
  if (g.in_offsets && g.is_directed) {
    storage.plain_bytes *= 2;
    arrays.packed_in = pack_lists(g.n, g.in_offsets, g.in_sources);
  }
  arrays.see_packed();
  if (keeps_plain)
    return;
  arrays.in_sources = Array<V>();
  arrays.in_offsets = Array<ArcId>();
  g.out_offsets = g.in_offsets = nullptr;
  g.out_targets = g.in_sources = nullptr;
}

template PackedStore pack_lists(std::uint64_t, const ArcId *, const std::uint32_t *);
template PackedStore pack_lists(std::uint64_t, const ArcId *, const std::uint64_t *);
template void unpack_adjacency<std::uint32_t>(GraphStorage &, const ReadContext &);
template void unpack_adjacency<std::uint64_t>(GraphStorage &, const ReadContext &);
template void pack_adjacency<std::uint32_t>(GraphStorage &, bool, const ReadContext &);
template void pack_adjacency<std::uint64_t>(GraphStorage &, bool, const ReadContext &);

} // namespace gc::detail
