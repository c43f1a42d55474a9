#include "tools/gcompile/depfile.h"
#include "tools/gcompile/files.h"

#include <algorithm>
#include <filesystem>

namespace fs = std::filesystem;

namespace gcompile {

/// A file name as make and ninja read it in a depfile.
static std::string escapeDependency(const std::string &name) {
  std::string result;
  for (char c : name) {
    if (c == ' ' || c == '#' || c == '\\')
      result += '\\';
    if (c == '$')
      result += '$';
    result += c;
  }
  return result;
}

void writeDepFile(const Options &options, const std::string &output, const Runtime *runtime,
                  const std::vector<std::string> &imported) {
  std::vector<std::string> dependencies = {options.inputs[0]};
  dependencies.insert(dependencies.end(), imported.begin(), imported.end());
  if (runtime) {
    std::vector<std::string> headers;
    for (const auto &entry : fs::recursive_directory_iterator(runtime->include + "/gcompile"))
      if (entry.is_regular_file())
        headers.push_back(entry.path().string());
    std::sort(headers.begin(), headers.end());
    dependencies.insert(dependencies.end(), headers.begin(), headers.end());
    dependencies.push_back(runtime->library);
  }
  std::string text = escapeDependency(options.depTarget.empty() ? output : options.depTarget) + ":";
  for (const std::string &dependency : dependencies)
    text += " \\\n  " + escapeDependency(dependency);
  writeIfChanged(options.depFile, text + "\n");
}

} // namespace gcompile
