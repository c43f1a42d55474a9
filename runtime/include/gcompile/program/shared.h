// What a program compiled to a shared library offers to C: handles, whose functions return codes and never throw.
#ifndef GCOMPILE_PROGRAM_SHARED_H
#define GCOMPILE_PROGRAM_SHARED_H

#include <gcompile/program/arguments.h>
#include <gcompile/program/arrays.h>
#include <gcompile/program/info.h>
#include <gcompile/program/load.h>
#include <gcompile/program/main.h>
#include <gcompile/program/watch.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace gc::shared {

/// What a function returns; the generated header has a constant for each.
enum Status : int { ok, input, argument, resource, runtime, cancelled, internal };

/// The message of the last failure, and the way to it.
class Handle {
public:
  /// Of the last function that failed; "" before. Until the next one fails.
  const char *message() const noexcept { return text_; }

protected:
  /// Runs an operation; what it throws becomes a code and the message.
  template <class Operation> int guard(Operation &&operation) noexcept {
    try {
      operation();
      return ok;
    } catch (...) {
      return failed();
    }
  }

private:
  int failed() noexcept;
  int keep(int status, const char *message) noexcept;

  std::string message_;
  const char *text_ = "";
};

/// A graph, and what the program needs of it. Once it is filled, several programs may use it, on several threads.
class GraphHandle : public Handle {
public:
  GraphHandle(ProgramInfo info, int vertex_bits);

  const ProgramInfo &info() const { return info_; }
  /// Null until one of the functions below has succeeded. Each call replaces the graph; programs keep the one that they
  /// were made with.
  const std::shared_ptr<const LoadedGraph> &graph() const { return graph_; }

  /// A file or generator; `options` are those of a command line, ended by a null pointer; may be null.
  int load(const char *name, const char *const *options) noexcept;
  template <class V> int refer(const Graph<V> &arrays) noexcept {
    return guard([&] { take(refer_to(arrays, options_)); });
  }
  /// The graph in the arrays that bring() gives, with what owns them.
  template <class Bring> int refer_to_copy(const Bring &bring) noexcept {
    return guard([&] {
      const auto copied = bring();
      take(refer_to(copied.first, options_), copied.second);
    });
  }
  template <class V> int build(const EdgeList<V> &edges) noexcept {
    return guard([&] { take(build_of(edges, options_)); });
  }

  /// Says that the graph has more vertices than their type can number.
  int refuse_size(std::uint64_t vertices) noexcept;

  /// The vertex that the input calls so.
  int find(const char *name, std::uint64_t *vertex) noexcept;
  /// Writes the input's name of a vertex, and a zero byte, into `size` bytes, as far as they go; `length` (may be
  /// null): how long the name is.
  int name_of(std::uint64_t vertex, char *buffer, std::size_t size, std::size_t *length) noexcept;
  /// Writes the graph in the binary format.
  int save(const char *path) noexcept;

private:
  /// `owner`: of the arrays that the graph points to; null: the caller.
  void take(LoadedGraph &&graph, std::shared_ptr<const void> owner = nullptr);
  const LoadedGraph &filled() const;

  ProgramInfo info_;
  LoadOptions options_;
  std::shared_ptr<const LoadedGraph> graph_;
  std::mutex mutex_; // a search for a name builds an index
};

/// The program bound to a graph and to arguments, with the results of its last run.
class ProgramHandle : public Handle {
public:
  using Make = std::unique_ptr<detail::Instance> (*)(const LoadedGraph &, const Arguments &);

  ProgramHandle(GraphHandle &graph, Make make);

  /// Gives a parameter the value that a text of the command line stands for; null: its default value.
  int set_text(const char *name, const char *text) noexcept;
  // Values of the parameter at `index`.
  int set_integer(std::size_t index, std::int64_t value) noexcept;
  int set_real(std::size_t index, double value) noexcept;
  template <class V> int set_vertex(std::size_t index, V value) noexcept {
    return give(index, [&](const std::string &name) {
      arguments_.give_vertex(name, value == none<V>() ? none<std::uint64_t>() : value);
    });
  }
  template <class V> int set_vertices(std::size_t index, const V *vertices, std::uint64_t count) noexcept {
    return give(index, [&](const std::string &name) {
      require_values(index, vertices, count);
      arguments_.give_vertices(name, sorted(index, std::vector<std::uint64_t>(vertices, vertices + count)));
    });
  }
  /// One value for each vertex, or a single one for all; T is as in memory. They are copied.
  template <class T> int set_values(std::size_t index, const T *values, std::uint64_t count) noexcept {
    return give(index, [&](const std::string &name) {
      require_values(index, values, count);
      const std::uint64_t n = vertices_for(index, count);
      Property<T> all(n);
      if (count == 1)
        std::fill(all.begin(), all.end(), values[0]);
      else
        std::copy(values, values + n, all.begin());
      arguments_.give_values(name, std::move(all));
    });
  }

  /// Values of the parameters from `index` on, which are the members of a struct for each vertex, or of one for all.
  template <class Struct, class... T>
  int set_parts(std::size_t index, const Struct *values, std::uint64_t count, T Struct::*...members) noexcept {
    return guard([&] {
      require_values(index, values, count);
      const std::uint64_t n = vertices_for(index, count);
      auto columns = std::make_tuple(column_of(values, count, n, members)...); // nothing is given until all are made
      std::apply([&](auto &...column) { (give_column(index++, std::move(column)), ...); }, columns);
    });
  }

  /// The threads of the runs to come; 0: as many as OpenMP is told to use.
  int use_threads(int count) noexcept;
  /// `ask(data)` is called while a run goes on, on the thread that called; the run ends if it returns another value
  /// than 0. Null: nobody asks.
  int watch(int (*ask)(void *data), void *data) noexcept;
  int run() noexcept;

  /// The values of the output at `index`, which stay until the next run.
  int result(std::size_t index, const void **values, std::uint64_t *count) noexcept;
  template <class T> int values(std::size_t index, const T **values, std::uint64_t *count) noexcept {
    const void *found = nullptr;
    const int status = result(index, &found, count);
    if (status == ok && values)
      *values = static_cast<const T *>(found);
    return status;
  }
  /// Where the values are on the GPU that computed them.
  int result_on_device(std::size_t index, const void **values, std::uint64_t *count) noexcept;
  template <class T> int device_values(std::size_t index, const T **values, std::uint64_t *count) noexcept {
    const void *found = nullptr;
    const int status = result_on_device(index, &found, count);
    if (status == ok && values)
      *values = static_cast<const T *>(found);
    return status;
  }
  /// Where the k-th elements of an output of tuples are there, `stride` bytes from one to the next.
  int elements_on_device(std::size_t index, std::size_t k, const void **values, std::uint64_t *count,
                         std::uint64_t *stride) noexcept;
  template <class T>
  int device_element_values(std::size_t index, std::size_t k, const T **values, std::uint64_t *count,
                            std::uint64_t *stride) noexcept {
    const void *found = nullptr;
    const int status = elements_on_device(index, k, &found, count, stride);
    if (status == ok && values)
      *values = static_cast<const T *>(found);
    return status;
  }
  template <class T> int scalar(std::size_t index, T *value) noexcept {
    const void *found = nullptr;
    const int status = result(index, &found, nullptr);
    if (status == ok && value)
      *value = *static_cast<const T *>(found);
    return status;
  }
  /// The k-th element of each value of an output of tuples: a copy, which stays until the next run.
  int elements(std::size_t index, std::size_t k, const void **values, std::uint64_t *count) noexcept;
  template <class T>
  int element_values(std::size_t index, std::size_t k, const T **values, std::uint64_t *count) noexcept {
    const void *found = nullptr;
    const int status = elements(index, k, &found, count);
    if (status == ok && values)
      *values = static_cast<const T *>(found);
    return status;
  }
  template <class T> int element(std::size_t index, std::size_t k, T *value) noexcept {
    const void *found = nullptr;
    const int status = elements(index, k, &found, nullptr);
    if (status == ok && value)
      *value = *static_cast<const T *>(found);
    return status;
  }

private:
  template <class Give> int give(std::size_t index, const Give &give) noexcept {
    return guard([&] {
      give(info_.parameters[index].name);
      note(index);
    });
  }
  void note(std::size_t index);
  template <class Struct, class T>
  static Property<T> column_of(const Struct *values, std::uint64_t count, std::uint64_t n, T Struct::*member) {
    Property<T> column(n);
    for (std::uint64_t v = 0; v < n; ++v)
      column[v] = values[count == 1 ? 0 : v].*member;
    return column;
  }
  template <class T> void give_column(std::size_t index, Property<T> column) {
    arguments_.give_values(info_.parameters[index].name, std::move(column));
    note(index);
  }
  [[noreturn]] void refuse(std::size_t index, const std::string &why) const;
  void require_values(std::size_t index, const void *values, std::uint64_t count) const;
  std::uint64_t vertices_for(std::size_t index, std::uint64_t count) const;
  std::vector<std::uint64_t> sorted(std::size_t index, std::vector<std::uint64_t> vertices) const;
  const detail::OutputView &view_of(std::size_t index) const;
  const detail::OutputView &fetched_view_of(std::size_t index);
  void run_watched();

  const ProgramInfo info_;
  const std::shared_ptr<const LoadedGraph> graph_;
  const Make make_;
  Arguments arguments_;
  std::vector<char> given_; // of each parameter, whether it has a value
  bool changed_ = false;    // the arguments, since the program took them
  int threads_ = 0;
  Watch watch_;
  std::unique_ptr<detail::Instance> instance_;
  std::vector<detail::OutputView> views_;                                                          // of the last run
  std::vector<std::pair<std::pair<std::size_t, std::size_t>, std::vector<unsigned char>>> copies_; // of tuples
};

/// The program on a graph whose vertices have the type V.
template <template <class> class Algorithm, class V>
std::unique_ptr<detail::Instance> make(const LoadedGraph &graph, const Arguments &arguments) {
  return std::make_unique<detail::InstanceOf<Algorithm<V>>>(graph.view<V>(), arguments);
}

/// The first failure of several calls; ok where there is none.
inline int first_failure(std::initializer_list<int> statuses) {
  const auto failure = std::find_if(statuses.begin(), statuses.end(), [](int status) { return status != ok; });
  return failure == statuses.end() ? static_cast<int>(ok) : *failure;
}

/// A new handle; null where memory is short.
template <class T, class... Args> T *make_handle(Args &&...args) noexcept {
  try {
    return new T(std::forward<Args>(args)...);
  } catch (...) {
    return nullptr;
  }
}

} // namespace gc::shared

#endif
