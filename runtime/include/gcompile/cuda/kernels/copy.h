// Copies of state on the device: the snapshots that kernels read while they write the state itself.
#ifndef GCOMPILE_CUDA_KERNELS_COPY_H
#define GCOMPILE_CUDA_KERNELS_COPY_H

#include <gcompile/cuda/device/memory.h>

#include <cstddef>

namespace gc {
namespace cuda {

template <class T> void copy(Property<T> &to, const Property<T> &from) { to.copy_from(from); }
template <class T> void copy(Dense<T> &to, const Dense<T> &from) { to.copy_from(from); }
/// Copies row i.
template <class T, class V> void copy_row(Property<T> &to, const Dense<T> &from, V i) {
  check(cudaMemcpyAsync(to.data(), from.view().row(i), from.size() * sizeof(T), cudaMemcpyDeviceToDevice, 0),
        "copy on the device");
}
namespace detail {
template <class T, class Matrix> void copy_column(T *to, const Matrix &from, std::size_t j) {
  if (from.n > 0)
    check(cudaMemcpy2DAsync(to, sizeof(T), from.values + j, from.n * sizeof(T), sizeof(T), from.n,
                            cudaMemcpyDeviceToDevice, 0),
          "copy on the device");
}
} // namespace detail
/// Copies column j.
template <class T, class V> void copy_column(Property<T> &to, const Dense<T> &from, V j) {
  detail::copy_column(to.data(), from.view(), j);
}

} // namespace cuda
} // namespace gc

#endif
