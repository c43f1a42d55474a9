// How the libraries Scotch and PT-Scotch are loaded and called.
#ifndef GCOMPILE_SRC_SCOTCH_LIBRARY_H
#define GCOMPILE_SRC_SCOTCH_LIBRARY_H

#include <memory>
#include <vector>

namespace gc::detail {

/// A library that is loaded when it is asked for: no program needs it otherwise. It has functions that make its objects
/// and tell the width of its numbers, so no header is needed.
class ScotchLibrary {
public:
  /// How much more work than the mean a part may have.
  static constexpr double most_imbalance = 0.03;
  using Object = std::unique_ptr<void, void (*)(void *)>;

  /// The first library of these names that there is, if any. Once loaded it stays.
  explicit ScotchLibrary(const std::vector<const char *> &names);

  /// Where a symbol of the library or of those that it needs is; null if they have none of this name.
  void *find(const char *symbol) const;
  /// A function of the library. Throws Error (resource) naming it if there is none.
  template <class F> F *function(const char *name) const { return reinterpret_cast<F *>(require(name)); }
  /// Memory for an object, by a function that makes it.
  Object make(const char *function_name) const;
  /// Of the numbers that it takes and gives: 32 or 64.
  int number_bits() const;
  /// From now on it draws the random numbers that it draws each time.
  template <class Number> void seed() const {
    function<void(Number)>("SCOTCH_randomSeed")(1);
    function<void()>("SCOTCH_randomReset")();
  }

private:
  void *require(const char *symbol) const;

  void *library_ = nullptr;
};

} // namespace gc::detail

#endif
