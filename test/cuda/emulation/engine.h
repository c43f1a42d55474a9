// The threads of a launch, as fibers, and what the parts of the emulation share to run them.
#pragma once

#include "simt.h"

#include <boost/context/fiber.hpp>

#include <cstdlib>
#include <map>
#include <memory>
#include <vector>

namespace emulation {

using boost::context::fiber;

constexpr unsigned warp_threads = 32;

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

/// A copy that a thread has begun and not waited for.
struct Copy {
  void *to;
  const void *from;
  std::size_t bytes;
  std::uint64_t group;
};

struct Thread {
  Block *block = nullptr;
  unsigned number = 0; // in its block
  bool done = false;
  Collective waiting = Collective::none;
  std::uint32_t mask = 0;
  unsigned source = 0;
  std::uint64_t value = 0;
  std::uint64_t result = 0;
  std::vector<Copy> copies;
  std::uint64_t groups = 0; // of copies, that are complete
  fiber stack;              // where it goes on; empty before it begins and while it runs

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
  std::size_t shared_bytes = 0, large_bytes = 0;
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
  std::map<const void *, std::size_t> launches; // of each kernel
};

Engine &engine();

/// The thread that runs; fails where none does.
Thread &running(const char *what);
void make_runnable(Thread &thread);
/// Leaves the running thread until the scheduler takes it again.
void park();

/// What people call it.
const char *name(Collective kind);
/// The running thread leaves the kernel: others may have waited for that.
void leave(Thread &thread);
/// Lanes of a warp that are at the same __activemask when one of them goes on have met there.
void complete_active_mask(Thread &taken);

} // namespace emulation
