#include "pt_scotch.h"

#include "scotch_graph.h"

#include <gcompile/core/error.h>
#include <gcompile/core/partition.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include <dlfcn.h>
#include <sched.h>

namespace gc::detail {

namespace {

constexpr const char *failure = "--partition=scotch: PT-Scotch could not divide the graph";

/// A function or an object of the MPI with which the program was linked; null if it has none of this name.
void *of_program(const char *symbol) { return dlsym(RTLD_DEFAULT, symbol); }
constexpr const char *world = "ompi_mpi_comm_world"; // in Open MPI alone

/// The processes of the program, for a library that sends messages of its own: none of them meets one of the program.
class Communicator {
public:
  Communicator() { function<int(void *, void **)>("PMPI_Comm_dup")(of_program(world), &handle_); }
  Communicator(const Communicator &) = delete;
  ~Communicator() { function<int(void **)>("PMPI_Comm_free")(&handle_); }

  void *handle() const { return handle_; }

  /// Waits until all processes are behind the library. If it has failed in this one and others stay in there, for they
  /// wait for this one, it ends the run.
  void leave(bool failed, const ProcessGroup &group) const {
    void *request = nullptr;
    function<int(void *, void **)>("PMPI_Ibarrier")(handle_, &request);
    const auto due = std::chrono::steady_clock::now() + time_to_fail;
    for (;;) {
      int done = 0;
      function<int(void **, int *, void *)>("PMPI_Test")(&request, &done, nullptr);
      if (done)
        return;
      if (failed && std::chrono::steady_clock::now() >= due)
        end(group);
      sched_yield();
    }
  }

private:
  /// Enough for the others to come out, where the library has told them of the failure or needs no more messages.
  static constexpr std::chrono::seconds time_to_fail{5};

  template <class F> static F *function(const char *name) { return reinterpret_cast<F *>(of_program(name)); }
  void end(const ProcessGroup &group) const {
    std::fprintf(stderr, "error: %s (on rank %d of %d)\n", failure, group.rank(), group.size());
    std::fflush(stderr);
    function<int(void *, int)>("PMPI_Abort")(of_program(world), Error(ErrorKind::resource, failure).exit_code());
  }

  void *handle_ = nullptr;
};

/// What the library needs to divide a graph.
template <class Number> class Divider {
public:
  /// Throws Error (resource) if the library lacks a function, and std::bad_alloc.
  explicit Divider(const ScotchLibrary &library)
      : library_(library), graph_(library.make("SCOTCH_dgraphAlloc")), strategy_(library.make("SCOTCH_stratAlloc")) {}

  /// Finds the parts of this process's share of the graph; the shares of all follow each other. Whether it could.
  bool divide(ScotchGraph<Number> &share, int parts, void *communicator, std::vector<Number> &found) const {
    if (init_(graph_.get(), communicator) != 0 || init_strategy_(strategy_.get()) != 0)
      return false;
    library_.seed<Number>(); // of numbers that each process has for itself
    const Number count = static_cast<Number>(parts), vertices = static_cast<Number>(share.work.size()),
                 ends = static_cast<Number>(share.lists.size());
    const bool done = build_(graph_.get(), 0, vertices, vertices, share.begins.data(), nullptr, share.work.data(),
                             nullptr, ends, ends, share.lists.data(), nullptr, share.arcs.data()) == 0 &&
                      build_strategy_(strategy_.get(), 0, count, count, ScotchLibrary::most_imbalance) == 0 &&
                      part_(graph_.get(), count, strategy_.get(), found.data()) == 0;
    exit_strategy_(strategy_.get());
    exit_(graph_.get());
    return done &&
           std::all_of(found.begin(), found.begin() + vertices, [&](Number of) { return of >= 0 && of < count; });
  }

private:
  using Array = Number *;
  using Init = int(void *, void *);
  using InitStrategy = int(void *);
  using Build = int(void *, Number, Number, Number, Array, Array, Array, Array, Number, Number, Array, Array, Array);
  using BuildStrategy = int(void *, Number, Number, Number, double);
  using Part = int(void *, Number, void *, Array);
  using Exit = void(void *);

  const ScotchLibrary &library_;
  ScotchLibrary::Object graph_, strategy_;
  Init *init_ = library_.function<Init>("SCOTCH_dgraphInit");
  InitStrategy *init_strategy_ = library_.function<InitStrategy>("SCOTCH_stratInit");
  Build *build_ = library_.function<Build>("SCOTCH_dgraphBuild");
  BuildStrategy *build_strategy_ = library_.function<BuildStrategy>("SCOTCH_stratDgraphMapBuild");
  Part *part_ = library_.function<Part>("SCOTCH_dgraphPart");
  Exit *exit_ = library_.function<Exit>("SCOTCH_dgraphExit");
  Exit *exit_strategy_ = library_.function<Exit>("SCOTCH_stratExit");
};

} // namespace

/// The names of the library, where the program has the MPI for it.
static std::vector<const char *> names() {
  if (!of_program(world))
    return {};
  return {"libptscotch-7.0.so", "libptscotch.so"};
}

PtScotch::PtScotch() : library_(names()) {}

int PtScotch::number_bits() const {
  const void *const mpi = library_.find("PMPI_Comm_dup"); // another one than the program's has not been initialised
  return library_.find("SCOTCH_dgraphPart") && mpi == of_program("PMPI_Comm_dup") ? library_.number_bits() : 0;
}

template <class V>
std::vector<std::uint32_t> PtScotch::parts(const Graph<V> &graph, ProcessGroup &group, MemoryBudget &budget) const {
  const std::vector<std::uint64_t> all = group.all(number_bits() == 32 ? own_parts<std::int32_t>(graph, group, budget)
                                                                       : own_parts<std::int64_t>(graph, group, budget));
  return {all.begin(), all.end()};
}

template <class Number, class V>
std::vector<std::uint64_t> PtScotch::own_parts(const Graph<V> &graph, ProcessGroup &group, MemoryBudget &budget) const {
  const Partition<V> shares(graph, group.size());
  ScotchGraph<Number> share =
      scotch_graph<Number>(graph, VertexBlock{shares.begin(group.rank()), shares.end(group.rank())}, budget);
  std::vector<Number> found(std::max<std::size_t>(share.work.size(), 1), 0);
  const Divider<Number> divider(library_);
  group.greatest(0); // all have come so far: the library would wait for one that has failed
  const Communicator communicator;
  const bool failed = !divider.divide(share, group.size(), communicator.handle(), found);
  communicator.leave(failed, group);
  if (group.greatest(failed) > 0)
    throw Error(ErrorKind::resource, failure);
  return {found.begin(), found.begin() + static_cast<std::ptrdiff_t>(share.work.size())};
}

template std::vector<std::uint32_t> PtScotch::parts(const Graph<std::uint32_t> &, ProcessGroup &, MemoryBudget &) const;
template std::vector<std::uint32_t> PtScotch::parts(const Graph<std::uint64_t> &, ProcessGroup &, MemoryBudget &) const;

} // namespace gc::detail
