#include "stream_pages.h"

#include "memory.h"
#include "runtime/tool_support/temporary.h"

#include <gcompile/core/error.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <system_error>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace gc::detail {

namespace {

constexpr std::uint64_t page = 4096;
constexpr std::uint64_t huge_page = std::uint64_t(1) << 21;
constexpr std::size_t fewest_blocks = 8; // for any
constexpr std::size_t most_ahead = 16;   // blocks that are read before their turn

template <class T> bool all_below(const char *from, const char *to, std::uint64_t limit) {
  T greatest = 0;
  for (const T *at = reinterpret_cast<const T *>(from), *end = reinterpret_cast<const T *>(to); at < end; ++at)
    greatest = std::max(greatest, *at);
  return from == to || greatest < limit;
}

} // namespace

StreamedFile::Pages::Pages(std::string name, std::uint64_t size, const StreamPlan &how)
    : path(std::move(name)), bytes(size), plan(how), block(how.block_bytes), blocks((size + block - 1) / block),
      most(std::max<std::size_t>(how.room / block, fewest_blocks)), room(most),
      line(most < 128 ? most / 2 : std::max<std::size_t>(64, most / 8)), places(blocks, Place::absent),
      times(blocks, 0), runs(blocks, 0), untouched(blocks, false), kept(blocks, most, line), wanted(blocks) {
  file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_DIRECT);
  direct = file >= 0;
  if (!direct) // a file system in memory
    file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0)
    throw Error(ErrorKind::input, path + ": " + std::strerror(errno));
  reserved_bytes = (blocks + slots.size()) * block + huge_page;
  void *memory = mmap(nullptr, reserved_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    close(file);
    throw Error(ErrorKind::resource,
                path + ": cannot reserve " + std::to_string(reserved_bytes) + " bytes of addresses");
  }
  reserved = static_cast<char *>(memory);
  base = reserved + (huge_page - reinterpret_cast<std::uintptr_t>(reserved) % huge_page) % huge_page;

  for (; free_slots < slots.size(); ++free_slots)
    slots[free_slots] = base + (blocks + free_slots) * block;

  // Signals are for the threads of the program.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    for (int i = 0; i < plan.readers; ++i)
      readers.emplace_back([this] { read_ahead(); });
  } catch (const std::system_error &) { // no more threads: what is not read ahead is read when its turn comes
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

StreamedFile::Pages::~Pages() {
  {
    const Lock lock(mutex);
    stop = true;
  }
  work.notify_all();
  for (std::thread &reader : readers)
    reader.join();
  munmap(reserved, reserved_bytes);
  close(file);
}

bool StreamedFile::Pages::meet(const char *address) {
  if (address < base || address >= base + blocks * block)
    return false;
  const auto b = static_cast<Block>(static_cast<std::uint64_t>(address - base) / block);
  Lock lock(mutex);
  const auto start = std::chrono::steady_clock::now();
  bool waited = false;
  while (places[b] != Place::open) {
    if (places[b] == Place::closed) {
      allow(b, PROT_READ);
      places[b] = Place::open;
      visited(b);
      break;
    }
    waited = true;
    if (places[b] == Place::loading)
      arrival.wait(lock);
    else
      load(b, lock, false);
  }
  if (waited)
    counts.waited += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return true;
}

/// Brings a block; false if that failed and it was to be read ahead: who comes to it will say why.
bool StreamedFile::Pages::load(Block b, Lock &lock, bool before_its_turn) {
  places[b] = Place::loading;
  ++present;
  char *slot = nullptr;
  while (present > room && kept.size() > 0) {
    const Block leaves = kept.take_out();
    if (!slot)
      slot = move_out(leaves);
    else
      drop(leaves);
  }
  lock.unlock();
  char *const frame = slot ? slot : fresh_frame();
  if (slot && mprotect(slot, block, PROT_READ | PROT_WRITE) != 0)
    fail_mapping();
  Problem problem = read_into(frame, b);
  if (problem.empty() && !is_sound(frame, b))
    std::snprintf(problem.text.data(), problem.text.size(),
                  "the targets are corrupt: the file has changed while it was read");
  if (!problem.empty() && !before_its_turn)
    fail(problem.text.data());
  if (problem.empty()) {
    if (mprotect(frame, block, PROT_NONE) != 0 ||
        mremap(frame, block, block, MREMAP_MAYMOVE | MREMAP_FIXED | (slot ? MREMAP_DONTUNMAP : 0), at(b)) == MAP_FAILED)
      fail_mapping();
  } else if (slot) {
    empty(slot);
  } else {
    munmap(frame, block);
  }
  lock.lock();
  if (slot)
    slots[free_slots++] = slot;
  if (problem.empty()) {
    places[b] = Place::closed;
    kept.arrived(b);
    counts.bytes += size_of(b);
    ++counts.blocks;
    if (++arrivals % 16 == 0)
      adapt();
    if (arrivals % blocks == 0)
      let_go_of_unused();
  } else {
    places[b] = Place::absent;
    --present;
  }
  arrival.notify_all();
  return problem.empty();
}

/// Memory for a block, aligned as the block is, so that its pages move as a whole.
char *StreamedFile::Pages::fresh_frame() const {
  const std::uint64_t spare = std::min(block, huge_page);
  void *memory = mmap(nullptr, block + spare, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    fail_mapping();
  char *begin = static_cast<char *>(memory), *end = begin + block + spare;
  char *frame = begin + (spare - reinterpret_cast<std::uintptr_t>(begin) % spare) % spare;
  if (frame > begin)
    munmap(begin, static_cast<std::size_t>(frame - begin));
  if (frame + block < end)
    munmap(frame + block, static_cast<std::size_t>(end - frame) - block);
  if (block >= huge_page)
    madvise(frame, block, MADV_HUGEPAGE);
  return frame;
}

/// Moves the memory of a block that leaves to a slot, where another block is read into it: the system need not find,
/// clear and map pages anew. Null: it was dropped, for there is no slot or Linux is older than 5.7.
char *StreamedFile::Pages::move_out(Block b) {
  if (free_slots == 0) {
    drop(b);
    return nullptr;
  }
  char *const slot = slots[free_slots - 1];
  allow(b, PROT_NONE);
  if (mremap(at(b), block, block, MREMAP_MAYMOVE | MREMAP_FIXED | MREMAP_DONTUNMAP, slot) == MAP_FAILED) {
    free_slots = 0;
    drop(b);
    return nullptr;
  }
  --free_slots;
  forget(b);
  return slot;
}

/// Reads a block; says what went wrong.
StreamedFile::Pages::Problem StreamedFile::Pages::read_into(char *frame, Block b) const {
  const std::uint64_t from = b * block, size = size_of(b);
  const std::uint64_t asked = (size + page - 1) / page * page; // whole pages, as direct reading wants
  Problem problem;
  std::uint64_t done = 0;
  while (done < size) {
    const ssize_t count = pread(file, frame + done, asked - done, static_cast<off_t>(from + done));
    if (count < 0 && errno == EINTR)
      continue;
    if (count > 0)
      done += static_cast<std::uint64_t>(count);
    // Direct reading ends within a page only where the file does.
    if (count <= 0 || (direct && done < size && done % page != 0)) {
      const unsigned long long place = from + done;
      std::snprintf(problem.text.data(), problem.text.size(), "cannot be read at byte %llu: %s", place,
                    count < 0 ? std::strerror(errno) : "it has become shorter");
      return problem;
    }
  }
  if (!direct)
    posix_fadvise(file, static_cast<off_t>(from), static_cast<off_t>(size), POSIX_FADV_DONTNEED);
  return problem;
}

bool StreamedFile::Pages::is_sound(const char *frame, Block b) const {
  const std::uint64_t from = b * block, to = from + size_of(b);
  return std::all_of(checks.begin(), checks.begin() + num_checks, [&](const Check &check) {
    const std::uint64_t begin = std::max(from, check.begin), end = std::min(to, check.end);
    if (begin >= end)
      return true;
    return check.width == 4 ? all_below<std::uint32_t>(frame + (begin - from), frame + (end - from), check.limit)
                            : all_below<std::uint64_t>(frame + (begin - from), frame + (end - from), check.limit);
  });
}

/// A thread has come to a block that it finds closed.
void StreamedFile::Pages::visited(Block b) {
  const auto recent = [&](Block other) { return clock - times[other] < near; };
  // Nobody sees visits to a block that is open, as kept ones are.
  const bool follows =
      b > 0 && (recent(b - 1) || (places[b - 1] == Place::open && b > 1 && recent(b - 2) && runs[b - 2] > 1));
  runs[b] = static_cast<std::uint8_t>(follows ? std::min(runs[b - 1] + 1, 255) : 1);
  times[b] = ++clock;
  ++counts.visited;
  counts.in_order += follows;
  if (untouched[b]) {
    untouched[b] = false;
    --ahead;
  }
  look_ahead(b);
}

/// Has the blocks read to which a thread is likely to come next.
void StreamedFile::Pages::look_ahead(Block b) {
  if (runs[b] < 2) // somebody who skips blocks
    return;
  const std::size_t depth = std::min<std::size_t>(runs[b] < 4 ? 2 * runs[b] : most_ahead, line / 4);
  bool any = false;
  for (Block next = b + 1; next < blocks && next <= b + depth && ahead < line / 2 && num_wanted < blocks; ++next) {
    if (places[next] != Place::absent)
      continue;
    places[next] = Place::queued;
    wanted[(first_wanted + num_wanted++) % blocks] = next;
    untouched[next] = any = true;
    ++ahead;
  }
  if (any)
    work.notify_all();
}

/// Takes a block out of memory, in which a thread may read.
void StreamedFile::Pages::drop(Block b) {
  empty(at(b));
  forget(b);
}

/// Gives back the memory behind the addresses of a block, which stay reserved.
void StreamedFile::Pages::empty(char *frame) const {
  if (mmap(frame, block, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == MAP_FAILED)
    fail_mapping();
}

void StreamedFile::Pages::forget(Block b) {
  places[b] = Place::absent;
  --present;
  if (untouched[b]) {
    untouched[b] = false;
    --ahead;
  }
}

void StreamedFile::Pages::make_room() {
  while (present > room && kept.size() > 0)
    drop(kept.take_out());
}

/// Gives memory to the rest of the process where it needs more than was foreseen, and takes it back later.
void StreamedFile::Pages::adapt() {
  if (plan.most_resident == 0)
    return;
  const std::uint64_t resident = resident_memory();
  if (resident > plan.most_resident)
    room = std::max(fewest_blocks, room - std::min<std::size_t>(room, (resident - plan.most_resident) / block + 1));
  else if (room < most && resident + 4 * block < plan.most_resident)
    ++room;
  kept.set_room(room);
  make_room();
}

/// Lets kept blocks go to which no thread has come since the last time.
void StreamedFile::Pages::let_go_of_unused() {
  kept.sort_out([&](Block b) {
    const bool used = places[b] == Place::open;
    if (!used) {
      drop(b);
    } else {
      allow(b, PROT_NONE);
      places[b] = Place::closed;
    }
    return used;
  });
}

/// What a reader does.
void StreamedFile::Pages::read_ahead() {
  Lock lock(mutex);
  while (true) {
    work.wait(lock, [&] { return stop || num_wanted > 0; });
    if (stop)
      return;
    const Block b = wanted[first_wanted];
    first_wanted = (first_wanted + 1) % blocks;
    --num_wanted;
    // Somebody may have come before.
    if (places[b] == Place::queued && !load(b, lock, true) && untouched[b]) {
      untouched[b] = false;
      --ahead;
    }
  }
}

void StreamedFile::Pages::require_below(std::uint64_t begin, std::uint64_t end, int width, std::uint64_t limit) {
  const Lock lock(mutex);
  checks.at(num_checks) = {begin, end, width, limit};
  ++num_checks;
}

void StreamedFile::Pages::allow(Block b, int protection) const {
  if (mprotect(at(b), block, protection) != 0)
    fail_mapping();
}

void StreamedFile::Pages::fail_mapping() const { fail("out of memory: a block of the file cannot be mapped"); }

/// Ends the process as fail_runtime does, without files that are half written.
void StreamedFile::Pages::fail(const char *problem) const {
  std::fflush(stdout);
  std::fprintf(stderr, "error: %s: %s\n", path.c_str(), problem);
  std::fflush(stderr);
  remove_temporaries();
  std::_Exit(exit_user_error);
}

} // namespace gc::detail
