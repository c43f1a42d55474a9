// Work beside other work.
#ifndef GCOMPILE_SRC_BESIDE_H
#define GCOMPILE_SRC_BESIDE_H

#include <thread>

namespace gc::detail {

/// Runs a function on a thread of its own until join(), or until the object goes.
class Beside {
public:
  /// `work` throws nothing; null: there is none.
  explicit Beside(void (*work)()) {
    if (work)
      thread_ = std::thread(work);
  }
  Beside(const Beside &) = delete;
  Beside &operator=(const Beside &) = delete;
  ~Beside() { join(); }
  void join() {
    if (thread_.joinable())
      thread_.join();
  }

private:
  std::thread thread_;
};

} // namespace gc::detail

#endif
