// Closures by the least sum of integers that are not negative, in numbers of fewer bits: two of 16 in a word, or one of
// 32 for one of 64.
#ifndef GCOMPILE_CUDA_CLOSURE_FEWER_BITS_H
#define GCOMPILE_CUDA_CLOSURE_FEWER_BITS_H

#include <gcompile/core/numeric.h>
#include <gcompile/core/operators.h>
#include <gcompile/cuda/closure/matrix.h>
#include <gcompile/cuda/placement.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace gc {
namespace cuda {
namespace detail {

/// `own min= column + row` of both numbers of 16 bits in a word. They are at most 2^15 - 1: no sum leaves its half.
struct SumsInHalves : StepOfParts {
  __device__ std::uint32_t operator()(std::uint32_t own, std::uint32_t column, std::uint32_t row, unsigned, unsigned,
                                      unsigned) const {
    return __viaddmin_u16x2(column, row, own);
  }
  /// Both numbers of a word take that of column k, which the upper halves hold if the lower ones hold another column.
  template <bool of_column, unsigned count>
  static __device__ ClosureElements<std::uint32_t, count> operands(const ClosureElements<std::uint32_t, count> &words,
                                                                   [[maybe_unused]] const ClosureBlock &block) {
    ClosureElements<std::uint32_t, count> taken = words;
    if constexpr (of_column) {
      const unsigned selector = block.column == block.first ? 0x1010 : 0x3232;
      GCOMPILE_CUDA_UNROLL(unroll)
      for (unsigned e = 0; e < count; ++e)
        taken.of[e] = __byte_perm(words.of[e], 0, selector);
    }
    return taken;
  }
};

/// Words of a matrix of n * n numbers: word w of a row holds the numbers of columns w, w + words, and so on.
template <class Number> struct NumbersInWords {
  static constexpr unsigned in_a_word = sizeof(std::uint32_t) / sizeof(Number), bits = 8 * sizeof(Number);
  static constexpr Number infinity = std::numeric_limits<std::make_signed_t<Number>>::max();
  using Step = std::conditional_t<in_a_word == 1, UnsignedSum, SumsInHalves>;

  static __host__ __device__ Number part(std::uint32_t word, unsigned p) {
    return static_cast<Number>(word >> p * bits % 32);
  }
  static std::size_t words(std::size_t n) {
    constexpr std::size_t tile = ClosureShape<std::uint32_t>::tile;
    return in_a_word == 1 ? n : (n + in_a_word * tile - 1) / (in_a_word * tile) * tile;
  }
};

/// The greatest number but infinity. A negative one counts as greater than that.
template <class T>
__global__ void __launch_bounds__(block_threads)
    greatest_kernel(const T *elements, std::size_t count, unsigned long long *greatest) {
  using Number = std::make_unsigned_t<T>;
  unsigned long long most = 0;
  for (std::size_t e = blockIdx.x * std::size_t(block_threads) + threadIdx.x; e < count;
       e += std::size_t(gridDim.x) * block_threads) {
    const unsigned long long number = static_cast<Number>(elements[e]);
    if (elements[e] != inf<T>() && number > most)
      most = number;
  }
  if (most > gc::load(*greatest)) // most threads need not wait for their turn
    atomicMax(greatest, most);
}
template <class T> std::make_unsigned_t<T> greatest_element(const T *elements, std::size_t count) {
  Cell<unsigned long long> greatest(0);
  GCOMPILE_CUDA_LAUNCH(greatest_kernel<T>, blocks_for(count), block_threads, elements, count, greatest.data());
  return static_cast<std::make_unsigned_t<T>>(greatest.read());
}

template <class Number, class T>
__global__ void __launch_bounds__(block_threads)
    pack_numbers_kernel(const T *values, unsigned n, std::uint32_t *words, unsigned width) {
  using Form = NumbersInWords<Number>;
  const unsigned w = blockIdx.x * block_threads + threadIdx.x;
  if (w >= width)
    return;
  for (std::size_t i = blockIdx.y; i < n; i += gridDim.y) {
    std::uint32_t word = 0;
    for (unsigned p = 0; p < Form::in_a_word; ++p) {
      const unsigned j = w + p * width;
      const T value = j < n ? values[i * n + j] : inf<T>();
      word |= std::uint32_t(value < T(Form::infinity) ? static_cast<Number>(value) : Form::infinity) << p * Form::bits;
    }
    words[i * width + w] = word;
  }
}
template <class Number, class T>
__global__ void __launch_bounds__(block_threads)
    unpack_numbers_kernel(T *values, unsigned n, const std::uint32_t *words, unsigned width) {
  using Form = NumbersInWords<Number>;
  const unsigned w = blockIdx.x * block_threads + threadIdx.x;
  if (w >= width)
    return;
  for (std::size_t i = blockIdx.y; i < n; i += gridDim.y)
    for (unsigned p = 0; p < Form::in_a_word; ++p)
      if (const unsigned j = w + p * width; j < n) {
        const Number number = Form::part(words[i * width + w], p);
        values[i * n + j] = number == Form::infinity ? inf<T>() : T(number);
      }
}

/// Whether no number of a word but infinity is `limit` or more.
template <class Number> struct StaysBelow {
  Number limit;
  __device__ bool operator()(std::uint32_t word) const {
    using Form = NumbersInWords<Number>;
    bool below = true;
    for (unsigned p = 0; p < Form::in_a_word; ++p) {
      const Number number = Form::part(word, p);
      below = below && (number < limit || number == Form::infinity);
    }
    return below;
  }
};

/// to[j] = min(to[j], from[i] + values[i, j]) over a part of all i.
template <class T>
__global__ void __launch_bounds__(block_threads)
    lengthen_paths_kernel(const T *values, unsigned n, unsigned part, const T *from, T *to, unsigned *changed) {
  const unsigned j = blockIdx.x * block_threads + threadIdx.x;
  if (j >= n)
    return;
  const unsigned first = blockIdx.y * part, end = n - first < part ? n : first + part;
  const T before = to[j];
  T least = before;
  for (unsigned i = first; i < end; ++i) {
    const T path = from[i] + values[std::size_t(i) * n + j]; // unsigned: as in UnsignedSum
    least = path < least ? path : least;
  }
  if (least < before) {
    atomicMin(to + j, least);
    *changed = 1;
  }
}

/// Whether the paths from vertex 0, of numbers that are not negative, have few arcs and are all shorter than `limit`.
/// Source: Bellman and Ford.
template <class T> bool paths_stay_below(const T *values, std::size_t size, T limit) {
  constexpr unsigned most_arcs = 32, part = 128;
  using Number = std::conditional_t<sizeof(T) == sizeof(unsigned), unsigned, unsigned long long>;
  static_assert(sizeof(Number) == sizeof(T), "integers have 32 or 64 bits");
  const auto n = static_cast<unsigned>(size);
  const Number *const numbers = reinterpret_cast<const Number *>(values);
  Buffer<Number> from(n), to(n);
  check(cudaMemcpyAsync(to.data(), numbers, n * sizeof(Number), cudaMemcpyDeviceToDevice, 0), "copy on the device");
  for (unsigned arcs = 1; arcs < most_arcs; ++arcs) {
    Cell<unsigned> changed(0);
    from.copy_from(to, n);
    GCOMPILE_CUDA_LAUNCH(lengthen_paths_kernel<Number>, dim3((n - 1) / block_threads + 1, (n - 1) / part + 1),
                         block_threads, numbers, n, part, from.data(), to.data(), changed.data());
    if (!changed.read())
      return greatest_element(reinterpret_cast<const T *>(to.data()), n) < Number(limit);
  }
  return false;
}

/// Whether so many bytes of the device may be allocated.
inline bool has_room(std::size_t bytes) {
  std::size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total), "no device");
  return (device_memory.has_room(bytes) && free >= bytes + total / 64) || usable_memory() >= static_cast<double>(bytes);
}

/// Closes numbers from 0 to `greatest` and infinity as numbers of fewer bits, if that is right: whether it is. There,
/// all sums from the greatest number on are infinity, and the closure of numbers that are cut off is the closure, cut
/// off. A finite result that is cut off has a path whose last but one such vertex is at most `greatest` less than that
/// away: if no result is that great, none is cut off.
template <class Number, class T> bool close_in_fewer_bits(T *values, std::size_t n, T greatest) {
  using Form = NumbersInWords<Number>;
  constexpr T infinity = Form::infinity;
  constexpr std::size_t tile = ClosureShape<std::uint32_t>::tile;
  const std::size_t width = Form::words(n);
  if (greatest >= infinity || (Form::in_a_word > 1 && width < 2 * tile) ||
      !has_room(sizeof(std::uint32_t) * width * (n + 8 * tile)))
    return false;
  // Paths of many steps may be too long; one look is cheap beside the closure.
  if (greatest > infinity / 128 && !paths_stay_below(values, n, T(infinity - greatest)))
    return false;
  Buffer<std::uint32_t> words(n * width);
  const auto rows = static_cast<unsigned>(n), columns = static_cast<unsigned>(width);
  const dim3 grid((columns - 1) / block_threads + 1, rows < 32768 ? rows : 32768);
  GCOMPILE_CUDA_LAUNCH((pack_numbers_kernel<Number, T>), grid, block_threads, values, rows, words.data(), columns);
  close_matrix(ClosureMatrix<std::uint32_t>{words.data(), rows, columns}, typename Form::Step());
  if (!all_elements(words.data(), words.size(), StaysBelow<Number>{static_cast<Number>(infinity - greatest)}))
    return false;
  GCOMPILE_CUDA_LAUNCH((unpack_numbers_kernel<Number, T>), grid, block_threads, values, rows, words.data(), columns);
  check(cudaGetLastError(), "cannot start a kernel");
  return true;
}

/// Closes integers by the least sum if none is negative: whether that is so.
template <class T> bool close_integers(T *values, std::size_t n) {
  static const bool halves_pay = [] { // other devices have no instruction for a step of both halves
    int device = 0, major = 0;
    check(cudaGetDevice(&device), "no device");
    check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device), "no device");
    return major >= 9;
  }();
  using Number = std::make_unsigned_t<T>;
  const Number unsigned_greatest = greatest_element(values, n * n);
  if (unsigned_greatest > Number(inf<T>()))
    return false;
  const T greatest = static_cast<T>(unsigned_greatest);
  if (halves_pay && close_in_fewer_bits<std::uint16_t>(values, n, greatest))
    return true;
  if constexpr (sizeof(T) > sizeof(std::uint32_t))
    if (close_in_fewer_bits<std::uint32_t>(values, n, greatest))
      return true;
  close_matrix(reinterpret_cast<Number *>(values), n, UnsignedSum());
  return true;
}

} // namespace detail
} // namespace cuda
} // namespace gc

#endif
