// What a shared library of a CUDA program does on the device: its runs, its results, and graphs that are there.
#ifndef GCOMPILE_CUDA_SHARED_H
#define GCOMPILE_CUDA_SHARED_H

#include <gcompile/cuda/device/memory.h>
#include <gcompile/program/shared.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gc {
namespace cuda {
namespace shared {

/// The device as the handles of a library use it.
class Device {
public:
  /// Works with it alone: handles of several threads take turns, as their kernels would anyway. What work() calls may
  /// call the library again. Throws what work() throws, once nothing runs on the device any more.
  template <class Work> static void use(const Work &work) {
    const std::lock_guard<std::recursive_mutex> lock(turns());
    const gc::detail::FailureRecord *const record = gc::detail::host_failure_record();
    if (record && record->taken) // a kernel that fails stops the device for the whole process
      throw Error(ErrorKind::resource, std::string("the GPU serves this process no more, since a run failed there: ") +
                                           record->place + ": " + record->what);
    try {
      work();
    } catch (...) {
      cudaDeviceSynchronize();
      cudaGetLastError(); // what has been said is no error of the next call
      throw;
    }
  }
  /// The same where nothing is said of a device that has stopped.
  template <class Work> static void leave(const Work &work) {
    const std::lock_guard<std::recursive_mutex> lock(turns());
    work();
  }

private:
  static std::recursive_mutex &turns() {
    static auto *mutex = new std::recursive_mutex; // as long as the process
    return *mutex;
  }
};

/// Visitor of a generated class's `device_outputs`: arrays are referred to where they are, scalars are copied.
struct CollectOnDevice {
  std::vector<gc::detail::OutputView> &views;

  template <class T> void operator()(const char *name, const Property<T> &values) {
    add<T>(name, values, values.data(), values.size());
  }
  template <class T> void operator()(const char *name, const Dense<T> &values) {
    add<T>(name, values, values.view().values, values.size() * values.size());
  }
  template <class T> void operator()(const char *name, const T &scalar) {
    gc::detail::CollectOutputs{views}(name, scalar);
  }

private:
  template <class T, class Values>
  void add(const char *name, const Values &values, const T *on_device, std::size_t count) {
    gc::detail::OutputView view = gc::detail::output_view<T>(name, nullptr, count);
    view.on_device = on_device;
    view.source = &values;
    view.fetch = [](gc::detail::OutputView &of) {
      Device::use([&] { of.data = static_cast<const Values *>(of.source)->host().data(); });
    };
    views.push_back(std::move(view));
  }
};

/// A program that is bound to a graph and to arguments.
template <class Algorithm> class Instance final : public gc::detail::Instance {
public:
  template <class V> Instance(const gc::Graph<V> &graph, const Arguments &arguments) {
    Device::use([&] { algorithm_.emplace(graph, arguments); });
  }
  Instance(const Instance &) = delete;
  Instance &operator=(const Instance &) = delete;
  ~Instance() override {
    Device::leave([&] { algorithm_.reset(); });
  }
  void run() override {
    Device::use([&] { algorithm_->run(); });
  }
  void set_arguments([[maybe_unused]] const Arguments &arguments) override {
    if constexpr (gc::detail::TakesArguments<Algorithm>::value)
      Device::use([&] { algorithm_->set_arguments(arguments); });
  }
  std::vector<gc::detail::OutputView> outputs() const override {
    std::vector<gc::detail::OutputView> views;
    algorithm_->device_outputs(CollectOnDevice{views});
    return views;
  }

private:
  std::optional<Algorithm> algorithm_;
};

/// The program on a graph whose vertices have the type V.
template <template <class> class Algorithm, class V>
std::unique_ptr<gc::detail::Instance> make(const LoadedGraph &graph, const Arguments &arguments) {
  return std::make_unique<Instance<Algorithm<V>>>(graph.view<V>(), arguments);
}

namespace detail {

/// The arrays of a graph on the host.
template <class V> struct HostArrays {
  Array<ArcId> offsets;
  Array<V> targets;
  std::vector<Array<unsigned char>> columns;
};

template <class T> Array<T> from_device(const T *values, std::size_t count) {
  Array<T> copy(count);
  const cudaError_t status = cudaMemcpy(copy.data(), values, count * sizeof(T), cudaMemcpyDeviceToHost);
  if (status == cudaErrorInvalidValue) {
    cudaGetLastError();
    throw Error(ErrorKind::argument, "the graph: an array is not in the memory of the GPU");
  }
  check(status, "copy from the device");
  return copy;
}

} // namespace detail

/// Gives the handle a copy of a graph whose arrays are on the device.
template <class V> int copy_graph(gc::shared::GraphHandle &graph, const gc::Graph<V> &on_device) noexcept {
  return graph.refer_to_copy([&] {
    auto copies = std::make_shared<detail::HostArrays<V>>();
    gc::Graph<V> view = on_device;
    if (view.out_offsets)
      Device::use([&] {
        copies->offsets = detail::from_device(view.out_offsets, static_cast<std::size_t>(view.n) + 1);
        const std::size_t arcs = copies->offsets[view.n];
        view.out_offsets = copies->offsets.data();
        if (arcs == 0)
          return;
        if (view.out_targets) {
          copies->targets = detail::from_device(view.out_targets, arcs);
          view.out_targets = copies->targets.data();
        }
        for (std::size_t k = 0; k < graph.info().edge_columns.size(); ++k)
          if (view.columns[k]) {
            const ColumnType type = graph.info().edge_columns[k].type;
            const std::size_t width = type == ColumnType::int32 || type == ColumnType::float32 ? 4 : 8;
            copies->columns.push_back(
                detail::from_device(static_cast<const unsigned char *>(view.columns[k]), arcs * width));
            view.columns[k] = copies->columns.back().data();
          }
      });
    return std::make_pair(view, std::shared_ptr<const void>(copies));
  });
}

} // namespace shared
} // namespace cuda
} // namespace gc

#endif
