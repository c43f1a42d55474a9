// Over which ranks what one sends to another goes.
#ifndef GCOMPILE_MPI_ROUTES_H
#define GCOMPILE_MPI_ROUTES_H

#include <string>

namespace gc::mpi {

/// Either straight, or in a grid of ranks: along the row of the sender to the column of the target, and down that one.
/// Ranks stand in the grid row by row; the last row may be shorter than the others.
class Routes {
public:
  /// Straight.
  Routes() = default;
  /// In a grid of about as many rows as columns.
  static Routes grid(int ranks) {
    Routes routes;
    routes.ranks_ = ranks;
    for (routes.columns_ = 1; routes.columns_ * routes.columns_ < ranks;)
      ++routes.columns_;
    return routes;
  }

  bool direct() const { return columns_ == 0; }
  /// In a grid: how many others a rank sends to at most, where all rows are equally long.
  int partners() const { return columns_ + rows() - 2; }
  /// "direct", or "grid of ROWS x COLUMNS".
  std::string text() const {
    return direct() ? "direct" : "grid of " + std::to_string(rows()) + " x " + std::to_string(columns_);
  }

  /// The rank that passes on what goes from one rank to another: one of these two where they share a row or a column.
  /// In a grid alone.
  int via(int from, int to) const {
    const int corner = from - from % columns_ + to % columns_;
    // The last row has no such place: down the column of the sender, and along the row of the target.
    return corner < ranks_ ? corner : to - to % columns_ + from % columns_;
  }

private:
  int rows() const { return (ranks_ + columns_ - 1) / columns_; }

  int ranks_ = 0, columns_ = 0; ///< no columns: straight
};

} // namespace gc::mpi

#endif
