#include "generate.h"
#include "scan.h"
#include "suggest.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace gc::detail {

namespace {

constexpr std::uint64_t edges_per_chunk = 1 << 14;

/// The i-th 64-bit random number of a seed's stream.
std::uint64_t draw(std::uint64_t seed, std::uint64_t i) { return splitmix(seed ^ splitmix(i)); }

/// A uniform number below n.
std::uint64_t below(std::uint64_t random, std::uint64_t n) {
  return static_cast<std::uint64_t>((static_cast<unsigned __int128>(random) * n) >> 64);
}

/// A permutation of 0..2^bits-1, so that a vertex's id says nothing about its degree.
class Permutation {
public:
  Permutation(int bits, std::uint64_t seed) : bits_(bits), mask_((std::uint64_t(1) << bits) - 1) {
    for (int i = 0; i < rounds; ++i) {
      factors_[i] = draw(seed, 1000003 + 2 * static_cast<std::uint64_t>(i)) | 1;
      terms_[i] = draw(seed, 1000004 + 2 * static_cast<std::uint64_t>(i));
    }
  }
  std::uint64_t operator()(std::uint64_t x) const {
    for (int i = 0; i < rounds; ++i) {
      x = (x * factors_[i] + terms_[i]) & mask_;
      x ^= x >> ((bits_ + 1) / 2);
    }
    return x;
  }

private:
  static constexpr int rounds = 4;
  int bits_;
  std::uint64_t mask_, factors_[rounds], terms_[rounds];
};

/// Edges that are numbered, a fixed number to a chunk.
class NumberedEdges : public EdgeSource {
public:
  explicit NumberedEdges(std::uint64_t num_edges) : num_edges_(num_edges) {}
  std::size_t chunks() const override { return (num_edges_ + edges_per_chunk - 1) / edges_per_chunk; }
  EdgeView chunk(std::size_t i, EdgeChunk &scratch) const override {
    const std::uint64_t begin = i * edges_per_chunk, end = std::min(num_edges_, begin + edges_per_chunk);
    scratch.ends.resize(2 * edges_per_chunk);
    for (std::uint64_t e = begin; e < end; ++e)
      edge(e, scratch.ends[2 * (e - begin)], scratch.ends[2 * (e - begin) + 1]);
    return {scratch.ends.data(), nullptr, end - begin};
  }

protected:
  virtual void edge(std::uint64_t e, std::uint64_t &u, std::uint64_t &v) const = 0;

private:
  std::uint64_t num_edges_;
};

class UniformEdges final : public NumberedEdges {
public:
  UniformEdges(std::uint64_t n, std::uint64_t num_edges, std::uint64_t seed)
      : NumberedEdges(num_edges), n_(n), seed_(splitmix(seed)) {}

private:
  void edge(std::uint64_t e, std::uint64_t &u, std::uint64_t &v) const override {
    u = below(draw(seed_, 2 * e), n_);
    v = below(draw(seed_, 2 * e + 1), n_);
  }
  std::uint64_t n_, seed_;
};

/// Recursive-matrix edges: every bit of the two ends is chosen by a quadrant with probabilities a, b, c and the rest.
class RmatEdges final : public NumberedEdges {
public:
  RmatEdges(int scale, std::uint64_t n, std::uint64_t num_edges, double a, double b, double c, std::uint64_t seed)
      : NumberedEdges(num_edges), scale_(scale), n_(n), seed_(splitmix(seed)), permute_(scale, splitmix(seed)) {
    const double whole = 4294967296.0;
    limits_[0] = static_cast<std::uint64_t>(std::llround(a * whole));
    limits_[1] = static_cast<std::uint64_t>(std::llround((a + b) * whole));
    limits_[2] = static_cast<std::uint64_t>(std::llround((a + b + c) * whole));
  }

private:
  void edge(std::uint64_t e, std::uint64_t &u, std::uint64_t &v) const override {
    // A number of vertices that is no power of two: try again until both ends are among them, but not for ever where
    // the probabilities leave few different edges.
    for (std::uint64_t attempt = 0; attempt < most_attempts; ++attempt) {
      const std::uint64_t stream = splitmix(seed_ + e) ^ attempt;
      u = v = 0;
      std::uint64_t random = 0;
      for (int level = 0; level < scale_; ++level) {
        random =
            level % 2 == 0 ? splitmix(stream + static_cast<std::uint64_t>(level) * 0x632be59bd9b4e019u) : random >> 32;
        const std::uint64_t r = random & 0xffffffffu;
        const std::uint64_t lower = r >= limits_[1];
        const std::uint64_t right = (r >= limits_[0]) - lower + (r >= limits_[2]);
        u = 2 * u + lower;
        v = 2 * v + right;
      }
      u = permute_(u);
      v = permute_(v);
      if (u < n_ && v < n_)
        return;
    }
    u %= n_;
    v %= n_;
  }

  static constexpr std::uint64_t most_attempts = 64;
  int scale_;
  std::uint64_t n_, seed_, limits_[3];
  Permutation permute_;
};

/// Edges that are grouped by vertex.
template <class EdgesOf> class VertexEdges final : public EdgeSource {
public:
  VertexEdges(std::uint64_t n, std::uint64_t per_chunk, EdgesOf edges_of)
      : n_(n), per_chunk_(per_chunk), edges_of_(edges_of) {}
  std::size_t chunks() const override { return (n_ + per_chunk_ - 1) / per_chunk_; }
  EdgeView chunk(std::size_t i, EdgeChunk &scratch) const override {
    scratch.ends.clear();
    for (std::uint64_t v = i * per_chunk_; v < std::min(n_, (i + 1) * per_chunk_); ++v)
      edges_of_(v, scratch.ends);
    return {scratch.ends.data(), nullptr, scratch.size()};
  }

private:
  std::uint64_t n_, per_chunk_;
  EdgesOf edges_of_;
};

template <class EdgesOf>
std::unique_ptr<EdgeSource> by_vertex(std::uint64_t n, EdgesOf edges_of, std::uint64_t per_chunk = 4096) {
  return std::make_unique<VertexEdges<EdgesOf>>(n, per_chunk, edges_of);
}

const std::vector<std::string> generator_names = {"kronecker", "rmat", "uniform", "grid",
                                                  "path",      "star", "cycle",   "complete"};

/// The text "NAME:SIZE,KEY=VALUE,..." in pieces.
class Spec {
public:
  explicit Spec(const std::string &text) : text_(text) {
    const std::size_t colon = text.find(':');
    name = text.substr(0, colon);
    std::size_t begin = colon + 1;
    while (begin <= text.size() && begin < text.size()) {
      const std::size_t end = std::min(text.find(',', begin), text.size());
      const std::string part = text.substr(begin, end - begin);
      const std::size_t equals = part.find('=');
      if (equals == std::string::npos && begin == colon + 1)
        size = part;
      else if (equals == std::string::npos)
        fail("expected NAME=VALUE, found '" + part + "'");
      else if (!options_.emplace(part.substr(0, equals), part.substr(equals + 1)).second)
        fail("option '" + part.substr(0, equals) + "' is given twice");
      begin = end + 1;
    }
  }

  [[noreturn]] void fail(const std::string &reason) const { throw Error(ErrorKind::argument, text_ + ": " + reason); }
  bool has(const std::string &key) const { return options_.count(key) != 0; }
  std::string text(const std::string &key) const { return has(key) ? options_.at(key) : ""; }

  std::uint64_t integer(const std::string &key, std::uint64_t fallback, std::uint64_t low, std::uint64_t high) const {
    return has(key) ? checked(options_.at(key), key, low, high) : fallback;
  }
  std::uint64_t checked(const std::string &value, const std::string &what, std::uint64_t low,
                        std::uint64_t high) const {
    const std::optional<std::int64_t> number = whole_integer(value);
    if (!number || *number < 0 || static_cast<std::uint64_t>(*number) < low ||
        static_cast<std::uint64_t>(*number) > high)
      fail(what + " must be an integer from " + std::to_string(low) + " to " + std::to_string(high) + ", not '" +
           value + "'");
    return static_cast<std::uint64_t>(*number);
  }
  double probability(const std::string &key, double fallback) const {
    if (!has(key))
      return fallback;
    const std::optional<double> number = whole_real(options_.at(key));
    if (!number || *number < 0 || *number > 1)
      fail(key + " must be a probability, not '" + options_.at(key) + "'");
    return *number;
  }
  bool flag(const std::string &key) const {
    const std::string value = text(key);
    if (!value.empty() && value != "true" && value != "false")
      fail(key + " must be true or false, not '" + value + "'");
    return value == "true";
  }
  void allow(std::vector<std::string> keys) const {
    keys.insert(keys.end(), {"weights", "seed", "directed"});
    for (const auto &[key, value] : options_)
      if (std::find(keys.begin(), keys.end(), key) == keys.end())
        fail("unknown option '" + key + "'" + suggestion(key, keys));
  }

  std::string name, size;

private:
  std::string text_;
  std::map<std::string, std::string> options_;
};

constexpr std::uint64_t most_vertices = std::uint64_t(1) << 40;

/// kronecker, rmat and uniform: scale= or vertices=, degree=, seed=.
void make_random(const Spec &spec, GeneratedGraph &graph) {
  if (!spec.size.empty())
    spec.fail("expected NAME=VALUE, found '" + spec.size + "'");
  const bool rmat = spec.name == "rmat";
  if (spec.name == "kronecker")
    spec.allow({"scale", "degree"});
  else if (rmat)
    spec.allow({"scale", "vertices", "degree", "a", "b", "c"});
  else
    spec.allow({"scale", "vertices", "degree"});
  if (spec.has("scale") == spec.has("vertices"))
    spec.fail(spec.name == "kronecker" ? "give scale=, as in scale=20" : "give either scale= or vertices=");
  graph.n = spec.has("scale") ? std::uint64_t(1) << spec.integer("scale", 0, 1, 40)
                              : spec.integer("vertices", 0, 0, most_vertices);
  int scale = 1;
  while ((std::uint64_t(1) << scale) < graph.n)
    ++scale;
  const std::uint64_t degree = spec.integer("degree", 16, 1, 1 << 20), num_edges = graph.n * degree;
  const std::uint64_t seed = spec.integer("seed", 1, 0, INT64_MAX);
  graph.num_edges = static_cast<double>(num_edges);
  if (spec.name == "uniform") {
    graph.source = std::make_unique<UniformEdges>(graph.n, num_edges, seed);
    return;
  }
  const double a = spec.probability("a", 0.57), b = spec.probability("b", 0.19), c = spec.probability("c", 0.19);
  if (a + b + c > 1 + 1e-9)
    spec.fail("a + b + c must not be more than 1");
  graph.source = std::make_unique<RmatEdges>(scale, graph.n, num_edges, a, b, c, seed);
}

void make_grid(const Spec &spec, GeneratedGraph &graph) {
  const std::size_t times = spec.size.find('x');
  if (times == std::string::npos)
    spec.fail("give the size as ROWSxCOLUMNS, as in grid:1500x1500");
  const std::uint64_t limit = std::uint64_t(1) << 31;
  const std::uint64_t rows = spec.checked(spec.size.substr(0, times), "the number of rows", 0, limit);
  const std::uint64_t columns = spec.checked(spec.size.substr(times + 1), "the number of columns", 0, limit);
  graph.n = rows * columns;
  graph.num_edges = 2 * static_cast<double>(graph.n);
  const std::uint64_t n = graph.n;
  graph.source = by_vertex(n, [n, columns](std::uint64_t v, std::vector<std::uint64_t> &out) {
    if ((v + 1) % columns != 0)
      out.insert(out.end(), {v, v + 1});
    if (v + columns < n)
      out.insert(out.end(), {v, v + columns});
  });
}

/// path, star, cycle and complete graphs of n vertices.
void make_regular(const Spec &spec, GeneratedGraph &graph) {
  if (spec.size.empty())
    spec.fail("give the number of vertices, as in " + spec.name + ":1000");
  const std::uint64_t n = spec.checked(spec.size, "the number of vertices", 0, most_vertices);
  const bool directed = graph.directed;
  graph.n = n;
  graph.num_edges = static_cast<double>(n);
  using Out = std::vector<std::uint64_t>;
  if (spec.name == "path") {
    graph.source = by_vertex(n, [n](std::uint64_t v, Out &out) {
      if (v + 1 < n)
        out.insert(out.end(), {v, v + 1});
    });
  } else if (spec.name == "star") {
    graph.source = by_vertex(n, [](std::uint64_t v, Out &out) {
      if (v != 0)
        out.insert(out.end(), {0, v});
    });
  } else if (spec.name == "cycle") {
    graph.source = by_vertex(n, [n](std::uint64_t v, Out &out) { out.insert(out.end(), {v, v + 1 < n ? v + 1 : 0}); });
  } else {
    graph.num_edges = static_cast<double>(n) * static_cast<double>(n - 1) / (directed ? 1 : 2);
    graph.source = by_vertex(
        n,
        [n, directed](std::uint64_t v, Out &out) {
          for (std::uint64_t w = directed ? 0 : v + 1; w < n; ++w)
            if (w != v)
              out.insert(out.end(), {v, w});
        },
        1);
  }
}

} // namespace

bool is_generator(const std::string &spec) {
  const std::size_t colon = spec.find(':');
  if (colon == std::string::npos || colon == 0)
    return false;
  const std::string name = spec.substr(0, colon);
  return name.find('/') == std::string::npos && name.find('.') == std::string::npos;
}

GeneratedGraph make_generator(const std::string &text) {
  const Spec spec(text);
  GeneratedGraph graph;
  graph.directed = spec.flag("directed");
  graph.weights = spec.text("weights");
  graph.weights_seed = spec.integer("seed", 1, 0, INT64_MAX);
  if (spec.name == "kronecker" || spec.name == "rmat" || spec.name == "uniform") {
    make_random(spec, graph);
    return graph;
  }
  if (std::find(generator_names.begin(), generator_names.end(), spec.name) == generator_names.end())
    spec.fail("unknown generator '" + spec.name + "'" + suggestion(spec.name, generator_names));
  spec.allow({});
  if (spec.name == "grid")
    make_grid(spec, graph);
  else
    make_regular(spec, graph);
  return graph;
}

WeightRange parse_weights(const std::string &text, const std::vector<ColumnInfo> &columns,
                          const std::vector<std::string> &nonnegative) {
  const std::string what = "weights=" + text + ": ";
  const std::size_t dots = text.find("..");
  const std::string low = text.substr(0, dots), high = dots == std::string::npos ? "" : text.substr(dots + 2);
  const std::optional<double> real_low = whole_real(low), real_high = whole_real(high);
  if (!real_low || !real_high || !std::isfinite(*real_low) || !std::isfinite(*real_high) || *real_low > *real_high)
    throw Error(ErrorKind::argument, what + "expected a range LOW..HIGH, as in weights=1..255");
  const std::optional<std::int64_t> integer_low = whole_integer(low), integer_high = whole_integer(high);
  WeightRange range;
  range.real = !integer_low || !integer_high;
  range.real_low = *real_low;
  range.real_high = *real_high;
  range.low = integer_low.value_or(0);
  range.high = integer_high.value_or(0);
  for (const ColumnInfo &column : columns) {
    const char *type = type_name(column.type);
    if (range.real && !is_real(column.type))
      throw Error(ErrorKind::argument, what + "the program reads " + column.name + " as " + type + ", give integers");
    if (column.type == ColumnType::int32 && (range.low < INT32_MIN || range.high > INT32_MAX))
      throw Error(ErrorKind::argument, what + "the values do not fit " + column.name + ", an int (overflow)");
    if (range.real_low < 0 && std::find(nonnegative.begin(), nonnegative.end(), column.name) != nonnegative.end())
      throw Error(ErrorKind::argument, what + "the program does not allow a negative " + column.name);
  }
  return range;
}

template <class T>
T weight_of(const WeightRange &range, std::uint64_t seed, std::size_t k, std::uint64_t u, std::uint64_t v) {
  const std::uint64_t stream = splitmix(splitmix(seed) + k + 1);
  const std::uint64_t random =
      splitmix(stream ^ splitmix(std::min(u, v) * 0x632be59bd9b4e019u + splitmix(std::max(u, v))));
  if (range.real)
    return static_cast<T>(range.real_low +
                          (range.real_high - range.real_low) * static_cast<double>(random >> 11) * 0x1p-53);
  // The width is 0 for the full range of 64 bits.
  const std::uint64_t width = static_cast<std::uint64_t>(range.high) - static_cast<std::uint64_t>(range.low) + 1;
  return static_cast<T>(
      static_cast<std::int64_t>(static_cast<std::uint64_t>(range.low) + (width ? below(random, width) : random)));
}

template std::int32_t weight_of(const WeightRange &, std::uint64_t, std::size_t, std::uint64_t, std::uint64_t);
template std::int64_t weight_of(const WeightRange &, std::uint64_t, std::size_t, std::uint64_t, std::uint64_t);
template float weight_of(const WeightRange &, std::uint64_t, std::size_t, std::uint64_t, std::uint64_t);
template double weight_of(const WeightRange &, std::uint64_t, std::size_t, std::uint64_t, std::uint64_t);

template <class V>
void fill_weights(GraphStorage &storage, VertexBlock rows, const WeightRange &range, std::uint64_t seed) {
  Graph<V> &g = storage.arrays<V>().view;
  storage.column_data.clear();
  for (std::size_t k = 0; k < storage.columns.size(); ++k) {
    const ColumnType type = storage.columns[k].type;
    storage.column_data.push_back(rows.end - rows.begin == g.n ? allocate_column(type, g.num_arcs())
                                                               : zero_column(type, g.num_arcs()));
    ColumnData &data = storage.column_data.back();
    g.columns[k] = data.values;
    with_type(type, [&](auto *tag) {
      using T = std::remove_pointer_t<decltype(tag)>;
      T *values = reinterpret_cast<T *>(data.words.data());
#pragma omp parallel for schedule(dynamic, 1024)
      for (std::uint64_t u = rows.begin; u < rows.end; ++u)
        for (ArcId e = g.out_offsets[u]; e < g.out_offsets[u + 1]; ++e)
          values[e] = weight_of<T>(range, seed, k, u, g.out_targets[e]);
    });
  }
}

template void fill_weights<std::uint32_t>(GraphStorage &, VertexBlock, const WeightRange &, std::uint64_t);
template void fill_weights<std::uint64_t>(GraphStorage &, VertexBlock, const WeightRange &, std::uint64_t);

} // namespace gc::detail
