// The index of the best key, under the emulation: as a search of all vertices finds it, by the host's calls and in a
// loop, whose one block or many blocks keep it.
#include "test/cuda/device_graphs.h"

#include <gcompile/cuda/loop/loop.h>

#include <random>
#include <set>

namespace {

using gc::cuda::LoopOn;

/// Keys as a program computes them: those that are positive, of vertices that are not off.
template <class K, bool least> struct Keys {
  const K *key;
  const std::uint8_t *off;
  using Best = typename gc::cuda::KeptIndex<V, K, least>::Entry;
  __device__ Best operator()(const V v) const {
    Best best;
    if (!off[v] && key[v] > K(0))
      best.add(key[v], v);
    return best;
  }
};

/// Gives a vertex a new key, and notes it so many times.
template <class K> struct Change {
  K *key;
  std::uint8_t *off;
  V v;
  K value;
  unsigned times;
  gc::cuda::IndexNotes<V> notes;
  __device__ void operator()() const {
    key[v] = value;
    off[v] = value == K(13);
    for (unsigned time = 0; time < times; ++time)
      notes.add(v);
  }
};

template <class K, bool least> void check_by_host(V n, unsigned most, unsigned times, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  emulation::seed(seed);
  const SmallGraph<V> small(n, {}, true);
  const gc::cuda::Graph<V> graph(small.graph, weighted());
  std::vector<K> keys(n);
  std::vector<std::uint8_t> off(n);
  for (V v = 0; v < n; ++v)
    keys[v] = static_cast<K>(random() % 50);
  gc::cuda::Property<K> key(n);
  gc::cuda::Property<std::uint8_t> is_off(n);
  const auto best_of_all = [&] {
    typename Keys<K, least>::Best best;
    for (V v = 0; v < n; ++v)
      best.merge(Keys<K, least>{keys.data(), off.data()}(v));
    return best;
  };
  cudaMemcpy(key.data(), keys.data(), n * sizeof(K), cudaMemcpyHostToDevice);
  cudaMemcpy(is_off.data(), off.data(), n, cudaMemcpyHostToDevice);
  gc::cuda::KeptIndex<V, K, least> index(graph);
  const Keys<K, least> on_device = {key.data(), is_off.data()};
  index.start(on_device);
  for (unsigned turn = 0; turn < 12; ++turn) {
    EXPECT_EQ(index.best().witness(), best_of_all().witness());
    EXPECT_EQ(index.best().key(), best_of_all().key());
    std::set<V> changed;
    for (unsigned i = 0; i < turn % 4 * most / 3 && n > 0; ++i)
      changed.insert(static_cast<V>(turn % 3 == 0 ? random() % std::min<V>(n, 40) : random() % n));
    if (turn % 2 == 0 && index.best().witness() != gc::none<V>())
      changed.insert(index.best().witness());
    for (const V v : changed) {
      keys[v] = static_cast<K>(random() % 50);
      off[v] = keys[v] == K(13);
      gc::cuda::once(Change<K>{key.data(), is_off.data(), v, keys[v], times, index.notes()});
    }
    index.reindex(on_device);
  }
}

TEST(KeptIndex, FollowsWhatKernelsNote) {
  std::uint64_t seed = 0;
  for (const V n : {0u, 1u, 2u, 31u, 32u, 33u, 1000u, 1024u, 1025u, 40000u}) {
    SCOPED_TRACE(n);
    check_by_host<std::int32_t, true>(n, 20, 1, ++seed);
    check_by_host<std::int32_t, false>(n, 20, 3, ++seed);
    check_by_host<std::int64_t, true>(n, 60, 2, ++seed); // more than a thirty-second at times
    check_by_host<double, false>(n, 20, 1, ++seed);
    check_by_host<float, true>(n, 20, 1, ++seed);
  }
}

/// A loop as Prim's: takes the best, turns it off, and gives its neighbours keys.
template <bool least, bool one_list> struct TakeAll {
  struct Off {
    std::uint8_t *off;
    V v;
    gc::cuda::IndexNotes<V> notes;
    __device__ void operator()() const {
      off[v] = 1;
      notes.add(v);
    }
  };
  struct Reach {
    std::int32_t *key;
    const std::uint8_t *off;
    gc::cuda::IndexNotes<V> notes;
    __device__ void operator()(const V u, const V v, const ArcId e) const {
      const auto weight = static_cast<std::int32_t>(1 + (u * 7 + v * 13 + e) % 50);
      if (off[v])
        return;
      if (least ? gc::atomic_min(key[v], weight) : gc::atomic_max(key[v], weight))
        notes.add(v);
    }
  };
  using Kernels = gc::cuda::Kernels<Off, Reach>;
  static constexpr bool by_sets = true, by_one_list = one_list;
  static constexpr unsigned num_indices = 1;
  gc::cuda::LoopIndex<V, std::int32_t, least> index;
  std::int32_t *key;
  std::uint8_t *off;
  V *order;
  struct Scalars {
    std::uint32_t turns;
    V last;
  };

  GCOMPILE_CUDA_EITHER_SIDE
  template <class Device> __host__ __device__ void operator()(Device &device, Scalars &scalars) const {
    while (true) {
      device.reindex(index, Keys<std::int32_t, least>{key, off});
      const V u = device.best(index).witness();
      if (u == gc::none<V>())
        break;
      device.once(Off{off, u, device.notes(index)});
      device.write(&order[scalars.turns], u);
      device.for_edges_of(u, Reach{key, off, device.notes(index)});
      ++scalars.turns;
      scalars.last = u;
    }
  }
};

template <bool least, bool one_list>
std::vector<V> order_of(const gc::cuda::Graph<V> &graph, LoopOn where, bool own, std::vector<std::int32_t> keys) {
  const V n = graph.num_vertices();
  gc::cuda::Property<std::int32_t> key(n);
  gc::cuda::Property<std::uint8_t> off(n);
  gc::cuda::Property<V> order(n);
  cudaMemcpy(key.data(), keys.data(), n * sizeof(std::int32_t), cudaMemcpyHostToDevice);
  cudaMemset(off.data(), 0, n);
  gc::cuda::KeptIndex<V, std::int32_t, least> index(graph);
  index.start(Keys<std::int32_t, least>{key.data(), off.data()});
  const TakeAll<least, one_list> loop = {{index, own ? 0 : gc::cuda::no_number}, key.data(), off.data(), order.data()};
  const auto scalars = gc::cuda::run_loop(graph, loop, {0, 0}, where);
  std::vector<V> taken(scalars.turns);
  cudaMemcpy(taken.data(), order.data(), scalars.turns * sizeof(V), cudaMemcpyDeviceToHost);
  return taken;
}

/// The same by a search in every turn.
template <bool least> std::vector<V> order_by_search(const gc::Graph<V> &graph, std::vector<std::int32_t> keys) {
  std::vector<std::uint8_t> off(graph.n);
  std::vector<V> order;
  while (true) {
    typename Keys<std::int32_t, least>::Best best;
    for (V v = 0; v < graph.n; ++v)
      best.merge(Keys<std::int32_t, least>{keys.data(), off.data()}(v));
    const V u = best.witness();
    if (u == gc::none<V>())
      return order;
    off[u] = 1;
    order.push_back(u);
    for (ArcId e = graph.out_begin(u); e < graph.out_end(u); ++e) {
      const V v = graph.target(e);
      const auto weight = static_cast<std::int32_t>(1 + (u * 7 + v * 13 + e) % 50);
      if (!off[v])
        keys[v] = least ? std::min(keys[v], weight) : std::max(keys[v], weight);
    }
  }
}

template <bool least> void check_orders(const gc::Graph<V> &graph, const gc::cuda::Graph<V> &device) {
  std::vector<std::int32_t> keys(graph.n);
  for (V v = 0; v < graph.n; ++v)
    keys[v] = v % 5 == 1 ? static_cast<std::int32_t>(v % 40) : least ? 100 : 0;
  const std::vector<V> expected = order_by_search<least>(graph, keys);
  EXPECT_EQ((order_of<least, true>(device, LoopOn::device, true, keys)), expected);
  EXPECT_EQ((order_of<least, true>(device, LoopOn::device, false, keys)), expected);
  if (graph.n > 1000) // the emulation takes long
    return;
  EXPECT_EQ((order_of<least, false>(device, LoopOn::device, true, keys)), expected); // by many blocks
  EXPECT_EQ((order_of<least, true>(device, LoopOn::host, true, keys)), expected);
}

TEST(KeptIndex, LoopsTakeAllVerticesInOrder) {
  on_all_graphs([](const gc::Graph<V> &graph, const gc::cuda::Graph<V> &device) {
    check_orders<true>(graph, device);
    if (graph.n < 1000)
      check_orders<false>(graph, device);
  });
}

} // namespace
