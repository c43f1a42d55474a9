// Threads of the host, one for each GPU, which run the same code and meet.
#ifndef GCOMPILE_GPUS_TEAM_H
#define GCOMPILE_GPUS_TEAM_H

#include <gcompile/core/device_memory.h>
#include <gcompile/cuda/device/device.h>
#include <gcompile/omp/threads/threads.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstring>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace gc {
namespace gpus {

/// Thrown in a thread where that of another device has failed.
struct EndedElsewhere {};

/// The threads of a program: the one that makes the team has device 0, and each of the others the next one. Each has
/// its share of the threads of OpenMP while they run together. What one thread fails with ends what all of them do.
class Team {
public:
  explicit Team(int size)
      : size_(size), share_(std::max(omp_get_max_threads() / size, 1)), cards_(static_cast<std::size_t>(size)) {
    begin(0);
    for (int rank = 1; rank < size; ++rank)
      threads_.emplace_back([this, rank] { work(rank); });
  }
  Team(const Team &) = delete;
  Team &operator=(const Team &) = delete;
  ~Team() {
    post(nullptr);
    for (std::thread &thread : threads_)
      thread.join();
    mine() = nullptr;
  }

  /// The team of this thread; one of this thread alone where there is none.
  static Team &get() {
    if (mine())
      return *mine();
    static Team alone(1);
    return alone;
  }

  int rank() const { return static_cast<int>(gpu_in_use); }
  int size() const { return size_; }

  /// Each thread runs f(rank). Throws what the first thread that failed has thrown.
  void run(const std::function<void(int)> &f) {
    post(&f);
    const int all = omp_get_max_threads();
    omp_set_num_threads(share_);
    attempt(0);
    omp_set_num_threads(all);
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return working_ == 0; });
    if (error_)
      std::rethrow_exception(error_);
  }

  /// The values of all threads, in their order, on each of them. All threads.
  template <class T> std::vector<T> meet(const T &own) {
    const auto me = static_cast<std::size_t>(rank());
    const unsigned turn = cards_[me].turn++ % 2; // what is read of the last meeting nobody writes in this one
    std::vector<unsigned char> &card = cards_[me].bytes[turn];
    card.resize(sizeof own);
    std::memcpy(card.data(), static_cast<const void *>(&own), sizeof own);
    wait();
    std::vector<T> values(static_cast<std::size_t>(size_), own);
    for (std::size_t r = 0; r < values.size(); ++r)
      std::memcpy(static_cast<void *>(&values[r]), cards_[r].bytes[turn].data(), sizeof own);
    return values;
  }

private:
  struct alignas(64) Card {
    std::vector<unsigned char> bytes[2];
    unsigned turn = 0;
  };

  static Team *&mine() {
    static thread_local Team *team = nullptr;
    return team;
  }

  /// This thread has the device `rank` from now on, and reaches the memory of the others directly where it can.
  void begin(int rank) {
    gpu_in_use = static_cast<unsigned>(rank);
    mine() = this;
    if (size_ == 1)
      return;
    cuda::check(cudaSetDevice(rank), "cannot use a device");
    for (int other = 0; other < size_; ++other) {
      int possible = 0;
      if (other != rank && cudaDeviceCanAccessPeer(&possible, rank, other) == cudaSuccess && possible)
        cudaDeviceEnablePeerAccess(other, 0);
    }
    cudaGetLastError(); // copies between devices go by way of the host then
  }

  void post(const std::function<void(int)> *task) {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      task_ = task;
      working_ = size_ - 1;
      ++tasks_;
    }
    changed_.notify_all();
  }
  void work(int rank) {
    omp_set_num_threads(share_);
    for (unsigned done = 0;; ++done) {
      {
        std::unique_lock<std::mutex> lock(mutex_);
        changed_.wait(lock, [&] { return tasks_ != done; });
        if (!task_)
          return;
      }
      attempt(rank);
      {
        const std::lock_guard<std::mutex> lock(mutex_);
        --working_;
      }
      changed_.notify_all();
    }
  }
  void attempt(int rank) {
    try {
      if (mine() != this)
        begin(rank);
      (*task_)(rank);
    } catch (const EndedElsewhere &) {
    } catch (...) {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (!error_)
        error_ = std::current_exception();
      failed_ = true;
      met_.notify_all();
    }
  }

  /// Waits until all threads have come.
  void wait() {
    if (failed_)
      throw EndedElsewhere();
    const unsigned meeting = meetings_.load();
    if (arrived_.fetch_add(1) + 1 == size_) {
      arrived_ = 0;
      {
        const std::lock_guard<std::mutex> lock(mutex_);
        meetings_.fetch_add(1);
      }
      met_.notify_all();
    } else {
      // Devices are done at about the same time: sleeping would take longer than most waits.
      for (int i = 0; i < patience && meetings_.load() == meeting && !failed_; ++i)
        std::this_thread::yield();
      if (meetings_.load() == meeting && !failed_) {
        std::unique_lock<std::mutex> lock(mutex_);
        met_.wait(lock, [&] { return meetings_.load() != meeting || failed_; });
      }
    }
    if (failed_)
      throw EndedElsewhere();
  }

#ifdef GCOMPILE_CUDA_EMULATION
  static constexpr int patience = 4;
#else
  static constexpr int patience = 4000;
#endif

  int size_, share_;
  std::vector<Card> cards_;
  std::atomic<int> arrived_{0};
  std::atomic<unsigned> meetings_{0};
  std::atomic<bool> failed_{false};
  std::mutex mutex_;
  std::condition_variable changed_, met_;
  const std::function<void(int)> *task_ = nullptr;
  unsigned tasks_ = 0;
  int working_ = 0;
  std::exception_ptr error_;
  std::vector<std::thread> threads_;
};

/// As many as --gpus says, or all that there are.
inline int chosen_gpus() {
  int there = 0;
  cuda::check(cudaGetDeviceCount(&there), "no device");
  if (wanted_gpus > there)
    throw Error(ErrorKind::argument, "--gpus=" + std::to_string(wanted_gpus) + ": this machine has " +
                                         (there == 1 ? "one GPU" : std::to_string(there) + " GPUs"));
  if (wanted_gpus > static_cast<int>(most_gpus))
    throw Error(ErrorKind::argument, "--gpus: at most " + std::to_string(most_gpus));
  return wanted_gpus > 0 ? wanted_gpus : there < static_cast<int>(most_gpus) ? there : static_cast<int>(most_gpus);
}

} // namespace gpus
} // namespace gc

#endif
