#include "tools/gcompile/cache.h"
#include "tools/gcompile/failure.h"
#include "tools/gcompile/files.h"

#include "targets/Target.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/xxhash.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace fs = std::filesystem;

namespace gcompile {

namespace {

/// Executables kept in the cache.
constexpr std::size_t capacity = 200;

/// Hashes a list of byte strings; the lengths count, so that no two lists run together.
class ContentHash {
public:
  void add(const std::string &bytes) {
    text += fmt::format("{}:", bytes.size());
    if (bytes.size() < 4096) {
      text += bytes;
      return;
    }
    text += hex(bytes);
  }
  void addFile(const std::string &path) { add(readFile(path)); }
  std::string result() const { return hex(text); }

private:
  static std::string hex(const std::string &bytes) {
    auto hash = llvm::xxh3_128bits({reinterpret_cast<const std::uint8_t *>(bytes.data()), bytes.size()});
    return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
  }
  std::string text;
};

fs::path cacheFolder() {
  auto variable = [](const char *name) {
    const char *value = std::getenv(name);
    return value ? fs::path(value) : fs::path();
  };
  fs::path base = variable("XDG_CACHE_HOME");
  if (!base.is_absolute()) {
    base = variable("HOME");
    base = base.is_absolute() ? base / ".cache" : fs::temp_directory_path();
  }
  return base / "gcompile";
}

/// What -march=native depends on.
std::string processor() {
  std::ifstream info("/proc/cpuinfo");
  std::string line, result;
  while (std::getline(info, line) && !line.empty())
    if (line.rfind("model name", 0) == 0 || line.rfind("flags", 0) == 0 || line.rfind("Features", 0) == 0)
      result += line + "\n";
  return result;
}

} // namespace

std::string cachePath(const Options &options, const std::string &program, const CxxCompiler &compiler,
                      const Runtime &runtime) {
  ContentHash hash;
  hash.add(program);
  hash.add(baseName(options.inputs[0]));
  hash.add(options.target->name);
  hash.add(options.algorithm);
  hash.add(std::to_string(options.threads));
  hash.add(options.profile ? "profile" : "");
  hash.addFile("/proc/self/exe");
  hash.add(compiler.path);
  std::error_code error;
  fs::path real = fs::canonical(compiler.path, error);
  hash.add(real.string());
  hash.add(std::to_string(fs::file_size(real, error)));
  hash.add(std::to_string(fs::last_write_time(real, error).time_since_epoch().count()));
  for (const std::string &flag : compiler.flags)
    hash.add(flag);
  hash.add(processor());
  hash.addFile(runtime.library);
  std::vector<std::string> headers;
  for (const auto &entry : fs::recursive_directory_iterator(runtime.include + "/gcompile", error))
    if (entry.is_regular_file())
      headers.push_back(entry.path().string());
  std::sort(headers.begin(), headers.end());
  for (const std::string &header : headers) {
    hash.add(baseName(header));
    hash.addFile(header);
  }

  fs::path folder = cacheFolder() / hash.result();
  fs::create_directories(folder, error);
  if (error)
    failUsage("{}: cannot make a folder for the cache: {}", folder.string(), error.message());
  return (folder / stem(options.inputs[0])).string();
}

void trimCache(const std::string &keep) {
  std::error_code error;
  std::vector<std::pair<fs::file_time_type, fs::path>> entries;
  for (const auto &entry : fs::directory_iterator(cacheFolder(), error))
    if (entry.is_directory(error) && entry.path() != fs::path(keep).parent_path())
      entries.emplace_back(entry.last_write_time(error), entry.path());
  if (entries.size() < capacity)
    return;
  std::sort(entries.begin(), entries.end());
  for (std::size_t i = 0; i + capacity <= entries.size(); ++i)
    fs::remove_all(entries[i].second, error);
}

} // namespace gcompile
