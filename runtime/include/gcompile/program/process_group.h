// Several processes that run one program together, as its frame sees them.
#ifndef GCOMPILE_PROGRAM_PROCESS_GROUP_H
#define GCOMPILE_PROGRAM_PROCESS_GROUP_H

#include <gcompile/core/bytes.h>
#include <gcompile/core/graph.h>
#include <gcompile/core/partition.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace gc {

/// The vertices begin, ..., end - 1.
struct VertexBlock {
  std::uint64_t begin = 0, end = 0;
};

/// Over which processes messages go: straight from each to each, by way of others in a grid, or as is better for so
/// many.
enum class RouteChoice { direct, grid, automatic };

/// Whether so many processes may pass on messages of others. Among few, a hop more takes as long as some messages.
inline bool may_pass_messages(RouteChoice choice, int processes) {
  constexpr int least = 16;
  return choice == RouteChoice::grid || (choice == RouteChoice::automatic && processes >= least);
}

/// What main of a program asks about the processes that run it. One of them speaks for all: it prints, and writes the
/// files.
struct ProcessGroup {
  virtual ~ProcessGroup() = default;
  virtual int size() const = 0;
  virtual int rank() const = 0; ///< of this process, from 0 on
  virtual bool speaks() const = 0;
  /// The values of all processes, in the order of these: the same in each of them. Each process calls it.
  virtual std::vector<std::uint64_t> all(const std::vector<std::uint64_t> &own) = 0;
  /// Sends to[r] to process r. The bytes that have come, by the process that sent them. Each process calls it.
  virtual std::vector<Bytes> exchange(std::vector<Bytes> to) = 0;
  /// The sums of the values of all processes, one for each place. Each process calls it.
  std::vector<std::uint64_t> sums(const std::vector<std::uint64_t> &own) {
    const std::vector<std::uint64_t> values = all(own);
    std::vector<std::uint64_t> sums(own.size(), 0);
    for (std::size_t i = 0; i < values.size(); ++i)
      sums[i % own.size()] += values[i];
    return sums;
  }
  /// The greatest of the values of all processes. Each process calls it.
  std::uint64_t greatest(std::uint64_t own) {
    const std::vector<std::uint64_t> values = all({own});
    return *std::max_element(values.begin(), values.end());
  }
  /// The vertices of a graph that this process owns: it keeps the arcs at them. Looks at the offsets only.
  virtual VertexBlock block(const Graph<std::uint32_t> &graph) const = 0;
  virtual VertexBlock block(const Graph<std::uint64_t> &graph) const = 0;
  /// From now on process r owns the vertices begins[r], ..., begins[r + 1] - 1 of the graph. With an empty list, as
  /// before: blocks with about as many arcs each. Each process calls it with the same list.
  virtual void divide(std::vector<std::uint64_t> begins) = 0;
  /// From now on processes stand so, and divide the arcs at a vertex where several are in a row. Each process calls it.
  virtual void stand(const Grid &grid) = 0;
  virtual Grid grid() const = 0;
  /// Before the program is made: how its messages go. Each process calls it with the same choice.
  virtual void choose_routes(RouteChoice choice) = 0;
  /// How they go, once the program is made, in words.
  virtual std::string routes() const = 0;
  /// From now on the run ends, with a message, where a process is waited for longer than so many seconds. Each process
  /// calls it.
  virtual void limit_waiting(int seconds) = 0;
  /// Waits, for however long it takes, for what only the process that speaks does. Each process calls it.
  virtual void wait_for_speaker() = 0;
  /// Each process calls it last, with its exit status and its error; both as they are where all went well: 0 and "".
  /// Sees to it that one error is printed, and returns the status that all end with.
  virtual int end(int status, const std::string &error) = 0;
};

/// Thrown in a process where another one has failed, which has said why.
struct EndedElsewhere {
  int status; ///< that all end with
};

} // namespace gc

#endif
