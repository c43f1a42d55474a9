// Memory of the emulated device and pinned memory of the host: each allocation lies before a page that nobody may
// touch.
#include "memory.h"

#include "addresses.h"
#include "api.h"
#include "device.h"
#include "simt.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

namespace emulation {
namespace {

/// Ranges of memory by their first byte.
using Ranges = std::map<const char *, std::size_t>;

/// Allocations that may not be touched past their ends.
struct GuardedMemory {
  Ranges ranges;
  Addresses addresses;
};

struct DeviceMemory : GuardedMemory {
  bool hidden = false; // nobody may touch it
  std::size_t used = 0;
};

struct Memory {
  DeviceMemory devices[most_devices];
  Ranges symbols;
  GuardedMemory pinned; // memory of the host that the device reads, and copies without a stop
  Ranges registered;    // the same, which the program has allocated
  GuardedMemory shared; // of blocks
  std::size_t peak = 0;
};

Memory &memory() {
  static auto *instance = new Memory; // lives until the process ends
  return *instance;
}

std::size_t total() {
  const char *limit = std::getenv("GCOMPILE_EMULATION_MEMORY");
  return limit ? std::strtoull(limit, nullptr, 10) : std::size_t(4) << 30;
}

enum class Place { outside, inside, across };

/// Whether [address, address + bytes) lies in one of the ranges, in none, or crosses an end of one.
Place locate(const Ranges &ranges, const void *address, std::size_t bytes) {
  const char *begin = static_cast<const char *>(address);
  auto range = ranges.upper_bound(begin);
  if (range != ranges.end() && begin + bytes > range->first)
    return Place::across;
  if (range == ranges.begin())
    return Place::outside;
  --range;
  const char *end = range->first + range->second;
  if (begin >= end)
    return Place::outside;
  return begin + bytes <= end ? Place::inside : Place::across;
}

/// The device in whose memory the address is; the current one if it is in none.
int device_of(const void *address) {
  for (int d = 0; d < most_devices; ++d)
    if (locate(memory().devices[d].ranges, address, 1) != Place::outside)
      return d;
  return current_device();
}

Place locate_on_device(const void *address, std::size_t bytes) {
  const Place place = locate(memory().devices[device_of(address)].ranges, address, bytes);
  return place == Place::outside ? locate(memory().symbols, address, bytes) : place;
}

/// Checks that both ends of a copy are where `kind` says.
cudaError_t check_copy(const void *to, const void *from, std::size_t bytes, cudaMemcpyKind kind) {
  const Place target = locate_on_device(to, bytes);
  const Place source = locate_on_device(from, bytes);
  if (target == Place::across || source == Place::across)
    return cudaErrorInvalidValue;
  if (kind == cudaMemcpyDefault)
    return cudaSuccess;
  const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  const bool right = (target == Place::inside) == to_device && (source == Place::inside) == from_device;
  return right ? cudaSuccess : cudaErrorInvalidValue;
}

std::size_t whole_pages(std::size_t bytes) { return (bytes + page() - 1) / page() * page(); }

/// The bytes of an allocation and the rest of its last 16 bytes, which a vector type may fill.
std::size_t padded(std::size_t bytes) { return (bytes + 15) / 16 * 16; }

/// Says which allocation a kernel or the host missed.
void report_illegal_access(int, siginfo_t *information, void *) {
  const char *address = static_cast<const char *>(information->si_addr);
  std::signal(SIGSEGV, SIG_DFL);
  std::signal(SIGBUS, SIG_DFL);
  std::vector<const Ranges *> all = {&memory().pinned.ranges, &memory().shared.ranges};
  for (int d = 0; d < most_devices; ++d) {
    const Ranges &ranges = memory().devices[d].ranges;
    if (d != current_device() && locate(ranges, address, 1) == Place::inside)
      fail("illegal address: a kernel of device %d touches the memory of device %d", current_device(), d);
    all.push_back(&ranges);
  }
  for (const Ranges *ranges : all) {
    const auto after = ranges->upper_bound(address);
    if (after != ranges->begin()) {
      const auto &[begin, bytes] = *std::prev(after);
      if (address < begin + padded(bytes) + page())
        fail("illegal address: %td bytes past the end of an allocation of %zu bytes", address - (begin + bytes), bytes);
    }
    if (after != ranges->end() && address + 2 * page() > after->first)
      fail("illegal address: %td bytes before an allocation of %zu bytes", after->first - address, after->second);
  }
  fail("illegal address %p: freed, or never allocated", static_cast<const void *>(address));
}

void watch_for_illegal_accesses() {
  static const bool done = [] {
    // The stack of a fiber may be what has overflown.
    static char stack[64 * 1024];
    stack_t other = {};
    other.ss_sp = stack;
    other.ss_size = sizeof stack;
    sigaltstack(&other, nullptr);
    struct sigaction action = {};
    action.sa_sigaction = report_illegal_access;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    // What is hidden raises the first, what is not allocated the second.
    return sigaction(SIGSEGV, &action, nullptr) == 0 && sigaction(SIGBUS, &action, nullptr) == 0;
  }();
  static_cast<void>(done);
}

/// `bytes` of garbage between two forbidden pages, as close to the second as alignment lets them; nullptr if there is
/// no memory left.
char *allocate(GuardedMemory &room, std::size_t bytes) {
  watch_for_illegal_accesses();
  const std::size_t inside = whole_pages(padded(bytes));
  char *begin = room.addresses.take(inside);
  if (!begin)
    return nullptr;
  std::memset(begin, garbage, inside);
  char *address = begin + inside - padded(bytes);
  room.ranges[address] = bytes;
  return address;
}

/// Lets a device's memory be touched, or forbids that.
void show(int device, bool visible) {
  DeviceMemory &its = memory().devices[device];
  if (its.hidden != visible)
    return;
  its.hidden = !visible;
  its.addresses.show(visible);
}

/// For a copy or a check by the emulation itself: the memories in which the addresses are.
void show_memory_at(const void *to, const void *from) {
  for (const void *address : {to, from})
    show(device_of(address), true);
}

void release(GuardedMemory &room, Ranges::iterator range) {
  const auto [address, bytes] = *range;
  for (std::size_t i = bytes; i < padded(bytes); ++i)
    if (static_cast<unsigned char>(address[i]) != garbage)
      fail("illegal address: a write %zu bytes past the end of an allocation of %zu bytes", i - bytes, bytes);
  const std::size_t inside = whole_pages(padded(bytes));
  room.addresses.give_back(const_cast<char *>(address) + padded(bytes) - inside, inside);
  room.ranges.erase(range);
}

} // namespace

void add_symbol(const void *address, std::size_t bytes) {
  memory().symbols[static_cast<const char *>(address)] = bytes;
}

bool tosses() {
  const Turn turn;
  return random_below(2) == 0;
}

std::size_t peak_memory() { return memory().peak; }

void show_memory(int device) {
  show(device, true);
  if (random_below(8) != 0) // a kernel that touches what it must not does so often
    return;
  for (int d = 0; d < most_devices; ++d)
    show(d, d == device);
}

void *allocate_shared(std::size_t bytes) {
  void *address = allocate(memory().shared, bytes);
  if (!address)
    fail("no memory for what a block shares");
  return address;
}

} // namespace emulation

using emulation::drain;
using emulation::memory;
using emulation::set_last_error;

cudaError_t cudaMalloc(void **address, std::size_t bytes) {
  const emulation::Turn turn;
  *address = nullptr;
  if (bytes == 0)
    return cudaSuccess;
  const int device = emulation::current_device();
  auto &its = memory().devices[device];
  if (bytes > emulation::total() - std::min(its.used, emulation::total()))
    return set_last_error(cudaErrorMemoryAllocation);
  emulation::show(device, true);
  *address = emulation::allocate(its, bytes);
  if (!*address)
    return set_last_error(cudaErrorMemoryAllocation);
  its.used += bytes;
  memory().peak = std::max(memory().peak, its.used);
  return set_last_error(cudaSuccess);
}

cudaError_t cudaFree(void *address) {
  const emulation::Turn turn;
  drain();
  if (!address)
    return cudaSuccess;
  const int device = emulation::device_of(address);
  auto &its = memory().devices[device];
  const auto range = its.ranges.find(static_cast<char *>(address));
  if (range == its.ranges.end())
    return set_last_error(cudaErrorInvalidValue);
  its.used -= range->second;
  emulation::show(device, true);
  emulation::release(its, range);
  return cudaSuccess;
}

cudaError_t cudaMallocHost(void **address, std::size_t bytes, unsigned) {
  const emulation::Turn turn;
  *address = emulation::allocate(memory().pinned, bytes);
  return set_last_error(*address ? cudaSuccess : cudaErrorMemoryAllocation);
}

cudaError_t cudaFreeHost(void *address) {
  const emulation::Turn turn;
  drain();
  if (!address)
    return cudaSuccess;
  const auto range = memory().pinned.ranges.find(static_cast<char *>(address));
  if (range == memory().pinned.ranges.end())
    return set_last_error(cudaErrorInvalidValue);
  emulation::release(memory().pinned, range);
  return cudaSuccess;
}

cudaError_t cudaHostAlloc(void **address, std::size_t bytes, unsigned flags) {
  return cudaMallocHost(address, bytes, flags);
}

cudaError_t cudaHostRegister(void *address, std::size_t bytes, unsigned) {
  const emulation::Turn turn;
  using emulation::locate;
  using emulation::Place;
  if (!address || bytes == 0)
    return set_last_error(cudaErrorInvalidValue);
  if (locate(memory().registered, address, bytes) != Place::outside ||
      locate(memory().pinned.ranges, address, bytes) != Place::outside)
    return set_last_error(cudaErrorHostMemoryAlreadyRegistered);
  if (emulation::tosses())
    return set_last_error(cudaErrorNotSupported);
  memory().registered[static_cast<char *>(address)] = bytes;
  return set_last_error(cudaSuccess);
}

cudaError_t cudaHostUnregister(void *address) {
  const emulation::Turn turn;
  drain();
  return memory().registered.erase(static_cast<char *>(address)) == 1
             ? set_last_error(cudaSuccess)
             : set_last_error(cudaErrorHostMemoryNotRegistered);
}

cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned flags) {
  const emulation::Turn turn;
  const auto holds = [&](const emulation::Ranges &ranges) {
    return emulation::locate(ranges, host, 1) == emulation::Place::inside;
  };
  if (flags != 0 || (!holds(memory().pinned.ranges) && !holds(memory().registered)))
    return set_last_error(cudaErrorInvalidValue);
  *device = host;
  return set_last_error(cudaSuccess);
}

cudaError_t cudaMemGetInfo(std::size_t *free, std::size_t *total) {
  int devices = 0;
  if (const cudaError_t error = cudaGetDeviceCount(&devices))
    return error;
  const emulation::Turn turn;
  *total = emulation::total();
  *free = *total - std::min(*total, memory().devices[emulation::current_device()].used);
  return cudaSuccess;
}

cudaError_t cudaMemcpy(void *to, const void *from, std::size_t bytes, cudaMemcpyKind kind) {
  return cudaMemcpy2D(to, bytes, from, bytes, bytes, 1, kind);
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t) {
  const emulation::Turn turn;
  if (bytes == 0)
    return cudaSuccess;
  if (const cudaError_t error = emulation::check_copy(to, from, bytes, kind))
    return set_last_error(error);
  const auto asynchronous = [&](const void *address) {
    return emulation::locate_on_device(address, bytes) == emulation::Place::inside ||
           emulation::locate(memory().pinned.ranges, address, bytes) == emulation::Place::inside ||
           emulation::locate(memory().registered, address, bytes) == emulation::Place::inside;
  };
  if (!asynchronous(from)) {
    // Pageable memory of the host is read before the call returns.
    std::string staged(static_cast<const char *>(from), bytes);
    emulation::enqueue([=, staged = std::move(staged)] {
      emulation::show_memory_at(to, to);
      std::memcpy(to, staged.data(), bytes);
    });
  } else {
    emulation::enqueue([=] {
      emulation::show_memory_at(to, from);
      std::memmove(to, from, bytes);
    });
  }
  if (!asynchronous(to))
    drain(); // and written before the call returns
  return set_last_error(cudaSuccess);
}

cudaError_t cudaMemcpy2D(void *to, std::size_t to_pitch, const void *from, std::size_t from_pitch, std::size_t width,
                         std::size_t height, cudaMemcpyKind kind) {
  const emulation::Turn turn;
  if (width == 0 || height == 0)
    return cudaSuccess;
  if (width > to_pitch || width > from_pitch)
    return set_last_error(cudaErrorInvalidValue);
  drain();
  for (std::size_t row = 0; row < height; ++row) {
    void *target = static_cast<char *>(to) + row * to_pitch;
    const void *source = static_cast<const char *>(from) + row * from_pitch;
    if (const cudaError_t error = emulation::check_copy(target, source, width, kind))
      return set_last_error(error);
    emulation::show_memory_at(target, source);
    if (!emulation::has_failed())
      std::memmove(target, source, width);
  }
  return set_last_error(cudaSuccess);
}

cudaError_t cudaMemcpy2DAsync(void *to, std::size_t to_pitch, const void *from, std::size_t from_pitch,
                              std::size_t width, std::size_t height, cudaMemcpyKind kind, cudaStream_t) {
  return cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind);
}

cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device, std::size_t bytes,
                                cudaStream_t stream) {
  const emulation::Turn turn;
  if (bytes > 0 && (emulation::device_of(to) != to_device || emulation::device_of(from) != from_device))
    return set_last_error(cudaErrorInvalidValue);
  return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream);
}

cudaError_t cudaMemset(void *to, int byte, std::size_t bytes) { return cudaMemsetAsync(to, byte, bytes); }

cudaError_t cudaMemsetAsync(void *to, int byte, std::size_t bytes, cudaStream_t) {
  const emulation::Turn turn;
  if (bytes == 0)
    return cudaSuccess;
  if (emulation::locate_on_device(to, bytes) != emulation::Place::inside)
    return set_last_error(cudaErrorInvalidValue);
  emulation::enqueue([=] {
    emulation::show_memory_at(to, to);
    std::memset(to, byte, bytes);
  });
  return set_last_error(cudaSuccess);
}
