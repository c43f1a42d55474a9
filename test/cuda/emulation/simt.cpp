#include "simt.h"

#include "device.h"
#include "memory.h"

#include <boost/context/fiber.hpp>
#include <boost/context/protected_fixedsize_stack.hpp>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace emulation {
namespace {

using boost::context::fiber;

constexpr std::size_t stack_bytes = 128 * 1024;
constexpr unsigned warp_threads = 32;
/// One memory point in this many lets other threads run.
constexpr std::uint32_t yield_rarity = 32;
/// So many turns of threads that only yield, while nothing changes, mean that they spin for ever.
constexpr std::uint64_t idle_turns_limit = 1'000'000;

/// xorshift64*: G. Marsaglia, "Xorshift RNGs", 2003, with the multiplier of S. Vigna.
class Random {
public:
  Random() {
    const char *value = std::getenv("GCOMPILE_EMULATION_SEED");
    seed(value ? std::strtoull(value, nullptr, 10) : 1);
  }
  void seed(std::uint64_t value) { state_ = (value + 1) * 0x9E3779B97F4A7C15u | 1; }
  std::uint32_t below(std::uint32_t bound) {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    const std::uint64_t high = (state_ * 0x2545F4914F6CDD1Du) >> 32;
    return static_cast<std::uint32_t>(high * bound >> 32);
  }

private:
  std::uint64_t state_ = 0;
};

struct Block;

struct Thread {
  Block *block = nullptr;
  unsigned number = 0; // in its block
  bool done = false;
  Collective waiting = Collective::none;
  std::uint32_t mask = 0;
  unsigned source = 0;
  std::uint64_t value = 0;
  std::uint64_t result = 0;
  fiber stack; // where it goes on; empty before it begins and while it runs

  unsigned lane() const { return number % warp_threads; }
};

/// Shared memory of one declaration in one block.
struct Piece {
  void *memory = nullptr; // kept for the next block
  std::size_t bytes = 0;
  std::uint64_t use = 0; // of which block
};

struct Block {
  uint3 index{};
  std::vector<Thread> threads;
  unsigned live = 0;    // threads that have not left the kernel
  unsigned arrived = 0; // threads that wait in a barrier
  bool begun = false;   // a thread has run
  std::vector<Piece> shared;
  std::uint64_t use = 0;
  std::size_t shared_bytes = 0;
};

struct Engine {
  Random random;
  const std::function<void()> *body = nullptr;
  std::vector<std::unique_ptr<Block>> blocks; // kept for the next launch
  std::size_t blocks_alive = 0;               // the first of them run
  std::vector<Thread *> runnable;
  std::vector<fiber> idle; // wait for a thread to run
  fiber scheduler;         // where the running thread's fiber returns to
  Thread *running = nullptr;
  Thread *parked = nullptr; // the thread that returned to the scheduler, unless it ended
  Thread *next = nullptr;   // taken from `runnable`, but needs another fiber than the one that took it
  bool trapped = false;
  std::vector<fiber> dead; // fibers of a launch that was ended: never unwound
  std::uint64_t idle_turns = 0;
  std::uint64_t uses = 0; // of blocks
  std::size_t slots = 0;  // declarations of shared memory
  bool cooperative = false;
};

Engine &engine() {
  static auto *instance = new Engine; // lives until the process ends: its fibers must not be unwound
  return *instance;
}

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

bool of_block(Collective kind) { return kind >= Collective::syncthreads && kind <= Collective::cluster; }

Thread &running(const char *what) {
  Thread *thread = engine().running;
  if (!thread)
    fail("%s is called outside of a kernel", what);
  return *thread;
}

/// Makes `thread` the one whose indices kernels see.
void activate(Thread &thread) {
  engine().running = &thread;
  thread.block->begun = true;
  blockIdx = thread.block->index;
  threadIdx.x = thread.number % blockDim.x;
  threadIdx.y = thread.number / blockDim.x % blockDim.y;
  threadIdx.z = thread.number / (blockDim.x * blockDim.y);
}

void make_runnable(Thread &thread) { engine().runnable.push_back(&thread); }

Thread *take() {
  auto &runnable = engine().runnable;
  if (runnable.empty())
    return nullptr;
  Thread *&place = runnable[engine().random.below(static_cast<std::uint32_t>(runnable.size()))];
  Thread *thread = place;
  place = runnable.back();
  runnable.pop_back();
  return thread;
}

/// Leaves the running thread until the scheduler takes it again.
void park() {
  Engine &e = engine();
  e.parked = e.running;
  e.scheduler = std::move(e.scheduler).resume();
}

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

std::uint64_t warp_result(Collective kind, const Thread &self, const std::vector<Thread *> &group) {
  std::uint64_t result = 0;
  if (kind == Collective::shuffle)
    result = 0xA5A5A5A5A5A5A5A5u; // from a lane that takes no part: undefined
  for (const Thread *thread : group) {
    if (kind == Collective::shuffle && thread->lane() == self.source)
      return thread->value;
    const bool votes = kind == Collective::match_any ? thread->value == self.value : thread->value != 0;
    if (kind != Collective::shuffle && kind != Collective::syncwarp && votes)
      result |= std::uint64_t(1) << thread->lane();
  }
  return result;
}

/// Ends the collective that the lanes of `mask` wait in, if all of them that still run have come.
void complete_collective(Block &block, unsigned warp, Collective kind, std::uint32_t mask) {
  static std::vector<Thread *> group;
  group.clear();
  const unsigned first = warp * warp_threads;
  for (unsigned lane = 0; lane < warp_threads && first + lane < block.threads.size(); ++lane) {
    Thread &thread = block.threads[first + lane];
    if (!(mask >> lane & 1) || thread.done)
      continue;
    if (thread.waiting != kind || thread.mask != mask)
      return;
    group.push_back(&thread);
  }
  progress();
  for (Thread *thread : group)
    thread->result = warp_result(kind, *thread, group);
  for (Thread *thread : group)
    release(*thread, thread->result);
}

/// The running thread leaves the kernel: others may have waited for that.
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

/// Runs threads one after another, until one comes that began in another fiber.
fiber work(fiber &&scheduler) {
  Engine &e = engine();
  e.scheduler = std::move(scheduler);
  for (;;) {
    for (Thread *thread = e.running; thread;) {
      (*e.body)();
      leave(*e.running);
      thread = take();
      if (thread && thread->stack) {
        e.next = thread;
        thread = nullptr;
      }
      if (thread)
        activate(*thread);
    }
    e.parked = nullptr;
    e.scheduler = std::move(e.scheduler).resume();
  }
}

[[noreturn]] void report_deadlock() {
  std::string text;
  int lines = 0;
  const Engine &e = engine();
  for (std::size_t b = 0; b < e.blocks_alive; ++b) {
    const Block &block = *e.blocks[b];
    for (unsigned first = 0; first < block.threads.size(); first += warp_threads) {
      // One line for each group of lanes that wait alike.
      std::uint32_t told = 0;
      for (unsigned lane = 0; lane < warp_threads && first + lane < block.threads.size(); ++lane) {
        const Thread &thread = block.threads[first + lane];
        if (thread.done || (told >> lane & 1) || ++lines > 16)
          continue;
        std::uint32_t lanes = 0;
        for (unsigned other = lane; other < warp_threads && first + other < block.threads.size(); ++other) {
          const Thread &like = block.threads[first + other];
          if (!like.done && like.waiting == thread.waiting && like.mask == thread.mask)
            lanes |= 1u << other;
        }
        told |= lanes;
        char line[200];
        int used =
            std::snprintf(line, sizeof line, "\n  block (%u, %u, %u), warp %u: lanes %#x wait in %s", block.index.x,
                          block.index.y, block.index.z, first / warp_threads, lanes, name(thread.waiting));
        if (!of_block(thread.waiting))
          std::snprintf(line + used, sizeof line - static_cast<std::size_t>(used), " with mask %#x", thread.mask);
        text += line;
      }
    }
  }
  fail("deadlock: no thread can go on%s%s", text.c_str(), lines > 16 ? "\n  ..." : "");
}

/// Lanes of a warp that are at the same __activemask when one of them goes on have met there.
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

/// Drops all threads of the launch.
void abandon(fiber &&running) {
  Engine &e = engine();
  e.dead.push_back(std::move(running));
  for (std::size_t b = 0; b < e.blocks_alive; ++b)
    for (Thread &thread : e.blocks[b]->threads)
      if (thread.stack)
        e.dead.push_back(std::move(thread.stack));
  e.runnable.clear();
  e.next = nullptr;
  e.running = nullptr;
}

/// Runs the threads of all living blocks to their end.
void run_blocks() {
  Engine &e = engine();
  e.idle_turns = 0;
  for (;;) {
    Thread *thread = e.next ? std::exchange(e.next, nullptr) : take();
    if (!thread)
      break;
    if (thread->waiting == Collective::activemask)
      complete_active_mask(*thread);
    if (!thread->stack) {
      if (e.idle.empty()) {
        e.idle.emplace_back(std::allocator_arg, boost::context::protected_fixedsize_stack(stack_bytes), work);
      }
      thread->stack = std::move(e.idle.back());
      e.idle.pop_back();
    }
    activate(*thread);
    fiber left = std::move(thread->stack).resume();
    if (e.trapped) {
      abandon(std::move(left));
      return;
    }
    if (e.parked)
      e.parked->stack = std::move(left);
    else
      e.idle.push_back(std::move(left));
  }
  e.running = nullptr;
  for (std::size_t b = 0; b < e.blocks_alive; ++b)
    if (e.blocks[b]->live != 0)
      report_deadlock();
}

void start_block(std::size_t place, dim3 grid, std::uint64_t number) {
  Engine &e = engine();
  while (e.blocks.size() <= place)
    e.blocks.push_back(std::make_unique<Block>());
  Block &block = *e.blocks[place];
  block.index.x = static_cast<unsigned>(number % grid.x);
  block.index.y = static_cast<unsigned>(number / grid.x % grid.y);
  block.index.z = static_cast<unsigned>(number / grid.x / grid.y);
  const unsigned count = blockDim.x * blockDim.y * blockDim.z;
  block.threads.clear();
  block.threads.resize(count);
  block.live = count;
  block.arrived = 0;
  block.begun = false;
  block.use = ++e.uses;
  block.shared_bytes = 0;
  for (unsigned t = 0; t < count; ++t) {
    block.threads[t].block = &block;
    block.threads[t].number = t;
    make_runnable(block.threads[t]);
  }
}

} // namespace

bool run_grid(bool cooperative, dim3 grid, dim3 block, const std::function<void()> &body) {
  Engine &e = engine();
  e.body = &body;
  gridDim = grid;
  blockDim = block;
  const std::uint64_t count = std::uint64_t(grid.x) * grid.y * grid.z;
  e.cooperative = cooperative;
  if (cooperative) {
    e.blocks_alive = count;
    for (std::uint64_t b = 0; b < count; ++b)
      start_block(b, grid, b);
    run_blocks();
    return !e.trapped;
  }
  std::vector<std::uint64_t> order(count);
  e.blocks_alive = 1;
  for (std::uint64_t b = 0; b < count; ++b) {
    const std::uint64_t other = e.random.below(static_cast<std::uint32_t>(b + 1));
    order[b] = order[other];
    order[other] = b;
  }
  for (const std::uint64_t b : order) {
    start_block(0, grid, b);
    run_blocks();
    if (e.trapped)
      return false;
  }
  return true;
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

bool in_kernel() { return engine().running != nullptr; }

void yield() {
  Engine &e = engine();
  if (!in_kernel())
    return;
  if (++e.idle_turns > idle_turns_limit)
    fail("deadlock: threads spin for what no other thread will write");
  make_runnable(running("__nanosleep"));
  park();
}

void memory_point() {
  Engine &e = engine();
  if (e.running && e.random.below(yield_rarity) == 0)
    yield();
}

void trap() {
  running("__trap");
  engine().trapped = true;
  park();
  std::abort(); // not reached: nobody resumes the fiber
}

void progress() { engine().idle_turns = 0; }

void seed(std::uint64_t value) { engine().random.seed(value); }

std::uint32_t random_below(std::uint32_t bound) { return engine().random.below(bound); }

void fail(const char *format, ...) {
  std::fflush(stdout);
  std::fputs("CUDA emulation: ", stderr);
  va_list arguments;
  va_start(arguments, format);
  std::vfprintf(stderr, format, arguments);
  va_end(arguments);
  std::fputc('\n', stderr);
  std::abort();
}

SharedSlot::SharedSlot(std::size_t bytes, std::size_t alignment) : id_(engine().slots++), bytes_(bytes) {
  if (alignment > 16)
    fail("shared memory aligned to %zu bytes", alignment);
}

namespace {

/// A block's storage of one declaration, filled with garbage before its first use.
void *storage(Block &block, std::size_t id, std::size_t bytes) {
  if (block.shared.size() <= id)
    block.shared.resize(id + 1);
  Piece &piece = block.shared[id];
  if (!piece.memory) {
    piece.memory = allocate_shared(bytes);
    piece.bytes = bytes;
  }
  if (piece.use != block.use) {
    piece.use = block.use;
    block.shared_bytes += bytes;
    if (block.shared_bytes > shared_memory_per_block)
      fail("a block declares %zu bytes of shared memory, and %zu are there", block.shared_bytes,
           shared_memory_per_block);
    std::memset(piece.memory, garbage, bytes);
  }
  return piece.memory;
}

} // namespace

void *SharedSlot::address() const { return storage(*running("the declaration of shared memory").block, id_, bytes_); }

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
      return static_cast<char *>(storage(other, id, piece.bytes)) + (wanted - first);
  }
  fail("%p is not in the shared memory of the block that names it", const_cast<void *>(address));
}

} // namespace emulation
