// Copies into shared memory that threads begin and wait for later.
#pragma once

#include <cstddef>

namespace emulation {

/// The running thread begins a copy: it is made no sooner than the thread waits for its group.
void begin_copy(void *to, const void *from, std::size_t bytes);
/// The copies since the last call are a group.
void commit_copies();
/// Makes all copies but those of the last `groups` groups.
void wait_for_copies(std::size_t groups);

} // namespace emulation

inline void __pipeline_memcpy_async(void *to, const void *from, std::size_t bytes) {
  emulation::begin_copy(to, from, bytes);
}
inline void __pipeline_commit() { emulation::commit_copies(); }
inline void __pipeline_wait_prior(std::size_t groups) { emulation::wait_for_copies(groups); }
