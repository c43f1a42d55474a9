// The formats of graph files: their names, the files that have them, and their readers.
#ifndef GCOMPILE_SRC_FORMATS_H
#define GCOMPILE_SRC_FORMATS_H

#include "edges.h"

#include <string>

namespace gc::detail {

/// The format of a file: `wanted` by its user, or else by the file's name. Throws Error where neither tells.
std::string format_of(const std::string &path, const std::string &wanted);

/// Whether several processes may each read a range of a text of this format.
bool has_ranges(const std::string &format);

/// Reads a graph of a format that lists edges. Each of ReadContext::readers calls it.
RawGraph read_raw(const std::string &path, const std::string &format, const ReadContext &context);

} // namespace gc::detail

#endif
