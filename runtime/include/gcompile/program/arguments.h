// The values of the parameters of a program: texts of a command line, checked and converted.
#ifndef GCOMPILE_PROGRAM_ARGUMENTS_H
#define GCOMPILE_PROGRAM_ARGUMENTS_H

#include <gcompile/core/graph.h>
#include <gcompile/core/property.h>
#include <gcompile/core/types.h>
#include <gcompile/program/info.h>
#include <gcompile/program/load.h>
#include <gcompile/program/vertex_values.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace gc {

/// The values of the algorithm's parameters, checked and converted to the vertices 0..n-1 of a loaded graph.
class Arguments {
public:
  // Of the library, as programs are compiled in less time so.
  Arguments();
  Arguments(const Arguments &);
  Arguments(Arguments &&) noexcept;
  Arguments &operator=(const Arguments &);
  Arguments &operator=(Arguments &&) noexcept;
  ~Arguments();

  /// Converts texts such as "17", "1e-3", "all", "1,2,3" or "@FILE". Parameters without a text take their default.
  /// Throws Error naming the parameter, or a line of the file, if a value is malformed, out of range, missing, or names
  /// no vertex.
  Arguments(const std::vector<ParameterInfo> &parameters, const std::map<std::string, std::string> &texts,
            const LoadedGraph &graph);
  /// The same but for one parameter. Throws Error as the constructor does.
  Arguments with(const ParameterInfo &parameter, const std::string &text, const LoadedGraph &graph) const;

  // Values that are no texts, unchecked; the program checks what it is given.
  void give_integer(const std::string &name, std::int64_t value);
  void give_real(const std::string &name, double value);
  void give_vertex(const std::string &name, std::uint64_t value);
  /// Ascending, each vertex once.
  void give_vertices(const std::string &name, std::vector<std::uint64_t> vertices);
  /// Of a parameter `T[g]`, one for each vertex; T is as in memory.
  template <class T> void give_values(const std::string &name, Property<T> values) {
    fresh(name).listed = std::make_shared<const Property<T>>(std::move(values));
  }
  /// The value that other arguments have.
  void take(const std::string &name, const Arguments &others);

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
  template <class V> std::vector<V> vertex_set(const char *name) const;

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
  Value &fresh(const std::string &name);

  std::map<std::string, Value> values_;
  std::uint64_t num_vertices_ = 0;
};

} // namespace gc

#endif
