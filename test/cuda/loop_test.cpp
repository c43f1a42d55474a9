// Loops of kernels in one kernel, under the emulation: the same as when the host starts each.
#include "test/cuda/device_graphs.h"

#include <gcompile/cuda/loop/loop.h>

namespace {

struct Total {
  std::uint64_t total = 0;
  std::uint32_t most = 0; // another size than what other kernels count
  GCOMPILE_HD void merge(const Total &other) {
    total += other.total;
    most = other.most > most ? other.most : most;
  }
};
struct Order {
  std::uint64_t hash = 0, factor = 1;
  GCOMPILE_HD void merge(const Order &other) {
    hash = hash * other.factor + other.hash;
    factor *= other.factor;
  }
};

/// By lanes: hubs are taken by blocks, and shares by who is free.
struct SumNeighbors {
  static constexpr bool by_lanes = true;
  using Parts = Total;
  gc::Graph<V> graph;
  const std::uint64_t *from;
  std::uint64_t *to;
  template <class Lanes> __device__ void operator()(V v, const Lanes lanes, Parts &parts) const {
    std::uint64_t sum = 0;
    for (const V u : lanes.share(graph.out_neighbors(v)))
      sum += from[u] % 1000 + 1;
    sum = lanes.sum(sum);
    if (lanes.leader()) {
      to[v] = sum;
      parts.total += sum;
      parts.most = std::max(parts.most, static_cast<std::uint32_t>(sum));
    }
  }
};
/// Without results.
struct AddOwn {
  std::uint64_t *value;
  std::uint64_t turn;
  __device__ void operator()(V v) const { value[v] += v % 7 + turn; }
};
/// What it counts tells which thread's part was merged when.
struct HashVertices {
  using Parts = Order;
  const std::uint64_t *value;
  __device__ void operator()(V v, Parts &parts) const {
    Order own;
    own.hash = value[v];
    own.factor = 3;
    parts.merge(own);
  }
};
struct CountArc {
  unsigned long long *count;
  __device__ void operator()(ArcId e) const { atomicAdd(count, static_cast<unsigned long long>(e % 3)); }
};
struct ScatterArc {
  using Parts = Total;
  unsigned long long *count;
  __device__ void operator()(V u, V v, ArcId, Parts &parts) const {
    atomicAdd(&count[v], static_cast<unsigned long long>(u + 1));
    parts.total += u;
  }
};
struct CountPair {
  using Parts = Total;
  __device__ void operator()(V i, V j, Parts &parts) const { parts.total += i < j; }
};
struct Bump {
  unsigned long long *count;
  __device__ void operator()() const { *count += 5; }
};
struct Read {
  struct Parts {
    std::uint64_t count;
  };
  const unsigned long long *from;
  __device__ void operator()(Parts &parts) const { parts.count += *from; }
};

struct Everything {
  using Kernels = gc::cuda::Kernels<SumNeighbors, AddOwn, HashVertices, CountArc, ScatterArc, CountPair, Bump, Read>;
  static constexpr bool over_pairs = true;
  gc::Graph<V> graph;
  std::uint64_t *a, *b;
  unsigned long long *scattered, *count;
  bool by_pairs;

  struct Scalars {
    std::uint64_t total, hash, seen;
    std::uint32_t most, turns;
  };

  GCOMPILE_CUDA_EITHER_SIDE
  template <class Device> __host__ __device__ void operator()(Device &device, Scalars &scalars) const {
    do {
      scalars.seen = device.once(Read{count}, {scalars.seen}).count;
      const Total total = device.for_vertices(SumNeighbors{graph, a, b});
      scalars.total += total.total;
      scalars.most = std::max(scalars.most, total.most);
      device.copy_per_vertex(a, b);
      device.for_vertices(AddOwn{a, scalars.turns});
      // Whatever a fast block does next, it does not disturb the slow ones that read a result.
      scalars.hash += device.once(Read{count}, {1}).count;
      scalars.hash += device.once(Read{count}, {2}).count;
      device.once(Bump{count});
      device.for_arcs(CountArc{count});
      scalars.total += device.for_out_edges(ScatterArc{scattered}).total;
      if (by_pairs)
        scalars.total += device.for_pairs(CountPair()).total;
      ++scalars.turns;
      if (total.total == 0)
        break;
    } while (scalars.turns < 4);
  }
};

struct Outcome {
  Everything::Scalars scalars;
  std::vector<std::uint64_t> a, b;
  std::vector<unsigned long long> scattered;
};

Outcome outcome(const gc::cuda::Graph<V> &device, gc::cuda::LoopOn where) {
  const V n = device.num_vertices();
  gc::cuda::Property<std::uint64_t> a(n), b(n);
  gc::cuda::Property<unsigned long long> scattered(n), count(1);
  cudaMemset(a.data(), 0, n * sizeof(std::uint64_t));
  cudaMemset(scattered.data(), 0, n * sizeof(unsigned long long));
  cudaMemset(count.data(), 0, sizeof(unsigned long long));
  const Everything loop = {device.view(), a.data(), b.data(), scattered.data(), count.data(), n <= 1000};
  Everything::Scalars scalars = {0, 0, 7, 0, 0};
  scalars = gc::cuda::run_loop(device, loop, scalars, where);
  return {scalars, contents(a), contents(b), contents(scattered)};
}

TEST(LoopsOfKernels, OneKernelDoesWhatTheHostDoes) {
  on_all_graphs([](const gc::Graph<V> &graph, const gc::cuda::Graph<V> &device) {
    const Outcome one = outcome(device, gc::cuda::LoopOn::device), many = outcome(device, gc::cuda::LoopOn::host);
    EXPECT_EQ(one.a, many.a);
    EXPECT_EQ(one.b, many.b);
    EXPECT_EQ(one.scattered, many.scattered);
    EXPECT_EQ(one.scalars.total, many.scalars.total);
    EXPECT_EQ(one.scalars.hash, many.scalars.hash);
    EXPECT_EQ(one.scalars.seen, many.scalars.seen);
    EXPECT_EQ(one.scalars.most, many.scalars.most);
    EXPECT_EQ(one.scalars.turns, many.scalars.turns);
    EXPECT_EQ(one.scalars.turns, graph.num_arcs() > 0 ? 4u : 1u);
  });
}

struct Hashes {
  using Kernels = gc::cuda::Kernels<HashVertices>;
  const std::uint64_t *value;
  struct Scalars {
    std::uint64_t hash;
  };
  GCOMPILE_CUDA_EITHER_SIDE
  template <class Device> __host__ __device__ void operator()(Device &device, Scalars &scalars) const {
    scalars.hash = device.for_vertices(HashVertices{value}).hash;
  }
};

TEST(LoopsOfKernels, MergesInAFixedOrder) {
  const SmallGraph<V> graph = random_graph<V>(1000, 5000, true, true, 2);
  const gc::cuda::Graph<V> device(graph.graph, weighted());
  gc::cuda::Property<std::uint64_t> value(1000);
  gc::Array<std::uint64_t> given(1000);
  for (std::size_t i = 0; i < 1000; ++i)
    given[i] = i * i;
  value = given;
  emulation::seed(1);
  const std::uint64_t first = gc::cuda::run_loop(device, Hashes{value.data()}, {0}, gc::cuda::LoopOn::device).hash;
  for (std::uint64_t seed = 2; seed < 6; ++seed) {
    emulation::seed(seed);
    EXPECT_EQ(gc::cuda::run_loop(device, Hashes{value.data()}, {0}, gc::cuda::LoopOn::device).hash, first);
  }
}

/// Kernels that count in objects of types of their own: a block has no room for all of them at once.
template <unsigned number> struct CountOwn {
  struct Parts {
    std::uint64_t counts[6] = {};
    GCOMPILE_HD void merge(const Parts &other) {
      for (unsigned i = 0; i < 6; ++i)
        counts[i] += other.counts[i];
    }
  };
  __device__ void operator()(V v, Parts &parts) const { parts.counts[number % 6] += v + number; }
};

template <unsigned... numbers> struct Counts {
  using Kernels = gc::cuda::Kernels<CountOwn<numbers>...>;
  struct Scalars {
    std::uint64_t total;
  };
  GCOMPILE_CUDA_EITHER_SIDE
  template <class Device> __host__ __device__ void operator()(Device &device, Scalars &scalars) const {
    scalars.total = (0 + ... + device.for_vertices(CountOwn<numbers>()).counts[numbers % 6]);
  }
};

TEST(LoopsOfKernels, ManyKindsOfCountsShareMemory) {
  const SmallGraph<V> graph = random_graph<V>(1000, 5000, true, true, 2);
  const gc::cuda::Graph<V> device(graph.graph, weighted());
  const Counts<0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23> counts;
  EXPECT_EQ(gc::cuda::run_loop(device, counts, {0}, gc::cuda::LoopOn::device).total, 24u * 499500 + 276 * 1000);
}

/// Counts for which a block has no memory: the host runs the loop.
struct Large {
  struct Parts {
    std::uint64_t counts[24] = {};
    GCOMPILE_HD void merge(const Parts &other) { counts[0] += other.counts[0]; }
  };
};
struct LargeLoop {
  using Kernels = gc::cuda::Kernels<Large>;
};
static_assert(sizeof(Large::Parts) * 256 == 48 * 1024);
static_assert(gc::cuda::block_threads == 64 || !gc::cuda::detail::FitsShared<V, LargeLoop>::value);

} // namespace
