// The processes (ranks) of a run under MPI, and how they meet.
#ifndef GCOMPILE_MPI_WORLD_H
#define GCOMPILE_MPI_WORLD_H

#include <gcompile/core/error.h>
#include <gcompile/core/partition.h>
#include <gcompile/mpi/routes.h>
#include <gcompile/mpi/waiting.h>
#include <gcompile/program/process_group.h>

#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <numeric>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <omp.h>

namespace gc::mpi {

/// What a rank has sent to others, but for meetings, and how long it has waited.
struct Traffic {
  std::uint64_t messages = 0, bytes = 0;
  double waited = 0; ///< seconds, once they are measured
};

/// All ranks, in which each collective operation begins with a meeting. A rank that fails takes part in one more
/// meeting, where the others learn of it: no rank waits for one that is gone, and one error is printed.
class World final : public ProcessGroup {
public:
  static World &get() {
    static World world;
    return world;
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  bool speaks() const override { return rank_ == 0; }
  MPI_Comm communicator() const { return MPI_COMM_WORLD; }
  VertexBlock block(const Graph<std::uint32_t> &graph) const override { return block_of(graph); }
  VertexBlock block(const Graph<std::uint64_t> &graph) const override { return block_of(graph); }

  void divide(std::vector<std::uint64_t> begins) override { begins_ = std::move(begins); }
  void stand(const Grid &grid) override { grid_ = grid; }
  Grid grid() const override { return grid_; }
  void choose_routes(RouteChoice choice) override { route_choice_ = choice; }
  std::string routes() const override { return routes_.text(); }
  /// Over which ranks the messages of a program go that may pass on those to so many others: straight, or in a grid
  /// where that halves the messages. exchange() always sends straight. All ranks.
  const Routes &routes(int partners) {
    const Routes grid = Routes::grid(size_);
    bool passes = may_pass_messages(route_choice_, size_) && !grid_.divided(); // ranks have few partners then
    if (passes && route_choice_ == RouteChoice::automatic) {
      const std::vector<int> all = meet(partners);
      passes = std::accumulate(all.begin(), all.end(), std::int64_t(0)) >= 2 * std::int64_t(size_) * grid.partners();
    }
    routes_ = passes ? grid : Routes();
    return routes_;
  }
  template <class V> Partition<V> partition(const Graph<V> &graph) const {
    return begins_.empty() ? Partition<V>(graph, size_) : Partition<V>(begins_);
  }

  std::vector<std::uint64_t> all(const std::vector<std::uint64_t> &own) override {
    const std::vector<std::uint64_t> sizes = meet(std::uint64_t(own.size()));
    std::vector<std::uint64_t> begins(size_ + 1, 0);
    for (int r = 0; r < size_; ++r)
      begins[r + 1] = begins[r] + sizes[r];
    std::vector<std::uint64_t> values(begins[size_]);
    // MPI counts in int: so much of each rank at a time
    const std::uint64_t step = std::max<std::uint64_t>(1, (std::uint64_t(1) << 27) / static_cast<std::uint64_t>(size_));
    const std::uint64_t most = *std::max_element(sizes.begin(), sizes.end());
    std::vector<std::uint64_t> part;
    std::vector<int> counts(size_), places(size_);
    together([&] {
      for (std::uint64_t done = 0; done < most; done += step) {
        int total = 0;
        for (int r = 0; r < size_; ++r) {
          counts[r] = done < sizes[r] ? static_cast<int>(std::min(step, sizes[r] - done)) : 0;
          places[r] = total;
          total += counts[r];
        }
        part.resize(total);
        collective(MPI_Allgatherv, MPI_Iallgatherv, own.data() + std::min<std::uint64_t>(done, own.size()),
                   counts[rank_], MPI_UINT64_T, part.data(), counts.data(), places.data(), MPI_UINT64_T);
        for (int r = 0; r < size_; ++r)
          std::copy_n(part.begin() + places[r], counts[r], values.begin() + begins[r] + done);
      }
    });
    return values;
  }

  std::vector<Bytes> exchange(std::vector<Bytes> to) override {
    std::vector<Bytes> from(size_);
    exchange(to, from);
    return from;
  }
  /// The same into `from`, whose memory serves again; `to` is cleared. No message where there is nothing to send.
  void exchange(std::vector<Bytes> &to, std::vector<Bytes> &from) {
    std::swap(from[rank_], to[rank_]); // stays here
    to[rank_].clear();
    std::vector<std::uint64_t> sizes(size_);
    for (int r = 0; r < size_; ++r)
      sizes[r] = to[r].size();
    sizes = meet_each(sizes);
    together([&] {
      std::vector<MPI_Request> requests;
      for (int r = 0; r < size_; ++r) {
        if (r == rank_)
          continue;
        from[r].clear();
        receive(requests, from[r].add(sizes[r]), sizes[r], r);
      }
      for (int r = 0; r < size_; ++r)
        send(requests, to[r].data(), to[r].size(), r);
      wait_for_all(requests);
    });
    for (Bytes &bytes : to)
      bytes.clear();
  }

  /// Starts to send bytes to a rank, which receives as many.
  void send(std::vector<MPI_Request> &requests, const char *bytes, std::size_t count, int to) {
    in_messages(requests, count, [&](std::size_t begin, int length, MPI_Request &request) {
      if (to != rank_)
        count_message(static_cast<std::uint64_t>(length));
      MPI_Isend(bytes + begin, length, MPI_BYTE, to, 1, communicator(), &request);
    });
  }
  void receive(std::vector<MPI_Request> &requests, char *bytes, std::size_t count, int from) {
    in_messages(requests, count, [&](std::size_t begin, int length, MPI_Request &request) {
      MPI_Irecv(bytes + begin, length, MPI_BYTE, from, 1, communicator(), &request);
    });
  }

  /// The values of all ranks, in their order. Throws EndedElsewhere if a rank has failed.
  template <class T> std::vector<T> meet(const T &own) {
    static_assert(std::is_trivially_copyable<T>::value, "values travel as bytes");
    Card card;
    constexpr bool fits = sizeof(T) <= sizeof card.value;
    if constexpr (fits)
      std::memcpy(card.value, &own, sizeof own);
    const std::vector<Card> all = deal(std::vector<Card>(size_, card));
    end_if_failed(all);
    std::vector<T> values(size_);
    if constexpr (fits) {
      for (int r = 0; r < size_; ++r)
        std::memcpy(&values[r], all[r].value, sizeof own);
    } else {
      gather_all(&own, sizeof own, values.data());
    }
    return values;
  }

  /// A meeting in which each rank tells every other one a value of its own; what the others tell this one. Throws
  /// EndedElsewhere if a rank has failed.
  template <class T> std::vector<T> meet_each(const std::vector<T> &to) {
    static_assert(sizeof(T) <= sizeof(Card::value), "a card has no room for more");
    std::vector<Card> cards(size_);
    for (int r = 0; r < size_; ++r)
      std::memcpy(cards[r].value, &to[r], sizeof to[r]);
    const std::vector<Card> all = deal(cards);
    end_if_failed(all);
    std::vector<T> from(size_);
    for (int r = 0; r < size_; ++r)
      std::memcpy(&from[r], all[r].value, sizeof from[r]);
    return from;
  }

  void limit_waiting(int seconds) override {
    meet(0); // all ranks have understood their options
    waiting_.limit(seconds);
  }
  bool limits_waiting() const { return waiting_.limited(); }
  void wait_for_speaker() override {
    patient_ = rank_ != 0;
    meet(0);
    patient_ = false;
  }
  /// Until the requests of all are done. The rank that others wait for too long ends the run.
  void wait_for_all(std::vector<MPI_Request> &requests) {
    const Measured waiting(*this);
    waiting_.wait(requests.data(), requests.size(), patient_);
  }
  /// A collective operation, in its form that waits and in the one that does not.
  template <class Operation, class Started, class... Args>
  void collective(const Operation &operation, const Started &started, const Args &...args) {
    const Measured waiting(*this);
    if (!waiting_.limited()) {
      operation(args..., communicator());
      return;
    }
    MPI_Request request;
    started(args..., communicator(), &request);
    waiting_.wait(&request, 1, patient_);
  }

  /// What MPI has been started as: whether the first one of a rank's threads may call it while there are others.
  void set_serves_threads(bool serves) { serves_threads_ = serves; }
  /// Throws Error where a rank has more threads than MPI serves.
  void check_threads() const {
    if (!serves_threads_ && omp_get_max_threads() > 1)
      throw Error(ErrorKind::argument,
                  "this MPI does not serve processes with threads: it gives MPI_THREAD_SINGLE, and "
                  "MPI_THREAD_FUNNELED is needed; --threads=1 needs none");
  }

  /// Adds the time of its life to what the rank has waited.
  class Measured {
  public:
    explicit Measured(World &world) : world_(world) {
      if (world_.measures_)
        begin_ = Clock::now();
    }
    Measured(const Measured &) = delete;
    ~Measured() {
      if (world_.measures_)
        world_.traffic_.waited += std::chrono::duration<double>(Clock::now() - begin_).count();
    }

  private:
    using Clock = std::chrono::steady_clock;
    World &world_;
    Clock::time_point begin_;
  };
  /// From now on measures how long this rank waits.
  void measure() { measures_ = true; }
  const Traffic &traffic() const { return traffic_; }
  void count_message(std::uint64_t bytes) {
    ++traffic_.messages;
    traffic_.bytes += bytes;
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
    const std::vector<Card> all = deal(std::vector<Card>(size_, card));
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
    grid_ = Grid(size_);
  }

  template <class V> VertexBlock block_of(const Graph<V> &graph) const {
    const Partition<V> partition = this->partition(graph);
    return {partition.begin(rank_), partition.end(rank_)};
  }
  /// Calls start(begin, length, request) for each of the messages that so many bytes take: MPI counts in int.
  template <class Start>
  static void in_messages(std::vector<MPI_Request> &requests, std::size_t count, const Start &start) {
    constexpr std::size_t longest = std::size_t(1) << 30;
    for (std::size_t begin = 0; begin < count; begin += longest) {
      requests.emplace_back();
      start(begin, static_cast<int>(std::min(longest, count - begin)), requests.back());
    }
  }
  /// Brings the bytes of all ranks together, in their order.
  void gather_all(const void *own, int bytes, void *all) {
    collective(MPI_Allgather, MPI_Iallgather, own, bytes, MPI_BYTE, all, bytes, MPI_BYTE);
  }
  /// A card for each rank; those of all for this one. Every meeting is this operation, so that a rank that has failed
  /// can take part in any.
  std::vector<Card> deal(const std::vector<Card> &own) {
    std::vector<Card> all(size_);
    collective(MPI_Alltoall, MPI_Ialltoall, own.data(), sizeof(Card), MPI_BYTE, all.data(), sizeof(Card), MPI_BYTE);
    return all;
  }
  void end_if_failed(const std::vector<Card> &all) {
    if (const int first = failed(all); first < size_) {
      ended_ = true;
      throw EndedElsewhere{all[first].status};
    }
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
  RouteChoice route_choice_ = RouteChoice::automatic;
  Routes routes_;
  std::vector<std::uint64_t> begins_; ///< of the blocks; empty: by arcs
  Grid grid_;
  bool ended_ = false;
  bool measures_ = false;
  bool serves_threads_ = true;
  Traffic traffic_;
  Waiting waiting_;
  bool patient_ = false; ///< the ranks that do not speak wait for the one that does
};

} // namespace gc::mpi

#endif
