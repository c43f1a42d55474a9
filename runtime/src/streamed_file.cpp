#include "streamed_file.h"

#include "stream_pages.h"

#include <gcompile/core/error.h>
#include <gcompile/core/memory.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <mutex>

#include <ucontext.h>

namespace gc::detail {

namespace {

constexpr std::uint64_t usual_block = std::uint64_t(1) << 18; // read at once, even where a thread needs but one list
constexpr std::size_t least_blocks = 32;                      // in memory, for the last to stay long enough
constexpr std::size_t most_blocks = 16384; // in memory: each is a mapping, of which a process has 65530

} // namespace

std::uint64_t least_room(std::uint64_t block_bytes) { return least_blocks * block_bytes; }

StreamPlan plan_stream(std::uint64_t file_bytes, std::uint64_t room, std::uint64_t most_resident) {
  StreamPlan plan;
  plan.room = room;
  plan.most_resident = most_resident;
  plan.block_bytes = std::uint64_t(1) << 16;
  while ((plan.block_bytes < usual_block && least_room(2 * plan.block_bytes) <= room) ||
         std::min(room, file_bytes) / plan.block_bytes > most_blocks)
    plan.block_bytes *= 2;
  return plan;
}

namespace {

constexpr std::size_t most_files = 16;
std::array<std::atomic<StreamedFile *>, most_files> open_files;
struct sigaction action_before;

/// Hands a fault that is not of a streamed file to who handled them before.
void pass_on(int signal, siginfo_t *info, void *context) {
  if (action_before.sa_flags & SA_SIGINFO) {
    action_before.sa_sigaction(signal, info, context);
  } else if (action_before.sa_handler != SIG_DFL && action_before.sa_handler != SIG_IGN) {
    action_before.sa_handler(signal);
  } else {
    std::signal(signal, SIG_DFL); // the instruction is tried again, and ends the process
    if (info->si_code <= 0)       // there is none: a process has sent the signal
      raise(signal);
  }
}

bool is_write([[maybe_unused]] void *context) {
#ifdef __x86_64__
  return (static_cast<ucontext_t *>(context)->uc_mcontext.gregs[REG_ERR] & 2) != 0;
#else
  return false;
#endif
}

} // namespace

StreamedFile::StreamedFile(const std::string &path, std::uint64_t bytes, const StreamPlan &plan)
    : pages_(std::make_unique<Pages>(path, bytes, plan)) {
  static std::once_flag once;
  std::call_once(once, [] {
    struct sigaction action = {};
    action.sa_sigaction = [](int signal, siginfo_t *info, void *context) {
      const int error = errno;
      const auto *address = static_cast<const char *>(info->si_addr);
      for (const std::atomic<StreamedFile *> &entry : open_files)
        if (StreamedFile *const streamed = entry; streamed && !is_write(context) && streamed->pages_->meet(address)) {
          errno = error;
          return;
        }
      pass_on(signal, info, context);
    };
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, &action, &action_before);
  });
  limit_memory(plan.most_resident);
  for (std::atomic<StreamedFile *> &entry : open_files) {
    StreamedFile *free = nullptr;
    if (entry.compare_exchange_strong(free, this))
      return;
  }
  throw Error(ErrorKind::resource, path + ": too many files are streamed at once");
}

StreamedFile::~StreamedFile() {
  limit_memory(0);
  for (std::atomic<StreamedFile *> &entry : open_files) {
    StreamedFile *self = this;
    if (entry.compare_exchange_strong(self, nullptr))
      break;
  }
}

const char *StreamedFile::data() const { return pages_->base; }

void StreamedFile::require_below(std::uint64_t begin, std::uint64_t end, int width, std::uint64_t limit) {
  pages_->require_below(begin, end, width, limit);
}

StreamTraffic StreamedFile::traffic() const {
  const std::lock_guard<std::mutex> lock(pages_->mutex);
  return pages_->counts;
}

const StreamPlan &StreamedFile::plan() const { return pages_->plan; }

} // namespace gc::detail
