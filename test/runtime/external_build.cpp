// A .gcsr file that is built outside of memory has the bytes of the one that is built in it.
#include "helpers.h"

#include "runtime/src/sorted_runs.h"

#include <gcompile/core/error.h>

#include <cstdlib>
#include <filesystem>
#include <random>

#include <gtest/gtest.h>

namespace {

using namespace test;

/// Has the conversions in its life take place in 2 MiB.
struct Outside {
  Outside() { setenv("GCOMPILE_STREAM", "65536:32", 1); }
  ~Outside() { unsetenv("GCOMPILE_STREAM"); }
};

void expect_same_file(const Folder &folder, const std::string &spec, const gc::LoadOptions &options,
                      const std::string &what) {
  gc::convert_graph(spec, folder.path("inside.gcsr"), options);
  {
    const Outside outside;
    gc::convert_graph(spec, folder.path("outside.gcsr"), options);
  }
  EXPECT_TRUE(contents(folder.path("inside.gcsr")) == contents(folder.path("outside.gcsr"))) << spec << ' ' << what;
}

/// The ways in which graphs are converted.
void expect_same_files(const Folder &folder, const std::string &spec, gc::LoadOptions options = {}) {
  options.all_columns = options.columns.empty();
  expect_same_file(folder, spec, options, "");
  gc::LoadOptions other = options;
  other.user = gc::Directedness::undirected;
  expect_same_file(folder, spec, other, "undirected");
  other.self_loops = gc::Keep::drop;
  expect_same_file(folder, spec, other, "undirected without loops");
  other = options;
  other.user = gc::Directedness::directed;
  other.in_edges = true;
  other.duplicates = gc::Keep::keep;
  expect_same_file(folder, spec, other, "directed, all, both ways");
  other.vertex_bits = 64;
  expect_same_file(folder, spec, other, "the same in 64 bits");
}

/// Edges with repetitions and loops; `id` gives a vertex its name.
template <class Id, class Values> std::string edges(std::size_t count, unsigned n, Id id, Values values) {
  std::mt19937 random(7);
  std::string text = "# made up\n";
  for (std::size_t i = 0; i < count; ++i) {
    const unsigned u = random() % n, v = random() % 5 == 0 ? u : random() % n;
    text += std::to_string(id(u)) + " " + std::to_string(id(v)) + values(random()) + "\n";
  }
  return text;
}

TEST(ExternalBuild, OfGenerators) {
  const Folder folder;
  expect_same_files(folder, "kronecker:scale=12,degree=16");
  expect_same_files(folder, "uniform:scale=11,degree=20,weights=1..255");
  gc::LoadOptions options;
  options.columns = {{"weight", gc::ColumnType::float32}, {"length", gc::ColumnType::float64}};
  options.weights = "0.5..2.5";
  expect_same_files(folder, "uniform:scale=11,degree=20,directed=true", options);
  expect_same_files(folder, "path:0");
}

TEST(ExternalBuild, OfEdgeLists) {
  const Folder folder;
  const auto none = [](unsigned) { return std::string(); };
  const auto whole = [](unsigned r) { return " " + std::to_string(static_cast<int>(r % 100) - 50); };
  const auto real = [](unsigned r) { return " " + std::to_string(r % 7) + "." + std::to_string(r % 100); };
  expect_same_files(folder, folder.write("range.el", edges(
                                                         20'000, 3000, [](unsigned u) { return u + 10; }, none)));
  expect_same_files(folder,
                    folder.write("sparse.el", edges(
                                                  20'000, 3000, [](unsigned u) { return u * 7919L - 99; }, none)));
  expect_same_files(folder,
                    folder.write("far.el", edges(
                                               5'000, 3000, [](unsigned u) { return u * 1'000'000'007L; }, whole)));
  expect_same_files(folder, folder.write("real.wel", edges(
                                                         20'000, 500, [](unsigned u) { return u; }, real)));
  gc::LoadOptions options;
  options.columns = {{"a", gc::ColumnType::int64}, {"b", gc::ColumnType::float32}};
  expect_same_files(folder,
                    folder.write("two.el", edges(
                                               20'000, 300, [](unsigned u) { return u; },
                                               [&](unsigned r) { return whole(r) + real(r / 3); })),
                    options);
  expect_same_files(folder, folder.write("empty.el", "# nothing\n"));
  expect_same_files(folder, folder.write("text.el", "a b\nb c\n")); // in memory
}

TEST(ExternalBuild, OfStoredGraphs) {
  const Folder folder;
  gc::LoadOptions options;
  options.all_columns = true;
  gc::convert_graph("uniform:scale=11,degree=20,weights=1..255,directed=true", folder.path("a.gcsr"), options);
  expect_same_files(folder, folder.path("a.gcsr"));
  options = {};
  options.columns = {{"weight", gc::ColumnType::float64}};
  expect_same_files(folder, folder.path("a.gcsr"), options);
}

TEST(ExternalBuild, BadLinesAreNoticedAsInMemory) {
  const Folder folder;
  std::string text = edges(
      100'000, 1000, [](unsigned u) { return u; }, [](unsigned) { return std::string(" 1"); });
  text += "5 x 3\n";
  text.replace(text.size() / 2, 1, "?");
  const std::string path = folder.write("bad.wel", text);
  gc::LoadOptions options;
  options.all_columns = true;
  const auto problem = [&] {
    try {
      gc::convert_graph(path, folder.path("bad.gcsr"), options);
    } catch (const gc::Error &error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string inside = problem();
  const Outside outside;
  EXPECT_EQ(problem(), inside);
  EXPECT_NE(inside, "");
  EXPECT_FALSE(std::filesystem::exists(folder.path("bad.gcsr")));
}

TEST(ExternalBuild, TooManyRunsAreRefused) {
  const Folder folder;
  gc::detail::SortedRuns<1> runs(folder.path("f"), 64 << 10);
  gc::detail::SortedRuns<1>::Writer writer(runs, 64);
  EXPECT_THROW(
      {
        for (std::uint64_t i = 0; i < 1'000'000; ++i)
          writer.add({i});
      },
      gc::Error);
}

} // namespace
