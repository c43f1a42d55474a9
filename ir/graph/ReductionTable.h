// The tables of reductions (Reductions.td) as plain data, for whatever does not know MLIR.
#pragma once

#include <string_view>

namespace gcompile {

/// The value that changes nothing when it is combined with another.
enum class Neutral { Zero, One, Greatest, Lowest, AllBits };

/// How an update combines a new value with the old one; Reductions.td explains each member.
struct UpdateTraits {
  unsigned kind; // the graph::UpdateKind
  std::string_view mnemonic, token, binary;
  bool absorbing;
  std::string_view function, assignment, total;
  unsigned neutralNumber;
  bool truths, integers, reals, ordered;
  std::string_view sets;
  bool monotone, selects, bitwise, anyOrder;

  constexpr Neutral neutral() const { return static_cast<Neutral>(neutralNumber); }
};

/// How a reduction makes one value of many; Reductions.td explains each member.
struct ReduceTraits {
  unsigned kind; // the graph::ReduceKind
  std::string_view mnemonic;
  unsigned combine; // the graph::UpdateKind
  std::string_view accumulator, result, name;
  bool decides, witness, extreme;
  std::string_view lanes;

  /// An object of the runtime collects the contributions.
  constexpr bool accumulates() const { return !accumulator.empty(); }
};

#define GET_updateTable_IMPL
#define GET_reduceTable_IMPL
#include "ir/graph/Reductions.inc"

/// The update that a program writes so, "+="; null: there is none.
constexpr const UpdateTraits *updateWritten(std::string_view token) {
  for (const UpdateTraits &update : updateTable)
    if (!token.empty() && update.token == token)
      return &update;
  return nullptr;
}

} // namespace gcompile
