// The frontier of a propagate: the vertices that are active in a round, and those that will be in the next.
#ifndef GCOMPILE_FRONTIER_H
#define GCOMPILE_FRONTIER_H

#include <gcompile/levels.h>
#include <gcompile/vertex_set.h>

#include <algorithm>
#include <cstddef>
#include <initializer_list>

namespace gc {

/// The active vertices as a list (push) or as a bitmap (pull), and the next ones being collected.
///
/// A round: use_list, use_bitmap or pulls says in which form the round reads and writes; kernels read the current
/// vertices and collect the next ones through a writer a thread; advance makes those current. The memory is kept from
/// one run to the next.
template <class V> class Frontier {
public:
  explicit Frontier(const Graph<V> &graph) : graph_(graph) {}

  // ---- Between rounds -----------------------------------------------------------------------------------------------

  void start(const VertexSet<V> &from) {
    reset();
    if (from.is_all()) {
      start_all();
      return;
    }
    list_.resize_discard(graph_.num_vertices());
    for (V v : from)
      list_[size_++] = v;
    form_ = Form::list;
  }
  void start(std::initializer_list<V> from) {
    if (from.size() != 1 || *from.begin() >= graph_.num_vertices()) {
      start(VertexSet<V>::of(graph_.num_vertices(), from));
      return;
    }
    reset();
    list_.resize_discard(graph_.num_vertices());
    list_[size_++] = *from.begin();
    form_ = Form::list;
  }
  void start_all() {
    reset();
    size_ = graph_.num_vertices();
    form_ = Form::all;
  }

  /// In this propagate, lists are collected with push_once.
  void push_each_once() {
    queued_.resize(graph_.num_vertices());
    once_ = true;
  }

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  /// The number of the round, from 1.
  std::int32_t round() const { return round_; }
  /// How the round runs, for the profile.
  const char *state() const { return pulling_ ? "pull" : wide() ? "queue" : "serial"; }

  /// Makes the round read and collect lists.
  void use_list() {
    const V n = graph_.num_vertices();
    if (form_ == Form::all) {
      list_.resize_discard(n);
#pragma omp parallel for schedule(static) if (n > 65536)
      for (V v = 0; v < n; ++v)
        list_[v] = v;
    } else if (form_ == Form::bits) {
      list_.resize_discard(n);
      bits_.list(list_.data());
    }
    form_ = Form::list;
    pulling_ = false;
    next_list_.resize_discard(n);
    next_size_ = 0;
    next_arcs_ = 0;
  }

  /// Makes the round read and collect bitmaps.
  void use_bitmap() {
    const V n = graph_.num_vertices();
    if (form_ != Form::bits) {
      bits_.resize(n);
      if (form_ == Form::all) {
        bits_.set_all();
      } else {
        bits_.clear();
#pragma omp parallel for schedule(static) if (size_ > 16384)
        for (std::size_t i = 0; i < size_; ++i)
          bits_.set_atomic(list_[i]);
      }
    }
    form_ = Form::bits;
    pulling_ = true;
    next_bits_.resize(n);
    next_bits_.clear();
    next_size_ = 0;
  }

  /// Chooses the direction of the round, and makes it read and collect in the fitting form: pull once the arcs out of
  /// the frontier exceed the arcs out of vertices that were never active / alpha; push again when fewer than n / beta
  /// vertices are active and the frontier shrinks (Beamer et al. 2012).
  bool pulls(double alpha, double beta) {
    if (!pulling_) {
      if (!counting_) {
        counting_ = true;
        unseen_ = graph_.num_arcs();
        arcs_ = size_ == graph_.num_vertices() ? unseen_ : arcs_of_list();
      }
      // Near the end few arcs are unseen, but a pull still visits every vertex.
      const double least = static_cast<double>(graph_.num_arcs()) / 256;
      if (static_cast<double>(arcs_) > std::max(static_cast<double>(unseen_) / alpha, least)) {
        use_bitmap();
        return true;
      }
      unseen_ -= std::min(unseen_, arcs_);
    } else if (size_ >= previous_size_ ||
               static_cast<double>(size_) > static_cast<double>(graph_.num_vertices()) / beta) {
      use_bitmap();
      return true;
    }
    use_list();
    return false;
  }

  /// Makes the collected vertices current.
  void advance() {
    ++round_;
    previous_size_ = size_;
    size_ = next_size_;
    arcs_ = next_arcs_;
    if (pulling_) {
      std::swap(bits_, next_bits_);
      return;
    }
    std::swap(list_, next_list_);
    if (once_) {
      if (size_ > queued_.words() / 2) {
        queued_.clear();
      } else {
#pragma omp parallel for schedule(static) if (size_ > 16384)
        for (std::size_t i = 0; i < size_; ++i)
          queued_.reset_word(list_[i]);
      }
    }
  }

  // ---- In a round ---------------------------------------------------------------------------------------------------

  /// Whether the round is worth more than one thread.
  bool wide() const { return size_ >= 256; }
  /// The i-th vertex of the current list.
  V operator[](std::size_t i) const { return list_[i]; }
  /// Has the memory fetched that pushing later vertices will need: the neighbours of one some way on, and the `values`
  /// of the first neighbours of a nearer one, which have come meanwhile.
  template <class T> void prefetch(std::size_t i, const T *values) const {
    if (i + 8 < size_)
      __builtin_prefetch(graph_.out_targets + graph_.out_begin(list_[i + 8]));
    if (i + 4 < size_) {
      const Span<V> near = graph_.out_neighbors(list_[i + 4]);
      for (std::size_t k = 0; k < near.size() && k < 8; ++k)
        __builtin_prefetch(values + near[k]);
    }
  }
  /// The current bitmap.
  BitView bits() const { return bits_.view(); }
  /// The current vertices in either form, as those of a VertexSet.
  std::size_t slots() const { return form_ == Form::list ? size_ : graph_.num_vertices(); }
  V slot(std::size_t i) const {
    if (form_ == Form::list)
      return list_[i];
    return form_ == Form::all || bits_.contains(static_cast<V>(i)) ? static_cast<V>(i) : none<V>();
  }

  /// Writes the current vertices to `out`, which has room for them.
  void copy_to(V *out) const {
    if (form_ == Form::bits) {
      bits_.list(out);
      return;
    }
#pragma omp parallel for schedule(static) if (size_ > 65536)
    for (std::size_t i = 0; i < size_; ++i)
      out[i] = form_ == Form::all ? static_cast<V>(i) : list_[i];
  }

  /// Collects one thread's share of the next list in a buffer of 16 KiB.
  class Writer {
  public:
    explicit Writer(Frontier &frontier) : frontier_(frontier) {}
    Writer(const Writer &) = delete;
    ~Writer() {
      if (count_ > 0)
        flush();
    }
    /// Adds a vertex that nobody else adds.
    void push(V v) {
      buffer_[count_++] = v;
      if (count_ == capacity)
        flush();
    }
    /// Adds a vertex unless it is there.
    void push_once(V v) {
      if (Bitmap::set_atomic(frontier_.queued_.data(), v))
        push(v);
    }

  private:
    static constexpr std::size_t capacity = 16384 / sizeof(V);

    void flush() {
      if (frontier_.counting_) {
        EdgeId arcs = 0;
        for (std::size_t i = 0; i < count_; ++i)
          arcs += frontier_.graph_.out_end(buffer_[i]) - frontier_.graph_.out_begin(buffer_[i]);
        __atomic_fetch_add(&frontier_.next_arcs_, arcs, __ATOMIC_RELAXED);
      }
      const std::size_t at = __atomic_fetch_add(&frontier_.next_size_, count_, __ATOMIC_RELAXED);
      std::copy(buffer_, buffer_ + count_, frontier_.next_list_.data() + at);
      count_ = 0;
    }

    Frontier &frontier_;
    std::size_t count_ = 0;
    V buffer_[capacity];
  };
  Writer writer() { return Writer(*this); }

  /// Collects one thread's share of the next bitmap. Words belong to one thread each: chunks of a multiple of 64
  /// vertices.
  class BitWriter {
  public:
    explicit BitWriter(Frontier &frontier) : frontier_(frontier), words_(frontier.next_bits_.data()) {}
    BitWriter(const BitWriter &) = delete;
    ~BitWriter() { __atomic_fetch_add(&frontier_.next_size_, count_, __ATOMIC_RELAXED); }
    /// Adds a vertex of this thread's words.
    void set(V v) {
      const std::uint64_t bit = std::uint64_t(1) << (v % 64);
      count_ += (words_[v / 64] & bit) == 0;
      words_[v / 64] |= bit;
    }
    /// Adds any vertex.
    void set_atomic(V v) { count_ += Bitmap::set_atomic(words_, v); }

  private:
    Frontier &frontier_;
    std::uint64_t *words_;
    std::size_t count_ = 0;
  };
  BitWriter bit_writer() { return BitWriter(*this); }

private:
  enum class Form { list, bits, all };

  void reset() {
    size_ = previous_size_ = 0;
    round_ = 1;
    counting_ = pulling_ = once_ = false;
  }
  EdgeId arcs_of_list() const {
    EdgeId arcs = 0;
#pragma omp parallel for schedule(static) reduction(+ : arcs) if (size_ > 16384)
    for (std::size_t i = 0; i < size_; ++i)
      arcs += graph_.out_end(list_[i]) - graph_.out_begin(list_[i]);
    return arcs;
  }

  Graph<V> graph_;
  Form form_ = Form::list;
  bool pulling_ = false, counting_ = false, once_ = false;
  std::int32_t round_ = 1;
  std::size_t size_ = 0, previous_size_ = 0, next_size_ = 0;
  EdgeId arcs_ = 0, next_arcs_ = 0, unseen_ = 0;
  Array<V> list_, next_list_;
  Bitmap bits_, next_bits_, queued_;
};

/// The kept frontiers of a propagate, in order, each as a set.
template <class V> class Levels {
public:
  explicit Levels(const Graph<V> &graph) : n_(graph.num_vertices()) {}

  void clear() {
    ends_.clear();
    used_ = 0;
  }
  std::size_t size() const { return ends_.size(); }

  /// Appends the frontier's current vertices.
  void keep(const Frontier<V> &frontier) {
    const std::size_t count = frontier.size();
    if (used_ + count > members_.size()) {
      Array<V> more(std::max(std::max<std::size_t>(n_, members_.size() * 2), used_ + count));
      std::copy(members_.data(), members_.data() + used_, more.data());
      members_ = std::move(more);
    }
    frontier.copy_to(members_.data() + used_);
    used_ += count;
    ends_.push_back(used_);
  }

  VertexSet<V> operator[](std::size_t level) const {
    const std::size_t begin = level == 0 ? 0 : ends_[level - 1];
    return VertexSet<V>::view(n_, members_.data() + begin, ends_[level] - begin);
  }

  typename LevelRange<Levels>::Iterator begin() const { return LevelRange<Levels>{*this, false}.begin(); }
  typename LevelRange<Levels>::Iterator end() const { return LevelRange<Levels>{*this, false}.end(); }
  /// The levels, last first.
  LevelRange<Levels> reversed() const { return {*this, true}; }

private:
  V n_;
  std::size_t used_ = 0;
  Array<V> members_;
  std::vector<std::size_t> ends_;
};

} // namespace gc

#endif
