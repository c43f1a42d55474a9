// Which options of a compiler decide what a header says.
#pragma once

#include "frontend/foreign/HeaderReader.h"

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace gcompile::foreign {

/// The options that decide what a header says, each as one or two words. Files are looked for in `folder`.
std::vector<std::string> heeded(const std::vector<std::string> &flags, llvm::StringRef folder = "");

/// The heeded options of the file in a compile_commands.json that is most like a header.
std::vector<std::string> projectFlags(const ReaderOptions &options, const std::string &header, ImportedHeaders &result);

} // namespace gcompile::foreign
