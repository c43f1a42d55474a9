#include "tools/gcompile/precompiled.h"
#include "runtime/tool_support/cache_folder.h"
#include "tools/gcompile/cache_entries.h"
#include "tools/gcompile/files.h"

#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace gcompile {

namespace {

/// The bytes that a cache holds at least for headers to be among them: they must not drive the programs out.
constexpr std::uint64_t smallestCapacity = std::uint64_t(256) << 20;

constexpr const char *headerName = "printed.h";

/// Whether the compiler looks for `FILE.gch` where FILE is included.
bool readsPrecompiled(const std::string &compiler) {
  std::error_code error;
  const std::string name = fs::canonical(compiler, error).filename().string();
  return name.find("g++") != std::string::npos && name.find("clang") == std::string::npos;
}

/// The lines of a program that include what all programs of its target do; none if what stands before may change them.
std::string runtimeIncludes(llvm::StringRef source) {
  std::string includes;
  while (!source.empty()) {
    auto [line, rest] = source.split('\n');
    source = rest;
    const bool runtime = line.consume_front("#include <gcompile/");
    if (runtime && !line.contains('/'))
      includes += "#include <gcompile/" + line.str() + "\n";
    else if (!includes.empty() || line.starts_with("#define"))
      break;
  }
  return includes;
}

/// Whether nobody else can write there.
bool isOurs(const fs::path &folder) {
  struct stat status {};
  return stat(folder.c_str(), &status) == 0 && status.st_uid == geteuid() &&
         (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/// Whether all files that the compiler read for `precompiled`, as its rule for make says, are older.
bool isUpToDate(const fs::path &precompiled, const fs::path &rule) {
  std::error_code error;
  const auto made = fs::last_write_time(precompiled, error);
  if (error || !fs::is_regular_file(rule, error))
    return false;
  std::string text = readFile(rule.string());
  std::size_t at = std::min(text.find(": "), text.size());
  std::string name;
  auto isNewer = [&] {
    const bool newer = !name.empty() && (fs::last_write_time(name, error) > made || error);
    name.clear();
    return newer;
  };
  for (at = std::min(at + 1, text.size()); at < text.size(); ++at) {
    const bool escaped = text[at] == '\\' && at + 1 < text.size();
    if (escaped && text[at + 1] != '\n')
      name += text[++at];
    else if (escaped || text[at] == ' ' || text[at] == '\n') {
      if (isNewer())
        return false;
    } else
      name += text[at];
  }
  return !isNewer();
}

/// Has the compiler read the header in `folder`. What is there afterwards is whole.
void precompile(const CxxCompiler &compiler, const fs::path &folder, bool verbose) {
  TemporaryFolder made(folder.string());
  const fs::path precompiled = fs::path(made.path()) / "made.gch", rule = fs::path(made.path()) / "made.d";
  std::vector<std::string> command = {compiler.path};
  command.insert(command.end(), compiler.flags.begin(), compiler.flags.end());
  command.insert(command.end(), {"-x", "c++-header", (folder / headerName).string(), "-MD", "-MF", rule.string(), "-o",
                                 precompiled.string()});
  std::error_code error;
  // A compiler that cannot is not asked again: it ignores the empty file.
  if (!runTool(command, made.path(), verbose).succeeded())
    for (const fs::path &file : {precompiled, rule})
      writeIfChanged(file.string(), "");
  const fs::path target = (folder / headerName).string() + ".gch";
  fs::rename(precompiled, target, error);
  fs::rename(rule, folder / "printed.d", error);
}

} // namespace

std::string precompiledHeader(const CxxCompiler &compiler, const std::string &source, CxxOutput kind, bool verbose) {
  const std::string includes = runtimeIncludes(source);
  if (includes.empty() || !readsPrecompiled(compiler.path) || cacheCapacity() < smallestCapacity)
    return "";
  CxxCompiler reader = compiler;
  if (kind == CxxOutput::Shared)
    std::copy_if(compiler.sharedFlags.begin(), compiler.sharedFlags.end(), std::back_inserter(reader.flags),
                 [](const std::string &flag) { return flag != "-shared"; });
  ContentHash hash;
  hash.add(includes);
  hash.addCompiler(reader);
  const fs::path base = gc::detail::cache_folder(), folder = base / (headersPrefix + hash.result()),
                 header = folder / headerName;
  std::error_code error;
  fs::create_directories(folder, error);
  if (error || !isOurs(base) || !isOurs(folder))
    return "";
  if (!fs::is_regular_file(header, error)) { // the first time
    writeIfChanged(header.string(), includes);
    return "";
  }
  const fs::path precompiled = header.string() + ".gch";
  if (!isUpToDate(precompiled, folder / "printed.d")) {
    precompile(reader, folder, verbose);
    trimCache(folder);
  }
  touchEntry(folder);
  return fs::is_empty(precompiled, error) || error ? "" : header.string();
}

} // namespace gcompile
