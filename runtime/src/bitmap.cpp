// Scans of bitmaps and byte maps, for each width of ids.
#include <gcompile/omp/frontier/byte_map_scans.h>
#include <gcompile/omp/sets/bitmap_scans.h>

#include <cstddef>
#include <cstdint>

namespace gc {

template std::size_t Bitmap::list(std::uint32_t *list) const;
template std::size_t Bitmap::list(std::uint64_t *list) const;

} // namespace gc
