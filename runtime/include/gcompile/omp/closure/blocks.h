// Closure of a value for each pair of vertices, in blocks of steps.
#ifndef GCOMPILE_OMP_CLOSURE_BLOCKS_H
#define GCOMPILE_OMP_CLOSURE_BLOCKS_H

#include <gcompile/core/property.h>
#include <gcompile/omp/closure/forms.h>
#include <gcompile/omp/closure/tile.h>
#include <gcompile/omp/threads/team.h>

#include <algorithm>
#include <atomic>
#include <cstddef>

namespace gc::detail {
inline namespace GCOMPILE_CLOSURES {

/// The steps are made in blocks, and these in strips. Panels hold row k and column k as they stood before step k. An
/// element has all its operands once the panels of the block are complete: then no order between elements matters, and
/// the answer is that of the plain loop, bit by bit, whatever the operation. The form (forms.h) says what a step does.
template <class T, class Form> class Closure {
public:
  /// `stride`: from one row of values to the next.
  Closure(T *values, std::size_t n, std::size_t stride, const Form &form, std::size_t block)
      : d_(values), n_(n), stride_(stride), block_(columns * ((std::max(block, strip_) + columns - 1) / columns)),
        width_((n_ + columns - 1) / columns * columns + 64 / sizeof(T)), form_(form), row_(block_ * width_),
        column_((n_ + rows) * block_), before_(Form::bounded ? 2 * std::min(block_, n_) * n_ : 0) {
    // Tiles at the edges take what stands beyond the last vertex, too.
    for (std::size_t k = 0; k < block_; ++k)
      std::fill(row_.data() + k * width_ + n_, row_.data() + (k + 1) * width_, T());
    std::fill(column_.data() + n_ * block_, column_.data() + column_.size(), T());
  }

  /// Makes the steps from `first` on. Returns the first one that it has not made: n, or before that where the form
  /// cannot hold what comes, and the values are those from before that step.
  std::size_t run(std::size_t first = 0) {
    for (; first < n_; first += block_) {
      const Range block = {first, std::min(first + block_, n_)};
      if (Form::bounded)
        exchange(block, [](T &value, T &kept) { kept = value; });
      for (std::size_t s = first; s < block.end; s += strip_) {
        const Range strip = {s, std::min(s + strip_, block.end)};
        begin(block, strip);
        finish_panels(block, strip);
      }
      if (Form::bounded && !holds(block)) {
        exchange(block, [](T &value, T &kept) { value = kept; });
        return first;
      }
      const Range others[] = {{0, block.begin}, {block.end, n_}};
      close(others, block, block, block);
    }
    return n_;
  }

private:
  static constexpr std::size_t strip_ = 16, rows = ClosureTile<T>::rows, columns = ClosureTile<T>::columns;

  struct Range {
    std::size_t begin, end;
    std::size_t size() const { return end - begin; }
    bool contains(std::size_t i) const { return begin <= i && i < end; }
  };

  T *row(Range block, std::size_t k) { return row_.data() + (k - block.begin) * width_; }
  T &column(Range block, std::size_t i, std::size_t k) { return column_[i * block_ + (k - block.begin)]; }

  /// Each value in the rows and in the columns of the block, and where it is kept.
  template <class Function> void exchange(Range block, const Function &function) {
    parallel_for(n_ > 256, n_, [&](std::size_t i) {
      T *const kept = before_.data() + i * 2 * block.size();
      for (std::size_t k = block.begin; k < block.end; ++k) {
        function(d_[i * stride_ + k], kept[2 * (k - block.begin)]);
        if (!block.contains(i)) // otherwise among the columns
          function(d_[k * stride_ + i], kept[2 * (k - block.begin) + 1]);
      }
    });
  }

  /// Whether the form holds the sums of all operands in the panels.
  bool holds(Range block) {
    std::atomic<bool> all{true};
    parallel_for(n_ > 256, n_, [&](std::size_t i) {
      bool fits = true;
      for (std::size_t k = block.begin; k < block.end; ++k)
        fits &= form_.holds_column(column(block, i, k)) & form_.holds_row(row(block, k)[i]);
      if (!fits)
        all = false;
    });
    return all;
  }

  /// The strip's own rows and columns, where each step changes what the next one takes.
  void begin(Range block, Range strip) {
    for (std::size_t k = strip.begin; k < strip.end; ++k) {
      for (std::size_t i = strip.begin; i < strip.end; ++i) {
        column(block, i, k) = form_.column(d_[i * stride_ + k]);
        row(block, k)[i] = form_.row(d_[k * stride_ + i]);
      }
      for (std::size_t i = strip.begin; i < strip.end; ++i)
        for (std::size_t j = strip.begin; j < strip.end; ++j)
          d_[i * stride_ + j] = form_.step(d_[i * stride_ + j], column(block, i, k), row(block, k)[j], i, j, k);
    }
    const std::size_t lanes = 4 * columns, parts = (n_ + lanes - 1) / lanes;
    parallel(n_ > 256, [&](const Share &mine) {
      for (auto part = mine.dynamic(2 * parts, 1); part.next();)
        for (std::size_t p = part.begin; p < part.end; ++p) {
          const Range all = {p / 2 * lanes, std::min(n_, (p / 2 + 1) * lanes)};
          // An array: nvcc hands g++ a list that it does not take.
          const Range beside[] = {{all.begin, std::min(all.end, strip.begin)},
                                  {std::max(all.begin, strip.end), all.end}};
          for (const Range some : beside)
            for (std::size_t at = some.begin; at < some.end; at += columns) {
              const Range lanes_here = {at, std::min(at + columns, some.end)};
              p % 2 == 0 ? begin_rows(block, strip, lanes_here) : begin_columns(block, strip, lanes_here);
            }
        }
    });
  }

  /// The rows of the strip, at some other columns.
  GCOMPILE_WIDEST void begin_rows(Range block, Range strip, Range js) {
    T own[strip_][columns];
    for (std::size_t i = 0; i < strip.size(); ++i)
      for (std::size_t c = 0; c < columns; ++c)
        own[i][c] = d_[(strip.begin + i) * stride_ + (c < js.size() ? js.begin + c : js.begin)];
    for (std::size_t k = 0; k < strip.size(); ++k) {
      T b[columns];
      for (std::size_t c = 0; c < columns; ++c)
        b[c] = form_.row(own[k][c]);
      for (std::size_t c = 0; c < js.size(); ++c)
        row(block, strip.begin + k)[js.begin + c] = b[c];
      for (std::size_t i = 0; i < strip.size(); ++i) {
        const T a = column(block, strip.begin + i, strip.begin + k);
#pragma omp simd
        for (std::size_t c = 0; c < columns; ++c)
          own[i][c] = form_.step(own[i][c], a, b[c], strip.begin + i, js.begin + c, strip.begin + k);
      }
    }
    for (std::size_t i = 0; i < strip.size(); ++i)
      for (std::size_t c = 0; c < js.size(); ++c)
        d_[(strip.begin + i) * stride_ + js.begin + c] = own[i][c];
  }

  /// The columns of the strip, at some other rows, which are the lanes.
  GCOMPILE_WIDEST void begin_columns(Range block, Range strip, Range is) {
    T own[strip_][columns];
    for (std::size_t c = 0; c < columns; ++c)
      for (std::size_t j = 0; j < strip.size(); ++j)
        own[j][c] = d_[(c < is.size() ? is.begin + c : is.begin) * stride_ + strip.begin + j];
    for (std::size_t k = 0; k < strip.size(); ++k) {
      T a[columns];
      for (std::size_t c = 0; c < columns; ++c)
        a[c] = form_.column(own[k][c]);
      for (std::size_t c = 0; c < is.size(); ++c)
        column(block, is.begin + c, strip.begin + k) = a[c];
      for (std::size_t j = 0; j < strip.size(); ++j) {
        const T b = row(block, strip.begin + k)[strip.begin + j];
#pragma omp simd
        for (std::size_t c = 0; c < columns; ++c)
          own[j][c] = form_.step(own[j][c], a[c], b, is.begin + c, strip.begin + j, strip.begin + k);
      }
    }
    for (std::size_t c = 0; c < is.size(); ++c)
      for (std::size_t j = 0; j < strip.size(); ++j)
        d_[(is.begin + c) * stride_ + strip.begin + j] = own[j][c];
  }

  /// The strip's steps at the rows of the block, and at its columns.
  void finish_panels(Range block, Range strip) {
    const Range above_and_below[] = {{block.begin, strip.begin}, {strip.end, block.end}};
    const Range others[] = {{0, block.begin}, {block.end, n_}};
    close(above_and_below, strip, block, strip);
    close_columns(others, block, strip);
  }

  /// The steps of `strip` at the rows of two ranges, and all columns but `done`.
  void close(const Range (&is)[2], Range done, Range block, Range strip) {
    const std::size_t tiles = (n_ + columns - 1) / columns, height = 16 * rows;
    const std::size_t first = (is[0].size() + height - 1) / height, second = (is[1].size() + height - 1) / height;
    parallel(n_ > 256, [&](const Share &mine) {
      for (auto part = mine.dynamic(tiles * (first + second), 2); part.next();)
        for (std::size_t p = part.begin; p < part.end; ++p) {
          const std::size_t r = p % (first + second), j = p / (first + second) * columns;
          const Range &range = is[r >= first];
          const std::size_t i = range.begin + (r >= first ? r - first : r) * height;
          for (std::size_t at = i; at < std::min(i + height, range.end); at += rows)
            tile({at, std::min(at + rows, range.end)}, {j, std::min(j + columns, n_)}, done, block, strip);
        }
    });
  }

  /// The steps of `strip` at the rows of two ranges, and the columns of the block but those of the strip.
  void close_columns(const Range (&is)[2], Range block, Range strip) {
    const std::size_t height = 16 * rows;
    const std::size_t first = (is[0].size() + height - 1) / height, second = (is[1].size() + height - 1) / height;
    parallel(n_ > 256, [&](const Share &mine) {
      for (auto part = mine.dynamic(first + second, 1); part.next();)
        for (std::size_t r = part.begin; r < part.end; ++r) {
          const Range &range = is[r >= first];
          const std::size_t i = range.begin + (r >= first ? r - first : r) * height;
          for (std::size_t at = i; at < std::min(i + height, range.end); at += rows)
            for (std::size_t j = block.begin; j < block.end; j += columns)
              tile({at, std::min(at + rows, range.end)}, {j, std::min(j + columns, block.end)}, strip, block, strip);
        }
    });
  }

  /// The steps of `strip` at the elements of a tile, but for the columns that are done.
  void tile(Range is, Range js, Range done, Range block, Range strip) {
    if (done.begin <= js.begin && js.end <= done.end)
      return;
    const T *const a = &column(block, is.begin, strip.begin), *const b = row(block, strip.begin) + js.begin;
    const ClosurePlace at = {is.begin, js.begin, strip.begin};
    T *const own = d_ + is.begin * stride_ + js.begin;
    const bool apart = js.end <= done.begin || done.end <= js.begin;
    if (apart && is.size() == rows && js.size() == columns)
      return close_tile(own, stride_, a, block_, b, width_, strip.size(), at, form_);
    T copy[rows * columns];
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t c = 0; c < columns; ++c)
        copy[r * columns + c] = own[(r < is.size() ? r : 0) * stride_ + (c < js.size() ? c : 0)];
    close_tile(copy, columns, a, block_, b, width_, strip.size(), at, form_);
    for (std::size_t r = 0; r < is.size(); ++r)
      for (std::size_t c = 0; c < js.size(); ++c)
        if (!done.contains(js.begin + c))
          own[r * stride_ + c] = copy[r * columns + c];
  }

  T *const d_;
  const std::size_t n_, stride_, block_, width_;
  const Form form_;
  Array<T> row_, column_; // the panels
  Array<T> before_;       // the rows and columns of a block, where the form may turn out not to hold its steps
};

} // namespace GCOMPILE_CLOSURES
} // namespace gc::detail

#endif
