// Where what can be made again is kept.
#ifndef GCOMPILE_TOOL_SUPPORT_CACHE_FOLDER_H
#define GCOMPILE_TOOL_SUPPORT_CACHE_FOLDER_H

#include <filesystem>

namespace gc::detail {

/// The folder `gcompile` below XDG_CACHE_HOME or the home folder, or else where temporary files lie. It may not exist.
std::filesystem::path cache_folder();

} // namespace gc::detail

#endif
