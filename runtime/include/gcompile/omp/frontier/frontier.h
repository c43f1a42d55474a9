// The frontier of a propagate: the vertices that are active in a round, and those that will be in the next.
#ifndef GCOMPILE_OMP_FRONTIER_FRONTIER_H
#define GCOMPILE_OMP_FRONTIER_FRONTIER_H

#include <gcompile/omp/frontier/cut_lists.h>
#include <gcompile/omp/frontier/marks.h>
#include <gcompile/omp/frontier/push_state.h>
#include <gcompile/omp/prefetch.h>
#include <gcompile/omp/sets/vertex_set.h>
#include <gcompile/omp/threads/chunks.h>
#include <gcompile/omp/threads/in_order.h>
#include <gcompile/omp/threads/team.h>
#include <gcompile/omp/threads/threads.h>

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <vector>

namespace gc {

/// The active vertices of a round, and the next ones being collected.
///
/// They are in a list, in a bitmap, or have a mark each. begin_push, begin_pull, pulls or use_list says how the round
/// runs; kernels read the current vertices through a reader, and collect the next ones through a writer, of each
/// thread; advance makes those current. The memory is kept from one run to the next.
template <class V> class Frontier {
  enum class Form { list, bits, marks, all };
  static constexpr std::size_t most_alone = 256;     // vertices that one thread processes
  static constexpr std::size_t most_in_order = 2048; // for each thread, whose followers keep the order of the threads
  static constexpr std::size_t fetched_ahead = 8;    // vertices whose neighbours' values are fetched: prefetch_push
  static constexpr std::size_t sparse_block = 1024;  // vertices of a block that are looked at, a multiple of 64

public:
  explicit Frontier(const Graph<V> &graph) : graph_(graph) {}

  // ---- Between rounds -----------------------------------------------------------------------------------------------

  /// Goes along the arcs of this graph, of as many vertices, from the next start on.
  void follow(const Graph<V> &graph) { graph_ = graph; }

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

  /// In this propagate, vertices are collected with push_once.
  void push_each_once() { once_ = true; }
  /// In this propagate, threads may share the list of a vertex in a push: kernels ask the reader for lists.
  void share_lists() { sharing_ = true; }
  /// In this propagate, rounds that push take the states of `rule`.
  void push_by(const PushRule &rule) { rule_ = rule; }

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  /// The number of the round, from 1.
  std::int32_t round() const { return round_; }
  /// How the round runs, for the profile.
  const char *state() const {
    return pulling_ ? "pull" : state_ == PushState::serial ? "serial" : state_ == PushState::queue ? "queue" : "read";
  }

  /// Makes the round push.
  void begin_push() {
    state_ = rule_.next(state_, previous_size_, size_, graph_.num_vertices());
    const bool few = state_ == PushState::serial && rule_.kind == PushRule::Kind::queue;
    // A few hubs can have much to do.
    if (few && (counting_ ? arcs_ : form_ == Form::list ? arcs_of_list() : 0) > 16 * most_alone)
      state_ = PushState::queue;
    wide_ = state_ != PushState::serial;
    collect(state_ == PushState::read ? Form::marks : Form::list);
    chunks_.restart();
    const bool in_order = wide_ && next_form_ == Form::list && size_ < most_in_order * in_order_.threads();
    const bool all_short = counting_ && arcs_ <= CutLists<V>::longest;
    cutting_ = sharing_ && wide_ && !all_short && omp_get_max_threads() > 1;
    cut_early_ = cutting_ && (few || in_order) && form_ == Form::list;
    // Who comes when a list is cut on the way would still find something.
    in_order_.restart(in_order && cut_early_ == cutting_);
    if (cut_early_)
      for (std::size_t i = 0; i < size_; ++i)
        if (graph_.out_end(list_[i]) - graph_.out_begin(list_[i]) > CutLists<V>::longest)
          cut_lists_.cut(graph_, list_[i]);
  }

  /// Makes the round push on one thread from a list.
  void use_list() {
    if (form_ != Form::list) {
      list_.resize_discard(graph_.num_vertices());
      copy_to(list_.data());
      form_ = Form::list;
    }
    collect(Form::list);
  }

  /// Makes the round pull, from a bitmap and into one.
  void begin_pull() {
    to_bits();
    collect(Form::bits);
    wide_ = true;
  }

  /// Chooses the direction of the round: pull once the arcs out of the frontier exceed the arcs out of vertices that
  /// were never active / alpha; push again when fewer than n / beta vertices are active and the frontier shrinks
  /// (Beamer et al. 2012).
  bool pulls(double alpha, double beta) {
    bool pull = false;
    if (!pulling_) {
      count_arcs();
      // Near the end few arcs are unseen, but a pull still visits every vertex.
      const double least = static_cast<double>(graph_.num_arcs()) / 256;
      pull = static_cast<double>(arcs_) > std::max(static_cast<double>(unseen_) / alpha, least);
      if (!pull)
        unseen_ -= std::min(unseen_, arcs_);
    } else {
      pull = size_ >= previous_size_ || static_cast<double>(size_) > static_cast<double>(graph_.num_vertices()) / beta;
    }
    begin(pull);
    return pull;
  }

  /// Chooses the direction by the change of state (S5): while the frontier grows, pull once the last round has looked
  /// at more than ((n - visited) * factor + n) / alpha arcs; while it shrinks, push below ((n - visited) * factor + n)
  /// / (factor * beta) vertices and pull above. `factor` is half the average degree, `visited` the vertices so far.
  bool pulls_by_growth(double alpha, double beta) {
    const double n = static_cast<double>(graph_.num_vertices());
    const double factor = std::max(static_cast<double>(graph_.num_arcs()) / n / 2, 1.0);
    count_arcs();
    const EdgeId scanned = previous_arcs_;
    visited_ += size_;
    const double rest = std::max(n - static_cast<double>(visited_), 0.0) * factor + n;
    const bool pull = size_ > previous_size_ ? pulling_ || static_cast<double>(scanned) >= rest / alpha
                                             : static_cast<double>(size_) >= rest / (factor * beta);
    begin(pull);
    return pull;
  }

  /// Makes the collected vertices current.
  void advance() {
    ++round_;
    previous_size_ = size_;
    previous_arcs_ = arcs_;
    size_ = next_size_;
    arcs_ = next_arcs_;
    wide_ = size_ >= most_alone;
    form_ = next_form_;
    if (form_ == Form::bits) {
      std::swap(bits_, next_bits_);
    } else if (form_ == Form::marks) {
      std::swap(marks_, next_marks_);
    } else {
      std::swap(list_, next_list_);
      if (once_ && size_ > queued_.words() / 2) {
        queued_.clear();
      } else if (once_) {
        parallel_for(size_ > 16384, size_, [this](std::size_t i) { queued_.reset_word(list_[i]); });
      }
    }
  }

  // ---- In a round ---------------------------------------------------------------------------------------------------

  /// Whether the round is worth more than one thread.
  bool wide() const { return wide_; }
  /// The i-th vertex of the current list.
  V operator[](std::size_t i) const { return list_[i]; }

  class Reader;
  /// Some of the current vertices.
  struct Active {
    const V *first;
    std::size_t count;
    std::size_t known; ///< vertices from `first` on that are known to follow
    Reader &reader;
    EdgeId longest; ///< list that is not left to the reader

    std::size_t size() const { return count; }
    V operator[](std::size_t i) const { return first[i]; }
    /// Has what pushes from later vertices need fetched, while the i-th is at work: prefetch_push.
    template <class T, class... Columns>
    GCOMPILE_FETCHES void prefetch(std::size_t i, const Graph<V> &graph, const T *values,
                                   const Columns *...columns) const {
      prefetch_to_write(i, graph, values, columns...);
    }
    template <class T, class... Columns>
    GCOMPILE_FETCHES void prefetch_to_write(std::size_t i, const Graph<V> &graph, T *values,
                                            const Columns *...columns) const {
      prefetch_push<fetched_ahead>(
          known - i, [&](std::size_t k) { return first[i + k]; }, graph, values, columns...);
    }
    /// Has further values fetched that the pushes write at the neighbours.
    template <class T> GCOMPILE_FETCHES void prefetch_writes(std::size_t i, const Graph<V> &graph, T *values) const {
      prefetch_neighbors<fetched_ahead>(
          known - i, [&](std::size_t k) { return first[i + k]; }, graph, values);
    }
    /// The arcs out of the i-th vertex that this thread is to walk.
    Arcs out_arcs(std::size_t i, const Graph<V> &graph) const {
      const Arcs arcs{graph.out_begin(first[i]), graph.out_end(first[i])};
      return arcs.end - arcs.begin > longest ? reader.long_list(first[i]) : arcs;
    }
    /// Their targets.
    Span<V> out_neighbors(std::size_t i, const Graph<V> &graph) const {
      const Arcs arcs = out_arcs(i, graph);
      return {graph.out_targets + arcs.begin, graph.out_targets + arcs.end};
    }
  };

  /// One thread's way through its part of the current vertices in a push: `while (next())`, active(). One thread has
  /// each vertex; but a long list may be cut, and its parts be walked by several.
  class Reader {
  public:
    explicit Reader(Frontier &frontier)
        : frontier_(frontier), block_size_(frontier.block_size()), way_(frontier.way(frontier.blocks())) {}

    bool next() {
      whole_ = way_.take(block_);
      return whole_ || (frontier_.cutting_ && frontier_.cut_lists_.take(part_));
    }
    /// Valid until next is called.
    Active active() {
      Frontier &f = frontier_;
      if (!whole_)
        return {&part_.vertex, 1, 1, *this, 0};
      const EdgeId longest = f.cutting_ ? CutLists<V>::longest : ~EdgeId(0);
      const std::size_t begin = block_ * block_size_;
      if (f.form_ == Form::list)
        return {f.list_.data() + begin, std::min(block_size_, f.size_ - begin), f.size_ - begin, *this, longest};
      const std::size_t end = std::min<std::size_t>(begin + block_size_, f.graph_.num_vertices());
      std::size_t count = 0;
      if (f.form_ == Form::all) {
        for (std::size_t v = begin; v < end; ++v)
          found_[count++] = static_cast<V>(v);
      } else if (f.form_ == Form::bits) {
        for (std::size_t w = begin / 64; w * 64 < end; ++w)
          for (std::uint64_t word = f.bits_.data()[w]; word; word &= word - 1)
            found_[count++] = static_cast<V>(w * 64 + static_cast<std::size_t>(__builtin_ctzll(word)));
      } else {
        count = f.marks_.take(begin, end, found_);
      }
      return {found_, count, count, *this, longest};
    }
    /// This thread's part of a list that may be cut.
    [[gnu::noinline]] Arcs long_list(V v) {
      if (!whole_)
        return part_.arcs;
      if (!frontier_.cut_early_)
        frontier_.cut_lists_.cut(frontier_.graph_, v);
      return {0, 0};
    }

  private:
    Frontier &frontier_;
    const std::size_t block_size_;
    Chunks::Way way_;
    std::size_t block_ = 0;
    bool whole_ = false; // or a part of a list
    typename CutLists<V>::Part part_;
    V found_[sparse_block];
  };
  Reader reader() { return Reader(*this); }

  /// The current bitmap.
  BitView bits() const { return bits_.view(); }
  /// The current vertices in any form, as those of a VertexSet.
  std::size_t slots() const { return form_ == Form::list ? size_ : graph_.num_vertices(); }
  V slot(std::size_t i) const {
    if (form_ == Form::list)
      return list_[i];
    const V v = static_cast<V>(i);
    return form_ == Form::all || (form_ == Form::bits ? bits_.contains(v) : marks_.contains(v)) ? v : none<V>();
  }

  /// Writes the current vertices to `out`, which has room for them.
  void copy_to(V *out) const {
    if (form_ == Form::bits) {
      bits_.list(out);
    } else if (form_ == Form::marks) {
      for (std::size_t i = 0, n = graph_.num_vertices(); i < n; ++i)
        if (marks_.contains(i))
          *out++ = static_cast<V>(i);
    } else {
      parallel_for(size_ > 65536, size_,
                   [this, out](std::size_t i) { out[i] = form_ == Form::all ? static_cast<V>(i) : list_[i]; });
    }
  }

  /// Collects one thread's share of the next vertices in a push: marks them, or gathers them in a buffer of 16 KiB. In
  /// the list of a short frontier those of the first thread come first, and so on: in the next round each thread begins
  /// with those that it has found itself, which are in its cache.
  class Writer {
  public:
    explicit Writer(Frontier &frontier)
        : frontier_(frontier), marks_(frontier.next_form_ == Form::marks ? frontier.next_marks_.data() : nullptr),
          in_order_(frontier.in_order_.enter()) {}
    Writer(const Writer &) = delete;
    ~Writer() {
      if (in_order_)
        append_in_order();
      else if (count_ > 0)
        flush();
      if (marked_ > 0)
        __atomic_fetch_add(&frontier_.next_size_, marked_, __ATOMIC_RELAXED);
      if (arcs_ > 0)
        __atomic_fetch_add(&frontier_.next_arcs_, arcs_, __ATOMIC_RELAXED);
    }
    /// Adds a vertex that nobody else adds.
    void push(V v) {
      if (marks_) {
        __atomic_store_n(&marks_[v], 1, __ATOMIC_RELAXED);
        count(v);
        return;
      }
      buffer_[count_++] = v;
      if (count_ == capacity)
        in_order_ ? set_aside() : flush();
    }
    /// Adds a vertex unless it is there.
    void push_once(V v) {
      if (marks_) {
        if (__atomic_load_n(&marks_[v], __ATOMIC_RELAXED) == 0 &&
            __atomic_exchange_n(&marks_[v], 1, __ATOMIC_RELAXED) == 0)
          count(v);
      } else if (Bitmap::set_atomic(frontier_.queued_.data(), v)) {
        push(v);
      }
    }

  private:
    static constexpr std::size_t capacity = 16384 / sizeof(V);

    void count(V v) {
      ++marked_;
      if (frontier_.counting_)
        arcs_ += frontier_.graph_.out_end(v) - frontier_.graph_.out_begin(v);
    }
    void flush() {
      count_arcs();
      const std::size_t at = __atomic_fetch_add(&frontier_.next_size_, count_, __ATOMIC_RELAXED);
      std::copy(buffer_, buffer_ + count_, frontier_.next_list_.data() + at);
      count_ = 0;
    }
    void set_aside() {
      count_arcs();
      aside_.insert(aside_.end(), buffer_, buffer_ + count_);
      count_ = 0;
    }
    void append_in_order() {
      count_arcs();
      const std::size_t at = frontier_.in_order_.place(aside_.size() + count_);
      __atomic_fetch_add(&frontier_.next_size_, aside_.size() + count_, __ATOMIC_RELAXED);
      V *const next = std::copy(aside_.begin(), aside_.end(), frontier_.next_list_.data() + at);
      std::copy(buffer_, buffer_ + count_, next);
    }
    void count_arcs() {
      if (!frontier_.counting_)
        return;
      EdgeId sum = 0; // in a register
      for (std::size_t i = 0; i < count_; ++i)
        sum += frontier_.graph_.out_end(buffer_[i]) - frontier_.graph_.out_begin(buffer_[i]);
      arcs_ += sum;
    }

    Frontier &frontier_;
    std::uint8_t *const marks_;
    const bool in_order_;
    std::vector<V> aside_; // what the buffer has no room for, where the order is kept
    std::size_t count_ = 0, marked_ = 0;
    EdgeId arcs_ = 0;
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
  void reset() {
    if (form_ == Form::marks && size_ > 0)
      marks_.clear();
    round_ = 1;
    size_ = previous_size_ = visited_ = 0;
    arcs_ = previous_arcs_ = 0;
    counting_ = pulling_ = once_ = sharing_ = false;
    state_ = PushState::serial;
    rule_ = PushRule();
  }
  void begin(bool pull) {
    if (pull)
      begin_pull();
    else
      begin_push();
  }
  /// Prepares for the next vertices.
  void collect(Form form) {
    const V n = graph_.num_vertices();
    pulling_ = form == Form::bits;
    next_form_ = form;
    next_size_ = 0;
    next_arcs_ = 0;
    in_order_.restart(false);
    if (form == Form::bits) {
      next_bits_.resize(n);
      next_bits_.clear();
    } else if (form == Form::marks) {
      next_marks_.resize(n);
    } else {
      next_list_.resize_discard(n);
      if (once_)
        queued_.resize(n);
    }
  }
  void to_bits() {
    if (form_ == Form::bits)
      return;
    bits_.resize(graph_.num_vertices());
    if (form_ == Form::all) {
      bits_.set_all();
    } else if (form_ == Form::marks) {
      marks_.take(bits_);
    } else {
      bits_.clear();
      parallel_for(size_ > 16384, size_, [this](std::size_t i) { bits_.set_atomic(list_[i]); });
    }
    form_ = Form::bits;
  }
  /// The current vertices in blocks, which threads share in a push: parts of the list, or of all vertices.
  std::size_t blocks() const { return (slots() + block_size() - 1) / block_size(); }
  /// The calling thread's way through them.
  Chunks::Way way(std::size_t blocks) {
    return wide_ ? Chunks::Way(chunks_, static_cast<std::size_t>(omp_get_thread_num()), blocks) : Chunks::Way(blocks);
  }
  std::size_t block_size() const {
    if (form_ != Form::list)
      return sparse_block;
    const std::size_t share = size_ / (8 * static_cast<std::size_t>(omp_get_max_threads()));
    return share > 64 || !wide_ ? 64 : share < 1 ? 1 : share;
  }
  /// From here on the arcs out of the frontier are counted.
  void count_arcs() {
    if (!counting_) {
      counting_ = true;
      unseen_ = graph_.num_arcs();
      arcs_ = size_ == graph_.num_vertices() ? unseen_ : arcs_of_list();
    }
  }
  EdgeId arcs_of_list() const {
    EdgeId arcs = 0;
    parallel(size_ > 16384, [&](const Share &mine) {
      EdgeId own = 0;
      for (auto part = mine.equal(size_); part.next();)
        for (std::size_t i = part.begin; i < part.end; ++i)
          own += graph_.out_end(list_[i]) - graph_.out_begin(list_[i]);
      __atomic_fetch_add(&arcs, own, __ATOMIC_RELAXED);
    });
    return arcs;
  }

  Graph<V> graph_;
  Form form_ = Form::list, next_form_ = Form::list;
  PushState state_ = PushState::serial;
  PushRule rule_;
  bool pulling_ = false, counting_ = false, once_ = false, sharing_ = false, wide_ = false;
  bool cutting_ = false, cut_early_ = false;
  std::int32_t round_ = 1;
  std::size_t size_ = 0, previous_size_ = 0, next_size_ = 0, visited_ = 0;
  EdgeId arcs_ = 0, previous_arcs_ = 0, next_arcs_ = 0, unseen_ = 0;
  Array<V> list_, next_list_;
  Bitmap bits_, next_bits_, queued_;
  Marks marks_, next_marks_;
  CutLists<V> cut_lists_;
  Chunks chunks_;    // blocks, of the readers
  InOrder in_order_; // next vertices, of the writers
};

} // namespace gc

#endif
