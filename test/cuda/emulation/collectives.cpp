// Barriers of blocks and clusters, and what the lanes of a warp do together.
#include "engine.h"

#include <functional>
#include <string>

namespace emulation {

const char *name(Collective kind) {
  switch (kind) {
  case Collective::none:
    return "nothing";
  case Collective::syncthreads:
    return "__syncthreads";
  case Collective::syncthreads_or:
    return "__syncthreads_or";
  case Collective::syncthreads_and:
    return "__syncthreads_and";
  case Collective::syncthreads_count:
    return "__syncthreads_count";
  case Collective::cluster:
    return "the barrier of a cluster";
  case Collective::syncwarp:
    return "__syncwarp";
  case Collective::shuffle:
    return "a shuffle";
  case Collective::ballot:
    return "__ballot_sync";
  case Collective::any:
    return "__any_sync";
  case Collective::all:
    return "__all_sync";
  case Collective::match_any:
    return "__match_any_sync";
  case Collective::activemask:
    return "__activemask";
  }
  return "?";
}

namespace {

void release(Thread &thread, std::uint64_t result) {
  thread.result = result;
  thread.waiting = Collective::none;
  make_runnable(thread);
}

/// Ends the barrier of the cluster if the threads of all its blocks have come.
void complete_cluster() {
  Engine &e = engine();
  bool any = false;
  for (std::size_t b = 0; b < e.blocks_alive; ++b)
    for (const Thread &thread : e.blocks[b]->threads) {
      if (!thread.done && thread.waiting != Collective::cluster)
        return;
      any = any || !thread.done;
    }
  if (!any)
    return;
  progress();
  for (std::size_t b = 0; b < e.blocks_alive; ++b) {
    e.blocks[b]->arrived = 0;
    for (Thread &thread : e.blocks[b]->threads)
      if (!thread.done)
        release(thread, 0);
  }
}

/// Ends the barrier if all of the block's threads have come.
void complete_barrier(Block &block) {
  if (block.live == 0 || block.arrived < block.live)
    return;
  progress();
  Collective kind = Collective::none;
  std::uint64_t count = 0;
  for (const Thread &thread : block.threads) {
    if (thread.done)
      continue;
    if (kind != Collective::none && kind != thread.waiting)
      fail("the threads of block (%u, %u, %u) meet in different barriers: %s and %s", block.index.x, block.index.y,
           block.index.z, name(kind), name(thread.waiting));
    kind = thread.waiting;
    count += thread.value;
  }
  if (kind == Collective::cluster)
    return complete_cluster();
  std::uint64_t result = count;
  if (kind == Collective::syncthreads_or)
    result = count != 0;
  else if (kind == Collective::syncthreads_and)
    result = count == block.live;
  block.arrived = 0;
  for (Thread &thread : block.threads)
    if (!thread.done)
      release(thread, result);
}

/// What the lanes of a complete collective get: `first` is the first thread of their warp.
void release_lanes(Thread *first, Collective kind, std::uint32_t lanes) {
  const auto each = [&](auto action) {
    for (std::uint32_t left = lanes; left != 0; left &= left - 1)
      action(first[__builtin_ctz(left)]);
  };
  std::uint64_t votes = 0; // of all lanes alike
  if (kind == Collective::ballot || kind == Collective::any || kind == Collective::all)
    each([&](const Thread &thread) { votes |= std::uint64_t(thread.value != 0) << thread.lane(); });
  each([&](Thread &thread) {
    std::uint64_t result = votes;
    if (kind == Collective::shuffle) { // from a lane that takes no part: undefined
      const bool takes_part = thread.source < warp_threads && (lanes >> thread.source & 1);
      result = takes_part ? first[thread.source].value : 0xA5A5A5A5A5A5A5A5u;
    } else if (kind == Collective::match_any) {
      each([&](const Thread &other) { result |= std::uint64_t(other.value == thread.value) << other.lane(); });
    }
    release(thread, result);
  });
}

/// Ends the collective that the lanes of `mask` wait in, if all of them that still run have come.
void complete_collective(Block &block, unsigned warp, Collective kind, std::uint32_t mask) {
  const unsigned first = warp * warp_threads;
  std::uint32_t lanes = 0;
  for (unsigned lane = 0; lane < warp_threads && first + lane < block.threads.size(); ++lane) {
    const Thread &thread = block.threads[first + lane];
    if (!(mask >> lane & 1) || thread.done)
      continue;
    if (thread.waiting != kind || thread.mask != mask)
      return;
    lanes |= 1u << lane;
  }
  progress();
  release_lanes(&block.threads[first], kind, lanes);
}

} // namespace

void leave(Thread &thread) {
  Block &block = *thread.block;
  thread.done = true;
  --block.live;
  progress();
  if (block.arrived > 0)
    complete_barrier(block);
  else if (block.live == 0 && engine().cooperative)
    complete_cluster();
  const unsigned warp = thread.number / warp_threads;
  for (unsigned number = warp * warp_threads; number < (warp + 1) * warp_threads && number < block.threads.size();
       ++number) {
    const Thread &other = block.threads[number];
    if (other.waiting > Collective::cluster && other.waiting != Collective::activemask &&
        (other.mask >> thread.lane() & 1))
      complete_collective(block, warp, other.waiting, other.mask);
  }
}

void complete_active_mask(Thread &taken) {
  Block &block = *taken.block;
  const unsigned first = taken.number - taken.lane();
  std::uint32_t mask = 0;
  const auto each = [&](auto action) {
    for (unsigned lane = 0; lane < warp_threads && first + lane < block.threads.size(); ++lane) {
      Thread &thread = block.threads[first + lane];
      if (thread.waiting == Collective::activemask && thread.value == taken.value && &thread != &taken)
        action(thread);
    }
  };
  each([&](const Thread &thread) { mask |= 1u << thread.lane(); });
  mask |= 1u << taken.lane();
  each([&](Thread &thread) {
    thread.result = mask;
    thread.waiting = Collective::none;
  });
  taken.result = mask;
  taken.waiting = Collective::none;
}

int barrier(Collective kind, int predicate) {
  Thread &self = running(name(kind));
  self.waiting = kind;
  self.value = predicate != 0;
  ++self.block->arrived;
  complete_barrier(*self.block);
  park();
  return static_cast<int>(self.result);
}

void cluster_barrier() {
  if (!engine().cooperative)
    fail("the barrier of a cluster is called in a launch without one");
  barrier(Collective::cluster, 0);
}

std::uint64_t collective(Collective kind, std::uint32_t mask, std::uint64_t value, unsigned source) {
  Thread &self = running(name(kind));
  if (!(mask >> self.lane() & 1))
    fail("lane %u calls %s with the mask %#x, which it is not in", self.lane(), name(kind), mask);
  self.waiting = kind;
  self.mask = mask;
  self.value = value;
  self.source = source;
  complete_collective(*self.block, self.number / warp_threads, kind, mask);
  park();
  return self.result;
}

std::uint32_t active_mask(const char *file, int line) {
  Thread &self = running("__activemask");
  self.value = std::hash<std::string>()(file) * 31 + static_cast<std::uint64_t>(line);
  self.waiting = Collective::activemask;
  make_runnable(self);
  park();
  return static_cast<std::uint32_t>(self.result);
}

unsigned lane() { return running("a warp collective").lane(); }

unsigned checked_width(int width) {
  if (width < 1 || width > warpSize || (width & (width - 1)) != 0)
    fail("a shuffle of width %d, which is no power of two up to %d", width, warpSize);
  return static_cast<unsigned>(width);
}

} // namespace emulation
