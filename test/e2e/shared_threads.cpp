// Two libraries in one process, each with handles on several threads; opened and closed many times.
#include "bfs.h"
#include "sssp.h"

#include <atomic>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <string>
#include <thread>
#include <vector>

static std::atomic<int> failures{0};

static void check(bool holds, const char *what) {
  if (!holds && ++failures < 20)
    std::printf("FAILED: %s\n", what);
}

/// Depths from a root of a grid of 40 x 40, run after run.
static void search(bfs_graph *graph, std::uint32_t root, int threads) {
  bfs_program *program = bfs_new(graph);
  check(bfs_threads(program, threads) == BFS_OK, "threads");
  for (int run = 0; run < 20; ++run) {
    const std::uint32_t from = (root + static_cast<std::uint32_t>(run)) % 1600;
    check(bfs_set_root(program, from) == BFS_OK && bfs_run(program) == BFS_OK, "run");
    const std::int32_t *depth = nullptr;
    std::uint64_t count = 0;
    check(bfs_get_depth(program, &depth, &count) == BFS_OK && count == 1600, "depth");
    for (std::uint32_t v = 0; depth && v < 1600; ++v) {
      const int across = static_cast<int>(v % 40) - static_cast<int>(from % 40);
      const int down = static_cast<int>(v / 40) - static_cast<int>(from / 40);
      check(depth[v] == (across < 0 ? -across : across) + (down < 0 ? -down : down), "a depth");
    }
    check(bfs_set_root(program, 1600) == BFS_OK && bfs_run(program) == BFS_ARGUMENT, "a wrong root");
    check(std::string(bfs_message(program)) == "root: the graph has no vertex 1600", "the message of a handle");
  }
  bfs_free(program);
}

/// Distances where all weights are 3.
static void distances(int threads) {
  sssp_graph *graph = sssp_graph_new(SSSP_INTERFACE);
  check(graph && sssp_graph_load(graph, "grid:40x40,weights=3..3", nullptr) == SSSP_OK, "load");
  sssp_program *program = sssp_new(graph);
  sssp_threads(program, threads);
  for (int run = 0; run < 20; ++run) {
    check(sssp_set_source(program, 0) == SSSP_OK && sssp_run(program) == SSSP_OK, "run");
    const std::int32_t *dist = nullptr;
    check(sssp_get_dist(program, &dist, nullptr) == SSSP_OK && dist[1599] == 3 * 78, "a distance");
    check(sssp_graph_load(graph, "grid:0x", nullptr) == SSSP_ARGUMENT, "a wrong graph");
  }
  sssp_free(program);
  sssp_graph_free(graph);
}

/// Opens a library, runs, cancels, and closes it.
static void open_and_close(const char *path) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  check(library, "dlopen");
  if (!library)
    return;
  const auto find = [&](const char *name) {
    void *found = dlsym(library, name);
    check(found, name);
    return found;
  };
  const auto graph_new = reinterpret_cast<decltype(&bfs_graph_new)>(find("bfs_graph_new"));
  const auto graph_load = reinterpret_cast<decltype(&bfs_graph_load)>(find("bfs_graph_load"));
  const auto graph_free = reinterpret_cast<decltype(&bfs_graph_free)>(find("bfs_graph_free"));
  const auto make = reinterpret_cast<decltype(&bfs_new)>(find("bfs_new"));
  const auto set_root = reinterpret_cast<decltype(&bfs_set_root)>(find("bfs_set_root"));
  const auto watch = reinterpret_cast<decltype(&bfs_watch)>(find("bfs_watch"));
  const auto run = reinterpret_cast<decltype(&bfs_run)>(find("bfs_run"));
  const auto release = reinterpret_cast<decltype(&bfs_free)>(find("bfs_free"));
  bfs_graph *graph = graph_new(BFS_INTERFACE);
  check(graph_load(graph, "grid:20x20", nullptr) == BFS_OK, "load");
  bfs_program *program = make(graph);
  check(set_root(program, 0) == BFS_OK && run(program) == BFS_OK, "run");
  watch(
      program, [](void *) { return 1; }, nullptr);
  check(run(program) == BFS_CANCELLED, "cancel");
  release(program);
  graph_free(graph);
  check(dlclose(library) == 0, "dlclose");
}

/// The memory of the process, in KiB.
static long resident() {
  long pages = 0;
  if (std::FILE *file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%*d %ld", &pages) != 1)
      pages = 0;
    std::fclose(file);
  }
  return pages * 4;
}

int main(int argc, char **argv) {
  const int times = argc > 2 ? std::stoi(argv[2]) : 10;
  const int most = argc > 3 ? std::stoi(argv[3]) : 2; // threads that a library takes
  bfs_graph *graph = bfs_graph_new(BFS_INTERFACE);
  check(graph && bfs_graph_load(graph, "grid:40x40", nullptr) == BFS_OK, "load");
  std::vector<std::thread> threads;
  for (std::uint32_t i = 0; i < 2; ++i)
    threads.emplace_back(search, graph, 100 + 400 * i, i == 0 ? 1 : most);
  threads.emplace_back(distances, most);
  for (std::thread &thread : threads)
    thread.join();
  search(graph, 7, 0);
  distances(0);
  bfs_graph_free(graph);
  for (int i = 0; i < times / 10; ++i)
    open_and_close(argv[1]);
  const long before = resident();
  for (int i = 0; i < times; ++i)
    open_and_close(argv[1]);
  check(resident() - before < 8192, "memory grows");
  std::printf("%d failures\n", failures.load());
  return failures > 0;
}
