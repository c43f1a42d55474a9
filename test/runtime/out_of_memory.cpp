// Memory that runs out at any moment of loading is one exception: never the end of the process.
#include "helpers.h"

#include <gcompile/core/error.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include <gtest/gtest.h>

namespace {

/// How many more allocations succeed; negative: all.
std::atomic<long> allocations_left{-1};

bool refuses_allocation() {
  if (allocations_left.load(std::memory_order_relaxed) < 0)
    return false;
  return allocations_left.fetch_sub(1) <= 0 ? (allocations_left = 0, true) : false;
}

} // namespace

void *operator new(std::size_t size) {
  if (!refuses_allocation())
    if (void *memory = std::malloc(size ? size : 1))
      return memory;
  throw std::bad_alloc();
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, std::size_t) noexcept { std::free(memory); }

namespace {

using namespace test;

/// Loads with memory for 0, 1, 2, ... allocations until that is enough. Returns how often it was not.
int load_with_little_memory(const std::string &spec, const gc::LoadOptions &options) {
  int failures = 0;
  for (long allocations = 0;; allocations += 1 + allocations / 50) {
    bool failed = true;
    allocations_left = allocations;
    try {
      gc::load_graph(spec, options);
      failed = false;
    } catch (const std::bad_alloc &) {
    } catch (const gc::Error &error) {
      EXPECT_EQ(error.kind, gc::ErrorKind::resource) << error.what();
    }
    allocations_left = -1;
    if (!failed)
      return failures;
    ++failures;
  }
}

TEST(OutOfMemory, IsAnException) {
  const Folder folder;
  std::string integers, sparse, names, dimacs = "p sp 400 2000\n", metis = "400 2000\n", webgraph = "400\n";
  std::string gml = "graph [\n", graphml = "<graphml><key id=\"w\" attr.type=\"int\"/><graph edgedefault=\"directed\">";
  for (int i = 0; i < 2000; ++i) {
    const std::string u = std::to_string(i % 400), v = std::to_string((i * 7 + i / 400) % 400);
    integers += u + " " + v + " " + std::to_string(i) + "\n";
    sparse += u + "00000000 " + v + "00000000 1\n";
    names += "n" + u + " n" + v + " 2\n";
    dimacs += "a " + std::to_string(i % 400 + 1) + " " + std::to_string(i / 5 + 1) + " 3\n";
  }
  for (int i = 0; i < 400; ++i) {
    for (int d : {1, 2, 3, 5, 7})
      metis += std::to_string((i + d) % 400 + 1) + " " + std::to_string((i + 400 - d) % 400 + 1) + " ";
    metis += "\n";
    webgraph += std::to_string((i + 1) % 400) + " " + std::to_string((i * 3) % 400) + "\n";
    const std::string id = std::to_string(i);
    gml += "node [ id " + id + " ] edge [ source " + id + " target 0" + id + " weight 1 ]\n";
    graphml +=
        "<node id=\"" + id + "&gt;\"/><edge source=\"" + id + "&gt;\" target=\"0&gt;\"><data key=\"w\">1</data></edge>";
  }
  gc::LoadOptions options = weighted(gc::ColumnType::int32);
  options.in_edges = options.in_edge_ids = true;
  gc::LoadOptions bare = options, two = options, undirected = options;
  bare.columns.clear();
  two.columns.push_back({"length", gc::ColumnType::float64});
  two.weights = "1..5";
  undirected.user = gc::Directedness::undirected;

  EXPECT_GT(load_with_little_memory(folder.write("a.el", integers), options), 10);
  EXPECT_GT(load_with_little_memory(folder.path("a.el"), undirected), 10);
  EXPECT_GT(load_with_little_memory(folder.path("a.el"), two), 10);
  EXPECT_GT(load_with_little_memory(folder.write("b.el", sparse), options), 10);
  EXPECT_GT(load_with_little_memory(folder.write("c.el", names), options), 10);
  EXPECT_GT(load_with_little_memory(folder.write("a.el.gz", gzip(integers)), options), 10);
  EXPECT_GT(load_with_little_memory(folder.write("a.gr", dimacs), options), 10);
  EXPECT_GT(load_with_little_memory(folder.write("a.graph", metis), bare), 10);
  EXPECT_GT(load_with_little_memory(folder.write("a.graph-txt", webgraph), bare), 10);
  EXPECT_GT(load_with_little_memory(folder.write("a.gml", gml + "]"), options), 10);
  EXPECT_GT(load_with_little_memory(folder.write("a.graphml", graphml + "</graph></graphml>"), options), 10);
  EXPECT_GT(load_with_little_memory("kronecker:scale=8,degree=4,weights=1..9", options), 10);
  gc::save_graph(gc::load_graph(folder.path("a.el"), undirected), folder.path("a.gcsr"));
  EXPECT_GT(load_with_little_memory(folder.path("a.gcsr"), undirected), 5);
  gc::LoadOptions other = options;
  other.columns[0].type = gc::ColumnType::float32;
  EXPECT_GT(load_with_little_memory(folder.path("a.gcsr"), other), 10);
}

} // namespace
