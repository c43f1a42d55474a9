// What a run keeps of its rounds, so that another run can go on behind one of them.
#ifndef GCOMPILE_PROGRAM_KEPT_ROUNDS_H
#define GCOMPILE_PROGRAM_KEPT_ROUNDS_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <vector>

namespace gc {

/// Values that go to a file one after the other, or come from there in the same order.
class StateStream {
public:
  virtual ~StateStream() = default;
  virtual bool reads() const = 0;
  /// Writes or reads so many bytes.
  virtual void bytes(void *at, std::size_t count) = 0;

  template <class T> void value(T &value) {
    static_assert(std::is_trivially_destructible<T>::value, "values travel as bytes");
    bytes(static_cast<void *>(&value), sizeof value);
  }
  template <class T> void list(std::vector<T> &values) {
    std::uint64_t count = values.size();
    value(count);
    values.resize(count);
    if (count > 0)
      bytes(static_cast<void *>(values.data()), count * sizeof(T));
  }
};

/// Where a statement stood when it was kept.
struct KeptRound {
  std::int64_t done = 0; ///< rounds
  bool ended = false;    ///< it was done, not only a round of it
};

/// Keeps the states of a program between rounds. Statements have the numbers 0, 1, ... in the order of the program. All
/// processes that run the program call each function together.
class RoundKeeper {
public:
  using Pass = std::function<void(StateStream &)>; ///< passes the states of this process through a stream

  virtual ~RoundKeeper() = default;
  /// Where the statement stood that the run resumes; null: it begins from its first round.
  virtual const KeptRound *found(int statement) const = 0;
  /// Reads the states that it had then. Throws Error naming the file if they are not there, or damaged.
  virtual void restore(int statement, const Pass &pass) = 0;
  /// After how many rounds the states are written.
  virtual std::int64_t every() const = 0;
  /// Writes the states: all of them count from the end of this call on, in the place of those that the statement had
  /// before. Throws Error naming the file if they cannot be written; those before stay then.
  virtual void keep(int statement, const KeptRound &round, const Pass &pass) = 0;
};

/// That of the run; null: nothing is kept.
inline RoundKeeper *round_keeper = nullptr;

} // namespace gc

#endif
