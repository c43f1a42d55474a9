// Sizes of memory on a command line.
#ifndef GCOMPILE_TOOL_SUPPORT_MEMORY_SIZE_H
#define GCOMPILE_TOOL_SUPPORT_MEMORY_SIZE_H

#include <cstdint>
#include <string>

namespace gc::detail {

/// The bytes of "2GiB", "512MiB", "64KiB" or "1000000". Throws Error (argument) naming the option for any other text.
std::uint64_t memory_size(const std::string &option, const std::string &text);

} // namespace gc::detail

#endif
