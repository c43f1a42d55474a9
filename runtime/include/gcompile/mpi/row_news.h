// What ranks of a row tell each other of vertices at which several of them have arcs.
#ifndef GCOMPILE_MPI_ROW_NEWS_H
#define GCOMPILE_MPI_ROW_NEWS_H

#include <gcompile/core/adjacency/cursors.h>
#include <gcompile/core/property.h>
#include <gcompile/mpi/mail.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace gc::mpi {

/// Tells the ranks of the row which own vertices are in a list: each with its place among the copies that a rank has,
/// or a bit for each copy where that is less. A rank that has a copy of none gets nothing.
template <class V> class RowNews {
public:
  /// This rank owns `count` vertices, from `first` on.
  RowNews(Mail &mail, V first, V count) : mail_(mail), first_(first), count_(count) {}

  /// Puts into the list of own vertices those of other ranks, with their values of the states. `in_row(r)`: whether
  /// rank r takes part. `asked`: by rank, the own vertices that it has copies of; `held`: the copies of its vertices.
  /// All ranks.
  template <class InRow, class... T>
  void share(std::vector<V> &list, const InRow &in_row, const std::vector<std::vector<V>> &asked,
             const std::vector<std::vector<V>> &held, Property<T> &...states) {
    const std::vector<V> own = ascending(list);
    const int ranks = static_cast<int>(asked.size());
    for (int r = 0; r < ranks; ++r)
      if (in_row(r))
        put(r, own, asked[r], states...);
    mail_.exchange();
    for (int r = 0; r < ranks; ++r)
      if (in_row(r))
        take(r, held[r], [&](V v, [[maybe_unused]] const char *&at) {
          ((states[v] = Mail::take<T>(at)), ...);
          list.push_back(v);
        });
  }

private:
  std::vector<V> ascending(const std::vector<V> &list) const {
    std::vector<V> sorted;
    if (list.size() < count_ / 64) {
      sorted = list;
      std::sort(sorted.begin(), sorted.end());
      return sorted;
    }
    std::vector<char> is(count_, 0);
    for (const V v : list)
      is[v - first_] = 1;
    sorted.reserve(list.size());
    for (V i = 0; i < count_; ++i)
      if (is[i])
        sorted.push_back(first_ + i);
    return sorted;
  }

  static std::size_t bytes_of_bits(const std::vector<V> &copies) { return (copies.size() + 7) / 8; }

  template <class... T>
  void put(int rank, const std::vector<V> &own, const std::vector<V> &copies, const Property<T> &...states) {
    std::vector<V> places;
    const V *next = copies.data(), *const end = next + copies.size();
    for (const V v : own)
      if (next = gc::detail::gallop(next, end, v); next != end && *next == v)
        places.push_back(static_cast<V>(next - copies.data()));
    if (places.empty())
      return;
    const bool bits = bytes_of_bits(copies) < places.size() * sizeof(V);
    mail_.put(rank, bits);
    if (bits) {
      char *const at = mail_.to(rank).add(bytes_of_bits(copies));
      std::fill(at, at + bytes_of_bits(copies), 0);
      for (const V place : places)
        at[place / 8] = static_cast<char>(at[place / 8] | 1 << (place % 8));
    } else {
      mail_.put(rank, places.size());
      for (const V place : places)
        mail_.put(rank, place);
    }
    for ([[maybe_unused]] const V place : places)
      (mail_.put(rank, states[copies[place]]), ...);
  }

  /// Calls got(v, at) for each that the rank has told; its values are at `at`.
  template <class Got> void take(int rank, const std::vector<V> &copies, const Got &got) const {
    const char *at = mail_.from(rank).data(), *const end = at + mail_.from(rank).size();
    if (at == end)
      return;
    std::vector<V> places;
    if (Mail::take<bool>(at)) {
      for (std::size_t i = 0; i < copies.size(); ++i)
        if (at[i / 8] >> (i % 8) & 1)
          places.push_back(static_cast<V>(i));
      at += bytes_of_bits(copies);
    } else {
      places.resize(Mail::take<std::size_t>(at));
      for (V &place : places)
        place = Mail::take<V>(at);
    }
    for (const V place : places)
      got(copies[place], at);
  }

  Mail &mail_;
  const V first_, count_;
};

} // namespace gc::mpi

#endif
