// Addresses of an emulated memory, in one range: one call hides all of it or shows it again.
#pragma once

#include <cstddef>
#include <map>

namespace emulation {

std::size_t page();

/// Whole pages, each allocation between two that nobody may touch. Where nothing is allocated, a file without content
/// is mapped: its pages cannot be touched whatever protection the range has.
class Addresses {
public:
  /// The first of `bytes` bytes that may be read and written, a multiple of a page; nullptr if there is no room.
  char *take(std::size_t bytes);
  /// Gives back what take(bytes) has returned.
  void give_back(char *first, std::size_t bytes);
  /// Lets all that is taken be read and written, or forbids that.
  void show(bool visible);

private:
  void reserve();

  char *begin_ = nullptr;               // of the range; nullptr before the first allocation
  std::map<char *, std::size_t> taken_; // with the pages around them
};

} // namespace emulation
