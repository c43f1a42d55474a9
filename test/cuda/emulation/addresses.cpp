#include "addresses.h"

#include "simt.h"

#include <iterator>

#include <sys/mman.h>
#include <unistd.h>

namespace emulation {
namespace {

/// Of one memory: a program of the tests allocates far less.
constexpr std::size_t range_bytes = std::size_t(64) << 30;

/// A file without content.
int empty_file() {
  static const int file = memfd_create("nothing", MFD_CLOEXEC);
  return file;
}

void *map_nothing(char *at, std::size_t offset, std::size_t bytes, int fixed) {
  return mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | fixed, empty_file(),
              static_cast<off_t>(offset));
}

} // namespace

std::size_t page() {
  static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

void Addresses::reserve() {
  void *range = map_nothing(nullptr, 0, range_bytes, 0);
  if (range == MAP_FAILED)
    fail("no range of %zu bytes of addresses", range_bytes);
  begin_ = static_cast<char *>(range);
}

char *Addresses::take(std::size_t bytes) {
  if (!begin_)
    reserve();
  if (bytes > range_bytes)
    return nullptr;
  const std::size_t around = bytes + 2 * page();
  char *first = begin_;
  for (const auto &[other, its_bytes] : taken_) {
    if (first + around <= other)
      break;
    first = other + its_bytes;
  }
  if (around > static_cast<std::size_t>(begin_ + range_bytes - first))
    return nullptr;
  char *const pages = first + page();
  if (bytes > 0 && mmap(pages, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED,
                        -1, 0) == MAP_FAILED)
    return nullptr;
  taken_[first] = around;
  return pages;
}

void Addresses::give_back(char *first, std::size_t bytes) {
  if (bytes > 0 && map_nothing(first, static_cast<std::size_t>(first - begin_), bytes, MAP_FIXED) == MAP_FAILED)
    fail("%zu bytes at %p cannot be given back", bytes, static_cast<void *>(first));
  taken_.erase(first - page());
}

void Addresses::show(bool visible) {
  if (taken_.empty())
    return;
  char *const begin = taken_.begin()->first;
  const auto &[last, bytes] = *std::prev(taken_.end());
  if (mprotect(begin, static_cast<std::size_t>(last + bytes - begin), visible ? PROT_READ | PROT_WRITE : PROT_NONE) !=
      0)
    fail("the memory of a device cannot be hidden or shown");
}

} // namespace emulation
