// The frame of a generated program: its description, its parameters, its outputs, and main.
#ifndef GCOMPILE_PROGRAM_H
#define GCOMPILE_PROGRAM_H

#include <gcompile/core/error.h>
#include <gcompile/core/graph.h>
#include <gcompile/core/property.h>
#include <gcompile/core/types.h>
#include <gcompile/program/checked.h>
#include <gcompile/program/load.h>
#include <gcompile/program/profile.h>
#include <gcompile/program/replay.h>
#include <gcompile/program/vertex_values.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace gc {

enum class ParameterType { boolean, integer32, integer64, real32, real64, vertex, vertex_set };

/// A parameter of the algorithm, which is an option --NAME=VALUE of the program.
struct ParameterInfo {
  std::string name;
  ParameterType type = ParameterType::integer32;
  bool required = true;
  /// As on the command line: "0.85", "all", "none"; with a value for each vertex also "self", "v.degree",
  /// "v.out_degree" or "v.in_degree". Used if not required.
  std::string default_text;
  std::string doc;          ///< one line for --help
  bool per_vertex = false;  ///< `T[g]`: a value for each vertex
  bool nonnegative = false; ///< a negative value is an error
};

/// Element types of the language. A `bool` property is stored as std::uint8_t, a `vertex` as V, an `edge` as EdgeId.
enum class ElementType { boolean, int32, int64, float32, float64, vertex, edge, tuple };

enum class OutputShape { scalar, vertex, edge, dense };

/// A result of the algorithm.
struct OutputInfo {
  std::string name;
  ElementType type = ElementType::int32;
  OutputShape shape = OutputShape::vertex;
  bool unordered_claim = false;      ///< any legal winner is right: --verify does not compare it
  std::vector<ElementType> elements; ///< of a tuple
};

/// What a generated program says about itself.
struct ProgramInfo {
  std::string name;
  std::string source; ///< name of the .gdsl file
  std::vector<ParameterInfo> parameters;
  std::vector<OutputInfo> outputs;
  Directedness directedness = Directedness::any;
  std::vector<ColumnInfo> edge_columns;
  bool needs_in_edges = false;                  ///< reads in_offsets and in_sources
  bool needs_in_edge_ids = false;               ///< reads in_edges
  std::vector<std::string> nonnegative_weights; ///< columns whose values must not be negative
  bool vertices_by_degree = false;              ///< runs on vertices numbered by descending out-degree
  bool neighbors_by_degree = false; ///< runs on adjacency lists sorted by the neighbours' descending out-degree
  bool profiled = false;            ///< records the calls of its kernels
  double bytes_per_vertex = 0;      ///< state that the program allocates
  double bytes_per_edge = 0;        ///< per arc
  double bytes_per_pair = 0;        ///< per ordered pair of vertices
};

/// How a graph is to be loaded for the program; `options` say what the user decides.
LoadOptions load_options(const ProgramInfo &info, LoadOptions options = {});

/// The values of the algorithm's parameters, checked and converted to the vertices 0..n-1 of a loaded graph.
class Arguments {
public:
  Arguments() = default;
  /// Converts texts such as "17", "1e-3", "all", "1,2,3" or "@FILE". Parameters without a text take their default.
  /// Throws Error naming the parameter, or a line of the file, if a value is malformed, out of range, missing, or names
  /// no vertex.
  Arguments(const std::vector<ParameterInfo> &parameters, const std::map<std::string, std::string> &texts,
            const LoadedGraph &graph);
  /// The same but for one parameter. Throws Error as the constructor does.
  Arguments with(const ParameterInfo &parameter, const std::string &text, const LoadedGraph &graph) const;

  bool boolean(const char *name) const { return find(name).integer != 0; }
  std::int64_t integer(const char *name) const { return find(name).integer; }
  double real(const char *name) const { return find(name).real; }
  template <class V> V vertex(const char *name) const { return static_cast<V>(find(name).vertex); }
  /// Of a parameter `T[g]`; T is as in memory. Refers to this object.
  template <class T> VertexValues<T> vertex_values(const char *name) const {
    const Value &value = find(name);
    if (value.listed)
      return *static_cast<const Property<T> *>(value.listed.get());
    if (value.rule != VertexRule::constant)
      return value.rule;
    if constexpr (std::is_floating_point<T>::value)
      return static_cast<T>(value.real);
    else if constexpr (std::is_unsigned<T>::value && sizeof(T) > 1)
      return static_cast<T>(value.vertex);
    else
      return static_cast<T>(value.integer);
  }
  /// Ascending, each vertex once.
  template <class V> std::vector<V> vertex_set(const char *name) const {
    const Value &value = find(name);
    std::vector<V> set;
    set.reserve(value.all ? num_vertices_ : value.set->size());
    if (value.all)
      for (std::uint64_t v = 0; v < num_vertices_; ++v)
        set.push_back(static_cast<V>(v));
    else
      for (std::uint64_t v : *value.set)
        set.push_back(static_cast<V>(v));
    return set;
  }

private:
  struct Value {
    std::int64_t integer = 0;
    double real = 0;
    std::uint64_t vertex = none<std::uint64_t>();
    bool all = false;
    std::shared_ptr<const std::vector<std::uint64_t>> set;
    VertexRule rule = VertexRule::constant;
    std::shared_ptr<const void> listed; ///< a Property of the values in a file, in the type that memory has
  };

  /// Converts the text of a parameter; null: its default value.
  void set(const ParameterInfo &parameter, const std::string *given, const LoadedGraph &graph);
  /// Converts one text. `none` is a vertex only where it is allowed: another one that is given must exist.
  static void parse(const ParameterInfo &parameter, const std::string &text, bool none_allowed, const VertexIds &ids,
                    Value &value);
  /// Reads the file of a parameter `T[g]` over its default values.
  template <class V> void read_file(const ParameterInfo &parameter, const std::string &path, const LoadedGraph &graph);
  const Value &find(const char *name) const;

  std::map<std::string, Value> values_;
  std::uint64_t num_vertices_ = 0;
};

namespace detail {

/// How a value is stored.
enum class Storage { uint8, int32, int64, uint32, uint64, float32, float64, tuple };

template <class T> constexpr Storage storage_of() {
  if constexpr (std::is_same<T, bool>::value)
    return Storage::uint8;
  else if constexpr (std::is_floating_point<T>::value)
    return sizeof(T) == 4 ? Storage::float32 : Storage::float64;
  else if constexpr (std::is_integral<T>::value && std::is_signed<T>::value)
    return sizeof(T) == 4 ? Storage::int32 : Storage::int64;
  else if constexpr (std::is_integral<T>::value)
    return sizeof(T) == 1 ? Storage::uint8 : sizeof(T) == 4 ? Storage::uint32 : Storage::uint64;
  else
    return Storage::tuple;
}

/// One plain value inside an output: a pointer and how to read it.
struct ElementRef {
  const void *data;
  Storage storage;
};

template <class Tuple, std::size_t... I>
ElementRef tuple_element(const void *data, std::size_t k, std::index_sequence<I...>) {
  const Tuple &tuple = *static_cast<const Tuple *>(data);
  ElementRef result{nullptr, Storage::tuple};
  ((I == k ? void(result = {&std::get<I>(tuple), storage_of<std::tuple_element_t<I, Tuple>>()}) : void()), ...);
  return result;
}

/// An output of a program, without its type.
struct OutputView {
  std::string name;
  const void *data = nullptr;
  std::size_t count = 0;  ///< number of values
  std::size_t stride = 0; ///< bytes from one to the next
  Storage storage = Storage::int32;
  ElementRef (*element)(const void *data, std::size_t k) = nullptr; ///< k-th member of a tuple
  std::shared_ptr<const void> owner = nullptr;                      ///< keeps a scalar's copy alive
};

template <class T> OutputView output_view(const char *name, const T *data, std::size_t count) {
  OutputView view;
  view.name = name;
  view.data = data;
  view.count = count;
  view.stride = sizeof(T);
  view.storage = storage_of<T>();
  if constexpr (storage_of<T>() == Storage::tuple)
    view.element = [](const void *value, std::size_t k) {
      return tuple_element<T>(value, k, std::make_index_sequence<std::tuple_size<T>::value>());
    };
  return view;
}

/// Visitor that generated `outputs` functions call. Arrays are referred to, scalars are copied.
struct CollectOutputs {
  std::vector<OutputView> &views;

  template <class T> void operator()(const char *name, const Array<T> &values) {
    views.push_back(output_view(name, values.data(), values.size()));
  }
  template <class T> void operator()(const char *name, const Dense<T> &values) {
    views.push_back(output_view(name, values.data(), values.size() * values.size()));
  }
  template <class T> void operator()(const char *name, const T &scalar) {
    auto copy = std::make_shared<const T>(scalar);
    views.push_back(output_view(name, copy.get(), 1));
    views.back().owner = std::move(copy);
  }
};

/// An algorithm bound to a graph and arguments.
struct Instance {
  virtual ~Instance() = default;
  virtual void run() = 0;
  virtual void set_arguments(const Arguments &) {} ///< of the next run, where there are parameters; of no serial form
  virtual std::vector<OutputView> outputs() const = 0;
  virtual const Profile *profile() const { return nullptr; } ///< of a profiled program
  virtual double layout_seconds() const { return 0; }        ///< spent on layouts of its own
  /// Of one that replays the claims of another: what that one should have claimed earlier, or with another value, by
  /// the name of the output.
  virtual std::map<std::string, std::vector<OverdueClaim>> overdue() const { return {}; }
};

template <class Algorithm, class = void> struct IsProfiled : std::false_type {};
template <class Algorithm>
struct IsProfiled<Algorithm, std::void_t<decltype(std::declval<const Algorithm &>().profile())>> : std::true_type {};

template <class Algorithm, class = void> struct HasLayout : std::false_type {};
template <class Algorithm>
struct HasLayout<Algorithm, std::void_t<decltype(std::declval<const Algorithm &>().layout_seconds())>>
    : std::true_type {};

template <class Algorithm, class = void> struct TakesArguments : std::false_type {};
template <class Algorithm>
struct TakesArguments<
    Algorithm, std::void_t<decltype(std::declval<Algorithm &>().set_arguments(std::declval<const Arguments &>()))>>
    : std::true_type {};

struct CollectOverdue {
  std::map<std::string, std::vector<OverdueClaim>> &claims;

  template <class T> void operator()(const char *name, const Replay<T> &replay) { claims[name] = replay.overdue(); }
};

template <class Algorithm, class = void> struct IsReplay : std::false_type {};
template <class Algorithm>
struct IsReplay<Algorithm,
                std::void_t<decltype(std::declval<const Algorithm &>().replays(std::declval<CollectOverdue>()))>>
    : std::true_type {};

template <class Algorithm> struct InstanceOf final : Instance {
  Algorithm algorithm;

  template <class... Args> explicit InstanceOf(Args &&...args) : algorithm(std::forward<Args>(args)...) {}
  void run() override { algorithm.run(); }
  void set_arguments([[maybe_unused]] const Arguments &arguments) override {
    if constexpr (TakesArguments<Algorithm>::value)
      algorithm.set_arguments(arguments);
  }
  std::vector<OutputView> outputs() const override {
    std::vector<OutputView> views;
    algorithm.outputs(CollectOutputs{views});
    return views;
  }
  const Profile *profile() const override {
    if constexpr (IsProfiled<Algorithm>::value)
      return &algorithm.profile();
    return nullptr;
  }
  double layout_seconds() const override {
    if constexpr (HasLayout<Algorithm>::value)
      return algorithm.layout_seconds();
    return 0;
  }
  std::map<std::string, std::vector<OverdueClaim>> overdue() const override {
    std::map<std::string, std::vector<OverdueClaim>> claims;
    if constexpr (IsReplay<Algorithm>::value)
      algorithm.replays(CollectOverdue{claims});
    return claims;
  }
};

template <class V> struct Factories {
  std::unique_ptr<Instance> (*parallel)(const Graph<V> &, const Arguments &);
  std::unique_ptr<Instance> (*serial)(const Graph<V> &, const Arguments &, const Instance &witness);
};

template <template <class> class Parallel, template <class> class Serial, class V> Factories<V> factories() {
  return {[](const Graph<V> &g, const Arguments &args) -> std::unique_ptr<Instance> {
            return std::make_unique<InstanceOf<Parallel<V>>>(g, args);
          },
          [](const Graph<V> &g, const Arguments &args, const Instance &witness) -> std::unique_ptr<Instance> {
            return std::make_unique<InstanceOf<Serial<V>>>(
                g, args, &static_cast<const InstanceOf<Parallel<V>> &>(witness).algorithm);
          }};
}

int run_program(int argc, char **argv, const ProgramInfo &info, const Factories<std::uint32_t> &narrow,
                const Factories<std::uint64_t> &wide);

} // namespace detail

/// The whole of main: reads the command line, loads the graph, runs, verifies, reports and writes the outputs. Returns
/// the exit status. Parallel<V> is constructed from (graph, arguments); Serial<V> from (graph, arguments, const
/// Parallel<V> *).
template <template <class> class Parallel, template <class> class Serial>
int program_main(int argc, char **argv, const ProgramInfo &info) {
  return detail::run_program(argc, argv, info, detail::factories<Parallel, Serial, std::uint32_t>(),
                             detail::factories<Parallel, Serial, std::uint64_t>());
}

} // namespace gc

#endif
