#include "tools/gcompile/cache_entries.h"
#include "tools/gcompile/failure.h"
#include "tools/gcompile/files.h"

#include "runtime/tool_support/cache_folder.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/xxhash.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <string_view>

namespace fs = std::filesystem;

namespace gcompile {

namespace {

/// The size in MiB of a cache that is full.
constexpr std::uint64_t usualCapacity = 512;

std::string hex(const std::string &bytes) {
  auto hash = llvm::xxh3_128bits({reinterpret_cast<const std::uint8_t *>(bytes.data()), bytes.size()});
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
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

bool isKey(const std::string &name) {
  return name.size() == 32 && name.find_first_not_of("0123456789abcdef") == std::string::npos;
}

} // namespace

void ContentHash::add(const std::string &bytes) {
  text += fmt::format("{}:", bytes.size());
  text += bytes.size() < 4096 ? bytes : hex(bytes);
}

void ContentHash::addFile(const std::string &path) { add(readFile(path)); }

void ContentHash::addCompiler(const CxxCompiler &compiler) {
  std::error_code error;
  fs::path real = fs::canonical(compiler.path, error);
  add(compiler.path);
  add(real.string());
  add(std::to_string(fs::file_size(real, error)));
  add(std::to_string(fs::last_write_time(real, error).time_since_epoch().count()));
  for (const std::string &flag : compiler.flags)
    add(flag);
  add(processor());
}

std::string ContentHash::result() const { return hex(text); }

std::uint64_t cacheCapacity() {
  const char *text = std::getenv("GCOMPILE_CACHE_SIZE");
  if (!text)
    return usualCapacity << 20;
  std::uint64_t size = 0;
  llvm::StringRef digits(text);
  if (digits.getAsInteger(10, size) || size > (std::numeric_limits<std::uint64_t>::max() >> 20))
    failUsage("GCOMPILE_CACHE_SIZE is a number of MiB, not '{}'", text);
  return size << 20;
}

std::vector<CacheEntry> cacheEntries() {
  std::vector<CacheEntry> result;
  std::error_code error;
  for (const auto &found : fs::directory_iterator(gc::detail::cache_folder(), error)) {
    std::string name = found.path().filename().string();
    const bool headers = name.rfind(headersPrefix, 0) == 0;
    if (headers)
      name.erase(0, std::string_view(headersPrefix).size());
    if (!isKey(name) || !found.is_directory(error))
      continue;
    CacheEntry &entry = result.emplace_back(CacheEntry{found.last_write_time(error), found.path(), 0, headers});
    for (const auto &file : fs::directory_iterator(found.path(), error))
      if (std::uint64_t size = file.file_size(error); !error)
        entry.bytes += size;
  }
  std::sort(result.begin(), result.end(), [](const CacheEntry &a, const CacheEntry &b) { return a.used < b.used; });
  return result;
}

void touchEntry(const fs::path &folder) {
  std::error_code error;
  fs::last_write_time(folder, fs::file_time_type::clock::now(), error);
}

void trimCache(const fs::path &keep) {
  std::vector<CacheEntry> all = cacheEntries();
  std::uint64_t size = 0, most = cacheCapacity();
  for (const CacheEntry &entry : all)
    size += entry.bytes;
  std::error_code error;
  for (const CacheEntry &entry : all) {
    if (size <= most)
      break;
    if (entry.folder == keep)
      continue;
    fs::remove_all(entry.folder, error);
    size -= entry.bytes;
  }
}

} // namespace gcompile
