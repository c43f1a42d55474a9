// Two streams of kernels, of which one hurries. Both wait for what the default stream has begun, and it for them.
#ifndef GCOMPILE_CUDA_DEVICE_TWO_STREAMS_H
#define GCOMPILE_CUDA_DEVICE_TWO_STREAMS_H

#include <gcompile/cuda/device/device.h>

namespace gc {
namespace cuda {
namespace detail {

/// A stream, and a point in it that another one may wait for.
class MarkedStream {
public:
  explicit MarkedStream(int priority) {
    check(cudaStreamCreateWithPriority(&stream_, cudaStreamDefault, priority), "cannot make a stream");
    check(cudaEventCreateWithFlags(&mark_, cudaEventDisableTiming), "cannot make an event");
  }

  cudaStream_t get() const { return stream_; }
  /// Here is the mark now.
  const MarkedStream &mark() {
    check(cudaEventRecord(mark_, stream_), "cannot record an event");
    return *this;
  }
  /// What comes next in this stream waits until the other one has come to its mark, if there is one.
  void wait_for(const MarkedStream &other) {
    check(cudaStreamWaitEvent(stream_, other.mark_, 0), "cannot wait for an event");
  }

private:
  cudaStream_t stream_ = nullptr;
  cudaEvent_t mark_ = nullptr;
};

struct TwoStreams {
  MarkedStream ahead, rest; ///< blocks of `ahead` run before those of `rest` that have not begun

  static TwoStreams &get() {
    static auto *streams = new TwoStreams(greatest_priority()); // as long as the process
    return *streams;
  }

private:
  explicit TwoStreams(int priority) : ahead(priority), rest(0) {}
  static int greatest_priority() {
    int least = 0, greatest = 0;
    check(cudaDeviceGetStreamPriorityRange(&least, &greatest), "cannot ask for priorities");
    return greatest;
  }
};

} // namespace detail
} // namespace cuda
} // namespace gc

#endif
