// The scheduler: which thread runs next, and the launch of a grid.
#include "device.h"
#include "engine.h"

#include <boost/context/protected_fixedsize_stack.hpp>

#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <string>
#include <utility>

namespace emulation {

Engine &engine() {
  static auto *instance = new Engine; // lives until the process ends: its fibers must not be unwound
  return *instance;
}

Thread &running(const char *what) {
  Thread *thread = engine().running;
  if (!thread)
    fail("%s is called outside of a kernel", what);
  return *thread;
}

void make_runnable(Thread &thread) { engine().runnable.push_back(&thread); }

void park() {
  Engine &e = engine();
  e.parked = e.running;
  e.scheduler = std::move(e.scheduler).resume();
}

namespace {

/// Stacks of fibers. Each begins at another place in its page: what threads use most would share few sets of the cache.
class Stacks {
public:
  boost::context::stack_context allocate() {
    static std::size_t allocated = 0;
    offset_ = allocated++ * 320 % 4096; // a multiple of 64
    return moved(stacks_.allocate(), -static_cast<std::ptrdiff_t>(offset_));
  }
  void deallocate(boost::context::stack_context &stack) {
    stack = moved(stack, static_cast<std::ptrdiff_t>(offset_));
    stacks_.deallocate(stack);
  }

private:
  static boost::context::stack_context moved(boost::context::stack_context stack, std::ptrdiff_t bytes) {
    stack.sp = static_cast<char *>(stack.sp) + bytes;
    stack.size += static_cast<std::size_t>(bytes);
    return stack;
  }

  boost::context::protected_fixedsize_stack stacks_{128 * 1024};
  std::size_t offset_ = 0;
};

/// One memory point in this many lets other threads run.
constexpr std::uint32_t yield_rarity = 32;
/// So many turns of threads that only yield, while nothing changes, mean that they spin for ever.
constexpr std::uint64_t idle_turns_limit = 1'000'000;

bool of_block(Collective kind) { return kind >= Collective::syncthreads && kind <= Collective::cluster; }

/// Makes `thread` the one whose indices kernels see.
void activate(Thread &thread) {
  engine().running = &thread;
  thread.block->begun = true;
  blockIdx = thread.block->index;
  threadIdx.x = thread.number % blockDim.x;
  threadIdx.y = thread.number / blockDim.x % blockDim.y;
  threadIdx.z = thread.number / (blockDim.x * blockDim.y);
}

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
        e.idle.emplace_back(std::allocator_arg, Stacks(), work);
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
  block.shared_bytes = block.large_bytes = 0;
  for (unsigned t = 0; t < count; ++t) {
    block.threads[t].block = &block;
    block.threads[t].number = t;
    make_runnable(block.threads[t]);
  }
}

} // namespace

namespace {
/// Whether this thread of the host runs a launch: those of other devices do not.
thread_local bool launching = false;

bool run_blocks_of(bool cooperative, dim3 grid, dim3 block, const std::function<void()> &body) {
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
} // namespace

bool run_grid(bool cooperative, dim3 grid, dim3 block, const std::function<void()> &body) {
  launching = true;
  const bool good = run_blocks_of(cooperative, grid, block, body);
  launching = false;
  return good;
}

bool in_kernel() { return launching && engine().running != nullptr; }

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

void count_launch(const void *kernel) { ++engine().launches[kernel]; }

std::size_t launches(const void *kernel) {
  const Turn turn;
  return engine().launches[kernel];
}

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

} // namespace emulation
