// Exceptions in parallel regions, which none may leave.
#ifndef GCOMPILE_SRC_THREAD_ERRORS_H
#define GCOMPILE_SRC_THREAD_ERRORS_H

#include "scan.h"
#include "text.h"

#include <exception>
#include <mutex>
#include <utility>

namespace gc::detail {

/// Keeps what the threads of a parallel region throw until the region has ended: any exception, such as that memory ran
/// out, and of the problems in a text the first by its place.
class ThreadErrors {
public:
  /// Runs f in a thread of the region.
  template <class F> void guard(const F &f) noexcept {
    try {
      f();
    } catch (ParseError &error) {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (!first_.at || error.at < first_.at)
        std::swap(first_, error);
    } catch (...) {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (!other_)
        other_ = std::current_exception();
    }
  }
  /// After the region: throws the exception, if there was one.
  void raise() const {
    if (other_)
      std::rethrow_exception(other_);
  }
  /// The same; for a problem in the text, throws Error naming the line.
  void raise(const InputFile &file) const {
    raise();
    if (first_.at)
      fail_at(file, first_.at, first_.reason);
  }

private:
  std::mutex mutex_;
  std::exception_ptr other_;
  ParseError first_{nullptr, ""};
};

} // namespace gc::detail

#endif
