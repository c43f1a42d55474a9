// Copies of state: the snapshots that kernels read while they write the state itself.
#ifndef GCOMPILE_OMP_COPY_H
#define GCOMPILE_OMP_COPY_H

#include <gcompile/core/property.h>
#include <gcompile/omp/threads/team.h>

#include <cstddef>

namespace gc {

namespace detail {

template <class T> void copy_values(T *to, const T *from, std::size_t count, std::size_t stride, bool threads) {
  parallel_for(threads && count > 16384, count, [=](std::size_t i) { to[i] = from[i * stride]; });
}

} // namespace detail

// Of an array that a program declares, the copy has the length of the original.
template <class T> void copy(Property<T> &to, const Property<T> &from) {
  to.resize_discard(from.size());
  detail::copy_values(to.data(), from.data(), from.size(), 1, true);
}
template <class T> void copy(Dense<T> &to, const Dense<T> &from) {
  detail::copy_values(to.data(), from.data(), from.size() * from.size(), 1, true);
}
/// Copies row i.
template <class T, class V> void copy_row(Property<T> &to, const Dense<T> &from, V i) {
  detail::copy_values(to.data(), from.row(i), from.size(), 1, true);
}
/// Copies column j.
template <class T, class V> void copy_column(Property<T> &to, const Dense<T> &from, V j) {
  detail::copy_values(to.data(), from.data() + j, from.size(), from.size(), true);
}

template <class T> void copy_serially(Property<T> &to, const Property<T> &from) {
  to.resize_discard(from.size());
  detail::copy_values(to.data(), from.data(), from.size(), 1, false);
}
template <class T> void copy_serially(Dense<T> &to, const Dense<T> &from) {
  detail::copy_values(to.data(), from.data(), from.size() * from.size(), 1, false);
}
template <class T, class V> void copy_row_serially(Property<T> &to, const Dense<T> &from, V i) {
  detail::copy_values(to.data(), from.row(i), from.size(), 1, false);
}
template <class T, class V> void copy_column_serially(Property<T> &to, const Dense<T> &from, V j) {
  detail::copy_values(to.data(), from.data() + j, from.size(), from.size(), false);
}

} // namespace gc

#endif
