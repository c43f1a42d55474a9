// Vertices or arcs that the threads of a rank collect in a kernel.
#ifndef GCOMPILE_MPI_MARKED_LIST_H
#define GCOMPILE_MPI_MARKED_LIST_H

#include <gcompile/core/property.h>
#include <gcompile/omp/threads/per_thread.h>
#include <gcompile/omp/threads/share.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

namespace gc::mpi {

/// Some of the vertices, or arcs, first, ..., last - 1, each once, however often it is added. Each thread has a list of
/// its own; a mark for each vertex tells whether it is in one of them.
template <class V> class MarkedList {
public:
  /// For as many threads as OpenMP is told to use, or fewer.
  MarkedList(V first, V last) : first_(first), marks_(Array<char>::zeros(static_cast<std::size_t>(last - first))) {}

  /// In a kernel: the way of one thread to its list. `Share` is that of the thread, and tells whether it works alone.
  template <class Share> class Writer {
  public:
    explicit Writer(MarkedList &list) : first_(list.first_), marks_(list.marks_.data()), mine_(list.lists_.mine()) {}

    /// Adds a vertex that any thread may add.
    void add(V v) {
      if constexpr (std::is_same<Share, Alone>::value) {
        add_own(v);
      } else {
        char &mark = marks_[v - first_];
        if (__atomic_load_n(&mark, __ATOMIC_RELAXED) == 0 && __atomic_exchange_n(&mark, 1, __ATOMIC_RELAXED) == 0)
          mine_.push_back(v);
      }
    }
    /// Adds a vertex that no other thread adds in this kernel.
    void add_own(V v) {
      char &mark = marks_[v - first_];
      if (mark)
        return;
      mark = 1;
      mine_.push_back(v);
    }

  private:
    const V first_;
    char *const marks_;
    std::vector<V> &mine_;
  };

  /// Between kernels, and in those of one thread.
  void add(V v) { Writer<Alone>(*this).add_own(v); }

  /// Between kernels: moves the vertices to `to`, which is empty, in the order of the threads. They stay marked.
  void move_to(std::vector<V> &to) {
    lists_.each([&](std::vector<V> &list) {
      if (to.empty())
        std::swap(to, list);
      else
        to.insert(to.end(), list.begin(), list.end());
      list.clear();
    });
  }
  /// The same in ascending order: a long list is read off the marks.
  void move_ascending_to(std::vector<V> &to) {
    std::size_t count = 0;
    lists_.each([&](const std::vector<V> &list) { count += list.size(); });
    if (count < marks_.size() / 128) {
      move_to(to);
      std::sort(to.begin(), to.end());
      return;
    }
    lists_.each([](std::vector<V> &list) { list.clear(); });
    to.reserve(count);
    const auto take = [&](std::size_t from, std::size_t end) {
      for (std::size_t i = from; i < end; ++i)
        if (marks_[i])
          to.push_back(first_ + static_cast<V>(i));
    };
    std::uint64_t eight = 0;
    std::size_t i = 0;
    for (; i + sizeof eight <= marks_.size(); i += sizeof eight) {
      std::memcpy(&eight, marks_.data() + i, sizeof eight);
      if (eight != 0)
        take(i, i + sizeof eight);
    }
    take(i, marks_.size());
  }
  /// From now on the vertex can be added again.
  void unmark(V v) { marks_[v - first_] = 0; }

private:
  V first_;
  Array<char> marks_; ///< memory where there are any
  PerThread<std::vector<V>> lists_;
};

} // namespace gc::mpi

#endif
