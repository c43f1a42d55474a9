#include "ir/graph/Places.h"

#include <cstdint>
#include <optional>
#include <tuple>

using namespace mlir;

namespace gcompile::graph {

namespace {

/// A range of lines and columns in 64 bits: the value of an opaque location, whose fallback names the file.
constexpr unsigned lineBits = 24, columnBits = 14, moreLinesBits = 12;
static_assert(lineBits + 2 * columnBits + moreLinesBits == 64 && sizeof(std::uintptr_t) == 8);

/// Says that an opaque location is one of these.
SelfOwningTypeID packedRange;

/// Whether all numbers of a place fit.
bool fits(const Place &place) {
  return place.line < 1u << lineBits && place.column < 1u << columnBits && place.endLine >= place.line &&
         place.endLine - place.line < 1u << moreLinesBits && place.endColumn < 1u << columnBits;
}

std::uintptr_t pack(const Place &place) {
  std::uintptr_t bits = place.line;
  bits = bits << columnBits | place.column;
  bits = bits << moreLinesBits | (place.endLine - place.line);
  return bits << columnBits | place.endColumn;
}

Place unpack(std::uintptr_t bits, StringAttr file) {
  auto take = [&](unsigned width) {
    unsigned number = bits & ((std::uintptr_t(1) << width) - 1);
    bits >>= width;
    return number;
  };
  Place place{file};
  place.endColumn = take(columnBits);
  unsigned moreLines = take(moreLinesBits);
  place.column = take(columnBits);
  place.line = take(lineBits);
  place.endLine = place.line + moreLines;
  return place;
}

/// The fusion of the first character and the end.
Location fused(const Place &place) {
  Location begin = FileLineColLoc::get(place.file, place.line, place.column);
  Location end = FileLineColLoc::get(place.file, place.endLine, place.endColumn);
  return FusedLoc::get(place.file.getContext(), {begin, end});
}

/// The place of a location that locationOf() has packed, or none.
std::optional<Place> packedPlace(Location location) {
  auto opaque = dyn_cast<OpaqueLoc>(location);
  if (!opaque || opaque.getUnderlyingTypeID() != packedRange)
    return std::nullopt;
  return unpack(opaque.getUnderlyingLocation(), cast<NameLoc>(opaque.getFallbackLocation()).getName());
}

} // namespace

Location locationOf(const Place &place) {
  return fits(place) ? Location(OpaqueLoc::get(pack(place), packedRange, NameLoc::get(place.file))) : fused(place);
}

Place placeOf(Location location) {
  if (std::optional<Place> place = packedPlace(location))
    return *place;
  Place place;
  auto add = [&](const Place &part) {
    if (!place.file)
      place = part;
    else if (std::tie(part.endLine, part.endColumn) > std::tie(place.endLine, place.endColumn))
      std::tie(place.endLine, place.endColumn) = std::tie(part.endLine, part.endColumn);
  };
  location->walk([&](Location part) {
    if (std::optional<Place> packed = packedPlace(part))
      add(*packed);
    else if (auto one = dyn_cast<FileLineColLoc>(part))
      add({one.getFilename(), one.getLine(), one.getColumn(), one.getLine(), one.getColumn()});
    return WalkResult::advance();
  });
  return place;
}

Location spelled(Location location) {
  std::optional<Place> place = packedPlace(location);
  return place ? fused(*place) : location;
}

} // namespace gcompile::graph
