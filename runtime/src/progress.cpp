#include "progress.h"

#include <cstdio>

#include <unistd.h>

namespace gc::detail {

Progress::Progress(bool enabled) : enabled_(enabled && isatty(STDERR_FILENO)) {}

void Progress::update(const std::string &what, double fraction) {
  if (!enabled_)
    return;
  const Clock::time_point now = Clock::now();
  if (now - start_ < std::chrono::seconds(1) || now - last_ < std::chrono::milliseconds(200))
    return;
  last_ = now;
  shown_ = true;
  if (fraction >= 0)
    std::fprintf(stderr, "\r\033[K%s %.0f %%", what.c_str(), fraction * 100);
  else
    std::fprintf(stderr, "\r\033[K%s", what.c_str());
  std::fflush(stderr);
}

void Progress::clear() {
  if (shown_) {
    std::fputs("\r\033[K", stderr);
    std::fflush(stderr);
  }
  shown_ = false;
}

} // namespace gc::detail
