#include "tools/gcompile/cache.h"
#include "tools/gcompile/failure.h"
#include "tools/gcompile/files.h"

#include "targets/Target.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CRC.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/xxhash.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <unistd.h>

namespace fs = std::filesystem;

namespace gcompile {

namespace {

/// The ending of the file beside an executable that tells its size and checksum.
constexpr const char *checksumEnding = ".sum";

/// The size in MiB of a cache that is full.
constexpr std::uint64_t usualCapacity = 512;

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

/// A name for everything that goes into an executable.
std::string keyOf(const Options &options, const std::string &program, const CxxCompiler &compiler,
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

  return hash.result();
}

std::uint64_t capacity() {
  const char *text = std::getenv("GCOMPILE_CACHE_SIZE");
  if (!text)
    return usualCapacity << 20;
  std::uint64_t size = 0;
  llvm::StringRef digits(text);
  if (digits.getAsInteger(10, size) || size > (std::numeric_limits<std::uint64_t>::max() >> 20))
    failUsage("GCOMPILE_CACHE_SIZE is a number of MiB, not '{}'", text);
  return size << 20;
}

/// A folder with an executable.
struct Entry {
  fs::file_time_type used;
  fs::path folder;
  std::uint64_t bytes;
};

bool isKey(const std::string &name) {
  return name.size() == 32 && name.find_first_not_of("0123456789abcdef") == std::string::npos;
}

/// What the cache holds, and what was used longest ago first.
std::vector<Entry> entries() {
  std::vector<Entry> result;
  std::error_code error;
  for (const auto &found : fs::directory_iterator(cacheFolder(), error)) {
    if (!isKey(found.path().filename().string()) || !found.is_directory(error))
      continue;
    Entry &entry = result.emplace_back(Entry{found.last_write_time(error), found.path(), 0});
    for (const auto &file : fs::directory_iterator(found.path(), error))
      if (std::uint64_t size = file.file_size(error); !error)
        entry.bytes += size;
  }
  std::sort(result.begin(), result.end(), [](const Entry &a, const Entry &b) { return a.used < b.used; });
  return result;
}

/// Makes a full cache smaller; the program at `keep` stays.
void trimCache(const fs::path &keep) {
  std::vector<Entry> all = entries();
  std::uint64_t size = 0, most = capacity();
  for (const Entry &entry : all)
    size += entry.bytes;
  std::error_code error;
  for (const Entry &entry : all) {
    if (size <= most)
      break;
    if (entry.folder == keep)
      continue;
    fs::remove_all(entry.folder, error);
    size -= entry.bytes;
  }
}

std::string checksum(const std::string &bytes) {
  return fmt::format("{} {:08x}\n", bytes.size(), llvm::crc32(llvm::arrayRefFromStringRef(bytes)));
}

/// Whether the executable is there as it was written.
bool isWhole(const fs::path &folder, const std::string &name) {
  auto read = [&](const std::string &file) {
    auto buffer = llvm::MemoryBuffer::getFile((folder / file).string(), /*IsText=*/false,
                                              /*RequiresNullTerminator=*/false);
    return buffer ? (*buffer)->getBuffer().str() : std::string();
  };
  return access((folder / name).c_str(), X_OK) == 0 && read(name + checksumEnding) == checksum(read(name));
}

} // namespace

std::string cachedExecutable(const Options &options, const std::string &program, const CxxCompiler &compiler,
                             const Runtime &runtime, const std::function<void(const std::string &)> &build) {
  capacity(); // a wrong one is said before the work
  fs::path base = cacheFolder(), folder = base / keyOf(options, program, compiler, runtime);
  std::string name = stem(options.inputs[0]);
  std::error_code error;
  if (isWhole(folder, name)) {
    fs::last_write_time(folder, fs::file_time_type::clock::now(), error);
    return (folder / name).string();
  }
  fs::create_directories(base, error);
  if (error)
    failUsage("{}: cannot make a folder for the cache: {}", base.string(), error.message());
  // An entry appears as a whole.
  TemporaryFolder made(base.string());
  build(made.path() + "/" + name);
  writeIfChanged(made.path() + "/" + name + checksumEnding, checksum(readFile(made.path() + "/" + name)));
  while (!made.renameTo(folder.string())) {
    int why = errno;
    if (isWhole(folder, name)) // another process was faster
      break;
    if (fs::remove_all(folder, error) == 0 || error)
      failUsage("{}: cannot be written: {}", folder.string(), std::strerror(why));
  }
  trimCache(folder);
  return (folder / name).string();
}

void manageCache(const Options &options) {
  std::vector<Entry> all = entries();
  std::uint64_t size = 0;
  for (const Entry &entry : all)
    size += entry.bytes;
  std::string what = fmt::format("{} {}, {:.1f} MiB", all.size(), all.size() == 1 ? "program" : "programs",
                                 static_cast<double>(size) / (1 << 20));
  if (options.cacheStats) {
    fmt::print("{}: {} of {} MiB\n", cacheFolder().string(), what, capacity() >> 20);
    return;
  }
  for (const Entry &entry : all) {
    std::error_code error;
    fs::remove_all(entry.folder, error);
    if (error)
      failUsage("{}: cannot be removed: {}", entry.folder.string(), error.message());
  }
  fmt::print("{}: removed {}\n", cacheFolder().string(), what);
}

} // namespace gcompile
