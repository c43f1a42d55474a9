// The members of a set, collected by several threads.
#ifndef GCOMPILE_OMP_SETS_VERTEX_SET_BUILDER_H
#define GCOMPILE_OMP_SETS_VERTEX_SET_BUILDER_H

#include <gcompile/omp/sets/vertex_set.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gc {

/// Collects the members of a set in parallel: in a bitmap, or each thread in a list of its own.
template <class V> class VertexSetBuilder {
public:
  /// At most so many of the vertices 0..n-1 will be members.
  VertexSetBuilder(V n, std::size_t most);
  ~VertexSetBuilder();

  /// One thread's members; handed over when it is destroyed.
  class Writer {
  public:
    explicit Writer(VertexSetBuilder &builder) : builder_(builder), marks_(builder.marks_) {}
    Writer(const Writer &) = delete;
    ~Writer();
    void push(V v) {
      if (!marks_)
        return list(v);
      if (v / 64 != word_) {
        flush();
        word_ = v / 64;
      }
      bits_ |= std::uint64_t(1) << (v % 64);
    }

  private:
    void list(V v);
    void flush() {
      if (bits_ != 0)
        builder_.bits_.set_bits_atomic(word_, bits_);
      bits_ = 0;
    }

    VertexSetBuilder &builder_;
    const bool marks_;
    V word_ = 0;
    std::uint64_t bits_ = 0; // of that word
    std::vector<V> members_;
  };
  Writer writer() { return Writer(*this); }

  VertexSet<V> finish();

private:
  V n_;
  const bool marks_;
  Bitmap bits_;
  PerThread<std::vector<V>> parts_;
};

} // namespace gc

// As frontier.h says.
#ifdef GCOMPILE_TEAM_IN_PROGRAM
#include <gcompile/omp/sets/vertex_set_changes.h>
#endif

#endif
