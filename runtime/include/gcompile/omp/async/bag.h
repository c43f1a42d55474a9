// A concurrent bag of tasks: chunks that threads own, and a list of full chunks for each group of CPUs.
#ifndef GCOMPILE_OMP_ASYNC_BAG_H
#define GCOMPILE_OMP_ASYNC_BAG_H

#include <gcompile/omp/async/chunk.h>

#include <cstddef>
#include <memory>

namespace gc::async {

/// An unordered collection; tasks may be added while others are taken. What is added early is preferred, loosely.
///
/// A thread adds to a chunk of its own. A full one goes to the list of the thread's group, from where any thread of
/// the group takes it; a thread whose group has none takes one from another group.
template <class T, std::size_t N> class Bag {
public:
  explicit Bag(unsigned groups) : groups_(groups), lists_(std::make_unique<ChunkList<T, N>[]>(groups)) {}

  /// What a thread needs to use bags: where it runs, and memory.
  struct Place {
    unsigned group;
    typename ChunkPool<T, N>::Stock stock;
  };

  /// One thread's part of the bag: the chunk that it takes tasks from, and the one that it adds tasks to.
  class Part {
  public:
    void add(Bag &bag, Place &place, const T &task) {
      if (!adding_)
        adding_ = place.stock.take();
      adding_->push(task);
      if (adding_->full()) {
        place.stock.leave(bag.lists_[place.group], adding_);
        adding_ = nullptr;
      }
    }
    /// From the chunk at hand.
    bool take_on(Place &place, T &task) {
      if (!taking_)
        return false;
      task = taking_->pop();
      if (taking_->empty()) {
        place.stock.give(taking_);
        taking_ = nullptr;
      }
      return true;
    }
    /// From the chunk at hand, a full chunk of the group, the chunk that this thread adds to, or a full chunk of
    /// another group.
    bool take(Bag &bag, Place &place, T &task) {
      if (!taking_)
        taking_ = place.stock.fetch(bag.lists_[place.group]);
      if (take_on(place, task))
        return true;
      if (adding_) {
        task = adding_->pop();
        if (adding_->empty()) {
          place.stock.give(adding_);
          adding_ = nullptr;
        }
        return true;
      }
      for (unsigned i = 1; i < bag.groups_ && !taking_; ++i)
        taking_ = place.stock.fetch(bag.lists_[(place.group + i) % bag.groups_]);
      return take_on(place, task);
    }
    /// Leaves all of it to whoever takes it.
    void leave(Bag &bag, Place &place) {
      Chunk<T, N> **const both[] = {&taking_, &adding_}; // an array: nvcc hands g++ a list that it does not take
      for (Chunk<T, N> **own : both)
        if (*own) {
          place.stock.leave(bag.lists_[place.group], *own);
          *own = nullptr;
        }
    }

  private:
    Chunk<T, N> *taking_ = nullptr, *adding_ = nullptr; // not empty, or null
  };

private:
  unsigned groups_;
  std::unique_ptr<ChunkList<T, N>[]> lists_;
};

} // namespace gc::async

#endif
