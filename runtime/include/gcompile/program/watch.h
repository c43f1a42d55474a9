// How the caller of a shared library watches a run, and ends it.
#ifndef GCOMPILE_PROGRAM_WATCH_H
#define GCOMPILE_PROGRAM_WATCH_H

#include <chrono>

namespace gc {

/// Thrown out of a run that its caller has ended.
struct Cancelled {};

/// Somebody who is asked, some ten times a second while a program runs, whether it shall go on.
struct Watch {
  int (*ask)(void *data) = nullptr; ///< null: nobody; another result than 0 ends the run
  void *data = nullptr;
  std::chrono::steady_clock::time_point next = {}; ///< not before that
};

namespace detail {

/// That of the run which the calling thread leads; null: there is none.
Watch *&watch();
/// Asks where it is time. Throws Cancelled.
void ask(Watch &watch);

} // namespace detail

/// Between two kernels, on the thread that leads. Only programs in shared libraries look.
inline void look_up() {
#ifdef GCOMPILE_SHARED_LIBRARY
  if (Watch *watch = detail::watch())
    detail::ask(*watch);
#endif
}

} // namespace gc

#endif
