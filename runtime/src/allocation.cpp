// The memory of arrays.
#include <gcompile/core/property.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <limits>

#include <sys/mman.h>

namespace gc::detail {

namespace {

std::size_t checked_product(std::size_t count, std::size_t size) {
  if (count > std::numeric_limits<std::size_t>::max() / 2 / size)
    fail_allocation(std::numeric_limits<std::size_t>::max());
  return count * size;
}

void *map(std::size_t bytes, int flags) {
  void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
  if (memory == MAP_FAILED)
    fail_allocation(bytes);
  return memory;
}

} // namespace

void *allocate(std::size_t count, std::size_t size) {
  const std::size_t bytes = checked_product(count, size);
  if (bytes == 0)
    return nullptr;
  if (bytes >= big_allocation) {
    void *memory = map(bytes, 0);
    madvise(memory, bytes, MADV_HUGEPAGE);
    return memory;
  }
  void *memory = std::aligned_alloc(64, (bytes + 63) / 64 * 64);
  if (!memory)
    fail_allocation(bytes);
  return memory;
}

void *allocate_zeros(std::size_t count, std::size_t size) {
  const std::size_t bytes = checked_product(count, size);
  if (bytes >= big_allocation)
    return map(bytes, MAP_NORESERVE);
  void *memory = allocate(count, size);
  if (bytes > 0)
    std::memset(memory, 0, bytes);
  return memory;
}

void release(void *memory, std::size_t bytes) {
  if (bytes >= big_allocation)
    munmap(memory, bytes);
  else
    std::free(memory);
}

} // namespace gc::detail
