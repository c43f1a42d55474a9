#include "tools/gcompile/cache.h"
#include "runtime/tool_support/cache_folder.h"
#include "tools/gcompile/cache_entries.h"
#include "tools/gcompile/failure.h"
#include "tools/gcompile/files.h"

#include "targets/Target.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CRC.h"
#include "llvm/Support/MemoryBuffer.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <unistd.h>

namespace fs = std::filesystem;

namespace gcompile {

namespace {

/// The ending of the file beside an executable that tells its size and checksum.
constexpr const char *checksumEnding = ".sum";

/// A name for everything that goes into an executable.
std::string keyOf(const Options &options, const std::string &program, const CxxCompiler &compiler,
                  const Runtime &runtime) {
  ContentHash hash;
  hash.add(program);
  hash.add(baseName(options.inputs[0]));
  hash.add(options.target->name);
  hash.add(options.algorithm);
  hash.add(std::to_string(options.threads));
  hash.add(std::to_string(options.gpuVertexBits));
  hash.add(options.profile ? "profile" : "");
  hash.addFile("/proc/self/exe");
  hash.addCompiler(compiler);
  std::error_code error;
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
  cacheCapacity(); // a wrong one is said before the work
  fs::path base = gc::detail::cache_folder(), folder = base / keyOf(options, program, compiler, runtime);
  std::string name = stem(options.inputs[0]);
  std::error_code error;
  if (isWhole(folder, name)) {
    touchEntry(folder);
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
  std::vector<CacheEntry> all = cacheEntries();
  std::uint64_t size = 0;
  for (const CacheEntry &entry : all)
    size += entry.bytes;
  auto headers = std::count_if(all.begin(), all.end(), [](const CacheEntry &entry) { return entry.headers; });
  auto programs = static_cast<std::ptrdiff_t>(all.size()) - headers;
  std::string what = fmt::format("{} {}, {}{:.1f} MiB", programs, programs == 1 ? "program" : "programs",
                                 headers == 0 ? "" : fmt::format("headers for {} sets of options, ", headers),
                                 static_cast<double>(size) / (1 << 20));
  if (options.cacheStats) {
    fmt::print("{}: {} of {} MiB\n", gc::detail::cache_folder().string(), what, cacheCapacity() >> 20);
    return;
  }
  for (const CacheEntry &entry : all) {
    std::error_code error;
    fs::remove_all(entry.folder, error);
    if (error)
      failUsage("{}: cannot be removed: {}", entry.folder.string(), error.message());
  }
  fmt::print("{}: removed {}\n", gc::detail::cache_folder().string(), what);
}

} // namespace gcompile
