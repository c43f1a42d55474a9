// What the caches share: the entries of their folder, and keys of what goes into one.
#pragma once

#include "tools/gcompile/cxx.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace gcompile {

/// Hashes a list of byte strings; the lengths count, so that no two lists run together.
class ContentHash {
public:
  void add(const std::string &bytes);
  void addFile(const std::string &path);
  /// The compiler, its flags, and the machine that `-march=native` depends on.
  void addCompiler(const CxxCompiler &compiler);
  std::string result() const;

private:
  std::string text;
};

/// The bytes of a full cache, as GCOMPILE_CACHE_SIZE says. Throws Failure if that is no number.
std::uint64_t cacheCapacity();

/// A folder with an executable, or with precompiled headers.
struct CacheEntry {
  std::filesystem::file_time_type used;
  std::filesystem::path folder;
  std::uint64_t bytes;
  bool headers;
};

/// The name of an entry with precompiled headers begins so; the key of what goes into them follows.
constexpr const char *headersPrefix = "headers-";

/// What the cache holds, and what was used longest ago first.
std::vector<CacheEntry> cacheEntries();

/// Notes that an entry is used.
void touchEntry(const std::filesystem::path &folder);

/// Makes a full cache smaller; the entry at `keep` stays.
void trimCache(const std::filesystem::path &keep);

} // namespace gcompile
