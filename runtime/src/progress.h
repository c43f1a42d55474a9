// A progress line on stderr for people who wait at a terminal.
#ifndef GCOMPILE_SRC_PROGRESS_H
#define GCOMPILE_SRC_PROGRESS_H

#include <chrono>
#include <string>

namespace gc::detail {

/// Silent unless enabled, stderr is a terminal, and more than a second has passed. Used from one thread at a time.
class Progress {
public:
  explicit Progress(bool enabled);
  ~Progress() { clear(); }

  /// Says what happens now, and how much of it is done (0 to 1; negative: unknown).
  void update(const std::string &what, double fraction = -1);
  /// Removes the line.
  void clear();

private:
  using Clock = std::chrono::steady_clock;
  bool enabled_;
  bool shown_ = false;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_{};
};

} // namespace gc::detail

#endif
