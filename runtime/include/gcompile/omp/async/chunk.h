// Chunks of tasks, lists of chunks, the memory that they come from, and how many of them wait.
#ifndef GCOMPILE_OMP_ASYNC_CHUNK_H
#define GCOMPILE_OMP_ASYNC_CHUNK_H

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

namespace gc::async {

/// A ring of at most N tasks, first in, first out. One thread uses it at a time.
template <class T, std::size_t N> class Chunk {
  static_assert(N >= 8 && N <= 64, "a chunk holds 8 to 64 tasks");

public:
  bool empty() const { return size_ == 0; }
  bool full() const { return size_ == N; }
  std::size_t size() const { return size_; }
  /// Only if it is not full.
  void push(const T &task) {
    std::size_t at = first_ + size_++;
    tasks_[at < N ? at : at - N] = task;
  }
  /// Only if it is not empty.
  T pop() {
    const T task = tasks_[first_];
    first_ = first_ + 1 == N ? 0 : first_ + 1;
    --size_;
    return task;
  }

  Chunk *next = nullptr; ///< in a list

private:
  std::size_t first_ = 0, size_ = 0;
  T tasks_[N];
};

/// A list of chunks, first in, first out, that any thread may use at any time.
template <class T, std::size_t N> class alignas(64) ChunkList {
public:
  void push(Chunk<T, N> *chunk) {
    chunk->next = nullptr;
    std::lock_guard<std::mutex> guard(mutex_);
    if (last_)
      last_->next = chunk;
    else
      first_.store(chunk, std::memory_order_relaxed);
    last_ = chunk;
  }
  /// The first chunk, or null. A chunk that another thread adds meanwhile may be missed.
  Chunk<T, N> *pop() {
    if (!first_.load(std::memory_order_relaxed))
      return nullptr;
    std::lock_guard<std::mutex> guard(mutex_);
    Chunk<T, N> *chunk = first_.load(std::memory_order_relaxed);
    if (!chunk)
      return nullptr;
    first_.store(chunk->next, std::memory_order_relaxed);
    if (!chunk->next)
      last_ = nullptr;
    return chunk;
  }

private:
  std::mutex mutex_;
  std::atomic<Chunk<T, N> *> first_{nullptr}; // changed under the lock, looked at without it
  Chunk<T, N> *last_ = nullptr;
};

/// The memory of all chunks of one run: it grows with the greatest number of tasks that waited at a time, and is given
/// back at the end. Each thread takes from a stock of its own.
template <class T, std::size_t N> class ChunkPool {
  static constexpr std::size_t batch = 32; // chunks that a stock gets or gives back at a time

public:
  /// The chunks that wait in lists, for whoever takes them.
  std::size_t waiting() const { return waiting_.load(std::memory_order_relaxed); }

  /// One thread's free chunks.
  class Stock {
  public:
    explicit Stock(ChunkPool &pool) : pool_(pool) {}
    Stock(const Stock &) = delete;
    ~Stock() { pool_.collect(free_, free_.size()); }

    /// Leaves a chunk in a list.
    void leave(ChunkList<T, N> &list, Chunk<T, N> *chunk) {
      pool_.waiting_.fetch_add(1, std::memory_order_relaxed);
      list.push(chunk);
    }
    /// The first chunk of a list, or null.
    Chunk<T, N> *fetch(ChunkList<T, N> &list) {
      Chunk<T, N> *chunk = list.pop();
      if (chunk)
        pool_.waiting_.fetch_sub(1, std::memory_order_relaxed);
      return chunk;
    }

    Chunk<T, N> *take() {
      if (free_.empty())
        pool_.supply(free_);
      Chunk<T, N> *chunk = free_.back();
      free_.pop_back();
      return chunk;
    }
    /// An empty chunk, from whatever thread's stock it came. A thread that only consumes passes them on.
    void give(Chunk<T, N> *chunk) {
      free_.push_back(chunk);
      if (free_.size() >= 2 * batch)
        pool_.collect(free_, batch);
    }

  private:
    ChunkPool &pool_;
    std::vector<Chunk<T, N> *> free_;
  };

private:
  void supply(std::vector<Chunk<T, N> *> &stock) {
    std::lock_guard<std::mutex> guard(mutex_);
    if (free_.empty()) {
      blocks_.push_back(std::make_unique<Chunk<T, N>[]>(batch));
      for (std::size_t i = 0; i < batch; ++i)
        stock.push_back(&blocks_.back()[i]);
      return;
    }
    for (std::size_t i = 0; i < batch && !free_.empty(); ++i) {
      stock.push_back(free_.back());
      free_.pop_back();
    }
  }
  void collect(std::vector<Chunk<T, N> *> &stock, std::size_t count) {
    std::lock_guard<std::mutex> guard(mutex_);
    free_.insert(free_.end(), stock.end() - static_cast<std::ptrdiff_t>(count), stock.end());
    stock.resize(stock.size() - count);
  }

  alignas(64) std::atomic<std::size_t> waiting_{0};
  std::mutex mutex_;
  std::vector<std::unique_ptr<Chunk<T, N>[]>> blocks_;
  std::vector<Chunk<T, N> *> free_;
};

} // namespace gc::async

#endif
