// The soft-priority scheduler: an ordered map from integer priority to bags ("ordered by integer metric", Nguyen et al.
// 2013, "A lightweight infrastructure for graph analytics").
#ifndef GCOMPILE_OMP_ASYNC_OBIM_H
#define GCOMPILE_OMP_ASYNC_OBIM_H

#include <gcompile/omp/async/bag.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace gc::async {

/// Tasks in the order of an integer level, the least first: a preference, not a promise.
///
/// A log lists all bags that were ever made, in the order of their making. Every thread keeps a map of its own from
/// levels to bags, and reads on in the log when it lacks a bag or looks for work. Several threads share the bag of one
/// level; a thread looks for better work whenever it has used up a chunk.
template <class T, std::size_t N> class Obim {
public:
  using Level = std::int64_t;

  Obim(std::size_t threads, unsigned groups)
      : threads_(threads), groups_(groups), lowest_(std::make_unique<Lowest[]>(threads)), workers_(threads) {}

  /// The chunks that wait in bags, for whoever takes them.
  std::size_t waiting() const { return pool_.waiting(); }

  /// One thread's view.
  class Worker {
  public:
    Worker(Obim &obim, std::size_t thread, unsigned group)
        : obim_(obim), own_(obim.lowest_[thread].level), place_{group, typename ChunkPool<T, N>::Stock(obim.pool_)} {}

    void add(Level level, const T &task) {
      Recent &recent = recent_[static_cast<std::uint64_t>(level) % 16];
      if (!recent.local || recent.level != level)
        recent = {level, &find(level)};
      recent.local->part.add(*recent.local->bag, place_, task);
      // Before others look for work, or this thread does: they begin at the lowest of these.
      if (level < own_.load(std::memory_order_relaxed))
        own_.store(level, std::memory_order_relaxed);
    }

    /// From the chunk at hand.
    bool take_on(T &task) { return current_ && current_->part.take_on(place_, task); }
    /// From the best bag that has a task. Every list that holds a chunk has a level of at least some thread's lowest:
    /// the thread that filled it has not looked there since.
    bool take_best(T &task) {
      catch_up();
      Level from = no_level;
      for (std::size_t i = 0; i < obim_.threads_; ++i)
        from = std::min(from, obim_.lowest_[i].level.load(std::memory_order_relaxed));
      for (auto entry = bags_.lower_bound(from); entry != bags_.end(); ++entry)
        if (entry->second.part.take(*entry->second.bag, place_, task)) {
          current_ = &entry->second;
          own_.store(entry->first, std::memory_order_relaxed);
          return true;
        }
      current_ = nullptr;
      own_.store(no_level, std::memory_order_relaxed);
      return false;
    }
    bool take(T &task) { return take_on(task) || take_best(task); }

    /// Leaves all that this thread holds to whoever takes it.
    void leave() {
      for (auto entry = bags_.lower_bound(own_.load(std::memory_order_relaxed)); entry != bags_.end(); ++entry)
        entry->second.part.leave(*entry->second.bag, place_);
      current_ = nullptr;
    }

  private:
    struct Local {
      Bag<T, N> *bag;
      typename Bag<T, N>::Part part = {};
    };

    /// One of the levels that tasks were added to lately: they lie close together.
    struct Recent {
      Level level = 0;
      Local *local = nullptr;
    };

    Local &find(Level level) {
      auto entry = bags_.find(level);
      if (entry == bags_.end()) {
        catch_up();
        entry = bags_.find(level);
      }
      if (entry == bags_.end()) {
        obim_.make(level, seen_);
        catch_up();
        entry = bags_.find(level);
      }
      return entry->second;
    }

    /// Reads on in the log.
    void catch_up() {
      if (seen_ == obim_.made_.load(std::memory_order_acquire))
        return;
      std::lock_guard<std::mutex> guard(obim_.mutex_);
      for (; seen_ < obim_.log_.size(); ++seen_)
        bags_.emplace(obim_.log_[seen_].level, Local{&obim_.log_[seen_].bag});
    }

    Obim &obim_;
    std::atomic<Level> &own_;
    typename Bag<T, N>::Place place_;
    std::map<Level, Local> bags_;
    std::size_t seen_ = 0; // position in the log
    Local *current_ = nullptr;
    Recent recent_[16];
  };
  /// That of a thread, made when it comes first; it stays.
  Worker &worker(std::size_t thread, unsigned group) {
    if (!workers_[thread])
      workers_[thread] = std::make_unique<Worker>(*this, thread, group);
    return *workers_[thread];
  }

private:
  static constexpr Level no_level = std::numeric_limits<Level>::max();

  struct Entry {
    Entry(Level level, unsigned groups) : level(level), bag(groups) {}
    Level level;
    Bag<T, N> bag;
  };
  /// A lower bound of the levels of the tasks that a thread has added since it last looked for work.
  struct alignas(64) Lowest {
    std::atomic<Level> level{no_level};
  };

  /// Appends a bag, unless another thread has done so since `seen`.
  void make(Level level, std::size_t seen) {
    std::lock_guard<std::mutex> guard(mutex_);
    for (; seen < log_.size(); ++seen)
      if (log_[seen].level == level)
        return;
    log_.emplace_back(level, groups_);
    made_.store(log_.size(), std::memory_order_release);
  }

  std::size_t threads_;
  unsigned groups_;
  ChunkPool<T, N> pool_;
  std::unique_ptr<Lowest[]> lowest_;
  std::mutex mutex_;
  std::deque<Entry> log_; // only ever grows; its elements stay where they are
  std::atomic<std::size_t> made_{0};
  std::vector<std::unique_ptr<Worker>> workers_;
};

} // namespace gc::async

#endif
