// Files whose bytes come when they are read: any thread sees them, memory stays small, and what cannot be read is said.
#include "helpers.h"

#include "runtime/src/kept_blocks.h"
#include "runtime/src/memory.h"
#include "runtime/src/streamed_file.h"
#include "runtime/tool_support/memory_size.h"

#include <gcompile/core/error.h>

#include <atomic>
#include <csignal>
#include <cstring>
#include <fstream>
#include <memory>
#include <set>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

namespace {

using namespace gc::detail;
using namespace test;

constexpr std::uint64_t block = 4096;

StreamPlan plan_of(std::uint64_t blocks) {
  StreamPlan plan;
  plan.block_bytes = block;
  plan.room = blocks * block;
  return plan;
}

/// Words 0, 1, 2, ..., and some bytes more.
std::string counted(std::size_t words) {
  std::string text(words * 4 + 3, 'x');
  for (std::uint32_t i = 0; i < words; ++i)
    std::memcpy(&text[i * std::size_t(4)], &i, 4);
  return text;
}

const std::uint32_t *words_of(const StreamedFile &file) { return reinterpret_cast<const std::uint32_t *>(file.data()); }

TEST(Streamed, ManyThreadsReadTheBytesOfTheFile) {
  const Folder folder;
  constexpr std::uint32_t words = 200'000; // 196 blocks, of which 16 are in memory
  const std::string text = counted(words), path = folder.write("f", text);
  StreamedFile file(path, text.size(), plan_of(16));
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (std::uint32_t t = 0; t < 6; ++t)
    threads.emplace_back([&, t] {
      if (t < 2) // in order
        for (int lap = 0; lap < 3; ++lap)
          for (std::uint32_t i = 0; i < words; ++i)
            wrong += words_of(file)[i] != i;
      else if (t < 4) // anywhere
        for (std::uint32_t i = 0, at = t; i < 3000; ++i, at = at * 1664525u + 1013904223u)
          wrong += words_of(file)[at % words] != at % words;
      else // a copy across blocks
        for (std::uint32_t i = 0; i < 100; ++i) {
          std::uint32_t copy[3000];
          std::memcpy(copy, words_of(file) + i * 1900, sizeof copy);
          wrong += copy[0] != i * 1900 || copy[2999] != i * 1900 + 2999;
        }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(std::string(file.data() + text.size() - 3, 3), "xxx");
}

TEST(Streamed, BlocksThatNobodyReadsStayInTheFile) {
  const Folder folder;
  const std::string text = counted(200'000), path = folder.write("f", text);
  const StreamedFile file(path, text.size(), plan_of(64));
  std::uint64_t sum = 0;
  for (std::uint32_t i = 0; i < 200'000; i += 20'000)
    sum += words_of(file)[i];
  EXPECT_EQ(sum, 900'000u);
  EXPECT_EQ(file.traffic().blocks, 10u);
  EXPECT_EQ(file.traffic().in_order, 0u);
}

TEST(Streamed, ReadsThatGoInOrderFindTheirBlocksAndSomeThatStayed) {
  const Folder folder;
  const std::string text = counted(409'600), path = folder.write("f", text); // 400 blocks and a bit
  const StreamedFile file(path, text.size(), plan_of(200));
  const auto lap = [&] {
    const std::uint64_t before = file.traffic().blocks;
    volatile std::uint32_t seen = 0;
    for (std::uint32_t i = 0; i < 409'600; i += 512)
      seen = words_of(file)[i];
    (void)seen;
    return file.traffic().blocks - before;
  };
  EXPECT_GE(lap(), 400u);
  lap();
  lap();
  const std::uint64_t later = lap(); // the least recently used block would always be the next one: 400
  EXPECT_LT(later, 330u);
  EXPECT_GT(later, 200u);
  EXPECT_GT(file.traffic().in_order, 1000u);
}

TEST(Streamed, AFileThatCannotBeReadEndsTheProcess) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  const Folder folder;
  const std::string text = counted(100'000), path = folder.write("f", text);
  const auto read_all = [&](auto spoil) {
    StreamedFile file(path, text.size(), plan_of(8));
    file.require_below(0, 400'000, 4, 100'000);
    spoil();
    volatile std::uint32_t seen = 0;
    for (std::uint32_t i = 0; i < 100'000; ++i)
      seen = words_of(file)[i];
    (void)seen;
    std::_Exit(0);
  };
  EXPECT_EXIT(read_all([] {}), testing::ExitedWithCode(0), "");
  EXPECT_EXIT(read_all([&] { EXPECT_EQ(truncate(path.c_str(), 200'000), 0); }), testing::ExitedWithCode(2),
              "^error: .*/f: cannot be read at byte 20[0-9]*: it has become shorter\n$");
  folder.write("f", text);
  EXPECT_EXIT(read_all([&] { std::fstream(path).seekp(300'000).write("\xff\xff\xff\x7f", 4); }),
              testing::ExitedWithCode(2), "^error: .*/f: the targets are corrupt: the file has changed");
  EXPECT_THROW(StreamedFile(folder.path("missing"), 1, plan_of(8)), gc::Error);
}

TEST(Streamed, OtherFaultsAreWhatTheyWere) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  const Folder folder;
  const std::string text = counted(10'000), path = folder.write("f", text);
  const auto fault = [&](bool write) {
    std::signal(SIGSEGV, SIG_DFL); // that of a sanitizer would end the process in its own way
    const StreamedFile file(path, text.size(), plan_of(8));
    if (write)
      const_cast<char &>(file.data()[5]) = 1;
    else
      std::raise(SIGSEGV);
  };
  EXPECT_EXIT(fault(true), testing::KilledBySignal(SIGSEGV), "");
  EXPECT_EXIT(fault(false), testing::KilledBySignal(SIGSEGV), "");
}

TEST(Streamed, KeptBlocksAreSpreadOverAllThatCame) {
  constexpr std::size_t blocks = 1000, room = 300, line = 20;
  KeptBlocks kept(blocks, room, line);
  std::set<KeptBlocks::Block> inside;
  const auto lap = [&] {
    std::size_t missing = 0;
    for (KeptBlocks::Block b = 0; b < blocks; ++b)
      if (inside.count(b) == 0) {
        ++missing;
        if (kept.size() == room) {
          EXPECT_EQ(inside.erase(kept.take_out()), 1u);
        }
        kept.arrived(b);
        EXPECT_TRUE(inside.insert(b).second);
      }
    return missing;
  };
  EXPECT_EQ(lap(), blocks);
  lap();
  EXPECT_LE(lap(), blocks - (room - line));
  EXPECT_EQ(inside.size(), room);
  std::size_t low = 0;
  for (const KeptBlocks::Block b : inside)
    low += b < blocks / 2;
  EXPECT_GT(low, 90u);
  EXPECT_LT(low, 210u);
}

TEST(Streamed, PlansHaveEnoughBlocks) {
  const std::uint64_t mega = 1 << 20;
  EXPECT_EQ(plan_stream(1000 * mega, 2 * mega, 0).block_bytes, mega / 16);
  EXPECT_EQ(plan_stream(1000 * mega, 64 * mega, 0).block_bytes, mega / 4);
  EXPECT_EQ(plan_stream(1000'000 * mega, 100'000 * mega, 0).block_bytes, 8 * mega);
}

TEST(Streamed, SizesOfMemory) {
  EXPECT_EQ(memory_size("--memory", "2GiB"), std::uint64_t(2) << 30);
  EXPECT_EQ(memory_size("--memory", "4096"), 4096u);
  for (const char *bad : {"", "GiB", "2GB", "-1", "0", "2 GiB", "1.5GiB", "99999999999TiB"})
    EXPECT_THROW(memory_size("--memory", bad), gc::Error) << bad;
}

/// A program that reads edges into vertices may have its arcs streamed within `limit` bytes more than there are now.
gc::LoadOptions within(std::uint64_t limit) {
  gc::LoadOptions options;
  options.may_stream = true;
  options.memory_limit = resident_memory() + limit;
  return options;
}

/// The same graph without its arcs by their targets, and with them.
class StreamedGraphs : public testing::Test {
protected:
  static void SetUpTestSuite() {
    files = std::make_unique<Folder>();
    gc::LoadOptions options;
    options.in_edges = true;
    const gc::LoadedGraph graph = gc::load_graph("uniform:scale=14,degree=128,directed=true", options);
    gc::save_graph(graph, folder().path("both.gcsr"));
    gc::save_graph(gc::load_graph(folder().path("both.gcsr")), folder().path("out.gcsr"));
  }
  static void TearDownTestSuite() { files.reset(); }
  static const Folder &folder() { return *files; }

private:
  static inline std::unique_ptr<Folder> files;
};

constexpr std::uint64_t little = 7 << 20; // for a file of 8 or 16 MiB

TEST_F(StreamedGraphs, AreTheGraphsOfTheFile) {
  gc::LoadOptions options;
  options.in_edges = true;
  std::vector<gc::LoadedGraph> wholes;
  for (const char *name : {"out.gcsr", "both.gcsr"})
    wholes.push_back(gc::load_graph(folder().path(name), options));
  options = within(little);
  options.in_edges = true;
  const gc::LoadedGraph streamed = gc::load_graph(folder().path("both.gcsr"), options);
  ASSERT_TRUE(streamed.streamed());
  for (const gc::LoadedGraph &whole : wholes) {
    ASSERT_FALSE(whole.streamed());
    const auto &a = streamed.view<std::uint32_t>(), &b = whole.view<std::uint32_t>();
    ASSERT_EQ(a.num_arcs(), b.num_arcs());
    EXPECT_TRUE(std::equal(a.out_offsets, a.out_offsets + a.n + 1, b.out_offsets));
    EXPECT_TRUE(std::equal(a.in_offsets, a.in_offsets + a.n + 1, b.in_offsets));
    EXPECT_TRUE(std::equal(a.out_targets, a.out_targets + a.num_arcs(), b.out_targets));
    EXPECT_TRUE(std::equal(a.in_sources, a.in_sources + a.num_arcs(), b.in_sources));
  }
}

TEST_F(StreamedGraphs, FitIntoMemoryOrSayWhyNot) {
  EXPECT_FALSE(gc::load_graph(folder().path("out.gcsr"), within(200 << 20)).streamed());
  gc::LoadOptions options = within(little);
  options.in_edges = true;
  EXPECT_NE(message(folder(), folder().path("out.gcsr"), options).find("'gcompile convert --in-edges'"),
            std::string::npos);
  options = within(little);
  options.user = gc::Directedness::undirected;
  EXPECT_NE(message(folder(), folder().path("out.gcsr"), options).find("'gcompile convert --undirected'"),
            std::string::npos);
  options = within(little);
  options.bytes_per_vertex = 1000;
  EXPECT_NE(message(folder(), folder().path("out.gcsr"), options).find("the program's data and the offsets need about"),
            std::string::npos);
  options = within(little);
  options.vertex_order = gc::VertexOrder::by_degree;
  EXPECT_NE(message(folder(), folder().path("out.gcsr"), options).find("another layout"), std::string::npos);
}

TEST_F(StreamedGraphs, CorruptArraysAreNoticed) {
  const std::string path = folder().path("both.gcsr"), sound = contents(path);
  // The in-arrays are at the end: sources that are no vertices, and sources that are those of other arcs.
  for (const std::uint32_t source : {0xffffffffu, 1u}) {
    std::string bad = sound;
    std::memcpy(&bad[bad.size() - 4096], &source, 4);
    folder().write("bad.gcsr", bad);
    gc::LoadOptions options = within(little);
    options.in_edges = true;
    EXPECT_EQ(message(folder(), folder().path("bad.gcsr"), options), "bad.gcsr: the arcs by their targets are corrupt");
    options.may_stream = false;
    options.memory_limit = 0;
    EXPECT_EQ(message(folder(), folder().path("bad.gcsr"), options), "bad.gcsr: the arcs by their targets are corrupt");
  }
  folder().write("short.gcsr", sound.substr(0, sound.size() / 2));
  EXPECT_NE(message(folder(), folder().path("short.gcsr"), within(little)).find("its header says"), std::string::npos);
}

} // namespace
