#include "pack.h"

#include "csr_build.h"

#include <gcompile/core/error.h>

#include <algorithm>
#include <cstring>

namespace gc::detail {

namespace {

using Group = PackedGroup;

/// Sets some bits that are zero; those of the bytes that they share with others belong to the same thread.
void put_bits(std::uint8_t *bytes, std::uint64_t bit, unsigned width, std::uint64_t value) {
  for (unsigned done = 0; done < width;) {
    const unsigned shift = static_cast<unsigned>(bit + done) % 8, taken = std::min(8 - shift, width - done);
    bytes[(bit + done) / 8] |= static_cast<std::uint8_t>((value >> done & ((1u << taken) - 1)) << shift);
    done += taken;
  }
}

/// Some bits that put_bits has set, at most 57.
std::uint64_t get_bits(const std::uint8_t *bytes, std::uint64_t bit, unsigned width) {
  std::uint64_t value = 0;
  for (unsigned done = 0; done < width;) {
    const unsigned shift = static_cast<unsigned>(bit + done) % 8, taken = std::min(8 - shift, width - done);
    value |= std::uint64_t(bytes[(bit + done) / 8] >> shift & ((1u << taken) - 1)) << done;
    done += taken;
  }
  return value;
}

/// The bits of the fields of a group: those of ids, unless all neighbours are nearer to their vertices.
template <class V>
unsigned width_of_group(std::uint64_t begin, std::uint64_t end, const ArcId *offsets, const V *lists,
                        unsigned id_bits) {
  std::uint64_t furthest = 0; // behind a vertex, or one less before it
  for (std::uint64_t v = begin; v < end; ++v)
    for (ArcId e = offsets[v]; e < offsets[v + 1]; ++e) {
      const std::uint64_t u = lists[e];
      furthest = std::max(furthest, u < v ? v - u - 1 : u - v);
    }
  const unsigned distance_bits = 1 + (furthest ? 64 - static_cast<unsigned>(__builtin_clzll(furthest)) : 0);
  return offsets[begin] == offsets[end] ? id_bits : std::min(distance_bits, id_bits);
}

/// Writes the fields of a group into zeroed words.
template <class V>
void pack_fields(std::uint64_t begin, std::uint64_t end, const ArcId *offsets, const V *lists, unsigned width,
                 bool distances, std::uint64_t *words) {
  std::uint64_t word = 0;
  unsigned used = 0;
  for (std::uint64_t v = begin; v < end; ++v) {
    const std::uint64_t base = distances ? v - (std::uint64_t(1) << (width - 1)) : 0;
    for (ArcId e = offsets[v]; e < offsets[v + 1]; ++e) {
      const std::uint64_t field = lists[e] - base;
      word |= field << used;
      used += width;
      if (used >= 64) {
        *words++ = word;
        used -= 64;
        word = used > 0 ? field >> (width - used) : 0;
      }
    }
  }
  if (used > 0)
    *words = word;
}

} // namespace

template <class V> PackedStore pack_lists(std::uint64_t n, const ArcId *offsets, const V *lists) {
  const unsigned id_bits = bits_of_ids(n);
  const ArcId arcs = offsets[n];
  if (id_bits > PackedLists<V>::most_bits || arcs >> Group::arc_bits != 0)
    throw Error(ErrorKind::resource, "the graph is too large for packed lists: they have at most 2^57 vertices and "
                                     "2^40 arcs");
  const std::uint64_t groups = num_groups(n);
  const auto end_of = [&](std::uint64_t group) { return std::min(n, (group + 1) * Group::vertices); };
  const auto is_many = [&](std::uint64_t group) {
    return offsets[end_of(group)] - offsets[group * Group::vertices] > Group::most_arcs;
  };
  Array<std::uint8_t> widths(groups);
  Array<std::uint64_t> words(groups + 1), records(groups + 1);
#pragma omp parallel for schedule(dynamic, 64)
  for (std::uint64_t group = 0; group < groups; ++group) {
    const std::uint64_t begin = group * Group::vertices, end = end_of(group);
    const unsigned width = width_of_group(begin, end, offsets, lists, id_bits);
    widths[group] = static_cast<std::uint8_t>(width);
    words[group] = ((offsets[end] - offsets[begin]) * width + 63) / 64;
    records[group] = is_many(group) ? 1 : 0;
  }
  exclusive_scan(words.data(), groups);
  exclusive_scan(records.data(), groups);
  PackedStore store;
  store.groups = Array<PackedGroup>(groups);
  store.records = Array<std::uint64_t>(records[groups] * Group::record_words);
  store.fields = Array<std::uint64_t>(words[groups] + 1); // a field is read with the 7 bytes behind it
  store.fields[words[groups]] = 0;
#pragma omp parallel for schedule(dynamic, 64)
  for (std::uint64_t group = 0; group < groups; ++group) {
    const std::uint64_t begin = group * Group::vertices, end = end_of(group);
    std::uint8_t *const bytes = store.groups[group].bytes;
    std::memset(bytes, 0, sizeof(PackedGroup));
    put_bits(bytes, 0, Group::arc_bits, offsets[begin]);
    put_bits(bytes, Group::arc_bits + Group::width_bits, Group::field_bits, words[group]);
    const bool many = is_many(group);
    put_bits(bytes, Group::arc_bits, Group::width_bits, many ? std::uint64_t(Group::many) : widths[group]);
    std::uint64_t *const record = store.records.data() + records[group] * Group::record_words;
    if (many) {
      put_bits(bytes, Group::first_place, 32, records[group]);
      record[0] = widths[group];
    }
    for (unsigned i = 0; i <= Group::vertices; ++i) {
      const std::uint64_t place = offsets[std::min(begin + i, end)] - offsets[begin];
      if (many)
        record[1 + i] = place;
      else
        put_bits(bytes, Group::first_place + i * Group::place_bits, Group::place_bits, place);
    }
    pack_fields(begin, end, offsets, lists, widths[group], widths[group] != id_bits,
                store.fields.data() + words[group]);
  }
  store.keep(arcs);
  return store;
}

bool places_are_sound(std::uint64_t n, const PackedParts &lists) {
  const unsigned id_bits = bits_of_ids(n);
  const std::uint64_t groups = num_groups(n);
  bool sound = lists.num_fields > 0; // the last one is behind all fields
#pragma omp parallel for schedule(static) reduction(&& : sound)
  for (std::uint64_t group = 0; group < groups; ++group) {
    const std::uint8_t *const bytes = lists.groups[group].bytes;
    const std::uint64_t next =
        group + 1 < groups ? get_bits(lists.groups[group + 1].bytes, 0, Group::arc_bits) : lists.arcs;
    const std::uint64_t first = get_bits(bytes, 0, Group::arc_bits);
    std::uint64_t width = get_bits(bytes, Group::arc_bits, Group::width_bits);
    const std::uint64_t *record = nullptr;
    if (width == Group::many) {
      const std::uint64_t at = get_bits(bytes, Group::first_place, 32) * Group::record_words;
      if (at + Group::record_words > lists.num_records) {
        sound = false;
        continue;
      }
      record = lists.records + at;
      width = record[0];
    }
    sound = sound && (width == id_bits || (width > 0 && width < id_bits)) && (group > 0 || first == 0) && first <= next;
    std::uint64_t last = 0;
    for (unsigned i = 0; i <= Group::vertices; ++i) {
      const std::uint64_t place =
          record ? record[1 + i] : get_bits(bytes, Group::first_place + i * Group::place_bits, Group::place_bits);
      sound = sound && place >= last && place - last <= INT32_MAX && (i > 0 || place == 0);
      last = place;
    }
    const std::uint64_t begin = get_bits(bytes, Group::arc_bits + Group::width_bits, Group::field_bits);
    sound = sound && first + last == next && begin + (last * width + 63) / 64 < lists.num_fields;
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
  context.budget.require(4 * static_cast<double>(g.n) + sizeof(V) * static_cast<double>(arcs),
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
