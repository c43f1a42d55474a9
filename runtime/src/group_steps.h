// What the processes of a group do together while they load a graph. Each process calls each of these functions.
#ifndef GCOMPILE_SRC_GROUP_STEPS_H
#define GCOMPILE_SRC_GROUP_STEPS_H

#include <gcompile/core/error.h>
#include <gcompile/program/process_group.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace gc::detail {

/// Bytes for each process.
class Deal {
public:
  explicit Deal(ProcessGroup &group) : group_(group), to_(static_cast<std::size_t>(group.size())) {}

  template <class T> void put(int process, const T &value) { put(process, &value, 1); }
  template <class T> void put(int process, const T *values, std::size_t count) {
    if (count > 0)
      std::memcpy(room(process, count * sizeof(T)), values, count * sizeof(T));
  }
  /// Where so many bytes go.
  char *room(int process, std::size_t bytes) { return to_[static_cast<std::size_t>(process)].add(bytes); }
  /// Those that have come, by the process that sent them.
  std::vector<Bytes> exchange() { return group_.exchange(std::exchange(to_, std::vector<Bytes>(to_.size()))); }

private:
  ProcessGroup &group_;
  std::vector<Bytes> to_;
};

/// Where stretches of ascending values begin, one for each process, so that each has about as many: by samples of all
/// processes. The first one begins below all values.
std::vector<std::int64_t> stretches(ProcessGroup &group, const std::vector<std::int64_t> &samples);
/// The stretch of a value.
int stretch_of(const std::vector<std::int64_t> &begins, std::int64_t value);

/// The different values of all processes, ascending, of which each process has some, ascending.
std::vector<std::int64_t> united(ProcessGroup &group, const std::vector<std::int64_t> &own);

/// The sums of the values of all processes, one for each place; those of this process where there is no group.
inline std::vector<std::uint64_t> sums(ProcessGroup *group, const std::vector<std::uint64_t> &own) {
  return group ? group->sums(own) : own;
}

/// A text that the process which speaks has, for all.
std::string told(ProcessGroup &group, const std::string &text);

/// Throws the Error of the first process that brings one, in all of them. `own`: what is wrong here, or "".
void agree_on_error(ProcessGroup &group, const std::string &own);
/// Runs f; where it throws an Error because of the input, in any process, all throw the first one's.
template <class F> void agreed(ProcessGroup &group, const F &f) {
  std::string wrong;
  try {
    f();
  } catch (const Error &error) {
    if (error.kind != ErrorKind::input)
      throw;
    wrong = error.what();
  }
  agree_on_error(group, wrong);
}
/// The same, or f alone where there is no group.
template <class F> void agreed(ProcessGroup *group, const F &f) {
  if (group)
    agreed(*group, f);
  else
    f();
}

} // namespace gc::detail

#endif
