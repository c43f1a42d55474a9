// The processes (ranks) of a run under MPI, and how they meet.
#ifndef GCOMPILE_MPI_WORLD_H
#define GCOMPILE_MPI_WORLD_H

#include <gcompile/core/error.h>
#include <gcompile/core/partition.h>
#include <gcompile/program/process_group.h>

#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>
#include <type_traits>
#include <vector>

namespace gc::mpi {

/// All ranks, in which each collective operation begins with a meeting. A rank that fails takes part in one more
/// meeting, where the others learn of it: no rank waits for one that is gone, and one error is printed.
class World final : public ProcessGroup {
public:
  static World &get() {
    static World world;
    return world;
  }

  int rank() const { return rank_; }
  int size() const override { return size_; }
  bool speaks() const override { return rank_ == 0; }
  MPI_Comm communicator() const { return MPI_COMM_WORLD; }
  VertexBlock block(const Graph<std::uint32_t> &graph) const override { return block_of(graph); }
  VertexBlock block(const Graph<std::uint64_t> &graph) const override { return block_of(graph); }

  std::vector<std::uint64_t> all(const std::vector<std::uint64_t> &own) override {
    const std::vector<std::uint64_t> sizes = meet(std::uint64_t(own.size()));
    std::vector<std::uint64_t> values;
    together([&] {
      for (int r = 0; r < size_; ++r) {
        const std::size_t at = values.size();
        if (r == rank_)
          values.insert(values.end(), own.begin(), own.end());
        values.resize(at + sizes[r]);
        constexpr std::size_t longest = std::size_t(1) << 27; // MPI counts in int
        for (std::size_t done = 0; done < sizes[r]; done += longest)
          MPI_Bcast(values.data() + at + done, static_cast<int>(std::min(longest, sizes[r] - done)), MPI_UINT64_T, r,
                    communicator());
      }
    });
    return values;
  }

  /// The values of all ranks, in their order. Throws EndedElsewhere if a rank has failed.
  template <class T> std::vector<T> meet(const T &own) {
    static_assert(std::is_trivially_copyable<T>::value, "values travel as bytes");
    Card card;
    constexpr bool fits = sizeof(T) <= sizeof card.value;
    if constexpr (fits)
      std::memcpy(card.value, &own, sizeof own);
    const std::vector<Card> all = exchange(card);
    if (const int first = failed(all); first < size_) {
      ended_ = true;
      throw EndedElsewhere{all[first].status};
    }
    std::vector<T> values(size_);
    if constexpr (fits) {
      for (int r = 0; r < size_; ++r)
        std::memcpy(&values[r], all[r].value, sizeof own);
    } else {
      MPI_Allgather(&own, sizeof own, MPI_BYTE, values.data(), sizeof own, MPI_BYTE, communicator());
    }
    return values;
  }

  /// Runs f, in which ranks wait for each other without a meeting: an exception ends all ranks at once.
  template <class F> void together(const F &f) {
    try {
      f();
    } catch (const Error &error) {
      abandon(error.what(), error.exit_code());
    } catch (const std::exception &error) {
      abandon(error.what(), exit_user_error);
    }
  }

  int end(int status, const std::string &error) override {
    if (ended_)
      return status;
    ended_ = true;
    Card card;
    card.failed = status != exit_ok;
    card.status = status;
    const std::vector<Card> all = exchange(card);
    const int first = failed(all);
    if (first == size_)
      return exit_ok;
    if (first == rank_ && !error.empty()) {
      // What is wrong everywhere, such as an option, is no matter of one rank.
      bool everywhere = true;
      for (const Card &each : all)
        everywhere &= each.failed && each.status == status;
      std::fprintf(stderr, everywhere ? "error: %s\n" : "error: %s (on rank %d of %d)\n", error.c_str(), rank_, size_);
      std::fflush(stderr);
    }
    return all[first].status;
  }

private:
  /// What a rank brings to a meeting.
  struct Card {
    std::int32_t failed = 0, status = 0;
    unsigned char value[24] = {};
  };

  World() {
    MPI_Comm_rank(communicator(), &rank_);
    MPI_Comm_size(communicator(), &size_);
  }

  template <class V> VertexBlock block_of(const Graph<V> &graph) const {
    const Partition<V> partition(graph, size_);
    return {partition.begin(rank_), partition.end(rank_)};
  }
  std::vector<Card> exchange(const Card &own) const {
    std::vector<Card> all(size_);
    MPI_Allgather(&own, sizeof own, MPI_BYTE, all.data(), sizeof own, MPI_BYTE, communicator());
    return all;
  }
  /// The first rank that has failed; their number if none has.
  int failed(const std::vector<Card> &all) const {
    int first = 0;
    while (first < size_ && !all[first].failed)
      ++first;
    return first;
  }
  void abandon(const char *what, int status) const {
    std::fprintf(stderr, "error: %s (on rank %d of %d)\n", what, rank_, size_);
    std::fflush(stderr);
    MPI_Abort(communicator(), status);
  }

  int rank_ = 0, size_ = 1;
  bool ended_ = false;
};

} // namespace gc::mpi

#endif
