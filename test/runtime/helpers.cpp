#include "helpers.h"

#include <gcompile/core/error.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include <gtest/gtest.h>
#include <lzma.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

namespace test {

namespace {

std::string made(const std::filesystem::path &prefix) {
  std::string pattern = prefix.string() + "-XXXXXX";
  if (!mkdtemp(pattern.data()))
    throw std::runtime_error("cannot make a temporary folder");
  return pattern;
}

/// Where all folders of the tests are. Those of tests that end their process have nobody else who removes them; such a
/// process is told where.
const std::string &base() {
  static const struct Base {
    const char *const given = std::getenv("GCOMPILE_TEST_FOLDER");
    const std::string path = given ? given : made(std::filesystem::temp_directory_path() / "gcompile-runtime");
    const pid_t owner = given ? 0 : getpid();
    Base() { setenv("GCOMPILE_TEST_FOLDER", path.c_str(), 1); }
    ~Base() {
      std::error_code ignored;
      if (getpid() == owner)
        std::filesystem::remove_all(path, ignored);
    }
  } folder;
  return folder.path;
}

/// Before any test begins a process.
const std::string &made_early = base();

} // namespace

Folder::Folder() : path_(made(std::filesystem::path(base()) / "folder")) {}

Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string Folder::write(const std::string &name, const std::string &content) const {
  std::ofstream(path(name), std::ios::binary) << content;
  return path(name);
}

std::string gzip(const std::string &text) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, text.size()) + 32, 0);
  stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef *>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string zstd(const std::string &text) {
  std::string out(ZSTD_compressBound(text.size()), 0);
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
  return out;
}

std::string xz(const std::string &text) {
  std::string out(lzma_stream_buffer_bound(text.size()), 0);
  std::size_t size = 0;
  EXPECT_EQ(lzma_easy_buffer_encode(3, LZMA_CHECK_CRC64, nullptr, reinterpret_cast<const std::uint8_t *>(text.data()),
                                    text.size(), reinterpret_cast<std::uint8_t *>(out.data()), &size, out.size()),
            LZMA_OK);
  out.resize(size);
  return out;
}

std::string contents(const std::string &path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

namespace {

template <class F> void with_view(const gc::LoadedGraph &graph, const F &f) {
  if (graph.vertex_bits() == 32)
    f(graph.view<std::uint32_t>());
  else
    f(graph.view<std::uint64_t>());
}

template <class V> double value_of(const gc::Graph<V> &g, gc::ColumnType type, gc::ArcId e) {
  switch (type) {
  case gc::ColumnType::int32:
    return g.template edge_column<std::int32_t>(0)[e];
  case gc::ColumnType::int64:
    return static_cast<double>(g.template edge_column<std::int64_t>(0)[e]);
  case gc::ColumnType::float32:
    return static_cast<double>(g.template edge_column<float>(0)[e]);
  case gc::ColumnType::float64:
    break;
  }
  return g.template edge_column<double>(0)[e];
}

} // namespace

Arcs arcs_of(const gc::LoadedGraph &graph) {
  Arcs arcs;
  with_view(graph, [&](const auto &g) {
    for (std::uint64_t u = 0; u < g.n; ++u)
      for (gc::ArcId e = g.out_offsets[u]; e < g.out_offsets[u + 1]; ++e)
        arcs.emplace(std::make_pair(graph.ids().name(u), graph.ids().name(g.out_targets[e])),
                     graph.columns().empty() ? 0 : value_of(g, graph.columns()[0].type, e));
  });
  return arcs;
}

std::vector<std::string> names_of(const gc::LoadedGraph &graph) {
  std::vector<std::string> names;
  for (std::uint64_t v = 0; v < graph.num_vertices(); ++v)
    names.push_back(graph.ids().name(v));
  return names;
}

std::string message(const Folder &folder, const std::string &spec, const gc::LoadOptions &options) {
  try {
    gc::load_graph(spec, options);
  } catch (const gc::Error &error) {
    std::string text = error.what();
    const std::string prefix = folder.path("");
    for (std::size_t at; (at = text.find(prefix)) != std::string::npos;)
      text.erase(at, prefix.size());
    return text;
  }
  return "";
}

gc::LoadOptions weighted(gc::ColumnType type) {
  gc::LoadOptions options;
  options.columns = {{"weight", type}};
  return options;
}

void expect_sound(const gc::LoadedGraph &graph) {
  with_view(graph, [&](const auto &g) {
    using V = std::remove_const_t<std::remove_reference_t<decltype(*g.out_targets)>>;
    ASSERT_EQ(g.num_vertices(), graph.num_vertices());
    ASSERT_EQ(graph.ids().size(), graph.num_vertices());
    std::vector<std::pair<V, V>> out, in;
    gc::ArcId loops = 0;
    for (V v = 0; v < g.n; ++v) {
      const auto list = g.out_neighbors(v);
      EXPECT_TRUE(std::is_sorted(list.begin(), list.end()));
      for (V u : list) {
        out.emplace_back(v, u);
        loops += u == v;
      }
      if (!g.in_offsets)
        continue;
      const auto sources = g.in_neighbors(v);
      EXPECT_TRUE(std::is_sorted(sources.begin(), sources.end()));
      for (gc::ArcId k = g.in_begin(v); k < g.in_end(v); ++k) {
        in.emplace_back(g.in_source(k), v);
        if (g.in_edges) {
          EXPECT_EQ(g.target(g.in_edges[k]), v);
          EXPECT_LE(g.out_begin(g.in_source(k)), g.in_edges[k]);
          EXPECT_LT(g.in_edges[k], g.out_end(g.in_source(k)));
        }
      }
    }
    ASSERT_EQ(out.size(), graph.num_arcs());
    std::sort(in.begin(), in.end());
    if (g.in_offsets) {
      EXPECT_EQ(in, out);
    }
    EXPECT_EQ(static_cast<gc::ArcId>(g.num_edges()), g.directed() ? out.size() : (out.size() - loops) / 2 + loops);
    for (const auto &[u, v] : out)
      EXPECT_TRUE(g.directed() || std::binary_search(out.begin(), out.end(), std::make_pair(v, u)));
  });
}

} // namespace test
