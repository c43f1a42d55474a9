// Copies between the host and the device, by way of pinned memory of the host.
#ifndef GCOMPILE_CUDA_DEVICE_LINK_H
#define GCOMPILE_CUDA_DEVICE_LINK_H

#include <gcompile/core/device_memory.h>
#include <gcompile/cuda/device/host_room.h>
#include <gcompile/program/parts.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

namespace gc {
namespace cuda {

/// The link between the host and the device that a thread uses. Memory of programs is not pinned: what is copied passes
/// pieces that are. A driver that is given such memory has one thread that does the same. Several threads fill or empty
/// one piece while the device reads or writes the next, in a stream of its own, beside kernels. The pieces are
/// allocated when something is copied. Calls throw Error as check() does.
class Link {
public:
  Link() = default;
  Link(const Link &) = delete;
  Link &operator=(const Link &) = delete;

  static Link &get() {
    static auto *links = new PerGpu<Link>; // as long as the process
    return links->mine();
  }

  /// What is copied from now on waits for the work that the default stream has.
  void follow() {
    start();
    check(cudaEventRecord(begun_, 0), "cannot record an event");
    check(cudaStreamWaitEvent(stream_, begun_, 0), "cannot wait for an event");
  }

  /// Copies to the device: the default stream finds it there after order(). The host's values have been read after
  /// send(), and are then at `also`, too, which may be null.
  void upload(void *to, const void *from, std::size_t bytes, void *also = nullptr) {
    // They are only read.
    add(static_cast<char *>(const_cast<void *>(from)), static_cast<char *>(to), static_cast<char *>(also), bytes, true);
  }
  /// Copies from the device: what stands there is at `to`, and at `also` unless that is null, after finish(). Both may
  /// be written at any time until then.
  void download(void *to, const void *from, std::size_t bytes, void *also = nullptr) {
    add(static_cast<char *>(to), static_cast<char *>(const_cast<void *>(from)), static_cast<char *>(also), bytes,
        false);
  }

  /// Begins all copies that were asked for.
  void send() {
    if (!open_)
      return;
    Piece &piece = *open_;
    char *const room = static_cast<char *>(piece.room.data());
    for_parts_of(piece, true, [&](const Part &part) { std::memcpy(room + part.at, part.host, part.bytes); });
    for (std::size_t i = 0, next = 0; i < piece.parts.size(); i = next) {
      const Part &first = piece.parts[i];
      std::size_t bytes = 0; // of the parts that follow each other on the device as well
      for (next = i; next < piece.parts.size() && piece.parts[next].up == first.up &&
                     piece.parts[next].device == first.device + bytes;
           ++next)
        bytes += piece.parts[next].bytes;
      check(first.up ? cudaMemcpyAsync(first.device, room + first.at, bytes, cudaMemcpyHostToDevice, stream_)
                     : cudaMemcpyAsync(room + first.at, first.device, bytes, cudaMemcpyDeviceToHost, stream_),
            "copy between the host and the device");
    }
    check(cudaEventRecord(piece.done, stream_), "cannot record an event");
    under_way_.push_back(std::move(open_));
  }
  /// Later work of the default stream waits for the copies.
  void order() {
    send();
    start();
    check(cudaEventRecord(sent_, stream_), "cannot record an event");
    check(cudaStreamWaitEvent(0, sent_, 0), "cannot wait for an event");
  }
  /// Waits for the copies.
  void finish() {
    send();
    while (!under_way_.empty())
      settle();
  }
  /// Waits for the copies, and leaves the memory of the host as it is: its owner may have gone.
  void abandon() {
    if (open_)
      spare_.push_back(std::move(open_));
    for (auto &piece : under_way_) {
      cudaEventSynchronize(piece->done);
      spare_.push_back(std::move(piece));
    }
    under_way_.clear();
    for (auto &piece : spare_)
      piece->parts.clear();
  }

  /// Whether one more copy of so many bytes, which would do without, takes less time by way of the pieces. Pinning them
  /// takes about as long as `bytes_for_pinning` gain: they come once so much has been asked for.
  bool pays(std::size_t bytes) {
    if (bytes < least_bytes)
      return false;
    asked_bytes_ += bytes;
    return asked_bytes_ >= bytes_for_pinning;
  }

  /// Where copies are made; for a kernel that says what is to be copied.
  cudaStream_t stream() {
    start();
    return stream_;
  }

#ifdef GCOMPILE_CUDA_EMULATION // small ones, so that there are several
  static constexpr std::size_t piece_bytes = 1000, part_bytes = 300, least_bytes = 200, bytes_for_pinning = 2000;
#else
  static constexpr std::size_t piece_bytes = std::size_t(2) << 20, part_bytes = std::size_t(1) << 16,
                               least_bytes = std::size_t(1) << 20, bytes_for_pinning = std::size_t(1) << 27;
#endif

private:
  static constexpr std::size_t most_pieces = 8;

  /// What is copied at once by one thread.
  struct Part {
    char *host, *device, *also;
    std::size_t at, bytes; ///< in the piece
    bool up;               ///< to the device
  };
  struct Piece {
    HostRoom room;
    cudaEvent_t done = nullptr;
    std::vector<Part> parts;
    std::size_t used() const { return parts.empty() ? 0 : parts.back().at + parts.back().bytes; }
  };

  void start() {
    if (stream_)
      return;
    check(cudaEventCreateWithFlags(&begun_, cudaEventDisableTiming), "cannot make an event");
    check(cudaEventCreateWithFlags(&sent_, cudaEventDisableTiming), "cannot make an event");
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cannot make a stream");
  }

  void add(char *host, char *device, char *also, std::size_t bytes, bool up) {
    while (bytes > 0) {
      if (!open_)
        open();
      const std::size_t at = open_->used(), count = std::min({bytes, part_bytes, piece_bytes - at});
      open_->parts.push_back({host, device, also, at, count, up});
      host += count;
      device += count;
      also = also ? also + count : nullptr;
      bytes -= count;
      if (open_->used() == piece_bytes)
        send();
    }
  }

  void open() {
    start();
    if (spare_.empty() && under_way_.size() == most_pieces)
      settle();
    if (spare_.empty()) {
      auto piece = std::make_unique<Piece>();
      piece->room.reserve(piece_bytes);
      check(cudaEventCreateWithFlags(&piece->done, cudaEventDisableTiming), "cannot make an event");
      spare_.push_back(std::move(piece));
    }
    open_ = std::move(spare_.back());
    spare_.pop_back();
  }

  /// Waits for the oldest piece, and gives the host what has come in it.
  void settle() {
    std::unique_ptr<Piece> piece = std::move(under_way_.front());
    under_way_.pop_front();
    check(cudaEventSynchronize(piece->done), "copy between the host and the device");
    const char *const room = static_cast<const char *>(piece->room.data());
    for_parts_of(*piece, false, [&](const Part &part) { std::memcpy(part.host, room + part.at, part.bytes); });
    piece->parts.clear();
    spare_.push_back(std::move(piece));
  }

  /// Has several threads copy the parts of one direction, to `also` too.
  template <class Copy> static void for_parts_of(const Piece &piece, bool up, const Copy &copy) {
    if (std::none_of(piece.parts.begin(), piece.parts.end(), [&](const Part &part) { return part.up == up; }))
      return;
    gc::detail::for_parts(piece.parts.size(), [&](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t i = begin; i < end; ++i)
        if (const Part &part = piece.parts[i]; part.up == up) {
          copy(part);
          if (part.also)
            std::memcpy(part.also, part.host, part.bytes);
        }
    });
  }

  cudaStream_t stream_ = nullptr;
  cudaEvent_t begun_ = nullptr, sent_ = nullptr;
  std::unique_ptr<Piece> open_; ///< it is being filled
  std::deque<std::unique_ptr<Piece>> under_way_;
  std::vector<std::unique_ptr<Piece>> spare_;
  std::size_t asked_bytes_ = 0;
};

namespace detail {

/// Has the link copy; if that fails, nothing of it is done later.
template <class Copy> void copy_by_link(const Copy &copy) {
  Link &link = Link::get();
  try {
    link.follow();
    copy(link);
  } catch (...) {
    link.abandon();
    throw;
  }
}

} // namespace detail

/// Copies to the device, after what the default stream has begun; what that begins later finds it there. The host's
/// values have been read.
inline void copy_to_device(void *to, const void *from, std::size_t bytes) {
  if (!Link::get().pays(bytes))
    return check(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice), "copy to the device");
  detail::copy_by_link([&](Link &link) {
    link.upload(to, from, bytes);
    link.order();
  });
}
/// Copies from the device what the default stream leaves there.
inline void copy_to_host(void *to, const void *from, std::size_t bytes) {
  if (!Link::get().pays(bytes))
    return check(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost), "copy from the device");
  detail::copy_by_link([&](Link &link) {
    link.download(to, from, bytes);
    link.finish();
  });
}

} // namespace cuda
} // namespace gc

#endif
