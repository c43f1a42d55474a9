// Memory that an emulated block shares.
#pragma once

#include <cstddef>

namespace emulation {

/// What memory holds that nobody wrote.
inline constexpr unsigned char garbage = 0xA5;

/// Memory with forbidden pages around it, aligned to 16 bytes; never freed.
void *allocate_shared(std::size_t bytes);

} // namespace emulation
