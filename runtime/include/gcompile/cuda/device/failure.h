// How a kernel ends the program: it leaves a message in memory of the host and stops the device.
#ifndef GCOMPILE_CUDA_DEVICE_FAILURE_H
#define GCOMPILE_CUDA_DEVICE_FAILURE_H

#include <cuda_runtime.h>

#include <gcompile/core/device.h>
#include <gcompile/core/device_memory.h>

#include <mutex>

namespace gc {
namespace detail {

/// In pinned memory of the host, which outlives the failed kernel.
struct FailureRecord {
  int taken;
  char place[128], what[128];
};

static __device__ FailureRecord *device_failure_record = nullptr;

inline FailureRecord *&host_failure_record() {
  static FailureRecord *record = nullptr;
  return record;
}

/// Before the first kernel of the GPU in use; all GPUs have the same record.
inline void prepare_failure_record() {
  static std::mutex once;
  static PerGpu<bool> prepared;
  const std::lock_guard<std::mutex> lock(once);
  FailureRecord *&record = host_failure_record();
  if (!record) {
    FailureRecord *memory = nullptr;
    if (cudaHostAlloc(reinterpret_cast<void **>(&memory), sizeof(FailureRecord), cudaHostAllocPortable) !=
            cudaSuccess ||
        !memory)
      return;
    *memory = FailureRecord();
    record = memory;
  }
  if (!prepared.mine())
    cudaMemcpyToSymbol(device_failure_record, &record, sizeof record);
  prepared.mine() = true;
}

__device__ inline void copy_text(char *to, const char *from) {
  int i = 0;
  for (; i < 127 && from[i]; ++i)
    to[i] = from[i];
  to[i] = 0;
}

__device__ inline void fail_on_device(const char *place, const char *what) {
  FailureRecord *record = device_failure_record;
  if (record && atomicCAS_system(&record->taken, 0, 1) == 0) {
    copy_text(record->place, place);
    copy_text(record->what, what);
  }
  __threadfence_system();
  for (int i = 0; i < 1000; ++i) // the first message may still be on its way
    __nanosleep(1000);
  __trap();
}

} // namespace detail
} // namespace gc

#endif
