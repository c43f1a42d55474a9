// Shared memory of blocks, and of the other blocks of a cluster; copies into it that threads wait for later.
#include "cuda_pipeline.h"
#include "device.h"
#include "engine.h"
#include "memory.h"

#include <algorithm>
#include <cstring>

namespace emulation {

SharedSlot::SharedSlot(std::size_t bytes, std::size_t alignment, bool large)
    : id_(engine().slots++), bytes_(bytes), large_(large) {
  if (alignment > 16)
    fail("shared memory aligned to %zu bytes", alignment);
}

namespace {

/// A block's storage of one declaration, filled with garbage before its first use.
void *storage(Block &block, std::size_t id, std::size_t bytes, bool large) {
  if (block.shared.size() <= id)
    block.shared.resize(id + 1);
  Piece &piece = block.shared[id];
  if (!piece.memory) {
    piece.memory = allocate_shared(bytes);
    piece.bytes = bytes;
  }
  if (piece.use != block.use) {
    piece.use = block.use;
    std::size_t &sum = large ? block.large_bytes : block.shared_bytes;
    const std::size_t limit = large ? large_shared_memory_per_block : shared_memory_per_block;
    sum += bytes;
    if (sum > limit)
      fail("a block declares %zu bytes of shared memory, and %zu are there", sum, limit);
    std::memset(piece.memory, garbage, bytes);
  }
  return piece.memory;
}

} // namespace

void *SharedSlot::address() const {
  return storage(*running("the declaration of shared memory").block, id_, bytes_, large_);
}

void *cluster_map(const void *address, unsigned rank) {
  const Engine &e = engine();
  const Block &block = *running("cluster_map").block;
  if (!e.cooperative || rank >= e.blocks_alive)
    fail("block %u is not in the cluster", rank);
  Block &other = *e.blocks[rank];
  if (!other.begun)
    fail("the shared memory of block %u is used, which has not begun", rank);
  if (other.live == 0)
    fail("the shared memory of block %u is used, which has ended", rank);
  const auto *const wanted = static_cast<const char *>(address);
  for (std::size_t id = 0; id < block.shared.size(); ++id) {
    const Piece &piece = block.shared[id];
    const auto *const first = static_cast<const char *>(piece.memory);
    if (first && piece.use == block.use && wanted >= first && wanted < first + piece.bytes)
      return static_cast<char *>(storage(other, id, piece.bytes, false)) + (wanted - first);
  }
  fail("%p is not in the shared memory of the block that names it", const_cast<void *>(address));
}

void begin_copy(void *to, const void *from, std::size_t bytes) {
  Thread &self = running("__pipeline_memcpy_async");
  const auto misaligned = [&](const void *address) { return reinterpret_cast<std::uintptr_t>(address) % bytes != 0; };
  if ((bytes != 4 && bytes != 8 && bytes != 16) || misaligned(to) || misaligned(from))
    fail("an asynchronous copy of %zu bytes from %p to %p", bytes, from, to);
  self.copies.push_back({to, from, bytes, self.groups});
}

void commit_copies() { ++running("__pipeline_commit").groups; }

void wait_for_copies(std::size_t groups) {
  Thread &self = running("__pipeline_wait_prior");
  const auto waits = [&](const Copy &copy) { return copy.group + groups < self.groups; };
  for (const Copy &copy : self.copies)
    if (waits(copy))
      std::memcpy(copy.to, copy.from, copy.bytes);
  self.copies.erase(std::remove_if(self.copies.begin(), self.copies.end(), waits), self.copies.end());
}

} // namespace emulation
