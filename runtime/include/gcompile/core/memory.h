// The memory that this process can still allocate.
#ifndef GCOMPILE_CORE_MEMORY_H
#define GCOMPILE_CORE_MEMORY_H

#include <cstdint>

namespace gc {

/// Bytes that this process can still allocate: the least of what the machine has available and what its control groups,
/// resource limits and limit_memory leave.
std::uint64_t available_memory();

/// Throws Error, before memory is asked for, if an array that a program declares at `where` does not fit into it.
void require_array(std::uint64_t length, std::uint64_t element_bytes, const char *where);

/// From now on this process means to keep no more than `bytes` in memory; 0: no such limit.
void limit_memory(std::uint64_t bytes);

} // namespace gc

#endif
