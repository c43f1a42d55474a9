// What every rank has whole: single values, the members of sets, arrays, and the values of all vertices.
#ifndef GCOMPILE_MPI_WHOLE_H
#define GCOMPILE_MPI_WHOLE_H

#include <gcompile/mpi/ranks.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace gc::mpi {

/// What get() is for the owner of a vertex, or of an arc; where it is none, every rank asks for itself. All ranks.
template <class Owners, class Id, class Get> auto of_owner(const Owners &owners, Id id, const Get &get) {
  if (!owners.has(id))
    return get();
  struct One {
    decltype(get()) value;
  };
  return World::get().meet(One{owners.owns(id) ? get() : decltype(get())()})[std::size_t(owners.owner(id))].value;
}

/// The value of one vertex, from its owner. All ranks.
template <class V, class T> T value_of_owner(const Ranks<V> &ranks, const Property<T> &state, V v) {
  return of_owner(ranks, v, [&]() -> T { return state[v]; });
}
/// The same of a pair of vertices, of which the owner of the first one has the value. All ranks.
template <class V, class T> T value_of_owner(const Ranks<V> &ranks, const Dense<T> &state, V v, V u) {
  return of_owner(ranks, v, [&]() -> T { return state(v, u); });
}

/// The members of a set of which each rank has its own, ascending. All ranks.
template <class V> std::vector<V> members_of(Ranks<V> &ranks, const VertexSet<V> &set) {
  std::vector<V> members;
  ranks.send_vertices(
      [&](int, const auto &send) {
        for (const V v : set)
          send(v);
      },
      [&](V v) { members.push_back(v); });
  std::sort(members.begin(), members.end());
  return members;
}

/// The own ones among the neighbours of a vertex, which its owner lists. All ranks.
template <class V, class List> VertexSet<V> own_neighbors(Ranks<V> &ranks, V v, const List &list) {
  std::vector<V> members;
  ranks.send_vertices(
      [&](int r, const auto &send) {
        if (ranks.owns(v))
          for (const V u : list)
            if (ranks.owner(u) == r)
              send(u);
      },
      [&](V u) { members.push_back(u); });
  return VertexSet<V>::of(ranks.num_vertices(), members);
}

/// Gives `count` values of rank `from` to all others. All ranks; behind a meeting.
template <class T> void spread(int from, T *values, std::size_t count) {
  World &world = World::get();
  constexpr std::size_t longest = std::size_t(1) << 30; // MPI counts in int
  char *const bytes = reinterpret_cast<char *>(values);
  const std::size_t size = count * sizeof(T);
  for (std::size_t done = 0; done < size; done += longest) {
    const std::size_t length = std::min(longest, size - done);
    if (world.rank() == from)
      for (int r = 1; r < world.size(); ++r)
        world.count_message(length);
    world.collective(MPI_Bcast, MPI_Ibcast, bytes + done, static_cast<int>(length), MPI_BYTE, from);
  }
}

/// Owners send their values to all ranks. All ranks.
template <class V, class T> void give_to_all(const Ranks<V> &ranks, Property<T> &state) {
  World &world = World::get();
  world.meet(0);
  world.together([&] {
    for (int r = 0; r < world.size(); ++r)
      spread(r, state.data() + ranks.partition().begin(r), ranks.partition().end(r) - ranks.partition().begin(r));
  });
}

// Of pairs each rank has the rows of its own vertices.

/// The owner gives row v to all ranks. All ranks.
template <class V, class T> void copy_row(const Ranks<V> &ranks, Property<T> &to, const Dense<T> &from, V v) {
  World &world = World::get();
  if (ranks.owns(v))
    std::copy_n(from.row(v), from.size(), to.data());
  world.meet(0);
  world.together([&] { spread(ranks.owner(v), to.data(), to.size()); });
}
/// Column u, as far as this rank has its rows.
template <class V, class T> void copy_column(const Ranks<V> &ranks, Property<T> &to, const Dense<T> &from, V u) {
  for (V v = ranks.first(); v < ranks.last(); ++v)
    to[v] = from(v, u);
}
/// The rows of this rank.
template <class V, class T> void copy_rows(const Ranks<V> &ranks, Dense<T> &to, const Dense<T> &from) {
  if (ranks.first() < ranks.last())
    std::copy(from.row(ranks.first()), from.row(ranks.last()), to.row(ranks.first()));
}

/// What a rank collects for an array: as many elements, which change nothing yet.
template <class T, class U> Array<T> part_of(const Array<T> &array, const U &neutral) {
  Array<T> part(array.size());
  std::fill(part.begin(), part.end(), static_cast<T>(neutral));
  return part;
}
/// Combines an array that all ranks have with the parts of all of them, in their order. All ranks.
template <class T, class Combine> void combine_parts(Array<T> &array, Array<T> &own, const Combine &combine) {
  World &world = World::get();
  world.meet(0);
  Array<T> other(own.size());
  for (int r = 0; r < world.size(); ++r) {
    Array<T> &part = r == world.rank() ? own : other;
    world.together([&] { spread(r, part.data(), part.size()); });
    for (std::size_t i = 0; i < array.size(); ++i)
      combine(array[i], part[i]);
  }
}

} // namespace gc::mpi

#endif
