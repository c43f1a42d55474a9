// The formats of graph files: their names, the files that have them, and their readers.
#ifndef GCOMPILE_SRC_FORMATS_H
#define GCOMPILE_SRC_FORMATS_H

#include "edges.h"

#include <optional>
#include <string>

namespace gc::detail {

/// The format of a file: `wanted` by its user, or else by the file's name. Throws Error where neither tells.
std::string format_of(const std::string &path, const std::string &wanted);

/// How the first lines of a text of edges are read.
using EdgeLook = std::optional<EdgeText> (*)(const InputFile &file, const ReadContext &context);
/// That of a format; null for a format without such texts.
EdgeLook look_of(const std::string &format);

/// A file of a format that is one text. Throws Error if it cannot be read, or is none.
InputFile open_text(const std::string &path, const std::string &format, MemoryBudget &budget);

/// Reads a graph of a format that lists edges.
RawGraph read_raw(const std::string &path, const std::string &format, const ReadContext &context);

} // namespace gc::detail

#endif
