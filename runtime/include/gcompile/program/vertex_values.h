// What a parameter `T[g]` of a program is given: a value for each vertex, or a rule that gives every vertex one.
#ifndef GCOMPILE_PROGRAM_VERTEX_VALUES_H
#define GCOMPILE_PROGRAM_VERTEX_VALUES_H

#include <gcompile/core/error.h>
#include <gcompile/core/graph.h>
#include <gcompile/core/operators/atomic.h>
#include <gcompile/core/property.h>
#include <gcompile/core/types.h>
#include <gcompile/program/parts.h>

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace gc {

/// Where the value of a vertex comes from: one constant for all, the vertex itself, or the number of its edges.
enum class VertexRule { constant, self, degree, out_degree, in_degree };

/// T is as in memory: std::uint8_t for `bool` (0 is false), V for `vertex`. Refers to the values that it is made from.
template <class T> class VertexValues {
public:
  /// One value for all vertices.
  VertexValues(T constant) : constant_(constant) {}
  /// values[v] for every vertex v of the graph, as in its arrays.
  VertexValues(const std::vector<T> &values) : VertexValues(values.data(), values.size()) {}
  /// The same; a result of another program, for instance.
  VertexValues(const Property<T> &values) : VertexValues(values.data(), values.size()) {}
  VertexValues(const T *values, std::size_t count) : values_(values), count_(count), listed_(true) {}
  VertexValues(VertexRule rule) : rule_(rule) {}

  /// The values on a graph. Throws Error naming the parameter if there are not as many as vertices, or if one of them
  /// is no vertex of the graph.
  template <class V, class A> Property<T> on(const Graph<V, A> &graph, const char *name) const {
    const std::uint64_t n = graph.num_vertices();
    const auto refuse = [&](const std::string &why) {
      throw Error(ErrorKind::argument, std::string(name) + ": " + why);
    };
    if (listed_ && count_ != n)
      refuse(std::to_string(count_) + " values, and the graph has " + std::to_string(n) + " vertices");
    Property<T> result(n);
    std::uint64_t unknown = 0; // one more than a value that is no vertex
    detail::for_parts(n, [&](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t v = begin; v < end; ++v) {
        T value = at(graph, static_cast<V>(v));
        if constexpr (std::is_same<T, V>::value) {
          if (value >= n && value != none<V>())
            atomic_max(unknown, std::uint64_t(value) + 1);
        }
        if constexpr (std::is_same<T, std::uint8_t>::value)
          value = value != 0;
        result[v] = value;
      }
    });
    if (unknown != 0)
      refuse("the graph has no vertex " + std::to_string(unknown - 1));
    return result;
  }

private:
  template <class V, class A> T at(const Graph<V, A> &graph, V v) const {
    if (listed_)
      return values_[v];
    switch (rule_) {
    case VertexRule::self:
      return static_cast<T>(v);
    case VertexRule::degree:
      return static_cast<T>(graph.degree(v));
    case VertexRule::out_degree:
      return static_cast<T>(graph.out_degree(v));
    case VertexRule::in_degree:
      return static_cast<T>(graph.in_degree(v));
    case VertexRule::constant:
      break;
    }
    return constant_;
  }

  const T *values_ = nullptr;
  std::size_t count_ = 0;
  bool listed_ = false;
  VertexRule rule_ = VertexRule::constant;
  T constant_ = T();
};

} // namespace gc

#endif
