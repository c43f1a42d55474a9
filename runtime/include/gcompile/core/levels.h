// The kept frontiers of a propagate as a range, in their order or in reverse.
#ifndef GCOMPILE_CORE_LEVELS_H
#define GCOMPILE_CORE_LEVELS_H

#include <cstddef>

namespace gc {

/// The levels of `Levels`, which has size() and operator[]; each is made when it is asked for.
template <class Levels> struct LevelRange {
  const Levels &levels;
  bool backwards;

  class Iterator {
  public:
    Iterator(const Levels &levels, std::size_t level, bool backwards)
        : levels_(levels), level_(level), backwards_(backwards) {}
    auto operator*() const { return levels_[backwards_ ? levels_.size() - 1 - level_ : level_]; }
    Iterator &operator++() {
      ++level_;
      return *this;
    }
    bool operator!=(const Iterator &other) const { return level_ != other.level_; }

  private:
    const Levels &levels_;
    std::size_t level_;
    bool backwards_;
  };
  Iterator begin() const { return {levels, 0, backwards}; }
  Iterator end() const { return {levels, levels.size(), backwards}; }
};

} // namespace gc

#endif
