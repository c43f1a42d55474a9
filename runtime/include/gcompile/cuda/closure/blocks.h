// In which order the blocks of a closure's steps are made on a GPU.
#ifndef GCOMPILE_CUDA_CLOSURE_BLOCKS_H
#define GCOMPILE_CUDA_CLOSURE_BLOCKS_H

#include <gcompile/cuda/device/two_streams.h>

namespace gc {
namespace cuda {
namespace detail {

/// Starts the kernels of all blocks; each function starts some in the stream that it is given.
/// prepare(stream, b): the steps of the block before at what the rows and the columns of block b hold, and the panels
/// where these meet. sides(stream, b): the panels of block b, once that is done. others(stream, b): its steps at all
/// elements in no row or column of block b or the next one.
///
/// The panels of a block are made while the others still take the steps of the block before, so that panels of two
/// blocks are in use at a time.
template <class Prepare, class Sides, class Others>
void make_blocks(unsigned blocks, const Prepare &prepare, const Sides &sides, const Others &others) {
  MarkedStream &ahead = TwoStreams::get().ahead, &rest = TwoStreams::get().rest;
  for (unsigned b = 0; b < blocks; ++b) {
    if (b == 0)
      prepare(ahead.get(), b);
    sides(ahead.get(), b);
    rest.wait_for(ahead.mark());
    if (b + 1 < blocks) {
      ahead.wait_for(rest); // all elements have the steps of block b - 1, and nobody reads its panels any more
      prepare(ahead.get(), b + 1);
    }
    others(rest.get(), b);
    rest.mark();
  }
  check(cudaGetLastError(), "cannot start a kernel");
}

} // namespace detail
} // namespace cuda
} // namespace gc

#endif
