#include "runtime/tool_support/cache_folder.h"

#include <cstdlib>

namespace gc::detail {

std::filesystem::path cache_folder() {
  const auto variable = [](const char *name) {
    const char *value = std::getenv(name);
    return value ? std::filesystem::path(value) : std::filesystem::path();
  };
  std::filesystem::path base = variable("XDG_CACHE_HOME");
  if (!base.is_absolute()) {
    base = variable("HOME");
    base = base.is_absolute() ? base / ".cache" : std::filesystem::temp_directory_path();
  }
  return base / "gcompile";
}

} // namespace gc::detail
