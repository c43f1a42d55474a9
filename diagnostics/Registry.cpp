#include "diagnostics/Registry.h"

#include <algorithm>
#include <vector>

namespace gcompile {

static std::string dashes(std::string name) {
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

const diag::Info &diag::info(unsigned index) {
  static const std::vector<std::string> names = {
#define DIAG(id, code, severity, message) dashes(#id),
#include "diagnostics/Registry.def"
  };
  static const std::vector<Info> infos = {
#define DIAG(id, code, severity, message) {names[id##_index].c_str(), code, Severity::severity, message},
#include "diagnostics/Registry.def"
  };
  return infos[index];
}

std::string diag::shortened(std::string_view text) {
  constexpr std::size_t longest = 100, kept = 80;
  if (text.size() <= longest)
    return std::string(text);
  std::size_t end = kept;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) // within a UTF-8 character
    --end;
  return std::string(text.substr(0, end)) + "...";
}

unsigned diag::find(std::string_view code) {
  unsigned index = 0;
  while (index < count && code != info(index).code)
    ++index;
  return index;
}

} // namespace gcompile
