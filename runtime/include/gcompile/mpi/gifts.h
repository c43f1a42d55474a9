// The values that owners give to the ranks with copies of their vertices.
#ifndef GCOMPILE_MPI_GIFTS_H
#define GCOMPILE_MPI_GIFTS_H

#include <gcompile/core/bytes.h>
#include <gcompile/core/property.h>
#include <gcompile/mpi/mail.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <tuple>
#include <utility>
#include <vector>

namespace gc::mpi {

/// A gift for a list of vertices: the value of each.
template <class V, class T> class AllValues {
public:
  explicit AllValues(const Property<T> &state) : state_(state) {}

  std::size_t size(const std::vector<V> &list) const { return list.size() * sizeof(T); }
  void write(const std::vector<V> &list, Bytes &to) const {
    char *at = to.add(size(list));
    for (const V v : list)
      Mail::write(at, state_[v]);
  }
  /// Of a gift for a longer list: asked for several times, writes it for the vertices at these places in that list.
  class Picker {
  public:
    Picker(const Bytes &gift, std::size_t) : values_(gift.data()) {}
    void pick(const std::vector<V> &places, Bytes &to) const {
      char *at = to.add(places.size() * sizeof(T));
      for (const V place : places) {
        std::memcpy(at, values_ + place * sizeof(T), sizeof(T));
        at += sizeof(T);
      }
    }

  private:
    const char *const values_;
  };

private:
  const Property<T> &state_;
};

/// A gift for a list of vertices: a bit for each, whether it is marked, and the values of those that are. Nothing where
/// none is.
template <class V, class... T> class MarkedValues {
public:
  MarkedValues(const std::vector<char> &marks, const Property<T> &...states) : marks_(marks), states_(states...) {}

  std::size_t size(const std::vector<V> &list) const {
    const auto marked = std::count_if(list.begin(), list.end(), [&](V v) { return marks_[v] != 0; });
    return marked > 0 ? bits(list.size()) + static_cast<std::size_t>(marked) * width : 0;
  }
  void write(const std::vector<V> &list, Bytes &to) const {
    const std::size_t count = size(list);
    if (count == 0)
      return;
    char *const begin = to.add(count), *at = begin + bits(list.size());
    std::fill(begin, at, 0);
    for (std::size_t i = 0; i < list.size(); ++i)
      if (marks_[list[i]]) {
        mark(begin, i);
        std::apply([&](const auto &...state) { (Mail::write(at, state[list[i]]), ...); }, states_);
      }
  }
  /// As that of AllValues.
  class Picker {
  public:
    Picker(const Bytes &gift, std::size_t length) : places_(gift.empty() ? 0 : length, none) {
      std::size_t at = bits(length);
      for (std::size_t i = 0; i < places_.size(); ++i)
        if (gift.data()[i / 8] >> (i % 8) & 1) {
          places_[i] = at;
          at += width;
        }
      bytes_ = gift.data();
    }
    void pick(const std::vector<V> &places, Bytes &to) const {
      if (places_.empty())
        return;
      const auto marked = static_cast<std::size_t>(
          std::count_if(places.begin(), places.end(), [&](V place) { return places_[place] != none; }));
      if (marked == 0)
        return;
      char *const begin = to.add(bits(places.size()) + marked * width), *at = begin + bits(places.size());
      std::fill(begin, at, 0);
      for (std::size_t i = 0; i < places.size(); ++i)
        if (const std::size_t place = places_[places[i]]; place != none) {
          mark(begin, i);
          std::memcpy(at, bytes_ + place, width);
          at += width;
        }
    }

  private:
    static constexpr std::size_t none = 0; // bits are there
    std::vector<std::size_t> places_;      ///< of the values of each vertex of the list that is marked
    const char *bytes_;
  };

private:
  static constexpr std::size_t width = (sizeof(T) + ... + 0);
  static std::size_t bits(std::size_t length) { return (length + 7) / 8; }
  static void mark(char *bits, std::size_t i) { bits[i / 8] |= static_cast<char>(1 << (i % 8)); }

  const std::vector<char> &marks_;
  const std::tuple<const Property<T> &...> states_;
};

/// How gifts go. A rank that passes on what several ranks get has each vertex once, and picks for each of these. Gifts
/// for long lists go straight.
template <class V> class Gifts {
public:
  /// `asked`: by rank, the own vertices that it has copies of.
  Gifts(Mail &mail, const std::vector<std::vector<V>> &asked) : mail_(mail), asked_(asked) {}

  /// Whether the gift for such a list goes straight in any case.
  static bool is_long(const std::vector<V> &list) { return list.size() >= Relay::long_message / 2; }

  /// Once `asked` is known: agrees with the ranks that pass gifts on. All ranks.
  void find_ways() {
    if (mail_.routes().direct())
      return;
    lists_.resize(asked_.size());
    ways_.resize(asked_.size());
    for (int to = 0; to < size(); ++to)
      if (const int by = way(to); by != rank() && !is_long(asked_[to]))
        lists_[by].insert(lists_[by].end(), asked_[to].begin(), asked_[to].end());
    for (std::vector<V> &list : lists_) {
      std::sort(list.begin(), list.end());
      list.erase(std::unique(list.begin(), list.end()), list.end());
    }
    for (int to = 0; to < size(); ++to)
      if (const int by = way(to); by != rank() && !asked_[to].empty() && !is_long(asked_[to])) {
        mail_.put(by, to);
        mail_.put(by, lists_[by].size());
        mail_.put(by, asked_[to].size());
        auto place = lists_[by].begin();
        for (const V v : asked_[to]) {
          place = std::lower_bound(place, lists_[by].end(), v);
          mail_.put(by, static_cast<V>(place - lists_[by].begin()));
        }
      }
    mail_.exchange();
    for (int from = 0; from < size(); ++from)
      for (const char *at = mail_.from(from).data(), *end = at + mail_.from(from).size(); at < end;) {
        Way way{Mail::take<int>(at), {}};
        ways_[from].length = Mail::take<std::size_t>(at);
        way.places.resize(Mail::take<std::size_t>(at));
        for (V &place : way.places)
          place = Mail::take<V>(at);
        ways_[from].to.push_back(std::move(way));
      }
  }

  /// Writes the gift of each list in `asked` to the rank r that has the copies, into whose mail it comes; gifts that go
  /// straight only where gets(r) says so. All ranks.
  template <class Gift, class Gets> void give(const Gift &gift, const Gets &gets) {
    if (mail_.routes().direct()) {
      for (int r = 0; r < size(); ++r)
        if (gets(r))
          gift.write(asked_[r], mail_.to(r));
      mail_.exchange();
      return;
    }
    std::vector<std::uint64_t> sizes(asked_.size(), 0);
    for (int r = 0; r < size(); ++r) {
      gift.write(lists_[r], mail_.relay().first(r));
      if (is_long(asked_[r])) {
        gift.write(asked_[r], mail_.to(r));
        continue;
      }
      sizes[r] = gift.size(asked_[r]);
      if (way(r) == rank())
        gift.write(asked_[r], mail_.relay().second(r));
    }
    mail_.pass(sizes, [&](int from, const Bytes &message, const auto &part) {
      const typename Gift::Picker picker(message, ways_[from].length);
      for (const Way &way : ways_[from].to)
        picker.pick(way.places, part(way.to));
    });
  }

private:
  /// What is picked for a rank, from the vertices of another one.
  struct Way {
    int to;
    std::vector<V> places;
  };
  struct Ways {
    std::size_t length = 0; ///< of the list of the other rank
    std::vector<Way> to;
  };

  int rank() const { return World::get().rank(); }
  int size() const { return World::get().size(); }
  int way(int to) const { return mail_.routes().via(rank(), to); }

  Mail &mail_;
  const std::vector<std::vector<V>> &asked_;
  std::vector<std::vector<V>> lists_; ///< ascending: what goes to each rank, for itself and those that it passes to
  std::vector<Ways> ways_;            ///< of what this rank passes on and gets, by the rank that it comes from
};

} // namespace gc::mpi

#endif
